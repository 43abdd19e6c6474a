"""A clean tree: no machine paths, no scratch files, no banned names, no other project's traces."""

from __future__ import annotations

import gzip
import re
import subprocess
from typing import TYPE_CHECKING

from rig import ROOT

if TYPE_CHECKING:
    from pathlib import Path

AT_THE_ROOT = set(
    """
    .ci .gitignore AGENTS.md CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md SECURITY.md
    bench dev.lock docs pyproject.toml src tests training
    """.split()
)
BANNED_NAMES = set(
    "manager helper util utils common base core misc handler processor data info obj v2".split()
)
MACHINE_PATHS = re.compile(
    r"(?:^|[^A-Za-z0-9_])/(?:wor[k]|hom[e]/[a-z]+/(?!\.)|Users/[a-z]+)/[a-z]"
)
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|NotImplementedError)\b")


def _tracked(*below: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *below], cwd=ROOT, capture_output=True, check=True
    )
    names = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [name for name in names if name.is_file()]


def test_only_what_belongs_there_lies_at_the_root() -> None:
    lying = {file.relative_to(ROOT).parts[0] for file in _tracked()}

    assert lying <= AT_THE_ROOT


def _text(file: Path) -> str:
    """Return the text of a file; what is packed is read as well."""
    content = file.read_bytes()
    return (gzip.decompress(content) if file.suffix == ".gz" else content).decode()


def test_no_file_names_a_path_of_some_machine() -> None:
    corpus = ROOT / "tests" / "corpus"

    found = [
        str(file.relative_to(ROOT))
        for file in _tracked()
        if corpus not in file.parents
        and file.suffix != ".lock"
        and MACHINE_PATHS.search(_text(file))
    ]

    assert found == []


def test_nothing_in_the_source_is_unfinished() -> None:
    found = [
        f"{file.relative_to(ROOT)}: {match[0]}"
        for file in _tracked("src")
        if file.name != "words.py"
        for match in UNFINISHED.finditer(_text(file))
    ]

    assert found == []


def test_no_file_of_the_source_has_a_name_that_says_nothing() -> None:
    found = [str(file) for file in _tracked("src") if set(file.stem.split("_")) & BANNED_NAMES]

    assert found == []


def test_the_lock_pins_every_package_by_hash() -> None:
    lines = (ROOT / "dev.lock").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if "==" in line]

    assert pins
    assert all(line.endswith("\\") for line in pins)
    assert not [line for line in lines if "://" in line]
