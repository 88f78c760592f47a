"""Dragging: a goal that moves, and a figure that follows while it does.

A drag works on a copy of the scene and on one packed problem of its own, of which only the target
changes from event to event; the document gets the result when it ends.
"""

from poise.studio.dragging.angles import AngleDrag
from poise.studio.dragging.drag import Drag
from poise.studio.dragging.goals import GoalDrag, PinDrag, held_by
from poise.studio.dragging.grabbed import DRAG
from poise.studio.dragging.motion import Motion, turned
from poise.studio.dragging.points import PointDrag
from poise.studio.dragging.things import ForceDrag, ThingDrag

__all__ = [
    "DRAG",
    "AngleDrag",
    "Drag",
    "ForceDrag",
    "GoalDrag",
    "Motion",
    "PinDrag",
    "PointDrag",
    "ThingDrag",
    "held_by",
    "turned",
]
