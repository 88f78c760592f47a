"""The shortest step that meets rows within limits, all figures in one system.

Least is Σ (Δq − shift)²/m² + Σ (J Δq − r)²/ρ over the rows that are in force, with Δq between
stops. Rows with next to no damping ρ are kept; others as well as they can be. Inequalities are
treated as section 6 of Ho, Komura & Lau 2005 says: solve, see which are broken, add those as
equalities, and solve again. Beyond the paper: one whose multiplier shows that it holds the step
back from where it is allowed is let go again, for a while, since figures that hold each other may
go in circles; then what is broken is only added, and the step is within limits if not the best.
What is in force is kept from step to step, so that mostly one look suffices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import splu

from poise.kernel.limits.bounds import LOWER, UPPER
from poise.kernel.published.elimination import Room, multipliers
from poise.solvers.contacts import Contacts
from poise.solvers.linear import Linear

Values = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

ELIMINATIONS = ("blocks", "superlu", "dense")

LEAST = 1e-13
"""ρ of rows that are kept, as a share of the greatest row's square."""

_SLACK = 1e-10
"""What is broken by less than this (rad, m) counts as kept."""

_AT_STOP = 1e-9
"""A coordinate so near to its stop (rad, m) that was held there before is held from the start."""

_ROUNDS, _RELEASING = 400, 360
"""So often at most a system is solved for one step; and so often inequalities may be let go."""

_TRIES = 3
"""So often what is wrong in a figure may fail to become less before half of it is left as it is."""


class Rows(NamedTuple):
    """Rows that a step should meet: J Δq between two ends, the same ones for an equality."""

    place: Indices
    """Where each stands in `Linear.matrix`."""
    group: Indices
    low: Values
    high: Values
    damping: Values
    """ρ, above 0."""

    def taken(self, which: Indices | Flags) -> Rows:
        """Some of them, or all in another order."""
        return Rows(
            self.place[which],
            self.group[which],
            self.low[which],
            self.high[which],
            self.damping[which],
        )

    def joined(self, others: Rows) -> Rows:
        """These and others."""
        return Rows(
            np.concatenate([self.place, others.place]),
            np.concatenate([self.group, others.group]),
            np.concatenate([self.low, others.low]),
            np.concatenate([self.high, others.high]),
            np.concatenate([self.damping, others.damping]),
        )


class Multipliers:
    """The system at a posture that was looked at, and what was in force in the last one."""

    def __init__(self, problem: Linear, elimination: str = "blocks", cutoff: float = 0.0) -> None:
        """Make room. `cutoff` is that of singular values, for "dense"."""
        self._linear, self._elimination, self._cutoff = problem, elimination, cutoff
        contacts = problem.contacts
        self._room = Room(
            offset=np.zeros(contacts.block_groups.shape[1], np.int64),
            storage=np.zeros(0),
            rows=np.zeros((0, contacts.width)),
            y=np.zeros(0),
        )
        self._side: NDArray[np.int8] = np.zeros(problem.n, np.int8)
        """(n,) −1 for what is held at its lower stop, 1 at its upper."""

    def forget(self) -> None:
        """Begin the next step with nothing in force."""
        self._side[:] = 0

    def step(
        self,
        rows: Rows,
        low: Values,
        high: Values,
        shift: Values | None = None,
        metric: Values | None = None,
    ) -> tuple[Values, int]:
        """Δq (n,), and how many inequalities it is held by.

        Args:
            rows: what should be met; limits of joints that are no boxes are added by themselves.
            low: (n,) how far each coordinate may go down, at most 0.
            high: (n,) how far up, at least 0.
            shift: (n,) the step that is best where no row says anything; by default none.
            metric: (n,) m, how willingly each coordinate moves; by default the problem's.
        """
        at, side = self._linear, self._side
        # A coordinate between two stops that are one does not move.
        can = (high > low) & ((at.metric if metric is None else metric) > 0)
        metric = np.where(can, at.metric if metric is None else metric, 0.0)
        rest = np.zeros(at.n) if shift is None else np.where(can, shift, 0.0)
        rows = self._in_order(rows)
        equal = rows.low == rows.high
        # What is at an end now begins in force.
        state = np.where(rows.low >= -_SLACK, -1, np.where(rows.high <= _SLACK, 1, 0))
        state[equal] = -1
        side[(side < 0) & (low < -_AT_STOP) | (side > 0) & (high > _AT_STOP) | ~can] = 0
        turns, step = _Turns(at.contacts), rest
        for turn in range(_ROUNDS):
            held = side != 0
            base = np.where(side < 0, low, np.where(side > 0, high, rest))
            scale = np.where(held, 0.0, metric) if held.any() else metric
            force = state != 0
            chosen = rows if force.all() else rows.taken(force)
            right = np.where(state > 0, rows.high, rows.low)[force]
            step, y = self._solved(chosen, right, scale, base)
            below, above = step < low - _SLACK, step > high + _SLACK
            wanted = np.where(can & below, -1, np.where(can & above, 1, side)).astype(np.int8)
            if held.any() and turn < _RELEASING:
                drawn = rest + metric**2 * at.drawn(chosen.place, chosen.group, y)
                wanted[(side < 0) & (drawn > low + _SLACK)] = 0
                wanted[(side > 0) & (drawn < high - _SLACK)] = 0
            ends = state
            if not equal.all():
                ahead = at.products(rows.place, rows.group, step)
                ends = np.where(force, state, 0)
                ends[~force & (ahead < rows.low - _SLACK)] = -1
                ends[~force & (ahead > rows.high + _SLACK)] = 1
                if turn < _RELEASING:
                    back = np.zeros(state.size, bool)
                    back[force] = ~equal[force] & (state[force] * y > 0)
                    ends[back] = 0
            wrong, wrong_rows = wanted != side, ends != state
            if not wrong.any() and not wrong_rows.any():
                break
            if turn < _RELEASING:
                wrong, wrong_rows = turns.taken(wrong, wrong_rows, rows.group)
            side[wrong], state[wrong_rows] = wanted[wrong], ends[wrong_rows]
        return step, int(np.count_nonzero(side) + np.count_nonzero(state[~equal]))

    def _in_order(self, rows: Rows) -> Rows:
        """The rows in the order of their groups, with limits that are no boxes."""
        at = self._linear
        count = at.hard.shape[1]
        if count:
            limits = Rows(
                at.rows + np.arange(count),
                at.contacts.own[at.owner],
                np.minimum(at.hard[LOWER], 0.0),
                np.maximum(at.hard[UPPER], 0.0),
                np.full(count, LEAST * at.greatest()),
            )
            rows = rows.joined(limits)
        if np.all(rows.group[1:] >= rows.group[:-1]):
            return rows
        return rows.taken(np.argsort(rows.group, kind="stable"))

    def _solved(
        self, rows: Rows, right: Values, metric: Values, base: Values
    ) -> tuple[Values, Values]:
        """The step with all these rows as equalities, away from `base`; and the multipliers."""
        if base.any():
            right = right - self._linear.products(rows.place, rows.group, base)
        if self._elimination == "blocks":
            step, y = self._by_blocks(rows, right, metric)
        elif self._elimination == "superlu":
            step, y = self._by_superlu(rows, right, metric)
        else:
            step, y = self._densely(rows, right, metric)
        return step + base, y

    def _by_blocks(self, rows: Rows, right: Values, metric: Values) -> tuple[Values, Values]:
        """Block by block along the contacts: `kernel.published.elimination`."""
        at, contacts = self._linear, self._linear.contacts
        counts = np.bincount(rows.group, minlength=len(contacts.groups))
        sizes = counts[contacts.block_groups].prod(axis=0)
        if sizes.sum() > self._room.storage.size:
            self._room = self._room._replace(storage=np.zeros(int(sizes.sum())))
        if right.size > self._room.y.size:
            scaled = np.zeros((right.size, contacts.width))
            self._room = self._room._replace(rows=scaled, y=np.zeros(right.size))
        room, start, step = self._room, np.zeros(counts.size + 1, np.int64), np.zeros(at.n)
        room.offset[1:] = np.cumsum(sizes)[:-1]
        np.cumsum(counts, out=start[1:])
        if not multipliers(
            contacts.plan, room, start, rows.place, at.matrix, metric, right, rows.damping, step
        ):
            # Rounding ate the damping: rows that depend on each other, very nearly.
            return self._densely(rows, right, metric)
        return step, room.y[: right.size]

    def _by_superlu(self, rows: Rows, right: Values, metric: Values) -> tuple[Values, Values]:
        """The whole system (6), by SuperLU."""
        n = self._linear.n
        J = self._linear.sparse(rows.place, rows.group)
        column = np.repeat(np.arange(n), np.diff(J.indptr))
        values, row, all_ = J.data * metric[column], n + J.indices, np.arange(n + right.size)
        corners = np.concatenate([np.ones(n), -rows.damping])
        system = sparse.csc_matrix(
            (
                np.concatenate([corners, values, values]),
                (np.concatenate([all_, row, column]), np.concatenate([all_, column, row])),
            )
        )
        solution = splu(system).solve(np.concatenate([np.zeros(n), right]))
        return metric * solution[:n], -solution[n:]

    def _densely(self, rows: Rows, right: Values, metric: Values) -> tuple[Values, Values]:
        """By singular values, those below the cutoff left out: the pseudo-inverse.

        Rows with a damping ρ of their own are divided by √ρ, so that each then has 1.
        """
        by = np.sqrt(rows.damping)
        least = by.min(initial=np.inf)
        is_one = bool(np.all(by == least))
        by, damping = (np.ones_like(by), least * least) if is_one else (by, 1.0)
        J = self._linear.sparse(rows.place, rows.group).toarray() * metric / by[:, None]
        U, s, V = np.linalg.svd(J, full_matrices=False)
        kept = s > self._cutoff * s.max(initial=0.0)
        gain = np.divide(1.0, s * s + damping, out=np.zeros_like(s), where=kept & (s > 0))
        along = U.T @ (right / by)
        return metric * (V.T @ (s * gain * along)), U @ (gain * along) / by


class _Turns:
    """Which of the things that are wrong are put right at once.

    All at once is quick and may go in circles (block principal pivoting: Júdice & Pires, Computers
    & Operations Research 21, 1994). To put right one by one in a fixed order ends for certain, but
    takes hundreds of turns, and one by one in each figure may go in circles too, since figures draw
    at each other. So where what is wrong in a figure has not become less for some time, a half of
    it is put right that is drawn by lot: no circle outlasts that. The lots are the same every time.
    """

    def __init__(self, contacts: Contacts) -> None:
        self._contacts, self._lots = contacts, np.random.default_rng(0)
        self._least = np.full(contacts.count, np.iinfo(np.int64).max)
        self._tries = np.full(contacts.count, _TRIES)

    def taken(self, wrong: Flags, wrong_rows: Flags, groups: Indices) -> tuple[Flags, Flags]:
        """What to put right now, of coordinates and of rows."""
        contacts, count = self._contacts, self._contacts.count
        owner, owner_of_row = contacts.figure_of, contacts.leader[groups]
        total = np.bincount(owner[wrong], minlength=count)
        total += np.bincount(owner_of_row[wrong_rows], minlength=count)
        less = total < self._least
        self._least = np.minimum(total, self._least)
        self._tries = np.where(less, _TRIES, self._tries - 1)
        circling = self._tries < 0
        if not circling.any():
            return wrong, wrong_rows
        drawn = wrong & ~(circling[owner] & self._stays(wrong.size))
        drawn_rows = wrong_rows & ~(circling[owner_of_row] & self._stays(wrong_rows.size))
        if not drawn.any() and not drawn_rows.any():
            return wrong, wrong_rows
        return drawn, drawn_rows

    def _stays(self, count: int) -> Flags:
        return self._lots.random(count) < 0.5
