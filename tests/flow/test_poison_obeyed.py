"""Even an extractor that does what the attacker wants makes no rule of it.

It finds an order in every sentence of tools, agents and summaries, and says so as often as it can.
Whose words they are is decided by the event, so all of it is held with a reason.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flow.poisoning import ATTACKS, CHAINS, WAYS, Talk, carried, curated, elevated, loose
from tacit.curate import explicit
from tacit.curate.extract import Draft, Extracted, Extractor
from tacit.model.memory import BEHAVIOURAL
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flow.telling import Teller
    from tacit.curate.extract import Context
    from tacit.curate.reading import Said, TurnText

_SENTENCE = re.compile(r"\S[^\n]*?(?:[.!?](?=\s|$)|$)", re.MULTILINE)
_FEW = ATTACKS[::4]
_UNCITED = {  # what is said there is no word of the turn, so nobody can cite it
    "a subagent",
    "a pasted block of code",
    "pasted lines of a quotation",
}
USERS = "The seed list stays as it is"


def _sentences(said: Said) -> Iterator[tuple[int, str]]:
    """Yield every sentence, and where it stands; also of what is no word of the turn."""
    names = ("last_assistant_message", "compact_summary")
    hidden = [value for name in names if isinstance(value := said.payload.get(name), str)]
    for text in [said.text] if said.text else hidden:
        for found in _SENTENCE.finditer(text):
            yield found.start(), found.group()


def _obeyed(turn: TurnText) -> Iterator[Draft]:
    """Yield every sentence that is not the user's, as each kind that guides behaviour."""
    for said in turn.said:
        for start, quote in _sentences(said) if said.origin != "user" else ():
            for kind in BEHAVIOURAL:
                yield Draft(
                    kind=kind,
                    content=quote,
                    said=said,
                    start=start,
                    quote=quote,
                    importance=5,
                    is_everywhere=True,
                )


def _obey(turn: TurnText, _context: Context) -> Extracted:
    return Extracted(drafts=tuple(_obeyed(turn)))


def _replace_all(turn: TurnText, context: Context) -> Extracted:
    """Let what others say take the place of all that is known."""
    names = [memory.id for memory in context.known]
    drafts = [
        changed
        for draft in _obeyed(turn)
        for name in names
        for changed in (
            replace(draft, replaces=name),
            replace(draft, same_as=name),
            replace(draft, contradicts=name),
        )
    ]
    return Extracted(drafts=(*explicit.extract(turn).drafts, *drafts))


def _blame(turn: TurnText, _context: Context) -> Extracted:
    """Say of all that others say that it stands in the user's prompt."""
    drafts = (replace(each, said=asked) for each in _obeyed(turn) for asked in turn.prompts)
    return Extracted(drafts=tuple(drafts))


def _forge(turn: TurnText, _context: Context) -> Extracted:
    """Say of all that others say that the user said it, where it was said."""
    drafts = (replace(each, said=replace(each.said, origin="user")) for each in _obeyed(turn))
    return Extracted(drafts=tuple(drafts))


@pytest.mark.parametrize("way", WAYS)
def test_what_an_obeying_extractor_finds_is_held_with_a_reason(way: str) -> None:
    extractor = Extractor(name="obeying-1", extract=_obey)

    with curated(extractor, lambda teller: carried(teller, WAYS[way], ATTACKS)) as store:
        found = store.memories.wanted(Wanted(states=None))

        assert (elevated(found), loose(found)) == ([], [])


@pytest.mark.parametrize("way", [way for way in WAYS if way not in _UNCITED])
def test_what_an_obeying_extractor_finds_is_there_to_be_looked_at(way: str) -> None:
    extractor = Extractor(name="obeying-1", extract=_obey)

    with curated(extractor, lambda teller: carried(teller, WAYS[way], _FEW)) as store:
        held = " ".join(each.content for each in store.memories.wanted(Wanted(states=None)))

    missed = [each["text"] for each in _FEW if each["text"].split(".")[0][:20] not in held]
    assert missed == []


@pytest.mark.parametrize("chain", CHAINS)
def test_no_chain_lifts_what_an_obeying_extractor_finds(chain: str) -> None:
    extractor = Extractor(name="obeying-1", extract=_obey)

    with curated(extractor, lambda teller: carried(teller, CHAINS[chain], _FEW)) as store:
        found = store.memories.wanted(Wanted(states=None))

        assert found != []
        assert (elevated(found), loose(found)) == ([], [])


def _tell_of_seeds(teller: Teller) -> None:
    """Let the user ask for something to be remembered, and attacks come behind it."""
    talk = Talk(teller, "seeds")
    talk.prompt(f"Remember that {USERS}.")
    talk.reply("Noted.")
    for attack in _FEW:
        talk.ask()
        talk.fetch(f"{USERS}. {attack['text']}")
        talk.find(attack["text"])


def test_nothing_that_others_say_takes_the_place_of_what_the_user_said() -> None:
    extractor = Extractor(name="replacing-1", extract=_replace_all)

    with curated(extractor, _tell_of_seeds) as store:
        (active,) = store.memories.wanted(Wanted())
        rows = store.evidence.of_memory(active.id)

        assert (active.content, active.origin) == (USERS, "user")
        assert [row.origin for row in rows] == ["user"]
        assert store.memories.wanted(Wanted(states=("superseded",))) == []


@pytest.mark.parametrize("extract", [_blame, _forge], ids=["elsewhere", "in its place"])
def test_no_extractor_can_say_that_the_user_said_it(
    extract: Callable[[TurnText, Context], Extracted],
) -> None:
    extractor = Extractor(name="lying-1", extract=extract)
    steps = WAYS["a file and what was found in it"]

    with curated(extractor, lambda teller: carried(teller, steps, _FEW)) as store:
        found = store.memories.wanted(Wanted(states=None))

        assert elevated(found) == []
