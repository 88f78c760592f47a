"""Second derivatives against central differences, for every kind of joint."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise import kernel
from poise.figure import Ball, Builder, Elbow, Figure, Hinge, Slider, Swing, Twist
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.residuals.blocks import make_scratch
from poise.kernel.residuals.curvature import curvature
from poise.kernel.residuals.evaluation import evaluate
from poise.models.human import human
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Aim, CenterOfMass, Loop, Orientation, Position, Task

TASKS: dict[str, Task] = {
    "a point": Position("tip", (0.4, 0.2, 0.1)),
    "the centre of mass": CenterOfMass((0.1, 0.0, 0.3)),
    "the gap between two points": Loop("tip", "other_tip"),
    "a line of sight": Aim("tip", (0.9, 0.4, 0.7)),
    "axes as vectors": Orientation("tip", np.eye(3), form="vectors"),
    "an orientation": Orientation("tip", np.eye(3)),
}


def tree_of(name: str, kinds: tuple[str, ...]) -> Figure:
    made = {
        "hinge": Hinge("x"),
        "slider": Slider("z"),
        "elbow": Elbow("-y", "z"),
        "swing": Swing("z", swing_x=(-2.0, 2.0)),
        "ball": Ball("x", twist=Twist(-2.0, 2.0)),
        "free ball": Ball("z"),
    }
    builder = Builder(name)
    builder.segment("base", mass=1.0)
    builder.root("base", "free")
    for arm, order in (("", kinds), ("other_", kinds[::-1])):
        parent = "base"
        for i, kind in enumerate(order):
            segment = f"{arm}{i}"
            builder.segment(segment, mass=1.0 + i, center=(0.02, 0.01, 0.1))
            builder.joint(f"j_{segment}", made[kind], parent, segment, (0.03, 0.02 * i, 0.2))
            parent = segment
        builder.site(f"{arm}tip", parent, (0.0, 0.05, 0.2))
    return builder.build()


@cache
def figure(name: str) -> Figure:
    if name == "hinges and sliders":
        return tree_of(name, ("hinge", "slider", "hinge", "elbow"))
    plain = tree_of(name, ("ball", "hinge", "swing", "free ball"))
    if name == "balls, from the other end":
        return plain.rooted_at("3", plain.rest())[0]
    return plain


def gradient(figure: Figure, problem: Problem, q: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Jᵀf with a force that does not change."""
    tree, state = figure.packed.tree, kernel.body.tree.state(figure.packed.tree)
    residual, matrix = np.zeros(force.size), np.zeros((force.size, figure.n))
    place(tree, q, state)
    differentiate(tree, state)
    scratch = make_scratch(problem.blocks, figure.n, problem.corners)
    evaluate(tree, problem.blocks, state, scratch, residual, matrix, True)
    return matrix.T @ force


def write(
    figure: Figure, problem: Problem, q: np.ndarray, force: np.ndarray, scale: np.ndarray,
    out: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Write S of all blocks; the residual."""
    tree, state = figure.packed.tree, kernel.body.tree.state(figure.packed.tree)
    scratch = make_scratch(problem.blocks, figure.n, problem.corners)
    last = len(problem.blocks.block) - 1
    residual, matrix = np.zeros(force.size), np.zeros((force.size, figure.n))
    torques, loads = np.zeros((tree.parent.size, 3)), np.ones((tree.parent.size, 15))
    place(tree, q, state)
    differentiate(tree, state)
    evaluate(tree, problem.blocks, state, scratch, residual, matrix, True)
    curvature(
        tree, problem.blocks, state, scratch, residual, matrix, force, last, torques, loads, scale,
        out,
    )  # fmt: skip
    return residual


def compared(figure: Figure, task: Task, q: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """S, and the differences of the gradient."""
    problem = pack(figure, figure.rest(), [Wish("task", task, 1)])
    force = np.random.default_rng(seed).normal(size=problem.blocks.inequality.size)
    ones, out = np.ones(figure.n), np.ones((figure.n, figure.n))
    residual = write(figure, problem, q, force, ones, out)
    if isinstance(task, Orientation) and task.form != "vectors":
        force = residual  # the one force for which it is exact: that of its own error
        write(figure, problem, q, force, ones, out)
    h = 1e-5
    expected = [
        (gradient(figure, problem, q + h * d, force) - gradient(figure, problem, q - h * d, force))
        / (2 * h)
        for d in np.eye(figure.n)
    ]
    return out, np.array(expected)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", ["hinges and sliders", "balls", "balls, from the other end"])
@settings(deadline=None, max_examples=12)
@given(seed=st.integers(0, 10_000), wide=st.sampled_from([0.0, 1e-4, 0.05, 1.2]))
def test_it_is_the_derivative_of_the_gradient(name: str, task: str, seed: int, wide: float) -> None:
    subject = figure(name)
    q = subject.rest().q + np.random.default_rng(seed).uniform(-wide, wide, subject.n)
    out, expected = compared(subject, TASKS[task], q, seed)
    np.testing.assert_allclose(out, expected, atol=1e-7)


@pytest.mark.parametrize("name", ["hinges and sliders", "balls", "balls, from the other end"])
def test_it_is_the_sum_over_blocks_in_the_units_of_coordinates(name: str) -> None:
    subject, rng = figure(name), np.random.default_rng(5)
    n, q = subject.n, subject.rest().q + rng.uniform(-0.5, 0.5, subject.n)
    scale, found, total = rng.uniform(0.5, 2.0, n), np.ones((n, n + 3)), np.zeros((n, n))
    problem = pack(subject, subject.rest(), [Wish(key, task, 1) for key, task in TASKS.items()])
    force = rng.normal(size=problem.blocks.inequality.size)
    write(subject, problem, q, force, scale, found)
    first = 0
    for key, task in TASKS.items():
        single = pack(subject, subject.rest(), [Wish(key, task, 1)])
        stop, out = first + single.blocks.inequality.size, np.ones((n, n))
        write(subject, single, q, force[first:stop], np.ones(n), out)
        total, first = total + out, stop
    np.testing.assert_allclose(found[:, :n], total * np.outer(scale, scale), atol=1e-12)
    assert np.array_equal(found[:, :n], found[:, :n].T)
    assert not found[:, n:].any()


@pytest.mark.parametrize("root", ["", "left_foot"])
@pytest.mark.parametrize(
    "task",
    [
        Position("right_hand", (1.0, 0.0, 1.0)),
        Orientation("right_hand", np.eye(3)),
        Aim("right_hand", (1.0, 0.5, 2.0)),
        CenterOfMass((0, 0, 1)),
    ],
)
def test_groups_pass_it_on_to_their_parameters(root: str, task: Task) -> None:
    subject = human()
    if root:
        subject = subject.rooted_at(root, subject.rest())[0]
    q = subject.rest().q + np.random.default_rng(1).uniform(-0.2, 0.2, subject.n)
    out, expected = compared(subject, task, q, 2)
    np.testing.assert_allclose(out, expected, atol=1e-7)
