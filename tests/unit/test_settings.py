"""Settings: defaults, directories as the system knows them, and refusals that name the setting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tacit import settings
from tacit.errors import SettingsUnreadable

if TYPE_CHECKING:
    from pathlib import Path

BORING = ["Glob", "Grep", "ListMcpResourcesTool", "ToolSearch", "TodoWrite", "LS"]


def load(home: Path, text: str) -> settings.Settings:
    (home / "config.toml").write_text(text, encoding="utf-8")
    return settings.load(str(home))


def refusal(home: Path, text: str) -> str:
    with pytest.raises(SettingsUnreadable) as refused:
        load(home, text)
    return str(refused.value)


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    chosen = settings.load(str(tmp_path))

    assert (chosen.exclude, chosen.groups) == ([], {})


@pytest.mark.parametrize("text", ["", "# nothing\n", "[capture]\n[groups]\n"])
def test_an_empty_file_is_the_default_too(text: str, tmp_path: Path) -> None:
    chosen = load(tmp_path, text)

    assert (chosen.exclude, chosen.groups) == ([], {})


def test_defaults_are_not_shared() -> None:
    first = settings.Settings()
    first.exclude.append("/srv")
    first.groups["work"] = ["/srv"]

    second = settings.Settings()

    assert (second.exclude, second.groups) == ([], {})


def test_excluded_directories_and_groups_are_read(tmp_path: Path) -> None:
    text = '[capture]\nexclude = ["/nowhere/a"]\n[groups]\nwork = ["/nowhere/b"]\nmy_own-2 = []'

    chosen = load(tmp_path, text)

    assert (chosen.exclude, chosen.groups) == (
        ["/nowhere/a"],
        {"work": ["/nowhere/b"], "my_own-2": []},
    )


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("/nowhere/a/**", "/nowhere/a"),
        ("/nowhere/a/", "/nowhere/a"),
        ("/nowhere/b/../a", "/nowhere/a"),
        ("~/private", "/nowhere/me/private"),
        ("~/private/**", "/nowhere/me/private"),
        ("~", "/nowhere/me"),
        ("~/**", "/nowhere/me"),
        ("/**", "/"),
        ("/", "/"),
        ("/nowhere/größe", "/nowhere/größe"),
    ],
)
def test_directories_are_made_absolute_and_plain(
    given: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/nowhere/me")

    chosen = load(tmp_path, f'[capture]\nexclude = ["{given}"]')

    assert chosen.exclude == [found]


def test_a_linked_directory_counts_under_both_its_names(tmp_path: Path) -> None:
    real = tmp_path.resolve() / "real"
    real.mkdir()
    link = tmp_path.resolve() / "link"
    link.symlink_to(real)

    chosen = load(tmp_path, f'[groups]\nwork = ["{link}/deep"]')

    assert chosen.groups == {"work": [f"{link}/deep", f"{real}/deep"]}


def test_a_directory_that_is_given_twice_counts_once(tmp_path: Path) -> None:
    chosen = load(tmp_path, '[capture]\nexclude = ["/nowhere/a", "/nowhere/a/"]')

    assert chosen.exclude == ["/nowhere/a"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[capture", "Cannot read"),
        ("a = 1\na = 2", "Cannot read"),
        ("[capture]\nexlude = []", "capture.exlude"),
        ("colour = true", "colour"),
        ("[recall]\nlimit = 3", "recall"),
        ("capture = 3", "[capture]"),
        ('groups = ["x"]', "[groups]"),
        ('[capture]\nexclude = "/srv"', "capture.exclude"),
        ('[capture]\nexclude = ["/srv", 3]', "capture.exclude"),
        ('[capture]\nexclude = ["private"]', "capture.exclude: 'private'"),
        ('[capture]\nexclude = ["~nobody-of-this-name/x"]', "'~nobody-of-this-name/x'"),
        ('[capture]\nexclude = ["/srv/a\\u0000b"]', "capture.exclude: '/srv/a\\x00b'"),
        ('[capture]\nexclude = ["~/\\u0000"]', "capture.exclude: '~/\\x00'"),
        ('[groups]\nwork = ["/srv/a\\u0000b"]', "groups.work: '/srv/a\\x00b'"),
        ('[groups]\nwork = "/srv"', "groups.work"),
        ('[groups]\nwork = ["./srv"]', "groups.work: './srv'"),
        ('[groups]\n"my work" = ["/srv"]', "the group 'my work'"),
        ('[groups]\n"" = ["/srv"]', "the group ''"),
        ('[groups]\n"../up" = ["/srv"]', "the group '../up'"),
        ("[transcript]\ntool_text = 255", "transcript.tool_text must be a number from 256 on"),
        ("[transcript]\ntool_text = 4096.5", "transcript.tool_text must be a number"),
        ("[backup]\nkeep = 0", "backup.keep must be a number from 1 on"),
        ('[curate]\nmode = "on"', "curate.mode must be one of auto, off"),
        ("[curate]\nmode = true", "curate.mode must be one of auto, off"),
        ('[curate]\nmode = ["off"]', "curate.mode must be one of auto, off"),
        ('[curate]\nboring_tools = "LS"', "curate.boring_tools must be a list of names"),
        ('[curate]\nboring_tools = ["LS", 3]', "curate.boring_tools must be a list of names"),
        ('[curate]\nboring = ["LS"]', "curate.boring"),
        ('[backup]\nkeep = "7"', "backup.keep must be a number"),
        ("[backup]\nkeep = true", "backup.keep must be a number"),
        ("[recovery]\nauto = 1", "recovery.auto must be true or false"),
        ("[recovery]\nautomatic = true", "recovery.automatic"),
        ("transcript = 3", "[transcript]"),
        (
            '[embed]\nprovider = "cloud"',
            "embed.provider must be one of local, ollama, openai, none",
        ),
        ("[embed]\nprovider = false", "embed.provider must be one of local"),
        ("[embed]\nmodel = 3", "embed.model must be a text of one line"),
        ('[embed]\nmodel = ["a"]', "embed.model must be a text of one line"),
        ('[embed]\nbase_url = "http://a\\nb"', "embed.base_url must be a text of one line"),
        ("[embed]\nidle_seconds = 0", "embed.idle_seconds must be a number from 1 on"),
        ('[embed]\nkey = "k"', "embed.key"),
    ],
)
def test_a_refusal_names_the_file_and_the_setting(text: str, named: str, tmp_path: Path) -> None:
    told = refusal(tmp_path, text)

    assert (str(tmp_path / "config.toml") in told, named in told) == (True, True), told


@pytest.mark.parametrize("text", ["[capture", "[capture]\nexlude = []", 'groups = ["x"]'])
def test_a_refusal_is_one_line(text: str, tmp_path: Path) -> None:
    told = refusal(tmp_path, text)

    assert re.fullmatch(r"[^\n]+\.", told)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"# caf\xe9\n")

    with pytest.raises(SettingsUnreadable, match="Cannot read"):
        settings.load(str(tmp_path))


def test_a_directory_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()

    with pytest.raises(SettingsUnreadable, match="Cannot read"):
        settings.load(str(tmp_path))


def test_every_setting_is_described() -> None:
    assert {name for name, text in settings.DESCRIPTIONS.items() if text.endswith(".")} == {
        "capture.exclude",
        "transcript.tool_text",
        "backup.keep",
        "curate.mode",
        "curate.boring_tools",
        "memory.purge_superseded_days",
        "memory.archive_unused_days",
        "embed.provider",
        "embed.model",
        "embed.base_url",
        "embed.idle_seconds",
        "recovery.auto",
        "groups.<name>",
    }


def test_without_a_choice_the_table_s_defaults_count() -> None:
    chosen = settings.Settings()

    assert (chosen.exclude, chosen.tool_text, chosen.keep, chosen.auto) == ([], 4096, 7, True)
    assert (chosen.mode, chosen.boring_tools) == ("auto", frozenset(BORING))
    assert (chosen.embed_provider, chosen.embed_model, chosen.embed_base_url) == ("local", "", "")
    assert chosen.embed_idle_seconds == 300


def test_every_setting_can_be_chosen(tmp_path: Path) -> None:
    text = (
        '[capture]\nexclude = ["/nowhere/a"]\n[transcript]\ntool_text = 256\n'
        "[backup]\nkeep = 1\n[recovery]\nauto = false\n"
        '[curate]\nmode = "off"\nboring_tools = ["LS"]\n'
        "[memory]\npurge_superseded_days = 1\narchive_unused_days = 30\n"
        '[embed]\nprovider = "ollama"\nmodel = "m"\nbase_url = "http://[::1]:1"\nidle_seconds = 1\n'
    )

    chosen = load(tmp_path, text)

    found = (chosen.exclude, chosen.tool_text, chosen.keep, chosen.auto)
    days = (chosen.purge_superseded_days, chosen.archive_unused_days)
    assert (found, days) == ((["/nowhere/a"], 256, 1, False), (1, 30))
    assert (chosen.mode, chosen.boring_tools) == ("off", frozenset({"LS"}))
    assert (chosen.embed_provider, chosen.embed_model) == ("ollama", "m")
    assert (chosen.embed_base_url, chosen.embed_idle_seconds) == ("http://[::1]:1", 1)
    assert chosen.given == set(settings.TABLE)


def test_settings_can_be_given_without_a_file() -> None:
    chosen = settings.Settings(values={"backup.keep": 2}, groups={"work": ["/srv"]})

    assert (chosen.keep, chosen.tool_text, chosen.groups) == (2, 4096, {"work": ["/srv"]})


def test_each_row_says_where_its_value_comes_from(tmp_path: Path) -> None:
    chosen = load(tmp_path, '[backup]\nkeep = 7\n[groups]\nwork = ["/nowhere/b"]\n')

    assert chosen.rows() == [
        ("capture.exclude", [], "default"),
        ("transcript.tool_text", 4096, "default"),
        ("backup.keep", 7, "config.toml"),
        ("curate.mode", "auto", "default"),
        ("curate.boring_tools", BORING, "default"),
        ("memory.purge_superseded_days", 90, "default"),
        ("memory.archive_unused_days", 0, "default"),
        ("embed.provider", "local", "default"),
        ("embed.model", "", "default"),
        ("embed.base_url", "", "default"),
        ("embed.idle_seconds", 300, "default"),
        ("recovery.auto", True, "default"),
        ("groups.work", ["/nowhere/b"], "config.toml"),
    ]


def test_the_directories_that_are_handed_out_are_a_copy() -> None:
    chosen = settings.Settings(values={"capture.exclude": ["/srv"]})

    chosen.exclude.append("/home")

    assert chosen.exclude == ["/srv"]
