"""Tuples of arrays that cross into compiled code by their addresses."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from poise.errors import PoiseError
from poise.kernel.addresses import addresses, made_of
from poise.kernel.arrays import Floats, Floats2, Floats3, Ints, Ints2
from poise.kernel.compiling import compiled


class Inner(NamedTuple):
    """Half of what crosses."""

    numbers: Ints2
    cube: Floats3


class Outer(NamedTuple):
    """All of it."""

    first: Floats
    inner: Inner
    table: Floats2
    last: Ints


_outer = made_of(Outer)


@compiled
def _added(table):
    """The sum of everything, by entries, and a mark in each array."""
    given, total = _outer(table), 0.0
    for i in range(given.first.size):
        total += given.first[i]
    for i in range(given.inner.numbers.shape[0]):
        for j in range(given.inner.numbers.shape[1]):
            total += 10.0 * given.inner.numbers[i, j] * (i + 1) * (j + 2)
    for i in range(given.inner.cube.shape[0]):
        for j in range(given.inner.cube.shape[1]):
            for k in range(given.inner.cube.shape[2]):
                total += given.inner.cube[i, j, k] * (i + 1) * (j + 2) * (k + 3)
    row = given.table[1]
    for i in range(row.size):
        total += row[i]
    row[0], given.last[-1] = -5.0, 77
    return total


def _example() -> Outer:
    rng = np.random.default_rng(0)
    inner = Inner(rng.integers(0, 9, (2, 3)), rng.normal(size=(2, 3, 4)))
    return Outer(rng.normal(size=5), inner, rng.normal(size=(3, 4)), np.arange(4))


def test_compiled_code_reads_and_writes_the_arrays_themselves() -> None:
    given = _example()
    weights = [np.arange(1 + d, n + 1 + d) for d, n in enumerate((2, 3, 4))]
    wanted = (
        given.first.sum()
        + 10 * np.einsum("ij,i,j", given.inner.numbers, *weights[:2])
        + np.einsum("ijk,i,j,k", given.inner.cube, *weights)
        + given.table[1].sum()
    )
    assert _added(addresses(given)) == pytest.approx(wanted, abs=1e-12)
    assert given.table[1, 0] == -5.0
    assert given.last[-1] == 77


def test_empty_arrays_cross_too() -> None:
    given = _example()
    given = given._replace(
        first=np.zeros(0), inner=Inner(np.zeros((0, 3), int), np.zeros((2, 0, 4)))
    )
    assert _added(addresses(given)) == pytest.approx(_example().table[1].sum())


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(3),
        np.zeros((3, 4), int),
        np.zeros((3, 4), np.float32),
        np.zeros((4, 3)).T,
        np.zeros((3, 8))[:, ::2],
    ],
)
def test_an_array_of_another_kind_is_refused(wrong: Any) -> None:
    with pytest.raises(PoiseError, match=r"a kernel wants array\(float64, 2d, C\), but got"):
        addresses(_example()._replace(table=wrong))
