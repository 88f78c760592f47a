"""What is wanted of a posture: tasks with priorities, and criteria that come last."""

from poise.tasks.aim import Aim
from poise.tasks.avoid import Avoid, AvoidSelf
from poise.tasks.balance import Balance
from poise.tasks.choice import Any
from poise.tasks.contact import Contact
from poise.tasks.convex import Convex, Inside, Outside
from poise.tasks.criteria import Comfort, Flexion, MidRange, Rest
from poise.tasks.custom import Custom
from poise.tasks.effort import Effort
from poise.tasks.equilibrium import Equilibrium
from poise.tasks.loop import Loop
from poise.tasks.masses import CenterOfMass, Inertia
from poise.tasks.mid_support import MidSupport
from poise.tasks.natural import Natural
from poise.tasks.orientation import Frame, Orientation
from poise.tasks.position import HalfSpace, Line, Plane, Position
from poise.tasks.surface import Surface
from poise.tasks.task import Criterion, Task

__all__ = [
    "Aim",
    "Any",
    "Avoid",
    "AvoidSelf",
    "Balance",
    "CenterOfMass",
    "Comfort",
    "Contact",
    "Convex",
    "Criterion",
    "Custom",
    "Effort",
    "Equilibrium",
    "Flexion",
    "Frame",
    "HalfSpace",
    "Inertia",
    "Inside",
    "Line",
    "Loop",
    "MidRange",
    "MidSupport",
    "Natural",
    "Orientation",
    "Outside",
    "Plane",
    "Position",
    "Rest",
    "Surface",
    "Task",
]
