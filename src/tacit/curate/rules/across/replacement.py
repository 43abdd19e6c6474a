"""Replacement: whether a statement names what it replaces, and a memory says just that.

"Use pnpm instead of npm" names npm and replaces "we use npm for installs"; "the port is 5434" names
nothing. Every word of the clause that names it must be a word of the memory, but for the new value:
a clause that says more is about something narrower. A memory that says more than the clause is
about something narrower, too (`known_memory.py`). In doubt nothing is replaced.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.curate.rules.across.clause_words import (
    Tokens,
    clauses_of,
    content_of,
    content_words,
    find_phrase,
    first_phrase,
    listed_contents,
    tokens_of,
    word_list,
)
from tacit.curate.rules.across.known_memory import (
    KnownMemory,
    find_lead,
    is_narrower,
    known_memory,
    qualifiers_of,
)
from tacit.curate.rules.across.stance import is_denial, is_reversed, stance
from tacit.curate.rules.cues import cues
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
_MOST_VALUE, _MOST_BARE = 3, 2  # words of a new value, with a word such as "use" before and without
_FEWEST = 2
_LEAD = "+"
_LABEL = re.compile(r"\s*([\w'/ -]{1,40}):\s+(?=\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Naming:
    """What a clause says no longer holds, by content words.

    *strict* are the other words of the clause, and *loose* those among which the new value is, with
    a blank for each word without content, and a mark for one such as "use".
    """

    named: tuple[str, ...]
    strict: frozenset[str] = frozenset()
    loose: tuple[str, ...] = ()
    is_last: bool = True  # the new value is the last of the loose words
    is_ended: bool = False  # all words of the clause name what has ended
    beside: frozenset[str] = frozenset()  # the words of the other clauses


def names(new: str, old: str) -> int:
    """Return how many words of a memory a statement covers that replaces it; 0 if it does not."""
    if "?" in new or cues(new) & _DOUBTS or not known_memory(old).qualifiers <= qualifiers_of(new):
        return 0
    if is_reversed(new, old) and _is_negation(new, old):
        return len(known_memory(old).words)
    return max((_covered(naming, known_memory(old)) for naming in _namings(new)), default=0)


def names_outdated(text: str) -> bool:
    """Return whether a statement names anything that no longer holds, rather than denies it."""
    if "?" in text or cues(text) & _DOUBTS:
        return False
    clauses = _clauses(text)
    sure = [at for at in range(len(clauses)) if _is_sure(clauses, at)]
    forms = [form for form in _FORMS if form is not _name_denied]
    return any(each.named for at in sure for form in forms for each in form(clauses, at))


def denies(text: str) -> bool:
    """Return whether a statement says of anything that it does not, or no longer, hold."""
    return bool(_namings(text) or stance(text).denied)


def _is_negation(new: str, old: str) -> bool:
    """Return whether a statement is a memory's own words, with the opposite sense."""
    theirs = known_memory(old).words
    if len(theirs) < _FEWEST or not _COMPARED.isdisjoint(tokens_of(new)):
        return False
    clauses = _clauses(new)
    own = [
        " ".join(clause)
        for at, clause in enumerate(clauses)
        if _is_sure(clauses, at) and _limits(clauses, at) <= theirs
    ]
    if stance(old).denied:
        return len(own) == len(clauses) and content_words(tokens_of(new)) == theirs
    return any(content_words(tokens_of(each)) == theirs and is_reversed(each, old) for each in own)


def _covered(naming: _Naming, known: KnownMemory) -> int:
    """Return how many words of a memory are covered; 0 if it does not say what is named."""
    named, words = frozenset(naming.named), known.words
    if not named <= words or named & known.denied or not naming.strict <= words:
        return 0
    if not _has_one_value(naming, words):
        return 0
    clause = named.union(naming.strict, naming.loose) & words
    if not all(part & (clause | naming.beside) for part in known.parts):
        return 0  # it says something else as well
    told = clause | naming.beside if clause == named else clause
    if is_narrower(known, naming.named, told):
        return 0
    is_meant = clause == words or _is_value(naming, known, clause)
    return len(clause) if is_meant else 0


def _has_one_value(naming: _Naming, words: frozenset[str]) -> bool:
    """Return whether what the memory does not have is one short phrase: the new value."""
    loose = ["" if word == _LEAD else word for word in naming.loose]
    unknown = [at for at, word in enumerate(loose) if word and word not in words]
    if not unknown:
        return True
    first, last = unknown[0], unknown[-1]
    value = frozenset(loose[at] for at in unknown)
    most = _MOST_VALUE if naming.loose[max(first - 1, 0)] == _LEAD else _MOST_BARE
    is_one = last - first + 1 == len(unknown) <= most
    is_last = not any(loose[last + 1 :])
    is_placed = is_last or not naming.is_last or all(map(_is_number, value))
    return is_one and is_placed and value.isdisjoint(listed_contents("local"))


def _is_value(naming: _Naming, known: KnownMemory, clause: frozenset[str]) -> bool:
    """Return whether what is named is the value that a memory gives, rather than its subject."""
    if naming.is_ended:
        return any(find_lead(known, (word,)) == "strong" for word in naming.named)
    lead = find_lead(known, naming.named)
    is_number = len(naming.named) >= _FEWEST and any(map(_is_number, naming.named))
    subject = (clause | (naming.beside & known.words)) - frozenset(naming.named)
    return lead == "strong" or (bool(lead) and (is_number or bool(subject)))


@in_mind(512)
def _namings(text: str) -> tuple[_Naming, ...]:
    """Return all that a statement says no longer holds."""
    clauses = _clauses(text)
    found = []
    for at in range(len(clauses)):
        if not _is_sure(clauses, at):
            continue
        others = [each for place, each in enumerate(clauses) if place != at]
        beside = frozenset[str]().union(*map(content_words, others))
        for form in _FORMS:
            limits = _limits(clauses, at, with_last=form is not _name_denied)
            found += [
                replace(each, beside=beside, strict=each.strict | limits)
                for each in form(clauses, at)
                if each.named
            ]
    return tuple(found)


def _clauses(text: str) -> list[Tokens]:
    """Return the clauses of a statement; a label ("Windows: …") becomes a place, as in "for …"."""
    label = _LABEL.match(text)
    if label is None:
        return clauses_of(text)
    head = [word for word in tokens_of(label[1]) if word not in word_list("labels")]
    return [*([["for", *head]] if head else []), *clauses_of(text[label.end() :])]


def _limits(clauses: Sequence[Tokens], at: int, *, with_last: bool = True) -> frozenset[str]:
    """Return to what the other clauses limit one: a place, a condition, who is spoken to."""
    before = clauses[:at] if with_last else clauses[: max(at - 1, 0)]
    limits = [each for each in before if len(each) <= _FEWEST]
    behind = [each for each in clauses[at + 1 :] if not _is_other_value(clauses[at], each)]
    limits += [each for each in (*clauses[:at], *behind) if each[0] in word_list("limits")]
    return frozenset[str]().union(*map(content_words, limits)) - listed_contents("labels")


def _is_other_value(clause: Tokens, behind: Tokens) -> bool:
    """Return whether a clause is nothing but a new value: "no longer in Dublin, in Frankfurt"."""
    value = [word for word in behind[1:] if word not in word_list("determiners")]
    return behind[0] in clause and all(map(content_of, value))


def _name_instead(clauses: Sequence[Tokens], at: int) -> Iterator[_Naming]:
    """Yield what "Y instead of X" and "instead of X, Y" name."""
    clause = clauses[at]
    place = find_phrase(clause, "in_place_of")
    if place is None or _has_denial(clause[: place.start]):
        return
    before, (named, rest) = clause[: place.start], first_phrase(clause[place.stop :])
    if content_words(before):
        strict = content_words(rest) | _place(before)
        yield _Naming(named=named, loose=_marked(before), strict=strict)
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
        yield _Naming(named=named, loose=(_LEAD, *value), strict=content_words(rest + around))


def _name_replaced(clauses: Sequence[Tokens], at: int) -> Iterator[_Naming]:
    """Yield what "replace X with Y" and "X is replaced by Y" name."""
    clause = clauses[at]
    passive, active = find_phrase(clause, "replaced_by"), find_phrase(clause, "replacing")
    if passive is not None:
        named, rest = first_phrase(clause[: passive.start])
        value, behind = first_phrase(clause[passive.stop :])
        yield _Naming(named=named, loose=(_LEAD, *value), strict=content_words(rest + behind))
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
            yield _Naming(named=named, loose=(_LEAD, *value), strict=around)
    if "durch" in clause and clause[-1] in word_list("replaced_last") and not _has_denial(clause):
        cut = clause.index("durch")
        named, rest = first_phrase(clause[:cut])
        loose = (_LEAD, *_marked(clause[cut + 1 : -1]))
        yield _Naming(named=named, loose=loose, strict=content_words(rest))


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
    is_behind = bool(at) and not content_words(clause[:first])
    before = clauses[at - 1] if is_behind else clause[:first]
    is_before = first == 0 or bool(content_of(clause[first - 1]))
    is_contrast = is_before and _is_contrast(clause[first:], before, is_behind=is_behind)
    if not is_contrast or not content_words(before) or _is_unsure(before) or _has_denial(before):
        return
    named, rest = first_phrase(clause[first + 1 :])
    strict = content_words(rest) | _place(before)
    yield _Naming(named=named, loose=_marked(before), strict=strict)


def _is_contrast(denied: Tokens, before: Tokens, *, is_behind: bool) -> bool:
    """Return whether a denial contrasts two values: "juniors don't use npm" has one, and a verb."""
    if denied[1:2] == ["to"]:
        return False
    if not is_behind:
        return denied[0] in word_list("contrasts")
    is_verb = denied[0].endswith("n't") or bool(word_list("verbs_of_use").intersection(denied[1:2]))
    return not is_verb or not word_list("verbs_of_use").isdisjoint(before)


_FORMS: tuple[Callable[[Sequence[Tokens], int], Iterator[_Naming]], ...] = (
    _name_instead,
    _name_change,
    _name_replaced,
    _name_dropped,
    _name_ended,
    _name_denied,
)


def _marked(tokens: Tokens) -> tuple[str, ...]:
    """Return the content of each token, and a mark for words that a value follows."""
    leads = word_list("strong_leads") | word_list("weak_leads")
    marks: list[str] = []
    for token in tokens:
        is_lead = token in leads or (token in word_list("determiners") and marks[-1:] == [_LEAD])
        marks.append(content_of(token) or (_LEAD if is_lead else ""))
    return tuple(marks)


def _place(tokens: Tokens) -> frozenset[str]:
    """Return where a clause holds, if it begins with that: "on Windows use …"."""
    is_place = tokens[0] in word_list("places") and tokens[1:2] != ["utilise"]
    return frozenset(first_phrase(tokens)[0][:1]) if is_place else frozenset()


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
