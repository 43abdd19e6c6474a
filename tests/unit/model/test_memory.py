"""A memory: its kind says whether it guides behaviour, and what is out of bounds is refused.

Ids are made of what they name: the same wherever and whenever they are made, in order of time.
"""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from contract.memories import fact
from tacit.errors import MemoryRefused
from tacit.model.memory import (
    ALIASES,
    BEHAVIOURAL,
    INFORMATIONAL,
    KINDS,
    Memory,
    confidence_of,
    content_of,
    identity,
    importance_of,
    kind_of,
    tags_of,
    trust,
)

MILLISECOND = 1_000_000
LAST_MS = (1 << 48) - 1
TIMES = st.integers(-(2**70), 2**100)
PARTS = st.lists(st.text(max_size=6), max_size=4)


def number(name: str) -> UUID:
    return UUID(name.removeprefix("mem-"))


def test_the_kinds_are_those_of_the_glossary() -> None:
    assert set(BEHAVIOURAL) == set("preference instruction correction pattern".split())
    assert set(INFORMATIONAL) == set(
        "fact context decision discovery bugfix feature refactor tool".split()
    )


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_itself(name: str) -> None:
    assert kind_of(name) == name


@pytest.mark.parametrize(
    ("alias", "kind"),
    [
        ("insight", "discovery"),
        ("tool_install", "tool"),
        ("project", "context"),
        ("conversation", "context"),
        ("general", "context"),
        ("learning", "fact"),
    ],
)
def test_an_alias_stands_for_its_kind(alias: str, kind: str) -> None:
    assert kind_of(alias) == kind


def test_there_is_no_alias_but_those_of_the_glossary() -> None:
    assert set(ALIASES) == set("insight tool_install project conversation general learning".split())


@pytest.mark.parametrize("name", ["", "Fact", "facts", " fact", "fact\0", "behavioral", "\ud800"])
def test_what_is_no_kind_is_refused_and_the_kinds_are_named(name: str) -> None:
    with pytest.raises(MemoryRefused) as refused:
        kind_of(name)

    said = str(refused.value)
    assert said.endswith(
        "is no kind of memory. Use one of preference, instruction, correction, pattern, fact, "
        "context, decision, discovery, bugfix, feature, refactor or tool."
    )


def test_a_refused_kind_is_shown_on_one_line_without_what_could_fool_a_reader() -> None:
    with pytest.raises(MemoryRefused, match=r"^'no kind' is no kind of memory\."):
        kind_of("no\n\x1b[31mkind\u202e")


@pytest.mark.parametrize("kind", KINDS)
def test_whether_a_memory_guides_behaviour_follows_from_its_kind(kind: str) -> None:
    made = fact("mem-1", kind=kind)

    assert made.behavioral == (kind in BEHAVIOURAL)


def test_nobody_can_claim_that_a_memory_guides_behaviour() -> None:
    made = fact("mem-1")

    assert "behavioral" not in {each.name for each in fields(Memory)}
    with pytest.raises(TypeError):
        fact("mem-1", behavioral=True)
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        made.behavioral = True  # type: ignore[misc]


@pytest.mark.parametrize(
    ("origin", "is_trusted"),
    [
        ("owner", True),
        ("user", True),
        ("agent", False),
        ("assistant", False),
        ("tool:Bash", False),
        ("tool", False),
        ("system", False),
        ("", False),
        ("user ", False),
        ("owner:x", False),
    ],
)
def test_only_the_words_of_user_and_owner_are_trusted(origin: str, *, is_trusted: bool) -> None:
    made = fact("mem-1", origin=origin)

    assert made.is_trusted is is_trusted


def test_the_words_of_the_owner_weigh_most_and_those_of_tools_least() -> None:
    origins = ["owner", "user", "agent", "assistant", "tool:Bash"]

    assert sorted(origins, key=trust, reverse=True) == origins
    assert trust("tool:Bash") == trust("system") == trust("anybody") == 0


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("as it is", "as it is"),
        ("  on\n two\t lines ", "on two lines"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\ud800b", "a\ufffdb"),
        ("a" * 2000, "a" * 2000),
        ("a" + "\n" * 5000 + "b", "a b"),
        ("日" * 2000, "日" * 2000),
    ],
)
def test_the_text_of_a_memory_is_kept_on_one_line(text: str, content: str) -> None:
    assert content_of(text) == content


@pytest.mark.parametrize("text", ["", " ", "\n\t\u2028", "\x1b[31m", "\u200b\ufeff", "\0"])
def test_a_memory_without_words_is_refused(text: str) -> None:
    with pytest.raises(MemoryRefused) as refused:
        content_of(text)

    assert str(refused.value) == ("A memory needs words: the text is empty. Say what to remember.")


@pytest.mark.parametrize("size", [2001, 100_000])
def test_a_memory_that_is_too_long_is_refused(size: int) -> None:
    with pytest.raises(MemoryRefused) as refused:
        content_of("a" * size)

    assert str(refused.value) == (
        f"The text has {size} characters, a memory at most 2000. "
        "Say it shorter, or as several memories."
    )


@given(text=st.text(max_size=40))
def test_a_text_that_was_taken_once_is_taken_as_it_is(text: str) -> None:
    try:
        content = content_of(text)
    except MemoryRefused:
        assume(False)  # noqa: FBT003  (how hypothesis skips an example)

    assert content_of(content) == content
    assert content.splitlines() == [content]


@pytest.mark.parametrize(
    ("names", "tags"),
    [
        ([], ()),
        (["b", "a", "b"], ("b", "a")),
        ([" a\nb ", "a b"], ("a b",)),
        (["x" * 50], ("x" * 50,)),
        (list("abcdefghij"), tuple("abcdefghij")),
        (["a"] * 11, ("a",)),
        (("A", "a"), ("A", "a")),
    ],
)
def test_tags_are_kept_each_once_and_in_order(names: list[str], tags: tuple[str, ...]) -> None:
    assert tags_of(names) == tags


def test_an_eleventh_tag_is_refused() -> None:
    with pytest.raises(MemoryRefused) as refused:
        tags_of(list("abcdefghijk"))

    assert str(refused.value) == "There are 11 tags, at most 10 are kept. Use fewer."


@pytest.mark.parametrize(("tag", "size"), [("x" * 51, 51), ("", 0), (" \n", 0), ("\u200b", 0)])
def test_a_tag_that_is_empty_or_too_long_is_refused(tag: str, size: int) -> None:
    with pytest.raises(MemoryRefused) as refused:
        tags_of(["fine", tag])

    assert str(refused.value) == (f"A tag has 1 to 50 characters, this one has {size}. Change it.")


@pytest.mark.parametrize("importance", [1, 2, 3, 4, 5])
def test_an_importance_is_itself(importance: int) -> None:
    assert importance_of(importance) == importance


@pytest.mark.parametrize("importance", [0, 6, -1, 2**80])
def test_an_importance_out_of_bounds_is_refused(importance: int) -> None:
    with pytest.raises(MemoryRefused) as refused:
        importance_of(importance)

    assert str(refused.value) == (
        f"Importance goes from 1 to 5, not {importance}. Choose one of these."
    )


@pytest.mark.parametrize("confidence", [0.0, 0.5, 1.0, 0, 1])
def test_a_confidence_is_itself(confidence: float) -> None:
    assert confidence_of(confidence) == confidence


@pytest.mark.parametrize("confidence", [-0.01, 1.01, math.inf, -math.inf, math.nan])
def test_a_confidence_out_of_bounds_is_refused(confidence: float) -> None:
    with pytest.raises(MemoryRefused, match=r"^Confidence goes from 0 to 1, not .*\. Choose one"):
        confidence_of(confidence)


@given(at=TIMES, parts=PARTS)
def test_an_id_is_the_same_whenever_it_is_made(at: int, parts: list[str]) -> None:
    assert identity("mem", at, *parts) == identity("mem", at, *parts)


def test_the_form_of_an_id_stays_as_it_is() -> None:
    made = identity("mem", 1_790_000_000_000_000_000, "evt-1", "0", "the words", "fact")

    assert made == "mem-01a0c450-6c00-7f45-bde0-4be4d3e6f6c1"


@given(at=TIMES, parts=PARTS)
def test_an_id_is_a_uuid_of_version_7(at: int, parts: list[str]) -> None:
    made = number(identity("mem", at, *parts))

    assert (made.version, made.variant) == (7, "specified in RFC 4122")
    assert made.int >> 80 == min(max(at // MILLISECOND, 0), LAST_MS)


@given(
    earlier=st.integers(0, LAST_MS - 1),
    apart=st.integers(1, LAST_MS),
    rest=st.tuples(*[st.integers(0, MILLISECOND - 1)] * 2),
    parts=st.tuples(PARTS, PARTS),
)
def test_ids_sort_by_time(
    earlier: int, apart: int, rest: tuple[int, int], parts: tuple[list[str], list[str]]
) -> None:
    later = min(earlier + apart, LAST_MS)

    first = identity("mem", earlier * MILLISECOND + rest[0], *parts[0])
    second = identity("mem", later * MILLISECOND + rest[1], *parts[1])

    assert first < second


@pytest.mark.parametrize("at", [-1, -(2**63), -(10**30)])
def test_a_time_before_all_time_is_the_first(at: int) -> None:
    assert identity("mem", at, "a") == identity("mem", 0, "a")


@pytest.mark.parametrize("at", [(LAST_MS + 1) * MILLISECOND, 10**30])
def test_a_time_after_all_time_is_the_last(at: int) -> None:
    assert identity("mem", at, "a") == identity("mem", LAST_MS * MILLISECOND, "a")


@given(at=TIMES, parts=PARTS, others=PARTS)
def test_other_parts_make_another_id(at: int, parts: list[str], others: list[str]) -> None:
    assume(parts != others)

    assert identity("mem", at, *parts) != identity("mem", at, *others)


@pytest.mark.parametrize(
    ("parts", "others"),
    [
        (("ab", "c"), ("a", "bc")),
        (("a", ""), ("a",)),
        (("1:a",), ("a",)),
        (("a1:b",), ("a", "b")),
        (("\ud83d\ude00",), ("\U0001f600",)),
    ],
)
def test_parts_that_look_alike_when_joined_make_other_ids(
    parts: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert identity("mem", 0, *parts) != identity("mem", 0, *others)


@given(at=st.integers(0, 2**62), parts=st.sets(st.text(max_size=6), min_size=2))
def test_of_one_moment_no_two_ids_are_the_same(at: int, parts: set[str]) -> None:
    made = {identity("mem", at, part) for part in parts}

    assert len(made) == len(parts)


@pytest.mark.parametrize("prefix", ["mem", "evi", "act"])
def test_an_id_says_what_it_names(prefix: str) -> None:
    made = identity(prefix, 0, "a")

    assert made == f"{prefix}-{number(identity('mem', 0, 'a'))}"


@pytest.mark.parametrize("change", [{"state": "forgotten"}, {"content": "other"}])
def test_a_memory_is_never_changed_in_place(change: dict[str, Any]) -> None:
    made = fact("mem-1")

    other = replace(made, **change)

    assert other != made == fact("mem-1")
    with pytest.raises(FrozenInstanceError):
        made.state = "forgotten"  # type: ignore[misc]
