"""The terms on which a provider is asked: its models, their price, how long it may take.

A failure says what it may have cost: an answer that is thrown away is paid for like any other, and
one that never came whole is counted as long as it could have been.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.llm import form, prices
from tacit.llm.form import Unusable
from tacit.net.trouble import Broken, Garbled, Late, TooLong

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.errors import ModelUnavailable
    from tacit.llm.port import Request, Tier, Usage
    from tacit.llm.told import Who
    from tacit.net.trouble import Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was agreed on with one provider."""

    who: Who
    models: Mapping[Tier, str]
    usd_per_million: tuple[float, float] | None
    is_local: bool
    seconds: float

    def usd(self, tier: Tier, usage: Usage) -> float:
        """Return what so many tokens cost."""
        return prices.usd(self.models[tier], usage, self.usd_per_million, is_local=self.is_local)

    def is_priced(self, tier: Tier) -> bool:
        """Say whether it is known what a tier costs."""
        is_given = self.is_local or self.usd_per_million is not None
        return is_given or prices.is_known(self.models[tier])

    def failure(self, request: Request, trouble: Trouble | Unusable) -> ModelUnavailable:
        """Return the error that tells of trouble with a request."""
        error = self.who.unavailable(trouble)
        if isinstance(trouble, Unusable):
            error.usd = trouble.usd
        elif isinstance(trouble, Late | TooLong | Garbled | Broken):
            error.usd = self.usd(request.tier, form.at_most(request))
        return error
