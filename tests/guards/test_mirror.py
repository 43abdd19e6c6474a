"""Each source file has its unit test; the exceptions may only shrink."""

from __future__ import annotations

from rig import ROOT

# Types, data, entry points and what only a process can show (tests/flow).
WITHOUT = {
    "__main__.py": "tests/unit/cli/test_main.py",
    "app.py": "tests/unit/verbs",
    "verbs/parts.py": "tests/unit/verbs",
    "store/memory_port.py": "tests/contract",
    "store/told_port.py": "tests/contract/test_told.py",
    "guard/engine.py": "types only",
    "guard/index.py": "tests/unit/guard/test_build_index.py",
    "guard/words.py": "tests/unit/guard/test_judge.py",
    "store/port.py": "tests/contract",
    "capture/hook.py": "tests/flow",
    "capture/launcher.py": "tests/flow/test_hook_orphaned.py",
}


def test_each_source_file_has_its_unit_test() -> None:
    source = ROOT / "src" / "tacit"
    files = [file.relative_to(source) for file in source.rglob("*.py")]

    missing = [
        str(file)
        for file in files
        if file.name != "__init__.py"
        and str(file) not in WITHOUT
        and not (ROOT / "tests" / "unit" / file.parent / f"test_{file.name}").exists()
    ]

    assert missing == []


def test_no_exception_is_out_of_date() -> None:
    source = ROOT / "src" / "tacit"

    gone = [name for name in WITHOUT if not (source / name).exists()]

    assert gone == []
