"""A transcript damaged in its file: found by verify, never served, put aside and brought back.

What counts as damage of live rows is judged with SQLite alone, by reading every row and comparing
it with what was written. What is damaged is a real file, after its program has closed it.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
import pytest

from flow.keeping import DAY_NS, NOW_NS, database, drained, opened, rows, said, troubles
from tacit.errors import TacitError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rig import Home
    from tacit.app import App
    from tacit.transcript.turns import Turn

PAGE = 4096
EVENTS = [said(number) for number in range(60)]
EXPECTED = [each.key for each in EVENTS]
CHAINED = ("events", "payloads")
NO_RECOVERY = "[recovery]\nauto = false\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """A home before anything happened to it, and what it says."""

    home: Path
    scratch: Path
    content: bytes
    rows: dict[str, list[tuple[object, ...]]]
    turns: dict[str, list[Turn]]

    def damaged(self, content: bytes, settings: str = "") -> Path:
        """Return a copy of the home whose transcript has this content."""
        copy = self.scratch / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.home, copy)
        database(copy).write_bytes(content)
        (copy / "config.toml").write_text(settings, encoding="utf-8")
        return copy


@pytest.fixture
def sound(home: Home) -> Sound:
    """Return a home with 60 events, 40 of them in a backup, all of them in segments."""
    drained(home.path, EVENTS[:40], NOW_NS)
    with opened(home.path, lambda: NOW_NS) as app:
        app.backup("main")
    drained(home.path, EVENTS[40:], NOW_NS + DAY_NS)
    with opened(home.path) as app:
        turns = {each.id: app.show("main", each.id) for each in app.sessions("main")}
    file = database(home.path)
    return Sound(
        home=home.path,
        scratch=home.scratch,
        content=file.read_bytes(),
        rows=rows(file),
        turns=turns,
    )


def _damages(content: bytes, flips: int, zeroes: int, cuts: int) -> dict[str, bytes]:
    """Return so many bit flips, zeroed pages and truncations of a file, always the same."""
    dice = random.Random(flips)  # noqa: S311
    found = {}
    for _ in range(flips):
        place, bit = dice.randrange(len(content)), dice.randrange(8)
        found[f"bit {bit} of byte {place}"] = _flipped(content, place, bit)
    for page in dice.sample(range(len(content) // PAGE), zeroes):
        start = page * PAGE
        found[f"page {page}"] = content[:start] + bytes(PAGE) + content[start + PAGE :]
    for length in dice.sample(range(1, len(content)), cuts):
        found[f"cut at {length}"] = content[:length]
    return found


def _flipped(content: bytes, place: int, bit: int = 7) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 1 << bit
    return bytes(changed)


def _is_touched(sound: Sound, content: bytes, tables: tuple[str, ...] = CHAINED) -> bool:
    """Say whether these bytes hold other rows than those that were written."""
    file = sound.scratch / "probe.db"
    file.write_bytes(content)
    try:
        found = rows(file)
    except (apsw.Error, UnicodeDecodeError):
        return True
    return any(found[table] != sound.rows[table] for table in tables)


def _verdict(home: Path) -> str:
    """Return `sound`, `found` or what else verify did."""
    try:
        with opened(home) as app:
            verified = app.verify("main")
    except TacitError:
        return "found"
    except Exception as error:  # noqa: BLE001  (whatever it is, it is the finding)
        return f"{type(error).__name__}: {error}"
    return "sound" if verified and verified.is_sound else "found"


def _detection(sound: Sound, damages: dict[str, bytes]) -> None:
    wrong, touched = {}, 0
    for name, content in damages.items():
        verdict = _verdict(sound.damaged(content, NO_RECOVERY))
        is_touched = _is_touched(sound, content)
        touched += is_touched
        if verdict not in {"sound", "found"} or (is_touched and verdict != "found"):
            wrong[name] = verdict

    assert wrong == {}
    assert touched > len(damages) / 3


def test_verify_finds_whichever_of_80_damages_touches_what_was_written(sound: Sound) -> None:
    _detection(sound, _damages(sound.content, 60, 10, 10))


@pytest.mark.long
def test_verify_finds_whichever_of_1000_damages_touches_what_was_written(sound: Sound) -> None:
    _detection(sound, _damages(sound.content, 880, 20, 100))


def _told(reading: Callable[[], list[str]]) -> list[str]:
    """Return the texts that are served; none where reading is refused."""
    try:
        return reading()
    except TacitError:
        return []


def _texts(turns: list[Turn]) -> list[str]:
    steps = [step for turn in turns for step in turn.steps]
    return [
        *(text for turn in turns for text in (turn.prompt, turn.reply)),
        *(text for step in steps for text in (step.tool, step.given, step.result)),
    ]


def _served(app: App, sound: Sound) -> list[str]:
    """Return the texts that are served although they are not those that were written."""
    found = []
    everything: set[str] = set()
    for session, turns in sound.turns.items():
        written = {*_texts(turns), ""}
        everything |= written
        shown = _told(lambda session=session: _texts(app.show("main", session)))  # type: ignore[misc]
        found += [f"{session}: {text[:60]!r}" for text in shown if text not in written]
    listed = _told(lambda: [each.first_prompt for each in app.sessions("main")])
    return found + [f"first prompt {text[:60]!r}" for text in listed if text not in everything]


def _serving(sound: Sound, damages: dict[str, bytes]) -> None:
    wrong: dict[str, object] = {}
    for name, content in damages.items():
        try:
            with opened(sound.damaged(content, NO_RECOVERY)) as app:
                wrong[name] = _served(app, sound)
        except Exception as error:  # noqa: BLE001  (whatever it is, it is the finding)
            wrong[name] = repr(error)

    assert {name: texts for name, texts in wrong.items() if texts} == {}


def test_none_of_80_damages_makes_a_wrong_text_appear(sound: Sound) -> None:
    _serving(sound, _damages(sound.content, 61, 10, 9))


@pytest.mark.long
def test_none_of_1000_damages_makes_a_wrong_text_appear(sound: Sound) -> None:
    _serving(sound, _damages(sound.content, 881, 20, 99))


def _returned(home: Path, content: bytes) -> list[str]:
    """Open a damaged home, restore it if opening did not; return what is still wrong."""
    with opened(home) as app:
        status = app.status().groups[0]
        if status.recovered is None and _verdict(home) == "sound":
            return []
        if status.recovered is None:
            app.restore("main", None)
            status = app.status().groups[0]
    found = [] if status.recovered and "nothing lost" in status.recovered else [str(status)]
    aside = (home / "groups" / "main" / "quarantine").rglob("transcript.db")
    if content not in [file.read_bytes() for file in aside]:
        found.append("the damaged file is not in quarantine")
    return found + troubles(home, "main", EXPECTED)


def _recovery(sound: Sound, damages: dict[str, bytes]) -> None:
    wrong: dict[str, object] = {}
    for name, content in damages.items():
        try:
            wrong[name] = _returned(sound.damaged(content), content)
        except Exception as error:  # noqa: BLE001  (whatever it is, it is the finding)
            wrong[name] = repr(error)

    assert {name: found for name, found in wrong.items() if found} == {}


def test_whatever_80_damages_touch_comes_back_and_the_damaged_file_is_kept(sound: Sound) -> None:
    _recovery(sound, _damages(sound.content, 59, 10, 11))


@pytest.mark.long
def test_whatever_1000_damages_touch_comes_back_and_the_damaged_file_is_kept(sound: Sound) -> None:
    _recovery(sound, _damages(sound.content, 879, 20, 101))
