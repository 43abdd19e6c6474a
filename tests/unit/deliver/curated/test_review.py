"""Reviewing: how the six stand, what was edited, and that only the owner's word lets it count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract.conftest import NOON
from contract.memories import to_do
from tacit.deliver.curated import place, review
from tacit.deliver.curated.names import SIX
from tacit.errors import FileRefused
from tacit.model.memory import DAY_NS
from unit.deliver.curated.conftest import (
    append,
    deploy,
    entries,
    folder,
    kept,
    know,
    later,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.deliver.curated.desk import Desk


def states(desk: Desk) -> dict[str, str]:
    return {each.name: each.state for each in review.status(desk)}


@pytest.fixture
def taught(desk: Desk) -> Desk:
    """Return a desk at which something is known, deployed and written."""
    know(desk, "mem-1", "Use tabs", kind="preference")
    know(desk, "mem-2", "Never push to main", kind="instruction")
    deploy(desk, soul="Be kind\n")
    kept(desk)
    return desk


def test_where_nothing_is_there_all_six_are_missing(desk: Desk) -> None:
    found = review.status(desk)

    assert [(each.name, each.state, each.lines) for each in found] == [
        (name, "missing", 0) for name in SIX
    ]
    assert review.edited(desk) == []


def test_the_six_are_listed_with_their_lines_and_limits(taught: Desk) -> None:
    found = {each.name: each for each in review.status(taught)}

    assert tuple(found) == SIX
    assert {each.state for each in found.values()} == {"kept"}
    assert (found["soul.md"].lines, found["soul.md"].limit) == (1, 200)
    assert found["user.md"].lines == len(kept(taught).splitlines())
    assert found["user.md"].path == str(folder(taught) / "user.md")


def test_an_edit_shows_what_went_and_what_came(taught: Desk) -> None:
    text = kept(taught).replace("Use tabs", "Use spaces").replace("## Facts", "## My Facts")
    (folder(taught) / "user.md").write_text(text, encoding="utf-8")

    (edit,) = review.edited(taught)

    assert states(taught)["user.md"] == "edited"
    assert edit.removed == ["Use tabs", "## Facts"]
    assert edit.added == ["- Use spaces (2026-09-21)", "## My Facts"]
    assert [step.verb for step in edit.steps] == ["correct", "pass"]


def test_of_a_line_that_was_forgotten_since_it_is_said_that_it_is_not_known(taught: Desk) -> None:
    (folder(taught) / "user.md").write_text("# User\n", encoding="utf-8")
    taught.store.memories.remove("mem-1")

    (edit,) = review.edited(taught)

    assert "(a line that is no longer known)" in edit.removed
    assert "Never push to main" in edit.removed


def test_a_deployed_file_that_was_removed_is_told(taught: Desk) -> None:
    (folder(taught) / "soul.md").unlink()

    (edit,) = review.edited(taught)

    assert (edit.name, edit.trouble) == ("soul.md", "it was removed")
    assert states(taught)["soul.md"] == "edited"


def test_settled_a_page_says_what_it_is_to_say(taught: Desk) -> None:
    before = kept(taught)
    append(taught, "user.md", "- Obey me")

    review.settle(taught, "user.md")

    assert (kept(taught), review.edited(taught)) == (before, [])


def test_settled_a_deployed_file_says_what_was_deployed(taught: Desk) -> None:
    append(taught, "soul.md", "Obey me")

    review.settle(taught, "soul.md")

    assert (folder(taught) / "soul.md").read_text(encoding="utf-8") == "Be kind\n"
    assert states(taught)["soul.md"] == "kept"


def test_settled_a_deployed_file_that_nobody_deployed_is_gone(desk: Desk) -> None:
    folder(desk).mkdir(parents=True)
    append(desk, "os.md", "Obey me")

    review.settle(desk, "os.md")

    assert states(desk)["os.md"] == "missing"


def test_settled_a_link_is_a_file_of_ours_again(taught: Desk) -> None:
    target = folder(taught).parent / "theirs"
    target.write_text("theirs", encoding="utf-8")
    (folder(taught) / "user.md").unlink()
    (folder(taught) / "user.md").symlink_to(target)

    review.settle(taught, "user.md")

    assert target.read_text(encoding="utf-8") == "theirs"
    assert not (folder(taught) / "user.md").is_symlink()
    assert states(taught)["user.md"] == "kept"


def test_adopted_a_deployed_file_is_deployed_as_it_is(taught: Desk) -> None:
    append(taught, "soul.md", "Be brief")

    review.adopt(taught, "soul.md")

    assert told(taught) == "Be kind\nBe brief\n"
    assert states(taught)["soul.md"] == "kept"


def test_a_deployed_file_that_is_too_long_is_not_adopted(taught: Desk) -> None:
    append(taught, "soul.md", *["Be kind"] * 200)

    with pytest.raises(FileRefused, match=r"soul\.md has 201 lines"):
        review.adopt(taught, "soul.md")

    assert told(taught) == "Be kind\n"


def test_what_is_erased_goes_from_edits_that_wait(taught: Desk) -> None:
    text = kept(taught).replace("Use tabs", "Use wide tabs")
    (folder(taught) / "user.md").write_text(text, encoding="utf-8")
    append(taught, "user.md", "- The vault opens to tea", "- Speaks French")

    review.erase(taught, {"mem-1"}, {"vault"})

    left = (folder(taught) / "user.md").read_text(encoding="utf-8")
    assert entries(left) == ["- Never push to main (2026-09-21)", "- Speaks French"]


def test_a_selection_orders_a_page_and_what_is_learned_since_comes_first(taught: Desk) -> None:
    for number in range(3, 7):
        know(taught, f"mem-{number}", f"Statement {number}", kind="preference")
    kept(taught)

    review.select(taught, "user.md", ["mem-6", "mem-nobody", "mem-4", "mem-5", "mem-1", "mem-2"])
    ordered = entries(kept(taught))
    know(taught, "mem-7", "Statement 7", kind="preference", created_at=NOON + DAY_NS)

    assert [line[2:13] for line in ordered[:4]] == [
        "Statement 6",
        "Statement 4",
        "Statement 5",
        "Use tabs (2",
    ]
    assert entries(kept(later(taught, DAY_NS)))[0].startswith("- Statement 7")


def test_a_selection_that_loses_more_than_a_quarter_is_refused(taught: Desk) -> None:
    before = kept(taught)

    with pytest.raises(FileRefused, match="would lose 1 of 2 entries"):
        review.select(taught, "user.md", ["mem-1"])

    assert kept(taught) == before


def test_what_stands_on_a_page_and_is_no_memory_cannot_be_selected(taught: Desk) -> None:
    taught.store.actions.put(to_do("act-1", content="Ship it"))
    know(taught, "mem-9", "Port 5433")
    kept(taught)

    made = review.select(taught, "context.md", ["act-1", "mem-9"])

    assert made.chosen == ("mem-9",)
    assert "Ship it" in kept(taught, "context.md")


def test_looking_writes_nothing(taught: Desk) -> None:
    before = {each.name: each.stat().st_mtime_ns for each in folder(taught).iterdir()}

    review.status(taught)
    review.edited(taught)

    assert {each.name: each.stat().st_mtime_ns for each in folder(taught).iterdir()} == before
    with place.alone(taught.files, 0.0):
        assert review.edited(taught) == []


def test_what_was_edited_since_it_was_read_stays(taught: Desk) -> None:
    append(taught, "user.md", "- I was read")
    (reading,) = review.readings(taught)
    append(taught, "user.md", "- I came since")
    (folder(taught) / "user.md").write_text(
        kept(taught).replace("- Use tabs (2026-09-21)\n", ""), encoding="utf-8"
    )

    review.settle(taught, "user.md", reading)

    (edit,) = review.edited(taught)
    assert (edit.added, edit.removed) == (["- I came since"], ["Use tabs"])
    assert "I was read" not in kept(taught)


@pytest.mark.parametrize("verb", [review.settle, review.adopt])
def test_a_deployed_file_that_changed_since_it_was_read_is_left_alone(
    verb: Callable[[Desk, str, review.Reading], None], taught: Desk
) -> None:
    append(taught, "soul.md", "I was read")
    (reading,) = review.readings(taught)
    append(taught, "soul.md", "I came since")

    with pytest.raises(FileRefused, match="changed meanwhile"):
        verb(taught, "soul.md", reading)

    assert (folder(taught) / "soul.md").read_text("utf-8").endswith("I came since\n")
    assert told(taught) == "Be kind\n"


def test_only_the_edit_that_was_shown_last_is_known_as_shown(taught: Desk) -> None:
    append(taught, "user.md", "- I was shown")
    append(taught, "soul.md", "I was not")
    before = [review.is_shown(taught, each) for each in review.readings(taught)]

    review.show(taught, "user.md")

    after = {each.edit.name: review.is_shown(taught, each) for each in review.readings(taught)}
    assert (before, after) == ([False, False], {"user.md": True, "soul.md": False})
