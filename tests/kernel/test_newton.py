"""The Newton step of one level against plain linear algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.kernel import hierarchy_arrays as at
from poise.kernel.hierarchy_arrays import Workspace, workspace
from poise.kernel.newton import (
    FORCE,
    GRADIENT,
    LEFT,
    STEP,
    Room,
    descend,
    face,
    make_room,
    stiff_rows,
)

N, ABOVE, OWN = 9, 2, 3


def problem(seed: int, wall: float = np.inf) -> tuple[Workspace, Room, np.ndarray]:
    """Two rows above, three of the level, boxes ±wall, and a positive S."""
    rng = np.random.default_rng(seed)
    ws, room = workspace(N, ABOVE + OWN + N, 0, 2), make_room(N, ABOVE + OWN + N + 1, 1)
    ws.matrix[: ABOVE + OWN, :N] = rng.normal(size=(ABOVE + OWN, N))
    ws.rows[at.LOWER, :ABOVE] = ws.rows[at.UPPER, :ABOVE] = 0.0
    e = rng.normal(size=OWN)
    ws.rows[at.LOWER, ABOVE : ABOVE + OWN] = ws.rows[at.UPPER, ABOVE : ABOVE + OWN] = -e
    ws.boxes[at.BOX_LOWER, :N], ws.boxes[at.BOX_UPPER, :N] = -wall, wall
    half = rng.normal(size=(N, N))
    room.hessian[:, :N] = half.T @ half
    return ws, room, e


def parts(ws: Workspace, room: Room) -> tuple[np.ndarray, np.ndarray]:
    """The rows above, and the whole Hessian."""
    J = ws.matrix[ABOVE : ABOVE + OWN, :N]
    return ws.matrix[:ABOVE, :N].copy(), room.hessian[:, :N] + J.T @ J


def null(A: np.ndarray) -> np.ndarray:
    return np.linalg.svd(A)[2][np.linalg.matrix_rank(A) :].T


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_the_gradient_is_balanced_by_forces_and_what_is_left(seed: int) -> None:
    ws, room, e = problem(seed)
    rank = face(ws, room, ABOVE, ABOVE + OWN)
    gradient = ws.matrix[ABOVE : ABOVE + OWN, :N].T @ e
    np.testing.assert_allclose(room.vectors[GRADIENT, :N], gradient, atol=1e-12)
    assert rank == ABOVE
    forces = ws.matrix[:ABOVE, :N].T @ room.vectors[FORCE, :ABOVE]
    np.testing.assert_allclose(gradient + forces, -room.vectors[LEFT, :N], atol=1e-10)
    np.testing.assert_allclose(ws.matrix[:ABOVE, :N] @ room.vectors[LEFT, :N], 0.0, atol=1e-10)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_without_bounds_it_is_newtons_step_in_the_space_that_is_left(seed: int) -> None:
    ws, room, _ = problem(seed)
    A, H = parts(ws, room)
    rank = face(ws, room, ABOVE, ABOVE + OWN)
    g = room.vectors[GRADIENT, :N].copy()
    promise = descend(ws, room, ABOVE, ABOVE + OWN, rank, 1e6)
    Z = null(A)
    exact = -Z @ np.linalg.solve(Z.T @ H @ Z, Z.T @ g)
    best = -(g @ exact + 0.5 * exact @ H @ exact)
    u = room.vectors[STEP, :N]
    np.testing.assert_allclose(A @ u, 0.0, atol=1e-9)
    assert promise == pytest.approx(-(g @ u + 0.5 * u @ H @ u), rel=1e-8)
    assert 0.95 * best <= promise <= best * (1.0 + 1e-9)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000), radius=st.sampled_from([0.01, 0.1, 1.0]))
def test_it_goes_no_farther_than_it_trusts_and_the_promise_is_kept(
    seed: int, radius: float
) -> None:
    ws, room, _ = problem(seed)
    room.hessian[:, :N] -= 3.0 * np.eye(N)  # downhill for ever, along some directions
    A, H = parts(ws, room)
    rank = face(ws, room, ABOVE, ABOVE + OWN)
    g = room.vectors[GRADIENT, :N].copy()
    promise = descend(ws, room, ABOVE, ABOVE + OWN, rank, radius)
    u = room.vectors[STEP, :N]
    assert np.linalg.norm(u) <= radius * (1 + 1e-9)
    np.testing.assert_allclose(A @ u, 0.0, atol=1e-9)
    assert promise > 0
    assert promise == pytest.approx(-(g @ u + 0.5 * u @ H @ u), rel=1e-8)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10_000))
def test_bounds_hold_and_those_that_it_leaves_are_not_in_the_way(seed: int) -> None:
    ws, room, _ = problem(seed, wall=0.05)
    rng = np.random.default_rng(seed)
    touched = rng.random(N) < 0.5
    ws.boxes[at.BOX_UPPER, :N][touched] = 0.0
    rank = face(ws, room, ABOVE, ABOVE + OWN)
    members, force = room.members[:, :rank], room.vectors[FORCE, :rank]
    for member, side, pull in zip(*members, force, strict=True):
        if side != 0:
            assert touched[-1 - member]
            assert pull * side >= -1e-6
    # What is left points into no bound that is touched.
    assert (room.vectors[LEFT, :N][touched] <= 1e-8).all()
    descend(ws, room, ABOVE, ABOVE + OWN, rank, 10.0)
    u = room.vectors[STEP, :N]
    assert (u <= ws.boxes[at.BOX_UPPER, :N] + 1e-12).all()
    assert (u >= ws.boxes[at.BOX_LOWER, :N] - 1e-12).all()


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_stiff_rows_hold_all_that_the_level_needs(seed: int) -> None:
    ws, room, _ = problem(seed)
    A, H = parts(ws, room)
    rank = face(ws, room, ABOVE, ABOVE + OWN)
    count = stiff_rows(ws, room, ABOVE, ABOVE + OWN, rank, 1e-9, N)
    L = ws.matrix[ABOVE : ABOVE + count, :N]
    P = null(A) @ null(A).T
    assert count == N - ABOVE
    np.testing.assert_allclose(L.T @ L, P @ H @ P, atol=1e-7)


def test_criteria_are_a_level_without_rows() -> None:
    ws, room, _ = problem(1)
    ws.boxes[at.REST, :N] = np.arange(N)
    rank = face(ws, room, ABOVE, ABOVE)
    room.hessian[:, :N] = np.eye(N)
    descend(ws, room, ABOVE, ABOVE, rank, 1e6)
    Z = null(ws.matrix[:ABOVE, :N])
    np.testing.assert_allclose(room.vectors[STEP, :N], Z @ Z.T @ np.arange(N), atol=1e-9)
