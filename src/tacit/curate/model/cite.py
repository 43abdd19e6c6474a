"""Citing: where the words stand that a model's statement was made of, and so whose they are.

A quote counts where it really stands, spaces and case aside. A statement that the user's own words
do not carry, because they come from a tool or an agent or from nowhere, is not the user's, whatever
it quotes: a model cannot lend the user's authority to what somebody else wrote, or to its own words
for it. It is cited where its words stand, and what stands on no words is no memory.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tacit.curate.model import carry
from tacit.curate.reading import WORKED
from tacit.curate.rules.words import stems
from tacit.curate.trust import is_suspect, may_order
from tacit.model.memory import trust

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.curate.reading import Said, TurnText

COVERED = 0.6  # of a statement's words a sentence must have to be taken for its source
FOREIGN = 0.3  # of a statement's words may come from those who are trusted less
WATCHED = 0.75  # of what a rule tells must be the user's where others may order something
CARRIED = 0.25  # of a statement's words at least, in whatever form, somebody must have said
_HEAD = 4  # letters, that all forms of a word begin with
_SHORT = 2  # digits
_SHORTEST = 4  # characters of a quote
_LONGEST = 600
_SENTENCE = re.compile(r"(?:[^.!?\n\u3002]|[.!?](?=\w))+[.!?\u3002]*")  # "a.py" is one word
_PART = re.compile(r"[^.!?\n\u3002]+[.!?\u3002]*")  # where nothing may hide behind a full stop
# what a rule can do harm with: addresses, paths, options, identifiers, numbers
_VALUE = re.compile(r"[^\s,;()\"'`<>\[\]]*(?:[\d/@_]|\w\.\w|://|--)[^\s,;()\"'`<>\[\]]*")
_ADDRESS = re.compile(r"://|@\w|--\w|\w\.[a-z]{2}")
_UNITS = ".:!?@%$\u00a3\u20ac"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_OPAQUE = re.compile(r"[A-Za-z0-9+/_-]{32,}={0,2}|(?:[0-9a-fA-F]{2}[ :]){16,}|(?:[01]{8} ?){8,}")
_TRUSTED = trust("user")


@dataclass(frozen=True, slots=True)
class Place:
    """Words that were said: in which turn, by whom, where."""

    turn: TurnText
    said: Said
    start: int
    quote: str

    @property
    def event(self) -> str:
        """Return the event that holds them."""
        return self.said.event


class Heard:
    """All that was said in turns, taken apart once for all statements about them.

    What was said *before* them, and what is *known* from others, tells whose a word is; only what
    was said in the turns themselves can be cited.
    """

    def __init__(
        self, turns: Sequence[TurnText], before: Sequence[Said] = (), known: Iterable[str] = ()
    ) -> None:
        self.turns = turns
        said = [(turn, each) for turn in reversed(turns) for each in turn.said if each.text]
        # the most trusted first, and of equals the latest turn
        self._said = sorted(said, key=lambda one: (-trust(one[1].origin), one[1].kind in WORKED))
        all_said = [*before, *(each for _, each in said)]
        self._ours = "\n".join(each.text for each in all_said if is_trusted(each))
        theirs = [each for each in all_said if not is_trusted(each)]
        told = [each.text for each in theirs if each.kind not in WORKED] + [*known]
        # what tools print in a turn is of one piece: who orders something in it may have made all
        self._printed = {_printed(turn) for turn in turns} - {""}
        self._pieces = dict.fromkeys([*self._printed, *told])
        self._theirs = "\n".join([*self._printed, *told])
        self._suspects: dict[str, bool] = {}

    @cached_property
    def _own(self) -> frozenset[str]:
        return stems(self._ours)

    @cached_property
    def _others(self) -> frozenset[str]:
        return stems(self._theirs)

    @cached_property
    def _heads(self) -> set[str]:
        return _heads(self._own)

    @cached_property
    def _all_heads(self) -> set[str]:
        return self._heads | _heads(self._others)

    @cached_property
    def _folded(self) -> tuple[str, str]:
        ours, theirs = (_THOUSANDS.sub("", text) for text in (self._ours, self._theirs))
        return ours.casefold(), theirs.casefold()

    @cached_property
    def _sentences(self) -> list[tuple[Place, frozenset[str]]]:
        return [
            (place, stems(place.quote))
            for turn, said in self._said
            for match in _SENTENCE.finditer(said.text)
            if (place := _stripped(turn, said, match)).quote
        ]

    @cached_property
    def _speaking_of(self) -> dict[str, list[int]]:
        """Return in which sentences each word stands."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, (_, words) in enumerate(self._sentences):
            for word in words:
                found[word].append(at)
        return found

    @cached_property
    def _foreign(self) -> dict[str, list[str]]:
        """Return the pieces that are not the user's, by the words that stand in them."""
        found: dict[str, list[str]] = defaultdict(list)
        for piece in self._pieces:
            for word in stems(piece):
                found[word].append(piece)
        return found

    def _is_ordered(self, word: str) -> bool:
        """Say whether a word stands where somebody else may order something."""
        return any(self._is_suspect(piece) for piece in self._foreign.get(word, ()))

    def _is_suspect(self, piece: str) -> bool:
        if piece not in self._suspects:
            is_tool = piece in self._printed
            parts = _PART.findall(piece)
            self._suspects[piece] = any(is_suspect(part, is_tool=is_tool) for part in parts)
        return self._suspects[piece]

    def found(self, quote: str, turn: str = "") -> Place | None:
        """Return where a quote stands; where it stands twice, the most trusted said it."""
        words = quote.split()
        if len("".join(words)) < _SHORTEST:
            return None
        pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
        for text, said in self._said:
            match = pattern.search(said.text) if turn in {"", text.turn} else None
            if match:
                return Place(text, said, match.start(), match.group()[:_LONGEST])
        return None

    def likeliest(
        self, content: str, turn: str = "", least: float = COVERED, *, is_users: bool = True
    ) -> Place | None:
        """Return the sentence that has most of a statement's words, if it has enough of them."""
        wanted = stems(content)
        shared: dict[int, int] = defaultdict(int)
        for word in wanted:
            for at in self._speaking_of.get(word, ()):
                shared[at] += 1
        best, most = None, 0
        for at in sorted(shared):
            place, _ = self._sentences[at]
            is_whose = is_users or not is_trusted(place.said)
            if is_whose and turn in {"", place.turn.turn} and shared[at] > most:
                best, most = place, shared[at]
        return best if most >= least * len(wanted) else None

    def carries(self, content: str, turn: TurnText) -> bool:
        """Say whether the user's own words of a turn carry a rule.

        Where others order something, or hide what they say, hardly a word may be unsaid.
        """
        said = "\n".join(each.text for each in turn.said if is_trusted(each))
        least = WATCHED if self.is_watched else carry.COVERED
        return carry.is_carried(content, said, self._ours, least)

    def is_theirs(self, content: str, turn: TurnText, *, is_rule: bool) -> bool:
        """Say whether a statement is the user's: a rule also by what is said in its turn."""
        return self.is_users(content, is_rule=is_rule) and (
            not is_rule or self.carries(content, turn)
        )

    @cached_property
    def is_watched(self) -> bool:
        """Say whether tools print what could be an order, or what cannot be read."""
        parts = [part for piece in self._printed for part in _PART.findall(piece)]
        return any(map(_OPAQUE.search, self._printed)) or any(map(may_order, parts))

    def is_users(self, content: str, *, is_rule: bool = False) -> bool:
        """Say whether the user's own words carry a statement: with no word of what others order.

        A rule may have no address that the user has not said.
        """
        words = stems(content)
        if not _is_carried(words, self._heads):
            return False
        if not is_rule and len((words - self._own) & self._others) > FOREIGN * len(words):
            return False  # a rule is carried anyway
        unsaid = [word for word in words if word[:_HEAD] not in self._heads and _tells(word)]
        if any(self._is_ordered(word) for word in unsaid):
            return False
        mine, strange = self._folded
        missing = [each for each in _values(content) if each not in mine]
        return not any(each in strange or (is_rule and _ADDRESS.search(each)) for each in missing)

    def is_said(self, content: str) -> bool:
        """Say whether enough of a statement was said at all, by whomever."""
        return _is_carried(stems(content), self._all_heads)


def cited(
    content: str, quote: str, heard: Heard, turn: str = "", *, is_rule: bool = False
) -> Place | None:
    """Return the words that a statement stands on, whoever the model says has said them.

    They are looked for in the turn that it names, then in all of them.
    """
    place = None
    for where in dict.fromkeys((turn, "")):
        place = place or (heard.found(quote, where) if quote else None)
        place = place or heard.likeliest(content, where)
    if place and is_trusted(place.said):
        is_users = heard.is_theirs(content, place.turn, is_rule=is_rule)
        place = place if is_users else heard.likeliest(content, least=0.0, is_users=False)
    if place is None or not heard.is_said(content):
        return None
    heads = _heads(stems(f"{place.said.text} {place.quote}"))
    return place if any(word[:_HEAD] in heads for word in stems(content)) else None


def _printed(turn: TurnText) -> str:
    return "\n".join(said.text for said in turn.said if said.kind in WORKED)


def is_trusted(said: Said) -> bool:
    """Say whether somebody's word may say how to behave."""
    return trust(said.origin) >= _TRUSTED


def _stripped(turn: TurnText, said: Said, match: re.Match[str]) -> Place:
    text = match.group()
    start = match.start() + len(text) - len(text.lstrip())
    return Place(turn, said, start, text.strip()[:_LONGEST])


def _heads(words: Iterable[str]) -> set[str]:
    """Return how words begin, which is the same for all forms of one."""
    return {word[:_HEAD] for word in words}


def _is_carried(words: frozenset[str], heads: set[str]) -> bool:
    """Say whether enough of these words begin like that."""
    return sum(word[:_HEAD] in heads for word in words) >= CARRIED * max(1, len(words))


def _tells(word: str) -> bool:
    """Say whether a word tells whose it is: numbers of one or two digits stand everywhere."""
    return len(word) > _SHORT or not word.isdigit()


def _values(content: str) -> set[str]:
    """Return what a statement names exactly: a number without its unit, and in one piece."""
    whole = _THOUSANDS.sub("", content)
    named = (match.group().strip(_UNITS).casefold() for match in _VALUE.finditer(whole))
    return {each for each in named if _tells(each)} - {""}
