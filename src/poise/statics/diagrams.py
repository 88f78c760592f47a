"""The postural stability diagram: which forces a hand can exert in a posture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError, unknown_name
from poise.statics.contacts import Contacts, Strongest

Values = NDArray[np.float64]

_PLANES = {"xz": (0, 2), "yz": (1, 2), "xy": (0, 1)}


@dataclass(frozen=True)
class StabilityDiagram:
    """How hard a site can push in each direction of a plane, and what gives.

    After Grieve: a point of the boundary is the force vector that the site exerts on its
    surroundings.
    """

    site: str
    plane: str
    pushes: tuple[Strongest, ...]
    """One for each direction, counter-clockwise; joints may give."""
    standing: tuple[Strongest, ...]
    """The same where only slipping and tipping count."""

    def boundary(self, *, joints: bool = True) -> Values:
        """The boundary (k, 2) in newtons, in the plane's axes; inf where nothing gives."""
        columns = list(_PLANES[self.plane])
        pushes = self.pushes if joints else self.standing
        rows: list[Values] = []
        for each in pushes:
            way = np.array(each.direction)[columns]
            # Nothing times infinity is nothing here, not NaN.
            rows.append(np.where(np.abs(way) < 1e-12, 0.0, way) * (each.force or 0.0))
        return np.array(rows)


def stability_diagram(
    contacts: Contacts, site: str, plane: str, directions: int
) -> StabilityDiagram:
    """Ask how strong a site is all around."""
    if plane not in _PLANES:
        raise unknown_name("plane", plane, _PLANES)
    whole = isinstance(directions, (int, np.integer)) and not isinstance(directions, bool)
    if not whole or directions < 4:
        raise PoiseError(f"directions must be an integer from 4 on, not {directions!r}")
    first, second = _PLANES[plane]
    pushes: list[Strongest] = []
    standing: list[Strongest] = []
    for angle in np.arange(directions) * (2 * np.pi / directions):
        way = [0.0, 0.0, 0.0]
        way[first], way[second] = float(np.cos(angle)), float(np.sin(angle))
        towards = (way[0], way[1], way[2])
        pushes.append(contacts.strongest(site, towards))
        standing.append(contacts.strongest(site, towards, joints=False))
    return StabilityDiagram(site, plane, tuple(pushes), tuple(standing))
