"""What is wanted of a posture: tasks with priorities, and criteria that come last."""

from poise.tasks.aim import Aim
from poise.tasks.balance import Balance
from poise.tasks.criteria import Rest
from poise.tasks.loop import Loop
from poise.tasks.orientation import Frame, Orientation
from poise.tasks.position import CenterOfMass, HalfSpace, Position
from poise.tasks.task import Criterion, Task

__all__ = [
    "Aim",
    "Balance",
    "CenterOfMass",
    "Criterion",
    "Frame",
    "HalfSpace",
    "Loop",
    "Orientation",
    "Position",
    "Rest",
    "Task",
]
