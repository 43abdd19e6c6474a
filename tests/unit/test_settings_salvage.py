"""What can be saved of settings that cannot be read, and what a misspelled name meant."""

from __future__ import annotations

import pytest

from tacit.settings_salvage import closest, salvage


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("llm.provdier", "llm.provider"),
        ("lmm.provider", "llm.provider"),
        ("capture.exlude", "capture.exclude"),
        ("exclude", "capture.exclude"),
        ("capture.excludes", "capture.exclude"),
        ("backups.keep", "backup.keep"),
        ("colour", ""),
        ("", ""),
    ],
)
def test_a_misspelled_name_is_the_setting_that_it_is_most_like(name: str, meant: str) -> None:
    assert closest(name) == meant


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('[backup]\nkeep = 3\n[llm\nprovider = "openai"\n', {"keep": 3, "provider": "openai"}),
        ("[backup]\nkeep = 3\n[curate]\nmode = auto\n", {"keep": 3}),
        ("[backup]\nkeep =\n", {}),
        ("[backup]\nkeep = [3,\n", {}),
        ("[backup]\nkeep = 3\nx = '''never closed\n\n", {"keep": 3}),
        ("\0", {}),
        ("x = " + "[" * 5000, {}),
    ],
)
def test_lines_that_can_be_read_are_read(text: str, read: dict[str, object]) -> None:
    found, excluded = salvage(text)

    assert (found.get("backup", {}), excluded) == (read, [])


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ('[capture]\nexclude = ["~/private]\n', ["~/private"]),
        ('[capture]\nexclude = ["~/private" "/srv/keys"]\n', ["~/private", "/srv/keys"]),
        ('[capture]\nexclude = [\n  "~/private",\n  "/srv/keys\n]\n', ["/srv/keys"]),
        ('[capture]\nexclude = "~/a"]\n[groups]\nwork = ["~/w"]\n', ["~/a"]),
        ('[groups]\nwork = ["~/w]\n', []),
    ],
)
def test_paths_that_were_to_be_excluded_are_found_in_what_cannot_be_read(
    text: str, excluded: list[str]
) -> None:
    assert salvage(text)[1] == excluded
