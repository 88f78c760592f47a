"""Postures that a figure itself may keep: those within its limits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import Angle, Figure

Values = NDArray[np.float64]

TOLERANCE = 1e-6
"""What a named posture may miss limits by, in radians and metres (see `Figure.posture`)."""


def is_within(figure: Figure, q: Values) -> bool:
    """Whether a posture breaks no limit by more than rounding does."""
    return violation(figure, q) <= TOLERANCE


def within(figure: Figure, q: Values) -> Values | None:
    """The posture, drawn back to limits that it breaks; None where limits and laws leave none."""
    if is_within(figure, q):
        return q
    boxed = np.clip(q, figure.lower, figure.upper)
    if is_within(figure, boxed):
        return boxed
    try:
        return figure.clamp(boxed).q
    except PoiseError:
        return None


def violation(figure: Figure, q: Values) -> float:
    """How far limits, couplings and whole angles are broken.

    As `Figure.violation`, which waits for kernels to compile; most files have plainer limits.
    """
    steps = [
        (f"{joint.name}.{step.coordinates[0]}", step)
        for joint in figure.joints.values()
        for step in joint.kind.steps
        if step.limits
    ]
    if figure.groups or any(step.node != "rotation" for _, step in steps):
        return figure.violation(q)
    worst = [0.0, *np.maximum(figure.lower - q, q - figure.upper)]
    for coupling in figure.couplings.values():
        total = sum(factor * q[figure.index(each)] for each, factor in coupling.terms.items())
        worst += [coupling.lower - total, total - coupling.upper]
    for first, step in steps:
        at = figure.index(first)
        angle = float(np.linalg.norm(q[at : at + len(step.coordinates)]))
        worst += [angle - limit.maximum for limit in step.limits if isinstance(limit, Angle)]
    return float(max(worst))
