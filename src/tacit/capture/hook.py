"""The hook: one event of a client onto the disk, whatever happens.

Always exits 0, prints nothing but an answer, and returns within its deadline. A secret, a private
span or an excluded path never reaches the disk: what cannot be cleaned in time is dropped, its
envelope and digest kept. Home and interpreter are those that the launcher was written for: nothing
of the environment, which may be a repository's, leads elsewhere, and no library that is loaded here
sees it. This is the one place that swallows every error: each becomes a line in the hook's own log,
each lost event is counted, and `tacit status` shows both. Hot path: little of the standard library,
`re` and `json` only where a keyword occurs and the patterns are not kept compiled.
"""

from __future__ import annotations

import posix
import time

from tacit import paths
from tacit.capture import intake, projectfile, state
from tacit.capture.conf import Conf, read_text, sources
from tacit.capture.spool import Spool, begun

CLEANED_BY = 1.2  # seconds: then the payload is dropped and its envelope kept
ANSWERED_BY = 1.4  # then the answer is dropped
SPOOLED_BY = 1.6  # then the disk is not waited for any more
GONE_BY = 1.8  # then even the event is dropped
HASTE = 0.1  # so long it may take without the disk, or to complain
UNSURE = "the disk, so this event may not survive a power cut"
LOST = "the disk, so this event is lost"
UNTOLD = "the answer, so there is none"
LARGEST = 16 << 20
LONGEST_NAME = 64
STALE_NS = 600_000_000_000  # what waits for longer should have been taken in
BRIEFED = frozenset(("SessionStart", "SubagentStart"))
WAKING = frozenset(("SessionStart", "UserPromptSubmit"))

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    Handler = Callable[[int, FrameType | None], object]
    Prepared = tuple[int, Conf, str, bytes]  # home, conf, directory, payload


class LateError(BaseException):
    """A deadline has passed."""


class Alarm:
    """A deadline that breaks off what may be broken off, and else is remembered until then."""

    def __init__(self) -> None:
        self._is_late = self._is_open = False

    def ring(self, _number: int, _frame: FrameType | None) -> None:
        """Note that it is late, and break off what may be."""
        self._is_late = True
        if self._is_open:
            self._is_open = False
            raise LateError

    def open(self) -> None:
        """From here on things may be broken off: this, too, if it is late already."""
        self._is_open = True
        if self._is_late:
            self._is_open = False
            raise LateError

    def shut(self) -> None:
        """From here on nothing is broken off."""
        self._is_open = False

    def set(self, at: float) -> None:
        """Ring at that time of the monotonic clock, and not before."""
        self._is_late = self._is_open = False
        _arm(at, self.ring)


ALARM = Alarm()


class Outcome:
    """What became of the event so far, for whoever has to account for it."""

    is_kept = False
    received_ns: int | None = None


OUTCOME = Outcome()


class EmptyError(ValueError):
    """The client sent nothing."""


class SlowError(OSError):
    """Something was too slow, and was done without; it stands in the text."""


class DroppedError(OSError):
    """A payload could not be cleaned in time or was too large: only its envelope is kept."""


def main(arguments: list[str], home: str, interpreter: str = "") -> None:
    """Run the hook for `<event> [<client>]`; never raises, never returns.

    *home* and *interpreter* are written in the launcher. Without the latter no daemon is started.
    """
    received_ns, started = time.time_ns(), time.monotonic()
    event, client = _named(arguments)
    OUTCOME.is_kept, OUTCOME.received_ns = False, None
    try:
        OUTCOME.received_ns = received_ns = begun(received_ns)
        posix.umask(0o077)
        intake.hide_environment()
        _settle()
        _run(event, client, received_ns, started, home, interpreter)
    except BaseException as error:  # noqa: BLE001  (the hook never fails its client)
        _complain(home, event, error)
        if event == "SessionStart" and isinstance(error, OSError) and not OUTCOME.is_kept:
            _write_warning(event)
    posix._exit(0)


def _run(
    event: str, client: str, received_ns: int, started: float, home: str, interpreter: str
) -> None:
    ALARM.set(started + CLEANED_BY)
    raw, size, trouble = _stdin()
    prepared = prepare(raw, size, trouble, event, home)
    ALARM.set(started + ANSWERED_BY)
    if prepared is None:
        return
    root, conf, directory, payload = prepared
    spool = Spool(root)
    wakes = bool(interpreter) and event in WAKING and not state.is_there(root, paths.DAEMON_STOPPED)
    answered, text, notice = _told(event, prepared, spool, received_ns, is_waited_for=wakes)
    leave = _leave_saying(spool, home, event)
    _arm(started + SPOOLED_BY, _hasten(spool, started, leave))
    spool.publish(
        payload,
        event=event,
        received_ns=received_ns,
        client=client,
        group=conf.group(directory),
        answered=answered,
    )
    OUTCOME.is_kept = True
    _arm(max(started + GONE_BY, time.monotonic() + HASTE), leave)
    state.write_all(1, rendered(event, text, notice))
    if spool.is_unsure:
        _log(root, event, SlowError(UNSURE))
    elif wakes:
        from tacit.capture.wake import command, wake

        wake(root, command(home, interpreter))


def prepare(raw: bytes, size: int, trouble: str, event: str, home: str) -> Prepared | None:
    """Return what is to be published of a payload, and where; None if nothing is.

    *size* is what the client sent, *trouble* why *raw* may be less than that.
    """
    if intake.variable("TACIT_OFF") not in {"", "0"} or intake.variable("TACIT_INTERNAL"):
        return None
    if not raw:
        raise EmptyError
    root = _open(home)
    try:
        if not trouble:  # else there is nothing left that could be broken off
            ALARM.open()
        conf = _conf(root, home)
        directories = intake.directories(raw)
        is_kept = not conf.is_off(directories) and _narrow(conf, directories)
        payload = intake.clean(raw, conf, directories, root) if is_kept and not trouble else None
        ALARM.shut()
        if not is_kept:
            return None
    except LateError:  # secrets before waiting, waiting before loss
        trouble = "late"
        conf, directories = _conf(root, home), intake.directories(raw)
        if conf.is_off(directories) or not _narrow(conf, directories):
            return None
    if trouble:
        payload = intake.envelope(raw, trouble, size, root)
        _log(root, event, DroppedError(f"{trouble}, {size} bytes"))
    return None if payload is None else (root, conf, directories[0], payload)


def _narrow(conf: Conf, directories: list[str]) -> bool:
    """Let the project's own file keep out what it wants; say whether anything may be recorded."""
    is_off, private = projectfile.narrowed(directories)
    conf.excluded += private
    return not is_off


def _settle() -> None:
    """Let not even a library speak up, and let no collection of garbage slow the parser down."""
    import gc

    gc.disable()
    try:
        posix.dup2(posix.open("/dev/null", posix.O_WRONLY), 2)
    except OSError:
        pass


def _open(home: str) -> int:
    """Return a descriptor of the home; that its path was written at install is the proof of it."""
    return state.open_home(home, is_proven=state.proven)


def _named(arguments: list[str]) -> tuple[str, str]:
    """Return the event and the client, as plain words whatever was given."""
    event, client = [*arguments, "", ""][:2]
    if not (event.isascii() and event.isalnum() and len(event) <= LONGEST_NAME):
        event = "unknown"
    if not (
        client.isascii() and client.replace("-", "a").isalnum() and len(client) <= LONGEST_NAME
    ):
        client = "claude-code"
    return event, client


def _stdin() -> tuple[bytes, int, str]:
    """Return what the client sent, up to a limit, its size, and what went wrong."""
    pieces: list[bytes] = []
    size = 0
    try:
        ALARM.open()
        while piece := posix.read(0, 1 << 20):
            size += len(piece)
            if size <= LARGEST:
                pieces.append(piece)
        ALARM.shut()
    except LateError:
        return b"".join(pieces), size, "slow"
    return b"".join(pieces), size, "large" if size > LARGEST else ""


def _conf(root: int, home: str) -> Conf:
    """Return `capture.conf`, compiled anew if it is not ours or older than its sources."""
    try:
        text = read_text(root, intake.key(root))
    except OSError:  # no key can be kept: nothing that is stamped counts
        text = None
    conf = Conf(text or "")
    if text is None or conf.sources != sources(root):
        from tacit.capture.compile import refresh

        conf = Conf(refresh(root, home))
    return conf


def _told(
    event: str, prepared: Prepared, spool: Spool, received_ns: int, *, is_waited_for: bool
) -> tuple[str, bytes, bytes]:
    """Return (id, text) that the client is told and the line that a person sees."""
    root, conf, directory, payload = prepared
    try:
        ALARM.open()
        answered, text, is_unlanded = _answer(event, conf, directory, root, payload)
        oldest = spool.oldest() if is_waited_for else None
        waited_ns = received_ns - oldest if oldest else 0
        notice = _notice(event, conf, waited_ns, is_unlanded=is_unlanded)
        is_told = bool(text or notice) and _is_first(prepared, event, received_ns)
        ALARM.shut()
    except LateError:
        _log(root, event, SlowError(UNTOLD))
        is_told = False
    return (answered, text, notice) if is_told else ("-", b"", b"")


def _answer(
    event: str, conf: Conf, directory: str, root: int, payload: bytes
) -> tuple[str, bytes, bool]:
    """Return (id, text) for the events that are answered, else ("-", nothing).

    And whether it is known that the last session there did not land.
    """
    found: tuple[str, bytes] | None = None
    is_unlanded = False
    try:
        if event == "UserPromptSubmit":
            from tacit.capture.ask import ask

            found = ask(root, event, conf.group(directory), payload)
        elif event in BRIEFED and (file := conf.brief(directory)):
            from tacit.capture.brief import brief, fresh, is_asked

            is_due, is_needed = is_asked(event, payload)
            if is_due:
                found = fresh(root, event, conf.group(directory), payload)
            if not found and is_needed:
                name, text, is_unlanded = brief(root, event, file, intake.key(root))
                found = name, text
    except (OSError, ValueError) as error:  # the event matters more than the answer
        _log(root, event, error)
    return (*found, is_unlanded) if found and found[1] else ("-", b"", is_unlanded)


def _notice(event: str, conf: Conf, waited_ns: int, *, is_unlanded: bool) -> bytes:
    """Return the line that a person sees when a session starts; nothing if all is well."""
    is_stale = waited_ns >= STALE_NS
    if event != "SessionStart" or not (is_stale or is_unlanded or conf.problem):
        return b""
    from tacit.capture.notice import notice

    return notice(waited_ns if is_stale else 0, conf.problem, is_unlanded=is_unlanded)


def _write_warning(event: str) -> None:
    """Tell whoever starts a session that it is not recorded."""
    from tacit.capture.notice import UNRECORDED

    try:
        state.write_all(1, rendered(event, b"", UNRECORDED))
    except OSError:
        pass


def _is_first(prepared: Prepared, event: str, begun_ns: int) -> bool:
    """Say whether no other hook answers this event: a client may have us twice, a proof has not."""
    from tacit.capture.once import is_first

    root, conf, directory, payload = prepared
    return paths.is_proof(conf.group(directory)) or is_first(root, event, payload, begun_ns)


def rendered(event: str, text: bytes, notice: bytes = b"") -> bytes:
    """Return the client's answer format around texts that are escaped for JSON already."""
    if not text and not notice:
        return b""
    parts = [b'{"continue": true, "suppressOutput": true']
    if notice:
        parts.append(b', "systemMessage": "' + notice + b'"')
    if text:
        parts.append(b', "hookSpecificOutput": {"hookEventName": "' + event.encode())
        parts.append(b'", "additionalContext": "' + text + b'"}')
    return b"".join((*parts, b"}"))


def _arm(at: float, handler: Handler) -> None:
    """Call *handler* at that time of the monotonic clock.

    `_signal` is the builtin half of `signal`; the other half costs as much as the whole hook.
    """
    import _signal

    _signal.signal(_signal.SIGALRM, handler)
    _signal.setitimer(_signal.ITIMER_REAL, max(at - time.monotonic(), 0.001))


def _leave_saying(spool: Spool, home: str, event: str) -> Handler:
    """Return what leaves, whatever is going on, and says what was not done."""

    def leave(_number: int, _frame: FrameType | None) -> None:
        lost = UNSURE if spool.is_unsure else UNTOLD
        _complain(home, event, SlowError(lost if spool.is_published else LOST))
        posix._exit(0)

    return leave


def _hasten(spool: Spool, started: float, leave: Handler) -> Handler:
    """Return what makes the spool wait for the disk no more, and leaves if even that is slow."""

    def hasten(_number: int, _frame: FrameType | None) -> None:
        spool.is_hasty = True
        _arm(max(started + GONE_BY, time.monotonic() + HASTE), leave)

    return hasten


def _leave(_number: int, _frame: FrameType | None) -> None:
    posix._exit(0)


def _complain(home: str, event: str, error: BaseException) -> None:
    """Count a lost event and log what went wrong, if that is possible at all."""
    try:
        _arm(time.monotonic() + HASTE, _leave)
        root = _open(home)
        if not OUTCOME.is_kept and not isinstance(error, EmptyError):
            from tacit.capture.failures import count_loss, reason_of

            count_loss(root, reason_of(error), OUTCOME.received_ns)
        _log(root, event, error)
    except BaseException:  # noqa: BLE001, S110  (nothing is left that could be done)
        pass


def _log(root: int, event: str, error: BaseException) -> None:
    """Write one line; where that fails the event still matters more."""
    from tacit.capture.failures import append

    try:
        append(root, event, error, OUTCOME.received_ns)
    except OSError:
        pass
