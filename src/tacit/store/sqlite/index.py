"""The index in SQLite: passages, the words they are found by, and how often each word stands.

Tokens come from the analyser that the index was opened with. A passage, its words and its terms
are written in one transaction, so none is ever without the others.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING

from tacit.digest import blake2b
from tacit.errors import StoreDamaged
from tacit.store.index_port import Row, Scope, Stats
from tacit.store.sqlite.statements import Statements
from tacit.store.sqlite.vectors import SqliteVectors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tacit.store.index_port import Analyse, Passage, Unread, Vector
    from tacit.store.sqlite.connection import Connection

_SCOPE = tuple(field.name for field in fields(Scope))
_STANDING = ("session", "turn", "project", "role", "speaker", "at", "importance")
_LISTS = ("layers", "projects", "kinds", "tags", "states")
_MANY = 2000  # so many are found before it is looked which of them fit
_SPARE = 20  # besides twice as many as asked for, where nearly all fit
_DEAR = 40_000  # more rows than that are not ranked: the newest are as good
_FEW = 500  # so many that do not hold are quicker listed than looked for
_TRIGRAM = 3
_CHECKS = ("drift", "astray", "miscounted")


class SqliteIndex:
    """What can be found in one group."""

    def __init__(self, connection: Connection, analyse: Analyse) -> None:
        self._connection = connection
        self._analyse = analyse
        self._ask = Statements(connection, "index")
        self._vectors = SqliteVectors(connection)

    def put(self, *passages: Passage) -> None:
        """Write passages as they stand now; one that says the same keeps what is known of it."""
        changes: Counter[str] = Counter()
        with self._connection.transaction():
            for passage in passages:
                self._put(passage, changes)
            self._count(changes)

    def _put(self, passage: Passage, changes: Counter[str]) -> None:
        """Write one, and add to how many passages more, or less, hold each token."""
        digest = digest_of(passage.text)
        for number, known, tokens in list(self._ask.rows("held", _key(passage))):
            if known == digest:
                self._ask.run("place", {"number": number} | _standing(passage))
                return
            bindings = self._bindings(passage, digest)
            changes.update(_each(str(bindings["tokens"])))
            changes.subtract(_each(tokens))
            self._ask.run("change", bindings | {"number": number})
            self._ask.run("forget_vector", {"number": number})
            return
        bindings = self._bindings(passage, digest)
        changes.update(_each(str(bindings["tokens"])))
        self._ask.run("add", bindings)

    def drop(self, layer: str, subjects: Collection[str]) -> None:
        """Let passages go, as if they had never been."""
        changes: Counter[str] = Counter()
        with self._connection.transaction():
            for subject in subjects:
                key = {"layer": layer, "subject": subject}
                for number, _, tokens in list(self._ask.rows("held", key)):
                    changes.subtract(_each(tokens))
                    self._ask.run("forget_vector", {"number": number})
                    self._ask.run("remove", {"number": number})
            self._count(changes)

    def rename(self, layer: str, subject: str, new: str) -> None:
        """Say that a passage is about something that has another id now."""
        with self._connection.transaction():
            self._ask.run("rename", {"layer": layer, "subject": subject, "new": new})

    def empty(self) -> None:
        """Let everything go, to be indexed anew."""
        with self._connection.transaction():
            self._ask.run("empty")
            self._ask.run("empty_terms")

    def unfound(self) -> tuple[list[str], list[str]]:
        """Return the memories and the sessions with a summary that are in no index yet."""
        memories = [str(row[0]) for row in self._ask.rows("unfound")]
        return memories, [str(row[0]) for row in self._ask.rows("unfound_summaries")]

    def frequencies(self, tokens: Collection[str]) -> dict[str, int]:
        """Return how many passages hold each of these tokens."""
        return dict(self._ask.rows("frequencies", {"terms": json.dumps(list(tokens))}))

    def beginning(self, token: str, limit: int) -> dict[str, int]:
        """Return tokens that begin with this one, and how many passages hold each."""
        bindings = {"term": token, "beyond": token + "\U0010ffff", "limit": limit}
        return dict(self._ask.rows("beginning", bindings))

    def alike(self, token: str, limit: int) -> list[str]:
        """Return tokens that share letters with this one, the most alike first."""
        parts = {token[at : at + _TRIGRAM] for at in range(len(token) - _TRIGRAM + 1)}
        if not parts:
            return []
        bindings = {"query": _any_of(sorted(parts)), "limit": limit}
        return [str(row[0]) for row in self._ask.rows("alike", bindings)]

    def words(self, tokens: Sequence[str], scope: Scope, limit: int) -> list[int]:
        """Return the passages that hold any of these tokens, the best first."""
        if not tokens:
            return []
        is_dear = sum(self.frequencies(tokens).values()) > _DEAR
        most = _wider(limit) if scope.is_plain else max(limit, _MANY)
        asked = {"query": _any_of(dict.fromkeys(tokens)), "limit": most}
        found = self._numbers("newest_words" if is_dear else "words", asked)
        fitting = self._fitting(scope, found)
        if len(fitting) < limit and len(found) == most:  # those that fit stand further back
            among = json.dumps(self.latest(scope, -1))
            bindings = asked | {"limit": limit, "numbers": among}
            return self._numbers("words_among", bindings)
        return fitting[:limit]

    def nearest(
        self, vector: Vector, model: str, scope: Scope, limit: int
    ) -> list[tuple[int, float]]:
        """Return the passages nearest in meaning, with their cosines, the nearest first."""
        for most in (_wider(limit), max(limit, _MANY)):
            near = self._vectors.nearest(vector, model, None, most)
            fitting = set(self._fitting(scope, [number for number, _ in near]))
            if len(fitting) >= limit or len(near) < most:
                return [each for each in near if each[0] in fitting][:limit]
        return self._vectors.nearest(vector, model, self.latest(scope, -1), limit)  # further back

    def vectors(self, model: str, numbers: Collection[int]) -> tuple[list[int], Vector]:
        """Return those of these passages whose meaning is known, and what they mean, row by row."""
        return self._vectors.of(model, numbers)

    def latest(self, scope: Scope, limit: int) -> list[int]:
        """Return the passages that fit, the newest first."""
        return self._numbers("within", _scoped(scope) | {"numbers": None, "limit": limit})

    def rows(self, numbers: Collection[int]) -> list[Row]:
        """Return these passages."""
        asked = {"numbers": json.dumps(list(numbers))}
        return [Row(*row) for row in self._ask.rows("passages", asked)]

    def prompts(self, session: str, turns: Collection[str], scope: Scope) -> list[int]:
        """Return the user's messages that these turns of a session began with, within a scope."""
        asked: dict[str, object] = {"session": session, "turns": json.dumps(list(turns))}
        return self._fitting(scope, self._numbers("prompts", asked))

    def stats(self) -> Stats:
        """Return how much there is."""
        ((passages, tokens),) = self._ask.rows("stats")
        return Stats(passages, tokens)

    def layers(self) -> dict[str, int]:
        """Return how many passages each layer has."""
        return dict(self._ask.rows("layers"))

    def unread(self, model: str, limit: int) -> list[Unread]:
        """Return passages whose meaning is not known yet; what was learned before what was said."""
        return self._vectors.unread(model, limit)

    def understand(self, model: str, vectors: Iterable[tuple[Unread, Vector]]) -> None:
        """Write down what passages mean; one that says something else by now is passed over."""
        self._vectors.understand(model, vectors)

    def recognise(self, model: str, passages: Sequence[Unread]) -> list[Unread]:
        """Take what the same words were found to mean; return those that are really new."""
        return self._vectors.recognise(model, passages)

    def understood(self, model: str) -> tuple[int, int]:
        """Return how many passages can mean something, and of how many a model has said it."""
        return self._vectors.counted(model)

    def keep_vectors(self, other: SqliteIndex) -> None:
        """Take over what another index knows of the same words."""
        self._vectors.keep(other._vectors)

    def is_in_step(self) -> bool:
        """Say whether memories, summaries, their passages and the index over these agree."""
        try:
            if not self._connection.is_read_only:  # SQLite checks by writing nothing
                with self._connection.transaction():
                    self._ask.run("check_words")
                    self._ask.run("check_terms")
        except StoreDamaged:
            return False
        if any(self._ask.value(name) != 0 for name in _CHECKS):
            return False
        return all(
            digest == digest_of(said(content, json.loads(tags)))
            for content, tags, digest in self._ask.rows("sayings")
        )

    def write_anew(self) -> None:
        """Write the index anew without anything that was deleted."""
        with self._connection.transaction():
            self._ask.run("words_anew")
            self._ask.run("terms_anew")

    def _bindings(self, passage: Passage, digest: bytes) -> dict[str, object]:
        tokens = self._analyse(passage.text)
        place = None
        if passage.is_placed:
            place = self._ask.value("next_place", {"session": passage.session})
        return {
            **_key(passage),
            **_standing(passage),
            "place": place,
            "size": len(tokens),
            "tokens": " ".join(tokens),
            "digest": digest,
        }

    def _count(self, changes: Mapping[str, int]) -> None:
        """Count how many passages more, or less, hold each token."""
        counted = {token: number for token, number in sorted(changes.items()) if number}
        if counted:
            self._ask.run("count", {"terms": json.dumps(counted)})
        if gone := [token for token, number in counted.items() if number < 0]:
            self._ask.run("let_go", {"terms": json.dumps(gone)})

    def _fitting(self, scope: Scope, numbers: list[int]) -> list[int]:
        """Return those that fit, in the order in which they were given."""
        if scope.is_plain:
            gone = set(self._numbers("hidden", {"limit": _FEW}))
            if len(gone) == _FEW:
                gone = set(self._numbers("gone", {"numbers": json.dumps(numbers)}))
            return [number for number in numbers if number not in gone]
        asked = _scoped(scope) | {"numbers": json.dumps(numbers), "limit": -1}
        fitting = set(self._numbers("standing" if scope.is_placed else "within", asked))
        return [number for number in numbers if number in fitting]

    def _numbers(self, name: str, bindings: dict[str, object]) -> list[int]:
        return [row[0] for row in self._ask.rows(name, bindings)]


def said(content: str, tags: Iterable[str]) -> str:
    """Return what a memory is found by: what it says, and its tags."""
    return " ".join((content, *tags))


def digest_of(text: str) -> bytes:
    """Return what tells whether two passages say the same."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _each(tokens: str) -> set[str]:
    """Return each token of a passage once."""
    return set(tokens.split(" ")) - {""}


def _key(passage: Passage) -> dict[str, object]:
    return {"layer": passage.layer, "subject": passage.subject}


def _standing(passage: Passage) -> dict[str, object]:
    """Return where a passage stands, whatever it says."""
    standing = {name: getattr(passage, name) for name in _STANDING}
    return standing | {"hidden": int(passage.is_hidden)}


def _scoped(scope: Scope) -> dict[str, object]:
    values = {name: getattr(scope, name) for name in _SCOPE}
    lists = {name: None if values[name] is None else json.dumps(values[name]) for name in _LISTS}
    return values | lists | {"or_everywhere": scope.projects is not None}


def _wider(limit: int) -> int:
    """Return how many are looked at, so that enough are left when a few do not fit."""
    return 2 * limit + _SPARE


def _any_of(tokens: Iterable[str]) -> str:
    """Return the question for any of these tokens; quoted, so that none is an operator."""
    return " OR ".join('"' + token.replace('"', '""') + '"' for token in tokens)
