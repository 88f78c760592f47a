"""Rows in echelon form against plain linear algebra."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.kernel.lex.echelon import (
    NONPIVOT,
    PIVOT,
    adopt,
    basic,
    eliminate,
    fits,
    join,
    reduce,
    slopes,
    write_free,
)

N, WIDTH = 13, 16


class Form:
    """Rows brought into echelon form one after the other."""

    def __init__(self, rows: np.ndarray) -> None:
        self.echelon, self.triangle = np.zeros((N + 1, WIDTH)), np.zeros((N + 1, N + 1))
        self.columns, self.rank = np.zeros((2, N + 1), np.int64), 0
        self.taken = np.zeros(WIDTH)
        self.rows: list[np.ndarray] = []
        self.shares: list[float] = []
        for row in rows:
            self.add(row)

    def add(self, row: np.ndarray) -> float:
        self.echelon[self.rank, :N] = row
        pivots, factors = self.columns[PIVOT], self.triangle[self.rank]
        share = join(self.echelon, pivots, self.rank, factors, self.taken)
        if share > 0.0:
            self.rows.append(row)
            self.shares.append(share)
            self.rank += 1
        return share

    @property
    def reduced(self) -> np.ndarray:
        return self.echelon[: self.rank, :N]

    @property
    def pivots(self) -> np.ndarray:
        return self.columns[PIVOT, : self.rank]


def random_form(seed: int, rank: int) -> tuple[Form, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return Form(rng.normal(size=(rank, N)) * 10.0 ** rng.uniform(-4, 4, (rank, 1))), rng


seeds, ranks = st.integers(0, 100_000), st.integers(0, N)


@settings(deadline=None, max_examples=60)
@given(seed=seeds, rank=ranks)
def test_rows_are_a_triangle_times_their_echelon_form(seed: int, rank: int) -> None:
    form, _ = random_form(seed, rank)
    assert form.rank == rank
    assert len(set(form.pivots)) == rank
    assert (np.tril(form.reduced[:, form.pivots], -1) == 0.0).all()
    np.testing.assert_array_equal(np.diag(form.reduced[:, form.pivots]), 1.0)
    again = np.tril(form.triangle[:rank, :rank]) @ form.reduced
    for row, made in zip(form.rows, again, strict=True):
        np.testing.assert_allclose(made, row, atol=1e-12 * float(np.linalg.norm(row)))


@settings(deadline=None, max_examples=60)
@given(seed=seeds, rank=ranks)
def test_what_says_nothing_new_is_left_out(seed: int, rank: int) -> None:
    form, rng = random_form(seed, rank)
    for row in list(form.rows):
        assert form.add(-3.0 * row) == 0.0
    if rank > 0:
        unit = [row / np.linalg.norm(row) for row in form.rows]
        assert form.add(rng.normal(size=rank) @ unit) == 0.0
    assert form.add(np.zeros(N)) == 0.0
    assert form.add(1e-14 * rng.normal(size=N)) == 0.0
    assert form.rank == rank
    if 0 < rank < N:
        nearly = form.rows[0] / np.linalg.norm(form.rows[0]) + 1e-3 * rng.normal(size=N)
        assert 0.0 < form.add(nearly) < 1e-2
    while form.rank < N:
        form.add(rng.normal(size=N))
    assert form.add(rng.normal(size=N)) == 0.0


@settings(deadline=None, max_examples=60)
@given(seed=seeds, rank=ranks)
def test_nothing_is_left_at_pivots_of_what_they_are_taken_out_of(seed: int, rank: int) -> None:
    form, rng = random_form(seed, rank)
    v, factors = np.zeros(WIDTH), np.zeros(N + 1)
    v[:N] = whole = rng.normal(size=N)
    eliminate(form.echelon, form.columns[PIVOT], form.rank, v, factors)
    assert (v[form.pivots] == 0.0).all()
    np.testing.assert_allclose(v[:N] + factors[:rank] @ form.reduced, whole, atol=1e-10)


@settings(deadline=None, max_examples=60)
@given(seed=seeds, rank=ranks)
def test_steps_that_keep_rows_follow_what_is_no_pivot(seed: int, rank: int) -> None:
    form, rng = random_form(seed, rank)
    T, v = np.full((N + 4, WIDTH), np.nan), np.full(WIDTH, np.nan)
    assert slopes(form.echelon, form.columns, form.rank, T) == N - rank
    assert sorted([*form.pivots, *form.columns[NONPIVOT, : N - rank]]) == list(range(N))
    for i in range(N - rank):
        write_free(T, form.columns, form.rank, i, v)
        np.testing.assert_array_equal(v[form.columns[NONPIVOT, : N - rank]], np.eye(N - rank)[i])
        np.testing.assert_allclose(form.reduced @ v[:N], 0.0, atol=1e-10 * float(np.linalg.norm(v)))
    # With given values of the rows, and pivots alone.
    values, step = rng.normal(size=N), np.full(WIDTH, np.nan)
    basic(form.echelon, form.columns[PIVOT], form.rank, values, step)
    np.testing.assert_allclose(form.reduced @ step[:N], values[:rank], atol=1e-9)
    assert (np.delete(step[:N], form.pivots) == 0.0).all()


@settings(deadline=None, max_examples=60)
@given(seed=seeds, rank=ranks)
def test_a_reduced_matrix_is_the_one_that_free_steps_feel(seed: int, rank: int) -> None:
    form, rng = random_form(seed, rank)
    half = rng.normal(size=(N, N))
    H, S = np.zeros((N, WIDTH)), half + half.T
    H[:, :N] = S
    reduce(H, form.echelon, form.columns, form.rank, np.full((4, WIDTH), np.nan))
    T = np.zeros((N + 4, WIDTH))
    free = slopes(form.echelon, form.columns, form.rank, T)
    steps, rest = np.zeros((free, WIDTH)), form.columns[NONPIVOT, :free]
    for i in range(free):
        write_free(T, form.columns, form.rank, i, steps[i])
    wanted = steps[:, :N] @ S @ steps[:, :N].T
    size = 1.0 + np.abs(steps).max(initial=0.0) ** 2
    np.testing.assert_allclose(H[np.ix_(rest, rest)], wanted, atol=1e-9 * size)
    np.testing.assert_allclose(H[np.ix_(rest, form.pivots)], 0.0, atol=1e-9 * size)


@settings(deadline=None, max_examples=60)
@given(seed=seeds, rank=st.integers(0, 6), count=st.integers(0, 6))
def test_rows_made_for_their_pivots_are_taken_over_as_they_are(
    seed: int, rank: int, count: int
) -> None:
    form, rng = random_form(seed, rank)
    own = rng.permutation(np.delete(np.arange(N), form.pivots))[:count]
    rows = np.zeros((count, WIDTH))
    for c in range(count):
        rows[c, :N] = rng.normal(size=N)
        rows[c, form.pivots] = rows[c, own[:c]] = 0.0
    pivots = form.columns[PIVOT]
    assert fits(pivots, form.rank, rows, count)
    adopt(form.echelon, pivots, form.triangle, form.rank, rows, own, count)
    form.rank += count
    np.testing.assert_array_equal(form.pivots[rank:], own)
    again = np.tril(form.triangle[: form.rank, : form.rank]) @ form.reduced
    np.testing.assert_allclose(again[rank:], rows[:, :N], atol=1e-12)
    np.testing.assert_array_equal(np.diag(form.reduced[:, form.pivots]), 1.0)
    if rank > 0 and count > 0:
        rows[count - 1, form.pivots[0]] = 1e-9
        assert not fits(pivots, rank, rows, count)


def test_coordinates_that_are_taken_become_pivots_only_where_others_are_poor() -> None:
    row = np.linspace(1.0, 2.0, N)
    form = Form(row[None])
    assert form.pivots == [N - 1]
    form.rank, form.taken[8:] = 0, 1.0
    form.add(row)
    assert form.pivots == [7]
    form.rank, form.taken[:] = 0, 1.0
    form.taken[2] = 0.0
    form.add(row)
    assert form.pivots == [N - 1]
