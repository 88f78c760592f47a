"""Where a search may begin besides the scene's posture: each figure's own starts, then samples.

A person's own starts are postures of people (`models.starts`), where the person stands now. Any
figure has one in the middle of its ranges, where limbs are bent: a straight one can pull its end in
no better than push it out. Then come samples. Each is the one of sixteen random postures within
limits in which the errors of all tasks are smallest.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.errors import PoiseError
from poise.figure import Figure
from poise.kernel.residuals.blocks import ROW
from poise.models.poses import is_person
from poise.models.starts import on_the_spot, person_start, start_names
from poise.solvers.problem import Problem

Values = NDArray[np.float64]
Bools = NDArray[np.bool_]

_DRAWN = 16
"""So many postures are drawn for a sample, and the one with the least error of tasks is taken. More
find a little more, and take longer."""
_SEED = 1994
_UNLIMITED = 1.5
"""Radians, of slides metres, either way from zero, for coordinates that have no limits."""
_AROUND = 0.2
"""How far (m or rad, standard deviation) a root goes in a sample from where it is."""


class Start(NamedTuple):
    """A posture to begin from."""

    name: str
    """Such as "squatting"; of several figures what each does, where they differ."""
    q: Values
    """(n,) all coordinates, within limits."""


class Starts:
    """Postures to begin from, by their number, always the same: figures' own, then samples.

    Of several figures each takes its own start of that number. Coordinates that are locked, or that
    no task depends on, stay where they are. Each is made when it is asked for, which takes a while:
    as there may be any number of them, the clock must be asked between.
    """

    def __init__(
        self,
        problem: Problem,
        start: Values,
        parts: Mapping[str, tuple[Figure, slice]] | None = None,
    ) -> None:
        """Make none yet.

        Args:
            problem: what is wanted.
            start: (n,) the coordinates of now, within limits.
            parts: by name, the figures that the problem's was merged from, and their coordinates;
                None for one alone.
        """
        self._problem, self._start = problem, start
        self._parts = parts or {"": (problem.figure, slice(0, start.size))}
        self._root = problem.figure.root_coordinates
        self._lower, self._upper = _ranges(problem.figure)
        measure = _Measure(problem)
        sampled = self._drawn(np.random.default_rng(_SEED), start, np.ones(start.size, bool))
        self.moves = (problem.metric > 0) & (measure.touched(start) | measure.touched(sampled))
        if problem.is_restricted:
            self.moves &= measure.own & ~(measure.carried(start) | measure.carried(sampled))
        """Which coordinates (n,) differ from now: those that may move, and that tasks depend on.
        Where tasks recruit only some, those alone, and none that moves a task which does not
        recruit it: others would have to react, and would not come back."""

    def __getitem__(self, i: int) -> Start:
        """The i-th, on any thread, whichever have been asked for before."""
        names: dict[str, str] = {}
        q, is_sampled = self._start.copy(), np.zeros(self._start.size, bool)
        for name, (figure, span) in self._parts.items():
            own = [*start_names(figure), _MIDDLE]
            if i < len(own):
                names[name] = own[i]
                q[span] = _own_start(figure, own[i], self._start[span])
            else:
                names[name] = f"sample {i - len(own) + 1}"
                is_sampled[span] = True
        if is_sampled.any():
            q = self._sampled(i, q, is_sampled)
        return Start(_said(names), self._valid(np.where(self.moves, q, self._start)))

    def _sampled(self, i: int, q: Values, which: Bools) -> Values:
        """Coordinates q, some of them drawn at random: those nearest to what is wanted of a few."""
        rng, measure = np.random.default_rng([_SEED, i]), _Measure(self._problem)
        best, least = q, np.inf
        for _ in range(_DRAWN):
            drawn = np.where(self.moves, self._drawn(rng, q, which), self._start)
            error = measure.error(drawn)
            if error < least:
                best, least = drawn, error
        return best

    def _drawn(self, rng: np.random.Generator, q: Values, which: Bools) -> Values:
        """Coordinates q, some of them drawn at random, couplings and limits of balls aside."""
        anywhere = rng.uniform(self._lower, self._upper)
        near = self._start + rng.normal(0.0, _AROUND, self._start.size)
        return np.where(which, np.where(self._root, near, anywhere), q)

    def _valid(self, q: Values) -> Values:
        """The nearest valid posture in which what is locked stays, or one nearer the start.

        What no task depends on may move with what it is coupled to.
        """
        start, stays = self._start, self._problem.metric == 0
        for _ in range(6):
            try:
                clamped = self._problem.figure.clamp(q).q
                if np.array_equal(clamped[stays], start[stays]):
                    return clamped
            except PoiseError:  # couplings may leave nothing valid near by
                pass
            q = 0.5 * (q + start)
        return start


class _Measure:
    """The errors of all tasks in any posture, and which coordinates they depend on."""

    def __init__(self, problem: Problem) -> None:
        self._blocks, self._tree = problem.blocks, problem.figure.packed.tree
        self._recruited = problem.recruited
        count, n = problem.blocks.inequality.size, problem.figure.n
        last = problem.spans[-1].stop if problem.spans else 0
        self._rows = slice(0, int(problem.blocks.block[last, ROW]))  # criteria come after them
        self._state = kernel.body.tree.state(self._tree)
        self._scratch = kernel.residuals.blocks.make_scratch(problem.blocks, n, problem.corners)
        self._residual, self._matrix = np.zeros(count), np.zeros((count, n))

    def _evaluate(self, q: Values, *, differentiated: bool) -> None:
        kernel.body.kinematics.place(self._tree, q, self._state)
        if differentiated:
            kernel.body.kinematics.differentiate(self._tree, self._state)
        kernel.residuals.evaluation.evaluate(
            self._tree,
            self._blocks,
            self._state,
            self._scratch,
            self._residual,
            self._matrix,
            differentiated,
        )

    def error(self, q: Values) -> float:
        """The sum of squares (m²) of all tasks' errors, weights included."""
        self._evaluate(q, differentiated=False)
        e = self._residual[self._rows]
        e = np.where(self._blocks.inequality[self._rows] == 1, np.minimum(e, 0.0), e)
        return float(e @ e)

    def touched(self, q: Values) -> Bools:
        """Which coordinates (n,) some task depends on, seen at q.

        At a singular posture one may seem to do nothing; in two postures none does by chance.
        """
        self._evaluate(q, differentiated=True)
        return (self._matrix[self._rows] != 0.0).any(axis=0)

    @property
    def own(self) -> Bools:
        """Which coordinates (n,) a task recruits that does not recruit all."""
        restricted = (self._recruited == 0).any(axis=1)
        return np.logical_or.reduce(self._recruited[restricted] > 0, axis=0)

    def carried(self, q: Values) -> Bools:
        """Which coordinates (n,) a task depends on that does not recruit them, seen at q."""
        self._evaluate(q, differentiated=True)
        found = np.zeros(q.size, bool)
        for recruited, (first, last) in zip(
            self._recruited, pairwise(self._blocks.level), strict=True
        ):
            found |= (recruited == 0) & (self._matrix[first:last] != 0.0).any(axis=0)
        return found


_MIDDLE = "the middle of all ranges"
_known: WeakKeyDictionary[Figure, dict[str, Values]] = WeakKeyDictionary()
"""Figures' own starts by name, those that were asked for. No postures: they would keep their
figures alive."""


def _own_start(figure: Figure, name: str, now: Values) -> Values:
    """The coordinates (n,) of one of a figure's own starts, where the figure is now (n,)."""
    known = _known.setdefault(figure, {})
    if name not in known:
        known[name] = _middle(figure) if name == _MIDDLE else person_start(figure, name).q
    if is_person(figure):
        return on_the_spot(figure.posture(known[name]), figure.posture(now))
    return np.where(figure.root_coordinates, now, known[name])


def _middle(figure: Figure) -> Values:
    """The coordinates (n,) in the middle of their ranges; at rest those without, and the root."""
    boxed = np.isfinite(figure.lower) & np.isfinite(figure.upper) & ~figure.root_coordinates
    lower, upper = _ranges(figure)
    return np.where(boxed, 0.5 * (lower + upper), figure.rest().q)


def _ranges(figure: Figure) -> tuple[Values, Values]:
    """Between which ends (n,) each coordinate is drawn."""
    boxed = np.isfinite(figure.lower) & np.isfinite(figure.upper)
    lower = np.where(boxed, figure.lower, -_UNLIMITED)
    return lower, np.where(boxed, figure.upper, _UNLIMITED)


def _said(names: Mapping[str, str]) -> str:
    """What the figures do, each by its name where they differ."""
    if len(set(names.values())) == 1:
        return next(iter(names.values()))
    return ", ".join(f"{figure} {name}" for figure, name in names.items())
