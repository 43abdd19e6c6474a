"""Lines are told apart by their shape, whatever program printed them."""

from __future__ import annotations

import pytest

from tacit.transcript.prompt.line_shapes import (
    BLANK,
    LAID_OUT,
    LIKELY,
    ORNATE,
    PRINTED,
    SPOKEN,
    shape,
)


@pytest.mark.parametrize(
    "line",
    [
        "2031-03-04T11:20:01.123Z belt started",
        "Mar  4 11:20:01 host beltd[71]: stopped",
        "[WARN] the belt is hot",
        '  File "belt.py", line 3, in weigh',
        "    at weigh (/srv/belt/scale.ts:12:7)",
        "Caused by: java.lang.IllegalStateException: cold",
        "KeyError: 'belt'",
        "lib/belt/scale.ex:12: Belt.weigh/3",
        "| parcel | weight |",
        "+--------+--------+",
        "@@ -1,2 +1,3 @@",
        "diff --git a/belt b/belt",
        "$ make weigh",
        "}",
        '"parcel": {',
        "</div>",
        "const belt = new Belt({ size: 3 });",
        "GET /parcels HTTP/1.1",
        "BELT_SIZE=10",
        "-rw-r--r-- 1 ida ida 12 Mar 4 belt.py",
        "\u2514\u2500\u2500 scale.py",
        "Ida Moor  10:02 AM",
    ],
)
def test_what_a_program_prints_looks_printed(line: str) -> None:
    assert shape(line) == PRINTED


@pytest.mark.parametrize(
    "line",
    [
        "Please weigh the parcel again.",
        "- the scale should never round",
        "1. yes, in src/belt/scale.py",
        "Why does weigh fail?",
        "From now on use the small scale",
        "note that the belt is slow",
        "see http://localhost:3000/parcels/02624615-8b54-4a15-aecf-7248d95d39ca",
        "\u30d9\u30eb\u30c8\u304c\u6b62\u307e\u308a\u307e\u3057\u305f",
    ],
)
def test_what_a_person_types_looks_spoken(line: str) -> None:
    assert shape(line) == SPOKEN


@pytest.mark.parametrize(
    ("line", "looks"),
    [
        ("", BLANK),
        ("   ", BLANK),
        ("## Goal", LAID_OUT),
        ("- [ ] weigh it", LAID_OUT),
        ("**Why**: it is light", LAID_OUT),
        ("\u2705 All parcels weighed", ORNATE),
        ("## \U0001f680 Next", ORNATE),
        ("replicas: 2", LIKELY),
        ("return parcels => parcels.length", LIKELY),
    ],
)
def test_layout_and_code_are_told_apart(line: str, looks: int) -> None:
    assert shape(line) == looks
