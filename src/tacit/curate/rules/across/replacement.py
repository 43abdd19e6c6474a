"""Replacement: whether a statement names what it replaces, and a memory says just that.

"Use pnpm instead of npm" names npm and replaces "we use npm for installs"; "the port is 5434" names
nothing. Every word of the clause that names it must be a word of the memory, but for the new value:
a clause that says more is about something narrower. In doubt nothing is replaced.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tacit.curate.rules.across.clause_words import (
    Tokens,
    clauses_of,
    content_of,
    content_words,
    find_phrase,
    first_phrase,
    listed_contents,
    split_at,
    tokens_of,
    word_list,
)
from tacit.curate.rules.across.stance import is_denial, is_reversed, stance
from tacit.curate.rules.cues import cues
from tacit.curate.rules.words import stems
from tacit.mind import in_mind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_DOUBTS = frozenset(("maybe", "irony", "joke"))
_FROM_TO = (
    (frozenset(("from",)), frozenset(("to",))),
    (frozenset(("von", "vom")), frozenset(("auf", "zu", "zum", "nach"))),
    (frozenset(("de", "du", "del")), frozenset(("a", "\u00e0", "vers", "al", "para"))),
    (frozenset(("da", "dal")), frozenset(("a", "al"))),
)
_COMPARED = frozenset(("than", "als"))  # "not more than" ends nothing
_MOST_VALUE = 3  # words of a new value
_FEWEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Naming:
    """What a clause says no longer holds, by content words.

    *strict* are the other words of the clause, and *loose* those among which the new value is, with
    a blank for each word without content.
    """

    named: tuple[str, ...]
    strict: frozenset[str] = frozenset()
    loose: tuple[str, ...] = ()
    is_last: bool = True  # the new value is the last of the loose words
    is_ended: bool = False  # all words of the clause name what has ended
    beside: frozenset[str] = frozenset()  # the words of the other clauses


class _Known(NamedTuple):
    """A memory as it is compared with what is named."""

    tokens: Tokens
    contents: list[str]  # of each token; empty where it has none
    words: frozenset[str]
    denied: frozenset[str]
    parts: list[frozenset[str]]  # the words of each thing that it says


def names(new: str, old: str) -> int:
    """Return how many words of a memory a statement covers that replaces it; 0 if it does not."""
    if "?" in new or cues(new) & _DOUBTS:
        return 0
    if is_reversed(new, old) and _is_negation(new, old):
        return len(_known(old).words)
    return max((_covered(naming, _known(old)) for naming in _namings(new)), default=0)


def denies(text: str) -> bool:
    """Return whether a statement says of anything that it does not, or no longer, hold."""
    return bool(_namings(text) or stance(text).denied)


def _is_negation(new: str, old: str) -> bool:
    """Return whether a statement is a memory's own words, with the opposite sense."""
    theirs = _known(old).words
    if len(theirs) < _FEWEST or not _COMPARED.isdisjoint(tokens_of(new)):
        return False
    clauses = clauses_of(new)
    own = [" ".join(clause) for at, clause in enumerate(clauses) if _is_sure(clauses, at)]
    if stance(old).denied:
        return len(own) == len(clauses) and content_words(tokens_of(new)) == theirs
    return any(content_words(tokens_of(each)) == theirs and is_reversed(each, old) for each in own)


def _covered(naming: _Naming, known: _Known) -> int:
    """Return how many words of a memory are covered; 0 if it does not say what is named."""
    named, words = frozenset(naming.named), known.words
    if not named <= words or named & known.denied or not naming.strict <= words:
        return 0
    if not _has_one_value(naming, words):
        return 0
    clause = named.union(naming.strict, naming.loose) & words
    if not all(part & (clause | naming.beside) for part in known.parts):
        return 0  # it says something else as well
    is_meant = clause == words or _is_value(naming, known, clause)
    return len(clause) if is_meant else 0


def _has_one_value(naming: _Naming, words: frozenset[str]) -> bool:
    """Return whether what the memory does not have is one short phrase: the new value."""
    unknown = [at for at, word in enumerate(naming.loose) if word and word not in words]
    if not unknown:
        return True
    first, last = unknown[0], unknown[-1]
    value = frozenset(naming.loose[at] for at in unknown)
    is_one = last - first + 1 == len(unknown) <= _MOST_VALUE
    is_last = not any(naming.loose[last + 1 :])
    is_placed = is_last or not naming.is_last or all(map(_is_number, value))
    return is_one and is_placed and value.isdisjoint(listed_contents("local"))


def _is_value(naming: _Naming, known: _Known, clause: frozenset[str]) -> bool:
    """Return whether what is named is the value that a memory gives, rather than its subject."""
    if naming.is_ended:
        is_used = any(_lead(known, (word,)) == "strong" for word in naming.named)
        return is_used or _is_begun(known, clause)
    lead = _lead(known, naming.named)
    is_number = len(naming.named) >= _FEWEST and any(map(_is_number, naming.named))
    subject = (clause | (naming.beside & known.words)) - frozenset(naming.named)
    return lead == "strong" or (bool(lead) and (is_number or bool(subject)))


def _is_begun(known: _Known, clause: frozenset[str]) -> bool:
    """Return whether words are all that a memory says, up to where a place or a purpose begins."""
    last = max((n for n, word in enumerate(known.contents) if word in clause), default=-1)
    begun = [word for word in known.contents[: last + 1] if word]
    is_whole = len(begun) >= _FEWEST and clause.issuperset(begun)
    return is_whole and not any(known.contents[last + 1 : last + 2])


def _lead(known: _Known, named: tuple[str, ...]) -> str:
    """Return what is before a value: a word for use, for a place, or nothing of the kind."""
    size = len(named)
    for at in range(len(known.tokens) - size + 1):
        if tuple(known.contents[at : at + size]) != named or any(known.contents[at + size :][:1]):
            continue
        if frozenset(known.tokens[at + size :][:1]) & word_list("conjunctions"):
            continue  # one of several
        before = [word for word in known.tokens[:at] if word not in word_list("determiners")][-1:]
        after = known.tokens[at + size :][:1]
        if any(word in word_list("strong_leads") for word in before):
            return "strong"
        if any(word in word_list("use_behind") for word in after):
            return "strong"
        if any(word in word_list("weak_leads") for word in before):
            return "weak"
    return ""


@in_mind(512)
def _known(text: str) -> _Known:
    """Return what a memory says, without the reasons that it gives."""
    reasons, denied = word_list("reason_begins"), stance(text).denied
    clauses = [each for at, each in enumerate(clauses_of(text)) if not at or each[0] not in reasons]
    tokens = [token for clause in clauses for token in (*clause, ",")]
    contents = [content_of(token) for token in tokens]
    parts = [
        content_words(part)
        for clause in clauses
        for part in split_at(clause, word_list("conjunctions"))
    ]
    return _Known(
        tokens,
        contents,
        frozenset(filter(None, contents)),
        content_words([token for token in tokens if stems(token) & denied]),
        [part for part in parts if part],
    )


@in_mind(512)
def _namings(text: str) -> tuple[_Naming, ...]:
    """Return all that a statement says no longer holds."""
    clauses = clauses_of(text)
    found = []
    for at in range(len(clauses)):
        if not _is_sure(clauses, at):
            continue
        others = [each for place, each in enumerate(clauses) if place != at]
        beside = frozenset[str]().union(*map(content_words, others))
        limits = [each for each in others if each[0] in word_list("limits")]
        limit = frozenset[str]().union(*map(content_words, limits))
        for form in _FORMS:
            found += [
                replace(each, beside=beside, strict=each.strict | limit)
                for each in form(clauses, at)
                if each.named
            ]
    return tuple(found)


def _name_instead(clauses: Sequence[Tokens], at: int) -> Iterator[_Naming]:
    """Yield what "Y instead of X" and "instead of X, Y" name."""
    clause = clauses[at]
    place = find_phrase(clause, "in_place_of")
    if place is None or _has_denial(clause[: place.start]):
        return
    before, (named, rest) = clause[: place.start], first_phrase(clause[place.stop :])
    if content_words(before):
        yield _Naming(named=named, loose=_marked(before), strict=content_words(rest))
        return
    behind = (
        rest
        if content_words(rest)
        else [word for each in clauses[at + 1 : at + 2] for word in each]
    )
    cut = next((n for n, word in enumerate(behind) if word in word_list("purposes")), len(behind))
    strict = content_words(behind[cut:])
    yield _Naming(named=named, loose=_marked(behind[:cut]), strict=strict, is_last=False)


def _name_change(clauses: Sequence[Tokens], at: int) -> Iterator[_Naming]:
    """Yield what "switch from X to Y" names."""
    clause = clauses[at]
    verbs = word_list("changing")
    if verbs.isdisjoint(clause) or _has_denial(clause):
        return
    for origins, targets in _FROM_TO:
        stop = next((n for n, word in enumerate(clause) if word in targets and n), None)
        starts = [n for n, word in enumerate(clause[:stop]) if word in origins]
        if stop is None or not starts:
            continue
        named, rest = first_phrase(clause[starts[-1] + 1 : stop])
        value, behind = first_phrase(clause[stop + 1 :])
        around = [word for word in clause[: starts[-1]] + behind if word not in verbs]
        yield _Naming(named=named, loose=value, strict=content_words(rest + around))


def _name_replaced(clauses: Sequence[Tokens], at: int) -> Iterator[_Naming]:
    """Yield what "replace X with Y" and "X is replaced by Y" name."""
    clause = clauses[at]
    passive, active = find_phrase(clause, "replaced_by"), find_phrase(clause, "replacing")
    if passive is not None:
        named, rest = first_phrase(clause[: passive.start])
        value, behind = first_phrase(clause[passive.stop :])
        yield _Naming(named=named, loose=value, strict=content_words(rest + behind))
    elif active is not None and not _has_denial(clause[: active.start]):
        behind = clause[active.stop :]
        stop = next(
            (n for n, word in enumerate(behind) if word in word_list("replaced_with")), None
        )
        if stop is not None:
            (named, rest), (value, end) = (
                first_phrase(behind[:stop]),
                first_phrase(behind[stop + 1 :]),
            )
            around = content_words(clause[: active.start] + rest + end)
            yield _Naming(named=named, loose=value, strict=around)
    if "durch" in clause and clause[-1] in word_list("replaced_last") and not _has_denial(clause):
        cut = clause.index("durch")
        named, rest = first_phrase(clause[:cut])
        yield _Naming(named=named, loose=_marked(clause[cut + 1 : -1]), strict=content_words(rest))


def _name_dropped(clauses: Sequence[Tokens], at: int) -> Iterator[_Naming]:
    """Yield what "drop X" and "X is gone" name."""
    clause = clauses[at]
    dropping, gone = find_phrase(clause, "dropping"), find_phrase(clause, "gone_now")
    if dropping is not None and not _has_denial(clause[: dropping.start]):
        named, rest = first_phrase(clause[dropping.stop :])
        yield _Naming(named=named, strict=content_words(clause[: dropping.start] + rest))
    if gone is not None:
        named, rest = first_phrase(clause[: gone.start])
        yield _Naming(named=named, strict=content_words(rest + clause[gone.stop :]))


def _name_ended(clauses: Sequence[Tokens], at: int) -> Iterator[_Naming]:
    """Yield what "no longer X" and "not X any more" name."""
    clause = clauses[at]
    place = find_phrase(clause, "no_longer")
    if place is None and _has_denial(clause):
        place = find_phrase(clause, "any_more")
    if place is None or frozenset(clause[place.stop : place.stop + 1]) & _COMPARED:
        return
    is_behind = at > 0 and place.start == 0 and content_words(clauses[at - 1])
    if not is_behind:
        words = [word for n, word in enumerate(clause) if n not in place and not is_denial(word)]
        yield _Naming(named=tuple(filter(None, map(content_of, words))), is_ended=True)


def _name_denied(clauses: Sequence[Tokens], at: int) -> Iterator[_Naming]:
    """Yield what "Y, not X" and "Y, no longer X" name."""
    clause = clauses[at]
    places = [n for n, word in enumerate(clause) if is_denial(word)]
    if not places or not _COMPARED.isdisjoint(clause):
        return
    first = places[0]
    before = clauses[at - 1] if at and not content_words(clause[:first]) else clause[:first]
    is_before = first == 0 or bool(content_of(clause[first - 1]))
    is_verbless = is_before and clause[first + 1 : first + 2] != ["to"]
    if not is_verbless or not content_words(before) or _is_unsure(before) or _has_denial(before):
        return
    named, rest = first_phrase(clause[first + 1 :])
    yield _Naming(named=named, loose=_marked(before), strict=content_words(rest))


_FORMS: tuple[Callable[[Sequence[Tokens], int], Iterator[_Naming]], ...] = (
    _name_instead,
    _name_change,
    _name_replaced,
    _name_dropped,
    _name_ended,
    _name_denied,
)


def _marked(tokens: Tokens) -> tuple[str, ...]:
    return tuple(map(content_of, tokens))


def _has_denial(tokens: Tokens) -> bool:
    return any(map(is_denial, tokens))


def _is_sure(clauses: Sequence[Tokens], at: int) -> bool:
    """Return whether the speaker means a clause: it is no wish, and nobody else's word."""
    is_reported = any("said" in cues(" ".join(clause)) for clause in clauses[:at])
    return not is_reported and not _is_unsure(clauses[at])


def _is_unsure(clause: Tokens) -> bool:
    """Return whether a clause is a wish, a condition, or holds only for now."""
    return find_phrase(clause, "unsure") is not None or find_phrase(clause, "temporary") is not None


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word in listed_contents("values")
