"""A problem in which a limit is in the way."""

from __future__ import annotations

from poise.figure import Builder, Hinge
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Position


def beyond_a_stop() -> Problem:
    """An arm of one hinge that stops at 0.5 rad; the goal of its hand is beyond. It starts at 0."""
    builder = Builder("one hinge")
    builder.segment("base", mass=1.0)
    builder.segment("arm", mass=1.0)
    builder.root("base", "fixed")
    builder.joint("hinge", Hinge("y", limits=(-0.5, 0.5)), "base", "arm")
    builder.site("hand", "arm", (0.0, 0.0, 1.0))
    figure = builder.build()
    return pack(figure, figure.rest(), [Wish("hand", Position("hand", (1.0, 0.0, 0.0)), 1)])
