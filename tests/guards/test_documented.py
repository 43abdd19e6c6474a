"""Every verb, setting, exit code and kind of secret is in the reference, and it is current."""

from __future__ import annotations

from rig import ROOT
from tacit import errors, settings_table
from tacit.cli.main import VERBS
from tacit.guard.contextrows import CONTEXT
from tacit.guard.rows import ROWS

REFERENCE = ROOT / "docs" / "reference"


def _page(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


def test_the_generated_pages_have_not_drifted() -> None:
    import importlib.util  # noqa: PLC0415

    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)

    pages: dict[str, str] = generate.pages()

    for name, text in pages.items():
        assert _page(name).splitlines() == text.splitlines()


def test_every_verb_has_help_and_a_place_in_the_reference() -> None:
    text = _page("commands.md")

    assert [verb for verb in VERBS if f"## tacit {verb}" not in text] == []


def test_every_setting_is_in_the_reference() -> None:
    text = _page("settings.md")

    assert [name for name in settings_table.DESCRIPTIONS if f"`{name}`" not in text] == []


def test_every_error_with_its_exit_code_is_in_the_reference() -> None:
    text = _page("commands.md")
    own = [
        each for each in errors.TacitError.__subclasses__() if each.__module__ == errors.__name__
    ]
    codes = {error.exit_code for error in own}

    assert [code for code in sorted(codes) if f"| {code} |" not in text] == []


def test_every_kind_of_secret_is_in_the_reference() -> None:
    text = _page("redaction.md")
    kinds = {row[0] for row in ROWS} | {row[0] for row in CONTEXT}

    assert [kind for kind in sorted(kinds) if f"`{kind}`" not in text] == []


def test_every_decision_is_short() -> None:
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))

    long = [
        file.name for file in decisions if len(file.read_text(encoding="utf-8").splitlines()) > 40
    ]

    assert decisions
    assert long == []
