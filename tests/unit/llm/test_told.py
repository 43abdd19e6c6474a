"""What is told of a model that cannot be had: a class for the queue, a sentence for the owner."""

from __future__ import annotations

import pytest

from tacit.errors import (
    ModelBusy,
    ModelKeyRefused,
    ModelStrange,
    ModelUnavailable,
    ModelUnknown,
    ModelUnreachable,
)
from tacit.llm.form import Unusable
from tacit.llm.told import Who
from tacit.net.trouble import (
    Garbled,
    HostRefused,
    HostUnknown,
    Late,
    Redirected,
    Refused,
    TooLong,
    Trouble,
    Unreachable,
)

WHO = Who(name="The model at X", key="Set KEY.", model="Correct MODEL.", place="See PLACE.")


@pytest.mark.parametrize(
    ("trouble", "kind", "sentence"),
    [
        (Refused(401), ModelKeyRefused, "does not accept the key. Set KEY."),
        (Refused(404), ModelUnknown, "does not know the model or the path. Correct MODEL."),
        (Refused(429), ModelBusy, "cannot answer now (status 429). It is asked again later."),
        (Refused(502), ModelUnreachable, "is not there (status 502). See PLACE."),
        (Refused(500), ModelBusy, "cannot answer now (status 500). It is asked again later."),
        (Refused(507), ModelBusy, "cannot answer now (status 507). It is asked again later."),
        (Refused(504), ModelUnreachable, "is not there (status 504). See PLACE."),
        (Refused(413), ModelStrange, "refuses the question (status 413). It is asked again later."),
        (Redirected(), ModelUnknown, "points elsewhere. See PLACE."),
        (HostRefused("is nowhere"), ModelUnknown, "is nowhere. See PLACE."),
        (HostUnknown("cannot be found"), ModelUnreachable, "cannot be found. See PLACE."),
        (Late(), ModelUnreachable, "does not answer in time. See PLACE."),
        (
            Unreachable("cannot be reached (X)"),
            ModelUnreachable,
            "cannot be reached (X). See PLACE.",
        ),
        (TooLong(), ModelStrange, "answers with more than was asked for. It is asked again later."),
        (
            Garbled(),
            ModelStrange,
            "answers with something that is not JSON. It is asked again later.",
        ),
        (
            Unusable("refuses to answer"),
            ModelStrange,
            "refuses to answer. It is asked again later.",
        ),
    ],
    ids=lambda each: str(each)[:30],
)
def test_each_trouble_has_its_class_and_its_sentence(
    trouble: Trouble | Unusable, kind: type[ModelUnavailable], sentence: str
) -> None:
    told = WHO.unavailable(trouble)

    assert (type(told), str(told)) == (kind, f"The model at X {sentence}")


def test_a_pause_that_was_asked_for_is_passed_on() -> None:
    told = WHO.unavailable(Refused(529, 30.0))

    assert isinstance(told, ModelBusy)
    assert told.retry_after == 30.0
