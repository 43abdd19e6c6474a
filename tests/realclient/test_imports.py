"""The curated files in the user's own instructions: read by the real client, gone with us."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realclient.api import Say
from realclient.client import conversing
from rig import erased
from tacit.compose import open_app

if TYPE_CHECKING:
    from rig import Home

TOLD, NEXT = "Always answer in British English.", "What is next?"
MINE = "# Mine\n\nBe brief."
HEADING = "What the user wants and who they are"


def test_a_session_reads_what_is_told_and_uninstalling_leaves_the_instructions_as_they_were(
    home: Home,
) -> None:
    script = {TOLD: [Say("I will.")], NEXT: [Say("Nothing.")]}
    with conversing(home, script, hooked=False) as client:
        mine = client.config / "CLAUDE.md"
        mine.write_text(MINE, encoding="utf-8")
        client.tacit("install", "--imports", "--yes")
        client.say(TOLD)
        app = open_app(str(home.path))
        app.drain(seconds=None)
        app.close()
        client.say(NEXT)
        client.tacit("uninstall")

    first = next(each for each in client.api.requests if NEXT in each.user_text())
    assert first.shows(HEADING)
    assert any("Always answer in British English" in text for text in first.texts())
    assert mine.read_text(encoding="utf-8") == MINE


def test_what_is_erased_is_in_no_copy_any_more(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": f"{TOLD} heron", "prompt_id": "turn-1"})
    home.hook("Stop", {"last_assistant_message": "Yes.", "prompt_id": "turn-1"})
    app = open_app(str(home.path))
    app.drain(seconds=None)

    erased(app, "main", matching="heron")
    app.close()

    assert b"heron" not in home.bytes_on_disk()
