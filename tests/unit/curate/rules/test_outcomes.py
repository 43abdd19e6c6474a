"""Outcomes: what was installed or committed is told in the words of the tool, failures are not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.extract import Context, Draft, evidence_of
from tacit.curate.reading import read
from tacit.curate.rules.outcomes import committed, installed
from tacit.curate.rules.view import View, view

if TYPE_CHECKING:
    from unit.curate.saying import Desk

DONE = "[main 4f0c2d1] "


def ran(desk: Desk, command: str, result: Any = "", kind: str = "tool_use") -> View:
    """Return a turn in which a command was run."""
    name = desk.prompt("Go on.")
    field = "error" if kind == "tool_failure" else "tool_response"
    payload = {"tool_input": {"command": command}, field: result}
    desk.append(kind, payload, turn=name, origin="tool:Bash")
    told = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
    assert told is not None
    return view(told, Context())


def contents(drafts: list[Draft]) -> list[str]:
    return [each.content for each in drafts]


def test_what_is_found_cites_the_tool_s_own_words(desk: Desk) -> None:
    seen = ran(desk, "cd web && npm install zod && git commit -qm 'Add the coupon form'")

    found = [*installed(seen), *committed(seen)]

    assert [each.quote for each in found] == ["npm install zod", "Add the coupon form"]
    assert all(evidence_of(each, seen.turn, "x") for each in found)
    assert {each.said.origin for each in found} == {"tool:Bash"}


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("pip install httpx", "httpx installed with pip"),
        ("pip3 install --quiet httpx", "httpx installed with pip3"),
        ("python -m pip install httpx", "httpx installed with pip"),
        (".venv/bin/pip install httpx", "httpx installed with pip"),
        ("pipx install ruff", "ruff installed with pipx"),
        ("uv add httpx", "httpx installed with uv"),
        ("uv pip install httpx", "httpx installed with uv"),
        ("uv tool install ruff", "ruff installed with uv"),
        ("poetry add httpx", "httpx installed with poetry"),
        ("conda install -y numpy", "numpy installed with conda"),
        ("mamba install numpy", "numpy installed with mamba"),
        ("npm install zod", "zod installed with npm"),
        ("npm i -D vitest", "vitest installed with npm"),
        ("npm install --save-dev @types/node@20", "@types/node installed with npm"),
        ("pnpm add zod", "zod installed with pnpm"),
        ("yarn add zod", "zod installed with yarn"),
        ("yarn global add zod", "zod installed with yarn"),
        ("bun add zod", "zod installed with bun"),
        ("cargo add serde", "serde installed with cargo"),
        ("cargo install ripgrep", "ripgrep installed with cargo"),
        ("gem install rails", "rails installed with gem"),
        ("brew install --cask docker", "docker installed with brew"),
        ("sudo apt-get install -y jq", "jq installed with apt-get"),
        ("apt -y install jq", "jq installed with apt"),
        ("dnf install jq", "jq installed with dnf"),
        ("yum install -y jq", "jq installed with yum"),
        ("apk add --no-cache jq", "jq installed with apk"),
        ("sudo pacman -S --noconfirm jq", "jq installed with pacman"),
        ("go install example.org/lint@latest", "example.org/lint installed with go"),
        ("rustup component add clippy", "clippy installed with rustup"),
        ("composer require acme/mailer", "acme/mailer installed with composer"),
        ("winget install jq", "jq installed with winget"),
        ("choco install jq", "jq installed with choco"),
        ("snap install jq", "jq installed with snap"),
        ("flatpak install jq", "jq installed with flatpak"),
    ],
)
def test_what_a_package_program_installs_is_told(command: str, told: str, desk: Desk) -> None:
    seen = ran(desk, command)

    (found,) = installed(seen)

    assert (found.kind, found.content) == ("tool", told)


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("pip install httpx rich", "httpx, rich"),
        ("pip install 'httpx>=0.27' \"rich[jupyter]==13.1\"", "httpx, rich"),
        ("pip install httpx && pytest -q", "httpx"),
        ("pip install httpx  # for the export", "httpx"),
        ("pip install a1 b2 c3 d4 e5", "a1, b2, c3, d4"),
        ("pip install httpx > /dev/null", "httpx"),
        ("pip install httpx 2>&1 | tail -3", "httpx"),
    ],
)
def test_only_packages_are_named_and_four_at_most(command: str, names: str, desk: Desk) -> None:
    seen = ran(desk, command)

    assert contents(list(installed(seen))) == [f"{names} installed with pip"]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("conda install -c conda-forge numpy", "numpy installed with conda"),
        ("gem install rails -v 7.0", "rails installed with gem"),
        ("npm install --prefix web zod", "zod installed with npm"),
    ],
)
def test_the_value_of_an_option_is_no_package(command: str, told: str, desk: Desk) -> None:
    seen = ran(desk, command)

    assert contents(list(installed(seen))) == [told]


def test_the_version_is_told_if_the_tool_told_it(desk: Desk) -> None:
    seen = ran(desk, "pip install httpx rich", "Successfully installed h11-0.14.0 httpx-0.27.2")

    assert contents(list(installed(seen))) == ["httpx 0.27.2, rich installed with pip"]


@pytest.mark.parametrize(
    "command",
    [
        "npm install",
        "npm install 2>&1 | tail -3",
        "npm ci",
        "pip install -r requirements.txt",
        "pip install -e .",
        "pip install ./dist/shop-1.0-py3-none-any.whl",
        "pip list",
        "echo pip install httpx",
        "grep 'we pip install httpx' README.md",
        "pip install 'unbalanced",
        "pip install $PACKAGES",
    ],
)
def test_what_installs_nothing_by_name_is_not_told(command: str, desk: Desk) -> None:
    seen = ran(desk, command)

    assert contents(list(installed(seen))) == []


@pytest.mark.parametrize(
    "result",
    [
        "ERROR: Could not find a version that satisfies the requirement",
        "Collecting\nerror: externally-managed-environment",
        "bash: pip: command not found",
        "E: Unable to locate package",
        "npm ERR! code E404",
    ],
)
def test_an_installation_that_failed_is_not_told(result: str, desk: Desk) -> None:
    seen = ran(desk, "pip install httpx", result)

    assert contents(list(installed(seen))) == []


def test_a_tool_that_failed_installed_and_committed_nothing(desk: Desk) -> None:
    command = "pip install httpx && git commit -qm 'Add the coupon form'"
    seen = ran(desk, command, "Exit code 1", kind="tool_failure")

    assert [*installed(seen), *committed(seen)] == []


@pytest.mark.parametrize(
    ("command", "result"),
    [
        ("git commit -m 'Add the coupon form'", f"{DONE}Add the coupon form\n 1 file changed"),
        ("git commit -F message.txt", f"{DONE}Add the coupon form\n 1 file changed"),
        ("git commit", "[main (root-commit) 4f0c2d1] Add the coupon form"),
        ("git add -A && git commit -qm 'Add the coupon form'", ""),
        ('git -C web commit -q -m "Add the coupon form"; git push', ""),
        ("git commit -q -m 'Add the coupon form' -m 'It was asked for by many people.'", ""),
    ],
    ids=["loud", "from a file", "the first", "quiet", "elsewhere", "quiet with a body"],
)
def test_a_commit_is_told_by_its_subject(command: str, result: str, desk: Desk) -> None:
    seen = ran(desk, command, result)

    assert contents(list(committed(seen))) == ["Committed: Add the coupon form"]


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        ("Add the coupon form", "feature"),
        ("feat(cart)!: coupons in the basket", "feature"),
        ("Fix the rounding of totals", "bugfix"),
        ("fix: totals are rounded once", "bugfix"),
        ("Split the basket into lines", "refactor"),
        ("refactor: baskets know their lines", "refactor"),
        ("cart: add the coupon form", "feature"),
    ],
)
def test_a_commit_is_what_its_subject_begins_with(subject: str, kind: str, desk: Desk) -> None:
    seen = ran(desk, f"git commit -m '{subject}'", DONE + subject)

    assert [each.kind for each in committed(seen)] == [kind]


def test_every_commit_of_a_command_is_told(desk: Desk) -> None:
    result = f"{DONE}Add the coupon form\n[main 77aa001] Fix the rounding of totals"
    seen = ran(desk, "git commit -F one; git commit -F two", result)

    assert contents(list(committed(seen))) == [
        "Committed: Add the coupon form",
        "Committed: Fix the rounding of totals",
    ]


@pytest.mark.parametrize(
    "result",
    [
        "nothing to commit, working tree clean",
        "no changes added to commit",
        "fatal: not a git repository",
        "error: pathspec did not match",
        "pre-commit hook (ruff) failed",
        {"stdout": "", "stderr": "fatal: not a git repository"},
    ],
)
def test_a_commit_that_was_refused_is_not_told(result: Any, desk: Desk) -> None:
    seen = ran(desk, "git commit -m 'Add the coupon form'", result)

    assert contents(list(committed(seen))) == []


@pytest.mark.parametrize(
    "subject",
    [
        "wip: add the coupon form",
        "chore: add a linter rule",
        "docs: add a page about coupons",
        "Bump the version to 2.0",
        "Merge branch 'coupons' into main",
        "Add coupons",
        "Have another look at it",
    ],
)
def test_a_minor_commit_is_not_told(subject: str, desk: Desk) -> None:
    seen = ran(desk, "git commit -F message.txt", DONE + subject)

    assert contents(list(committed(seen))) == []


@pytest.mark.parametrize("command", ["git log -3", "git show HEAD", "cat commits.txt"])
def test_a_commit_that_is_only_shown_is_not_told(command: str, desk: Desk) -> None:
    seen = ran(desk, command, f"{DONE}Add the coupon form")

    assert contents(list(committed(seen))) == []
