"""What keeps a task from being met: limits at their stops, other tasks, locks.

At a posture where a solver has come to rest, the pull of an unmet task, Aᵀe with its rows A and
errors e, is balanced by what is in its way: Aᵀe + Σ λ·rows above + Σ μ·limits = 0, with
multipliers μ ≥ 0 of limits and inequalities, which push one way only, and λ of any sign for rows
that are to stay as they are. A multiplier says how fast the error falls where its row gives way,
μ/|e| (the envelope theorem). Where rows depend on each other several sets of multipliers balance
the pull; then the error falls as the least multiplier says that one of them has, and what the
others can do without is not named. Where each of several can be done without, because everything
is held twice, they are named together. `blocking_forces` finds the multipliers; what all tasks of
a solution have in common, rows and limits, is found once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.closed import closed
from poise.figure import Figure
from poise.figure.collision import FLOOR, parts_of
from poise.figure.naming import movable
from poise.kernel.contacts.bodies import Kept
from poise.kernel.limits.bounds import FIRST, LOWER, UPPER
from poise.kernel.residuals.avoid import BLOCK
from poise.kernel.residuals.blocks import KIND, ROW, START, WEIGHT
from poise.kernel.residuals.kinds import AVOID
from poise.scene.blocking_forces import Balance, Rows
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish
from poise.solvers.recruiting import involvement

Values = NDArray[np.float64]
Kind = Literal["limit", "task", "beside", "lock", "unused", "others"]

_WORDS: dict[Kind, str] = {
    "limit": "at its stop",
    "task": "which comes before it",
    "beside": "beside it",
    "lock": "locked",
    "unused": "not among the joints that tasks may move",
    "others": "not among the joints that it may move",
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
_TOUCHING = 3
"""Of bodies that touch so many pairs are told."""
_IDLE = 1e-6
"""What leaves less than this share of its rate to be gained, when it goes, held nothing."""
_ROUGH = 0.15
"""So fast (m/rad) an error may still fall where a solver says that it is at rest."""


@closed
@dataclass(frozen=True)
class Blocker:
    """Something in a task's way."""

    kind: Kind
    """A limit at its stop, a task above, one of the same priority, a locked joint, one that no task
    may move, or one that this task may not."""
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
    touching: tuple[str, ...] = ()
    """Of a task that keeps bodies apart: those that touch, like "right_forearm on table"."""

    def __str__(self) -> str:
        """Like "right_elbow.flexion at its stop"; "pelvis (priority 2), which comes before it"."""
        if self.touching:
            more = len(self.touching) - _TOUCHING
            rest = f" and {more} more" if more > 0 else ""
            rank = f", priority {self.priority}" if self.kind == "task" else ""
            return f"{', '.join(self.touching[:_TOUCHING])}{rest} ({self.name}{rank})"
        also = f", together with {', '.join(self.along)}" if self.along else ""
        rank = f" (priority {self.priority})," if self.kind == "task" else ""
        return f"{self.name}{rank} {_WORDS[self.kind]}{also}"


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
    """The solver stopped while the error could still be lowered; False where none was at work."""
    unrest: float = 0.0
    """How fast the error could still fall in that posture (m/rad), to first order; a
    blocker with a lower rate than this is not named."""


class _Limits(NamedTuple):
    """Limits and couplings that are near, as rows that have an upper and a lower end."""

    names: list[str]
    matrix: Values  # (k, n)
    to_upper: Values  # (k,) how far away each end is, rad or m
    to_lower: Values
    owner: NDArray[np.int64]  # (k,) into the names


@dataclass(frozen=True, eq=False)
class Obstructions:
    """Why the unmet tasks of a solution are not met better; each is found when it is asked for."""

    problem: Problem
    """With the targets that were solved for."""
    outcome: Outcome
    """What the solver found."""
    tolerance: float
    """To which it was solved (m)."""

    def of(self, index: int) -> Obstruction:
        """Why one of the problem's wishes, by its place among them, is not met better."""
        if not self._is_off(index):
            return Obstruction()
        pull, to_rate, error = self._pull(index), self._to_rate(index), float(self._sizes[index])
        rows = self._pushing(index, error)
        balance = Balance(pull, rows)
        size, left = to_rate * float(np.linalg.norm(pull)), to_rate * balance.left
        was_solved = self.outcome.method != ""
        at_rest = self.outcome.status in ("solved", "stationary") and left <= _ROUGH
        if left > 0.5 * size and not at_rest:
            return Obstruction(is_unfinished=was_solved, unrest=left)
        least = max(_FELT, _MATTERS * error, left)
        found = self._alone(index, balance, to_rate, least)
        if not found:
            found = self._together(index, balance, least / to_rate)
        if found:
            return Obstruction(tuple(found), unrest=left)
        return Obstruction(
            is_out_of_reach=at_rest, is_unfinished=was_solved and not at_rest, unrest=left
        )

    def _alone(self, index: int, balance: Balance, to_rate: float, least: float) -> list[Blocker]:
        """What is in the way by itself, the most important first."""
        found: list[Blocker] = []
        rates = to_rate * balance.multipliers(self._owners(index))
        for owner in np.flatnonzero(rates > least).tolist():  # none needs more than it has
            is_task = owner < len(self.problem.wishes)
            enough = max(least, _FELT_TASK) if is_task else least
            rate, is_undecided = float(rates[owner]), owner in balance.undecided
            if rate > enough and is_undecided:
                rate = min(rate, to_rate * balance.needed(owner))
            if rate > enough and (is_task or is_undecided):
                # At a nearly singular posture multipliers may be great, and yet hold next to
                # nothing; or others may do without, though only with far greater ones.
                freed = to_rate * balance.freed(owner)
                rate = rate if freed > (least if is_task else _IDLE * rate) else 0.0
            if rate > enough:
                found.append(self._blocker(owner, index, rate))
        return sorted(found, key=lambda each: -each.rate)

    def _together(self, index: int, balance: Balance, least: float) -> list[Blocker]:
        """A smallest set of owners without which a pull is left, where no single one matters."""
        pull, rows, enough = balance.pull, balance.rows, float(np.hypot(balance.left, least))
        gone: list[int] = []
        while balance.left <= enough:
            forces = balance.forces(self._owners(index))
            if forces.max(initial=0.0) <= least:
                return []
            gone.append(int(np.argmax(forces)))
            balance = Balance(pull, rows.without(gone))
        for owner in list(gone):
            fewer = [each for each in gone if each != owner]
            if Balance(pull, rows.without(fewer)).left > enough:
                gone = fewer
        found = [self._blocker(owner, index, 0.0) for owner in gone]
        return [
            replace(each, along=tuple(other.name for other in found if other.name != each.name))
            for each in found
        ]

    def _blocker(self, owner: int, index: int, rate: float) -> Blocker:
        """An owner of rows, seen from a wish: other wishes come first, then limits, then locks."""
        wishes, limits = self.problem.wishes, self._limits.names
        if owner < len(wishes):
            other = wishes[owner]
            kind = "beside" if self._is_beside(other, wishes[index]) else "task"
            touching = tuple(self._touching(owner))
            return Blocker(kind, other.name, rate, priority=other.priority, touching=touching)
        owner -= len(wishes)
        if owner < len(limits):
            return Blocker("limit", limits[owner], rate)
        owner -= len(limits)
        if owner < len(self.problem.still):
            name, _, is_locked = self.problem.still[owner]
            return Blocker("lock" if is_locked else "unused", name, rate)
        name, _ = self._others(index)[owner - len(self.problem.still)]
        return Blocker("others", name, rate)

    def _touching(self, index: int) -> list[str]:
        """The pairs of bodies that touch, of a wish that keeps them apart; feet on the floor last.

        Of two bodies with several shapes one pair is told.
        """
        problem, span = self.problem, self._spans[index]
        first = problem.spans[index].start
        if problem.blocks.block[first, KIND] != AVOID:
            return []
        residual, _, kept = self._evaluated
        bodies, parts = problem.blocks.bodies, parts_of(problem.figure)
        number = int(problem.blocks.values[problem.blocks.block[first, START] + BLOCK])
        slots = bodies.first_slot[number] + np.arange(span.stop - span.start)
        edge = max(_AT_EDGE, 2 * self.tolerance)
        near = slots[(residual[span] <= edge) & (kept.pair[slots] >= 0)]
        found: dict[str, bool] = {}
        for pair in bodies.pairs.pair[kept.pair[near]].tolist():
            one, other = (parts[i].segment for i in pair)
            found[f"{one} on {other}"] = other == FLOOR
        return sorted(found, key=lambda each: found[each])

    def _owners(self, index: int) -> int:
        still = len(self.problem.still) + len(self._others(index))
        return len(self.problem.wishes) + len(self._limits.names) + still

    def _others(self, index: int) -> list[tuple[str, NDArray[np.int64]]]:
        """What may move, though not for the sake of a wish: limbs or joints, their coordinates."""
        problem, wish = self.problem, self.problem.wishes[index]
        if wish.joints is None:
            return []
        figure = problem.figure
        idle = (involvement(figure, wish.joints) == 0) & (problem.metric > 0)
        found: list[tuple[str, NDArray[np.int64]]] = []
        for name in [*figure.limbs, *movable(figure), *figure.coordinates]:
            own = figure.indices(name)
            if own.size and idle[own].all():
                found.append((name, own))
                idle[own] = False
        return found

    def _pushing(self, index: int, error: float) -> Rows:
        """What may push against the pull of a wish.

        Tasks above, whose rows stay as they are, and those beside, which pull as they do; limits
        that are reached; what may not move. An inequality that holds with room to spare pushes
        nothing; at its edge it pushes one way, against a pull that would lower it.
        """
        problem, (residual, matrix) = self.problem, self._rows
        edge = max(_AT_EDGE, 2 * self.tolerance, _AT_REST * error)
        wishes, own = problem.wishes, problem.wishes[index]
        levels = [i for i, wish in enumerate(wishes) if self._is_beside(wish, own)]
        above = slice(0, self._spans[levels[0]].start)
        e, ends = residual[above], problem.blocks.inequality[above] == 1
        A = matrix[above] / self._weights[above, None]  # metres, whatever their weight
        either, edges = ~ends | (e < -edge), ends & (np.abs(e) <= edge)
        owner = self._row_owner[above]
        beside = [i for i in levels if i != index and self._is_off(i)]
        pulls = [self._to_rate(i) * self._pull(i)[None, :] for i in beside]  # for each metre
        stops, near = self._limits, max(_AT_STOP, _AT_REST * error)
        over, under = stops.to_upper <= near, stops.to_lower <= near
        both, over, under = over & under, over & ~under, under & ~over
        stop_owner = len(wishes) + stops.owner
        held, held_owner = self._held(index)
        return Rows(
            either=np.concatenate([A[either], stops.matrix[both]]),
            one_way=np.concatenate([-A[edges], *pulls, stops.matrix[over], -stops.matrix[under]]),
            held=held,
            owner=np.concatenate([owner[either], stop_owner[both], held_owner]),
            one_way_owner=np.concatenate(
                [owner[edges], np.array(beside, np.int64), stop_owner[over], stop_owner[under]]
            ),
        )

    def _is_beside(self, wish: Wish, other: Wish) -> bool:
        """Whether two wishes are of one level, and traded by weight."""
        figure = self.problem.figure
        return wish.priority == other.priority and np.array_equal(
            involvement(figure, wish.joints), involvement(figure, other.joints)
        )

    def _is_off(self, index: int) -> bool:
        """Whether a wish has any error."""
        return bool(self._errors[self._spans[index]].any())

    def _pull(self, index: int) -> Values:
        """How a wish pulls: the slope of half the square of its weighted errors."""
        span = self._spans[index]
        return self._rows[1][span].T @ self._errors[span]

    def _to_rate(self, index: int) -> float:
        """From half the weighted square of a wish's errors to its error (m), weights taken out."""
        errors = self._errors[self._spans[index]]
        return float(self._sizes[index]) / float(errors @ errors)

    @property
    def _rows(self) -> tuple[Values, Values]:
        """The residuals of all rows and their Jacobian."""
        return self._evaluated[:2]

    @cached_property
    def _evaluated(self) -> tuple[Values, Values, Kept]:
        """The residuals of all rows, their Jacobian, and which bodies the rows are of."""
        problem, q = self.problem, self.outcome.q
        tree = problem.figure.packed.tree
        state = kernel.body.tree.state(tree)
        scratch = kernel.residuals.blocks.make_scratch(problem.blocks, q.size, problem.corners)
        rows = problem.blocks.inequality.size
        residual, matrix = np.zeros(rows), np.zeros((rows, q.size))
        kernel.body.kinematics.place(tree, q, state)
        kernel.body.kinematics.differentiate(tree, state)
        kernel.residuals.evaluation.evaluate(
            tree, problem.blocks, state, scratch, residual, matrix, True
        )
        return residual, matrix, scratch.kept

    @cached_property
    def _errors(self) -> Values:
        """The residuals, but 0 for inequalities that hold."""
        residual, _ = self._rows
        return np.where(self.problem.blocks.inequality == 1, np.minimum(residual, 0.0), residual)

    @cached_property
    def _sizes(self) -> Values:
        """The error (m) of each wish, weights taken out."""
        blocks = self.problem.sizes(self._rows[0])
        spans = self.problem.spans
        return np.array([np.linalg.norm(blocks[span]) for span in spans], np.float64)

    @cached_property
    def _spans(self) -> list[slice]:
        """The rows of each wish."""
        rows = self.problem.blocks.block[:, ROW].tolist()
        return [slice(rows[span.start], rows[span.stop]) for span in self.problem.spans]

    @cached_property
    def _weights(self) -> Values:
        """The weight of each row."""
        blocks = self.problem.blocks
        return np.repeat(blocks.factor[:, WEIGHT], np.diff(blocks.block[:, ROW]))

    @cached_property
    def _row_owner(self) -> NDArray[np.int64]:
        """Whose each row of a wish is."""
        counts = [span.stop - span.start for span in self._spans]
        return np.repeat(np.arange(len(counts)), counts)

    def _held(self, index: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Coordinates that may not move for a wish, and by whom they are held."""
        still = [span for _, span, _ in self.problem.still]
        still += [span for _, span in self._others(index)]
        first = len(self.problem.wishes) + len(self._limits.names)
        every = np.arange(self.problem.figure.n)
        held = [every[span] for span in still]
        owner = np.repeat(np.arange(first, first + len(still)), [each.size for each in held])
        return np.concatenate([every[:0], *held]), owner

    @cached_property
    def _limits(self) -> _Limits:
        """Limits and couplings as near as any of the unmet tasks may ask for."""
        near = max(_AT_STOP, _AT_REST * float(self._sizes.max(initial=0.0)))
        return _near_limits(self.problem.figure, self.outcome.q, near)


def _near_limits(figure: Figure, q: Values, near: float) -> _Limits:
    """The limits within a distance: boxes of coordinates, couplings, members, swings and twists."""
    bounds, tree = figure.bounds, figure.packed.tree
    state, rows = kernel.body.tree.state(tree), kernel.limits.bounds.make_rows(bounds, q.size)
    kernel.limits.bounds.violation(tree, bounds, q, state)  # it finds the members' values, too
    count = kernel.limits.bounds.write_rows(tree, bounds, q, near, state, rows)
    boxed, values = bounds.boxed_member, state.member
    low, high = bounds.member_box[:, boxed] - values[boxed]
    coordinates, members = (
        len(figure.coordinates),
        [each for joint in figure.joints.values() for each in joint.coordinates],
    )
    names = [
        *figure.coordinates,
        *(coupling.name for coupling in figure.couplings.values()),
        *(members[i] for i in boxed),
        *(members[i].partition(".")[0] for i in bounds.joint[:, FIRST]),
    ]
    couplings = coordinates + len(figure.couplings)
    of_joints = rows.origin[:count, 0]
    owner = np.concatenate(
        [
            np.arange(couplings),
            couplings + np.flatnonzero(np.minimum(-low, high) <= near),  # as `write_rows` chooses
            couplings + boxed.size + of_joints[of_joints >= 0],
        ]
    )
    return _Limits(
        names,
        np.concatenate([np.eye(coordinates), rows.matrix[:count]]),
        np.concatenate([figure.upper - q, rows.box[UPPER, :count]]),
        np.concatenate([q - figure.lower, -rows.box[LOWER, :count]]),
        owner,
    )
