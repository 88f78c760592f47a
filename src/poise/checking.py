"""Arguments brought into shape where they come in, with errors that name them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError

Vec3 = tuple[float, float, float]
"""Three numbers, as description classes keep them."""

AXES: dict[str, Vec3] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}
"""Axes by name, as users and files write them."""


def number(
    value: Any,
    what: str,
    *,
    above: float | None = None,
    least: float = -np.inf,
    infinite: bool = False,
) -> float:
    """A finite float, or an error that names it.

    Args:
        value: what was given.
        what: how to call it in a message.
        above: the value must be greater than this.
        least: the value must be at least this.
        infinite: whether ±inf is allowed; NaN never is.
    """
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise PoiseError(f"{what} must be a number, not {value!r}") from None
    if np.isnan(result) or (np.isinf(result) and not infinite):
        raise PoiseError(f"{what} must be a {'' if infinite else 'finite '}number, not {result}")
    if above is not None and result <= above:
        raise PoiseError(f"{what} must be greater than {above:g}, not {result:g}")
    if result < least:
        raise PoiseError(f"{what} must be at least {least:g}, not {result:g}")
    return result


def array(value: Any, what: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """A finite float array of one shape, or an error that names it; −1 in the shape is any."""
    try:
        result = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise PoiseError(f"{what} must be numbers, not {value!r}") from None
    fits = result.ndim == len(shape) and all(
        wanted in (-1, found) for wanted, found in zip(shape, result.shape, strict=True)
    )
    if not fits:
        wanted = " × ".join("any" if w < 0 else str(w) for w in shape) or "one"
        found = " × ".join(map(str, result.shape)) or "one"
        raise PoiseError(f"{what} must be {wanted} numbers, not {found}")
    if not np.isfinite(result).all():
        raise PoiseError(f"{what} must be finite, not {result.tolist()}")
    return result


def vector(value: Any, what: str) -> Vec3:
    """Three finite numbers as a tuple."""
    x, y, z = array(value, what, (3,)).tolist()
    return (x, y, z)


def direction(value: Any, what: str) -> Vec3:
    """A unit vector, from an axis name such as "-y" or from three numbers not all zero."""
    if isinstance(value, str):
        if value not in AXES:
            axes = ", ".join(AXES)
            raise PoiseError(f"{what} must be one of {axes} or three numbers, not {value!r}")
        return AXES[value]
    given = array(value, what, (3,))
    length = float(np.linalg.norm(given))
    if length < 1e-9:
        raise PoiseError(f"{what} has no direction: {given.tolist()}")
    if length > 1e9:
        raise PoiseError(f"{what} is too long for a direction: {given.tolist()}")
    if abs(length - 1.0) > 1e-12:  # a unit vector stays as it was given, to the last bit
        given = given / length
    x, y, z = given.tolist()
    return (x, y, z)


def name(value: Any, what: str) -> str:
    """A name: a non-empty string without the characters that separate names."""
    if not isinstance(value, str) or not value:
        raise PoiseError(f"the name of a {what} must be a non-empty string, not {value!r}")
    for separator in "/.":
        if separator in value:
            raise PoiseError(f"the name {value!r} of a {what} must not contain {separator!r}")
    return value


def distinct(names: Iterable[str], what: str) -> None:
    """Raise when a name is there twice."""
    seen: set[str] = set()
    for each in names:
        if each in seen:
            raise PoiseError(f"there are two {what}s named {each!r}; names must be unique")
        seen.add(each)
