"""The problem: a scene of figures with tasks and criteria, and what solving it gives."""

from poise.scene.handle import Handle
from poise.scene.many import Solutions
from poise.scene.scene import Scene
from poise.scene.solution import Report, Solution

__all__ = ["Handle", "Report", "Scene", "Solution", "Solutions"]
