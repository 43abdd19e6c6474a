"""How well a search finds: floors under what was measured, with the real local model.

The sets are those of `tests/corpus/recall`. A floor lies a little below what is reached today: it
is a net for what gets worse by accident, not a goal. Higher is better; a floor is only raised.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from contract.memories import fact
from quality.conftest import NOT_FOUND, memories
from rig import corpus
from tacit.recall.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from quality.conftest import Make, Shelf

DISTRACTORS = 500
FLOORS = {
    "asked": 0.95,
    "reworded": 0.76,
    "paraphrases": 0.44,
    "identifiers": 0.98,
    "languages": 0.94,
    "sentences": 0.90,
}
FLOORS_BY_WORDS = {"identifiers": 0.97, "asked": 0.85, "languages": 0.93, "sentences": 0.70}
# what answers a question about a network as well as the memory that is asked for
ABOUT_NETWORKS = re.compile(
    r"network|router|wireless|wi-?fi|access point|v?lan\b|vpn|dhcp|dns|ipv6|internet|calls",
    re.IGNORECASE,
)
NETWORK = [
    "The network configuration of the office is kept in the ops handbook.",
    "Network configuration: the office router uses channel 6 and hands out addresses by DHCP.",
    "The network configuration changed: the office access points use WPA3 now.",
    "The network configuration was reset to DHCP.",
]
NASTY = ["", '"', "\0", "\ud800", "NEAR(a b) OR *", "日" * 3000, "a" * 50_000, "ﷺ" * 500, "😀"]
# as if meaning did not count, however little of a question is found in words
WITHOUT_MEANING = replace(
    WEIGHTS, words=1.0, words_of_memory=1.0, trusted=1e-9, trusted_of_memory=1e-9
)


def mrr(ranks: Sequence[int]) -> float:
    """Return the mean of one by rank: 1 if all are first."""
    return sum(1 / rank for rank in ranks) / len(ranks)


@pytest.fixture(scope="session")
def ranks(shelf: Shelf) -> Callable[[str], list[int]]:
    """Return what ranks a set, once."""
    return cache(shelf.ranks)


@pytest.mark.parametrize("name", FLOORS)
def test_a_set_is_found_as_well_as_ever(ranks: Callable[[str], list[int]], name: str) -> None:
    assert mrr(ranks(name)) >= FLOORS[name]


def test_what_is_asked_in_one_s_own_words_is_found_as_well_as_ever(
    ranks: Callable[[str], list[int]],
) -> None:
    assert mrr(ranks("asked") + ranks("paraphrases")) >= 0.68


def test_an_identifier_is_found_at_the_very_first_place(
    ranks: Callable[[str], list[int]],
) -> None:
    found = ranks("identifiers")

    assert found.count(1) / len(found) >= 0.97


@pytest.mark.parametrize("name", FLOORS_BY_WORDS)
def test_without_the_model_words_alone_find_as_well_as_ever(shelf: Shelf, name: str) -> None:
    assert mrr(shelf.ranks(name, by_words=True)) >= FLOORS_BY_WORDS[name]


def test_a_change_of_weights_that_hurts_is_seen(shelf: Shelf) -> None:
    assert mrr(shelf.ranks("asked", WITHOUT_MEANING)) < FLOORS["asked"]


@pytest.mark.parametrize("content", NETWORK)
def test_a_wifi_problem_is_about_the_network(make: Make, content: str) -> None:
    others = [each for each in memories("memories") if not ABOUT_NETWORKS.search(each.content)]
    shelf = make([*others[:DISTRACTORS], fact("wanted", content=content, project=None)])

    assert shelf.rank("WiFi problem", "wanted") <= 2
    assert shelf.rank("WiFi problem", "wanted", by_words=True) == NOT_FOUND


def test_a_wifi_problem_at_work_finds_why_the_wireless_drops(shelf: Shelf) -> None:
    assert shelf.rank("WiFi problem at work after lunch", "m0745") <= 2


@pytest.mark.parametrize(("name", "floor"), [("identifiers", 0.95), ("languages", 0.95)])
def test_a_whole_question_finds_as_well_as_its_best_word(
    shelf: Shelf, ranks: Callable[[str], list[int]], name: str, floor: float
) -> None:
    compared = []
    for each, whole in zip(corpus(f"recall/{name}"), ranks(name), strict=True):
        words = [word for part in each["query"].split() if (word := part.strip("?.,!;:"))]
        if len(words) > 1:
            best = min(shelf.rank(word, each["memory"]) for word in words)
            compared.append(whole <= best)

    assert len(compared) >= 20
    assert sum(compared) / len(compared) >= floor


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_s17_any_text_has_a_meaning_and_is_a_question(shelf: Shelf, text: str) -> None:
    assert shelf.rank(text, "nowhere") == NOT_FOUND
