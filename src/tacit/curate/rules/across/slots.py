"""Slots: whether two statements give different values to the same attribute of the same subject.

A slot has one value: a port, a day, a limit, where something runs, who owns it. Numbers, times,
days, versions and addresses are values by their form; a name is one where the words around it are
the same. A word more before the subject ("backup server") is another subject.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tacit.curate.rules.across.clause_words import (
    Tokens,
    clauses_of,
    content_of,
    find_phrase,
    split_at,
    tokens_of,
    word_list,
)
from tacit.curate.rules.across.stance import is_reversed
from tacit.curate.rules.cues import cues
from tacit.curate.rules.dates import DAY_NAMES
from tacit.mind import in_mind

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABEL = re.compile(r":(?=\s)")
_THOUSANDS = re.compile(r"(?<=\d)[,'\u2019](?=\d{3}\b)|(?<![\w.])[$\u00a3\u20ac]\s?(?=\d)")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d+)?")
_CLOCK = re.compile(r"\d{1,2}:\d\d(?:am|pm)?|\d{1,2}(?:am|pm)")
_VERSION = re.compile(r"v?\d+\.\d+(?:\.\d+)*")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}(?:/\d{2,4})?")
_HOST = re.compile(r"[a-z][\w-]*(?:\.[\w-]+)*\.[a-z]{2,}(?:[:/][\w./-]*)?")
_COUNT = re.compile(r"(\d+)([a-z%]{0,3})")
# a name: with a capital inside a sentence, or with signs as identifiers have them
_PROPER = re.compile(r"\b[A-Z][\w-]*\b|\b\w+(?:[-_/]\w+)+\b")
_DOUBTS = frozenset(("maybe", "irony", "joke", "said", "once"))
_CHANGES = frozenset(("turn", "change"))
_MOST_NAME = 3  # tokens of a value that is a name
_FEWEST = 2


class Value(NamedTuple):
    """A value by its form: what sort it is, in which unit, and what it is."""

    sort: str
    unit: str
    value: str


class Clause(NamedTuple):
    """A clause as its slot is compared: its values, and the words of its subject in order."""

    values: tuple[Value, ...]
    subject: tuple[str, ...]  # empty where a word has no content
    is_all: bool  # the statement says nothing else


def is_same_slot(new: str, old: str) -> bool:
    """Return whether a statement gives another value to what another statement is about."""
    if is_reversed(new, old) or cues(new) & _DOUBTS:
        return False
    is_typed = any(
        _fills(ours, theirs) and not _is_partial(ours, theirs)
        for ours in clauses_with_values(new)
        for theirs in _whole(old)
    )
    return is_typed or (_has_other_name(new, old) and bool(cues(new) & _CHANGES))


def may_be_same_slot(new: str, old: str) -> bool:
    """Return whether a statement may give another value to one thing: it is not certain."""
    typed = clauses_with_values(new), clauses_with_values(old)
    is_part = any(_fills(ours, theirs, is_part=True) for ours in typed[0] for theirs in typed[1])
    return not is_reversed(new, old) and (is_part or _has_other_name(new, old))


def with_value(old: str, new: str) -> str:
    """Return a statement with the value that a terse answer gives in its place; or nothing.

    "No, 5434" answers "postgres is on 5432": each has one value, and both are of one sort.
    """
    ours = [value for clause in clauses_with_values(new) for value in clause.values]
    theirs = [value for clause in clauses_with_values(old) for value in clause.values]
    if len(ours) == 1 and len(theirs) == 1 and _differ(ours[0], theirs[0]):
        return _put(old, theirs[0].value, ours[0].value)
    named, names = _PROPER.findall(new), _PROPER.findall(old)[1:]
    is_name = not ours and len(named) == 1 and bool(names) and not theirs
    return _put(old, names[-1], named[0]) if is_name else ""


def _put(text: str, value: str, instead: str) -> str:
    """Return a text with another value in the place of one; nothing if it is not there once."""
    found = [*re.finditer(rf"(?<![\w.]){re.escape(value)}(?![\w])", text, re.IGNORECASE)]
    if not found:
        return ""
    return text[: found[-1].start()] + instead + text[found[-1].end() :]


@in_mind(512)
def clauses_with_values(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a statement that give values."""
    told = list(_told(_plain(text)))
    found = []
    for tokens in told:
        values, places = _values(tokens)
        if values:
            words = [
                "" if at in places or _is_generic(token) else content_of(token)
                for at, token in enumerate(tokens)
            ]
            is_all = sum(any(map(content_of, each)) for each in told) == 1
            found.append(Clause(values, tuple(words), is_all))
    return tuple(found)


def _told(text: str) -> Iterator[Tokens]:
    """Yield the clauses of a statement without the reasons that it gives."""
    for at, clause in enumerate(clauses_of(text)):
        is_result = clause[0] in word_list("results_inside")
        if at and clause[0] in word_list("reason_begins") and not is_result:
            continue
        for part in split_at(clause, word_list("results_inside")):
            told = split_at(part, word_list("reasons_inside"))[0]
            if told:
                yield told


def _plain(text: str) -> str:
    """Return a text without signs inside numbers; a label is part of its clause."""
    return _LABEL.sub("", _THOUSANDS.sub("", text))


def _whole(text: str) -> list[Clause]:
    """Return the clause of a statement that says nothing else."""
    return [each for each in clauses_with_values(text) if each.is_all]


def _values(tokens: Tokens) -> tuple[tuple[Value, ...], set[int]]:
    """Return the values of a clause, and where they are; one that is denied is none."""
    values: list[Value] = []
    places: set[int] = set()
    for at, token in enumerate(tokens):
        behind = tokens[at + 1] if at + 1 < len(tokens) else ""
        before = tokens[at - 1] if at else ""
        value = _value(token, before, behind)
        if value is None:
            continue
        if not _is_led(tokens, at, value):
            continue  # it names the subject: "order 55 is paid"
        places.add(at)
        places |= {at + 1} if value.unit and value.unit == _unit(behind) else set()
        if before not in word_list("contrasts") and before not in word_list("from_leads"):
            values.append(value)
    return tuple(values), places


def _is_led(tokens: Tokens, at: int, value: Value) -> bool:
    """Return whether a value stands where one is given: behind its verb, or last in its clause."""
    verbs = word_list("being") | word_list("state_verbs")
    if verbs.isdisjoint(tokens[:at]) and not verbs.isdisjoint(tokens[at + 1 :]):
        return False
    passed = word_list("determiners") | word_list("value_sorts") | {"every", "only", "about"}
    before = next((word for word in reversed(tokens[:at]) if word not in passed), "")
    if before in word_list("naming_leads"):
        return False
    is_last = at + 1 + bool(value.unit) >= len(tokens)
    leads = ("weak_leads", "being", "state_verbs", "setting", "value_leads")
    return is_last or not before or any(before in word_list(name) for name in leads)


def _value(token: str, before: str, behind: str) -> Value | None:
    for sort, form in _FORMS:
        if form.fullmatch(token):
            return Value(sort, "", token)
    if token.removesuffix("s") in DAY_NAMES:
        return Value("day", "", token.removesuffix("s"))
    if token in word_list("month_names") and (before.isdigit() or behind.isdigit()):
        return None  # its day is the value
    number = str(_NUMBERS[token]) if token in _NUMBERS else token
    count = _COUNT.fullmatch(number)
    if count is None:
        return None
    if {before, behind} & word_list("month_names"):
        month = behind if behind in word_list("month_names") else before
        return Value("date", "", f"{count[1]} {month}")
    return Value("number", _unit(count[2]) or _unit(behind), count[1])


def _unit(token: str) -> str:
    """Return the unit that a word names, the same for all its forms."""
    return token.removesuffix("s")[:3] if token in word_list("units") else ""


def _is_generic(token: str) -> bool:
    """Return whether a word says that something changes or is there, or what sort its value is."""
    lists = ("changing", "setting", "state_verbs", "value_sorts", "month_names", "being")
    return any(token in word_list(name) for name in lists)


def _fills(ours: Clause, theirs: Clause, *, is_part: bool = False) -> bool:
    """Return whether two clauses give different values to one slot, or to part of it."""
    if not any(_differ(one, other) for one in ours.values for other in theirs.values):
        return False
    if set(ours.values) & set(theirs.values):
        return False  # the value that both give is what they are about, or still holds
    mine, other = ({word for word in each.subject if word} for each in (ours, theirs))
    is_one = bool(mine) and bool(other) and (mine <= other or other <= mine)
    if is_part or not is_one:
        return is_one
    return not _is_narrower(ours, other) and not _is_narrower(theirs, mine)


def _is_partial(ours: Clause, theirs: Clause) -> bool:
    """Return whether a clause gives several values of a sort, of which another one is new."""
    sorts = [value.sort for value in theirs.values]
    return any(sorts.count(value.sort) > 1 for value in ours.values)


def _differ(one: Value, other: Value) -> bool:
    is_sort = one.sort == other.sort and (one.unit == other.unit or not (one.unit and other.unit))
    return is_sort and one.value != other.value


def _is_narrower(clause: Clause, shared: set[str]) -> bool:
    """Return whether a clause is about less: it has words that the other does not have.

    A word right behind one that both have is its noun ("Grafana dashboard") and limits nothing.
    """
    pairs = zip(("", *clause.subject), clause.subject, strict=False)
    return any(word and word not in shared and before not in shared for before, word in pairs)


def _has_other_name(new: str, old: str) -> bool:
    """Return whether two statements differ only in a name that has the place of a value."""
    ours, theirs = _bare(new), _bare(old)
    start = 0
    while start < min(len(ours), len(theirs)) and ours[start] == theirs[start]:
        start += 1
    stop = 0
    most = min(len(ours), len(theirs)) - start
    while stop < most and ours[-1 - stop] == theirs[-1 - stop]:
        stop += 1
    names = ours[start : len(ours) - stop], theirs[start : len(theirs) - stop]
    if not all(0 < len(each) <= _MOST_NAME for each in names):
        return False
    same = ours[:start], ours[len(ours) - stop :]
    if not start:  # who owns it, in front of it
        return bool(same[1]) and same[1][0] in word_list("owner_verbs")
    is_led = same[0][-1] in word_list("weak_leads") | word_list("strong_leads")
    subject = [word for word in (*same[0][:-1], *same[1]) if content_of(word)]
    return is_led and len(subject) >= 1


def _bare(text: str) -> Tokens:
    """Return the tokens of a statement without determiners and words of change."""
    change = find_phrase
    tokens = [token for token in tokens_of(_plain(text)) if token[0].isalnum()]
    for name in ("change_marks",):
        while (found := change(tokens, name)) is not None:
            del tokens[found.start : found.stop]
    return [token for token in tokens if token not in word_list("determiners")]


_FORMS = (
    ("address", _ADDRESS),
    ("clock", _CLOCK),
    ("version", _VERSION),
    ("date", _DATE),
    ("host", _HOST),
)
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
)
_NUMBERS = {word: number for number, word in enumerate(_WORDS.split())} | {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
    "hundred": 100,
}
