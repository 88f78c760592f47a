"""The figure with another kind, or other limits, for one of its joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from poise.checking import Vec3, direction
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Transform
from poise.figure.kinds import (
    EVERYTHING,
    KINDS,
    Ball,
    Elbow,
    Fixed,
    Free,
    Hinge,
    Interval,
    Kind,
    Slider,
    Swing,
)
from poise.figure.limits import SphericalEllipse, Twist
from poise.figure.naming import driver
from poise.figure.parts import WORLD, Joint
from poise.studio.figures.parts import Parts


def with_kind(figure: Figure, joint: str, kind: str, axis: str | Vec3 | None = None) -> Figure:
    """Give a joint another kind, without limits; where it is now it stays as far as it can."""
    old = _checked_joint(figure, joint)
    if kind not in KINDS:
        raise unknown_name("kind", kind, KINDS)
    if kind == "free" and old.parent != WORLD:
        raise PoiseError(f"only a root can be free, and {joint!r} joins two segments")
    about = None if axis is None else direction(axis, f"the axis of {joint!r}")
    return _with_joint(figure, joint, made(kind, about, old.kind))


def made(kind: str, axis: Vec3 | None, old: Kind) -> Kind:
    """A kind by its name, about an axis: that of the old one where it has one."""
    if kind == "fixed":
        return Fixed()
    if kind == "free":
        return Free()
    along = {"axis": axis} if axis is not None else {}
    if kind in ("ball", "swing"):
        if axis is None and isinstance(old, (Ball, Swing)):
            along = {"axis": old.axis, "zero": old.zero}
        return (Ball if kind == "ball" else Swing)(**along)  # type: ignore[arg-type]
    if kind == "elbow":
        return Elbow(flexion_axis=axis or _axis(old, (0.0, 1.0, 0.0)))
    usual = (0.0, 1.0, 0.0) if kind == "hinge" else (0.0, 0.0, 1.0)
    return (Hinge if kind == "hinge" else Slider)(axis=axis or _axis(old, usual))


def _axis(old: Kind, usual: Vec3) -> Any:
    if isinstance(old, (Hinge, Slider)):
        return old.axis
    return old.flexion_axis if isinstance(old, Elbow) else usual


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
    known = {*(kind.coordinates or ())}
    known |= {"swing", "twist"} if isinstance(kind, Ball) else set[str]()
    known |= {"swing"} if isinstance(kind, Swing) else set[str]()
    for each in limits:
        if each not in known:
            raise unknown_name("coordinate", each, known, f"joint {joint!r}")
    return _with_joint(figure, joint, _limited(kind, limits))


def _limited(kind: Kind, limits: Mapping[str, Any]) -> Kind:
    intervals = {key: _interval(value) for key, value in limits.items() if key != "swing"}
    if isinstance(kind, (Hinge, Slider)):
        return replace(kind, limits=intervals.get(kind.coordinate, kind.limits))
    if isinstance(kind, Elbow):
        flexion, twist = kind.coordinates
        return replace(
            kind,
            flexion_limits=intervals.get(flexion, kind.flexion_limits),
            twist_limits=intervals.get(twist, kind.twist_limits),
        )
    if not isinstance(kind, (Ball, Swing)):
        raise PoiseError(f"a {kind.kind} joint has no limits to set")
    changes: dict[str, Any] = {}
    names = list(kind.coordinates or ())
    swinging = not isinstance(kind, Ball) or kind.chart == "swing_twist"
    if swinging:
        for field, coordinate in zip(("swing_x", "swing_y"), names, strict=False):
            if coordinate in intervals:
                changes[field] = intervals[coordinate]
        if isinstance(kind, Ball) and names[-1] in intervals:
            changes["twist"] = _twist(intervals[names[-1]])
    elif any(name in intervals for name in names):
        raise PoiseError("a ball without limits takes those of swing and twist, not of rx, ry, rz")
    if "swing" in limits:
        radii = limits["swing"]
        changes["swing"] = () if radii is None else (SphericalEllipse(*radii),)
    if "twist" in intervals and "twist" not in names:
        changes["twist"] = _twist(intervals["twist"])
    if isinstance(kind, Ball) and not swinging and changes:
        changes |= {"chart": None, "coordinates": None}  # limits need the other chart
    return replace(kind, **changes)


def _interval(value: Any) -> Interval:
    if value is None:
        return EVERYTHING
    low, high = value
    return (-np.inf if low is None else low, np.inf if high is None else high)


def _twist(ends: Interval) -> Twist | None:
    return None if ends == EVERYTHING else Twist(*ends)


def _with_joint(figure: Figure, name: str, kind: Kind) -> Figure:
    """The figure with another kind for a joint; named postures are kept as far as they can be."""
    old = figure.joints[name]
    clinical = old.clinical if isinstance(kind, (Ball, Swing)) else {}
    if isinstance(kind, Swing):
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
