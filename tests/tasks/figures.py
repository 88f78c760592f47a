"""A small figure that tests of tasks share."""

from __future__ import annotations

import numpy as np

from poise.figure import Builder, Figure, Hinge
from poise.tasks.task import Context

SQUARE = [(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)]


def stander() -> Figure:
    """A body of two segments that stands on a sole."""
    body = Builder("body")
    body.segment("leg", mass=1.0, center=(0.0, 0.0, 0.2))
    body.segment("trunk", mass=2.0, center=(0.0, 0.0, 0.3))
    body.root("leg")
    body.joint("hip", Hinge("y", (-1.0, 1.0), "flexion"), "leg", "trunk", (0.0, 0.0, 0.5))
    body.site("sole", "leg", rotation=(np.pi, 0.0, 0.0), outline=SQUARE)
    body.site("hand", "trunk", (0.3, 0.1, 0.4), rotation=(0.1, 0.2, 0.3))
    return body.build()


def context_of(figure: Figure, *supports: str) -> Context:
    """What a task is told of a figure in its zero posture."""
    posture = figure.posture()
    return Context(figure, posture, figure.place(posture), supports)
