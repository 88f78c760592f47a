"""What is drawn over the figures: balance, goals, pins, forces, torques, limits.

Positions are metres in the world, rotations quaternions w x y z, angles radians.
"""

from __future__ import annotations

from typing import Any

from poise.studio.overlays.balance import balance
from poise.studio.overlays.forces import forces, forces_scale, torques
from poise.studio.overlays.goals import goals, pins
from poise.studio.overlays.limits import limits
from poise.studio.overlays.sight import Sight


def overlays_of(sight: Sight) -> dict[str, Any]:
    """All that a tab wants to see."""
    shown = sight.shown
    result: dict[str, Any] = {"type": "overlays"}
    nothing = {"com": None, "support": None, "rings": []}
    result |= balance(sight) if shown.balance else nothing
    result["goals"] = goals(sight) if shown.goals else []
    result["pins"] = pins(sight) if shown.pins else []
    draws = shown.forces and (sight.scene.forces.applied or sight.scene.forces.supports)
    result["forces"] = forces(sight) if draws else []
    result["forces_scale"] = forces_scale(sight)
    result["torques"] = torques(sight) if shown.torques else []
    result["limits"] = limits(sight) if shown.limits else None
    return result


__all__ = ["Sight", "overlays_of"]
