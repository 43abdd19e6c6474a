"""Speech acts: what is said outright is certain, what may be for now possible, the rest none."""

from __future__ import annotations

import pytest

from tacit.curate.rules.across.speech_act import speech_act


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Always check my calendar before scheduling meetings", "instruction"),
        ("From now on write commit messages in the imperative mood.", "instruction"),
        ("Please never push to the release branch", "instruction"),
        ("Whenever you change the schema, add a migration", "instruction"),
        ("There is no need to stop after each chapter", "instruction"),
        ("All prices must be stored as integers", "instruction"),
        ("I prefer TypeScript over JavaScript for new projects", "preference"),
        ("Ich bevorzuge kurze Antworten", "preference"),
        ("No, dates should be DD/MM/YYYY", "correction"),
        ("We chose PostgreSQL over MongoDB for ACID guarantees", "decision"),
        ("Nous avons choisi Vue pour le site", "decision"),
        ("We use pnpm in the shop", "fact"),
        ("Our staging host is in Dublin", "fact"),
        ("My dog is named Luna", "fact"),
        ("The reporting database listens on port 6544", "fact"),
        ("In this repo the dev server runs on port 4173", "fact"),
    ],
)
def test_what_is_said_outright_is_certain(text: str, kind: str) -> None:
    found = speech_act(text)

    assert (found.is_certain, kind in found.kinds) == (True, True)


def test_what_names_what_it_replaces_is_certain_and_of_any_kind() -> None:
    found = speech_act("We switched from Mocha to Vitest for the server tests")

    assert (found.is_certain, found.kinds) == (True, ())


@pytest.mark.parametrize(
    "text",
    ["Don't touch the seeds", "The header should stay blue", "Do not add new tests"],
)
def test_what_may_be_for_the_task_at_hand_is_possible(text: str) -> None:
    found = speech_act(text)

    assert (found.is_lasting, found.is_certain) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "Which database should I use, PostgreSQL or MongoDB?",
        "Now implement it please",
        "Let's go with option B",
        "Looks good, proceed",
        "I'm seeing an error when I open the page",
        "The page doesn't load any more",
        "I've changed the header",
        "It keeps everything in one line",
        "For example, a blue header",
        "Here are the logs",
        "E.g. shop-local, shop-staging",
        "## Section title of a plan",
        "Maybe we should always use tabs",
        "Fix the login page and make the button larger",
        "You are working on phase two of the project",
        "Use the other one for now",
        "no, 5434",
    ],
)
def test_requests_questions_symptoms_and_fragments_state_nothing(text: str) -> None:
    assert not speech_act(text).is_certain
    assert not speech_act(text).is_lasting


def test_a_symptom_does_not_hide_a_rule() -> None:
    assert speech_act("Never swallow errors in the importer").is_certain
