"""`tacit redact`: a filter of bytes that takes out secrets and changes nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tacit.cli.main import tacit

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program

TOLD = b"Vq7-tulip-Lamp42"


def test_a_secret_is_marked_and_the_rest_stays(home: Home) -> None:
    del home  # its own
    text = b"The staging password is " + TOLD + b".\nAnd tea.\n"

    shown = CliRunner().invoke(tacit, ["redact"], input=text).stdout_bytes

    before, _, rest = shown.partition(b"[redacted:")
    assert (before, rest[-11:]) == (b"The staging password is ", b".\nAnd tea.\n")


def test_equal_secrets_get_equal_marks(home: Home) -> None:
    del home  # its own
    line = b"The staging password is " + TOLD + b".\n"

    shown = CliRunner().invoke(tacit, ["redact"], input=line * 2).stdout_bytes

    first, second = shown.splitlines()
    assert (first, TOLD in shown) == (second, False)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(bytes(range(256)), id="every byte"),
        pytest.param(b"\xff\xfe\x00\r\n\r\n\n", id="no text at all"),
        pytest.param("Grüße, 世界\r\n".encode(), id="no line ending is changed"),
    ],
)
def test_what_holds_no_secret_comes_out_as_it_went_in(text: bytes, program: Program) -> None:
    ended = program("redact", input=text)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, text, b"")


def test_binary_around_a_secret_is_kept(program: Program) -> None:
    ended = program("redact", input=b"\xff\x00 password = " + TOLD + b"\n\xfe")

    kept = ended.stdout
    assert (kept[:13], kept[-2:], TOLD in kept) == (b"\xff\x00 password =", b"\n\xfe", False)
