"""Figures with one limit a little wider, for tests of what blocks tasks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from poise.figure import (
    Angle,
    Ball,
    Coupling,
    Figure,
    Group,
    Joint,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    Swing,
    Twist,
)
from poise.figure.limits import SwingLimit


def widened(figure: Figure, name: str, by: float) -> Figure:
    """The figure with a limit wider on all sides (rad or m), by its name in `broken_limits`."""
    joints, groups = dict(figure.joints), dict(figure.groups)
    couplings = dict(figure.couplings)
    head, dot, tail = name.partition(".")
    if name in couplings:
        couplings[name] = _coupling(couplings[name], by)
    elif dot and head in groups:
        groups[head] = _parameter(groups[head], tail, by)
        for member, terms in groups[head].terms.items():  # which stop as their group does
            if any(tail in term.powers for term in terms):
                joint, _, coordinate = member.partition(".")
                joints[joint] = _boxed(joints[joint], coordinate, by)
    elif dot:
        joints[head] = _boxed(joints[head], tail, by)
    else:
        joints[head] = _curved(joints[head], by)
    other = Figure(
        figure.name,
        list(figure.segments.values()),
        list(joints.values()),
        sites=list(figure.sites.values()),
        couplings=list(couplings.values()),
        groups=list(groups.values()),
    )
    other.postures.update(figure.postures)
    return other


def _ends(ends: tuple[float, float], by: float) -> tuple[float, float]:
    return ends[0] - by, ends[1] + by


def _coupling(coupling: Coupling, by: float) -> Coupling:
    return replace(coupling, lower=coupling.lower - by, upper=coupling.upper + by)


def _parameter(group: Group, parameter: str, by: float) -> Group:
    ends = {**group.parameters, parameter: _ends(group.parameters[parameter], by)}
    return replace(group, parameters=ends)


def _boxed(joint: Joint, coordinate: str, by: float) -> Joint:
    kind: Any = joint.kind
    names = list(kind.coordinates)
    place = names.index(coordinate)
    if isinstance(kind, (Ball, Swing)):
        if place < 2:
            field = ("swing_x", "swing_y")[place]
            kind = replace(kind, **{field: _ends(getattr(kind, field), by)})
        else:
            kind = replace(kind, twist=_twist(kind.twist, by))
    elif hasattr(kind, "limits"):
        kind = replace(kind, limits=_ends(kind.limits, by))
    else:
        field = ("flexion_limits", "twist_limits")[place]
        kind = replace(kind, **{field: _ends(getattr(kind, field), by)})
    return replace(joint, kind=kind)


def _twist(twist: Any, by: float) -> Any:
    return replace(twist, lower=twist.lower - by, upper=twist.upper + by) if twist else None


def _curved(joint: Joint, by: float) -> Joint:
    kind: Any = joint.kind
    changes: dict[str, Any] = {"swing": tuple(_swing(each, by) for each in kind.swing)}
    if kind.angle is not None:
        changes["angle"] = Angle(kind.angle.maximum + by)
    if isinstance(kind, Ball) and isinstance(kind.twist, Twist) and np.isinf(kind.box[2]).all():
        changes["twist"] = _twist(kind.twist, by)  # one that depends on the swing, so no box
    return replace(joint, kind=replace(kind, **changes))


def _swing(limit: SwingLimit, by: float) -> SwingLimit:
    """An ellipse with greater radii; a polygon that is spread from its middle."""
    if isinstance(limit, SphericalEllipse):
        return replace(limit, rx=limit.rx + by, ry=limit.ry + by)
    if isinstance(limit, PlanarPolygon):
        points = np.array(limit.points)
        middle = points.mean(axis=0)
        out = points - middle
        away = out / np.linalg.norm(out, axis=1, keepdims=True)
        return PlanarPolygon((points + by * away).tolist())
    directions = np.array(limit.directions)
    middle = directions.mean(axis=0)
    middle /= np.linalg.norm(middle)
    out = directions - np.outer(directions @ middle, middle)
    away = out / np.linalg.norm(out, axis=1, keepdims=True)
    moved = directions + by * away
    return SphericalPolygon((moved / np.linalg.norm(moved, axis=1, keepdims=True)).tolist())
