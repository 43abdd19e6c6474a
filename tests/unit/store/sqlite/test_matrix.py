"""The matrix: the nearest of all or of some, exact while there are few, and close beyond."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from contract.passages import SIZE, clustered, vectors
from tacit.store.sqlite import matrix
from tacit.store.sqlite.matrix import Matrix, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.store.index_port import Vector


def rows(made: Vector, first: int = 1) -> Iterator[tuple[int, int, bytes]]:
    """Yield vectors as they are kept: under rising serials, for passages of other numbers."""
    for serial, each in enumerate(made, first):
        yield serial, 1000 + serial, packed(each)


def filled(made: Vector) -> Matrix:
    held = Matrix(("a model", "a state"))
    held.add(rows(made))
    return held


def best(made: Vector, asked: Vector, limit: int) -> list[int]:
    return [1001 + int(at) for at in np.argsort(-(made @ asked), kind="stable")[:limit]]


def numbers(found: list[tuple[int, float]]) -> list[int]:
    return [number for number, _ in found]


def test_a_vector_comes_back_as_it_was_kept() -> None:
    made = vectors(3)

    held, back = unpacked([(number, packed(each)) for number, each in enumerate(made)])

    assert held == [0, 1, 2]
    assert np.array_equal(back, made)
    assert back.dtype == np.float32
    assert len(packed(made[0])) == 2 * made.shape[1]
    assert unpacked([])[0] == []


def test_an_empty_matrix_finds_nothing() -> None:
    held = Matrix(("a model", "a state"))
    held.add([])

    assert held.nearest(vectors(1)[0], None, 5) == []
    assert held.nearest(vectors(1)[0], [1, 2], 5) == []
    assert held.serial == 0


@pytest.mark.parametrize("limit", [0, 1, 7, 200, 1000])
def test_the_nearest_of_all_come_in_order_with_their_cosines(limit: int) -> None:
    made, (asked,) = vectors(200), vectors(1, seed=9)

    found = filled(made).nearest(asked, None, limit)

    assert numbers(found) == best(made, asked, limit)
    cosines = [float(made[number - 1001] @ asked) for number in numbers(found)]
    assert np.allclose([cosine for _, cosine in found], cosines, atol=1e-6)


@pytest.mark.parametrize("is_exact", [True, False])
def test_the_nearest_of_some_are_only_these(
    monkeypatch: pytest.MonkeyPatch, *, is_exact: bool
) -> None:
    monkeypatch.setattr(matrix, "EXACT", 1000 if is_exact else 10)
    made, (asked,) = vectors(200, SIZE), vectors(1, SIZE, seed=9)
    some = [1005, 1009, 1100, 1199, 7]

    found = numbers(filled(made).nearest(asked, some, 9))

    expected = [number for number in best(made, asked, 200) if number in some]
    assert sorted(found) == sorted(expected)
    assert found == expected or not is_exact
    assert filled(made).nearest(asked, [], 9) == []
    assert filled(made).nearest(asked, [7], 9) == []


@pytest.mark.parametrize("step", [1, 3, 64, 199])
def test_it_grows_in_steps_and_holds_the_same(step: int) -> None:
    made, (asked,) = vectors(200), vectors(1, seed=9)
    held = Matrix(("a model", "a state"))
    serials = []

    kept = list(rows(made))
    for at in range(0, len(kept), step):
        held.add(kept[at : at + step])
        serials.append(held.serial)
        count = held.serial
        assert numbers(held.nearest(asked, None, 5)) == best(made[:count], asked, 5)

    assert serials[-1] == 200
    assert all(before < after for before, after in pairwise(serials))
    assert held.nearest(asked, None, 200) == filled(made).nearest(asked, None, 200)


def test_more_than_are_read_at_once_are_all_taken_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "_CHUNK", 7)
    made, (asked,) = vectors(50), vectors(1, seed=9)

    found = filled(made).nearest(asked, None, 50)

    assert numbers(found) == best(made, asked, 50)


@pytest.mark.parametrize(("limit", "is_exact"), [(200, True), (199, False)])
def test_beyond_the_limit_only_signs_are_kept(
    monkeypatch: pytest.MonkeyPatch, limit: int, *, is_exact: bool
) -> None:
    monkeypatch.setattr(matrix, "EXACT", limit)

    held = filled(vectors(200, SIZE))

    assert held.is_exact is is_exact
    likeness = {number for _, number in held.nearest(vectors(1, SIZE)[0], None, 200)}
    assert all(each == int(each) for each in likeness) is not is_exact


@pytest.mark.parametrize("size", [24, 64, 100, SIZE])
def test_beyond_the_limit_the_likeness_is_how_many_signs_agree(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(matrix, "EXACT", 0)
    made, (asked,) = vectors(60, size), vectors(1, size, seed=9)
    padding = -size % 64
    agreeing = ((made > 0) == (asked > 0)).sum(axis=1) + padding

    found = filled(made).nearest(asked, None, 60)

    assert dict(found) == {1001 + at: float(count) for at, count in enumerate(agreeing)}
    order = [(-likeness, number) for number, likeness in found]
    assert order == sorted(order)


@pytest.mark.parametrize("before", [1, 50, 99])
def test_what_was_held_before_the_limit_is_found_beyond_it(
    monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    made, (asked,) = vectors(200, SIZE), vectors(1, SIZE, seed=9)
    monkeypatch.setattr(matrix, "EXACT", 100)
    held = filled(made[:before])
    was_exact = held.is_exact

    held.add(rows(made[before:], before + 1))

    monkeypatch.setattr(matrix, "EXACT", 0)
    assert (was_exact, held.is_exact) == (True, False)
    assert held.nearest(asked, None, 200) == filled(made).nearest(asked, None, 200)


def test_the_signs_alone_lead_close_to_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "EXACT", 100)
    made = clustered(4000, 40)
    held = filled(made)

    kept = 0
    for asked in clustered(20, 40, seed=4):
        closer = set(numbers(held.nearest(asked, None, 400)))
        kept += len(closer & set(best(made, asked, 10)))

    assert not held.is_exact
    assert kept / 200 >= 0.9
