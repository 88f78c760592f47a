"""The figure with another kind, or other limits, for one of its joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from poise.checking import Vec3, direction
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Transform
from poise.figure.kinds import EVERYTHING, KINDS, Interval, JointKind
from poise.figure.naming import driver
from poise.figure.parts import WORLD, Joint
from poise.studio.figures.parts import Parts


def with_kind(figure: Figure, joint: str, kind: str, axis: str | Vec3 | None = None) -> Figure:
    """Give a joint another kind, without limits; where it is now it stays as far as it can."""
    old = _checked_joint(figure, joint)
    if kind not in KINDS:
        raise unknown_name("kind", kind, KINDS)
    about = None if axis is None else direction(axis, f"the axis of {joint!r}")
    new = KINDS[kind].about(about, old.kind)
    if new.is_free and old.parent != WORLD:
        raise PoiseError(f"only a root can be free, and {joint!r} joins two segments")
    return _with_joint(figure, joint, new)


def inner_kinds() -> list[str]:
    """The kinds that can join two segments: all that are not free."""
    return [name for name, kind in KINDS.items() if not kind().is_free]


def with_limits(figure: Figure, joint: str, limits: Mapping[str, Any]) -> Figure:
    """Give a joint other limits; what is not given stays.

    Args:
        figure: whose joint it is.
        joint: its name.
        limits: intervals by coordinate, as (lower, upper), None for no end; of a ball or swing
            also "swing", the radii (rx, ry) of an ellipse round its zero or None for none, and of
            a ball "twist", an interval or None.
    """
    kind = _checked_joint(figure, joint).kind
    given = {key: value if key == "swing" else _interval(value) for key, value in limits.items()}
    try:
        new = kind.limited(given)
    except PoiseError as error:
        raise PoiseError(f"joint {joint!r}: {error}") from None
    return _with_joint(figure, joint, new)


def _interval(value: Any) -> Interval:
    if value is None:
        return EVERYTHING
    low, high = value
    return (-np.inf if low is None else low, np.inf if high is None else high)


def _with_joint(figure: Figure, name: str, kind: JointKind) -> Figure:
    """The figure with another kind for a joint; named postures are kept as far as they can be."""
    old = figure.joints[name]
    clinical = old.clinical if kind.is_spherical else {}
    if kind.spherical is not None and not kind.spherical.twists:
        clinical = {angle: axis for angle, axis in clinical.items() if axis[-1] != "z"}
    new = replace(old, kind=kind, clinical=clinical)
    parts = Parts.of(figure)
    known = {*figure.coordinates} - {*old.coordinates} | {*new.coordinates}
    moved: dict[str, dict[str, float]] = {}
    for each, q in figure.postures.items():
        motion = old.kind.motion(q[figure.span(name)])
        values = kind.values(Transform(motion.rotation, motion.position))
        moved[each] = dict(zip(new.coordinates, values.tolist(), strict=True))
    return replace(
        parts,
        joints=tuple(new if each.name == name else each for each in parts.joints),
        couplings=tuple(c for c in parts.couplings if known.issuperset(c.terms)),
    ).built(figure, moved)


def _checked_joint(figure: Figure, joint: str) -> Joint:
    if joint not in figure.joints:
        raise unknown_name("joint", joint, figure.joints)
    group = driver(figure, joint)
    if group is not None:
        raise PoiseError(
            f"{joint!r} is driven by the group {group.name!r} together with others, so its kind "
            "and limits cannot be changed by themselves"
        )
    return figure.joints[joint]
