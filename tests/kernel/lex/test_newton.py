"""The Newton step of one level against plain linear algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.arrays import Workspace, workspace
from poise.kernel.lex.faces import (
    BOUND_SHARE,
    EQUALITIES,
    FREE,
    GRADIENT,
    MULTIPLIERS,
    REDUCED_GRADIENT,
    SEGMENTS,
    STEP,
    Newton,
    anew,
    face,
    hold,
    make_newton,
    only_nears,
    project,
)
from poise.kernel.lex.memory import Residuals
from poise.kernel.lex.newton import descend, shorten, step_norm, tangential_norm, undo
from poise.kernel.lex.resting import rest_rows
from poise.kernel.lex.restoration import restore, restoring_rows
from poise.kernel.lex.rows import multiplier_cost
from poise.kernel.lex.settings import SETTINGS

N, ABOVE, OWN = 9, 2, 3
ROWS = 40  # there is newton for more than a row is wide


def problem(seed: int, wall: float = np.inf) -> tuple[Workspace, Newton, np.ndarray]:
    """Two rows above, three of the level, boxes ±wall, and a positive S."""
    rng = np.random.default_rng(seed)
    ws, newton = workspace(N, ROWS, 0, 2), make_newton(N, ROWS, 1)
    ws.matrix[: ABOVE + OWN, :N] = rng.normal(size=(ABOVE + OWN, N))
    ws.rows[at.LOWER, :ABOVE] = ws.rows[at.UPPER, :ABOVE] = 0.0
    e = rng.normal(size=OWN)
    ws.rows[at.LOWER, ABOVE : ABOVE + OWN] = ws.rows[at.UPPER, ABOVE : ABOVE + OWN] = -e
    ws.boxes[at.BOX_LOWER, :N], ws.boxes[at.BOX_UPPER, :N] = -wall, wall
    half = rng.normal(size=(N, N))
    newton.hessian[:, :N] = half.T @ half
    return ws, newton, e


def parts(ws: Workspace, newton: Newton) -> tuple[np.ndarray, np.ndarray]:
    """The rows above, and the whole Hessian."""
    J = ws.matrix[ABOVE : ABOVE + OWN, :N]
    return ws.matrix[:ABOVE, :N].copy(), newton.hessian[:, :N] + J.T @ J


def null(A: np.ndarray) -> np.ndarray:
    return np.linalg.svd(A)[2][np.linalg.matrix_rank(A) :].T


def projector(newton: Newton, rank: int) -> np.ndarray:
    """What `project` does, as a matrix."""
    columns = np.zeros((N, newton.basis.shape[1]))
    for column, unit in zip(columns, np.eye(N), strict=True):
        column[:N] = unit
        project(newton, rank, column, newton.vectors[BOUND_SHARE])
    return columns[:, :N].T


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_the_gradient_is_balanced_by_forces_and_what_is_left(seed: int) -> None:
    ws, newton, e = problem(seed)
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    gradient = ws.matrix[ABOVE : ABOVE + OWN, :N].T @ e
    np.testing.assert_allclose(newton.vectors[GRADIENT, :N], gradient, atol=1e-12)
    assert rank == ABOVE
    forces = ws.matrix[:ABOVE, :N].T @ newton.vectors[MULTIPLIERS, :ABOVE]
    np.testing.assert_allclose(gradient + forces, -newton.vectors[REDUCED_GRADIENT, :N], atol=1e-10)
    np.testing.assert_allclose(
        ws.matrix[:ABOVE, :N] @ newton.vectors[REDUCED_GRADIENT, :N], 0.0, atol=1e-10
    )


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 100_000), above=st.integers(0, 14), bounds=st.integers(0, N))
def test_a_face_is_what_any_rows_and_bounds_leave(seed: int, above: int, bounds: int) -> None:
    ws, newton = workspace(N, ROWS, 0, 2), make_newton(N, ROWS, 1)
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(above, N)) * 10.0 ** rng.uniform(-3, 3, (above, 1))
    for r in range(1, above):
        kind = rng.integers(5)
        if kind == 0:
            A[r] = A[rng.integers(r)]  # the same again
        elif kind == 1:
            A[r] = rng.normal(size=r) @ A[:r]  # what others say together
        elif kind == 2:
            A[r] = np.eye(N)[rng.integers(N)] * (rng.random() < 0.7)  # one coordinate, or none
        elif kind == 3:
            A[r] = rng.normal(size=N) * 1e-14  # rounding
    ws.matrix[: above + OWN, :N] = np.vstack([A, rng.normal(size=(OWN, N))])
    ws.rows[at.LOWER, :above] = ws.rows[at.UPPER, :above] = 0.0
    ws.rows[at.LOWER, above : above + OWN] = ws.rows[at.UPPER, above : above + OWN] = -1.0
    ws.boxes[at.BOX_UPPER, rng.choice(N, bounds, replace=False)] = 0.0
    ws.boxes[at.BOX_LOWER : at.BOX_UPPER + 1, 3] = 0.0 if seed % 3 == 0 else (-9.0, 9.0)
    rank = face(ws, newton, above, above + OWN, SETTINGS.at_stop)
    members, equalities = newton.active[0, :rank], newton.face_state[EQUALITIES]
    rows = np.array([ws.matrix[m, :N] if m >= 0 else np.eye(N)[-1 - m] for m in members])
    rows = rows.reshape(rank, N)
    assert np.linalg.matrix_rank(rows / np.linalg.norm(rows, axis=1, keepdims=True)) == rank
    Z = null(rows) if rank else np.eye(N)
    size = max(np.abs(Z).max(initial=0.0), 1.0)
    np.testing.assert_allclose(projector(newton, rank), Z @ Z.T, atol=1e-8 * size)
    # All equalities that mean something are kept.
    kept = rows[:equalities]
    for row in A[np.linalg.norm(A, axis=1) > 1e-12]:
        part = np.linalg.lstsq(kept.T, row, rcond=None)[0] @ kept
        np.testing.assert_allclose(part, row, atol=1e-5 * float(np.linalg.norm(row)))
    # Forces balance the gradient, and bounds are pressed against.
    gradient, left = newton.vectors[GRADIENT, :N], newton.vectors[REDUCED_GRADIENT, :N]
    force = newton.vectors[MULTIPLIERS, :rank]
    scale = 1.0 + np.abs(force[:, None] * rows).sum()
    np.testing.assert_allclose(gradient + force @ rows, -left, atol=1e-9 * scale)
    np.testing.assert_allclose(left, -Z @ (Z.T @ gradient), atol=1e-7 * scale)
    assert (force[equalities:] * newton.active[1, equalities:rank] > -1e-6 * scale).all()


@pytest.mark.parametrize("above", [0, 1, 4, 5, 8, 9])
def test_what_is_less_gets_the_basis(above: int) -> None:
    ws, newton, _ = problem(0)
    ws.matrix[:above, :N] = np.random.default_rng(above).normal(size=(above, N))
    ws.rows[at.LOWER, :above] = ws.rows[at.UPPER, :above] = 0.0
    assert face(ws, newton, above, above + OWN, SETTINGS.at_stop) == above
    left_free = -1 if 2 * above <= N else N - above
    assert newton.face_state[FREE] == left_free
    basis = newton.basis[: above if left_free < 0 else left_free, :N]
    np.testing.assert_allclose(basis @ basis.T, np.eye(len(basis)), atol=1e-12)
    rank = above
    for j in range(N):  # all that can be held is held, and no more
        rank = hold(ws, newton, rank, -1 - j, 1)
    assert rank == N
    np.testing.assert_allclose(projector(newton, rank), 0.0, atol=1e-9)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_without_bounds_it_is_newtons_step_in_the_space_that_is_left(seed: int) -> None:
    ws, newton, _ = problem(seed)
    A, H = parts(ws, newton)
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    g = newton.vectors[GRADIENT, :N].copy()
    promise = descend(ws, newton, ABOVE, ABOVE + OWN, rank, 1e6, False, np.nan)
    Z = null(A)
    exact = -Z @ np.linalg.solve(Z.T @ H @ Z, Z.T @ g)
    best = -(g @ exact + 0.5 * exact @ H @ exact)
    u = newton.vectors[STEP, :N]
    np.testing.assert_allclose(A @ u, 0.0, atol=1e-9)
    assert promise == pytest.approx(-(g @ u + 0.5 * u @ H @ u), rel=1e-8)
    assert 0.95 * best <= promise <= best * (1.0 + 1e-9)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000), radius=st.sampled_from([0.01, 0.1, 1.0]))
def test_it_goes_no_farther_than_it_trusts_and_the_promise_is_kept(
    seed: int, radius: float
) -> None:
    ws, newton, _ = problem(seed)
    newton.hessian[:, :N] -= 3.0 * np.eye(N)  # downhill for ever, along some directions
    A, H = parts(ws, newton)
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    g = newton.vectors[GRADIENT, :N].copy()
    promise = descend(ws, newton, ABOVE, ABOVE + OWN, rank, radius, False, np.nan)
    u = newton.vectors[STEP, :N]
    assert np.linalg.norm(u) <= radius * (1 + 1e-9)
    np.testing.assert_allclose(A @ u, 0.0, atol=1e-9)
    assert promise > 0
    assert promise == pytest.approx(-(g @ u + 0.5 * u @ H @ u), rel=1e-8)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    share=st.floats(0.01, 0.99),
    wall=st.sampled_from([0.1, np.inf]),
    bent=st.booleans(),
)
def test_less_far_along_the_same_way_is_where_a_smaller_radius_leads(
    seed: int, share: float, wall: float, bent: bool
) -> None:
    ends, promises = [], []
    for shortened in (False, True):
        ws, newton, _ = problem(seed, wall)
        if bent:
            newton.hessian[:, :N] -= 3.0 * np.eye(N)
        rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
        descend(ws, newton, ABOVE, ABOVE + OWN, rank, 0.5, False, np.nan)
        radius = share * float(np.linalg.norm(newton.vectors[STEP, :N]))
        if shortened:
            promises.append(shorten(newton, radius))
        else:
            rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
            promises.append(descend(ws, newton, ABOVE, ABOVE + OWN, rank, radius, False, np.nan))
        ends.append(newton.vectors[STEP, :N].copy())
        assert np.linalg.norm(ends[-1]) == pytest.approx(radius, rel=1e-9)
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-9)
    assert promises[1] == pytest.approx(promises[0], rel=1e-8)


@settings(deadline=None, max_examples=80)
@given(seed=st.integers(0, 10_000), share=st.floats(0.01, 3.0))
def test_it_stops_where_no_more_than_little_can_be_gained(seed: int, share: float) -> None:
    ws, newton, _ = problem(seed)
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    left = newton.vectors[REDUCED_GRADIENT].copy()
    whole = descend(ws, newton, ABOVE, ABOVE + OWN, rank, 0.5, False, np.nan)
    little = share * whole
    for back in (False, True):
        undo(newton)
        np.testing.assert_array_equal(newton.vectors[REDUCED_GRADIENT], left)
        newton.vectors[STEP] = 0.0
        promise = descend(ws, newton, ABOVE, ABOVE + OWN, rank, 0.5, back, little)
        assert promise <= whole * (1 + 1e-9)
        # Whether it is little is told as by the whole way, and where it is not, most is gained.
        assert (promise > little) == (whole > little) or share == pytest.approx(1.0, rel=1e-6)
        if back or whole > little:
            assert promise >= 0.9 * whole
    if share > 2.0:
        undo(newton)
        descend(ws, newton, ABOVE, ABOVE + OWN, rank, 1e-3, False, little)
        assert newton.face_state[SEGMENTS] <= 1, "only to see how it bends"


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_forces_tell_what_it_costs_to_mend_what_is_off(seed: int) -> None:
    ws, newton, e = problem(seed)
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    assert list(newton.active[0, :rank]) == list(range(ABOVE))
    A, J = ws.matrix[:ABOVE, :N], ws.matrix[ABOVE : ABOVE + OWN, :N]
    off = 1e-6 * np.random.default_rng(seed).normal(size=ABOVE)
    residuals = Residuals(*np.zeros((len(Residuals._fields), ABOVE + OWN)))
    residuals.now[:ABOVE], residuals.multipliers[:ABOVE] = off, newton.vectors[MULTIPLIERS, :ABOVE]
    starts = np.array([0, ABOVE, ABOVE + OWN])
    told = multiplier_cost(starts, np.zeros(ABOVE + OWN, np.int64), residuals, 1)
    after = e - J @ np.linalg.pinv(A) @ off
    assert told == pytest.approx(0.5 * (after @ after - e @ e), rel=1e-3, abs=1e-10)
    # An inequality that holds is not to be mended.
    held = multiplier_cost(starts, np.ones(ABOVE + OWN, np.int64), residuals, 1)
    assert held == pytest.approx(newton.vectors[MULTIPLIERS, :ABOVE] @ np.minimum(off, 0.0))


@pytest.mark.parametrize("distance", [0.0, 1e-4])
def test_a_bound_that_is_only_near_is_told_from_one_that_is_touched(distance: float) -> None:
    for side, sign in ((at.BOX_UPPER, 1.0), (at.BOX_LOWER, -1.0)):
        ws, newton, _ = problem(1)
        face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
        j = int(np.argmax(sign * newton.vectors[REDUCED_GRADIENT, :N]))  # it goes there
        ws.boxes[side, j] = sign * distance
        rank = face(ws, newton, ABOVE, ABOVE + OWN, 1e-3)
        assert rank == ABOVE + 1
        assert only_nears(ws, newton, rank) == (distance > 0.0)


def way_back(seed: int, wall: float = np.inf) -> tuple[Workspace, Newton, np.ndarray, int]:
    """A problem whose rows above are off by as much as is returned; the rank with the way back."""
    ws, newton, _ = problem(seed, wall)
    wanted = 0.05 * np.random.default_rng(seed).normal(size=ABOVE)
    ws.rows[at.LOWER, :ABOVE] = ws.rows[at.UPPER, :ABOVE] = wanted
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    return ws, newton, wanted, restore(ws, newton, ABOVE, rank, 1e6)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_a_way_back_is_the_one_that_costs_the_level_least(seed: int) -> None:
    ws, newton, wanted, rank = way_back(seed)
    A, H = parts(ws, newton)
    g, left = newton.vectors[GRADIENT, :N].copy(), newton.vectors[REDUCED_GRADIENT, :N].copy()
    shortest = newton.vectors[STEP, :N].copy()
    assert step_norm(newton) == pytest.approx(np.linalg.norm(shortest))
    promise = descend(ws, newton, ABOVE, ABOVE + OWN, rank, 1e6, True, np.nan)
    u = newton.vectors[STEP, :N]
    np.testing.assert_allclose(A @ u, wanted, atol=1e-9)
    assert tangential_norm(newton) == pytest.approx(np.linalg.norm(u - shortest))
    # Of all steps that bring the rows back, by whose multipliers the promise is made.
    assert promise == pytest.approx(left @ u - 0.5 * u @ H @ u, rel=1e-8)
    Z = null(A)
    exact = shortest - Z @ np.linalg.solve(Z.T @ H @ Z, Z.T @ (g + H @ shortest))

    def cost(step: np.ndarray) -> float:
        return float(g @ step + 0.5 * step @ H @ step)

    assert cost(u) - cost(exact) <= 0.05 * (cost(shortest) - cost(exact)) + 1e-12


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10_000), share=st.floats(0.01, 0.99), wall=st.sampled_from([0.2, np.inf])
)
def test_the_radius_is_for_what_comes_besides_the_way_back(
    seed: int, share: float, wall: float
) -> None:
    ends, promises = [], []
    for shortened in (False, True):
        ws, newton, wanted, rank = way_back(seed, wall)
        assume(step_norm(newton) < 0.2)
        A = ws.matrix[:ABOVE, :N].copy()
        descend(ws, newton, ABOVE, ABOVE + OWN, rank, 0.5, True, np.nan)
        radius = share * tangential_norm(newton)
        if shortened:
            promises.append(shorten(newton, radius))
        else:
            ws, newton, wanted, rank = way_back(seed, wall)
            promises.append(descend(ws, newton, ABOVE, ABOVE + OWN, rank, radius, True, np.nan))
        assert tangential_norm(newton) == pytest.approx(radius, rel=1e-6)
        ends.append(newton.vectors[STEP, :N].copy())
        np.testing.assert_allclose(A @ ends[-1], wanted, atol=1e-9)
        assert (np.abs(ends[-1]) <= wall + 1e-12).all()
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-9)
    assert promises[1] == pytest.approx(promises[0], rel=1e-8, abs=1e-12)


def test_a_way_that_leads_less_far_promises_nothing_there() -> None:
    ws, newton, _ = problem(0)
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    descend(ws, newton, ABOVE, ABOVE + OWN, rank, 0.5, False, np.nan)
    assert shorten(newton, 0.6) == 0.0


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10_000))
def test_bounds_hold_and_those_that_it_leaves_are_not_in_the_way(seed: int) -> None:
    ws, newton, _ = problem(seed, wall=0.05)
    rng = np.random.default_rng(seed)
    touched = rng.random(N) < 0.5
    ws.boxes[at.BOX_UPPER, :N][touched] = 0.0
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    members, force = newton.active[:, :rank], newton.vectors[MULTIPLIERS, :rank]
    for member, side, pull in zip(*members, force, strict=True):
        if side != 0:
            assert touched[-1 - member]
            assert pull * side >= -1e-6
    # What is left points into no bound that is touched.
    assert (newton.vectors[REDUCED_GRADIENT, :N][touched] <= 1e-8).all()
    descend(ws, newton, ABOVE, ABOVE + OWN, rank, 10.0, False, np.nan)
    u = newton.vectors[STEP, :N]
    assert (u <= ws.boxes[at.BOX_UPPER, :N] + 1e-12).all()
    assert (u >= ws.boxes[at.BOX_LOWER, :N] - 1e-12).all()


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_stiff_rows_hold_all_that_the_level_needs(seed: int) -> None:
    ws, newton, _ = problem(seed)
    A, H = parts(ws, newton)
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    kept, pivots = np.zeros((N, ws.matrix.shape[1])), np.zeros(N + 1, np.int64)
    count = rest_rows(ws, newton, ABOVE, ABOVE + OWN, rank, 1e-9, 1e-9, kept, pivots)
    assert pivots[0] == N - ABOVE
    L = ws.matrix[ABOVE : ABOVE + pivots[0], :N]
    Z = null(A)
    np.testing.assert_allclose(Z.T @ L.T @ L @ Z, Z.T @ H @ Z, atol=1e-7)
    # They are in echelon form, after the rows above: nothing is left to eliminate.
    above = newton.columns[0, :ABOVE]
    assert (L[:, above] == 0.0).all()
    assert (np.tril(L[:, pivots[1 : pivots[0] + 1]], -1) == 0.0).all()
    # One more row keeps the levels below from going up what is not at rest yet.
    assert count == N - ABOVE + 1
    slope = ws.matrix[ABOVE + count - 1, :N]
    assert np.linalg.norm(slope) == pytest.approx(1.0)
    left = newton.vectors[REDUCED_GRADIENT, :N]
    np.testing.assert_allclose(slope, left / np.linalg.norm(left), atol=1e-9)
    assert ws.rows[at.LOWER, ABOVE + count - 1] == 0.0
    assert ws.rows[at.UPPER, ABOVE + count - 1] == np.inf


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_rounding_is_not_stiff(seed: int) -> None:
    ws, newton, _ = problem(seed)
    newton.hessian[:] = 0.0  # nothing bends but the level's own rows
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    kept, pivots = np.zeros((N, ws.matrix.shape[1])), np.zeros(N + 1, np.int64)
    rest_rows(ws, newton, ABOVE, ABOVE + OWN, rank, 0.0, np.inf, kept, pivots)
    assert pivots[0] == min(OWN, N - ABOVE)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_stiff_rows_bring_a_level_back_to_rest(seed: int) -> None:
    ws, newton, _ = problem(seed)
    _, H = parts(ws, newton)
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    matrix, bounds = ws.matrix.copy(), ws.rows.copy()
    kept, pivots = np.zeros((N, ws.matrix.shape[1])), np.zeros(N + 1, np.int64)
    rest_rows(ws, newton, ABOVE, ABOVE + OWN, rank, 1e-9, np.inf, kept, pivots)

    def restored(soft: float) -> tuple[np.ndarray, np.ndarray]:
        """The step, and the slope that was there."""
        ws.matrix[:], ws.rows[:] = matrix, bounds
        anew(newton)
        face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
        slope = newton.vectors[REDUCED_GRADIENT, :N].copy()
        count = restoring_rows(ws, newton, ABOVE, kept, pivots, soft)
        rank = face(ws, newton, ABOVE + count, ABOVE + count, SETTINGS.at_stop)
        assert rank == N
        restore(ws, newton, ABOVE + count, rank, 1e9)
        return newton.vectors[STEP, :N].copy(), slope

    step, slope = restored(0.0)
    Z = null(matrix[:ABOVE, :N])
    wanted = Z @ np.linalg.solve(Z.T @ H @ Z, Z.T @ slope)
    np.testing.assert_allclose(step, wanted, rtol=1e-5, atol=1e-6)
    # Softly, it goes less far; what has not grown does not move.
    softly, _ = restored(10.0)
    assert softly @ H @ softly < wanted @ H @ wanted
    np.testing.assert_array_equal(restored(np.inf)[0], 0.0)
    # Elsewhere the rows above are others, and what they leave too.
    matrix[:ABOVE, :N] += 0.05 * np.random.default_rng(seed).normal(size=(ABOVE, N))
    L, before = kept[: pivots[0], :N], newton.columns[0, :ABOVE].copy()
    step, slope = restored(0.0)
    assume((newton.columns[0, :ABOVE] == before).all())
    Z = null(matrix[:ABOVE, :N])
    wanted = Z @ np.linalg.solve(Z.T @ L.T @ L @ Z, Z.T @ slope)
    np.testing.assert_allclose(step, wanted, rtol=1e-5, atol=1e-6)


def test_stiff_rows_are_eliminated_where_pivots_above_have_changed() -> None:
    ws, newton, _ = problem(5)
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    kept, pivots = np.zeros((N, ws.matrix.shape[1])), np.zeros(N + 1, np.int64)
    rest_rows(ws, newton, ABOVE, ABOVE + OWN, rank, 1e-9, np.inf, kept, pivots)
    before = newton.columns[0, :ABOVE].copy()
    ws.matrix[:ABOVE, before] = 0.0
    ws.rows[at.LOWER, :ABOVE] = ws.rows[at.UPPER, :ABOVE] = 0.1, -0.2
    anew(newton)
    count = restoring_rows(ws, newton, ABOVE, kept, pivots, np.inf)
    rank = face(ws, newton, ABOVE + count, ABOVE + count, SETTINGS.at_stop)
    restore(ws, newton, ABOVE + count, rank, 1e9)
    assert not set(newton.columns[0, :ABOVE]) & set(before)
    rows = np.vstack([ws.matrix[:ABOVE, :N], kept[: pivots[0], :N]])
    assert rank == np.linalg.matrix_rank(rows)
    shortest = np.linalg.pinv(rows[:ABOVE]) @ [0.1, -0.2]
    np.testing.assert_allclose(newton.vectors[STEP, :N], shortest, atol=1e-8)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10_000), radius=st.sampled_from([0.01, 1e9]))
def test_what_rows_want_is_restored_within_bounds_by_the_shortest_step(
    seed: int, radius: float
) -> None:
    ws, newton, _ = problem(seed)
    rng = np.random.default_rng(seed)
    wanted = rng.normal(size=ABOVE) * 0.1
    ws.rows[at.LOWER, :ABOVE] = ws.rows[at.UPPER, :ABOVE] = wanted
    rank = face(ws, newton, ABOVE, ABOVE, SETTINGS.at_stop)
    restore(ws, newton, ABOVE, rank, radius)
    A = ws.matrix[:ABOVE, :N]
    shortest = np.linalg.pinv(A) @ wanted
    share = min(1.0, radius / np.linalg.norm(shortest))
    np.testing.assert_allclose(newton.vectors[STEP, :N], share * shortest, atol=1e-9)
    # A bound in the way is held, and the others make up for it.
    j = int(np.argmax(np.abs(shortest)))
    side = at.BOX_UPPER if shortest[j] > 0 else at.BOX_LOWER
    ws.boxes[side, j] = 0.5 * shortest[j]
    rank = face(ws, newton, ABOVE, ABOVE, SETTINGS.at_stop)
    held = restore(ws, newton, ABOVE, rank, 1e9)
    assert held == rank + 1
    assert newton.vectors[STEP, j] == pytest.approx(0.5 * shortest[j])
    np.testing.assert_allclose(A @ newton.vectors[STEP, :N], wanted, atol=1e-9)


def test_what_rows_nearly_alike_want_apart_leads_nowhere_far() -> None:
    ws, newton, _ = problem(3)
    ws.matrix[1, :N] = ws.matrix[0, :N]
    ws.matrix[1, 0] += 1e-4
    ws.rows[at.LOWER, :ABOVE] = ws.rows[at.UPPER, :ABOVE] = 0.1, 0.11
    restore(ws, newton, ABOVE, face(ws, newton, ABOVE, ABOVE, SETTINGS.at_stop), 1e9)
    step = newton.vectors[STEP, :N]
    assert (np.linalg.pinv(ws.matrix[:ABOVE, :N]) @ [0.1, 0.11]).max() > 10.0
    assert np.linalg.norm(step) < 0.2
    assert ws.matrix[0, :N] @ step == pytest.approx(0.1)


def test_criteria_are_a_level_without_rows() -> None:
    ws, newton, _ = problem(1)
    ws.boxes[at.REST, :N] = np.arange(N)
    rank = face(ws, newton, ABOVE, ABOVE, SETTINGS.at_stop)
    newton.hessian[:, :N] = np.eye(N)
    descend(ws, newton, ABOVE, ABOVE, rank, 1e6, False, np.nan)
    Z = null(ws.matrix[:ABOVE, :N])
    np.testing.assert_allclose(newton.vectors[STEP, :N], Z @ Z.T @ np.arange(N), atol=1e-9)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10_000))
def test_a_face_that_goes_on_from_the_last_is_the_one_found_anew(seed: int) -> None:
    ws, newton, _ = problem(seed, wall=0.05)
    rng = np.random.default_rng(seed)
    ws.boxes[at.BOX_UPPER, :N][rng.random(N) < 0.5] = 0.0
    ws.boxes[at.BOX_LOWER : at.BOX_UPPER + 1, 0] = 0.0  # locked
    ws.matrix[1, :N] = 2.0 * ws.matrix[0, :N]  # says nothing new
    ws.rows[at.UPPER, 0] = ws.rows[at.UPPER, 1] = np.inf if seed % 2 else 0.0
    rank = face(ws, newton, ABOVE, ABOVE + OWN, SETTINGS.at_stop)
    kept, pivots = np.zeros((N, ws.matrix.shape[1])), np.zeros(N + 1, np.int64)
    end = ABOVE + rest_rows(ws, newton, ABOVE, ABOVE + OWN, rank, 1.0, np.inf, kept, pivots)
    ws.boxes[at.REST, :N] = rng.normal(size=N)
    rank = face(ws, newton, end, end, SETTINGS.at_stop)
    left, free = newton.vectors[REDUCED_GRADIENT, :N].copy(), projector(newton, rank)
    force = np.zeros(ABOVE + OWN + 2 * N)
    force[newton.active[0, :rank]] = newton.vectors[MULTIPLIERS, :rank]
    anew(newton)
    assert face(ws, newton, end, end, SETTINGS.at_stop) == rank
    np.testing.assert_allclose(newton.vectors[REDUCED_GRADIENT, :N], left, atol=1e-9)
    np.testing.assert_allclose(projector(newton, rank), free, atol=1e-7)
    again = np.zeros_like(force)
    again[newton.active[0, :rank]] = newton.vectors[MULTIPLIERS, :rank]
    np.testing.assert_allclose(again, force, atol=1e-6, rtol=1e-5)
