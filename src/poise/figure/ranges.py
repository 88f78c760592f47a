"""How far each angle of a joint goes by itself, and which limits a posture breaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.errors import PoiseError
from poise.figure.clinical import unit_of
from poise.figure.kinds import EVERYTHING, Interval
from poise.figure.naming import driver, no_coordinate, part_of
from poise.figure.parts import Group, Joint
from poise.figure.posture import put_angles

if TYPE_CHECKING:
    from poise.figure.figure import Figure
    from poise.kernel.limits.bounds import Bounds

Values = NDArray[np.float64]

_STEPS = 60  # of the first look at a half turn; a concave limit is found where it is met first
_HALVINGS = 40
_TOLERANCE = 1e-9


_FOUND: WeakKeyDictionary[Figure, dict[tuple[str, bytes], dict[str, Interval]]]
_FOUND = WeakKeyDictionary()
"""What was found for each figure by name and rest posture, on which alone it depends."""


def range_of(figure: Figure, name: str) -> dict[str, Interval]:
    """The interval of each angle by itself; see `Figure.range`. It is looked for once."""
    if not isinstance(name, str):
        raise no_coordinate(figure, name, parts=True)
    found = _FOUND.setdefault(figure, {})
    key = name, figure.postures.get("rest", np.zeros(0)).tobytes()
    if key not in found:
        found[key] = _looked_for(figure, name)
    return dict(found[key])


_HALF_SWING = 1.0
"""Half the width (rad) that counts for coordinates of a limited ball or swing without boxes."""


def middles(figure: Figure) -> tuple[Values, Values]:
    """The middle of the range of each coordinate and half its width, (n,) each; nan for none.

    Of a limited ball or swing without boxes the middle is zero: charts have zero there.
    """
    boxed = np.isfinite(figure.lower) & np.isfinite(figure.upper)
    middle, half = np.full(figure.n, np.nan), np.full(figure.n, np.nan)
    for joint in figure.joints.values():
        spherical = joint.kind.spherical
        if spherical is not None and spherical.is_limited and driver(figure, joint.name) is None:
            middle[figure.span(joint.name)] = 0.0
            half[figure.span(joint.name)] = _HALF_SWING
    middle[boxed] = 0.5 * (figure.lower[boxed] + figure.upper[boxed])
    half[boxed] = 0.5 * (figure.upper[boxed] - figure.lower[boxed])
    return middle, half


def turning(figure: Figure) -> NDArray[np.bool_]:
    """Which coordinates (n,) are angles; the others are lengths."""
    parts = [(part_of(figure, name), name.partition(".")[2]) for name in figure.coordinates]
    return np.array([unit_of(part, tail, figure.joints) == "rad" for part, tail in parts], bool)


def _looked_for(figure: Figure, name: str) -> dict[str, Interval]:
    one = name if name in figure.coordinates else ""
    if not one and name not in figure.joints and name not in figure.groups:
        raise no_coordinate(figure, name, parts=True)
    part = part_of(figure, name)
    group = driver(figure, part.name) if isinstance(part, Joint) else part
    boxes: Mapping[str, Interval] = part.parameters if isinstance(part, Group) else {}
    if isinstance(part, Joint) and group is None and not part.kind.is_spherical:
        boxes = dict(zip(part.kind.coordinates, part.kind.box, strict=True))
        if part.kind.spherical is None:
            return {each: boxes[each] for each in boxes if not one or one == f"{part.name}.{each}"}
    start = figure.clamp(figure.postures.get("rest", np.zeros(figure.n)))
    tree, bounds = figure.packed.tree, _without_couplings(figure.bounds)
    state = kernel.body.tree.state(tree)

    def is_valid(q: Values) -> bool:
        return float(kernel.limits.bounds.violation(tree, bounds, q, state)) <= _TOLERANCE

    if one:
        index = figure.index(one)

        def with_value(value: float) -> bool:
            q = start.q.copy()
            q[index] = value
            return is_valid(q)

        ends = figure.lower[index], figure.upper[index]
        return {one.partition(".")[2]: _interval(with_value, float(start.q[index]), ends)}
    result: dict[str, Interval] = {}
    for angle, value in start.angles(name).items():

        def with_angle(value: float, angle: str = angle) -> bool:
            moved = start.copy()
            try:
                put_angles(moved, name, {angle: value})
            except PoiseError:  # the group does not reach it
                return False
            return is_valid(moved.q)

        result[angle] = _interval(with_angle, value, boxes.get(angle, EVERYTHING))
    return result


def broken(figure: Figure, q: Values, tolerance: float) -> dict[str, float]:
    """How far each limit that does not hold is broken; see `Figure.broken_limits`."""
    tree, bounds = figure.packed.tree, figure.bounds
    state = kernel.body.tree.state(tree)
    kernel.limits.bounds.violation(tree, bounds, q, state)  # it finds the members' values, too
    over = np.maximum(figure.lower - q, q - figure.upper)
    result = {each: float(over[i]) for i, each in enumerate(figure.coordinates)}
    names = [each for joint in figure.joints.values() for each in joint.coordinates]
    for i in bounds.boxed_member.tolist():
        low, high = bounds.member_box[:, i]
        result[names[i]] = float(max(low - state.member[i], state.member[i] - high))
    result = {each: value for each, value in result.items() if value > tolerance}
    told = {each.partition(".")[0] for each in result}
    alone = _without_couplings(bounds)._replace(
        box=np.array([np.full(figure.n, -np.inf), np.full(figure.n, np.inf)]),
        boxed_member=bounds.boxed_member[:0],
    )
    for j, row in enumerate(bounds.joint):
        joint = names[row[kernel.limits.bounds.FIRST]].partition(".")[0]
        one = alone._replace(joint=bounds.joint[j : j + 1])
        value = float(kernel.limits.bounds.violation(tree, one, q, state))
        if value > tolerance and joint not in told:
            result[joint] = value
    for coupling in figure.couplings.values():
        sum_ = sum(factor * q[figure.index(each)] for each, factor in coupling.terms.items())
        value = float(max(coupling.lower - sum_, sum_ - coupling.upper))
        if value > tolerance:
            result[coupling.name] = value
    return result


def described(figure: Figure, limits: dict[str, float]) -> str:
    """What `broken` found, in words."""
    words: list[str] = []
    for name, value in limits.items():
        head, _, tail = name.partition(".")
        if head not in figure.joints and head not in figure.groups:
            words.append(f"coupling {name} by {value:.3g}")
        elif tail and unit_of(part_of(figure, name), tail, figure.joints) == "m":
            words.append(f"{name} by {value:.3g} m")
        else:
            words.append(f"{name} by {value:.3g} rad ({np.rad2deg(value):.1f}°)")
    return ", ".join(words)


def refuse_broken(figure: Figure, name: str, tolerance: float) -> None:
    """Raise when a named posture breaks limits, with which and by how much."""
    limits = figure.broken_limits(figure.postures[name], tolerance=tolerance)
    if limits:
        raise PoiseError(
            f"the posture {name!r} of {figure.name!r} breaks limits: {described(figure, limits)}",
            code=f"; figure.clamp(figure.postures[{name!r}]) is the nearest that breaks none",
        )


def _interval(is_valid: Callable[[float], bool], rest: float, ends: Interval) -> Interval:
    """The values round the rest that are valid, as far as they go on without a gap."""
    low, high = (_end(is_valid, rest, end, sign) for end, sign in zip(ends, (-1, 1), strict=True))
    return (low, high)


def _end(is_valid: Callable[[float], bool], rest: float, end: float, sign: int) -> float:
    # Angles without a box of their own are looked for within half a turn of zero.
    last = end if np.isfinite(end) else sign * np.pi
    inside = outside = rest
    for value in np.linspace(rest, last, _STEPS + 1)[1:].tolist():
        outside = value
        if not is_valid(value):
            break
        inside = value
    else:
        return end
    for _ in range(_HALVINGS):
        middle = 0.5 * (inside + outside)
        if is_valid(middle):
            inside = middle
        else:
            outside = middle
    return inside


def _without_couplings(bounds: Bounds) -> Bounds:
    return bounds._replace(
        coupling=np.zeros(1, np.int64),
        coupling_coordinate=np.zeros(0, np.int64),
        coupling_factor=np.zeros(0),
        coupling_box=np.zeros((2, 0)),
    )
