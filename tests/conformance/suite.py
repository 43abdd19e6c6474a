"""The official suite: which of its scenarios are ours, and how a run of them ends.

Ours is what can be asked of a server that has tools and speaks over stdio. Every other scenario is
listed below with the reason, and a test fails when the suite knows one that is neither.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MODULES = ROOT / ".cache" / "conformance" / "node_modules"
RELEASED = "@modelcontextprotocol/conformance"
NEXT = "conformance-next"  # before its release, but it knows the revision of 2026
PATIENCE = 120
WITH_HANDSHAKE = frozenset(("server-initialize", "ping", "tools-list"))
WITHOUT_HANDSHAKE = frozenset(
    ("server-stateless", "tools-list", "caching", "input-required-result-unsupported-methods")
)
# reason -> scenarios
NOT_OURS: Mapping[str, str] = {
    "asks for a tool of the suite's own example server": """
        tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource
        tools-call-mixed-content tools-call-error tools-call-with-progress json-schema-2020-12
        http-custom-header-server-validation
    """,
    "logging: all that a client is told is in the answers": """
        logging-set-level tools-call-with-logging
    """,
    "sampling, elicitation, input: the memory asks nothing of a client": """
        tools-call-sampling tools-call-elicitation
        elicitation-sep1034-defaults elicitation-sep1330-enums
        input-required-result-basic-elicitation input-required-result-basic-sampling
        input-required-result-basic-list-roots input-required-result-request-state
        input-required-result-multiple-input-requests input-required-result-multi-round
        input-required-result-missing-input-response input-required-result-non-tool-request
        input-required-result-result-type input-required-result-tampered-state
        input-required-result-capability-check input-required-result-ignore-extra-params
        input-required-result-validate-input
    """,
    "completion: no argument of a tool can be completed": "completion-complete",
    "resources: there are none": """
        resources-list resources-read-text resources-read-binary resources-templates-read
        resources-subscribe resources-unsubscribe sep-2164-resource-not-found
    """,
    "prompts: there are none": """
        prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource
        prompts-get-with-image
    """,
    "HTTP, which `tacit mcp` does not speak": """
        server-sse-polling server-sse-multiple-streams dns-rebinding-protection
        server-session-lifecycle http-header-validation
    """,
    "an extension that is not offered": """
        sep-2640-skills-directory sep-2640-skills-enumeration sep-2640-skills-manifest
        tasks-lifecycle tasks-capability-negotiation tasks-wire-fields tasks-request-state-removal
        tasks-mrtr-input tasks-request-headers tasks-dispatch-and-envelope
        tasks-status-notifications tasks-required-task-error tasks-mrtr-composition
    """,
}
# scenario that is ours -> its checks that are not, for the same reasons
EXCUSED: Mapping[str, str] = {
    # tools of the suite's own example server: elicitation, logging
    "server-stateless": """
        sep-2575-server-rejects-undeclared-capability sep-2575-missing-capability-http-400
        sep-2575-http-server-no-independent-requests-on-stream
        sep-2575-server-no-log-without-loglevel
    """,
    # prompts and resources
    "caching": """
        sep-2549-prompts-list-caching-hints sep-2549-resources-list-caching-hints
        sep-2549-resources-templates-list-caching-hints
    """,
}
SCHEMA = "wire-schema-valid"


class NotInstalled(RuntimeError):  # noqa: N818  (a state, not a mishap)
    """The suite was never installed."""


def node() -> str:
    """Return the Node that was installed for the suite."""
    found = sorted(MODULES.glob("node-*/bin/node"))
    if not found:
        raise NotInstalled("The protocol's tests are not installed: run `make test` once.")
    return str(found[0])


def names(listed: str) -> set[str]:
    """Return the names of a list of them."""
    return set(listed.split())


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that the suite looked at."""

    id: str
    status: str
    why: str

    @property
    def is_wrong(self) -> bool:
        """Say whether the suite found fault, be it a small one."""
        return self.status in {"FAILURE", "WARNING"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One edition of the suite, asking in one revision of the protocol; in its usual if unsaid."""

    package: str
    revision: str = ""
    ours: frozenset[str] = WITH_HANDSHAKE

    def found(self, url: str, scratch: Path) -> dict[str, list[Check]]:
        """Return what each scenario found."""
        wanted = ("--spec-version", self.revision) if self.revision else ()
        asked = ("server", "--url", url, "--suite", "all", *wanted, "--output-dir", str(scratch))
        _run(self.package, *asked, scratch=scratch)
        return {
            file.parent.name.removeprefix("server-").rsplit("-", 6)[0]: _checks(file)
            for file in scratch.glob("server-*/checks.json")
        }


RUNS = (
    Run(package=RELEASED),
    Run(package=NEXT, revision="2025-06-18"),
    Run(package=NEXT, revision="2025-11-25"),
    Run(package=NEXT, revision="2026-07-28", ours=WITHOUT_HANDSHAKE),
)


def scenarios(package: str, scratch: Path) -> set[str]:
    """Return all that an edition can ask of a server."""
    lines = _run(package, "list", "--server", scratch=scratch).splitlines()
    return {line.split()[1] for line in lines if line.startswith("  - ")}


def _run(package: str, *arguments: str, scratch: Path) -> str:
    ran = subprocess.run(
        [node(), str(MODULES / package / "dist" / "index.js"), *arguments],
        capture_output=True,
        check=False,  # it fails for every scenario that is not ours
        cwd=scratch,
        env={"PATH": os.defpath, "HOME": str(scratch)},
        timeout=PATIENCE,
        encoding="utf-8",
    )
    return ran.stdout


def _checks(file: Path) -> list[Check]:
    rows = json.loads(file.read_text(encoding="utf-8"))
    return [Check(row["id"], row["status"], row.get("errorMessage") or "") for row in rows]
