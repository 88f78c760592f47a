"""All forces on the figures of a scene, as tasks and solutions take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from poise.figure import WORLD, Figure, Fixed
from poise.statics.loads import Load, Support, balanced, weight_of
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

    def loads(self, figure: Figure, segments: Sequence[str], whose: str) -> list[Load]:
        """All loads on some segments but their weight, balanced by the supports.

        Where there are no supports, but the ground holds the figure by its root, that bears all,
        and no joint feels it.
        """
        supports = self.supports_of(figure, segments)
        applied = self.applied_on(figure, segments)
        own = set(segments)
        borne = [each for each in self.borne if figure.segment_of(each.site) in own]
        if borne:
            return [*applied, *borne]
        if not supports and is_grounded(figure, segments):
            return applied
        return balanced(weight_of(figure, segments), supports, applied, whose)


def is_grounded(figure: Figure, segments: Sequence[str]) -> bool:
    """Whether the root of some segments is fixed to the ground."""
    own = set(segments)
    roots = [j for j in figure.joints.values() if j.parent == WORLD and j.child in own]
    return bool(roots) and all(isinstance(root.kind, Fixed) for root in roots)
