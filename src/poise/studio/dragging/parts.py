"""How far parts of the body move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure
from poise.studio.frames import Placed

Values = NDArray[np.float64]


class Parts:
    """The points of figures that are looked at: origins of segments (joint centres), and sites."""

    def __init__(self, figure: Figure) -> None:
        """Look up where they are in the flat form of the figures."""
        segments = figure.packed.segments
        places = [(node, place.position) for node, place in segments.values()]
        for site in figure.sites.values():
            node, place = segments[site.segment]
            places.append((node, place.apply(site.position)))
        self._node = np.array([node for node, _ in places], np.int64)
        self._point = np.array([point for _, point in places]).reshape(-1, 3, 1)
        self._placed = Placed(figure)

    def at(self, q: Values) -> Values:
        """Where they are (k, 3) in a posture (n,), m."""
        rotation, position = self._placed.place(q)
        turned = rotation.reshape(-1, 3, 3)[self._node] @ self._point
        return position[self._node] + turned[..., 0]

    def farthest(self, before: Values, after: Values) -> float:
        """How far (m) the one is that moves most from one posture (n,) to another."""
        way = self.at(after) - self.at(before)
        return float(np.sqrt((way * way).sum(axis=1).max(initial=0.0)))
