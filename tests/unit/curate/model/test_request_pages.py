"""Curated files in a request: what has changed in full, the rest by headings, in its room."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tacit.compose import open_app
from tacit.curate.model.request import Batch, Page, built
from tacit.policy import Caller
from tacit.store.memory_port import Known
from tacit.verbs.decisions import Said
from unit.curate.model.scripted import EMPTY, Scripted

if TYPE_CHECKING:
    from rig import Home
    from tacit.llm.port import Request

TABS = ("mem-1", "- Use tabs for Makefiles")
TEA = ("mem-2", "- The till sells tea")
SOUL = "# Soul\n\nYou are brief.\n\n## Purpose\n\nNot configured yet.\n"


def state(**pages: Page) -> str:
    named = {name.replace("_", "."): page for name, page in pages.items()}
    return built(Batch(turns=(), pages=named))[0].state


def test_what_has_changed_is_shown_with_names_that_can_be_selected() -> None:
    known = Known("mem-2", "fact", "The till sells tea", "user", "s-1")
    batch = Batch(turns=(), known=(known,), pages={"user.md": Page(entries=(TABS, TEA))})

    request, names = built(batch)

    assert "m2 | - Use tabs for Makefiles\nm1 | - The till sells tea" in request.state
    assert names.memories == {"m1": "mem-2", "m2": "mem-1"}


def test_what_is_unchanged_is_told_by_its_headings_alone() -> None:
    told = state(
        user_md=Page(entries=(TABS, TEA), is_changed=False),
        soul_md=Page(text=SOUL, is_changed=False),
    )

    assert "user.md: 2 entries, unchanged" in told
    assert ("| # Soul\n| ## Purpose" in told, "brief" in told, "tabs" in told) == (
        True,
        False,
        False,
    )


def test_a_deployed_file_stands_behind_bars() -> None:
    assert "## soul.md (read only)\n| # Soul\n" in state(soul_md=Page(text=SOUL))


def test_long_files_stay_within_their_room() -> None:
    entries = tuple((f"mem-{at}", f"- {at} " + "word " * 40) for at in range(500))

    told = state(user_md=Page(entries=entries), context_md=Page(entries=entries))

    assert len(told) < 10_000
    assert told.count(" more\n") == 2


def test_a_file_shows_what_the_model_selects_in_its_order(home: Home) -> None:
    def upside_down(request: Request) -> dict[str, Any]:
        names = re.findall(r"^(m\d+) \| - ", request.state.partition("## user.md")[2], re.MULTILINE)
        return EMPTY | {"files": {"user.md": names[::-1]}}

    app = open_app(str(home.path), llm=Scripted(upside_down))
    for text in ("Use tabs for Makefiles", "Answer in British English", "Keep lines short"):
        app.remember("main", Said(text=text, kind="instruction"), Caller())
    before = _rules(home)
    home.hook("UserPromptSubmit", {"prompt": "Remember that tea is sold.", "prompt_id": "turn-1"})
    home.hook("Stop", {"last_assistant_message": "Yes.", "prompt_id": "turn-1"})
    home.hook("SessionEnd", {"reason": "other"})
    app.drain(seconds=None)
    while app.ask_model("main"):
        continue
    app.close()

    assert len(before) == 3
    assert _rules(home) == before[::-1]


def _rules(home: Home) -> list[str]:
    """Return the instructions of the user's file, in order."""
    text = (home.path / "groups" / "main" / "files" / "user.md").read_text(encoding="utf-8")
    part = text.partition("## Instructions")[2].partition("## ")[0]
    return [line for line in part.splitlines() if line.startswith("- ")]
