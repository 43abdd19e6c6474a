"""Hostile words: whatever is remembered, every page keeps its headings and links to nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.memories import fact, put, summed_up, to_do
from tacit.deliver.curated import boot, keep
from tacit.deliver.curated.names import DEPLOYED, PAGES, RENDERED
from tacit.model.memory import KINDS
from unit.deliver.curated.conftest import deploy, folder, fresh_desk, happen
from unit.deliver.curated.payloads import MARKUP
from unit.deliver.curated.reading import check_line, check_page
from unit.deliver.hostile import BREAKOUTS, FORBIDDEN, HIDDEN

if TYPE_CHECKING:
    from tacit.deliver.curated.desk import Desk

MANY = settings(max_examples=40, deadline=None)
ANY = st.text(st.characters(exclude_categories=()), min_size=1, max_size=300)
TITLES = {
    name: [f"# {page.title}", *(f"## {section.title}" for section in page.sections)]
    for name, page in PAGES.items()
}


def say(desk: Desk, text: str) -> None:
    """Let these words stand in every place that a page shows."""
    encodable = text.encode("utf-8", "replace").decode()
    origins = ("user", "owner", f"tool:{encodable}", "assistant")
    put(
        desk.store,
        *(
            fact(
                f"mem-{kind}-{number}-{where}",
                kind=kind,
                content=encodable,
                origin=origin,
                project=where,
            )
            for kind in KINDS
            for where in ("project-1", None)
            for number, origin in enumerate(origins)
        ),
    )
    for number, origin in enumerate(origins):
        desk.store.actions.put(
            to_do(f"act-{number}", content=f"{number} {encodable}", origin=origin, priority=0)
        )
    desk.store.actions.put_summary(
        summed_up("s-1", request=encodable, files_edited=(encodable,), files_read=(encodable, "b"))
    )
    for number in (1, 2):
        body = json.dumps({"prompt": encodable}).encode()
        happen(desk, f"e-{number}", f"project-{number}", f"/srv/{number}", body=body)
        desk.transcript.rename(f"project-{number}", encodable)


def check(desk: Desk) -> None:
    """Fail if any page is more than its headings and words."""
    assert keep.prepare(desk) == 0
    for name in RENDERED:
        text = (folder(desk) / name).read_text(encoding="utf-8")
        check_page(text, TITLES[name])
        assert not set(text) & FORBIDDEN
    for file in [folder(desk) / "relevant.md", *(folder(desk) / "relevant").iterdir()]:
        text = file.read_text(encoding="utf-8")
        check_page(text, ["## Related Memories"] if text else [])
    told = boot.boot(desk, None, 100_000).text
    for line in told.splitlines():
        if line.startswith("-") and line != "---":
            check_line(line.replace("- [high] ", "- ").replace("- [urgent] ", "- "))
    known = {title for titles in TITLES.values() for title in titles}
    own = {"# Recent Learnings", "# Pending Actions", "## Behavioral Preferences"}
    own |= {"## Known Facts", "## Unverified", "# Soul", "# OS"}
    assert {line for line in told.splitlines() if line.startswith("#")} <= known | own


@pytest.mark.parametrize("text", [*MARKUP, *BREAKOUTS], ids=lambda text: ascii(text[:24]))
def test_s23_no_words_change_a_heading_or_make_a_link_a_picture_or_an_import(
    text: str, desk: Desk
) -> None:
    deploy(desk, soul="# Soul\n", os="# OS\n")

    say(desk, text)

    check(desk)
    assert [(folder(desk) / name).read_text(encoding="utf-8") for name in DEPLOYED] == [
        "# Soul\n",
        "# OS\n",
    ]


@pytest.mark.parametrize("text", [text for text, _ in HIDDEN], ids=ascii)
def test_s10_nothing_hidden_reaches_a_page(text: str, desk: Desk) -> None:
    say(desk, text)

    check(desk)


@MANY
@given(text=ANY)
def test_s23_whatever_is_said_stays_on_its_line(text: str) -> None:
    with fresh_desk() as desk:
        say(desk, text)

        check(desk)


def test_s23_there_are_enough_of_them() -> None:
    assert len(set(MARKUP)) >= 30
