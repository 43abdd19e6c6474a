"""The shape: budgets of files, functions, parameters and rooms. The exceptions may only shrink."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rig import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FILE_LINES = 400
FUNCTION_LINES = 40
PARAMETERS = 6
ROOM_FILES = 20
TOO_LONG: set[str] = set()
README_LINES = 130
LAUNCHER_LINES = 15


def _sources() -> list[Path]:
    return sorted((ROOT / "src").rglob("*.py"))


def _functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    return [
        (f"{file.relative_to(ROOT)}:{node.name}", node)
        for file in [*_sources(), *(ROOT / "tests").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_no_file_is_longer_than_its_budget() -> None:
    files = [*_sources(), *(ROOT / "tests").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]

    long = {
        str(file.relative_to(ROOT))
        for file in files
        if len(file.read_text(encoding="utf-8").splitlines()) > FILE_LINES
    }

    assert long == TOO_LONG


def test_no_function_is_longer_than_its_budget() -> None:
    long = [
        name
        for name, node in _functions()
        if (node.end_lineno or 0) - node.body[0].lineno + 1 > FUNCTION_LINES
    ]

    assert long == []


def test_no_function_takes_more_parameters_than_its_budget() -> None:
    wide = [
        name
        for name, node in _functions()
        if len([each for each in node.args.args + node.args.kwonlyargs if each.arg != "self"])
        > PARAMETERS
    ]

    assert wide == []


def test_no_room_holds_more_files_than_its_budget() -> None:
    rooms = [path for path in (ROOT / "src" / "tacit").rglob("*") if path.is_dir()]

    crowded = [room.name for room in rooms if len(list(room.glob("*.py"))) > ROOM_FILES]

    assert crowded == []


def test_every_file_opens_with_its_promise() -> None:
    silent = [
        str(file.relative_to(ROOT))
        for file in _sources()
        if not ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    ]

    assert silent == []


def test_the_readme_and_the_launcher_stay_short() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    launcher = (ROOT / "src/tacit/capture/launcher.py").read_text(encoding="utf-8").splitlines()

    assert len(readme) <= README_LINES
    assert len(launcher) <= LAUNCHER_LINES
