"""What is drawn over the figures: balance, goals, pins, forces, torques, limits.

Positions are metres in the world, rotations quaternions w x y z, angles radians.
"""

from __future__ import annotations

from typing import Any

from poise.studio.overlays.balance import balance
from poise.studio.overlays.goals import goals, pins
from poise.studio.overlays.sight import Sight


def overlays_of(sight: Sight) -> dict[str, Any]:
    """All that a tab wants to see."""
    shown = sight.shown
    result: dict[str, Any] = {"type": "overlays"}
    nothing = {"com": None, "support": None, "rings": []}
    result |= balance(sight) if shown.balance else nothing
    result["goals"] = goals(sight) if shown.goals else []
    result["pins"] = pins(sight) if shown.pins else []
    return result


__all__ = ["Sight", "overlays_of"]
