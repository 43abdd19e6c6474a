"""Keeping: in step with the memory, written only when changed, edits kept, whatever is killed."""

from __future__ import annotations

import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.memories import fact, put, to_do
from rig import only_linux
from tacit.deliver.curated import keep, place, review
from tacit.deliver.curated import ledger as ledgers
from tacit.deliver.curated.names import DEPLOYED, RENDERED
from tacit.errors import StoreBusy
from tacit.model.memory import DAY_NS
from unit.deliver.curated.conftest import (
    USER_TITLES,
    Killed,
    append,
    entries,
    folder,
    fresh_desk,
    kept,
    kill_at,
    know,
    later,
    titles,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.deliver.curated.desk import Desk

TASTE = {"kind": "preference"}


def texts(desk: Desk) -> dict[str, str]:
    return {name: (folder(desk) / name).read_text(encoding="utf-8") for name in RENDERED}


def written(desk: Desk) -> list[int]:
    return [(folder(desk) / name).stat().st_ino for name in (*RENDERED, ledgers.NAME)]


def test_where_nothing_is_known_nothing_is_written(desk: Desk) -> None:
    assert keep.prepare(desk) == 0
    assert not folder(desk).exists()


def test_what_is_learned_is_on_its_page_and_the_others_have_their_headings(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)

    text = kept(desk)

    assert entries(text) == ["- Use tabs (2026-09-21)"]
    assert titles(text) == USER_TITLES
    others = [each for name, each in texts(desk).items() if name != "user.md"]
    assert all(titles(each) and not entries(each) for each in others)


def test_files_are_closed_to_others_and_deployed_ones_are_not_made(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)

    lying = [*folder(desk).rglob("*")]
    assert all(stat.S_IMODE(each.stat().st_mode) & 0o077 == 0 for each in lying)
    assert not any((folder(desk) / name).exists() for name in DEPLOYED)


def test_a_correction_takes_the_place_of_the_old_line(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)

    know(desk, "mem-1", "Use tabs", **TASTE, state="superseded")
    know(desk, "mem-2", "Use spaces", **TASTE)

    assert entries(kept(desk)) == ["- Use spaces (2026-09-21)"]


def test_nothing_is_written_again_unless_something_changed(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)
    before = written(desk)

    kept(desk)

    assert written(desk) == before


def test_only_the_page_that_changed_is_written(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)
    before = dict(zip((*RENDERED, ledgers.NAME), written(desk), strict=True))

    know(desk, "mem-2", "jq installed with apt", kind="tool", origin="tool:Bash")
    kept(desk)

    after = dict(zip((*RENDERED, ledgers.NAME), written(desk), strict=True))
    assert {name for name in after if after[name] != before[name]} == {"tools.md", ledgers.NAME}


def test_a_file_that_is_removed_comes_back(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    before = kept(desk)

    (folder(desk) / "user.md").unlink()

    assert kept(desk) == before
    assert review.edited(desk) == []


def test_a_correction_is_recent_for_a_month(desk: Desk) -> None:
    know(desk, "mem-1", "Not tabs, spaces", kind="correction")
    first = kept(desk)

    text = kept(later(desk, 31 * DAY_NS))

    assert first.index("Not tabs") < first.index("## Preferences")
    assert text.index("Not tabs") > text.index("## Preferences")


def test_what_is_edited_stays_while_the_page_goes_on(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)
    append(desk, "user.md", "- Speaks French")

    know(desk, "mem-2", "Likes tea", **TASTE)

    assert entries(kept(desk)) == [
        "- Use tabs (2026-09-21)",
        "- Likes tea (2026-09-21)",
        "- Speaks French",
    ]
    (edit,) = review.edited(desk)
    assert (edit.added, edit.removed) == (["- Speaks French"], [])


def test_an_edited_page_of_which_nothing_changed_is_left_alone(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)
    append(desk, "user.md", "", "", "my   own   words", "")
    before = (folder(desk) / "user.md").read_bytes()

    know(desk, "mem-2", "Port 5433")
    kept(desk)

    assert (folder(desk) / "user.md").read_bytes() == before


def test_without_its_ledger_every_line_that_it_would_not_write_is_an_edit(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)
    append(desk, "user.md", "- Obey me")
    (folder(desk) / ledgers.NAME).unlink()

    kept(desk)

    assert [each.added for each in review.edited(desk)] == [["- Obey me"]]


def test_a_page_that_is_a_link_is_left_alone_and_told(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)
    target = folder(desk).parent / "elsewhere"
    target.write_text("theirs", encoding="utf-8")
    (folder(desk) / "user.md").unlink()
    (folder(desk) / "user.md").symlink_to(target)

    know(desk, "mem-2", "Likes tea", **TASTE)
    keep.prepare(desk)

    assert target.read_text(encoding="utf-8") == "theirs"
    assert [each.state for each in review.status(desk) if each.name == "user.md"] == ["refused"]


def test_a_page_that_is_flooded_is_left_alone_and_told(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)
    append(desk, "user.md", *(f"- line {number}" for number in range(900)))

    know(desk, "mem-2", "Likes tea", **TASTE)

    assert len(kept(desk).splitlines()) > 900
    assert [each.trouble for each in review.edited(desk)] == ["it has more than 500 lines"]


def test_what_killed_programs_left_is_swept(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)
    (folder(desk) / ".user.md.99.ff").write_text("old words", encoding="utf-8")

    know(desk, "mem-2", "Likes tea", **TASTE)
    kept(desk)

    assert not (folder(desk) / ".user.md.99.ff").exists()


def test_while_another_program_writes_it_waits_or_says_that_it_is_due(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)

    with place.alone(desk.files):
        assert keep.prepare(desk, time.monotonic() + 5) == 1

    assert keep.prepare(desk, time.monotonic() + 5) == 0


def test_when_time_is_up_it_says_that_it_is_due(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)

    assert keep.prepare(desk, time.monotonic() - 1) == 1
    assert not folder(desk).exists()


def test_who_cannot_wait_forever_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "PATIENCE", 0.05)
    know(desk, "mem-1", "Use tabs", **TASTE)

    with place.alone(desk.files), pytest.raises(StoreBusy):
        keep.prepare(desk)


@pytest.mark.parametrize("is_edited", [False, True])
@pytest.mark.parametrize("writes", range(6))
def test_killed_at_any_write_no_line_of_ours_is_taken_for_an_edit(
    writes: int, desk: Desk, monkeypatch: pytest.MonkeyPatch, *, is_edited: bool
) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    know(desk, "mem-2", "Port 5433")
    kept(desk)
    if is_edited:
        append(desk, "user.md", "- Speaks French")
        kept(desk)
    know(desk, "mem-1", "Use tabs", **TASTE, state="forgotten")
    know(desk, "mem-3", "Use spaces", **TASTE)
    know(desk, "mem-4", "Port 5434")

    with monkeypatch.context() as patch, suppress(Killed):
        kill_at(patch, writes)
        keep.prepare(desk)
    found = [(each.added, each.removed) for each in review.edited(desk)]

    assert found == ([(["- Speaks French"], [])] if is_edited else [])
    own = ["- Speaks French"] if is_edited else []
    assert entries(kept(desk)) == ["- Use spaces (2026-09-21)", *own]


@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["learn", "forget", "edit", "keep"]), st.integers(0, 5)),
        max_size=14,
    )
)
def test_whatever_happens_in_whatever_order_edits_are_edits_and_the_rest_is_ours(
    steps: list[tuple[str, int]],
) -> None:
    with fresh_desk() as desk:
        know(desk, "mem-0", "Known from the beginning", **TASTE)
        kept(desk)
        own: list[str] = []
        for number, (what, which) in enumerate(steps):
            if what == "learn":
                know(desk, f"mem-{which}", f"Statement {which}", **TASTE)
            elif what == "forget":
                put(desk.store, fact(f"mem-{which}", **TASTE, state="forgotten"))
            elif what == "edit":
                own.append(f"- own {number}")
                append(desk, "user.md", own[-1])
            else:
                kept(desk)
        kept(desk)

        added = [line for each in review.edited(desk) for line in each.added]
        removed = [line for each in review.edited(desk) for line in each.removed]

    assert sorted(added) == sorted(own)
    assert removed == []


def test_reminders_are_kept_as_well(desk: Desk) -> None:
    desk.store.actions.put(to_do("act-1", content="Rotate the keys"))

    assert entries(kept(desk, "context.md")) == ["- Rotate the keys (2026-09-21)"]


@only_linux
def test_the_directory_is_let_go(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    before = len(list(Path("/proc/self/fd").iterdir()))

    kept(desk)
    review.status(desk)

    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_an_edit_that_comes_while_pages_are_made_is_kept_and_known_as_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(desk, "mem-1", "Use tabs", **TASTE)
    kept(desk)
    know(desk, "mem-2", "Use vim", **TASTE)

    def meanwhile(*arguments: object, real: Callable[..., None] = ledgers.write) -> None:
        real(*arguments)
        monkeypatch.undo()
        append(desk, "user.md", "- I came meanwhile")

    monkeypatch.setattr(ledgers, "write", meanwhile)
    left = keep.prepare(desk)
    (edit,) = review.edited(desk)

    assert (left, edit.added, edit.removed) == (1, ["- I came meanwhile"], [])
    assert entries(kept(desk))[:2] == ["- Use tabs (2026-09-21)", "- Use vim (2026-09-21)"]
    assert [each.added for each in review.edited(desk)] == [["- I came meanwhile"]]
