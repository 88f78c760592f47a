"""The postural stability diagram: which forces a hand can exert in a posture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.statics.answers import Strongest
from poise.statics.contacts import Contacts

Values = NDArray[np.float64]

_TOLD = 8  # directions that are printed
_PLANES = {"xz": (0, 2), "yz": (1, 2), "xy": (0, 1)}


@closed
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

    def __repr__(self) -> str:
        """The site, the plane and how many directions."""
        return f"<StabilityDiagram of {self.site!r} in {self.plane}: {len(self.pushes)} directions>"

    def __str__(self) -> str:
        """A table of every 45° or so; `pushes` has all directions."""
        first, second = self.plane
        lines = [
            f"how hard {self.site} can push in the plane {self.plane}, "
            f"from {first} (0°) to {second} (90°):"
        ]
        count = len(self.pushes)
        for i in dict.fromkeys(round(k * count / _TOLD) % count for k in range(_TOLD)):
            told = str(self.pushes[i]).removeprefix(f"{self.site}: ")
            lines.append(f"{360 * i / count:4.0f}°  {told}")
        return "\n".join(lines)

    @property
    def directions(self) -> Values:
        """The directions (k, 2) in the plane's axes."""
        return np.array([each.direction for each in self.pushes])[:, list(_PLANES[self.plane])]

    def boundary(self, *, joints: bool = True) -> Values:
        """The boundary (k, 2) in newtons, in the plane's axes; inf where nothing gives."""
        forces = np.array([each.force for each in (self.pushes if joints else self.standing)])
        ways = np.where(np.abs(self.directions) < 1e-12, 0.0, self.directions)
        # No way times infinity is nothing, not NaN.
        return np.multiply(ways, forces[:, None], out=np.zeros_like(ways), where=ways != 0)


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
