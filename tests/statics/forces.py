"""Figures of all sorts under forces, with strengths: their equilibrium and effort, for tests."""

from __future__ import annotations

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.random_figures import grouped, random_figure
from tests.statics.random_loads import random_loads
from tests.tasks.residual import Residual

import poise
from poise import tasks
from poise.figure import Figure
from poise.scene.solving import context_of
from poise.solvers.problem import Wish, pack
from poise.statics.acting import Acting
from poise.statics.components import Law, components_of
from poise.statics.loads import Load, Support
from poise.statics.strength import Strength, Strengths

SEEDS = st.integers(0, 2**32 - 1)

CASES = st.sampled_from(["plain", "grouped", "rooted elsewhere"])
"""For `random_case`."""

SUPPORTS = (Support("s1", ratio=0.3), Support("s2", ratio=0.9), Support("s4", ratio=-0.2))


def random_case(
    rng: np.random.Generator, case: str, *, segments: int = 8, degree: int = 2
) -> tuple[Figure, NDArray[np.float64]]:
    """A random figure in a random posture: plain, or with a group of that degree, or re-rooted."""
    figure = random_figure(rng, segments)
    if case == "grouped":
        assume(any(each.coordinates for each in list(figure.joints.values())[1:]))
        figure = grouped(rng, figure, degree=degree)
    q = 0.4 * rng.normal(size=figure.n)
    if case == "rooted elsewhere":
        figure, posture = figure.rooted_at("s5", q)
        q = posture.q
    return figure, q


def random_strengths(rng: np.random.Generator, figure: Figure) -> Strengths:
    """Strengths that depend on the direction and the angle."""

    def law() -> Strength:
        peak, width, center = rng.uniform(5, 50), rng.uniform(0.1, 1.0), 0.3 * rng.normal()
        return Strength(Law(float(peak), float(width), float(center), 0.2 * float(peak)))

    return Strengths({each.full_name: (law(), law()) for each in components_of(figure)})


def forces_on(
    rng: np.random.Generator,
    figure: Figure,
    supports: tuple[Support, ...] = SUPPORTS,
    loads: tuple[Load, ...] | None = None,
) -> Residual:
    """Three rows of equilibrium, then those of effort, under random loads unless they are given."""
    loads = tuple(random_loads(rng, figure)) if loads is None else loads
    acting = Acting(supports, loads, random_strengths(rng, figure))
    wishes = [Wish("balance", tasks.Equilibrium(), 1)]
    effort = [(tasks.Effort(), 1.0)]
    return Residual(pack(figure, figure.posture(), wishes, effort, acting=acting))


def two_people() -> poise.Scene:
    """With groups, couplings, a prop, the laws of the tables, and one who is rooted at a foot."""
    woman = poise.human(sex="female")
    woman, _ = woman.rooted_at("left_foot", woman.rest())
    scene = poise.Scene({"anna": woman, "ben": poise.human()})
    scene.hold(poise.box(0.2, 0.2, 0.2, mass=4.0, name="crate"), "ben/left_hand")
    for name in ("anna", "ben"):
        scene.forces.support(f"{name}/left_foot", ratio=0.3)
        scene.forces.support(f"{name}/right_foot", ratio=0.7)
    scene.forces.apply("anna/right_hand", force=(-40.0, 5.0, -10.0), torque=(1.0, 2.0, 3.0))
    scene.forces.apply("crate", force=(10.0, 0.0, -20.0), point=(0.1, 0.0, 0.0))
    return scene


def forces_in(scene: poise.Scene) -> Residual:
    """Three rows of equilibrium for each figure of a scene, then those of effort."""
    context = context_of(scene)
    wishes, effort = [Wish("balance", tasks.Equilibrium(), 1)], [(tasks.Effort(), 1.0)]
    return Residual(
        pack(context.figure, context.posture, wishes, effort, context.parts, context.acting)
    )
