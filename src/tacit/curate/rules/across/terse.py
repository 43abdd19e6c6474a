"""Terse corrections: "no, 5434" gives the latest statement of the session another value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.extract import Draft
from tacit.curate.rules.across.edges import Shape, apart
from tacit.curate.rules.across.slots import with_value
from tacit.curate.rules.subject import telling, topic
from tacit.curate.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.rules.view import View
    from tacit.store.memory_port import Known

_TAKEN_BACK = Shape(rf"\W*(?:{apart('taking_back')}[\s,.:!-]+)+")
_MEANT = re.compile(r"\s+i (?:mean|meant)\W*$", re.IGNORECASE)
_SURE = 0.8
_MOST = 4  # words behind the mark of a correction


def corrected(view: View, known: Sequence[Known]) -> Iterator[Draft]:
    """Yield the latest statement of the session with the value that the user corrects it to."""
    for said in view.prompts:
        text = said.text.strip()
        found = _TAKEN_BACK.match(text)
        value = _MEANT.sub("", text[found.end() :]).rstrip(".! ") if found else ""
        if not value or "?" in text or len(words(value)) > _MOST:
            continue
        lately = [each for each in known if each.session == view.turn.session]
        old = next((each for each in lately if with_value(each.content, value)), None)
        if old is not None:
            content = with_value(old.content, value)
            yield Draft(
                kind=old.kind,
                content=content,
                said=said,
                start=said.text.index(text),
                quote=text,
                tags=telling(content),
                topic=topic(content),
                confidence=_SURE,
                replaces=old.id,
            )
