"""Solves that end at a limit, for every kind of limit: it holds, and nothing valid is better."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from poise.figure import (
    Angle,
    Ball,
    Builder,
    Figure,
    Hinge,
    PlanarPolygon,
    Slider,
    SphericalEllipse,
    SphericalPolygon,
    Swing,
    Transform,
    Twist,
)
from poise.figure.kinds import JointKind
from poise.figure.limits import TwistTable
from poise.solvers import lex
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Frame

SQUARE = ((0.6, 0.0, 0.8), (0.0, 0.6, 0.8), (-0.28, 0.0, 0.96), (0.0, -0.6, 0.8))
DENTED = ((-0.9, -0.8), (0.9, -0.8), (0.1, 0.1), (-0.9, 0.9))
GRID = TwistTable(
    (-1.0, 0.0, 1.0),
    (-1.0, 1.0),
    ((-0.2, -0.9), (-0.6, -0.5), (-0.1, -0.3)),
    ((0.3, 0.8), (0.5, 0.6), (0.2, 0.9)),
)


def limited(kind: JointKind) -> Callable[[], Figure]:
    """An arm whose first joint is of some kind; the second turns about its own axis."""

    def make() -> Figure:
        builder = Builder("arm")
        for name in ("base", "upper", "lower"):
            builder.segment(name, mass=1.0)
        builder.joint("first", kind, "base", "upper")
        builder.joint("second", Hinge("y", (-1.0, 1.0)), "upper", "lower", (0.0, 0.0, 0.4))
        builder.site("tip", "lower", (0.0, 0.0, 0.3))
        return builder.build()

    return make


def coupled() -> Figure:
    builder = Builder("arm")
    for name in ("base", "upper", "lower"):
        builder.segment(name, mass=1.0)
    builder.joint("first", Hinge("y", (-2.0, 2.0)), "base", "upper")
    builder.joint("second", Hinge("y", (-2.0, 2.0)), "upper", "lower", (0.0, 0.0, 0.4))
    builder.couple("first", {"first.angle": 1.0, "second.angle": 2.0}, lower=-0.5, upper=0.7)
    builder.site("tip", "lower", (0.0, 0.0, 0.3))
    return builder.build()


def grouped() -> Figure:
    """One angle drives two joints; it is the second's limit that ends the motion."""
    builder = Builder("arm")
    for name in ("base", "upper", "lower"):
        builder.segment(name, mass=1.0)
    builder.joint("low", Hinge("y", (-2.0, 2.0)), "base", "upper")
    builder.joint("high", Swing("z", swing_x=(-0.2, 0.2), swing_y=(-0.4, 0.3)), "upper", "lower",
                  (0.0, 0.0, 0.4))  # fmt: skip
    builder.group(
        "first",
        {"bend": (-2.0, 2.0), "lean": (-2.0, 2.0)},
        {"low.angle": {"bend": 0.5}, "high.swing_y": {"bend": 0.5}, "high.swing_x": {"lean": 0.7}},
    )
    builder.site("tip", "lower", (0.0, 0.0, 0.3))
    return builder.build()


FIGURES = {
    "interval": limited(Hinge("x", (-0.4, 0.5))),
    "slide": limited(Slider("z", (-0.1, 0.2))),
    "swing box": limited(Swing("z", swing_x=(-0.5, 0.3), swing_y=(-0.2, 0.6))),
    "ellipse": limited(Swing("z", swing=(SphericalEllipse(0.6, 0.3, centre=(0.1, -0.1)),))),
    "spherical polygon": limited(Ball("z", swing=(SphericalPolygon(SQUARE),))),
    "planar polygon": limited(Ball("z", swing=(PlanarPolygon(DENTED),))),
    "twist that swing narrows": limited(
        Ball("z", swing_x=(-1, 1), swing_y=(-1, 1), twist=Twist(-0.3, 0.4, (0.2, 0.1), (-0.1, 0.2)))
    ),
    "twist by a table": limited(Ball("z", swing_x=(-0.9, 0.9), swing_y=(-0.9, 0.9), twist=GRID)),
    "whole angle": limited(Ball("z", angle=Angle(0.5))),
    "whole angle of a rotation": limited(Ball("z", angle=Angle(0.5), chart="rotation_vector")),
    "coupling": coupled,
    "member of a group": grouped,
}  # fmt: skip


def towards(figure: Figure, rng: np.random.Generator) -> Problem:
    """A frame that the tip may be unable to take."""
    goal = Transform.make(rng.normal(size=3) * 0.5 + (0.0, 0.0, 0.3), rng.normal(size=3) * 1.2)
    return pack(figure, figure.rest(), [Wish("tip", Frame("tip", goal), 1)])


def touched(figure: Figure, q: np.ndarray) -> set[str]:
    """The limits of the first joint, or group, that a motion of 1e-5 can break."""
    names: set[str] = set()
    for way in np.random.default_rng(0).normal(size=(100, q.size)):
        found = figure.broken_limits(q + 1e-5 * way / np.linalg.norm(way), tolerance=1e-7)
        names |= {name for name in found if not name.startswith("second")}
    return names


@pytest.mark.parametrize("kind", FIGURES)
def test_what_ends_at_a_limit_keeps_it_and_nothing_valid_nearby_is_better(kind: str) -> None:
    figure, rng = FIGURES[kind](), np.random.default_rng(7)
    start, ended = figure.rest().q, 0
    for trial in range(12):
        problem = towards(figure, rng)
        outcome = lex.solve(problem, start, tolerance=1e-6, max_iterations=200, max_seconds=None)
        assert figure.violation(outcome.q) <= 1e-9
        if not touched(figure, outcome.q):
            continue
        ended += 1
        (size,) = problem.levels(outcome.residual)
        for scale in (3e-2, 3e-3, 3e-4):
            for way in rng.normal(size=(40, start.size)):
                near = figure.clamp(outcome.q + scale * way)
                # At rest is what promises less than 0.1 %; a long valley may hold some more.
                assert _size(problem, near.q) > 0.995 * size - 1e-6, (trial, scale)
    assert ended >= 4, "a limit of the first joint is active in a third of the solves at least"


def _size(problem: Problem, q: np.ndarray) -> float:
    """The size of the one level in a posture."""
    outcome = lex.solve(problem, q, tolerance=1e9, max_iterations=1, max_seconds=None)
    np.testing.assert_array_equal(outcome.q, q)  # so wide a tolerance is met where it stands
    return float(problem.levels(outcome.residual)[0])
