"""How the errors of a level bend, group by group, as rows of least squares.

Near a minimum of ½|e|² that is not zero the Hessian is JᵀJ + S, S = Σ e ∇²e
(`kernel.residuals.curvature`). S couples only coordinates of figures that one task touches, so it
is a small matrix for each group of rows. Its positive part is RᵀR: rows R that a step had better
not follow. Only groups with errors that stay have any.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.kernel.residuals.blocks import ROW, Blocks
from poise.solvers.linear import Linear

Values = NDArray[np.float64]
Indices = NDArray[np.int64]

_SLIGHT = 1e-4
"""Bends of less than this share of |e| times the longest row (m²) are nothing."""


class Bending:
    """Room for the curvature of the groups of a problem."""

    def __init__(self, at: Linear) -> None:
        """Sort the blocks by group."""
        self._at, contacts = at, at.contacts
        tree = contacts.tree
        column = contacts.column
        # What has a source writes to its own column, of the few.
        source = np.where(tree.source >= 0, column[tree.source], -1) if at.n else tree.source
        self._tree = tree._replace(source=source.astype(np.int64))
        blocks = at.problem.blocks
        groups = contacts.group_of_row[blocks.block[:-1, ROW]] if at.rows else np.zeros(0, int)
        self._parts: dict[int, Blocks] = {}
        for g in np.unique(groups).tolist():
            own = groups == g
            self._parts[g] = blocks._replace(
                block=np.ascontiguousarray(blocks.block[:-1][own]),
                factor=np.ascontiguousarray(blocks.factor[own]),
            )
        width = contacts.width
        self._torques: Values = np.zeros((tree.parent.size, 3))
        self._loads: Values = np.zeros((tree.parent.size, 15))
        self._out: Values = np.zeros((width, width))
        self._scale: Values = np.ones(width)

    def rows(
        self, force: Values, size: float, longest: float, across: Indices | None = None
    ) -> tuple[Values, Indices]:
        """Rows R (r, w) in compact columns, and the group of each.

        Args:
            force: (R,) what each row's second derivative is multiplied with, 0 for most.
            size: of the level's error (m).
            longest: of the level's rows (m/rad).
            across: rows that are kept anyway: only what bends without moving them counts.
        """
        at, contacts = self._at, self._at.contacts
        found: list[Values] = []
        owners: list[int] = []
        pulled = np.unique(contacts.group_of_row[np.flatnonzero(force)]).tolist()
        for g in pulled:
            part, where = self._parts[g], contacts.coordinates_of(g)
            kernel.residuals.curvature.curvature(
                self._tree,
                part,
                at.state,
                at.scratch,
                at.residual,
                at.matrix,
                force,
                len(part.block),
                self._torques,
                self._loads,
                self._scale,
                self._out,
            )
            columns, metric = contacts.column[where], at.metric[where]
            S = self._out[np.ix_(columns, columns)] * np.outer(metric, metric)
            if across is not None:
                own = across[np.isin(contacts.group_of_row[across], contacts.within(g))]
                _, s, V = np.linalg.svd(at.matrix[np.ix_(own, columns)] * metric)
                free = V[np.count_nonzero(s > 1e-6 * s.max(initial=0.0)) :]
                S = free.T @ (free @ S @ free.T) @ free
            bends, directions = np.linalg.eigh(S)
            kept = bends > _SLIGHT * size * longest
            rows = np.zeros((int(kept.sum()), contacts.width))
            with np.errstate(divide="ignore"):
                unscaled = np.where(metric > 0, 1.0 / metric, 0.0)
            rows[:, columns] = (directions[:, kept] * np.sqrt(bends[kept])).T * unscaled
            found.append(rows)
            owners += [g] * len(rows)
        if not found:
            return np.zeros((0, contacts.width)), np.zeros(0, np.int64)
        return np.concatenate(found), np.array(owners, np.int64)
