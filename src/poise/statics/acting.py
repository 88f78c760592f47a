"""All forces on the figures of a scene, as tasks and solutions take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from poise.figure import WORLD, Figure, Placements
from poise.statics.loads import Load, Reaction, Support, reactions, shared, weight_of
from poise.statics.strength import Strengths


@dataclass(frozen=True)
class Acting:
    """Supports, applied forces and strengths, by the names of the whole scene."""

    supports: tuple[Support, ...] = ()
    applied: tuple[Load, ...] = ()
    strengths: Strengths = field(default_factory=Strengths)
    borne: tuple[Load, ...] = ()
    """What supports bear, where that has been found; else they bear by their ratios."""

    def supports_of(self, figure: Figure, segments: Sequence[str]) -> list[Support]:
        """The supports on some segments."""
        own = set(segments)
        return [each for each in self.supports if figure.segment_of(each.site) in own]

    def applied_on(self, figure: Figure, segments: Sequence[str]) -> list[Load]:
        """What is applied to some segments."""
        own = set(segments)
        return [each for each in self.applied if figure.segment_of(each.site) in own]

    def borne_by(self, figure: Figure, segments: Sequence[str], whose: str) -> list[Load]:
        """What the supports on some segments bear: as it was found, else by their ratios.

        Where there are no supports, but the ground holds the figure by its root, that bears all,
        and no joint feels it.
        """
        own = set(segments)
        found = [each for each in self.borne if figure.segment_of(each.site) in own]
        supports = self.supports_of(figure, segments)
        if found or (not supports and is_grounded(figure, segments)):
            return found
        applied = self.applied_on(figure, segments)
        return shared(weight_of(figure, segments), supports, applied, whose)

    def loads(self, figure: Figure, segments: Sequence[str], whose: str) -> list[Load]:
        """All loads on some segments but their weight: those applied, and what supports bear."""
        return [
            *self.applied_on(figure, segments),
            *self.borne_by(figure, segments, whose),
        ]

    def reactions(
        self, figure: Figure, segments: Sequence[str], whose: str, places: Placements
    ) -> tuple[Reaction, ...]:
        """What each support on some segments bears, and whether it slips."""
        supports = self.supports_of(figure, segments)
        return reactions(supports, self.borne_by(figure, segments, whose), places)


def is_grounded(figure: Figure, segments: Sequence[str]) -> bool:
    """Whether the root of some segments is fixed to the ground."""
    own = set(segments)
    roots = [j for j in figure.joints.values() if j.parent == WORLD and j.child in own]
    return bool(roots) and all(root.kind.is_fixed for root in roots)
