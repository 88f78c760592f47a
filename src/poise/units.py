"""Numbers that can hardly be meant in the unit that they have: degrees for radians, mm for m.

What cannot be meant is refused; what may be meant, but rarely is, is warned of.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Iterable, Sequence

import numpy as np

from poise.checking import MOST_TURN, Interval, Vec3, number
from poise.errors import PoiseError, PoiseWarning, placed

TURN = 2.0 * np.pi
"""A full turn, in radians."""
FAR = 50.0
"""How far (m) from a figure, its own reach aside, a target is hardly meant to be."""
_LONG, _THICK = 20.0, 1.0  # m: a prop that is longer, and nowhere thinner, is hardly meant


def warn(message: str) -> None:
    """Warn of something that is hardly meant, at the line that called poise."""
    level, frame = 1, inspect.currentframe()
    while frame and str(frame.f_globals.get("__name__")).partition(".")[0] == "poise":
        level, frame = level + 1, frame.f_back
    warnings.warn(placed(message), PoiseWarning, stacklevel=level)


def degrees_hint(value: float) -> str:
    """The end of a message about an angle (rad) that is too large, if it could be in degrees."""
    return "; angles are radians: did you mean degrees?" if abs(value) > TURN else ""


def refuse_degrees(value: float, what: str, allowed: Interval) -> None:
    """Raise when an angle (rad) is more than a full turn and not within what is allowed."""
    low, high = allowed
    if abs(value) > TURN and not low <= value <= high:
        raise PoiseError(
            f"{what} is {value:g} rad, more than a full turn; did you mean np.deg2rad({value:g})?"
        )


def refuse_turn_in_degrees(rotation: Vec3, what: str) -> None:
    """Raise when a rotation vector (rad) that a person gave is longer than a full turn."""
    if math.hypot(*rotation) > TURN * (1.0 + 1e-9):
        listed = _listed(rotation)
        raise PoiseError(
            f"{what} is ({listed}) rad, more than a full turn; did you mean np.deg2rad(({listed}))?"
        )


def warn_of_angle(value: float, what: str, limits: Interval | None) -> None:
    """Warn when an angle (rad) is more than half a turn and, where it has limits, beyond them.

    One that has more decimals than people write was computed, and will be meant.
    """
    low, high = limits or (0.0, 0.0)
    if abs(value) > 0.5 * TURN and not low <= value <= high and value == round(value, 1):
        beyond = "beyond its limits and " if limits else ""
        warn(
            f"{what} is {value:g} rad, {np.rad2deg(value):.0f}°, which is {beyond}more than half "
            f"a turn; did you mean np.deg2rad({value:g})?"
        )


def warn_of_limits(limits: Interval, what: str) -> None:
    """Warn of limits (rad) in whole numbers beyond two turns."""
    ends = [end for end in limits if np.isfinite(end)]
    far = [end for end in ends if abs(end) > 2 * TURN]
    if far and all(end == round(end) for end in ends):
        worst, (low, high) = max(far, key=abs), limits
        warn(
            f"{what}, {low:g} and {high:g}, are radians, and {worst:g} rad are "
            f"{abs(worst) / TURN:.0f} turns; did you mean degrees, np.deg2rad(({low:g}, {high:g}))?"
        )


def heading(value: object) -> float:
    """A turn about the vertical (rad): whole numbers beyond a full turn can only be degrees."""
    angle = number(value, "the heading (rad)", least=-MOST_TURN, most=MOST_TURN)
    if angle == round(angle):
        refuse_degrees(angle, "the heading", (-TURN, TURN))
    if abs(angle) > 2 * TURN:
        warn(
            f"the heading is {angle:g} rad, {abs(angle) / TURN:.0f} turns; did you mean "
            f"np.deg2rad({angle:g})?"
        )
    return angle


def warn_of_size(sizes: Sequence[float], call: str) -> None:
    """Warn of a prop that is tens of metres long and nowhere thin, as a floor or a wall is.

    Args:
        sizes: its edges, radii and heights (m), as they were given.
        call: how it was made, such as "box".
    """
    if max(sizes) > _LONG and min(sizes) > _THICK:
        warn(
            f"{call}({_listed(sizes)}) is in metres; did you mean millimetres, "
            f"{call}({_listed(0.001 * each for each in sizes)})?"
        )


def warn_of_distance(point: Vec3, distance: float, what: str) -> None:
    """Warn of a point that is farther from all figures than any of them reaches."""
    warn(
        f"{what} is {distance:.0f} m away from the nearest figure, for lengths are in metres; did "
        f"you mean millimetres, ({_listed(0.001 * each for each in point)})?"
    )


def _listed(numbers: Iterable[float]) -> str:
    return ", ".join(f"{each:g}" for each in numbers)
