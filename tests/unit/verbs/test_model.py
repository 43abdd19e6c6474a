"""Verbs about the model: what is noted once, what is sent at all, and what that costs."""

from __future__ import annotations

import fcntl
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import pytest

from rig import erased
from tacit.compose import open_app
from tacit.curate.model import calls
from tacit.errors import ModelKeyRefused
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.opening import open_existing
from tacit.transcript.files import Files
from unit.curate.model.scripted import Scripted, answer, item
from unit.curate.saying import MINUTE_NS, Ticking, publish
from unit.verbs.conftest import file_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.llm.port import Request
    from tacit.model.event import Record

RULE = "From now on, invoices go out on the first Tuesday of the month."
HOUR_NS = 60 * MINUTE_NS


@contextmanager
def reading(home: Home, clock: Ticking, model: Scripted | None) -> Iterator[App]:
    """Open a home whose owner has chosen this model."""
    app = open_app(str(home.path), now_ns=clock, llm=model)
    try:
        app.drain(seconds=None)
        yield app
    finally:
        app.close()


def say(spool: Spool, clock: Ticking, text: str, session: str = "s1", **header: str) -> None:
    """Let a turn wait in the spool."""
    place = {"session_id": session, "cwd": "/srv/shop", "prompt_id": f"turn-{clock()}"}
    publish(spool, "UserPromptSubmit", clock(), place | {"prompt": text}, **header)
    publish(spool, "Stop", clock(), place | {"last_assistant_message": "Done."}, **header)


def end(spool: Spool, clock: Ticking, session: str = "s1", **header: str) -> None:
    place = {"session_id": session, "cwd": "/srv/shop"}
    publish(spool, "SessionEnd", clock(), place | {"reason": "other"}, **header)


def about_models(home: Home, group: str = "main") -> list[Record]:
    store = open_existing(Files(home.path, group).database, look(home.path))
    try:
        return store.about_models(0)
    finally:
        store.close()


def told(home: Home, kind: str, group: str = "main") -> list[dict[str, Any]]:
    return [calls.told(each) for each in about_models(home, group) if each.kind == kind]


def ask_all(app: App, group: str = "main") -> int:
    """Have all read that is due; return how many batches that were."""
    return sum(takewhile(bool, (app.ask_model(group) for _ in range(100))))


def test_without_a_model_nothing_is_asked_or_written_down(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, RULE)

    with reading(home, clock, None) as app:
        assert (app.ask_model("main"), app.has_model) == (False, False)
        assert app.ask_model("nowhere") is False

    assert about_models(home) == []


def test_what_a_model_answers_is_learned_and_prepared_at_once(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, RULE)
    end(spool, clock)
    model = Scripted(answer(item("instruction", "Invoices go out on Tuesday", RULE)))

    with reading(home, clock, model) as app:
        assert app.ask_model("main")
        assert [each.content for each in app.list("main", Wanted())] == [
            "Invoices go out on Tuesday"
        ]

    briefs = (home.path / "groups" / "main" / "briefs").rglob("*")
    shown = b"".join(each.read_bytes() for each in briefs if each.is_file())
    assert b"Invoices go out on Tuesday" in shown


def test_a_choice_is_written_down_when_it_changes_and_not_before(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, "ok")
    for model in (Scripted(), Scripted(), None, None, Scripted()):
        with reading(home, clock, model) as app:
            for _ in range(3):
                app.ask_model("main")

    providers = [each["provider"] for each in told(home, calls.CHOSEN)]

    assert providers == ["scripted", "none", "scripted"]


def test_what_was_said_long_before_a_model_was_chosen_is_not_sent(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, "The old orchid: from now on, water it daily.")
    place = {"session_id": "s1", "cwd": "/srv/shop", "prompt_id": "turn-left-open"}
    publish(spool, "UserPromptSubmit", clock(), place | {"prompt": "Never sell the old lily."})
    with reading(home, clock, None):
        clock.pass_(2 * HOUR_NS)
    say(spool, clock, "The young orchid: from now on, water it weekly.")
    end(spool, clock)
    model = Scripted(answer())

    with reading(home, clock, model) as app:
        assert ask_all(app) == 1

    (request,) = model.asked
    sent = request.text
    assert "young orchid" in sent
    assert "old orchid" not in sent
    assert "old lily" not in sent


@pytest.mark.parametrize("what", ["provider", "place"])
def test_what_waited_for_one_model_is_not_sent_to_another(
    home: Home, spool: Spool, clock: Ticking, what: str
) -> None:
    local, cloud = Scripted(ModelKeyRefused("No.")), Scripted(answer())
    setattr(cloud, what, "elsewhere")
    say(spool, clock, RULE)
    end(spool, clock)
    with reading(home, clock, local) as app:
        app.ask_model("main")
    clock.pass_(2 * HOUR_NS)

    with reading(home, clock, cloud) as app:
        assert ask_all(app) == 0

    assert (len(local.asked), cloud.asked) == (1, [])


def test_what_was_read_is_not_read_again_by_whoever_is_chosen_next(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, RULE)
    end(spool, clock)
    first, second = Scripted(answer()), Scripted(answer())
    with reading(home, clock, first) as app:
        assert ask_all(app) == 1
    with reading(home, clock, None) as app:
        app.ask_model("main")

    with reading(home, clock, second) as app:
        assert ask_all(app) == 0

    assert second.asked == []


def test_everything_is_read_again_if_that_is_wanted(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, RULE)
    end(spool, clock)
    model = Scripted(
        answer(item("instruction", "Invoices go out on Tuesday", RULE)),
        answer(item("instruction", "Invoices go out on the first Tuesday", RULE)),
    )
    with reading(home, clock, model) as app:
        assert ask_all(app) == 1
        clock.pass_(5 * HOUR_NS)

        app.read_again("main")
        app.rebuild("main")
        assert ask_all(app) == 1

        contents = [each.content for each in app.list("main", Wanted())]
        assert contents == ["Invoices go out on the first Tuesday"]
        assert app.rebuild("main").is_same


def test_who_asks_meanwhile_is_alone_whatever_the_group(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    for group in ("main", "other"):
        say(spool, clock, RULE, group=group)
        end(spool, clock, group=group)
    model = Scripted(answer())

    with reading(home, clock, model) as app, (home.path / "asking.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert [app.ask_model(group) for group in ("main", "other")] == [False, False]
        fcntl.flock(lock, fcntl.LOCK_UN)
        assert [ask_all(app, group) for group in ("main", "other")] == [1, 1]

    assert len(model.asked) == 2


def test_a_budget_is_one_for_all_groups_and_no_lost_memory_resets_it(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    home.make()
    (home.path / "config.toml").write_text("[llm]\ndaily_usd = 0.05\n", encoding="utf-8")
    for number in range(4):
        for group in ("main", "other"):
            say(spool, clock, RULE, f"s-{number}", group=group)
            end(spool, clock, f"s-{number}", group=group)
    model = Scripted(answer(), usd=0.02)
    with reading(home, clock, model) as app:
        ask_all(app, "main")
        ask_all(app, "other")
    first = len(model.asked)
    for group in ("main", "other"):
        file_of(home, group).unlink()

    with reading(home, clock, model) as app:
        ask_all(app, "main")
        ask_all(app, "other")
        spent = app.cost().today

    assert (first, len(model.asked), spent) == (2, 2, 0.04)
    capped = told(home, calls.CAPPED) + told(home, calls.CAPPED, "other")
    assert {each["cap"] for each in capped} == {"the day's 0.05 dollars"}


def test_an_answer_that_was_written_down_by_one_who_died_is_not_paid_for_twice(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, RULE)
    end(spool, clock)
    model = Scripted(answer(item("instruction", "Invoices go out on Tuesday", RULE)))
    with reading(home, clock, model) as app:
        assert app.ask_model("main")
    file_of(home).unlink()  # as if nothing of it had been learned yet

    with reading(home, clock, model) as app:
        assert not app.ask_model("main")
        assert len(app.list("main", Wanted())) == 1

    assert len(model.asked) == 1


def test_a_secret_is_neither_sent_nor_written_down_from_an_answer(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    key = "AKIA" + "Q3EGRZ7XK2JT5MNP"
    say(spool, clock, RULE)
    end(spool, clock)
    model = Scripted(
        answer(
            item("instruction", f"Invoices go out with {key} on Tuesday", RULE, tags=[key[:40]]),
            summary={"request": f"Invoices go out with {key}"},
        )
    )

    with reading(home, clock, model) as app:
        app.ask_model("main")

    assert key.encode() not in home.bytes_on_disk()
    assert b"[redacted:" in home.bytes_on_disk()


def test_what_is_erased_while_it_is_asked_about_is_nowhere(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, f"{RULE} The orchid blooms at midnight.")
    end(spool, clock)

    def erase(_request: Request) -> dict[str, Any]:
        with reading(home, clock, None) as owner:
            assert erased(owner, "main", matching="orchid blooms") > 0
        return answer(item("fact", "The orchid blooms at midnight", "orchid blooms at midnight"))

    with reading(home, clock, Scripted(erase)) as app:
        app.ask_model("main")
        app.drain(seconds=None)

    assert b"orchid blooms" not in home.bytes_on_disk()


def test_what_is_wrong_with_a_model_is_told_until_it_is_well(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, RULE)
    end(spool, clock)
    model = Scripted(ModelKeyRefused("The model does not accept the key."), answer())

    with reading(home, clock, model) as app:
        assert not app.ask_model("main")
        trouble = app.model_trouble
        clock.pass_(HOUR_NS)
        assert app.ask_model("main")

        assert (trouble, app.model_trouble) == ("The model does not accept the key.", None)


def test_reading_so_much_costs_about_as_much_as_it_did_lately(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    say(spool, clock, RULE)
    end(spool, clock)
    model = Scripted(answer(), usd=0.02)

    with reading(home, clock, model) as app:
        before = app.reading_cost(100)
        app.ask_model("main")

        assert (before, app.reading_cost(100), app.reading_cost(1)) == (0.08, 0.08, 0.02)
