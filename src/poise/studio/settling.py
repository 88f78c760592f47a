"""Finding the posture of a document that has changed."""

from __future__ import annotations

from poise.figure.naming import driver
from poise.scene import Scene, Solution
from poise.studio.statics import ROUNDS, bear_computed, matters

_SLOW = 5.0
"""So long (s) other methods than the default may take; that one ends by itself."""


def settled(scene: Scene, held: tuple[str, ...], *, contact_forces: bool) -> Solution:
    """Solve a scene, whose posture then is the solution's.

    Args:
        scene: in the posture to start from.
        held: joints, groups or coordinates that stay where they are, this once.
        contact_forces: whether what supports bear is computed, in turn with the posture.
    """
    solution = _solved(scene, held)
    if contact_forces and matters(scene):
        for _ in range(ROUNDS):
            scene.postures = solution.postures
            if not bear_computed(scene):
                break
            solution = _solved(scene, held)
    scene.postures = solution.postures
    return solution


def _solved(scene: Scene, held: tuple[str, ...]) -> Solution:
    slow = None if scene.options.method == "lex" else scene.options.max_seconds or _SLOW
    if not held:
        return scene.solve(max_seconds=slow)
    figures = scene.given
    before = {name: figure.locked_names for name, figure in figures.items()}
    try:
        for name in held:
            first, _, own = name.rpartition("/")
            figure = figures[first] if first else next(iter(figures.values()))
            group = driver(figure, own.partition(".")[0]) if "." not in own else None
            figure.lock(group.name if group else own)
        return scene.solve(max_seconds=slow)
    finally:
        for name, figure in figures.items():
            figure.unlock()
            figure.lock(before[name])
