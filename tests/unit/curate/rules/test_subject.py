"""The subject: the telling words of a statement."""

from __future__ import annotations

import pytest

from tacit.curate.rules.subject import telling


@pytest.mark.parametrize("mark", ["[redacted:aws-key:1a2b]", "[private]"])
def test_a_mark_of_what_was_taken_out_tells_nothing(mark: str) -> None:
    assert "glossary" in telling(f"The glossary {mark}")
    assert telling(mark) == ()
