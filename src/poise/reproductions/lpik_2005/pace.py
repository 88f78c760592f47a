"""How long a step takes, so that methods can be compared within one run.

A *step* is one linear problem with everything about it: kinematics, Jacobian, limits, the solve,
and the look at where it led. Times are medians over the frames of a motion, after the first two,
each frame's time, the least of three runs, divided by its steps. "PI" is `numpy.linalg.pinv` of the
Jacobian, alone, the fastest of three. So that what else the machine does counts little, all is on
one thread, and of a frame the lesser counts of what the clock says inside the solver and what the
processor says outside, where there is a little more to do.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from poise.reproductions.lpik_2005.scenes import Paths
from poise.scene import Scene
from poise.scene.animate import Animation
from poise.scene.solving import prepare
from poise.solvers.linear import Linear
from poise.tasks import Position

_RUNS = 3


def timed(scene: Scene, paths: Paths, method: str, **own: Any) -> tuple[Animation, float]:
    """A motion, and the median time of its steps (ms), each frame the fastest of three."""
    runs: list[Animation] = []
    frames: list[list[float]] = []
    for _ in range(_RUNS):
        ends: list[float] = []
        frames.append(ends)
        runs.append(scene.animate(paths, method, progress=_clock(ends), **own))
    # The first frame has no end of one before it; the first two are left out anyhow.
    inside = np.min([moves.solutions.seconds for moves in runs], axis=0)[1:]
    seconds = np.minimum(inside, np.min(np.diff(frames, axis=1), axis=0))
    steps = np.maximum(runs[0].solutions.iterations[1:], 1)
    return runs[0], 1e3 * float(np.median((seconds / steps)[1:]))


def _clock(ends: list[float]) -> Any:
    """Called after each frame: the processor's time goes to a list."""
    return lambda _frame, _frames: ends.append(time.thread_time())


def pseudo_inverse(scene: Scene, paths: Paths) -> float:
    """The dense pseudo-inverse of the scene's Jacobian times a residual (ms)."""
    driven = [
        scene.add(Position(name, path[1]), name=name)
        for name, path in paths.items()
        if name not in scene.handles
    ]
    problem, q = prepare(scene)[1:3]
    for handle in driven:
        handle.remove()
    at = Linear(problem)
    at.look(q)
    J = at.sparse(np.arange(at.rows), at.contacts.group_of_row).toarray()
    least = np.inf
    for _ in range(_RUNS):
        begun = time.thread_time()
        _ = np.linalg.pinv(J) @ at.residual
        least = min(least, time.thread_time() - begun)
    return 1e3 * least


def exponent(sizes: Iterable[float], times: Iterable[float]) -> float:
    """The power with which times grow, by least squares of logarithms."""
    return float(np.polyfit(np.log(list(sizes)), np.log(list(times)), 1)[0])
