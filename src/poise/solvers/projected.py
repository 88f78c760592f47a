"""Projected gradient with back-tracking: Engell-Nørregård & Erleben 2011.

The arithmetic is in `kernel.published.projected`.
"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.checking import number
from poise.errors import PoiseError, unknown_name
from poise.kernel.residuals.blocks import (
    AXIS,
    END,
    START,
    TURN,
    VECTORS,
    Blocks,
)
from poise.solvers.chunks import run_in_time
from poise.solvers.outcome import Ending, Outcome, refuse_criteria, weighed_as_one
from poise.solvers.problem import Problem

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
        if kind == TURN and other < 0:
            site, goal = numbers[:9].reshape(3, 3), numbers[9:18].reshape(3, 3)
            numbers = np.concatenate([site[:, :2].T.ravel(), goal[:, :2].T.ravel(), [1.0, 1.0]])
            kind, rows, flags = VECTORS, 6, np.zeros(6, np.int64)
        elif kind == AXIS and other < 0:
            blank = np.zeros(3)
            numbers = np.concatenate([numbers[:3], blank, numbers[3:6], blank, [1.0, 0.0]])
            kind, rows, flags = VECTORS, 6, np.zeros(6, np.int64)
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
    alpha = number(alpha, "alpha", above=0, most=1)
    beta = number(beta, "beta", least=alpha)
    if beta >= 1:
        raise PoiseError(f"beta must be less than 1, not {beta:g}")
    step = number(step, "the first step", above=0)
    if not isinstance(form, str) or form not in _FORMS:
        raise unknown_name("form", form, _FORMS)
    refuse_criteria("projected", problem)
    packed = _packed(problem, form)
    is_first = form not in problem.scratch.setdefault("projected", {})
    if is_first:
        problem.scratch["projected"][form] = kernel.published.projected.memory(
            packed, problem.corners
        )
    memory = problem.scratch["projected"][form]
    q, tolerance = start.copy(), ending["tolerance"]
    aim = tolerance if form == "rotation" else _chord(problem, tolerance)

    def run(q: NDArray[np.float64], limit: int, begin: int, finishes: bool) -> tuple[int, int]:
        status = kernel.published.projected.projected(
            packed, memory, q, aim, limit, alpha, beta, step, begin
        )
        return int(status), int(memory.counts[kernel.published.projected.ITERATION])

    word, iterations, seconds = run_in_time(run, q, ending, is_first=is_first)
    residual = _residual(problem, memory, q)
    optimality = float(memory.value[kernel.published.projected.OPTIMALITY])
    note = weighed_as_one(problem, "projected")
    return Outcome(q, word, iterations, seconds, residual, optimality, note)


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
        problem.metric,
    )


def _residual(problem: Problem, memory: Any, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """The residual of the tasks as they are, at a posture."""
    tree, state, blocks = problem.figure.packed.tree, memory.state, problem.blocks
    residual = np.zeros(blocks.inequality.size)
    matrix = np.zeros((residual.size, q.size))
    kernel.body.kinematics.place(tree, q, state)
    kernel.residuals.evaluation.evaluate(
        tree, blocks, state, memory.scratch, residual, matrix, False
    )
    return residual
