"""The façade: every surface calls its verbs and nothing below them.

Which verbs there are, by what they are about, is said in `verbs/`.
"""

from __future__ import annotations

from tacit.verbs.capture import CaptureVerbs
from tacit.verbs.model import ModelVerbs
from tacit.verbs.proving import ProvingVerbs
from tacit.verbs.review import ReviewVerbs
from tacit.verbs.surfacing import SurfacingVerbs
from tacit.verbs.transcript import TranscriptVerbs


class App(
    CaptureVerbs,
    TranscriptVerbs,
    ReviewVerbs,
    SurfacingVerbs,
    ModelVerbs,
    ProvingVerbs,
):
    """The verbs, on one home that is open."""
