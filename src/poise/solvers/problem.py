"""A problem as solvers take it: tasks of a figure packed into flat arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import Figure, Posture
from poise.figure.naming import movable
from poise.kernel.residuals import natural
from poise.kernel.residuals.blocks import END, ROW, START, WEIGHT, Blocks
from poise.kernel.tracing import Trace, make_trace
from poise.solvers.bodies import pack_bodies
from poise.solvers.criteria import Without, pack_criteria
from poise.solvers.recruiting import Joints, in_levels, involvement, recruited
from poise.statics.acting import Acting
from poise.tasks.custom import reconnect
from poise.tasks.task import (
    Block,
    Context,
    Criterion,
    Error,
    Numbers,
    PosturePrior,
    StanceBlock,
    Task,
)

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Wish:
    """A task with what a scene says of it."""

    name: str
    task: Task
    priority: int
    weight: float = 1.0
    joints: Joints | None = None
    """What the task may move for its own sake; None for everything."""
    metres_per_radian: float = 0.5

    def with_task(self, task: Task) -> Self:
        """The same of another task; a motion asks for thousands, and `replace` takes long."""
        other = object.__new__(type(self))
        state = other.__dict__
        state.update(self.__dict__)
        state["task"] = task
        return other


@dataclass(slots=True)
class Left:
    """What the last solve of a problem has left, for a solve that goes on from it."""

    method: object
    """By which it was solved, with its options."""
    q: bytes
    """The coordinates that it found."""
    values: Values
    """The targets: a copy of `Blocks.values`."""
    step: Values | None
    """(n,) the last step of the motion, where the method asks for it."""
    is_from_elsewhere: bool = False
    """Whether the coordinates are those of another start: what the method knows is not of them."""


class Stances(NamedTuple):
    """The block of how one person holds itself: one Gaussian of several, by its values."""

    start: int
    """Where in `Blocks.values` its numbers begin."""
    node: int
    choices: tuple[StanceBlock, ...]
    """The favoured one first."""

    @property
    def first_coordinate(self) -> int:
        """The first of the coordinates that it is about."""
        return int(self.choices[0].values[natural.FIRST])


@dataclass
class Problem:
    """Everything that a solver needs, and the way back from its rows to the tasks."""

    figure: Figure
    wishes: list[Wish]
    """In the order of their rows: by level, then as they came."""
    blocks: Blocks
    recruited: Values
    """(L, n) how readily each coordinate moves for the sake of a level: 1 like any other, 0 not at
    all."""
    level_priorities: list[int]
    """The priority of each level of tasks; several may have the same, see `recruiting`."""
    metric: Values
    """(n,) how willingly each coordinate moves: 1 freely, 0 not at all."""
    rest: Values
    """(n,) where the criteria draw the coordinates."""
    pull: Values
    """(n,) how strongly, 0 … 1: ½ p (q − r)²."""
    zone_lower: Values
    """(n,) between which ends the coordinates are at ease, −inf where there is none …"""
    zone_upper: Values
    """(n,) … and the other end, +inf where there is none."""
    zone_strength: Values
    """(n,) how strongly they are drawn back, 0 … 1: ½ s (q − end)². At most 1 with `pull`."""
    corners: int
    """Corners of all supports."""
    supports: list[str]
    """Sites that tasks hold like soles."""
    spans: list[slice]
    """The blocks of each wish."""
    units: list[str]
    """The unit of each block: "m", "rad" or "N·m"."""
    metres_per_unit: list[float]
    """What the rows of each block have been multiplied with, besides metres per radian."""
    targets: list[list[int]]
    """For each wish, where in `blocks.values` each of its task's `goals` stands."""
    chords: list[bool]
    """Whether each block's angle is measured as a chord of the unit circle, not as an arc."""
    kept: list[Any]
    """What must live as long as the blocks, which have its address."""
    still: list[tuple[str, NDArray[np.int64], bool]]
    """What may not move: its name and coordinates, and whether it is locked, or no task's."""
    acting: Acting = field(default_factory=Acting)
    """The forces on the figures."""
    stances: list[Stances] = field(default_factory=list[Stances])
    """Of each person that is to hold itself as people do."""
    with_rows: tuple[str, ...] = ()
    """The criteria that cannot do without rows, as errors call them; without the scene's own."""
    without: Without | None = None
    """Without the criteria that the scene has added; None where it has added nothing by itself."""
    tightest: Without | None = None
    """With the tightest of zones that have something in common; None where these need no rows."""
    scratch: dict[str, Any] = field(default_factory=dict[str, Any], init=False)
    """What a solver keeps between solves of this problem."""
    left: Left | None = field(default=None, init=False)
    """What the last solve has left; None where the next must begin from nothing."""

    def plain(self) -> Problem:
        """The problem without rows that criteria can do without; its targets are the same.

        The criteria that the scene has added are left out. Of zones that several criteria have of
        one coordinate the tightest counts.
        """
        without = self.without or self.tightest
        if without is None:
            return self
        if "plain" not in self.scratch:
            count, springs = without
            block, values, factor, inequality, level, bodies = self.blocks
            row, start = block[count, [ROW, START]].tolist()
            table = np.concatenate([block[:count], [(END, 0, -1, row, 0, start)]])
            levels = np.append(level[level < row], row)
            own = values[:start], factor[:count], inequality[:row]
            blocks = Blocks(table, *own, levels, bodies)
            names = ("rest", "pull", "zone_lower", "zone_upper", "zone_strength")
            plain = replace(
                self,
                blocks=blocks,
                recruited=self.recruited[: levels.size - 1],
                units=self.units[:count],
                metres_per_unit=self.metres_per_unit[:count],
                chords=self.chords[:count],
                stances=[],
                without=None,
                tightest=None,
                **dict(zip(names, springs, strict=True)),
            )
            plain.trace_iterations(len(self.trace.rows))
            self.scratch["plain"] = plain
        found: Problem = self.scratch["plain"]
        return found

    @cached_property
    def costs(self) -> tuple[str, ...]:
        """What a person should know of the time that tasks take; their targets do not matter."""
        return tuple(note for wish in self.wishes for note in wish.task.cost(self.figure))

    @property
    def has_criteria(self) -> bool:
        """Whether criteria draw a coordinate that may move, without rows of their own."""
        return bool(np.any((self.pull + self.zone_strength) * self.metric != 0))

    @property
    def is_restricted(self) -> bool:
        """Whether a task may not move, for its own sake, something that another one may."""
        return bool(((self.recruited != 1) & (self.metric > 0)).any())

    @property
    def priorities(self) -> list[int]:
        """The priorities that there are, the most important first."""
        return list(dict.fromkeys(wish.priority for wish in self.wishes))

    @property
    def one_sided(self) -> list[Wish]:
        """The wishes some of whose rows are inequalities."""
        rows, inequality = self.blocks.block[:, ROW], self.blocks.inequality
        return [
            wish
            for wish, span in zip(self.wishes, self.spans, strict=True)
            if inequality[rows[span.start] : rows[span.stop]].any()
        ]

    def __getstate__(self) -> dict[str, Any]:
        """All but the scratch, which has addresses of this process and of this object's arrays."""
        return {**self.__dict__, "scratch": {}, "left": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """As it was, with the addresses of functions in this process."""
        vars(self).update(state)
        if self.kept:
            reconnect(self.blocks, self.kept)

    @cached_property
    def has_criteria_rows(self) -> bool:
        """Whether criteria have rows, on a level after all tasks."""
        return bool(self.units) and (not self.spans or self.spans[-1].stop < len(self.units))

    @property
    def trace(self) -> Trace:
        """Where solvers note their iterations: nowhere, unless `trace_iterations` made room."""
        if "trace" not in self.scratch:
            self.scratch["trace"] = make_trace(self.blocks, 0)
        trace: Trace = self.scratch["trace"]
        return trace

    def trace_iterations(self, most: int) -> Trace:
        """Make room for so many iterations of the solves to come, which begin from nothing."""
        self.scratch = {"trace": make_trace(self.blocks, most)}
        self.left = None
        return self.trace

    def aim(self, wish: int, goals: Sequence[Numbers]) -> None:
        """Give a wish another target; nothing else changes."""
        values, starts = self.blocks.values, self.targets[wish]
        if len(goals) != len(starts):
            raise PoiseError(f"wish {wish} has {len(starts)} goals, not {len(goals)}")
        for start, goal in zip(starts, goals):  # noqa: B905  # as many, and asking again takes long
            values[start : start + len(goal)] = goal

    def retarget(self, wish: int, task: Task) -> None:
        """Give a wish its task with another target; twins that were made before keep theirs."""
        self.aim(wish, task.goals())
        wishes = self.wishes.copy()
        wishes[wish] = wishes[wish].with_task(task)
        self.wishes = wishes

    def twin(self) -> Problem:
        """The same problem with targets and scratch of its own: for another thread, or to keep.

        A loop keeps one for each solution, and `replace` would take longer than the solve.
        """
        block, values, factor, inequality, level, bodies = self.blocks
        state = vars(self).copy()
        state["blocks"] = Blocks(block, values.copy(), factor, inequality, level, bodies)
        state["scratch"], state["left"] = {}, None
        twin = object.__new__(type(self))
        twin.__dict__ = state
        return twin

    def sizes(self, residual: Values) -> Values:
        """The size (m) of every block's error, from the rows of a residual (…, R): (…, B).

        Weights are taken out. Inequalities that hold count nothing.
        """
        rows = self.blocks.block[:, ROW]
        e = np.where(self.blocks.inequality == 1, np.minimum(residual, 0.0), residual)
        return np.sqrt(_in_groups(np.add, e * e, rows)) / self.blocks.factor[:, WEIGHT]

    def met(self, sizes: Values, tolerance: float) -> NDArray[np.bool_]:
        """Which wishes are met to a tolerance (m), from the sizes of the blocks: (…, wishes)."""
        # The hair is for a solver that sums in another order.
        small = sizes <= tolerance * (1 + 1e-9)
        return _in_groups(np.logical_and, small, np.array([0, *(s.stop for s in self.spans)]))

    def measured(self, sizes: Values) -> Values:
        """The blocks' errors in their units, metres or radians, from their sizes (…, B)."""
        result = sizes.copy()
        for wish, span in zip(self.wishes, self.spans, strict=True):
            for b in range(span.start, span.stop):
                result[..., b] /= self.metres_per_unit[b]
                if self.units[b] != "rad":
                    continue
                result[..., b] /= wish.metres_per_radian
                if self.chords[b]:
                    result[..., b] = 2 * np.arcsin(np.minimum(0.5 * result[..., b], 1.0))
        return result

    def errors(self, residual: Values) -> list[list[Error]]:
        """The errors of each wish, from the rows of a residual (R,)."""
        values = self.measured(self.sizes(residual)).tolist()
        errors = [Error(value, unit) for value, unit in zip(values, self.units, strict=True)]
        return [errors[span] for span in self.spans]

    def least_extent(self) -> float:
        """The longest chain (m) of the smallest figure: the way from its root, joint by joint."""
        tree = self.figure.packed.tree
        steps = np.linalg.norm(tree.fixed_position, axis=1)
        root, way = np.zeros(steps.size, np.int64), np.zeros(steps.size)
        for i, parent in enumerate(tree.parent.tolist()):
            root[i] = root[parent] if parent > 0 else i
            way[i] = way[parent] + steps[i] if parent > 0 else 0.0
        chains = [float(way[root == each].max()) for each in np.unique(root[1:])]
        return min((each for each in chains if each > 0.0), default=0.0)

    def task_levels(self, residual: Values, tolerance: float) -> Values:
        """The size (m) of every level of tasks, not of criteria; of one that is met, the tolerance.

        By these results are compared: noise of what is met must not decide.
        """
        return np.maximum(self.levels(residual)[: len(self.level_priorities)], tolerance)

    def by_priority(self, sizes: Values) -> Values:
        """The size of every priority (…, priorities), from those of its levels (…, levels)."""
        own = np.array(self.level_priorities, np.int64)
        squares = sizes[..., : own.size] ** 2
        each = [squares[..., own == priority].sum(axis=-1) for priority in self.priorities]
        return np.sqrt(np.stack(each, axis=-1)) if each else squares[..., :0]

    def levels(self, residual: Values) -> Values:
        """The size (m) of every level, weights included: what is compared lexicographically."""
        e = np.where(self.blocks.inequality == 1, np.minimum(residual, 0.0), residual)
        level = self.blocks.level
        return np.sqrt(np.array([e[a:b] @ e[a:b] for a, b in pairwise(level)], np.float64))


def _in_groups(together: np.ufunc, values: NDArray[Any], ends: NDArray[np.int64]) -> NDArray[Any]:
    """What comes of values (…, m) by groups (…, g), the i-th from ends[i] to ends[i + 1]."""
    starts = ends[:-1]
    if (starts < ends[1:]).all():
        return together.reduceat(values[..., : ends[-1]], starts, axis=-1)
    # With a group of none, of which `reduceat` would take what comes next.
    groups = [together.reduce(values[..., a:b], axis=-1) for a, b in pairwise(ends.tolist())]
    return np.stack(groups, axis=-1)


def pack(
    figure: Figure,
    posture: Posture,
    wishes: Sequence[Wish],
    criteria: Sequence[tuple[Criterion, float]] = (),
    parts: Mapping[str, tuple[Figure, slice]] | None = None,
    acting: Acting | None = None,
    priors: Mapping[str, PosturePrior] | None = None,
    usual: Sequence[tuple[Criterion, float]] = (),
) -> Problem:
    """Pack tasks, the most important first.

    All criteria are one sum ½ Σ w h after them, each with its weight. Where some have rows of their
    own, or several have zones of one coordinate that differ, springs and zones become rows of the
    same level; elsewhere they need none.

    Args:
        figure: what is posed.
        posture: where it is now; targets that are open are taken from there.
        wishes: tasks with priorities and weights.
        criteria: what to do with the freedom that is left, with weights.
        parts: of a figure that was merged from several, each with its part of q.
        acting: forces on the figure.
        priors: how likely the postures of figures are, by the names of `parts`.
        usual: criteria with rows that are added to the others, with weights, and that methods which
            take no rows leave out.
    """
    forces = acting or Acting()
    places = figure.place(posture)
    context = Context(
        figure, posture, places, parts=parts or {}, acting=forces, priors=priors or {}
    )
    in_order = in_levels(figure, wishes)
    ordered = [
        replace(wish, task=wish.task.resolved(context)) for level in in_order for wish in level
    ]
    context = context.with_held(wish.task for wish in ordered)
    packed: list[tuple[Wish, Block]] = []
    spans: list[slice] = []
    for wish in ordered:
        blocks = wish.task.blocks(replace(context, metres_per_radian=wish.metres_per_radian))
        spans.append(slice(len(packed), len(packed) + len(blocks)))
        packed += [(wish, block) for block in blocks]
    last = ordered[-1].priority + 1 if ordered else 1
    metric = _metric(figure, ordered)
    own = pack_criteria(context, criteria, usual, metric > 0, after=len(packed))
    packed += [(Wish("", Task(), last, weight), block) for block, weight in own.blocks]
    bodies = pack_bodies(figure, posture, [block for _, block in packed])
    rows = np.cumsum([0, *(block.rows for _, block in packed)], dtype=np.int64)
    starts = np.cumsum([0, *(block.values.size for _, block in packed)], dtype=np.int64)
    ranks = [i for i, level in enumerate(in_order) for _ in level]
    level_of = [rank for rank, span in zip(ranks, spans, strict=True) for _ in packed[span]]
    level_of += [len(in_order)] * (len(packed) - len(level_of))
    return Problem(
        figure,
        ordered,
        _blocks(packed, rows, starts, level_of)._replace(bodies=bodies),
        _recruited_by_level(figure, in_order, level_of),
        [level[0].priority for i, level in enumerate(in_order) if i in level_of],
        metric,
        *own.springs,
        corners=max((block.corners for _, block in packed), default=0),
        supports=list(context.supports),
        spans=spans,
        units=[block.unit for _, block in packed],
        metres_per_unit=[block.metres_per_unit for _, block in packed],
        targets=[_targets(packed[span], starts[span]) for span in spans],
        chords=[block.chord for _, block in packed],
        kept=[block.keep for _, block in packed if block.keep is not None],
        still=_still(figure, ordered),
        acting=forces,
        stances=_stances(packed, starts),
        with_rows=own.with_rows,
        without=own.without,
        tightest=own.tightest,
    )


def _recruited_by_level(
    figure: Figure, in_order: Sequence[Sequence[Wish]], level_of: Sequence[int]
) -> Values:
    """(L, n) for each level that has rows, criteria too: how readily coordinates move for it."""
    own = [involvement(figure, level[0].joints) for level in in_order]
    own.append(involvement(figure, None))
    found = [own[i] for i in dict.fromkeys(level_of)]
    return np.array(found).reshape(len(found), figure.n)


def _targets(packed: Sequence[tuple[Wish, Block]], starts: NDArray[np.int64]) -> list[int]:
    """Where the numbers of the targets of some blocks stand, whose values begin at `starts`."""
    pairs = zip(packed, starts.tolist(), strict=True)
    return [start + block.target for (_, block), start in pairs if block.target >= 0]


def _stances(packed: Sequence[tuple[Wish, Block]], starts: NDArray[np.int64]) -> list[Stances]:
    """The blocks that have several stances to take."""
    pairs = zip(packed, starts.tolist(), strict=False)  # the last start is the end
    return [Stances(at, each.node, each.stances) for (_, each), at in pairs if each.stances]


def _blocks(
    packed: Sequence[tuple[Wish, Block]],
    rows: NDArray[np.int64],
    starts: NDArray[np.int64],
    level_of: Sequence[int],
) -> Blocks:
    """The flat form of all blocks, each of a level."""
    table = [
        (block.kind, block.node, block.other, rows[b], block.rows, starts[b])
        for b, (_, block) in enumerate(packed)
    ]
    # Only what weights are to each other within a level counts: the greatest becomes 1.
    most: dict[int, float] = {}
    for (wish, _), own in zip(packed, level_of, strict=True):
        most[own] = max(most.get(own, 0.0), wish.weight)
    pairs = zip(packed, level_of, strict=True)
    weights = np.array(
        [np.sqrt(wish.weight / most[own] * block.share) for (wish, block), own in pairs]
    )
    scales = np.array([w.metres_per_radian if b.unit == "rad" else 1.0 for w, b in packed])
    inequality = [int(block.inequality) for _, block in packed for _ in range(block.rows)]
    level = [rows[b] for b, own in enumerate(level_of) if b == 0 or own != level_of[b - 1]]
    return Blocks(
        block=np.array([*table, (END, 0, -1, rows[-1], 0, starts[-1])], np.int64),
        values=np.concatenate([np.zeros(0), *(block.values for _, block in packed)]),
        factor=np.stack([weights * scales, weights], axis=1),
        inequality=np.array(inequality, np.int64),
        level=np.array([*level, rows[-1]], np.int64),
    )


def _metric(figure: Figure, wishes: Sequence[Wish]) -> Values:
    """How willingly each coordinate moves: stiffness, locks, and what the tasks recruit.

    A joint that no task recruits is locked. Where there are no tasks at all the criteria may move
    everything.
    """
    metric = 1.0 - figure.stiffness.values
    metric[figure.locked | ~recruited(figure, wishes)] = 0.0
    return metric


def _still(figure: Figure, wishes: Sequence[Wish]) -> list[tuple[str, NDArray[np.int64], bool]]:
    """What may not move, locks first; a joint of which some coordinates move, by the others."""
    result = [(name, figure.indices(name), True) for name in figure.locked_names]
    idle = ~recruited(figure, wishes) & ~figure.locked
    for name in movable(figure):
        span = figure.span(name)
        if idle[span].all():
            result.append((name, figure.indices(name), False))
        else:
            own = figure.coordinates[span]
            left = [each for each in own if idle[figure.index(each)]]
            result += [(each, figure.indices(each), False) for each in left]
    return result
