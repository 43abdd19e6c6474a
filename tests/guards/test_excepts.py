"""Broad handlers stand only at the listed edges."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rig import ROOT

if TYPE_CHECKING:
    from pathlib import Path

EDGES = {
    "capture/hook.py": 2,
    "capture/launcher.py": 1,
    "capture/spool.py": 1,
    "capture/state.py": 1,
    "curate/work.py": 1,
    "daemon/line.py": 1,
}
BROAD = {"Exception", "BaseException"}


def _is_broad(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    names = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(name, ast.Name) and name.id in BROAD for name in names)


def _broad(file: Path) -> int:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return sum(isinstance(node, ast.ExceptHandler) and _is_broad(node) for node in ast.walk(tree))


def test_broad_handlers_stand_only_at_the_listed_edges() -> None:
    source = ROOT / "src" / "tacit"

    found = {
        str(file.relative_to(source)): count
        for file in source.rglob("*.py")
        if (count := _broad(file))
    }

    assert found == EDGES
