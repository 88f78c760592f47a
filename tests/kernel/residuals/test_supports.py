"""The centre of mass over hulls, lines and points, of one figure or of several; choices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.random_figures import random_figure, random_q
from tests.tasks.residual import Residual, residual_of

from poise.figure import Builder, Figure, Free, Hinge
from poise.figure.merging import merge
from poise.solvers.problem import Wish, pack
from poise.tasks import Any, Balance, CenterOfMass, Inertia, Position, Task

Values = NDArray[np.float64]


def stander(turn: tuple[float, float, float]) -> Figure:
    """A body on a triangular sole turned by a rotation vector, and a free ball of mass beside."""
    body = Builder("stander")
    body.segment("foot", mass=1.0)
    body.segment("ball", mass=3.0)
    body.root("foot")
    body.joint("held", Free(), "foot", "ball")
    body.site("sole", "foot", rotation=turn, outline=[(0.0, 0.0), (0.2, 0.0), (0.2, 0.1)])
    return body.build()


def balanced(figure: Figure, center: Values, margin: float = 0.0) -> tuple[Residual, Values]:
    """The rows of Balance, and a posture in which the centre of mass is in a given place."""
    q = np.zeros(12)
    q[6:9] = 4.0 / 3.0 * center
    assert figure.center_of_mass(q) == pytest.approx(center)
    return residual_of(figure, Balance(supports="sole", margin=margin)), q


EDGE_ON = (np.pi / 2, 0.0, 0.0)  # the sole seen along y: a line from x = 0 to x = 0.2


@pytest.mark.parametrize(
    ("x", "y", "lack"),
    [
        (0.1, 0.0, 0.0),
        (0.1, 0.03, 0.03),
        (0.1, -0.03, 0.03),
        (0.25, 0.0, 0.05),
        (-0.07, 0.0, 0.07),
        (0.23, 0.04, 0.05),
    ],
)
def test_a_support_seen_edge_on_holds_across_and_at_both_ends(
    x: float, y: float, lack: float
) -> None:
    residual, q = balanced(stander(EDGE_ON), np.array([x, y, 1.0]))
    rows = residual(q)
    assert rows[4:].tolist() == [1.0]
    assert np.linalg.norm(np.minimum(rows, 0.0)) == pytest.approx(lack, abs=1e-12)


@pytest.mark.parametrize("turn", [EDGE_ON, (0.0, np.pi / 2, 0.0)])
def test_rows_of_a_support_seen_edge_on_have_the_right_derivative(
    turn: tuple[float, float, float],
) -> None:
    figure = stander(turn)
    residual, q = balanced(figure, np.array([0.3, 0.2, 1.0]))
    # It stays a line where the foot moves without tilting: along all axes, and about z.
    free = [0, 1, 2, 5, 6, 7, 8]
    jacobian = residual.jacobian(q)
    for i in free:
        step = np.zeros(12)
        step[i] = 1e-5
        expected = (residual(q + step) - residual(q - step)) / 2e-5
        assert jacobian[:, i] == pytest.approx(expected, abs=1e-8)


def test_a_support_that_is_a_point_must_be_under_the_centre_of_mass() -> None:
    body = Builder("pole")
    body.segment("foot", mass=1.0)
    body.segment("ball", mass=3.0)
    body.root("foot")
    body.joint("held", Free(), "foot", "ball")
    body.site("sole", "foot", outline=[(0.0, 0.0), (5e-6, 0.0), (0.0, 5e-6)])
    residual, q = balanced(body.build(), np.array([0.03, -0.04, 1.0]))
    assert np.linalg.norm(np.minimum(residual(q), 0.0)) == pytest.approx(0.05, abs=1e-5)
    jacobian = residual.jacobian(q)
    for i in range(12):
        step = np.zeros(12)
        step[i] = 1e-5
        expected = (residual(q + step) - residual(q - step)) / 2e-5
        assert jacobian[:, i] == pytest.approx(expected, abs=1e-5)


@given(st.floats(-9, -1), st.floats(-0.3, 0.5), st.floats(-0.2, 0.2))
def test_a_slender_support_wants_nearly_what_a_line_wants(power: float, x: float, y: float) -> None:
    tilt = 10.0**power
    slender = stander((np.pi / 2 - tilt, 0.0, 0.0))
    lacks: list[float] = []
    for figure in (slender, stander(EDGE_ON)):
        residual, q = balanced(figure, np.array([x, y, 1.0]))
        lacks.append(float(-np.minimum(residual(q), 0.0).min()))
        assert np.isfinite(residual.jacobian(q)).all()
    assert lacks[0] == pytest.approx(lacks[1], abs=0.2 * tilt + 2e-5)


def pair_of(rng: np.random.Generator) -> tuple[dict[str, Figure], Figure]:
    """Two figures, one with a fixed root whose base has mass, and both as one."""
    figures = {
        "anna": random_figure(rng, 4),
        "ben": random_figure(rng, 5, root="fixed"),
    }
    return figures, merge(figures)


def residual_in(figures: dict[str, Figure], whole: Figure, *tasks: Task) -> Residual:
    parts: dict[str, tuple[Figure, slice]] = {}
    first = 0
    for name, figure in figures.items():
        parts[name] = figure, slice(first, first + figure.n)
        first += figure.n
    wishes = [Wish(str(i), task, 1) for i, task in enumerate(tasks)]
    return Residual(pack(whole, whole.posture(), wishes, parts=parts))


@given(st.integers(0, 200))
def test_masses_of_one_figure_among_several_are_those_of_that_figure(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figures, whole = pair_of(rng)
    q = random_q(rng, whole)
    span = {"anna": slice(0, figures["anna"].n), "ben": slice(figures["anna"].n, whole.n)}
    for name, figure in figures.items():
        residual = residual_in(
            figures,
            whole,
            CenterOfMass((0.0, 0.0, 0.0), figure=name),
            Inertia("x", 0.0, figure=name),
            CenterOfMass((0.0, 0.0, 0.0)),
        )
        own = q[span[name]]
        radius = np.sqrt(figure.inertia(own, "x") / figure.mass)
        rows = residual(q)
        assert rows[:3] == pytest.approx(figure.center_of_mass(own), abs=1e-12)
        assert rows[3] == pytest.approx(radius, abs=1e-10)
        assert rows[4:] == pytest.approx(whole.center_of_mass(q), abs=1e-12)
        residual.check(q, step=2e-4, within=1e-7)
        others = np.ones(whole.n, bool)
        others[span[name]] = False
        assert not residual.jacobian(q)[:4, others].any()


@pytest.mark.parametrize("axis", ["x", "y", (0.6, 0.0, 0.8)])
def test_the_radius_of_gyration_is_that_of_the_moment_of_inertia(
    axis: str | tuple[float, ...],
) -> None:
    rng = np.random.default_rng(8)
    figure = random_figure(rng, 6)
    q = random_q(rng, figure)
    expected = np.sqrt(figure.inertia(q, axis) / figure.mass)
    assert residual_of(figure, Inertia(axis, 0.25))(q) == pytest.approx([expected - 0.25])


def test_mass_on_the_axis_itself_gives_no_gradient() -> None:
    body = Builder("point")
    body.segment("body", mass=1.0)
    body.root("body")
    residual = residual_of(body.build(), Inertia("z", 0.1))
    assert residual(np.zeros(6)) == pytest.approx([-0.1])
    assert not residual.jacobian(np.zeros(6)).any()


def arm() -> Figure:
    limb = Builder("limb")
    limb.segment("upper", mass=1.0)
    limb.segment("lower", mass=1.0)
    limb.joint("shoulder", Hinge("y"), "world", "upper")
    limb.joint("elbow", Hinge("y"), "upper", "lower", (0.3, 0.0, 0.0))
    limb.site("hand", "lower", (0.3, 0.0, 0.0))
    return limb.build()


def test_of_several_tasks_the_nearest_counts_and_spare_rows_are_met() -> None:
    near, far = Position("hand", (0.6, 0.0, 0.1), axes="z"), Position("hand", (0.0, 0.0, 3.0))
    residual = residual_of(arm(), Any([far, near]))
    assert residual(np.zeros(2)) == pytest.approx([-0.1, 0.0, 0.0])
    assert residual.jacobian(np.zeros(2))[1:].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    residual.check(np.array([0.1, 0.2]))


def test_balance_over_one_of_two_supports_is_a_choice() -> None:
    figure = stander((0.0, 0.0, 0.0))
    q = np.zeros(12)
    q[6:9] = 4.0 / 3.0 * np.array([0.15, 0.05, 1.0])
    one = Balance(supports="sole")
    both = residual_of(figure, Any([one, Balance(supports="sole", margin=1.0)]))
    assert both(q) == pytest.approx(residual_of(figure, one)(q))
    assert both.jacobian(q) == pytest.approx(residual_of(figure, one).jacobian(q))
