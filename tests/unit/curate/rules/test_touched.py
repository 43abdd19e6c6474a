"""Files that tools touched: read or edited, named from where the work is done, failures not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.extract import Context
from tacit.curate.reading import read
from tacit.curate.rules.touched import touched
from tacit.curate.rules.view import Act, view

if TYPE_CHECKING:
    from unit.curate.saying import Desk


def used(
    desk: Desk, tool: str, kind: str = "tool_use", where: str = "/srv/shop", **given: Any
) -> Act:
    """Return one use of a tool, in the folder of the shop if nothing else is said."""
    name = desk.prompt("Go on.")
    payload = {"tool_input": given, "cwd": where}
    desk.append(kind, payload, turn=name, tool=tool, origin=f"tool:{tool}")
    told = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
    assert told is not None
    return view(told, Context()).acts[0]


@pytest.mark.parametrize("tool", ["Read", "mcp__docs__get_page", "mcp__sheets__query_rows"])
def test_a_tool_that_reads_has_read_its_file(tool: str, desk: Desk) -> None:
    act = used(desk, tool, file_path="/srv/shop/src/cart.py")

    assert touched(act) == (("src/cart.py",), ())


@pytest.mark.parametrize(
    "tool", ["Edit", "Write", "MultiEdit", "mcp__docs__append_text", "mcp__files__get_or_create"]
)
def test_a_tool_that_writes_has_edited_its_file(tool: str, desk: Desk) -> None:
    act = used(desk, tool, file_path="/srv/shop/src/cart.py")

    assert touched(act) == ((), ("src/cart.py",))


@pytest.mark.parametrize(
    ("where", "path", "name"),
    [
        ("/srv/shop", "/srv/shop/src/cart.py", "src/cart.py"),
        ("/srv/shop/src", "/srv/shop/src/cart.py", "src/cart.py"),
        ("/srv/shop/src", "cart.py", "src/cart.py"),
        ("/srv/shop/src", "./cart.py", "src/cart.py"),
        ("/srv/elsewhere", "/srv/shop/src/cart.py", "src/cart.py"),
        ("/srv/tree", "/srv/tree/cart.py", "cart.py"),
        ("/srv/tree", "cart.py", "cart.py"),
        ("/srv/shop", "/etc/hosts.txt", "/etc/hosts.txt"),
    ],
)
def test_a_file_is_named_from_the_root_of_the_project_wherever_a_command_went(
    where: str, path: str, name: str, desk: Desk
) -> None:
    act = used(desk, "Edit", where=where, file_path=path)

    assert touched(act, "/srv/shop") == ((), (name,))


def test_a_notebook_is_a_file(desk: Desk) -> None:
    act = used(desk, "NotebookEdit", notebook_path="/srv/shop/sales.ipynb")

    assert touched(act) == ((), ("sales.ipynb",))


@pytest.mark.parametrize("tool", ["Bash", "Grep", "WebFetch", "mcp__chat__post", "", "Reader"])
def test_any_other_tool_touches_nothing(tool: str, desk: Desk) -> None:
    act = used(desk, tool, file_path="/srv/shop/src/cart.py", path="src/cart.py")

    assert touched(act) == ((), ())


def test_a_tool_that_failed_touched_nothing(desk: Desk) -> None:
    act = used(desk, "Edit", "tool_failure", file_path="/srv/shop/src/cart.py")

    assert touched(act) == ((), ())


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("/srv/shop/a b.txt", "a b.txt"),
        ("/srv/shop/./cart.py", "cart.py"),
        ("/srv/shopping/cart.py", "/srv/shopping/cart.py"),
        ("/etc/hosts.allow", "/etc/hosts.allow"),
        ("./src/cart.py", "src/cart.py"),
        ("src/cart.py", "src/cart.py"),
        (" src/cart.py\n", "src/cart.py"),
        ("src/Makefile", "src/Makefile"),
        ("Straße/日本.md", "Straße/日本.md"),
    ],
)
def test_a_file_is_named_from_where_the_work_is_done(path: str, named: str, desk: Desk) -> None:
    act = used(desk, "Read", file_path=path)

    assert touched(act) == ((named,), ())


@pytest.mark.parametrize("value", ["", "src/*.py", "a page", None, 7, ["src/cart.py"], {"a": 1}])
def test_what_names_no_file_is_left_out(value: Any, desk: Desk) -> None:
    act = used(desk, "Read", path=value)

    assert touched(act) == ((), ())


def test_every_file_is_named_once_in_order(desk: Desk) -> None:
    act = used(desk, "mcp__docs__compare", left="b.md", right="a.md", path="b.md")

    assert touched(act) == (("b.md", "a.md"), ())


def test_a_tool_that_says_not_where_it_works_keeps_the_path(desk: Desk) -> None:
    name = desk.prompt("Go on.")
    given = {"tool_input": {"file_path": "/srv/shop/cart.py"}}
    desk.append("tool_use", given, turn=name, tool="Read")
    told = read(desk.transcript.of_session("s-1", name), 9)
    assert told is not None

    assert touched(view(told, Context()).acts[0]) == (("/srv/shop/cart.py",), ())
