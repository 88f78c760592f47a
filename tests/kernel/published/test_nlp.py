"""The working set against plain linear algebra, and the solve against what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from poise import kernel
from poise.figure import Builder, Figure, Hinge
from poise.kernel.ending import COLD, CONTINUED, ITERATIONS
from poise.kernel.published.nlp_arrays import Memory, memory
from poise.kernel.published.working_set import (
    BFGS,
    DFP,
    SWITCH,
    WorkingSet,
    add,
    clear,
    descend,
    drop,
    learn,
    reduce,
    working_set,
)
from poise.solvers.nlp import compiled_problem
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import HalfSpace, Position, Rest

Values = NDArray[np.float64]

N, ROWS, UNIT = 8, 4, 0.3


def empty(rng: np.random.Generator, locked: int = 0) -> WorkingSet:
    """Room for N coordinates, the first of them locked, and ROWS random unit normals."""
    w = working_set(N, ROWS)
    free = np.ones(N)
    free[:locked] = 0.0
    normal = rng.normal(size=(ROWS, N)) * free
    w.normal[:] = normal / np.linalg.norm(normal, axis=1)[:, None]
    clear(w, free, UNIT)
    return w


def normals(w: WorkingSet) -> Values:
    """A_q, from the numbers of the rows."""
    every = np.concatenate([np.eye(N), -np.eye(N), w.normal, -w.normal])
    return every[w.row[: w.size[0]]].T


def changed(rng: np.random.Generator, w: WorkingSet, times: int, locked: int = 0) -> None:
    """Add, drop and learn at random."""
    for _ in range(times):
        choice = rng.integers(4)
        if choice == 0 and w.size[0]:
            drop(w, int(rng.integers(w.size[0])))
        elif choice == 1 and w.size[0] < N - locked:
            sigma = projector(w) @ (rng.normal(size=N) * (np.arange(N) >= locked))
            y = sigma * rng.uniform(0.5, 2.0, N)
            learn(w, sigma, y, SWITCH)
        else:
            k = int(rng.integers(2 * N + 2 * ROWS))
            is_locked = k < 2 * N and k % N < locked
            opposite = (k + N) % (2 * N) if k < 2 * N else 2 * N + (k - 2 * N + ROWS) % (2 * ROWS)
            if w.place[k] < 0 and w.place[opposite] < 0 and not is_locked:
                add(w, k)


def projector(w: WorkingSet) -> Values:
    """P = 1 − A (AᵀA)⁻¹ Aᵀ."""
    A = normals(w)
    return np.eye(N) - A @ np.linalg.pinv(A)


@given(st.integers(0, 10_000), st.integers(0, 2))
def test_rows_that_come_and_go_leave_what_linear_algebra_says(seed: int, locked: int) -> None:
    rng = np.random.default_rng(seed)
    w = empty(rng, locked)
    changed(rng, w, 25, locked)
    q, A, H = int(w.size[0]), normals(w), w.inverse
    assert w.gram[:q, :q] == pytest.approx(np.linalg.inv(A.T @ A), rel=1e-6, abs=1e-6)
    assert np.abs(H @ A).max(initial=0.0) < 1e-8
    assert np.abs(H - H.T).max() < 1e-9
    assert [int(w.place[k]) for k in w.row[:q]] == list(range(q))
    # Positive on everything that is free, zero on what is locked.
    assert not H[:locked].any()
    eigenvalues = np.linalg.eigvalsh(0.5 * (H + H.T))
    assert eigenvalues.min() > -1e-9
    assert (eigenvalues > 1e-6).sum() == N - locked - q


@given(st.integers(0, 10_000))
def test_multipliers_are_least_squares_and_the_rest_is_perpendicular(seed: int) -> None:
    rng = np.random.default_rng(seed)
    w = empty(rng)
    changed(rng, w, 15)
    g, rest, A = rng.normal(size=N), np.zeros(N), normals(w)
    reduce(w, g, w.multiplier, rest)
    expected = np.linalg.lstsq(A, g, rcond=None)[0]
    assert w.multiplier[: w.size[0]] == pytest.approx(expected, abs=1e-8)
    assert rest == pytest.approx(projector(w) @ g, abs=1e-9)


@given(st.integers(0, 10_000))
def test_dropping_a_row_is_equation_30_and_adding_it_again_equation_32(seed: int) -> None:
    rng = np.random.default_rng(seed)
    w = empty(rng)
    changed(rng, w, 15)
    if w.size[0] == 0:
        add(w, 3)
    position = int(rng.integers(w.size[0]))
    a, k, before = normals(w)[:, position], int(w.row[position]), w.inverse.copy()
    drop(w, position)
    P = projector(w)
    expected = before + w.unit[0] * np.outer(P @ a, P @ a) / (a @ P @ a)
    assert w.inverse == pytest.approx(expected, abs=1e-8)
    larger = w.inverse.copy()
    assert add(w, k)
    expected = larger - np.outer(larger @ a, larger @ a) / (a @ larger @ a)
    assert w.inverse == pytest.approx(expected, abs=1e-8)
    assert w.inverse == pytest.approx(before, abs=1e-7)


@given(st.integers(0, 10_000), st.sampled_from([BFGS, DFP, SWITCH]))
def test_what_was_learned_maps_the_change_of_the_gradient_to_the_step(
    seed: int, formula: int
) -> None:
    rng = np.random.default_rng(seed)
    w = empty(rng)
    for k in (1, N + 4, 2 * N):
        add(w, k)
    sigma = projector(w) @ rng.normal(size=N)
    y = sigma + 0.3 * rng.normal(size=N)
    found = np.zeros(N)
    if not learn(w, sigma, y, formula):
        assert sigma @ y <= 1e-9
        return
    descend(w, y, found)
    assert -found == pytest.approx(sigma, abs=1e-9)
    assert np.abs(w.inverse @ normals(w)).max() < 1e-9


@given(st.integers(0, 10_000))
def test_the_switch_is_fletchers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sigma, scale = rng.normal(size=N), rng.uniform(0.5, 10.0)
    y = scale * sigma
    results = []
    for formula in (BFGS, DFP, SWITCH):
        w = empty(np.random.default_rng(seed))
        w.inverse[:] += 0.1 * np.outer(np.arange(N), np.arange(N))
        expected = BFGS if sigma @ y >= y @ w.inverse @ y else DFP
        learn(w, sigma, y, formula)
        results.append(w.inverse.copy())
    assert results[2] == pytest.approx(results[expected], abs=1e-12)


def test_nothing_is_learned_from_a_step_along_which_the_gradient_shrank() -> None:
    w = empty(np.random.default_rng(0))
    before = w.inverse.copy()
    assert not learn(w, np.ones(N), -np.ones(N), SWITCH)
    assert (w.inverse == before).all()


def test_a_row_that_depends_on_others_is_not_added() -> None:
    rng = np.random.default_rng(0)
    w = empty(rng)
    w.normal[0] = 0.0
    w.normal[0, :2] = np.sqrt(0.5)
    assert add(w, 0)
    assert add(w, 1)
    before = w.inverse.copy()
    assert not add(w, 2 * N)
    assert w.size[0] == 2
    assert (w.inverse == before).all()


def coupled_arm() -> Figure:
    """Six hinges in space; the last two move together, and the sum of the first two is bounded."""
    build = Builder("coupled arm")
    build.segment("link_0", mass=1.0)
    build.root("link_0", "fixed")
    for i in range(1, 7):
        build.segment(f"link_{i}", mass=1.0)
        axis = "zyyxyy"[i - 1]
        build.joint(f"h{i}", Hinge(axis, (-1.5, 1.5)), f"link_{i - 1}", f"link_{i}", (0.2, 0, 0))
    build.site("tip", "link_6", (0.2, 0.0, 0.0))
    build.site("middle", "link_3", (0.2, 0.0, 0.0))
    build.couple("together", {"h6.angle": 1, "h5.angle": -0.5}, lower=0, upper=0)
    build.couple("sum", {"h1.angle": 1, "h2.angle": 1}, upper=0.4)
    return build.build()


ARM = coupled_arm()


def test_what_the_inverse_hessian_cannot_see_teaches_it_nothing() -> None:
    w = working_set(N, ROWS)
    clear(w, np.zeros(N), UNIT)
    assert not learn(w, np.ones(N), np.ones(N), DFP)
    assert w.unit[0] == UNIT
    assert not w.inverse.any()


def random_problem(seed: int, *, criteria: bool = False) -> Problem:
    rng = np.random.default_rng(seed)
    wishes = [
        Wish("tip", Position("tip", rng.uniform(-1.2, 1.2, 3)), 1, 2.0),
        Wish("middle", HalfSpace("middle", (0.0, 0.0, 0.1), normal=(0.0, 0.0, 1.0)), 1),
    ]
    return pack(ARM, ARM.rest(), wishes, [(Rest(), 1.0)] if criteria else [])


def memory_of(problem: Problem) -> Memory:
    return memory(compiled_problem(problem), 0, problem.trace)


@given(st.integers(0, 500), st.booleans())
def test_no_iteration_raises_the_sum_nor_breaks_a_limit(seed: int, criteria: bool) -> None:
    problem = random_problem(seed, criteria=criteria)
    packed, room = compiled_problem(problem), memory_of(problem)
    q, last, eased, begin = ARM.rest().q.copy(), np.inf, False, COLD
    for _ in range(60):
        status = kernel.published.nlp.nlp(packed, room, q, 1e-4, 1, SWITCH, begin, False)
        begin = CONTINUED
        if room.progress.has_left_criteria == eased:
            assert room.progress.value <= last
        last, eased = room.progress.value, room.progress.has_left_criteria
        assert ARM.within_limits(ARM.posture(q))
        assert q[5] == pytest.approx(0.5 * q[4], abs=1e-9)
        assert q[0] + q[1] <= 0.4 + 1e-9
        if status != ITERATIONS:
            break


def test_when_criteria_are_left_behind_gains_are_counted_anew() -> None:
    left = 0
    for seed in range(20):
        problem = random_problem(seed, criteria=True)
        packed, room, q = compiled_problem(problem), memory_of(problem), ARM.rest().q.copy()
        begin, status = COLD, ITERATIONS
        for _ in range(200):
            status = kernel.published.nlp.nlp(packed, room, q, 1e-4, 1, SWITCH, begin, False)
            begin = CONTINUED
            if status != ITERATIONS or room.progress.has_left_criteria:
                break
        if status == ITERATIONS and room.progress.has_left_criteria:
            left += 1
            assert room.progress.since == 0
            assert room.progress.value_before == pytest.approx(room.progress.value, rel=1e-12)
    assert left > 0


@pytest.mark.parametrize("criteria", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_solve_in_pieces_goes_the_same_way(seed: int, criteria: bool) -> None:
    problem = random_problem(seed, criteria=criteria)
    packed, whole, pieces = compiled_problem(problem), memory_of(problem), memory_of(problem)
    q, p = ARM.rest().q.copy(), ARM.rest().q.copy()
    expected = kernel.published.nlp.nlp(packed, whole, q, 1e-4, 12, SWITCH, COLD, True)
    count, begin, status = 0, COLD, ITERATIONS
    while count < 12 and status == ITERATIONS:
        left = 12 - count
        status = kernel.published.nlp.nlp(
            packed, pieces, p, 1e-4, min(5, left), SWITCH, begin, left <= 5
        )
        count += pieces.progress.iterations
        begin = CONTINUED
    assert status == expected
    assert count == whole.progress.iterations
    assert p == pytest.approx(q, abs=1e-12)
