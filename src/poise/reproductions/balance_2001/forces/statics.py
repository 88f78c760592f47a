"""What examples with forces measure, and what is checked of all of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.figure import Posture
from poise.reproductions.claims import Claim
from poise.scene import Scene

TIGHT: dict[str, Any] = {"tolerance": 1e-6, "max_iterations": 1000, "restarts": 0}
"""How `lex` is asked to solve."""
BALANCED = 0.01
"""A posture is in equilibrium where moments are below this (N·m)."""
FRICTION = 0.6
"""Between feet and floor."""


def unbalanced(scene: Scene, posture: Posture) -> float:
    """The moment that is left of all forces in a posture (N·m), summed anew from its places."""
    figure = posture.figure
    places, center = figure.place(posture), figure.center_of_mass(posture)
    moment = np.zeros(3)
    for load in scene.forces.acting.loads(figure, list(figure.segments), figure.name):
        at = places[load.site].apply(np.array(load.point))
        moment += np.cross(at - center, load.force) + load.torque
    return float(np.linalg.norm(moment))


def in_equilibrium(what: str, scene: Scene, *postures: Posture) -> Claim:
    """A check that all postures are in static equilibrium under the scene's forces."""
    worst = max(unbalanced(scene, posture) for posture in postures)
    text = f"{what} in static equilibrium to {BALANCED:g} N·m"
    return Claim.check(text, f"{worst:.1g} N·m left", worst < BALANCED)


def does_not_slip(scene: Scene, posture: Posture) -> Claim:
    """A check that what supports bear lies within their friction cones."""
    found = scene.forces.reactions(posture)
    needed = max(each.needed for each in found)
    return Claim.check(
        "the feet's forces lie within their friction cones",
        f"needs a friction of {needed:.2f}, there is {FRICTION:g}",
        all(each.holds for each in found),
    )


def load_of(scene: Scene, posture: Posture) -> float:
    """Σ τ² over all joints, in (N·m)²: the joints of a chain have no strengths."""
    return float(sum(each.value**2 for each in scene.forces.torques(posture).components))
