"""The composition root: the only place that picks implementations.

Time, environment and engines enter here and are handed down as arguments.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths, settings
from tacit.app import App
from tacit.capture import intake, state
from tacit.capture.spool import Spool
from tacit.capture.workspaces import Workspaces
from tacit.curate.rules.curator import OFF, rules
from tacit.curate.stores import MemoryStores
from tacit.errors import EmbedderUnavailable, HomeRefused
from tacit.guard import gate
from tacit.guard.home_directory import home_of
from tacit.guard.redact import Redactor
from tacit.mind import in_mind
from tacit.transcript.ingest import Ingest
from tacit.transcript.ledgers import Ledgers
from tacit.verbs.parts import Parts
from tacit.workspace.config import Canvases
from tacit.workspace.stores import WorkspaceStores

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.embed.port import Embedder
    from tacit.llm.port import Model

CARD_TEXT = 1 << 18  # characters of one block


def open_app(
    home: str | None = None,
    now_ns: Callable[[], int] = time.time_ns,
    beat: Callable[[], object] | None = None,
    embedder: Embedder | None = None,
    llm: Model | None = None,
) -> App:
    """Open a home, the user's own unless another is given, and return its verbs.

    *beat* is called now and then while long work goes on. Without an *embedder* words find alone,
    without a model (*llm*) rules read alone.
    """
    if sys.platform == "win32":
        raise HomeRefused("Tacit does not run on Windows yet. Use it inside WSL.")
    os.umask(0o077)
    one_thread()
    root, home = open_home(home)
    try:
        return App(replace(_parts(home, root, now_ns, beat), embedder=embedder, llm=llm))
    except OSError as error:
        raise refusal(home, error) from error


def open_home(given: str | None = None) -> tuple[int, str]:
    """Return a descriptor of the home and its path; refuse a directory that is not one.

    One that is *given* was written at install, so its path is proof enough. One that the
    environment names is a home only if it was made here, or an installed launcher names it too.
    """
    home = os.path.abspath(given) if given else paths.home()  # noqa: PTH100
    try:
        return state.open_home(home, is_proven=lambda: bool(given) or _is_named(home)), home
    except OSError as error:
        raise refusal(home, error) from error


def check_home() -> None:
    """Refuse the home of typed commands if it cannot be opened or made; change nothing."""
    from tacit.capture import home as homes  # noqa: PLC0415  (rarely asked)

    home = paths.home()
    try:
        homes.check_home(home, lambda: _is_named(home))
    except OSError as error:
        raise refusal(home, error) from error


def _is_named(home: str) -> bool:
    """Return whether a path is the usual one of this user, or the one that hooks record in.

    Only what no repository can set counts: the user's directory by the system's list of users, not
    by `HOME`; not `XDG_DATA_HOME`, not `CLAUDE_CONFIG_DIR`.
    """
    from tacit.install.clients import installed_homes  # noqa: PLC0415  (rarely asked)

    user = home_of()
    named = [paths.usual_home(user), *installed_homes(Path(user))] if user else []
    return os.path.realpath(home) in map(os.path.realpath, named)


def refusal(home: str, error: OSError) -> HomeRefused:
    """Return why a directory cannot be the home, with what to do about it."""
    if isinstance(error, state.Moved):
        return HomeRefused(f"{error}.")
    if isinstance(error, state.Refused):
        return HomeRefused(f"{error}. Unset TACIT_HOME, or set it to a new or empty directory.")
    return HomeRefused(
        f"Cannot use {home}: {error.strerror or error}. Set TACIT_HOME to a directory of your own."
    )


def _parts(
    home: str,
    root: int,
    now_ns: Callable[[], int],
    beat: Callable[[], object] | None,
) -> Parts:
    chosen = settings.load(home)
    spool = Spool(root)
    workspaces, canvases = Workspaces(root, home), Canvases(home)
    ledgers = Ledgers(
        Path(home),
        now_ns=now_ns,
        auto=chosen.auto,
        keep=chosen.keep,
        beat=beat,
        workspaces=workspaces.all,
    )
    key = intake.key(root)
    lazily = _lazily(key, home)
    ingest = Ingest(
        home=Path(home),
        spool=spool,
        redactor=lazily,
        ledger=ledgers.held,
        random=os.urandom,
        limit=partial(_limit, workspaces, canvases, chosen.tool_text),
    )
    return Parts(
        home=home,
        root=root,
        spool=spool,
        redactor=lazily,
        ledgers=ledgers,
        ingest=ingest,
        memories=MemoryStores(ledgers, now_ns),
        workspaces=workspaces,
        spaces=WorkspaceStores(ledgers, now_ns),
        canvases=canvases,
        extractor=rules(chosen.boring_tools) if chosen.mode == "auto" else OFF,
        embedder=None,
        llm=None,
        model=lambda: _model(home),
        key=key,
        now_ns=now_ns,
    )


def _limit(
    workspaces: Workspaces, canvases: Canvases, usual: int, group: str, tool: str | None
) -> int:
    """Return how much of a tool's text is kept: of what stands on cards, much more."""
    place = workspaces.all().get(group) if tool else None
    return CARD_TEXT if place and canvases.of(place).does(tool) else usual


def open_embedder(home: str) -> Embedder | None:
    """Return what turns texts into vectors, as the user has chosen; nothing is loaded yet."""
    one_thread()
    from tacit.embed.choose import embedder  # noqa: PLC0415  (numpy and more, for whoever embeds)

    chosen = settings.load(home)
    key = os.environ.get("OPENAI_API_KEY")
    return embedder(chosen.embed_provider, chosen.embed_model, chosen.embed_base_url, key)


def one_thread() -> None:
    """Have vectors compared by one thread, before what compares them is loaded.

    Several wait for each other, busily, longer than the work takes: twice the CPU for no less time.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def open_model(home: str, *, is_users_program: bool) -> Model | None:
    """Return the model that the user has chosen, None for none; nobody is asked yet.

    What the environment says of places counts only in a program that the user has started.
    """
    chosen = settings.load(home)
    if chosen.llm_provider == "none":
        return None
    from tacit.llm.choose import model  # noqa: PLC0415  (for whoever asks one)

    return model(chosen, dict(os.environ), is_users_program=is_users_program)


def _model(home: str) -> tuple[str, str | None]:
    """Return the model that the user has chosen; empty with the reason if it cannot be had."""
    try:
        chosen = open_embedder(home)
    except EmbedderUnavailable as error:
        return "", str(error)
    return (chosen.model if chosen else ""), None


def embed_idle_seconds(home: str) -> int:
    """Return for how long a model is kept that nobody uses."""
    return settings.load(home).embed_idle_seconds


def _lazily(key: bytes, home: str) -> Callable[[], Redactor]:
    return in_mind(1)(lambda: redactor(key, keeps_numbers=not settings.load(home).redacts_numbers))


def redactor(key: bytes, *, keeps_numbers: bool = False) -> Redactor:
    """Return the redactor of everything but the hook: on RE2."""
    from tacit.guard.scan import Scanner  # noqa: PLC0415  (5 ms that only redaction needs)
    from tacit.linear import with_re2  # noqa: PLC0415

    scanner = Scanner(with_re2)
    kept = gate.NUMBERS if keeps_numbers else frozenset[int]()
    return Redactor(key, with_re2, scanner.places, scanner.words, kept)
