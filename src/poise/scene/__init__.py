"""The problem: a scene of figures with tasks and criteria, and what solving it gives."""

from poise.scene.blocking import Blocker, Obstruction
from poise.scene.handle import Handle
from poise.scene.many import Solutions
from poise.scene.options import Options
from poise.scene.origins import Origin
from poise.scene.scene import Scene
from poise.scene.solution import Report, Solution
from poise.scene.things import Thing
from poise.scene.tracing import Iteration, Trace

__all__ = [
    "Blocker",
    "Handle",
    "Iteration",
    "Obstruction",
    "Options",
    "Origin",
    "Report",
    "Scene",
    "Solution",
    "Solutions",
    "Thing",
    "Trace",
]
