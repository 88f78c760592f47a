"""Arguments brought into shape where they come in, with errors that name them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError

_Thing = TypeVar("_Thing")

Vec3 = tuple[float, float, float]
"""Three numbers, as description classes keep them."""

Interval = tuple[float, float]
"""A lower and an upper end, ±inf where there is none."""

AXES: dict[str, Vec3] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}
"""Axes by name, as users and files write them."""

# Far beyond any body, and small enough that no square, cube or inertia of it overflows.
SHORTEST, FARTHEST = 1e-6, 1e6
"""The shortest length and the farthest place that are taken, in metres."""
MOST_TURN = 1e3
"""The greatest component of a rotation vector that is taken, in radians."""
MOST_END = 1e6
"""The greatest end of an interval that is taken, in radians or metres, unless there is none."""

LONGEST_NAME = 200
"""The most characters of a name that are taken."""
LONGEST_LABEL = 450
"""The same of a name that may be made of two others, as that of the task "pin left/hand" is."""
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that no name has: they break lines, turn the text around them or are no text."""
FASTEST = 1e6
"""The most frames for each second that are taken."""
LEAST_FACTOR, MOST_FACTOR = 1e-12, 1e12
"""The least and the greatest weight, scale or strength that is taken: beside others of its kind
one beyond these could not count, or nothing else would, and squares of them are still numbers."""

# What Python and numpy would turn into a number, although it was hardly meant as one.
_NO_NUMBERS = (str, bytes, bool, np.bool_, complex, np.complexfloating, type(None))

_TOO_LARGE = "one too large for a float"  # an integer may have more digits than Python prints


def number(
    value: Any,
    what: str,
    *,
    above: float | None = None,
    least: float = -np.inf,
    most: float = np.inf,
    infinite: bool = False,
) -> float:
    """A finite float, or an error that names it. Strings and booleans are no numbers.

    Args:
        value: what was given.
        what: how to call it in a message.
        above: the value must be greater than this.
        least: the value must be at least this.
        most: the value must be at most this.
        infinite: whether ±inf is allowed; NaN never is.
    """
    try:
        if np.ndim(value) or not _are_numbers(value):
            raise TypeError
        result = float(value)
    except OverflowError:
        raise PoiseError(f"{what} must be a finite number, not {_TOO_LARGE}") from None
    except (TypeError, ValueError):
        raise PoiseError(f"{what} must be a number, not {value!r}") from None
    if np.isnan(result) or (np.isinf(result) and not infinite):
        raise PoiseError(f"{what} must be a {'' if infinite else 'finite '}number, not {result}")
    if above is not None and result <= above:
        raise PoiseError(f"{what} must be greater than {above:g}, not {result:g}")
    if result < least:
        raise PoiseError(f"{what} must be at least {least:g}, not {result:g}")
    if result > most:
        raise PoiseError(f"{what} must be at most {most:g}, not {result:g}")
    return result


def length(value: Any, what: str) -> float:
    """A length in metres that a solid can have, or an error that names it."""
    result = number(value, what)
    if not SHORTEST <= result <= FARTHEST:
        raise PoiseError(f"{what} must be from {SHORTEST:g} to {FARTHEST:g} metres, not {result:g}")
    return result


def factor(value: Any, what: str) -> float:
    """A positive number from LEAST_FACTOR to MOST_FACTOR, such as a weight or a scale."""
    return number(value, what, above=0, least=LEAST_FACTOR, most=MOST_FACTOR)


def distance(value: Any, what: str) -> float:
    """A signed length in metres, not beyond FARTHEST either way."""
    return number(value, what, least=-FARTHEST, most=FARTHEST)


def instances(value: Any, kind: type[_Thing], what: str) -> list[_Thing]:
    """Things of one kind in a list, or an error that names them."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise PoiseError(f"the {what} must be a list of {kind.__name__}s, not {value!r}")
    things = list(value)
    for each in things:
        if not isinstance(each, kind):
            raise PoiseError(f"the {what} must be a list of {kind.__name__}s, not of {each!r}")
    return things


def array(
    value: Any, what: str, shape: tuple[int, ...], *, most: float = np.inf, unit: str = ""
) -> NDArray[np.float64]:
    """A finite float array of one shape, or an error that names it.

    Strings and booleans are no numbers.

    Args:
        value: what was given.
        what: how to call it in a message.
        shape: the shape it must have; −1 in it is any.
        most: every number must be within ±this.
        unit: the unit of `most`, for the message.
    """
    try:
        if not _are_numbers(value):
            raise TypeError
        result = np.array(value, dtype=np.float64)
    except OverflowError:
        raise PoiseError(f"{what} must be finite numbers, not {_TOO_LARGE}") from None
    except (TypeError, ValueError):
        raise PoiseError(f"{what} must be numbers, not {value!r}") from None
    fits = result.shape == shape or (
        result.ndim == len(shape)
        and all(wanted in (-1, found) for wanted, found in zip(shape, result.shape, strict=True))
    )
    if not fits:
        wanted = " × ".join("any" if w < 0 else str(w) for w in shape) or "one"
        found = " × ".join(map(str, result.shape)) or "one"
        raise PoiseError(f"{what} must be {wanted} numbers, not {found}")
    largest = float(np.abs(result).max(initial=0.0))
    if not math.isfinite(largest):
        raise PoiseError(f"{what} must be finite, not {result.tolist()}")
    if largest > most:
        worst = float(result.flat[np.abs(result).argmax()])
        bound = f"±{most:g} {unit}".rstrip()
        raise PoiseError(f"{what} must lie within {bound}, not {worst:g}")
    return result


def _are_numbers(value: Any) -> bool:
    """Whether nothing in a value, or in nested sequences, is one of _NO_NUMBERS."""
    given = value if isinstance(value, np.ndarray) else np.array(value, dtype=object)
    if given.dtype != object:
        return given.dtype.kind in "fiu"
    return not any(isinstance(each, _NO_NUMBERS) for each in given.flat)


def vector(value: Any, what: str, *, most: float = np.inf, unit: str = "") -> Vec3:
    """Three finite numbers as a tuple; `most` and `unit` as for `array`."""
    x, y, z = array(value, what, (3,), most=most, unit=unit).tolist()
    return (x, y, z)


def place(value: Any, what: str) -> Vec3:
    """A place in metres, none of its three numbers beyond FARTHEST."""
    return plain_place(value) or vector(value, what, most=FARTHEST, unit="m")


def plain_place(value: Any) -> Vec3 | None:
    """A place in metres that is right at first sight; None for all that must be looked at closer.

    That is an array of three floats, or a tuple or list of them: what loops give, frame by frame.
    """
    if type(value) is np.ndarray:
        if value.shape != (3,) or value.dtype.char != "d":
            return None
        x, y, z = value.tolist()
    elif (type(value) is tuple or type(value) is list) and len(value) == 3:
        x, y, z = value
        if not type(x) is type(y) is type(z) is float:
            return None
    else:
        return None
    if abs(x) <= FARTHEST and abs(y) <= FARTHEST and abs(z) <= FARTHEST:  # NaN is not
        return (x, y, z)
    return None


def turn(value: Any, what: str) -> Vec3:
    """A rotation vector in radians, none of its three numbers beyond MOST_TURN."""
    return vector(value, what, most=MOST_TURN, unit="rad")


def interval(value: Any, what: str) -> Interval:
    """A lower and an upper end, ±inf where there is none, or an error that names them."""
    try:
        low, high = value
    except (TypeError, ValueError):
        raise PoiseError(f"{what} must be two numbers, not {value!r}") from None
    low, high = number(low, what, infinite=True), number(high, what, infinite=True)
    for end in (low, high):
        if MOST_END < abs(end) < np.inf:
            raise PoiseError(
                f"{what} must be within ±{MOST_END:g}, or ±inf for no limit, not {end:g}"
            )
    if low > high or low == np.inf or high == -np.inf:
        raise PoiseError(f"{what} must be lower before upper, not {low:g} before {high:g}")
    return (low, high)


def direction(value: Any, what: str) -> Vec3:
    """A unit vector, from an axis name such as "-y" or from three numbers not all zero."""
    if isinstance(value, str):
        if value not in AXES:
            axes = ", ".join(AXES)
            raise PoiseError(f"{what} must be one of {axes} or three numbers, not {value!r}")
        return AXES[value]
    given = array(value, what, (3,))
    size = math.hypot(*given)
    if size < 1e-9:
        raise PoiseError(f"{what} has no direction: {given.tolist()}")
    if size > 1e9:
        raise PoiseError(f"{what} is too long for a direction: {given.tolist()}")
    if abs(size - 1.0) > 1e-12:  # a unit vector stays as it was given, to the last bit
        given = given / size
    x, y, z = given.tolist()
    return (x, y, z)


def name(value: Any, what: str) -> str:
    """A name: a short string without the characters that separate names."""
    value = label(value, what, LONGEST_NAME)
    for separator in "/.":
        if separator in value:
            raise PoiseError(f"the name {value!r} of a {what} must not contain {separator!r}")
    return value


def label(value: Any, what: str, longest: int = LONGEST_LABEL) -> str:
    """What something is called: a string that is not empty and fits into a line of text."""
    if not isinstance(value, str) or not value:
        raise PoiseError(f"the name of a {what} must be a non-empty string, not {value!r}")
    if len(value) > longest:
        raise PoiseError(
            f"the name {value[:40] + '…'!r} of a {what} has {len(value)} characters; "
            f"at most {longest} are allowed"
        )
    if found := CONTROL.search(value):
        raise PoiseError(
            f"the name {value!r} of a {what} must not contain the control character {found[0]!a}"
        )
    return value


def text(value: Any, what: str) -> str:
    """A string, which may be empty, or an error that names it."""
    if not isinstance(value, str):
        raise PoiseError(f"{what} must be a string, not {value!r}")
    return value


def optional(value: Any, kind: type[_Thing], what: str) -> _Thing | None:
    """Something of one kind or None, or an error that names it."""
    if value is not None and not isinstance(value, kind):
        raise PoiseError(f"{what} must be a {kind.__name__} or None, not {value!r}")
    return value


def mapping(value: Any, what: str, allowed: str) -> Mapping[Any, Any]:
    """A mapping, or an error that names it and says what is allowed."""
    if not isinstance(value, Mapping):
        raise PoiseError(f"{what} must be {allowed}, not {value!r}")
    return value  # type: ignore[return-value]


def distinct(names: Iterable[str], what: str) -> None:
    """Raise when a name is there twice."""
    seen: set[str] = set()
    for each in names:
        if each in seen:
            raise PoiseError(f"there are two {what}s named {each!r}; names must be unique")
        seen.add(each)
