"""The check of a model: asked within the caps, paid for like all else, and told what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.curate.model import calls
from tacit.errors import ModelKeyRefused
from unit.curate.model.scripted import Scripted, answer
from unit.curate.saying import talk
from unit.verbs.test_model import reading, told

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from tacit.capture.spool import Spool
    from tacit.llm.port import Request
    from unit.curate.saying import Ticking


@pytest.mark.parametrize("answers", [(answer(),), (ModelKeyRefused("No."),)])
def test_the_check_of_a_model_says_what_is_so(
    home: Home, spool: Spool, clock: Ticking, answers: tuple[object, ...]
) -> None:
    talk(spool, clock, "x")

    with reading(home, clock, Scripted(*answers)) as app:
        found = app.check_model()

    assert found.is_fine == (answers == (answer(),))
    (call,), (settled,) = told(home, calls.CALL), told(home, calls.SETTLED)
    assert (call["usd"], settled["usd"]) == (0.001, 0.001 * found.is_fine)


def test_a_model_is_checked_though_the_daemon_had_trouble_and_both_are_told(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, "x")
    model = Scripted(answer())

    with reading(home, clock, model) as app:
        found = app.check_model("There is no key for it.")

    assert (len(model.asked), found.is_fine) == (1, False)
    assert found.text.endswith(" ms. The daemon said last: There is no key for it.")


@pytest.mark.parametrize("cap", ["daily_usd = 0.0", "calls_per_hour = 0"])
def test_no_check_goes_over_a_cap(home: Home, spool: Spool, clock: Ticking, cap: str) -> None:
    talk(spool, clock, "x")
    (home.path / "config.toml").write_text(f"[llm]\n{cap}\n", encoding="utf-8")
    model = Scripted(answer())

    with reading(home, clock, model) as app:
        found = app.check_model()

    assert (model.asked, told(home, calls.CALL), found.is_fine) == ([], [], False)
    assert found.text.startswith("The budget is reached (")


def test_a_check_is_paid_for_where_nothing_was_said_yet(home: Home, clock: Ticking) -> None:
    with reading(home, clock, Scripted(answer(), usd=0.02)) as app:
        assert app.check_model().is_fine
        spent = app.cost().today

    assert spent == 0.02


def test_a_check_that_nobody_saw_the_end_of_counts_as_it_was_reserved(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    def die(_request: Request) -> object:
        raise KeyboardInterrupt

    talk(spool, clock, "x")
    with reading(home, clock, Scripted(die, usd=0.02)) as app:
        with pytest.raises(KeyboardInterrupt):
            app.check_model()

        assert app.cost().today == 0.02


def test_the_check_tells_of_a_price_that_is_not_known(
    home: Home, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, "x")
    model = Scripted(answer())
    model.has_price = False

    with reading(home, clock, model) as app:
        found = app.check_model()

    assert not found.is_fine
    assert "scripted-small is not known" in found.text
    assert "usd_per_million" in found.text


@pytest.mark.parametrize(
    ("llm", "told"),
    [
        ('provider = "claude-cli"', "write that whole path in `program`"),
        ('provider = "anthropic"\nkey_command = ["claude"]', "in `key_command`"),
        ('provider = "claude-cli"\nprogram = "{place}/claude"', None),
        ('provider = "anthropic"', None),
    ],
)
def test_a_program_that_no_daemon_finds_is_told_with_what_to_write(
    home: Home, clock: Ticking, tmp_path: Path, llm: str, told: str | None
) -> None:
    program = tmp_path / "claude"
    program.touch(mode=0o755)
    home.make()
    text = f"[llm]\n{llm.format(place=tmp_path)}\n"
    (home.path / "config.toml").write_text(text, encoding="utf-8")

    with reading(home, clock, Scripted(answer())) as app:
        found = app.check_model(environment={"PATH": str(tmp_path)})

    assert found.is_fine == (told is None)
    assert told is None or (str(program) in found.text and told in str(found.fix))
