"""The user's own `claude` program, and with it the subscription that it is logged in to.

One process for one question, which ends with it. It runs no hook (`--safe-mode`, all hooks off, and
a variable that ours honour), leaves no transcript, has no tools, and stands in an empty directory.
`--bare` would be less still, but reads no login: it knows only API keys. Whatever is private goes
through a pipe or a file of this user's, never on the command line, where others could read it.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tacit.errors import ModelKeyRefused, ModelUnknown
from tacit.llm import form, programs
from tacit.llm.child import Children, Place
from tacit.llm.form import MOST_BYTES, Unusable
from tacit.llm.messages import counts
from tacit.llm.port import Reply
from tacit.net.line import parsed
from tacit.net.trouble import Garbled, Refused, Trouble, Unreachable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tacit.llm.child import Ended
    from tacit.llm.port import Request, Tier, Usage
    from tacit.llm.terms import Terms

_ALONE = (
    "--safe-mode",
    "--settings", '{"disableAllHooks":true}',
    "--strict-mcp-config",
    "--no-session-persistence",
    "--tools", "",
    "--output-format", "json",
)  # fmt: skip
# What the program knows of its surroundings, wherever it is started from.
_KEPT = ("HOME", "PATH", "USER", "LOGNAME", "LANG", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR")
_LOGIN = ("CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_PAID = _LOGIN[1:]
# And what it knows besides if the user has started this program: its way out.
_WAY = ("ANTHROPIC_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS")
_QUIET = {
    "TACIT_INTERNAL": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_MAX_RETRIES": "0",
    "DISABLE_AUTOUPDATER": "1",
}
_STATUS_SECONDS = 15.0


class Subscription:
    """Models behind the user's own program."""

    provider = "claude-cli"
    place = ""  # wherever the program goes

    def __init__(
        self,
        environment: Mapping[str, str],
        terms: Terms,
        program: str = "",
        *,
        is_users_program: bool,
    ) -> None:
        kept = (*_KEPT, *_LOGIN, *(_WAY if is_users_program else ()))
        self._named = program or programs.CLAUDE
        self._environment = {name: environment[name] for name in kept if name in environment}
        self._terms = terms
        self._children = Children()

    def model(self, tier: Tier) -> str:
        """Return the name of the model that answers a tier, as the program knows it."""
        return self._terms.models[tier]

    def usd(self, tier: Tier, usage: Usage) -> float:
        """Return what a reply of a tier costs that takes so many tokens."""
        return self._terms.usd(tier, usage)

    def is_priced(self, tier: Tier) -> bool:
        """Say whether it is known what a tier costs."""
        return self._terms.is_priced(tier)

    def ask(self, request: Request) -> Reply:
        """Return the reply to a request."""
        try:
            return self._reply(request, self._told(request))
        except (Trouble, Unusable) as trouble:
            raise self._terms.failure(request, trouble) from None  # it may hold words of the model

    def close(self) -> None:
        """End the program if it is under way."""
        self._children.kill()

    def _told(self, request: Request) -> dict[str, Any]:
        """Return what the program tells of its run, if that was one."""
        with _scratch() as scratch:
            ended = self._run(request, scratch)
        if ended.code < 0:
            raise Unreachable("was ended before its time")
        try:
            told = parsed(ended.out)
        except Garbled:
            told = None
        if not isinstance(told, dict) or told.get("type") != "result":
            raise Unusable(f"does not do as it is asked (status {ended.code})")
        if told.get("is_error"):
            raise self._trouble(told)
        return told

    def _run(self, request: Request, scratch: Path) -> Ended:
        prompt = scratch / "system"
        prompt.touch(mode=0o600)
        lasting = filter(None, (request.system, request.state))
        prompt.write_text(form.sendable("\n\n".join(lasting)), encoding="utf-8")
        options = ["--model", self.model(request.tier), "--system-prompt-file", str(prompt)]
        if request.schema is not None:
            options += ["--json-schema", json.dumps(request.schema)]
        extra = {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.most_tokens)}
        return self._children.run(
            [self._program(), "-p", *_ALONE, *options],
            form.sendable(request.text).encode(),
            self._place(scratch, extra),
            self._terms.seconds,
            MOST_BYTES,
        )

    def _program(self) -> str:
        found = programs.found(self._named, self._environment)
        if found is None:
            raise ModelUnknown(
                f"The program `{self._named}` is not found. Install it, or write its whole path: "
                "`program` under [llm] in config.toml."
            )
        return found

    def _place(self, scratch: Path, extra: Mapping[str, str]) -> Place:
        temporary = str(scratch / "tmp")
        ours = {"TMPDIR": temporary, "CLAUDE_CODE_TMPDIR": temporary}
        known = programs.beside(self._program(), self._environment)
        return Place(
            directory=str(scratch / "empty"), environment={**known, **_QUIET, **ours, **extra}
        )

    def _trouble(self, told: dict[str, Any]) -> Trouble | Unusable:
        """Return what went wrong, told by fields and never by what they say."""
        status = told.get("api_error_status")
        if isinstance(status, int):
            return Refused(status)
        if told.get("api_error") is not None:
            return Unreachable("cannot reach its server")
        if told.get("terminal_reason") == "api_error" and not self._is_logged_in():
            raise ModelKeyRefused(
                f"The program `{programs.CLAUDE}` is not logged in. "
                f"Run `{programs.CLAUDE}` and then /login."
            )
        return Unusable("does not bring its answer to an end")

    def _is_logged_in(self) -> bool:
        with _scratch() as scratch:
            command = [self._program(), "auth", "status"]
            place = self._place(scratch, {})
            return self._children.run(command, b"", place, _STATUS_SECONDS, MOST_BYTES).code == 0

    def _reply(self, request: Request, told: dict[str, Any]) -> Reply:
        usage = form.usage(counts(told.get("usage")), request, str(told.get("result")))
        usd = self._usd(request, usage, told.get("total_cost_usd"))
        with form.paid(usd):
            stop = form.ending(told.get("stop_reason"))
            value = None
            if request.schema is not None:
                value = form.fitting(told.get("structured_output"), request.schema)
            said = form.text(told.get("result")) if value is None else form.written(value)
        model = _model(told.get("modelUsage"), self.model(request.tier))
        return Reply(text=said, value=value, usage=usage, model=model, usd=usd, stop=stop)

    def _usd(self, request: Request, usage: Usage, told: object) -> float:
        """Return what is paid for: by its own list, which knows better what a name stands for."""
        if self._terms.is_local or self._terms.usd_per_million is not None:
            return self._terms.usd(request.tier, usage)
        if isinstance(told, int | float) and told >= 0:
            return float(told)
        return self._terms.usd(request.tier, usage)


def is_paid(environment: Mapping[str, str]) -> bool:
    """Say whether the program would use a key: a subscription costs the same however it is used."""
    return any(environment.get(name) for name in _PAID)


@contextmanager
def _scratch() -> Iterator[Path]:
    """Give a directory of this user's alone, with an empty one to stand in; it goes at the end."""
    with TemporaryDirectory(prefix="tacit-", ignore_cleanup_errors=True) as directory:
        for name in ("empty", "tmp"):
            (Path(directory) / name).mkdir(mode=0o700)
        yield Path(directory)


def _model(told: object, asked: str) -> str:
    """Return the model behind the name that was asked for."""
    names = list(told) if isinstance(told, dict) else []
    return form.model(names[0], "claude-") if len(names) == 1 else asked
