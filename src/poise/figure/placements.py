"""Where everything is in one posture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.closed import closed
from poise.errors import unknown_name
from poise.figure.transform import Transform

if TYPE_CHECKING:
    from poise.figure.figure import Figure

Values = NDArray[np.float64]


@closed
class Placements(Mapping[str, Transform]):
    """Where everything is in one posture: frames by the names of sites, segments and joints."""

    def __init__(self, figure: Figure, rotation: Values, position: Values) -> None:
        """Keep the nodes' placements; frames are made when asked for."""
        self._figure = figure
        self._rotation = rotation
        self._position = position

    def __getitem__(self, name: str) -> Transform:
        """The frame of a site, segment or joint: `.position` (3,), `.rotation` (3, 3)."""
        return self._placed(*self._figure.frame(name))

    def segment(self, name: str) -> Transform:
        """The frame of a segment, also where a site has the same name."""
        segments = self._figure.packed.segments
        if name not in segments:
            raise unknown_name("segment", name, self._figure.segments)
        return self._placed(*segments[name])

    def joint(self, name: str) -> Transform:
        """The frame of a joint, fixed in its parent, also where a site has the same name."""
        joints = self._figure.packed.joints
        if name not in joints:
            raise unknown_name("joint", name, joints)
        return self._placed(*joints[name])

    def _placed(self, node: int, place: Transform) -> Transform:
        return Transform(self._rotation[node].reshape(3, 3), self._position[node]) @ place

    def __contains__(self, name: object) -> bool:
        """Whether there is such a name; asking does not raise."""
        figure = self._figure
        return name in figure.sites or name in figure.segments or name in figure.joints

    def __iter__(self) -> Iterator[str]:
        """Names of sites, then of segments, then of joints."""
        figure = self._figure
        return iter(dict.fromkeys([*figure.sites, *figure.segments, *figure.joints]))

    def __len__(self) -> int:
        """The number of names."""
        return len(list(iter(self)))

    def __repr__(self) -> str:
        """The figure's name and what can be asked for."""
        figure = self._figure
        sites = counted(len(figure.sites), "site")
        segments = counted(len(figure.segments), "segment")
        joints = counted(len(figure.joints), "joint")
        return f"<Placements of {figure.name!r}: {sites}, {segments}, {joints}>"

    def __str__(self) -> str:
        """The sites with their segments and where they are, a line each."""
        rows = [("site", "on segment", "x", "y", "z (m)")]
        for site in self._figure.sites.values():
            x, y, z = (f"{each + 0.0:.3f}" for each in self[site.name].position.tolist())
            rows.append((site.name, site.segment, x, y, z))
        first, second = (max(len(row[i]) for row in rows) for i in (0, 1))
        return "\n".join(
            f"{name:<{first}}  {segment:<{second}}  {x:>8}  {y:>8}  {z:>8}"
            for name, segment, x, y, z in rows
        )


def counted(count: int, what: str) -> str:
    """A number and the word for what it counts, in the plural unless it is one."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
