"""Random strengths, and equilibrium and effort under random forces, for tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from tests.statics.random_loads import random_loads
from tests.tasks.residual import Residual

from poise import tasks
from poise.figure import Figure
from poise.solvers.problem import Wish, pack
from poise.statics.acting import Acting
from poise.statics.components import Law, components_of
from poise.statics.loads import Load, Support
from poise.statics.strength import Strength, Strengths

SEEDS = st.integers(0, 2**32 - 1)

SUPPORTS = (Support("s1", ratio=0.3), Support("s2", ratio=0.9), Support("s4", ratio=-0.2))


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
