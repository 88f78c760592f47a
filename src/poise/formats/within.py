"""Postures that a figure itself may keep: those within its limits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import Ball, Figure, Swing
from poise.figure.kinds import Kind

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
    kinds = [joint.kind for joint in figure.joints.values()]
    if figure.groups or any(map(_is_charted, kinds)):
        return figure.violation(q)
    worst = [0.0, *np.maximum(figure.lower - q, q - figure.upper)]
    for coupling in figure.couplings.values():
        total = sum(factor * q[figure.index(each)] for each, factor in coupling.terms.items())
        worst += [coupling.lower - total, total - coupling.upper]
    for joint in figure.joints.values():
        if isinstance(joint.kind, Ball) and joint.kind.angle is not None:
            angle = float(np.linalg.norm(q[figure.span(joint.name)]))
            worst.append(angle - joint.kind.angle.maximum)
    return float(max(worst))


def _is_charted(kind: Kind) -> bool:
    """Whether it has limits that are neither boxes nor a length of the rotation vector."""
    if isinstance(kind, Ball) and kind.chart == "rotation_vector":
        return False
    return isinstance(kind, (Ball, Swing)) and bool(kind.limits)
