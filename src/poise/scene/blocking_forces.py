"""Forces that balance the pull of an unmet task, and which of them no balance can do without.

A pull p (n,) on the coordinates is to be balanced by rows: p + Eᵀλ + Wᵀw = 0 with λ of any sign,
w ≥ 0. Coordinates that are held take what they get. One singular value decomposition of the rows
E, without the columns of what is held, gives λ as an affine function of w and of what the
dependences between the rows leave open, λ = A + B w + C c. What remains, the part of the pull
that E cannot balance, is a problem in w alone: least squares with w ≥ 0 (Lawson & Hanson 1974,
chapter 23), on a triangular matrix. The least multipliers that an owner of rows has in any balance
are the same problem with its multipliers as further rows of small weight, so each costs some tens
of microseconds.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.statics.programs import nonnegative_least_squares

Values = NDArray[np.float64]
Indices = NDArray[np.int64]

_RANK = 1e-9
"""Rows are in metres and radians: what is this small is rounding, however small the others are."""
_APART = 1e-4
"""Rows that are at least so far from depending on each other have only one balance."""
_SHARE = 1e-6
"""A row that has a smaller share in a dependence has none."""
_LIGHT = 1e-5
"""The weight of multipliers beside what a balance may miss: what a row does that others can do but
for this share of it, they do."""
_TINY = 1e-8
"""The weight of all multipliers, which makes the problem well posed: a row that others can do
but for this share of it would otherwise be multiplied by what rounding says."""
_EXACT = 1e-14
"""A sum of squares of parts is 1 within this."""
_WRONG = 1e-8
"""What may still be gained for each unit of a multiplier, as a share of the goal, is none."""


class Rows(NamedTuple):
    """What may push, as directions of forces; each row belongs to an owner, a number."""

    either: Values
    """(E, n) forces of any sign."""
    one_way: Values
    """(W, n) forces along, never against."""
    held: Indices
    """(H,) coordinates that are held still."""
    owner: Indices
    """(E + H,) whose the rows of any sign are, then whose the held coordinates are."""
    one_way_owner: Indices
    """(W,) whose the others are."""

    def without(self, gone: Collection[int]) -> Rows:
        """The rows of all other owners."""
        out = list(gone)
        kept, kept_one_way = ~np.isin(self.owner, out), ~np.isin(self.one_way_owner, out)
        count = len(self.either)
        return Rows(
            self.either[kept[:count]],
            self.one_way[kept_one_way],
            self.held[kept[count:]],
            self.owner[kept],
            self.one_way_owner[kept_one_way],
        )


class Balance:
    """Forces that balance a pull as well as they can."""

    left: float
    """The norm of what they cannot balance."""

    def __init__(self, pull: Values, rows: Rows) -> None:
        """Find one balance: the least squares of what is left, with w ≥ 0."""
        self.pull, self.rows = pull, rows
        moves = np.ones(pull.size, np.bool_)
        moves[rows.held] = False
        self._moving, self._one_way = pull[moves], rows.one_way[:, moves]
        self._turn, self._sizes, self._basis = _decomposed(rows.either[:, moves])
        rank, basis = self._sizes.size, self._basis
        pushed, pulled = self._one_way @ basis.T, basis @ self._moving
        rest = self._moving - basis.T @ pulled
        pushing = self._one_way - pushed @ basis
        pushing[np.abs(pushing).max(axis=1, initial=0.0) < _RANK] = 0.0
        frame, self._triangle = np.linalg.qr(pushing.T)
        self._goal = -(frame.T @ rest)
        self._outside = float(np.sqrt(max(rest @ rest - self._goal @ self._goal, 0.0)))
        self.along, inside = steady_least_squares(self._triangle, self._goal)
        """(W,) the multipliers w."""
        self.left = float(np.hypot(inside, self._outside))
        inverse = self._turn[:, :rank] / self._sizes
        constant, slope, ways = -(inverse @ pulled), -(inverse @ pushed.T), self._turn[:, rank:]
        across = rows.either[:, rows.held].T  # on what is held
        self._slope = np.concatenate([slope, -rows.one_way[:, rows.held].T - across @ slope])
        self._open = np.concatenate([ways, -across @ ways])
        self.free = np.concatenate([constant, -pull[rows.held] - across @ constant])
        """(E + H,) the multipliers λ, and what held coordinates take."""
        self.free += self._slope @ self.along

    @cached_property
    def _ways(self) -> NDArray[np.bool_]:
        """(W,) which multipliers w may differ in another balance: those of dependent rows."""
        diagonal = np.abs(self._triangle.diagonal())
        if diagonal.size == self.along.size and (diagonal > _APART).all():
            return np.zeros(self.along.size, np.bool_)
        squares, ways = np.linalg.eigh(self._triangle.T @ self._triangle)
        return np.abs(ways[:, squares < _APART**2]).max(axis=1, initial=0.0) > _SHARE

    @cached_property
    def undecided(self) -> set[int]:
        """The owners whose multipliers may differ in another balance."""
        ways = np.abs(self._slope[:, self._ways]).max(axis=1, initial=0.0)
        ways = np.maximum(ways, np.abs(self._open).max(axis=1, initial=0.0))
        owners = {*self.rows.owner[ways > _RANK].tolist()}
        return owners | {*self.rows.one_way_owner[self._ways].tolist()}

    def multipliers(self, owners: int) -> Values:
        """How great the multipliers of each owner are, here: root of the sum of squares.

        Those that push one way count with their sum: they give way together.
        """
        squares = np.bincount(self.rows.owner, self.free**2, owners)
        return np.sqrt(squares + np.bincount(self.rows.one_way_owner, self.along, owners) ** 2)

    def forces(self, owners: int) -> Values:
        """How great a force each owner pushes with, here."""
        forces = np.zeros((owners, self.pull.size))
        count = len(self.rows.either)
        free = self.free[:count, None] * self.rows.either
        np.add.at(forces, self.rows.owner[:count], free)
        np.add.at(forces, (self.rows.owner[count:], self.rows.held), self.free[count:])
        np.add.at(forces, self.rows.one_way_owner, self.along[:, None] * self.rows.one_way)
        return np.linalg.norm(forces, axis=1)

    def needed(self, owner: int) -> float:
        """The least multipliers that an owner has in any balance as good."""
        own, ways = self.rows.owner == owner, self._ways
        total = (self.rows.one_way_owner == owner).astype(np.float64)
        constant, slope = self.free[own], self._slope[np.ix_(own, ways)]
        if self._open.shape[1] and constant.size:
            by_others, sizes, _ = np.linalg.svd(self._open[own], full_matrices=False)
            by_others = by_others[:, sizes > _RANK]
            constant = constant - by_others @ (by_others.T @ constant)
            slope = slope - by_others @ (by_others.T @ slope)
        along = self.along[ways]
        if along.size:
            constant = constant - slope @ along
            matrix = self._triangle[:, ways]
            along, _ = steady_least_squares(
                np.concatenate([matrix, _LIGHT * slope, _LIGHT * total[None, ways]]),
                np.concatenate([matrix @ along, -_LIGHT * constant, np.zeros(1)]),
            )
            constant = constant + slope @ along
        pushed = total[~ways] @ self.along[~ways] + total[ways] @ along
        return float(np.hypot(np.linalg.norm(constant), pushed))

    def freed(self, owner: int) -> float:
        """The pull that is left, more than before, without an owner.

        What only its rows of any sign can balance are the directions V S⁻¹ y in which the rows of
        all others, U S Vᵀ, stay as they are. Without one that holds coordinates all is other.
        """
        if owner in self.rows.owner[len(self._turn) :]:
            left = Balance(self.pull, self.rows.without([owner])).left
            return float(np.sqrt(max(left**2 - self.left**2, 0.0)))
        own = self._turn[self.rows.owner[: len(self._turn)] == owner, : self._sizes.size]
        goal, kept = self._goal, self.rows.one_way_owner != owner
        matrix = self._triangle[:, kept]
        if own.size:
            _, shares, ways = np.linalg.svd(own, full_matrices=False)
            ways = ways[shares**2 > 1.0 - _EXACT]
            freed, _ = np.linalg.qr(((ways / self._sizes) @ self._basis).T)
            matrix = np.concatenate([matrix, (self._one_way[kept] @ freed).T])
            goal = np.concatenate([goal, -(self._moving @ freed)])
        left = np.hypot(steady_least_squares(matrix, goal)[1], self._outside)
        return float(np.sqrt(max(left**2 - self.left**2, 0.0)))


def _decomposed(rows: Values) -> tuple[Values, Values, Values]:
    """The left singular vectors (k, k), the values (r,) that are not rounding, a basis (r, n)."""
    if not rows.size:
        return np.eye(len(rows)), np.zeros(0), np.zeros((0, rows.shape[1]))
    turn, sizes, basis = np.linalg.svd(rows, full_matrices=rows.shape[0] > rows.shape[1])
    rank = int(np.count_nonzero(sizes > _RANK * max(1.0, float(sizes[0]))))
    return turn, sizes[:rank], basis[:rank]


def steady_least_squares(matrix: Values, goal: Values) -> tuple[Values, float]:
    """The x ≥ 0 that brings matrix · x nearest to a goal, and how near."""
    count = matrix.shape[1]
    if not matrix.size:
        return np.zeros(count), float(np.linalg.norm(goal))
    steady = np.concatenate([matrix, _TINY * np.eye(count)])
    wanted = np.concatenate([goal, np.zeros(count)])
    x = nonnegative_least_squares(steady, wanted, negligible=_WRONG)
    return x, float(np.linalg.norm(matrix @ x - goal))
