"""`tacit cost`: what was spent by day and by model, what may be, and what a month will cost."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from tacit.cli.main import tacit
from tacit.compose import open_app
from tacit.llm.port import Usage
from unit.curate.model.scripted import Scripted, answer
from unit.curate.saying import publish

if TYPE_CHECKING:
    from rig import Home
    from tacit.capture.spool import Spool

RULE = "From now on, invoices go out on the first Tuesday of the month."
DAY_NS = 24 * 3600 * 1_000_000_000


def cost(*arguments: str) -> str:
    shown = CliRunner().invoke(tacit, ["cost", *arguments], catch_exceptions=False)
    assert shown.exit_code == 0
    return shown.stdout


def cost_for_programs(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(cost("--json", *arguments))
    return found


def spend(
    home: Home,
    spool: Spool,
    at: int,
    *,
    group: str = "main",
    usd: float = 0.01,
    tokens: int = 1000,
) -> None:
    """Have a model read a session of then, at this price."""
    place = {"session_id": f"s-{at}-{group}", "cwd": "/srv/shop", "prompt_id": f"t-{at}-{group}"}
    model = Scripted(answer(), usd=usd)
    model.usage = Usage(input_tokens=tokens, output_tokens=100)
    app = open_app(str(home.path), now_ns=lambda: at, llm=model)
    try:
        publish(spool, "UserPromptSubmit", at, place | {"prompt": RULE}, group=group)
        publish(spool, "Stop", at, place | {"last_assistant_message": "Ok."}, group=group)
        publish(spool, "SessionEnd", at, place | {"reason": "other"}, group=group)
        app.drain(seconds=None)
        assert app.ask_model(group)
    finally:
        app.close()


def test_without_a_model_nothing_is_spent(home: Home) -> None:
    del home

    first, second, third = cost().splitlines()

    assert first == "Today $0.0000 of $0.5000, provider none."
    assert second == "At most $0.0500 a session, 60 calls an hour."
    assert third == "No model was asked in this time. The embedded curator costs nothing."


def test_what_was_spent_is_told_by_day_by_model_and_for_a_month(home: Home, spool: Spool) -> None:
    now = time.time_ns()
    spend(home, spool, now - 2 * DAY_NS, usd=0.03)
    spend(home, spool, now, usd=0.005)
    spend(home, spool, now, group="other")

    shown = cost()

    lines = [line.split() for line in shown.splitlines()]
    assert ["scripted", "scripted-small", "3", "3,000", "300", "$0.0450"] in lines
    assert [line[1:] for line in lines if line and line[0].startswith("20")] == [
        ["2", "2,000", "200", "$0.0150"],
        ["1", "1,000", "100", "$0.0300"],
    ]
    assert shown.endswith("A month like the last seven days: $0.1929.\n")


def test_programs_get_the_same_in_numbers(home: Home, spool: Spool) -> None:
    now = time.time_ns()
    spend(home, spool, now - 40 * DAY_NS)
    spend(home, spool, now)

    recent, all_ = cost_for_programs(), cost_for_programs("--days", "60")

    assert (recent["today"], len(recent["days"]), len(all_["days"])) == (0.01, 1, 2)
    assert recent["caps"] == {"daily_usd": 0.5, "session_usd": 0.05, "calls_per_hour": 60}
    assert recent["month"] == pytest.approx(0.01 * 30 / 7, abs=1e-4)


def test_the_caps_are_those_that_the_owner_has_set(home: Home) -> None:
    home.make()
    (home.path / "config.toml").write_text(
        '[llm]\nprovider = "anthropic"\ndaily_usd = 2\ncalls_per_hour = 1\n', encoding="utf-8"
    )

    first, second, *_ = cost().splitlines()

    assert first == "Today $0.0000 of $2.00, provider anthropic."
    assert second == "At most $0.0500 a session, 1 call an hour."


@pytest.mark.parametrize("days", ["0", "-1", "many", "3651"])
def test_a_number_of_days_that_is_none_is_refused(home: Home, days: str) -> None:
    del home

    shown = CliRunner().invoke(tacit, ["cost", "--days", days])

    assert shown.exit_code == 2


def test_a_model_whose_price_is_not_known_is_told_with_what_to_write(home: Home) -> None:
    home.make()
    place = '[llm]\nprovider = "openai"\nbase_url = "https://ai.example.com"\n'
    config = home.path / "config.toml"

    config.write_text(f'{place}model = "Qwen/Qwen3-8B"\n', encoding="utf-8")
    before = cost()
    with config.open("a", encoding="utf-8") as file:
        file.write("usd_per_million = [0.1, 0.4]\n")

    assert (
        "The price of Qwen/Qwen3-8B is not known: it counts like the dearest model. "
        "Write `usd_per_million = [read, written]` under [llm] in config.toml.\n"
    ) in before
    assert "not known" not in cost()


def test_a_choice_that_cannot_work_hides_no_cost(home: Home) -> None:
    home.make()
    (home.path / "config.toml").write_text(
        '[llm]\nprovider = "openai"\nbase_url = "ftp://x"\n', encoding="utf-8"
    )

    assert cost().startswith("Today $0.0000 of $0.5000, provider openai.")


def test_what_was_spent_is_told_by_session(home: Home, spool: Spool) -> None:
    now = time.time_ns()
    for number in range(12):
        spend(home, spool, now - number, usd=0.001 * (number + 1))

    rows = [line.split() for line in cost().splitlines() if line.startswith("s-")]

    assert [row[0] for row in rows] == [f"s-{now - number}-main" for number in range(11, 1, -1)]
    assert rows[0][1:] == ["1", "1,000", "100", "$0.0120"]
    assert len(cost_for_programs()["sessions"]) == 12


@pytest.mark.parametrize(("tokens", "is_told"), [(1500, False), (90_000, True), (20, True)])
def test_estimates_that_were_far_off_are_told(
    home: Home,
    spool: Spool,
    tokens: int,
    is_told: bool,  # noqa: FBT001  (a row)
) -> None:
    spend(home, spool, time.time_ns(), tokens=tokens)

    assert (f"to be read, {tokens:,} were counted" in cost()) is is_told
