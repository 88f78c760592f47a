"""Projected gradient with back-tracking: Engell-Nørregård & Erleben 2011.

The arithmetic is in `kernel.published.projected`.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.checking import number
from poise.errors import PoiseError, unknown_name
from poise.kernel.residuals import orientation, orientation_axis, orientation_vectors
from poise.kernel.residuals.blocks import END, START, Blocks
from poise.kernel.residuals.kinds import ORIENTATION, ORIENTATION_AXIS, ORIENTATION_VECTORS
from poise.solvers.chunks import run_in_time
from poise.solvers.method import Method
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem

METHOD = Method(
    name="projected",
    summary="projected gradient",
    source="Engell-Nørregård & Erleben 2011",
    limits="in every step, by projection",
    takes_one_sided=True,
)

_FORMS = ("vectors", "rotation")


def by_vectors(blocks: Blocks) -> Blocks:
    """The blocks with every orientation as two axes, the nine-vectors of the paper's (A.1).

    An orientation with a free axis has the other one only. Orientations between two sites that
    both move stay as they are.
    """
    table: list[list[int]] = []
    values: list[NDArray[np.float64]] = []
    inequality: list[NDArray[np.int64]] = []
    row = start = 0
    for b in range(len(blocks.block) - 1):
        kind, node, other, first, rows, at = blocks.block[b].tolist()
        numbers = blocks.values[at : blocks.block[b + 1, START]]
        flags = blocks.inequality[first : first + rows]
        if kind == ORIENTATION and other < 0:
            site, goal = orientation.unpacked(numbers)
            numbers = orientation_vectors.packed(site[:, :2].T, goal[:, :2].T)
            kind, rows, flags = ORIENTATION_VECTORS, 6, np.zeros(6, np.int64)
        elif kind == ORIENTATION_AXIS and other < 0:
            blank = np.zeros(3)
            site, goal = (np.stack([each, blank]) for each in orientation_axis.unpacked(numbers))
            numbers = orientation_vectors.packed(site, goal, cy=0.0)
            kind, rows, flags = ORIENTATION_VECTORS, 6, np.zeros(6, np.int64)
        table.append([kind, node, other, row, rows, start])
        values.append(numbers)
        inequality.append(flags)
        row, start = row + rows, start + numbers.size
    table.append([END, 0, -1, row, 0, start])
    return Blocks(
        block=np.array(table, np.int64),
        values=np.concatenate([np.zeros(0), *values]),
        factor=blocks.factor,
        inequality=np.concatenate([np.zeros(0, np.int64), *inequality]),
        level=np.array([0, row], np.int64),
        bodies=blocks.bodies,
    )


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    alpha: float = 1e-4,
    beta: float = 0.5,
    step: float = 1.0,
    form: str = "vectors",
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits.

    All tasks are one weighted sum (17), whatever their priorities. The sum never rises. Criteria
    are refused: a gradient alone would hardly feel them.

    Args:
        problem: as for every method.
        start: as for every method.
        alpha: the share α of the promised decrease that a step must bring, (39); 0 … 1.
        beta: the factor β by which a step is made shorter, (34); from α to below 1.
        step: the first step τ (rad²/m²); later ones are remembered.
        form: how orientations are measured: "vectors", two axes each, as in the paper, or
            "rotation", as the tasks say.
        **ending: see `Ending`.
    """
    settings = kernel.published.projected.Settings()
    settings.alpha = number(alpha, "alpha", above=0, most=1)
    settings.beta = number(beta, "beta", least=alpha)
    if beta >= 1:
        raise PoiseError(f"beta must be less than 1, not {beta:g}")
    settings.first_step = number(step, "the first step", above=0)
    if not isinstance(form, str) or form not in _FORMS:
        raise unknown_name("form", form, _FORMS)
    packed = _packed(problem, form)
    is_first = form not in problem.scratch.setdefault("projected", {})
    if is_first:
        problem.scratch["projected"][form] = kernel.published.projected.memory(
            packed, problem.corners, problem.trace
        )
    memory = problem.scratch["projected"][form]
    q, tolerance = start.copy(), ending["tolerance"]
    aim = tolerance if form == "rotation" else _chord(problem, tolerance)

    def run(q: NDArray[np.float64], limit: int, begin: int, finishes: bool) -> tuple[int, int]:
        status = kernel.published.projected.projected(
            packed, memory, settings, q, aim, limit, begin
        )
        return int(status), memory.progress.iterations

    word, iterations, seconds = run_in_time(run, q, ending, is_first=is_first)
    residual, optimality = memory.task_residual.copy(), float(memory.progress.optimality)
    return Outcome(q, word, iterations, seconds, residual, optimality)


def _chord(problem: Problem, tolerance: float) -> float:
    """The tolerance (m) for orientations by vectors: a chord is shorter than its arc."""
    angles = [
        tolerance / wish.metres_per_radian
        for wish, span in zip(problem.wishes, problem.spans, strict=True)
        for b in range(span.start, span.stop)
        if problem.units[b] == "rad" and not problem.chords[b]
    ]
    widest = min(max(angles, default=0.0), np.pi)
    return tolerance * float(np.sinc(widest / (2 * np.pi)))  # 2 sin(angle / 2) / angle


def _packed(problem: Problem, form: str) -> kernel.published.projected.Problem:
    """The problem as the kernel takes it, with the targets of now."""
    figure, blocks = problem.figure, problem.blocks
    return kernel.published.projected.Problem(
        figure.packed.tree,
        figure.bounds,
        kernel.residuals.gradients.potential(by_vectors(blocks) if form == "vectors" else blocks),
        blocks,
        problem.metric,
    )
