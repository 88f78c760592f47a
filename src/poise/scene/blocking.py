"""What keeps a task from being met: limits at their stops, and other tasks.

At a posture where a solver has stopped, the pull of an unmet task, Aᵀe with its rows A and errors
e, is balanced by what is in its way: Aᵀe + Σ λ·rows above + Σ μ·limits = 0, with multipliers
μ ≥ 0 of limits and inequalities, which push one way only, and λ of any sign for rows that are
to stay as they are. A blocker is what this balance cannot do without: leave it out, and a pull is
left over that would lower the error. Where everything is held twice, by two feet say, no single
one is needed, and all that carry force are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.figure import Figure
from poise.kernel.blocks import ROW
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish

Values = NDArray[np.float64]

_AT_STOP = 1e-5
"""So near a limit (rad or m) it is reached."""
_AT_EDGE = 2e-4
"""So near its edge (m) an inequality is active: solvers stop within a tolerance of it."""
_LEFT_OVER = 0.02
"""A pull that is left counts from this share of the whole on."""
_FELT = 2e-3
"""And from so many metres for each radian on, by which it would lower the error."""


@dataclass(frozen=True)
class Blocker:
    """Something in a task's way."""

    kind: Literal["limit", "task", "beside", "lock"]
    """A limit at its stop, a task above, one of the same priority, or a locked joint."""
    name: str
    """Of the task; of the coordinate whose box it is, the joint whose swing or twist it is, or the
    coupling (as in `Figure.broken_limits`); of what was locked."""
    share: float
    """How much of the task's pull is free without it, 0 … 1."""

    def __str__(self) -> str:
        """Like "right_elbow.flexion at its stop"."""
        words = {
            "limit": "at its stop",
            "task": "above it",
            "beside": "beside it",
            "lock": "locked",
        }
        return f"{self.name} {words[self.kind]}"


@dataclass(frozen=True)
class _Candidate:
    """What may be in the way, as directions that its force can have."""

    kind: Literal["limit", "task", "beside", "lock"]
    name: str
    either: Values  # (k, n) forces of any sign
    one_way: Values  # (k, n) forces along, never against


def blockers(problem: Problem, outcome: Outcome, wish: Wish) -> list[Blocker]:
    """What keeps a task from being met better, the most important first.

    Empty for a task that is met, for one that nothing blocks (its site is stretched out towards
    a goal out of reach), and where the solver stopped before it came to rest.

    Args:
        problem: the problem with the targets that were solved for.
        outcome: what the solver found.
        wish: one of the problem's wishes.
    """
    figure, q = problem.figure, outcome.q
    residual, matrix = _rows(problem, q)
    errors = np.where(problem.blocks.inequality == 1, np.minimum(residual, 0.0), residual)
    own = _span(problem, problem.wishes.index(wish))
    moves = problem.metric > 0
    pull = (matrix[own].T @ errors[own])[moves]
    size, error = float(np.linalg.norm(pull)), float(np.linalg.norm(errors[own]))
    least = max(_LEFT_OVER * size, _FELT * error)
    # A goal that is out of reach straight ahead pulls along the limb, which no joint feels.
    if size <= least:
        return _locks(problem, matrix[own].T @ errors[own], least)
    candidates = [
        *_tasks(problem, wish, residual, errors, matrix),
        *_limits(figure, q),
    ]
    candidates = [
        _Candidate(each.kind, each.name, each.either[:, moves], each.one_way[:, moves])
        for each in candidates
    ]
    left, force = _balance(pull, candidates)
    if left > 0.5 * size:  # it was still on its way
        return _locks(problem, matrix[own].T @ errors[own], least)
    found: list[Blocker] = []
    for i, candidate in enumerate(candidates):
        if force[i] > 1e-9 * size:
            without, _ = _balance(pull, candidates[:i] + candidates[i + 1 :])
            freed = float(np.sqrt(max(without**2 - left**2, 0.0)))
            if freed > least:
                found.append(Blocker(candidate.kind, candidate.name, min(freed / size, 1.0)))
    if not found and left < least:
        found = [
            Blocker(candidate.kind, candidate.name, 0.0)
            for candidate, each in zip(candidates, force, strict=True)
            if each > least
        ]
    found.sort(key=lambda each: -each.share)
    return [*found, *_locks(problem, matrix[own].T @ errors[own], least)]


def _rows(problem: Problem, q: Values) -> tuple[Values, Values]:
    """The residuals of all rows and their Jacobian."""
    tree = problem.figure.packed.tree
    state = kernel.tree.state(tree)
    scratch = kernel.blocks.make_scratch(q.size, problem.corners)
    rows = problem.blocks.inequality.size
    residual, matrix = np.zeros(rows), np.zeros((rows, q.size))
    kernel.kinematics.place(tree, q, state)
    kernel.kinematics.differentiate(tree, state)
    kernel.residuals.evaluate(tree, problem.blocks, state, scratch, residual, matrix, True)
    return residual, matrix


def _span(problem: Problem, index: int) -> slice:
    """The rows of a wish."""
    span, rows = problem.spans[index], problem.blocks.block[:, ROW]
    return slice(int(rows[span.start]), int(rows[span.stop]))


def _tasks(
    problem: Problem, wish: Wish, residual: Values, errors: Values, matrix: Values
) -> Iterator[_Candidate]:
    """Tasks above, whose rows stay as they are, and those beside, which pull as they do."""
    none = matrix[:0]
    inequality = problem.blocks.inequality == 1
    for i, other in enumerate(problem.wishes):
        if other is wish or other.priority > wish.priority:
            continue
        span = _span(problem, i)
        A, e, ends = matrix[span], residual[span], inequality[span]
        if other.priority == wish.priority:
            yield _Candidate("beside", other.name, none, (A.T @ errors[span])[None, :])
            continue
        # An inequality that holds with room to spare pushes nothing; at its edge it pushes one
        # way, against a pull that would lower it.
        either = A[~ends | (e < -_AT_EDGE)]
        yield _Candidate("task", other.name, either, -A[ends & (np.abs(e) <= _AT_EDGE)])


def _limits(figure: Figure, q: Values) -> Iterator[_Candidate]:
    """Limits and couplings that are reached, by the directions that lead out of them."""
    none = np.zeros((0, q.size))
    for i, name in enumerate(figure.coordinates):
        axis = np.zeros((1, q.size))
        axis[0, i] = 1.0
        sides = [
            side
            for side, room in ((1.0, figure.upper[i] - q[i]), (-1.0, q[i] - figure.lower[i]))
            if room <= _AT_STOP
        ]
        if sides:
            yield _Candidate("limit", name, none, np.concatenate([side * axis for side in sides]))
    bounds, tree = figure.bounds, figure.packed.tree
    state = kernel.tree.state(tree)
    kernel.bounds.violation(tree, bounds, q, state)  # it finds the members' values, too
    no_couplings = {
        "coupling": np.zeros(1, np.int64),
        "coupling_coordinate": np.zeros(0, np.int64),
        "coupling_factor": np.zeros(0),
        "coupling_box": np.zeros((2, 0)),
    }
    names = [each for joint in figure.joints.values() for each in joint.coordinates]
    alone = bounds._replace(
        **no_couplings, boxed_member=bounds.boxed_member[:0], joint=bounds.joint[:0]
    )
    parts = [
        *(
            (coupling.name, _only_coupling(alone, bounds, k))
            for k, coupling in enumerate(figure.couplings.values())
        ),
        *((names[int(i)], alone._replace(boxed_member=np.array([i]))) for i in bounds.boxed_member),
        *(
            (
                names[bounds.joint[j, kernel.bounds.FIRST]].partition(".")[0],
                alone._replace(joint=bounds.joint[j : j + 1]),
            )
            for j in range(len(bounds.joint))
        ),
    ]
    rows = kernel.bounds.make_rows(bounds, q.size)
    for name, part in parts:
        count = kernel.bounds.write_rows(tree, part, q, _AT_STOP, state, rows)
        matrix, (lower, upper) = rows.matrix[:count].copy(), rows.box[:, :count]
        outward = np.concatenate([matrix[upper <= _AT_STOP], -matrix[lower >= -_AT_STOP]])
        if len(outward):
            yield _Candidate("limit", name, none, outward)


def _only_coupling(
    alone: kernel.bounds.Bounds, bounds: kernel.bounds.Bounds, k: int
) -> kernel.bounds.Bounds:
    terms = slice(bounds.coupling[k], bounds.coupling[k + 1])
    coordinates = bounds.coupling_coordinate[terms]
    return alone._replace(
        coupling=np.array([0, coordinates.size], np.int64),
        coupling_coordinate=coordinates,
        coupling_factor=bounds.coupling_factor[terms],
        coupling_box=np.ascontiguousarray(bounds.coupling_box[:, k : k + 1]),
    )


def _balance(pull: Values, candidates: Sequence[_Candidate]) -> tuple[float, list[float]]:
    """The pull that the candidates cannot balance (its norm), and how hard each pushes.

    Least squares with non-negative multipliers for what pushes one way. Forces of any sign are
    taken out first, by projecting on what is orthogonal to them.
    """
    from scipy.optimize import nnls

    n = pull.size
    either = np.concatenate([np.zeros((0, n)), *(each.either for each in candidates)])
    one_way = np.concatenate([np.zeros((0, n)), *(each.one_way for each in candidates)])
    basis = _basis(either)
    rest = pull - basis @ (basis.T @ pull)
    pushing = one_way - one_way @ basis @ basis.T
    multipliers = np.zeros(len(one_way))
    left = float(np.linalg.norm(rest))
    if len(pushing) and left > 0:
        multipliers, left = nnls(pushing.T, -rest)
    held = pull + one_way.T @ multipliers
    free = np.linalg.lstsq(either.T, -held)[0] if len(either) else np.zeros(0)
    forces: list[float] = []
    a = b = 0
    for each in candidates:
        size = len(each.either), len(each.one_way)
        force = each.either.T @ free[a : a + size[0]]
        force = force + each.one_way.T @ multipliers[b : b + size[1]]
        forces.append(float(np.linalg.norm(force)))
        a, b = a + size[0], b + size[1]
    return float(left), forces


def _basis(rows: Values) -> Values:
    """An orthonormal basis (n, r) of the space that rows span."""
    if not len(rows):
        return np.zeros((rows.shape[1], 0))
    _, sizes, basis = np.linalg.svd(rows, full_matrices=False)
    # Metres and radians: a row of 1e-9 is rounding, however small the others are.
    return basis[sizes > 1e-9 * max(1.0, float(sizes[0]))].T


def _locks(problem: Problem, pull: Values, least: float) -> list[Blocker]:
    """What was locked although the task pulls on it."""
    figure, size = problem.figure, float(np.linalg.norm(pull))
    felt = {each: float(np.linalg.norm(pull[figure.span(each)])) for each in figure.locked_names}
    return [Blocker("lock", name, each / size) for name, each in felt.items() if each > least]
