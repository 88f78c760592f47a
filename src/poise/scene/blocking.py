"""What keeps a task from being met: limits at their stops, other tasks, locks.

At a posture where a solver has come to rest, the pull of an unmet task, Aᵀe with its rows A and
errors e, is balanced by what is in its way: Aᵀe + Σ λ·rows above + Σ μ·limits = 0, with
multipliers μ ≥ 0 of limits and inequalities, which push one way only, and λ of any sign for rows
that are to stay as they are. A multiplier says how fast the error falls where its row gives way,
μ/|e| (the envelope theorem). Where rows depend on each other several sets of multipliers balance
the pull; then the error falls as the least multiplier says that one of them has, and what the
others can do without is not named. Where each of several can be done without, because everything
is held twice, they are named together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.closed import closed
from poise.figure import Figure
from poise.kernel.blocks import ROW, WEIGHT
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish

Values = NDArray[np.float64]
Kind = Literal["limit", "task", "beside", "lock", "unused"]

_WORDS: dict[Kind, str] = {
    "limit": "at its stop",
    "task": "which comes before it",
    "beside": "beside it",
    "lock": "locked",
    "unused": "not among the joints that tasks may move",
}

_AT_STOP = 1e-5
"""So near a limit (rad or m) it is reached."""
_AT_EDGE = 2e-4
"""So near its edge (m) an inequality is active, and within two tolerances: solvers stop there."""
_AT_REST = 2.5e-3
"""Both are so, too, within this share of the task's error, where solvers see nothing to gain."""
_FELT = 0.01
"""A limit or a lock is felt from this rate on: where it gives way by 0.6° or by 1 cm, the error
falls by a tenth of a millimetre, which is the usual tolerance."""
_FELT_TASK = 0.1
"""Another task is felt where the error falls by at least a tenth of what it gives."""
_MATTERS = 0.02
"""And from this share of the task's error on, for each radian or metre."""
_ROUGH = 0.15
"""So fast (m/rad) an error may still fall where a solver says that it is at rest."""


@closed
@dataclass(frozen=True)
class Blocker:
    """Something in a task's way."""

    kind: Kind
    """A limit at its stop, a task above, one of the same priority, a locked joint, or one that no
    task may move."""
    name: str
    """Of the task; of the coordinate whose box it is, the joint whose swing or twist it is, or the
    coupling (as in `Figure.broken_limits`); of what was locked or is not used."""
    rate: float
    """How fast the task's error (m; angles by metres per radian) falls where it gives way: for
    each radian or metre of a limit or a joint, for each metre of a task's error. 0 where only all
    of `along` together, and it, would help."""
    along: tuple[str, ...] = ()
    """Others that are in the way as well: one alone may go without any use."""
    priority: int | None = None
    """Of a task."""

    def __str__(self) -> str:
        """Like "right_elbow.flexion at its stop"; "pelvis (priority 2), which comes before it"."""
        also = f", together with {', '.join(self.along)}" if self.along else ""
        rank = f" (priority {self.priority})," if self.kind == "task" else ""
        return f"{self.name}{rank} {_WORDS[self.kind]}{also}"


def _ranked(found: Sequence[Blocker], problem: Problem) -> tuple[Blocker, ...]:
    """Blockers with the priorities of those that are tasks."""
    priorities = {wish.name: wish.priority for wish in problem.wishes}
    return tuple(
        replace(each, priority=priorities[each.name]) if each.kind in ("task", "beside") else each
        for each in found
    )


@closed
@dataclass(frozen=True)
class Obstruction:
    """Why a task is not met: what blocks it, or else one of two reasons."""

    blockers: tuple[Blocker, ...] = ()
    """The most important first."""
    is_out_of_reach: bool = False
    """Nothing is in the way, and no motion would lower the error: its site is stretched out
    towards a goal that is too far."""
    is_unfinished: bool = False
    """The solver stopped while the error could still be lowered."""
    unrest: float = 0.0
    """How fast the error could still fall where the solver stopped (m/rad), to first order; a
    blocker with a lower rate than this is not named."""


@dataclass(frozen=True)
class _Candidate:
    """What may be in the way, as directions that its force can have."""

    kind: Kind
    name: str
    either: Values  # (k, n) forces of any sign
    one_way: Values  # (k, n) forces along, never against


def obstruction(problem: Problem, outcome: Outcome, wish: Wish, tolerance: float) -> Obstruction:
    """Why an unmet task is not met better.

    Args:
        problem: the problem with the targets that were solved for.
        outcome: what the solver found.
        wish: one of the problem's wishes.
        tolerance: to which it was solved (m).
    """
    residual, matrix = _rows(problem, outcome.q)
    errors = np.where(problem.blocks.inequality == 1, np.minimum(residual, 0.0), residual)
    index = problem.wishes.index(wish)
    own = _span(problem, index)
    pull = matrix[own].T @ errors[own]
    square = float(errors[own] @ errors[own])
    if square == 0.0:
        return Obstruction()
    error = float(np.linalg.norm(problem.sizes(residual)[problem.spans[index]]))
    to_rate = error / square  # from half the weighted square to the error, weights taken out
    edge = max(_AT_EDGE, 2 * tolerance, _AT_REST * error)
    candidates = [
        *_tasks(problem, wish, residual, errors, matrix, edge),
        *_limits(problem.figure, outcome.q, max(_AT_STOP, _AT_REST * error)),
        *_still(problem),
    ]
    balance = _Balance.of(pull, candidates)
    size, left = to_rate * float(np.linalg.norm(pull)), to_rate * balance.left
    at_rest = outcome.status in ("solved", "stationary") and left <= _ROUGH
    if left > 0.5 * size and not at_rest:
        return Obstruction(is_unfinished=True, unrest=left)
    least = max(_FELT, _MATTERS * error, left)
    found: list[Blocker] = []
    for i, multiplier in enumerate(balance.needed()):
        rate, each = to_rate * multiplier, candidates[i]
        felt = rate > least
        if each.kind in ("task", "beside"):
            # At a nearly singular posture multipliers may be great, and yet hold next to nothing.
            felt &= rate > _FELT_TASK and to_rate * balance.freed(candidates, [i]) > least
        if felt:
            found.append(Blocker(each.kind, each.name, rate))
    found.sort(key=lambda each: -each.rate)
    if not found:
        found = _together(candidates, balance, least / to_rate)
    if found:
        return Obstruction(_ranked(found, problem), unrest=left)
    return Obstruction(is_out_of_reach=at_rest, is_unfinished=not at_rest, unrest=left)


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
    problem: Problem, wish: Wish, residual: Values, errors: Values, matrix: Values, edge: float
) -> Iterator[_Candidate]:
    """Tasks above, whose rows stay as they are, and those beside, which pull as they do."""
    none = matrix[:0]
    inequality = problem.blocks.inequality == 1
    starts, weights = problem.blocks.block[:, ROW], problem.blocks.factor[:, WEIGHT]
    weight = np.repeat(weights, np.diff(starts))
    for i, other in enumerate(problem.wishes):
        if other is wish or other.priority > wish.priority:
            continue
        span = _span(problem, i)
        A, e, ends = matrix[span], residual[span], inequality[span]
        if other.priority == wish.priority:
            pull, size = A.T @ errors[span], float(np.linalg.norm(errors[span]))
            if size > 0:
                yield _Candidate("beside", other.name, none, pull[None, :] / size)
            continue
        A = A / weight[span, None]  # metres, whatever its weight
        # An inequality that holds with room to spare pushes nothing; at its edge it pushes one
        # way, against a pull that would lower it.
        either = A[~ends | (e < -edge)]
        yield _Candidate("task", other.name, either, -A[ends & (np.abs(e) <= edge)])


def _still(problem: Problem) -> Iterator[_Candidate]:
    """What may not move: locked, or not among the joints that tasks may move."""
    axes = np.eye(problem.figure.n)
    for name, span, is_locked in problem.still:
        yield _Candidate("lock" if is_locked else "unused", name, axes[span], axes[:0])


def _limits(figure: Figure, q: Values, near: float) -> Iterator[_Candidate]:
    """Limits and couplings that are reached, by the directions that lead out of them."""
    none = np.zeros((0, q.size))
    for i, name in enumerate(figure.coordinates):
        axis = np.zeros((1, q.size))
        axis[0, i] = 1.0
        sides = [
            side
            for side, room in ((1.0, figure.upper[i] - q[i]), (-1.0, q[i] - figure.lower[i]))
            if room <= near
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
        count = kernel.bounds.write_rows(tree, part, q, near, state, rows)
        matrix, (lower, upper) = rows.matrix[:count].copy(), rows.box[:, :count]
        outward = np.concatenate([matrix[upper <= near], -matrix[lower >= -near]])
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


@dataclass(frozen=True)
class _Balance:
    """Forces of candidates that balance a pull as well as they can."""

    pull: Values
    left: float
    """The norm of what they cannot balance."""
    forces: list[Values]
    """(n,) what each pushes with, in one of the possible ways."""
    either: Values
    one_way: Values
    owners: tuple[NDArray[np.int64], NDArray[np.int64]]
    """To which candidate each row of both belongs."""
    multipliers: tuple[Values, Values]

    @classmethod
    def of(cls, pull: Values, candidates: Sequence[_Candidate]) -> _Balance:
        """Least squares with non-negative multipliers for what pushes one way.

        Forces of any sign are taken out first, by projecting on what is orthogonal to them.
        """
        from scipy.optimize import nnls

        none = np.zeros((0, pull.size))
        either = np.concatenate([none, *(each.either for each in candidates)])
        one_way = np.concatenate([none, *(each.one_way for each in candidates)])
        basis = _basis(either)
        rest = pull - basis @ (basis.T @ pull)
        pushing = one_way - one_way @ basis @ basis.T
        along, left = np.zeros(len(one_way)), float(np.linalg.norm(rest))
        if len(pushing) and left > 0:
            along, left = nnls(pushing.T, -rest)
        free = np.zeros(0)
        if len(either):
            free = np.asarray(np.linalg.lstsq(either.T, -(pull + one_way.T @ along))[0], np.float64)
        owners = (
            np.repeat(np.arange(len(candidates)), [len(each.either) for each in candidates]),
            np.repeat(np.arange(len(candidates)), [len(each.one_way) for each in candidates]),
        )
        forces = [
            either[owners[0] == i].T @ free[owners[0] == i]
            + one_way[owners[1] == i].T @ along[owners[1] == i]
            for i in range(len(candidates))
        ]
        return cls(pull, float(left), forces, either, one_way, owners, (free, along))

    def freed(self, candidates: Sequence[_Candidate], gone: Sequence[int]) -> float:
        """The pull that is left, more than before, without some of the candidates."""
        kept = [each for i, each in enumerate(candidates) if i not in gone]
        left = _Balance.of(self.pull, kept).left
        return float(np.sqrt(max(left**2 - self.left**2, 0.0)))

    def needed(self) -> list[float]:
        """The least sum of multipliers that each candidate has in any balance as good."""
        rows = np.concatenate([self.either, self.one_way])
        count = len(self.forces)
        free, along = self.multipliers
        found = np.zeros(count)
        np.add.at(found, self.owners[0], np.abs(free))
        np.add.at(found, self.owners[1], along)
        basis = _basis(rows)
        if basis.shape[1] == len(rows):  # independent: there is no other balance
            return found.tolist()
        from scipy.optimize import linprog

        columns = basis.T @ np.concatenate([self.either, -self.either, self.one_way]).T
        force = basis.T @ np.sum(self.forces, axis=0)
        owner = np.concatenate([self.owners[0], self.owners[0], self.owners[1]])
        for i in np.flatnonzero(found > 1e-12 * found.max(initial=0.0)):
            least = linprog((owner == i).astype(float), A_eq=columns, b_eq=force)
            found[i] = float(least.fun) if least.success else 0.0
        return found.tolist()


def _together(candidates: Sequence[_Candidate], balance: _Balance, least: float) -> list[Blocker]:
    """A smallest set of candidates without which a pull is left, where no single one matters."""
    gone: list[int] = []
    while balance.freed(candidates, gone) <= least:
        kept = [i for i in range(len(candidates)) if i not in gone]
        forces = _Balance.of(balance.pull, [candidates[i] for i in kept]).forces
        sizes = [float(np.linalg.norm(each)) for each in forces]
        if max(sizes, default=0.0) <= least:
            return []
        gone.append(kept[int(np.argmax(sizes))])
    for i in list(gone):
        fewer = [each for each in gone if each != i]
        if balance.freed(candidates, fewer) > least:
            gone = fewer
    names = [candidates[i].name for i in gone]
    return [
        Blocker(candidates[i].kind, name, 0.0, tuple(each for each in names if each != name))
        for i, name in zip(gone, names, strict=True)
    ]


def _basis(rows: Values) -> Values:
    """An orthonormal basis (n, r) of the space that rows span."""
    if not len(rows):
        return np.zeros((rows.shape[1], 0))
    _, sizes, basis = np.linalg.svd(rows, full_matrices=False)
    # Metres and radians: a row of 1e-9 is rounding, however small the others are.
    return basis[sizes > 1e-9 * max(1.0, float(sizes[0]))].T
