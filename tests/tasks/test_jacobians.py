"""Every task's derivative is that of its residual, on figures with every kind of joint."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from tests.tasks.residual import residual_of

import poise
from poise import tasks as t
from poise.figure import Ellipsoid, Figure, Placements, Posture, Transform
from poise.tasks.task import Task

Point = tuple[float, float, float]


def _sum(posture: Posture, places: Placements) -> ArrayLike:
    return [places["left_hand"].position @ places["right_hand"].position, np.sin(posture.q).sum()]


def _frame(at: Point) -> Transform:
    return Transform.make(at, at)


MAKERS: dict[str, list[Callable[[Point], Task]]] = {
    "Aim": [lambda p: t.Aim("eyes", p), lambda p: t.Aim("eyes", "left_hand", axis="z")],
    "Any": [lambda p: t.Any([t.Position("left_hand", p), t.Aim("eyes", p)])],
    "Balance": [lambda p: t.Balance(margin=0.02, supports=("left_foot", "right_foot"))],
    "CenterOfMass": [lambda p: t.CenterOfMass(p, axes="zx")],
    "Contact": [
        lambda p: t.Contact("left_palm", p, normal="x", slide=False, turn=False),
        lambda p: t.Contact("left_palm", "right_palm"),
        lambda p: t.Contact("left_palm", "chest", "x", slide=False, turn=False),
    ],
    "Custom": [lambda p: t.Custom(_sum, 2)],
    "Frame": [
        lambda p: t.Frame("left_hand", _frame(p), position_share=0.3),
        lambda p: t.Frame("left_hand", "right_hand"),
    ],
    "HalfSpace": [lambda p: t.HalfSpace("left_hand", p, normal=(1, 2, 3))],
    "Inertia": [lambda p: t.Inertia("y", 0.3)],
    "Inside": [lambda p: t.Inside("left_hand", t.Convex.box(p, (0.2, 0.3, 0.4)))],
    "Line": [lambda p: t.Line("left_hand", p, direction=(1, 1, 0))],
    "Loop": [lambda p: t.Loop("left_hand", "right_hand", match="both")],
    "Orientation": [
        lambda p: t.Orientation("left_hand", _frame(p)),
        lambda p: t.Orientation("left_hand", _frame(p), free="x"),
        lambda p: t.Orientation("left_hand", _frame(p), form="vectors", cx=2.0),
    ],
    "Outside": [lambda p: t.Outside("left_hand", t.Convex.box(p, (2.0, 3.0, 4.0)))],
    "Plane": [lambda p: t.Plane("left_hand", p, normal="y", frame="chest")],
    "Position": [
        lambda p: t.Position("left_hand", p, axes="zx"),
        lambda p: t.Position("left_hand", p, frame="chest"),
        lambda p: t.Position("left_hand", "right_hand"),
    ],
    "Surface": [lambda p: t.Surface("left_hand", Ellipsoid(p, (0.2, 0.3, 0.4)))],
}
"""Every task, in its several forms, about a point."""


@cache
def _figure(spine: str) -> Figure:
    return poise.human(spine=spine)  # type: ignore[arg-type]


def test_every_task_is_here() -> None:
    known = {
        name
        for name in t.__all__
        if isinstance(getattr(t, name), type) and issubclass(getattr(t, name), Task)
    }
    # That of Equilibrium needs forces: see tests/statics/test_effort.py. Of bodies that stay apart
    # only pairs within reach have rows: see tests/kernel/residuals/test_avoid.py.
    assert MAKERS.keys() == known - {"Task", "Equilibrium", "Avoid", "AvoidSelf"}


@pytest.mark.parametrize("spine", ["grouped", "independent"])
@pytest.mark.parametrize(
    "make", [make for makes in MAKERS.values() for make in makes], ids=lambda _: ""
)
@given(seed=st.integers(0, 2**31))
@settings(max_examples=4, deadline=None)
def test_a_tasks_derivative_is_that_of_its_residual(
    make: Callable[[Point], Task], spine: str, seed: int
) -> None:
    rng, figure = np.random.default_rng(seed), _figure(spine)
    q = figure.rest().q + rng.normal(0.0, 0.2, figure.n)
    residual = residual_of(figure, make(tuple((rng.normal(0.0, 0.6, 3) + (0, 0, 1)).tolist())))
    rates, towards, step = residual.jacobian(q), rng.normal(0.0, 1.0, figure.n), 1e-6
    here, before, after = residual(q), residual(q - step * towards), residual(q + step * towards)
    # Where a hull gains a corner, or another face is nearest, there is a kink.
    smooth = np.abs((after - here) - (here - before)) < 1e-4 * step * (1 + np.abs(rates).max())
    expected = (after - before) / (2 * step)
    size = 1 + np.abs(rates).max() * np.linalg.norm(towards)
    assert (rates @ towards)[smooth] == pytest.approx(expected[smooth], abs=1e-6 * size)
    assert smooth.any()
