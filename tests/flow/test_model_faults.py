"""R17: whatever a model's server does, the rules' memories stay and nothing is half learned.

Events are taken in meanwhile. A server in trouble is left alone, as long as it asks for, and uses
no tries; an answer that cannot be used is asked for five times and then given up with its reason.
When the server is well again, all that waited is read, once.
"""

from __future__ import annotations

import socket
import threading
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from flow.failing import (
    LEFT_ALONE,
    PAUSING,
    SCRIPTS,
    TRIED,
    WORDS,
    attack,
    hang,
    misshape,
    status,
)
from flow.reading import (
    HOUR_NS,
    MINUTE_NS,
    SECOND_NS,
    asked_for,
    learned,
    reading,
    rule,
    well,
)
from tacit.cli.main import tacit
from tacit.curate.model import calls
from unit.net.serving import certificate_of, served

if TYPE_CHECKING:
    from pathlib import Path

    from flow.reading import Reader
    from rig import Home
    from unit.net.serving import Asked, Server

AWAY = ("refused", "DNS", "TLS")
ALL = [*PAUSING, *LEFT_ALONE, *TRIED]


class Trial:
    """Sessions that a model is to read while its server is in trouble, and after."""

    def __init__(self, reader: Reader, server: Server) -> None:
        self.reader = reader
        self.server = server
        self.number = 0

    def begin(self) -> list[int]:
        """Let two sessions happen; return their numbers."""
        numbers = [self.number, self.number + 1]
        self.reader.sessions(*numbers)
        self.number += 2
        return numbers

    def suffer(self, nanoseconds: int) -> None:
        """Let time pass in trouble: another session is taken in, and nothing is half learned."""
        before = (self.reader.by_model(), len(self.reader.told(calls.REPLY)))
        rules = set(self.reader.contents())
        self.reader.live(nanoseconds // 2)
        late = self.number
        self.reader.sessions(late)
        self.number += 1
        self.reader.live(nanoseconds // 2)
        assert (self.reader.by_model(), len(self.reader.told(calls.REPLY))) == before
        assert {asked_for(late), *rules} <= {*self.reader.contents()}

    def recover(self) -> None:
        """Be well again: all that ever waited is read, each session once, and nobody has to act.

        But for what was given up, which the owner has tried again.
        """
        self.server.script = well
        if any(each.is_dead for each in self.reader.app.queue("main").unasked):
            self.reader.app.retry("main")
        self.reader.live(3 * HOUR_NS, 10 * MINUTE_NS)
        assert self.reader.app.queue("main").unasked == []
        assert self.reader.by_model() == sorted(learned(each) for each in range(self.number))
        assert self.reader.app.model_trouble is None

    def tries(self) -> list[int]:
        return [each.tries for each in self.reader.app.queue("main").unasked]


def _pausing(trial: Trial) -> None:
    """Bear a key or a model that is not accepted: looked at now and then, and no try is used."""
    trial.begin()
    before = len(trial.server.asked)
    trial.suffer(20 * MINUTE_NS)
    assert trial.tries() == [0, 0, 0]
    assert 2 <= len(trial.server.asked) - before <= 5
    assert "llm." in str(trial.reader.app.model_trouble)


def _left_alone(trial: Trial) -> None:
    """Bear a server that is not to be asked now: longer each time, and no try is used."""
    trial.begin()
    before = len(trial.server.asked)
    trial.suffer(MINUTE_NS)
    assert trial.tries() == [0, 0, 0]
    assert 2 <= len(trial.server.asked) - before <= 6


def _tried(trial: Trial) -> None:
    """Bear answers that are of no use: five times for each batch, then a reason."""
    trial.begin()
    before = len(trial.server.asked)
    trial.suffer(6 * HOUR_NS)
    unasked = trial.reader.app.queue("main").unasked
    assert [(each.tries, each.is_dead) for each in unasked] == [(5, True)] * 3
    assert len(trial.server.asked) - before == 15
    assert all(str(each.reason).startswith("The model at 127.0.0.1") for each in unasked)
    assert WORDS not in "".join(str(each.reason) for each in unasked)


WAYS = {
    **dict.fromkeys(PAUSING, _pausing),
    **dict.fromkeys(LEFT_ALONE, _left_alone),
    **dict.fromkeys(TRIED, _tried),
}


def _campaign(place: Path, fault: str, times: int, provider: str = "anthropic") -> None:
    with served(well) as server, reading(place, server, provider=provider) as reader:
        trial = Trial(reader, server)
        for _ in range(times):
            server.script = SCRIPTS[fault]
            WAYS[fault](trial)
            trial.recover()


@pytest.mark.parametrize("fault", ALL)
def test_r17_a_server_in_trouble_takes_nothing_and_all_is_read_when_it_is_well(
    place: Path, fault: str
) -> None:
    _campaign(place, fault, 1)


@pytest.mark.parametrize("fault", ["401", "429", "500", "cut JSON", "wrong schema"])
def test_r17_so_it_is_with_a_server_that_speaks_like_openai(place: Path, fault: str) -> None:
    _campaign(place, fault, 1, "openai")


@pytest.mark.long
@pytest.mark.parametrize("fault", ALL)
def test_r17_a_server_in_trouble_20_times(place: Path, fault: str) -> None:
    _campaign(place, fault, 20)


@pytest.mark.parametrize("fault", ["429", "500", "529"])
def test_r17_what_waited_for_hours_is_read_without_anybody_s_help(place: Path, fault: str) -> None:
    with served(SCRIPTS[fault]) as server, reading(place, server) as reader:
        reader.sessions(0, 1, 2)
        reader.live(3 * HOUR_NS, MINUTE_NS)
        waited = [(each.tries, each.is_dead) for each in reader.app.queue("main").unasked]
        server.script = well
        reader.live(30 * MINUTE_NS, MINUTE_NS)

        assert waited == [(0, False)] * 3
        assert reader.by_model() == [learned(0), learned(1), learned(2)]


def _away(place: Path, why: str, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bear a server that cannot even be reached, then begin anew with one that can."""
    _, context = certificate_of(place.parent, "localhost")
    with socket.socket() as free, served(well) as server, served(well, context) as strange:
        free.bind(("127.0.0.1", 0))
        places = {
            "refused": f"http://127.0.0.1:{free.getsockname()[1]}",
            "TLS": f"https://localhost:{strange.server_port}",
            "DNS": "https://ai.example.com",
        }
        with reading(place, places[why]) as reader:
            trial = Trial(reader, server)
            for _ in range(times):
                trial.begin()
                with monkeypatch.context() as patched:
                    if why == "DNS":
                        patched.setattr(socket, "getaddrinfo", _unknown)
                    trial.suffer(3 * MINUTE_NS)
                assert (trial.tries(), strange.asked) == ([0, 0, 0], [])
                reader.open_again(server.url)
                trial.recover()
                reader.open_again(places[why])


def _unknown(*_: object, **__: object) -> None:
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


@pytest.mark.parametrize("why", AWAY)
def test_r17_a_server_that_cannot_be_reached_takes_nothing(
    place: Path, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _away(place, why, 1, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("why", AWAY)
def test_r17_a_server_that_cannot_be_reached_20_times(
    place: Path, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _away(place, why, 20, monkeypatch)


def _hostile(place: Path, times: int) -> None:
    """Be answered with what is not to be believed: read once, and nothing of it learned."""
    with served(attack) as server, reading(place, server) as reader:
        for number in range(times):
            reader.sessions(number)
            assert reader.ask() == 1
        assert (len(server.asked), reader.app.queue("main").unasked) == (times, [])
        behaving = [each.content for each in reader.standing() if each.behavioral]
        assert [each for each in behaving if "curl" in each] == []
        assert {asked_for(number) for number in range(times)} <= {*reader.contents()}


def test_r17_a_hostile_answer_is_an_answer_and_teaches_nothing(place: Path) -> None:
    _hostile(place, 2)


@pytest.mark.long
def test_r17_20_hostile_answers_teach_nothing(place: Path) -> None:
    _hostile(place, 20)


@pytest.mark.parametrize("seconds", [45, 600, 7200])
def test_r17_a_server_is_left_alone_for_as_long_as_it_asks(place: Path, seconds: int) -> None:
    times: list[int] = []
    with served(well) as server, reading(place, server) as reader:

        def busy(asked: Asked) -> None:
            times.append(reader.now_ns)
            status(429, Retry_After=str(seconds))(asked)

        server.script = busy
        reader.sessions(0, 1)
        reader.live(4 * seconds * SECOND_NS, max(3, seconds // 100) * SECOND_NS)

    gaps = [later - first for first, later in pairwise(times)]
    assert len(gaps) >= 2
    assert min(gaps) >= seconds * SECOND_NS


def test_r17_a_server_that_asked_to_be_left_alone_is_though_all_begins_anew(place: Path) -> None:
    with served(status(429, Retry_After="7200")) as server, reading(place, server) as reader:
        reader.sessions(0)
        reader.ask()
        server.script = well
        reader.open_again()
        reader.live(HOUR_NS, 10 * MINUTE_NS)
        waited, trouble = len(server.asked), reader.app.model_trouble
        reader.live(2 * HOUR_NS, 10 * MINUTE_NS)

        assert (waited, len(server.asked)) == (1, 2)
        assert "cannot answer now (status 429)" in str(trouble)
        assert reader.by_model() == [learned(0)]


def test_r17_the_owner_is_told_what_could_not_be_read_and_why(home: Home) -> None:
    with served(misshape) as server, reading(home.path, server) as reader:
        reader.sessions(0)
        reader.live(6 * HOUR_NS)
        shown = CliRunner().invoke(tacit, ["queue"], catch_exceptions=False).stdout
        standing = CliRunner().invoke(tacit, ["status"], catch_exceptions=False).stdout
        checks = CliRunner().invoke(tacit, ["doctor", "--json"], catch_exceptions=False).stdout
        tried = CliRunner().invoke(tacit, ["queue", "retry"], catch_exceptions=False).stdout
        server.script = well
        assert reader.ask() == 1

    assert "The model could not read turn turn-s-0: The model at 127.0.0.1" in shown
    assert "answers with an object of another form. It is asked again later." in shown
    assert "anthropic, 0 turns to be read, 1 could not be read: `tacit queue`" in standing
    assert "1 turns could not be read by the model: see `tacit queue --group main`" in checks
    assert tried == "1 job tried again. See `tacit queue`.\n"


def test_r17_a_server_that_hangs_holds_no_hook_and_no_memory_up(home: Home) -> None:
    with served(hang) as server, reading(home.path, server, timeout_seconds=20) as reader:
        reader.sessions(0)
        asking = threading.Thread(target=reader.ask)
        asking.start()
        while not server.asked:
            time.sleep(0.01)
        ran = home.hook("UserPromptSubmit", {"prompt": rule(1), "session_id": "s-1"})
        home.hook("Stop", {"last_assistant_message": "Noted.", "session_id": "s-1"})

        with reading(home.path, server, timeout_seconds=20) as other:
            other.now_ns = time.time_ns()
            other.drain()
            found = other.contents()
        reader.cut()
        asking.join()

    assert (ran.code, asked_for(1) in found) == (0, True)
