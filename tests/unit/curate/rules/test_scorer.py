"""The scorer: its weights are there, are those that the turns teach, and answer with a chance."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from array import array
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig import ROOT
from tacit.curate.rules import scorer
from tacit.curate.rules.scorer import WEIGHTS, Model, Scorer, digest, kinship
from tacit.model.memory import KINDS

if TYPE_CHECKING:
    from types import ModuleType

SPEAKERS = ("user", "reply")


def train() -> ModuleType:
    """Return the program that learns the weights; it lies outside of all that is installed."""
    spec = importlib.util.spec_from_file_location("train", ROOT / "training" / "train.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[spec.name]
    return module


def test_the_weights_are_those_that_the_turns_teach() -> None:
    packed = files("tacit.curate.rules").joinpath(WEIGHTS).read_bytes()

    made_from = json.loads(gzip.decompress(packed))["made_from"]

    assert made_from == train().made_from(), "Run `python training/train.py`."


@pytest.mark.parametrize("speaker", SPEAKERS)
def test_a_speaker_is_asked_for_every_kind_there_is(speaker: str) -> None:
    assert sorted(scorer.scorer(speaker).questions) == sorted(
        ("kept", "todo", "everywhere", *KINDS)
    )


@pytest.mark.parametrize("speaker", SPEAKERS)
def test_every_question_has_weights(speaker: str) -> None:
    told = scorer.scorer(speaker)

    assert list(told.keys) == sorted(set(told.keys))
    assert [len(weights) for _, weights in told.questions.values()] == [len(told.keys)] * 15
    assert [name for name, (_, weights) in told.questions.items() if not any(weights)] == []


@pytest.mark.parametrize("relation", ["same", "replaced"])
def test_kinship_has_weights(relation: str) -> None:
    assert len(kinship(relation).weights) > 10


def test_nobody_else_has_a_scorer() -> None:
    with pytest.raises(KeyError):
        scorer.scorer("tool")


def test_the_weights_are_read_once() -> None:
    assert scorer.scorer("user") is scorer.scorer("user")


def test_weights_are_found_by_the_names_of_features() -> None:
    names = ["a", "b", "c", "\ud800"]
    keys = sorted(digest(name) for name in names)
    weights = [1000 * (key == digest("b")) - 2000 * (key == digest("\ud800")) for key in keys]
    told = Scorer(array("I", keys), {"kept": (0.0, array("h", weights))})

    chances = [told.chance("kept", seen) for seen in ((), ("a",), ("b", "z"), ("\ud800",))]

    near = [pytest.approx(each, abs=1e-4) for each in (0.5, 0.5, 0.7311, 0.1192)]
    assert chances == near


def test_every_feature_is_found_wherever_its_digest_stands() -> None:
    names = [f"u={each}" for each in range(5000)]
    keys = array("I", sorted({digest(name) for name in names} | {0, 2**32 - 1}))
    told = Scorer(keys, {"kept": (0.0, array("h", [1000] * len(keys)))})

    missed = [name for name in names if told.chance("kept", [name]) == 0.5]

    assert missed == []
    assert told.chance("kept", ["never seen"]) == 0.5


@pytest.mark.parametrize("sign", [1, -1])
def test_a_scorer_answers_between_no_and_yes_whatever_weighs(sign: int) -> None:
    keys = array("I", sorted(digest(str(each)) for each in range(2000)))
    told = Scorer(keys, {"kept": (0.0, array("h", [sign * 32_000] * 2000))})

    chance = told.chance("kept", [str(each) for each in range(2000)])

    assert 0.0 < chance < 1.0


@given(st.floats(-1e300, 1e300), st.lists(st.floats(-1e300, 1e300), max_size=4))
def test_no_weight_is_too_heavy(bias: float, weights: list[float]) -> None:
    model = Model(bias, {str(at): weight for at, weight in enumerate(weights)})

    chance = model.chance(model.weights)

    assert 0.0 < chance < 1.0


def test_what_speaks_for_it_raises_the_chance_and_what_speaks_against_it_lowers_it() -> None:
    model = Model(0.0, {"for": 2.0, "against": -2.0})

    chances = [model.chance(seen) for seen in ({"against"}, {"for", "against"}, {"for"})]

    assert chances == [pytest.approx(0.1192, abs=1e-4), 0.5, pytest.approx(0.8808, abs=1e-4)]


def test_what_a_model_never_saw_says_nothing() -> None:
    model = Model(-1.0, {"known": 3.0})

    assert model.chance({"unheard of"}) == model.chance(())


def test_each_kind_gets_its_chance() -> None:
    chances = scorer.scorer("user").kind({"cue=standing", "cue=ban"})

    assert sorted(chances) == sorted(KINDS)
    assert chances["instruction"] > chances["tool"]
