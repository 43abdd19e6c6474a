"""Digests: the same as everybody's, without the library of ciphers."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from tacit.digest import blake2b, sha256

TEXTS = [b"", b"tea", b"\x00\xff" * 5000]


@pytest.mark.parametrize("text", TEXTS)
def test_they_are_those_of_the_standard_library(text: bytes) -> None:
    assert sha256(text).hexdigest() == hashlib.sha256(text).hexdigest()
    ours, theirs = (
        make(text, digest_size=16, key=b"k" * 32, person=b"shop")
        for make in (blake2b, hashlib.blake2b)
    )
    assert ours.hexdigest() == theirs.hexdigest()


def test_a_daemon_does_not_load_the_library_of_ciphers() -> None:
    loaded = "tacit.compose, tacit.daemon.run, tacit.embed.local"
    code = f"import sys, {loaded}; print('_hashlib' in sys.modules)"

    ended = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert ended.stdout.strip() == "False"
