"""What should be remembered, in the simplest way that says it: a list in memory, and no cleverness.

The memory is held to it after any sequence of what owner, user and agents may do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TRUST = {"owner": 3, "user": 2, "agent": 1}


@dataclass(eq=False)
class Row:
    """One thing that was said."""

    at: int
    origin: str
    session: str
    content: str
    project: str | None = None
    is_edit: bool = False


@dataclass(eq=False)
class Known:
    """One memory of the model: what it stands on, and what was decided about it."""

    rows: list[Row]
    state: str = "active"
    by: Known | None = None
    until: int | None = None
    pinned: bool = False
    begun: list[int] = field(default_factory=list)  # when it may have begun, as far as is known

    @property
    def lead(self) -> Row:
        return max(self.rows, key=lambda row: TRUST[row.origin])

    @property
    def content(self) -> str:
        """Return its words: as they were last edited by whom it leads with, else as said first."""
        edits = [row for row in self.rows if row.is_edit]
        trusted = [row for row in edits if TRUST[row.origin] >= TRUST[self.lead.origin]]
        return trusted[-1].content if trusted else self.lead.content

    @property
    def project(self) -> str | None:
        """Return where it holds: where a person said it, everywhere if one said so."""
        least = min(TRUST[self.lead.origin], TRUST["user"])
        places = [row.project for row in self.rows if TRUST[row.origin] >= least]
        return None if None in places else self.lead.project

    @property
    def since(self) -> int:
        return self.rows[0].at

    @property
    def says(self) -> str:
        return meaning(self.content)

    @property
    def stands(self) -> Known:
        """Return what stands in its place now."""
        return self.by.stands if self.by else self

    @property
    def is_theirs(self) -> bool:
        """Say whether a person stands behind it."""
        return self.pinned or self.lead.origin != "agent"


@dataclass(eq=False)
class Asked:
    """A question that an agent has put to the owner, about a memory."""

    about: Known
    text: str
    at: int
    session: str
    project: str | None

    @property
    def key(self) -> tuple[str | None, str]:
        return self.project, asks(self.text)

    @property
    def is_moot(self) -> bool:
        """Say whether nobody needs an answer any more."""
        is_over = self.about.until is not None and self.about.until > self.at
        return self.about.state == "forgotten" or (self.about.state == "superseded" and is_over)


@dataclass
class Model:
    """What should be remembered, in the simplest way that says it."""

    known: list[Known] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def ask(self, about: Known, text: str, at: int, session: str) -> None:
        """Let an agent ask something; what says the same is one question."""
        said = f"{text}: {about.content}"
        self.asked.append(Asked(about, said, at, session, about.project))

    def settle(self) -> None:
        """Let go what nobody needs an answer to any more."""
        self.asked = [each for each in self.asked if not each.is_moot]

    def learn(self, row: Row) -> Known:
        """Take a statement in: where it is known already, or as a memory of its own."""
        for each in sorted(self.known, key=lambda one: one.since):
            is_here = each.project in {None, row.project}
            if each.state == "active" and is_here and each.says == meaning(row.content):
                each.rows.append(row)
                each.begun.append(row.at)
                return each
        self.known.append(Known([row], begun=[row.at]))
        return self.known[-1]

    def correct(self, old: Known, row: Row) -> None:
        """Let a better statement stand in the place of what stands in a memory's place."""
        old = old.stands
        is_kept = old.is_theirs and row.origin == "agent"
        was_pinned = old.pinned
        row.project, row.is_edit = old.project, True
        if old.says == meaning(row.content):
            self._say_again(old, row, is_kept=is_kept)
            return
        new = self.learn(row)
        if is_kept:
            self.ask(old, f"An agent says {new.content!r} instead", row.at, row.session)
        else:
            old.state, old.by, old.until = "superseded", new, max(row.at, old.since)
            new.pinned |= was_pinned

    def _say_again(self, old: Known, row: Row, *, is_kept: bool) -> None:
        """Let the same be written otherwise, or be asked whether it should."""
        if row.content == old.content:
            return
        if is_kept:
            self.ask(old, f"An agent says {row.content!r} instead", row.at, row.session)
        else:
            old.rows.append(row)
            old.begun.append(row.at)

    def take_back(self, session: str) -> None:
        """Let a session have said nothing; what it alone said is forgotten."""
        alone = [each for each in self.known if {row.session for row in each.rows} == {session}]
        for each in self.known:
            if each not in alone:
                each.rows = [row for row in each.rows if row.session != session]
        for each in sorted(alone, key=lambda one: one.since):
            self._withdraw(each)

    def _withdraw(self, gone: Known) -> None:
        """Forget one; what it had replaced stands, or has been replaced by its successor."""
        for each in list(self.known):
            if each.by is gone and each.state == "superseded":
                is_over = gone.by is not None
                each.state = "superseded" if is_over else "active"
                each.by, each.until = gone.by, gone.until if is_over else None
                self._join(each)
        gone.state, gone.pinned = "forgotten", False

    def _join(self, back: Known) -> None:
        """Let what returns be one with what has been said again meanwhile."""
        for each in [one for one in self.known if one is not back and one.says == back.says]:
            if {each.state, back.state} == {"active"} and each.project in {None, back.project}:
                back.rows = sorted([*back.rows, *each.rows], key=lambda row: row.at)
                back.begun += each.begun
                back.pinned = back.pinned or each.pinned
                for asked in self.asked:
                    asked.about = back if asked.about is each else asked.about
                for one in self.known:
                    one.by = back if one.by is each else one.by
                self.known.remove(each)

    def purge(self, before: int) -> int:
        """Remove what was superseded before a time, unless it is pinned; return how many."""
        gone = [
            each
            for each in self.known
            if each.state == "superseded" and not each.pinned and (each.until or before) < before
        ]
        for each in gone:
            for old in self.known:
                old.by = each.by if old.by is each else old.by
            self.known.remove(each)
        return len(gone)

    def true_at(self, when: int) -> list[str]:
        """Return what was true at a time, as far as it is not forgotten."""
        return sorted(
            each.content
            for each in self.known
            if each.state in {"active", "superseded"}
            and each.since <= when
            and (each.until is None or each.until > when)
        )


def shown(content: str, state: str) -> tuple[str, str]:
    """Return what is compared of a memory: of a forgotten one only what it meant."""
    return state, meaning(content) if state == "forgotten" else content


def asks(text: str) -> str:
    """Return what a question says, whatever the dress of what it is about."""
    return re.sub(r"[!'\"]", "", text.casefold())


def meaning(text: str) -> str:
    """Return what a statement says, whatever its dress."""
    return text.casefold().strip("!")
