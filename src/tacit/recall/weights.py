"""The weights of the ranking, in one table, each with its reason.

Chosen on development questions by `bench/tune.py`, which prints what each costs. A test of our own
sets turns red when a change of them hurts.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How the parts of a score count."""

    words: float = 0.52  # against meaning, in messages: names and identifiers are said in words
    trusted: float = 0.2  # if none has so much of the question, words count less: chance ones
    words_of_memory: float = 0.5  # a memory is one sentence, so its meaning is sharp
    trusted_of_memory: float = 1.0
    saturation: float = 1.2  # of a word said again: bm25's k1
    length: float = 0.5  # how much a long text must say more: bm25's b
    coverage: float = 0.6  # a hit that has all words is worth more than one with a rare one
    feedback: float = 0.3  # the question moves this much towards what the best hits mean
    feedback_hits: int = 3
    reply: float = 0.75  # what an agent said supports; what the user said counts
    named: float = 0.3  # when a speaker is named, others lose so much
    neighbour: float = 0.25  # a message is understood with the one before or after it
    support: float = 0.3  # what tools said in a turn helps the prompt that it began with
    lent: float = 0.6  # and stands for it, where only a tool named what is asked for
    session: float = 0.3  # where much fits, each counts more
    session_depth: int = 4  # so many messages speak for their session,
    session_fade: float = 0.6  # each less than the one before
    dated: float = 0.3  # what was said in the time that a question names
    summary: float = 0.9  # a summary says the same as its messages, in fewer words
    spread: float = 0.1  # a hit that shares all its words with a better one loses so much
    same: float = 0.9  # one that shares so many of them says the same, and is left out


WEIGHTS = Weights()
CANDIDATES = 110  # so many by words, and as many by meaning, are looked at closely
BROUGHT_UP = 8  # turns that only what a tool said brings up
