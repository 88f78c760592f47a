"""What a figure is made of, taken apart and put together again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from poise.errors import unknown_name
from poise.figure import Figure
from poise.figure.assembly import coordinates_of
from poise.figure.limbs import kept_limbs
from poise.figure.parts import Coupling, Group, Joint, Segment, Site


@dataclass(frozen=True)
class Parts:
    """What a figure is made of, to be changed."""

    name: str
    description: str
    segments: tuple[Segment, ...]
    joints: tuple[Joint, ...]
    sites: tuple[Site, ...]
    couplings: tuple[Coupling, ...]
    groups: tuple[Group, ...]

    @classmethod
    def of(cls, figure: Figure) -> Parts:
        """Those of a figure."""
        return cls(
            figure.name,
            figure.description,
            tuple(figure.segments.values()),
            tuple(figure.joints.values()),
            tuple(figure.sites.values()),
            tuple(figure.couplings.values()),
            tuple(figure.groups.values()),
        )

    def built(self, old: Figure, moved: Mapping[str, Mapping[str, float]] | None = None) -> Figure:
        """The figure, with the old one's postures, stiffness and locks as far as they fit.

        Args:
            old: the figure before.
            moved: of postures, values for coordinates that the old figure had not.
        """
        figure = Figure(
            self.name,
            self.segments,
            self.joints,
            sites=self.sites,
            couplings=self.couplings,
            groups=self.groups,
            limbs=kept_limbs(old.stated_limbs, self._coordinates()),
            description=self.description,
        )
        for each, q in old.postures.items():
            values = dict(zip(old.coordinates, q.tolist(), strict=True))
            values |= (moved or {}).get(each, {})
            new = np.array([values.get(coordinate, 0.0) for coordinate in figure.coordinates])
            figure.postures[each] = figure.clamp(new).q
        stiffness = dict(zip(old.coordinates, old.stiffness.values.tolist(), strict=True))
        for i, coordinate in enumerate(figure.coordinates):
            figure.stiffness.values[i] = stiffness.get(coordinate, 0.0)
        known = {*figure.joints, *figure.groups, *figure.limbs, *figure.coordinates}
        figure.lock([each for each in old.locked_names if each in known])
        return figure

    def _coordinates(self) -> list[str]:
        return coordinates_of(self.joints, self.groups)[0]


def checked_segment(figure: Figure, segment: str) -> None:
    """Raise where a figure has no segment of that name."""
    if segment not in figure.segments:
        raise unknown_name("segment", segment, figure.segments)
