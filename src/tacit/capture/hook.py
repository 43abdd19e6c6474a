"""The hook: one event of a client onto the disk, whatever happens.

Always exits 0, prints nothing but an answer, and returns within its deadline. A secret, a private
span or an excluded path never reaches the disk: what cannot be cleaned in time is dropped, its
envelope and digest kept. This is the one place that swallows every error: each becomes a line in
the hook's own log, which `tacit status` counts. Hot path: standard library only, and of it little:
`re` and `json` not at all where the patterns are kept compiled, else only where a keyword occurs.
"""

from __future__ import annotations

import posix
import time

from tacit import paths
from tacit.capture import intake, state
from tacit.capture.conf import Conf
from tacit.capture.spool import Spool

SOFT_SECONDS = 1.5  # then the payload is dropped and its envelope kept
HARD_SECONDS = 0.4  # and so much later we are gone
LARGEST = 32 << 20
LONGEST_NAME = 64
ANSWERED = frozenset(("SessionStart", "UserPromptSubmit", "SubagentStart"))
WAKING = frozenset(("SessionStart", "UserPromptSubmit"))

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


class LateError(BaseException):
    """The soft deadline has passed."""


class EmptyError(ValueError):
    """The client sent nothing."""


def main(arguments: list[str], home: str = "") -> None:
    """Run the hook for `<event> [<client>]`; never raises, never returns."""
    received_ns = time.time_ns()
    event, client = _named(arguments)
    home = intake.variable("TACIT_HOME") or home
    try:
        posix.umask(0o077)
        home = home or paths.home()
        _run(event, client, received_ns, home)
    except BaseException as error:  # noqa: BLE001  (the hook never fails its client)
        _complain(home, event, error)
    posix._exit(0)


def _run(event: str, client: str, received_ns: int, home: str) -> None:
    _arm(SOFT_SECONDS, _raise_late)
    raw, trouble = _stdin()
    if intake.variable("TACIT_OFF") not in {"", "0"} or intake.variable("TACIT_INTERNAL"):
        return
    if not raw:
        raise EmptyError
    root = state.open_home(home)
    conf = _conf(root, home)
    directories = intake.directories(raw)
    if conf.is_off(directories):
        return
    payload = intake.envelope(raw, trouble, root) if trouble else _cleaned(raw, event, conf, root)
    _arm(HARD_SECONDS, _leave)
    if payload is None:
        return
    group = conf.group(directories[0])
    answer = _answer(event, conf, directories[0], root, payload) if event in ANSWERED else None
    Spool(root).publish(
        payload,
        event=event,
        received_ns=received_ns,
        client=client,
        group=group,
        answered=answer[0] if answer else "-",
    )
    if answer:
        state.write_all(1, answer[1])
    if event in WAKING and conf.daemon:
        from tacit.capture.wake import wake

        wake(root, conf.daemon, home)


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


def _cleaned(raw: bytes, event: str, conf: Conf, root: int) -> bytes | None:
    """Return what may be written: secrets before waiting, waiting before loss."""
    try:
        return intake.clean(raw, event, conf, root)
    except LateError:
        _arm(HARD_SECONDS, _leave)
        return intake.envelope(raw, "late", root)


def _stdin() -> tuple[bytes, str]:
    """Return all that the client sent, and what went wrong with it."""
    pieces: list[bytes] = []
    size = 0
    try:
        while piece := posix.read(0, 1 << 20):
            size += len(piece)
            if size <= LARGEST:
                pieces.append(piece)
    except LateError:
        _arm(HARD_SECONDS, _leave)
        return b"".join(pieces), "slow"
    return b"".join(pieces), "large" if size > LARGEST else ""


def _conf(root: int, home: str) -> Conf:
    """Return `capture.conf`, made anew if what it is made from has changed since."""
    made = _changed_ns(root, paths.CAPTURE_CONF)
    if made < max(_changed_ns(root, paths.CONFIG), _changed_ns(root, paths.PAUSED)):
        from tacit.capture.compile import refresh

        refresh(root, home)
        made = 0
    return Conf(
        state.read(root, paths.CAPTURE_CONF).decode("utf-8", "surrogateescape") if made >= 0 else ""
    )


def _changed_ns(root: int, name: str) -> int:
    try:
        return posix.stat(name, dir_fd=root, follow_symlinks=False).st_mtime_ns
    except FileNotFoundError:
        return -1


def _answer(
    event: str, conf: Conf, directory: str, root: int, payload: bytes
) -> tuple[str, bytes] | None:
    """Return (id, answer) for the events that are answered; its text is escaped already."""
    if event == "UserPromptSubmit":
        from tacit.capture.ask import ask

        heard = ask(root, event, conf.group(directory), payload)
        return (heard[0], rendered(event, heard[1])) if heard else None
    brief = conf.brief(directory)
    if not brief:
        return None
    try:
        text = state.read(root, brief[1])
    except OSError as error:  # the event matters more than the answer
        _log(root, event, error)
        return None
    return (brief[0], rendered(event, text)) if text else None


def rendered(event: str, text: bytes) -> bytes:
    """Return the client's answer format around a text that is escaped for JSON already."""
    head = b'{"continue": true, "suppressOutput": true, "hookSpecificOutput": {"hookEventName": "'
    return head + event.encode() + b'", "additionalContext": "' + text + b'"}}'


def _arm(seconds: float, handler: Callable[[int, FrameType | None], object]) -> None:
    """Call *handler* so many seconds from now.

    `_signal` is the builtin half of `signal`; the other half costs as much as the whole hook.
    """
    import _signal

    _signal.signal(_signal.SIGALRM, handler)
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _raise_late(_number: int, _frame: FrameType | None) -> None:
    raise LateError


def _leave(_number: int, _frame: FrameType | None) -> None:
    posix._exit(0)


def _complain(home: str, event: str, error: BaseException) -> None:
    """Write one line to the hook's own log, if that is possible at all."""
    try:
        _arm(HARD_SECONDS, _leave)
        _log(state.open_home(home), event, error)
    except BaseException:  # noqa: BLE001, S110  (nothing is left that could be done)
        pass


def _log(root: int, event: str, error: BaseException) -> None:
    from tacit.capture.hooklog import append

    append(root, event, error)
