"""The scorer: its weights are there, are those that the turns teach, and answer with a chance."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig import ROOT
from tacit.curate.rules import scorer
from tacit.curate.rules.scorer import WEIGHTS, Model, kinship
from tacit.model.memory import KINDS

if TYPE_CHECKING:
    from types import ModuleType

SPEAKERS = ("user", "reply")


def models() -> list[Model]:
    """Return every model there is."""
    found = [kinship("same"), kinship("replaced")]
    for speaker in SPEAKERS:
        told = scorer.scorer(speaker)
        found += [told.kept, told.todo, *told.kinds.values()]
    return found


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
    assert sorted(scorer.scorer(speaker).kinds) == sorted(KINDS)


def test_every_model_has_weights() -> None:
    assert [len(model.weights) for model in models() if not model.weights] == []


def test_nobody_else_has_a_scorer() -> None:
    with pytest.raises(KeyError):
        scorer.scorer("tool")


def test_the_weights_are_read_once() -> None:
    assert scorer.scorer("user") is scorer.scorer("user")


@pytest.mark.parametrize("sign", [1, -1])
def test_a_model_answers_between_no_and_yes_whatever_it_sees(sign: int) -> None:
    for model in models():
        leaning = {name for name, weight in model.weights.items() if weight * sign > 0}

        chance = model.chance(leaning)

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
