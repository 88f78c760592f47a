"""The trunk's outline: an ellipse at every height, from the hips to the neck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure import Ellipsoid
from poise.models.proportions import Proportions
from poise.models.tables import table

Vector = NDArray[np.float64]


class Torso:
    """Half breadth, half depth and middle of the trunk (m) by height, standing.

    Between the rings of the table `look` they are interpolated linearly.
    """

    def __init__(self, person: Proportions) -> None:
        """Take the measures of a person."""
        rings = table("look")["torso"]
        heights, breadths, depths, backs, slices, tilts = [], [], [], [], [], []
        for ring in rings:
            heights.append(person.length(ring["height"]) + ring["above"] * person.stature)
            breadth = person.of_sex(ring["breadth_factor"]) * person.girth(ring["breadth"])
            depth = person.of_sex(ring["depth_factor"]) * person.girth(ring["depth"])
            breadths.append(0.5 * breadth)
            depths.append(0.5 * depth)
            backs.append(person.of_sex(ring["back"]) * person.stature)
            slices.append(ring["slice"] * person.stature)
            tilts.append(np.deg2rad(ring.get("tilt", 0.0)))
        order = np.argsort(heights)
        self.heights = np.array(heights)[order]
        self._breadth = np.array(breadths)[order]
        self._depth = np.array(depths)[order]
        self._back = np.array(backs)[order]
        self._slice = np.array(slices)[order]
        self._tilt = np.array(tilts)[order]

    def half_breadth(self, height: float) -> float:
        """Half of the breadth."""
        return float(np.interp(height, self.heights, self._breadth))

    def half_depth(self, height: float) -> float:
        """Half of the depth."""
        return float(np.interp(height, self.heights, self._depth))

    def middle(self, height: float) -> Vector:
        """The middle of the ellipse: half a depth in front of the back."""
        back = float(np.interp(height, self.heights, self._back))
        return np.array([back + self.half_depth(height), 0.0, height])

    def area(self, height: float) -> float:
        """The area of the ellipse (m²)."""
        return np.pi * self.half_breadth(height) * self.half_depth(height)

    def slice(self, height: float) -> Ellipsoid:
        """An ellipsoid that fills the trunk about a height, in the world."""
        x, y, z = self.middle(height).tolist()
        thick = float(np.interp(height, self.heights, self._slice))
        radii = (self.half_depth(height), self.half_breadth(height), thick)
        tilt = float(np.interp(height, self.heights, self._tilt))
        return Ellipsoid((x, y, z), radii, (0.0, tilt, 0.0))
