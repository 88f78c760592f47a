"""Forces as arrows and what joints hold as arcs: where, how much, about which axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.statics.loads import GRAVITY, Load
from poise.statics.torques import JointTorque
from poise.studio.overlays.sight import Sight, numbers

Values = NDArray[np.float64]

_WEIGHS = 0.45
"""How long (m) the arrow of a body's whole weight is; others in proportion."""
_SLIGHT = 0.02
"""Moments below this share of the greatest are not drawn."""


def forces(sight: Sight) -> list[dict[str, Any]]:
    """Applied forces, what supports bear, and the weight where something bears it."""
    scene, found = sight.scene, list[dict[str, Any]]()
    for name, load in scene.forces.applied.items():
        found.append(_arrow(sight, name, "load", load))
    try:
        borne = sight.statics.loads
    except PoiseError:
        return found  # what is missing is said in the panel
    kind = "contact" if sight.statics.computed else "support"
    for load in borne:
        arrow = _arrow(sight, load.site, kind, load)
        arrow["cone"] = _cone(sight, load.site) if sight.shown.cones else None
        found.append(arrow)
    for name, posture in sight.group.postures.items():
        center = sight.group.center_of_mass(name)
        if center is not None:
            weight = [0.0, 0.0, -GRAVITY * posture.figure.mass]
            at = numbers(center)
            found.append(
                {
                    "name": f"weight {name}",
                    "kind": "weight",
                    "at": at,
                    "vector": weight,
                    "cone": None,
                }
            )
    return found


def forces_scale(sight: Sight) -> float:
    """How long an arrow is, in metres for each newton."""
    masses = [posture.figure.mass for posture in sight.group.postures.values()]
    heaviest = max(masses, default=0.0)
    return _WEIGHS / (GRAVITY * heaviest) if heaviest > 0 else 1e-3


def torques(sight: Sight) -> list[dict[str, Any]]:
    """What joints hold: of a ball its swing and its twist, of others each component."""
    try:
        held = sight.statics.torques
    except PoiseError:
        return []
    driven = {
        member.rpartition(".")[0]
        for group in sight.group.context.figure.groups.values()
        for member in group.terms
    }
    found: list[dict[str, Any]] = [
        {
            "joint": joint.joint,
            "at": numbers(joint.position),
            "axis": numbers(axis),
            "moment": size,
            "share": joint.share,
        }
        for joint in held.values()
        # Seventeen vertebrae of which no strength is known would hide the rest.
        if joint.share is not None or joint.joint not in driven
        for axis, size in _moments(joint)
    ]
    most = max((each["moment"] for each in found), default=0.0)
    return [each for each in found if each["moment"] > _SLIGHT * most]


def _arrow(sight: Sight, name: str, kind: str, load: Load) -> dict[str, Any]:
    at = sight.group.places[load.site].apply(np.array(load.point))
    arrow: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "site": load.site,
        "at": numbers(at),
        "vector": numbers(load.force),
        "cone": None,
    }
    if kind == "load":
        arrow |= {"torque": numbers(load.torque), "selected": sight.is_selected("force", name)}
    return arrow


def _cone(sight: Sight, site: str) -> dict[str, Any] | None:
    """The friction cone of a support: its axis points away from the surface."""
    support = sight.scene.forces.supports.get(site)
    if support is None:
        return None
    axis = -sight.group.places[site].rotation[:, 2]
    return {"half_angle": float(np.arctan(support.friction)), "axis": numbers(axis)}


def _moments(joint: JointTorque) -> list[tuple[Values, float]]:
    turning = [each for each in joint.components if each.unit == "N·m"]
    vectors = [each.value * np.array(each.axis) for each in turning if not each.is_swing]
    swings = [each.value * np.array(each.axis) for each in turning if each.is_swing]
    if swings:
        vectors.insert(0, np.sum(swings, axis=0))
    sizes = [float(np.linalg.norm(each)) for each in vectors]
    return [(v / size, size) for v, size in zip(vectors, sizes, strict=True) if size > 1e-9]
