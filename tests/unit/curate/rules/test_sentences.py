"""How well the embedded curator judges sentences that it was not made for, in eight languages.

The corpus has what people say to an agent: half of it is worth remembering, the other half only
looks like it. Each bar stands a little below what was measured: a change that makes the judgement
worse does not pass unseen, and the message shows the whole table.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from rig import corpus
from tacit.curate.extract import Context, evidence_of
from tacit.curate.reading import Said, TurnText, voices
from tacit.curate.rules.curator import rules
from tacit.model.memory import KINDS
from unit.curate.saying import NOON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FEWEST_SENTENCES, FEWEST_LANGUAGES = 600, 7
WHYS = {
    "task",
    "question",
    "hypothetical",
    "sarcasm",
    "quotation",
    "third-party",
    "one-off",
    "transient",
    "chitchat",
}
GROUPS = {"en": ("en",), "european": ("de", "es", "fr", "it", "pl", "pt"), "ja": ("ja",)}
# the least that may be: of a group, or of all
PRECISION = {"all": 0.93, "en": 0.94, "european": 0.93, "ja": 0.80}
RECALL = {"all": 0.43, "en": 0.43, "european": 0.43, "ja": 0.40}
RECALL_OF_LANGUAGE = {
    "de": 0.54,
    "en": 0.43,
    "es": 0.40,
    "fr": 0.40,
    "it": 0.40,
    "ja": 0.40,
    "pl": 0.43,
    "pt": 0.40,
}
KIND = {"all": 0.84, "en": 0.86, "european": 0.81, "ja": 0.86}
# of what is said outright, in the languages of the other corpus: its cues are in the tables
OUTRIGHT = {"developed": (0.95, 0.97), "held-out": (0.83, 0.95)}  # recall, precision
OUTRIGHT_OF_LANGUAGE = 0.75
FEWEST_OUTRIGHT = 40
# of remarks that carry the cues of a rule and only pass, and of rules and tastes with those cues
PASSING = {
    "one-off", "report", "question", "task", "quotation", "pasted", "hypothetical", "dangling",
    "third-party", "chitchat",
}  # fmt: skip
MOST_PASSING, LEAST_STAYING = 0.06, 0.87
# the most that may be: of those that are not worth remembering for the same reason
FALSE_ALARMS = {
    "task": 0.05,
    "question": 0.04,
    "hypothetical": 0.04,
    "sarcasm": 0.09,
    "quotation": 0.04,
    "third-party": 0.09,
    "one-off": 0.04,
    "transient": 0.04,
    "chitchat": 0.06,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A sentence of the corpus, and as what it was kept."""

    language: str
    user: str
    is_worth: bool
    accepted: frozenset[str]
    why: str
    kinds: tuple[str, ...]

    @property
    def is_right_kind(self) -> bool:
        """Say whether it was kept as one of the kinds that fit."""
        return not self.accepted.isdisjoint(self.kinds)


def share(judged: Sequence[Judged], is_so: Callable[[Judged], object]) -> float:
    """Return for how many of them something is so; 0 if there are none."""
    return sum(bool(is_so(each)) for each in judged) / len(judged) if judged else 0.0


def of_group(judged: Sequence[Judged], group: str) -> list[Judged]:
    return [each for each in judged if group == "all" or each.language in GROUPS[group]]


def precision(judged: Sequence[Judged]) -> float:
    return share([each for each in judged if each.kinds], lambda each: each.is_worth)


def recall(judged: Sequence[Judged]) -> float:
    return share([each for each in judged if each.is_worth], lambda each: each.kinds)


def right_kind(judged: Sequence[Judged]) -> float:
    kept = [each for each in judged if each.is_worth and each.kinds]
    return share(kept, lambda each: each.is_right_kind)


def false_alarms(judged: Sequence[Judged], why: str) -> float:
    return share([each for each in judged if each.why == why], lambda each: each.kinds)


def table(judged: Sequence[Judged]) -> str:
    """Return all that is measured, a line for each group, language and reason."""
    parts = {name: of_group(judged, name) for name in ("all", *GROUPS)}
    for language in sorted({each.language for each in judged}):
        parts[language] = [each for each in judged if each.language == language]
    lines = [
        f"{name:12} n={len(part):3}  precision {precision(part):.3f}  recall {recall(part):.3f}"
        f"  kind {right_kind(part):.3f}"
        for name, part in parts.items()
    ]
    for why in sorted(WHYS):
        count = sum(each.why == why for each in judged)
        lines.append(f"{why:12} n={count:3}  false alarms {false_alarms(judged, why):.3f}")
    return "\n" + "\n".join(lines)


def said(event: str, kind: str, text: str) -> Said:
    return Said(
        event=event,
        seq=1,
        at=NOON,
        kind=kind,
        origin="user" if kind == "prompt" else "assistant",
        via="live",
        tool=None,
        text=text,
        payload={},
    )


def kept_kinds(user: str, before: str, after: str) -> Iterator[str]:
    """Yield the kind of each thing that is kept of what the user said, and cites it."""
    prompt, reply = said("evt-2", "prompt", user), said("evt-3", "reply", after)
    turn = TurnText(session="s-1", turn="t-1", project="prj-shop", said=(*voices(prompt), reply))
    context = Context(before=(said("evt-1", "reply", before),) if before else ())
    curator = rules()
    for draft in curator.extract(turn, context).drafts:
        if draft.said.event == prompt.event and evidence_of(draft, turn, curator.name):
            yield draft.kind


def judged_of(name: str) -> tuple[Judged, ...]:
    """Return every sentence of a corpus, judged."""
    return tuple(
        Judged(
            language=each["lang"],
            user=each["user"],
            is_worth=each["keep"],
            accepted=frozenset(each["kind"]),
            why=each["why"],
            kinds=tuple(kept_kinds(each["user"], each["before"], each["after"])),
        )
        for each in corpus(name)
    )


@pytest.fixture(scope="module")
def judged() -> tuple[Judged, ...]:
    """Return every sentence of the corpus, judged."""
    return judged_of("statements/")


def test_the_corpus_is_large_and_has_many_languages_and_every_reason() -> None:
    rows = corpus("statements/")

    languages = {each["lang"] for each in rows}

    assert len(rows) >= FEWEST_SENTENCES
    assert len(languages) >= FEWEST_LANGUAGES
    assert languages == {language for group in GROUPS.values() for language in group}
    assert {each["why"] for each in rows if not each["keep"]} == WHYS


def test_every_sentence_is_labelled_in_full_and_stands_there_once() -> None:
    rows = corpus("statements/")

    wrong = [
        each["user"]
        for each in rows
        if each["keep"] != bool(each["kind"])
        or each["keep"] == bool(each["why"])
        or not set(each["kind"]) <= set(KINDS)
    ]
    twice = [user for user, count in Counter(each["user"] for each in rows).items() if count > 1]

    assert (wrong, twice) == ([], [])


@pytest.mark.parametrize("group", ["all", *GROUPS])
def test_what_is_kept_is_mostly_worth_it(judged: tuple[Judged, ...], group: str) -> None:
    found = precision(of_group(judged, group))

    assert found >= PRECISION[group], table(judged)


@pytest.mark.parametrize("group", ["all", *GROUPS])
def test_what_is_worth_keeping_is_kept_as_often_as_before(
    judged: tuple[Judged, ...], group: str
) -> None:
    found = recall(of_group(judged, group))

    assert found >= RECALL[group], table(judged)


@pytest.mark.parametrize("language", RECALL_OF_LANGUAGE)
def test_no_language_is_left_behind(judged: tuple[Judged, ...], language: str) -> None:
    found = recall([each for each in judged if each.language == language])

    assert found >= RECALL_OF_LANGUAGE[language], table(judged)


@pytest.mark.parametrize("group", ["all", *GROUPS])
def test_what_is_kept_is_kept_as_a_kind_that_fits(judged: tuple[Judged, ...], group: str) -> None:
    found = right_kind(of_group(judged, group))

    assert found >= KIND[group], table(judged)


@pytest.mark.parametrize("why", sorted(WHYS))
def test_what_only_looks_like_it_is_seldom_kept(judged: tuple[Judged, ...], why: str) -> None:
    found = false_alarms(judged, why)

    assert found <= FALSE_ALARMS[why], table(judged)


def test_each_language_but_english_has_many_sentences_said_outright() -> None:
    rows = corpus("explicit/")

    counted = Counter(each["lang"] for each in rows)

    assert set(counted) == set(RECALL_OF_LANGUAGE) - {"en"}
    assert min(counted.values()) >= FEWEST_OUTRIGHT
    assert len({each["user"] for each in rows}) == len(rows)
    assert {each["why"] for each in rows if not each["keep"]} <= WHYS


@pytest.mark.parametrize("name", OUTRIGHT)
def test_what_is_said_outright_is_kept_in_every_language(name: str) -> None:
    told = judged_of(f"explicit/{name}")
    languages = {each.language for each in told}

    by_language = {
        language: recall([each for each in told if each.language == language])
        for language in languages
    }

    assert (recall(told) >= OUTRIGHT[name][0], precision(told) >= OUTRIGHT[name][1]) == (True, True)
    assert min(by_language.values()) >= OUTRIGHT_OF_LANGUAGE, by_language


def test_remarks_that_pass_are_of_every_sort_and_in_every_language() -> None:
    rows = corpus("passing/")

    sorts = {each["why"] for each in rows if not each["keep"]}
    languages = {each["lang"] for each in rows if not each["keep"]}

    assert (sorts, languages) == (PASSING, set(RECALL_OF_LANGUAGE))
    assert len({each["user"] for each in rows}) == len(rows)


@pytest.mark.parametrize("name", ["developed", "held-out"])
def test_a_remark_that_only_carries_a_cue_passes_and_a_rule_with_it_stays(name: str) -> None:
    told = judged_of(f"passing/{name}")

    kept = [each.user for each in told if each.kinds and not each.is_worth]

    assert len(kept) <= MOST_PASSING * sum(not each.is_worth for each in told), kept
    assert recall(told) >= LEAST_STAYING
