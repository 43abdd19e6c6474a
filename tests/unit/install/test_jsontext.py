"""Editing somebody else's JSON: what is not meant stays byte for byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.install import jsontext
from tacit.install.jsontext import NotJson

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = st.text(max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
INDENTS = st.sampled_from([None, 1, 2, 4, "\t"])
OURS = {"ours": [1, {"deep": '}]\\"'}]}
SETTINGS = """{
    "model": "opus",   // not JSON
}
"""


def spelled(value: Any, indent: Any) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False) + "\n"


@given(OBJECTS, INDENTS, st.lists(NAMES, min_size=1, max_size=3, unique=True))
def test_a_value_that_is_put_somewhere_is_there_and_all_else_as_it_was(
    known: dict[str, Any], indent: Any, path: list[str]
) -> None:
    text = spelled(known, indent)
    try:
        changed = jsontext.put(text, tuple(path), OURS)
    except NotJson:
        return  # what stands on the way is no object

    said = jsontext.value(changed)
    for name in path[:-1]:
        said = said[name]
    assert said[path[-1]] == OURS
    others = {name: value for name, value in known.items() if name != path[0]}
    assert {name: jsontext.value(changed)[name] for name in others} == others


@given(OBJECTS, INDENTS, NAMES)
def test_a_member_that_was_new_leaves_no_trace_once_it_is_dropped(
    known: dict[str, Any], indent: Any, name: str
) -> None:
    known.pop(name, None)
    text = spelled(known, indent)

    changed = jsontext.drop(jsontext.put(text, (name,), OURS), (name,))

    assert changed == text


@given(st.lists(VALUES, max_size=4), INDENTS)
def test_an_element_that_was_appended_leaves_no_trace_once_it_is_removed(
    known: list[Any], indent: Any
) -> None:
    text = spelled({"list": known}, indent)

    changed = jsontext.append(text, ("list",), OURS)
    back = jsontext.remove(changed, ("list",), lambda each: bool(each == OURS))

    assert jsontext.value(changed) == {"list": [*known, OURS]}
    assert jsontext.value(back) == {"list": [each for each in known if each != OURS]}
    assert back == text or OURS in known


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "a": [\n    1\n  ]\n}'),
        ('{"b": 1}', '{"b": 1, "a": [1]}'),
        ('{\n\t"b": 1\n}', '{\n\t"b": 1,\n\t"a": [\n\t\t1\n\t]\n}'),
        ('{\r\n    "b": 1\r\n}', '{\r\n    "b": 1,\r\n    "a": [\r\n        1\r\n    ]\r\n}'),
        (' {"a": []} ', ' {"a": [\n    1\n  ]} '),
    ],
)
def test_what_is_added_looks_like_what_is_there(text: str, expected: str) -> None:
    assert jsontext.append(text, ("a",), 1) == expected


@pytest.mark.parametrize("text", ["", "{", SETTINGS, '{"a": 1,}', "[1, 2", "{'a': 1}", "NaN,"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(NotJson):
        jsontext.put(text, ("a",), 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{\n  // mine\n  "a": 1\n}', "line 2 has a comment, and JSON knows none."),
        ("/* mine */ {}", "line 1 has a comment, and JSON knows none."),
        ('{"a": 1 # mine\n}', "line 1 has a comment, and JSON knows none."),
        ("{} // mine", "line 1 has a comment, and JSON knows none."),
        ('{\n  "a": 1,\n\n}', "line 2 ends with a comma too many."),
        ('{"a": [1, ]}', "line 1 ends with a comma too many."),
        ('{\n  "a": ', "it ends before it is complete."),
        ("{\n 'a': 1}", "line 2, column 2 is no JSON."),
        ('\ufeff{"a" 1}', "line 1, column 6 is no JSON."),
    ],
)
def test_what_is_wrong_is_told_to_whoever_wrote_it(text: str, told: str) -> None:
    with pytest.raises(NotJson) as refused:
        jsontext.value(text)

    assert str(refused.value) == told


@pytest.mark.parametrize("text", ["[]", "1", '"text"', "null"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(NotJson):
        jsontext.members(text)


@pytest.mark.parametrize("text", ['{"a": 1}', '{"a": {"b": 2}}', '{"a": "text"}'])
def test_a_list_is_not_made_of_something_else(text: str) -> None:
    with pytest.raises(NotJson, match=r"^a is no list\.$"):
        jsontext.append(text, ("a",), 1)


TWICE = '{"a": {"b": [1]}, "c": 1, "a": {"b": [2], "b": [3]}}'


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: jsontext.append(text, ("a", "b"), 3),
        lambda text: jsontext.put(text, ("a",), 3),
        lambda text: jsontext.remove(text, ("a", "b"), bool),
        lambda text: jsontext.drop(text, ("a",)),
        lambda text: jsontext.drop(text.replace('"a"', '"x"', 1), ("a", "b")),
    ],
    ids=["append", "put", "remove", "drop", "drop below"],
)
def test_of_two_members_with_one_name_neither_is_edited(edit: Callable[[str], str]) -> None:
    with pytest.raises(NotJson, match=r"^a(\.b)? stands there twice"):
        edit(TWICE)


def test_two_members_with_one_name_elsewhere_are_left_as_they_are() -> None:
    assert jsontext.put(TWICE, ("c",), 2) == TWICE.replace('"c": 1', '"c": 2')


def test_what_is_not_there_cannot_be_taken_out() -> None:
    text = '{"a": {"b": 1}}'

    assert jsontext.drop(text, ("c", "d")) == text
    assert jsontext.remove(text, ("a", "b"), bool) == text
    assert jsontext.remove(text, ("c",), bool) == text


def test_an_element_of_a_list_is_reached_by_its_place() -> None:
    text = '{"a": [0, {"b": [1, 2]}]}'

    changed = jsontext.remove(text, ("a", 1, "b"), lambda each: bool(each == 1))

    assert changed == '{"a": [0, {"b": [2]}]}'
    assert jsontext.remove(text, ("a", 2, "b"), bool) == text


@pytest.mark.parametrize("path", [("a", 0), ("a", "b", "c")])
def test_what_stands_on_the_way_and_is_of_another_shape_is_named(path: tuple[str | int]) -> None:
    with pytest.raises(NotJson, match=r"a(\.b)? is no (list|object)\."):
        jsontext.remove('{"a": {"b": 1}}', path, bool)


@pytest.mark.parametrize("text", ['\ufeff{"a": [1]}', '\ufeff{\r\n  "a": [1]\r\n}\r\n'])
def test_a_mark_before_everything_else_stays_there(text: str) -> None:
    changed = jsontext.put(jsontext.append(text, ("a",), 2), ("b",), 3)

    assert changed.startswith("\ufeff{")
    assert jsontext.value(changed) == {"a": [1, 2], "b": 3}
    back = jsontext.drop(jsontext.remove(changed, ("a",), lambda each: bool(each == 2)), ("b",))
    assert back == text
