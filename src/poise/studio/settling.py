"""Finding the posture of a document that has changed."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure
from poise.figure.naming import driver
from poise.scene import Options, Scene, Solution
from poise.scene.solving import prepare
from poise.solvers import DEFAULT, solver
from poise.studio.anchoring import anchored
from poise.studio.statics import ROUNDS, bear_computed, matters

Values = NDArray[np.float64]

_SLOW = 5.0
"""So long (s) other methods than the default may take; that one ends by itself."""


def settled(
    scene: Scene,
    held: Iterable[str],
    *,
    contact_forces: bool,
    leaps: bool = True,
    lock: threading.RLock,
    chosen: Values | None = None,
) -> Solution:
    """Solve a scene, whose posture then is the solution's.

    Args:
        scene: in the posture to start from.
        held: joints, groups or coordinates that stay where they are, this once.
        contact_forces: whether what supports bear is computed, in turn with the posture.
        leaps: whether other starts may be tried, as the scene's options say.
        lock: held while the scene is packed, as figures are shared, and not while it is solved.
        chosen: (n,) the posture that someone chose by hand, near which persons stay as far as tasks
            let them; None where nobody did: the posture is then found as `Scene.solve` finds it.
    """
    near_by = scene.options.changed(restarts=0)
    solution = _solved(scene, held, lock, scene.options if leaps else near_by, chosen)
    if contact_forces and matters(scene):
        for _ in range(ROUNDS):
            scene.postures = solution.postures
            if not bear_computed(scene):
                break
            # From where the last round has ended: another start could lead from one to another.
            solution = _solved(scene, held, lock, near_by, chosen)
    scene.postures = solution.postures
    return solution


def _solved(
    scene: Scene,
    held: Iterable[str],
    lock: threading.RLock,
    options: Options,
    chosen: Values | None,
) -> Solution:
    if options.method != DEFAULT:
        options = options.changed(max_seconds=options.max_seconds or _SLOW)
    method = solver(options.method)
    is_near = chosen is not None and chosen.size == scene.q.size and scene.natural
    with lock:
        # Only persons: others go the shortest way from where they are.
        is_near = is_near and method.record.takes_rows
        near = (
            anchored(scene, chosen, np.zeros(chosen.size))
            if is_near and chosen is not None
            else scene
        )
        prepared = prepare(near)
    prepared = prepared.moving(moving(prepared.ensemble.whole, held))
    return prepared.report(prepared.solve(method, options), options.tolerance)


def moving(whole: Figure, held: Iterable[str]) -> Values:
    """The coordinates (n,) that move, by 1, and those of joints, groups or by name that do not.

    A joint that a group drives stays with all of that group.
    """
    result = np.ones(whole.n)
    for name in held:
        group = driver(whole, name)
        result[whole.span(group.name if group else name)] = 0.0
    return result
