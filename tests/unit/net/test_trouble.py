"""Trouble: each says its predicate, and the tree that the module draws is complete."""

from __future__ import annotations

import pytest

from tacit.net import trouble
from tacit.net.trouble import Garbled, Late, Redirected, Refused, TooLong, Trouble

FAMILY = Trouble.__subclasses__()


@pytest.mark.parametrize("kind", FAMILY)
def test_each_stands_in_the_tree_that_the_module_draws(kind: type[Trouble]) -> None:
    assert f"── {kind.__name__} " in (trouble.__doc__ or "")


@pytest.mark.parametrize("kind", [Late, Redirected, TooLong, Garbled])
def test_each_says_something_by_itself(kind: type[Trouble]) -> None:
    assert f"The server {kind()}.".count(" ") > 1


def test_a_refusal_knows_its_status_and_when_to_come_back() -> None:
    refused = Refused(429, 7.0)

    assert (refused.status, refused.retry_after) == (429, 7.0)
