"""What is told of a server that embeds: one sentence for each trouble, with the setting to see."""

from __future__ import annotations

import pytest

from tacit.embed.told import unavailable
from tacit.net.endpoint import parsed
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

PLACE = parsed("https://ai.example.com:8443/v1")


def told(trouble: Trouble) -> str:
    return str(unavailable(PLACE, trouble))


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (401, "does not accept the key. Set OPENAI_API_KEY"),
        (403, "does not accept the key. Set OPENAI_API_KEY"),
        (404, "`ollama pull`"),
        (400, "refuses the question (status 400)"),
        (413, "refuses the question (status 413)"),
        (429, "cannot answer now (status 429)"),
        (500, "cannot answer now (status 500)"),
        (503, "cannot answer now (status 503)"),
        (201, "refuses the question (status 201)"),
    ],
)
def test_each_status_has_its_sentence(status: int, sentence: str) -> None:
    assert sentence in told(Refused(status))


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (Late(), "does not answer in time. See whether it runs"),
        (Unreachable("cannot be reached (ConnectError)"), "cannot be reached (ConnectError). See"),
        (Redirected(), "points elsewhere. Set embed.base_url to where it is."),
        (HostUnknown("cannot be found"), "cannot be found. Correct embed.base_url, or see"),
        (HostRefused("is not on this machine"), "is not on this machine. Correct embed.base_url."),
        (TooLong(), "answers with more than any embedder would."),
        (Garbled(), "answers with something that is not JSON."),
    ],
    ids=lambda each: type(each).__name__,
)
def test_each_trouble_has_its_sentence(trouble: Trouble, sentence: str) -> None:
    assert f"The embedder at ai.example.com:8443 {sentence}" in told(trouble)


@pytest.mark.parametrize("trouble", [Late(), Refused(404), Garbled(), Redirected()])
def test_every_sentence_names_a_setting(trouble: Trouble) -> None:
    assert "embed." in told(trouble)
