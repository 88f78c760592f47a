"""What joints hold of a force at a point, as a linear map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.figure import Figure
from poise.statics.components import Component
from poise.statics.torques import axes_and_angles

Values = NDArray[np.float64]


class Levers:
    """How much of a force at a point each component holds."""

    def __init__(self, figure: Figure, q: Values, components: Sequence[Component]) -> None:
        tree: Any = figure.packed.tree
        state = kernel.body.tree.state(tree)
        kernel.body.kinematics.place(tree, q, state)
        self._axes, angles = axes_and_angles(components, tree, state)
        self.angles: list[float] = angles.tolist()
        nodes = [each.node for each in components]
        self._centers = state.position[nodes]
        self._signs = np.array([1.0 if each.is_backwards else -1.0 for each in components])
        self._slides = np.array([each.unit == "N" for each in components], bool)
        self._nodes = np.array(nodes, np.int64)
        self._parents = tree.parent

    def of(self, node: int, point: Values) -> Values:
        """(c, 3): u · (sign (x − c) × f) of those components beyond which the point lies."""
        above: set[int] = set()
        while node > 0:
            above.add(node)
            node = int(self._parents[node])
        beyond = np.isin(self._nodes, list(above))
        rows = np.cross(self._axes, point - self._centers)
        rows[self._slides] = self._axes[self._slides]
        return rows * (self._signs * beyond)[:, None]
