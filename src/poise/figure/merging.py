"""Several figures as one, for what they do together.

Every part is copied with its figure's name before its own: `ben/left_hand`. The coordinates are
those of the figures one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from poise.checking import LONGEST_LABEL
from poise.checking import name as checked_name
from poise.errors import PoiseError
from poise.figure.figure import Figure
from poise.figure.parts import WORLD, Coupling, Group, Joint, Segment, Site, renamed

Part = TypeVar("Part", Segment, Joint, Site, Coupling, Group)


def merge(figures: Mapping[str, Figure]) -> Figure:
    """One figure of all; "rest" is the one posture that it knows."""
    segments: list[Segment] = []
    joints: list[Joint] = []
    sites: list[Site] = []
    couplings: list[Coupling] = []
    groups: list[Group] = []
    limbs: dict[str, list[str]] = {}
    if not figures:
        raise PoiseError("a scene needs at least one figure")
    for name, figure in figures.items():
        first = f"{checked_name(name, 'figure')}/"
        segments += [_copied(first, each) for each in figure.segments.values()]
        joints += [
            _copied(
                first,
                each,
                parent=each.parent if each.parent == WORLD else first + each.parent,
                child=first + each.child,
            )
            for each in figure.joints.values()
        ]
        sites += [
            _copied(first, each, segment=first + each.segment) for each in figure.sites.values()
        ]
        couplings += [
            _copied(first, each, terms={first + c: factor for c, factor in each.terms.items()})
            for each in figure.couplings.values()
        ]
        groups += [
            _copied(first, each, members={first + c: terms for c, terms in each.terms.items()})
            for each in figure.groups.values()
        ]
        limbs |= {first + limb: [first + c for c in own] for limb, own in figure.limbs.items()}
    named = " and ".join(figures)[:LONGEST_LABEL]
    whole = Figure(
        named, segments, joints, sites=sites, couplings=couplings, groups=groups, limbs=limbs
    )
    whole.postures["rest"] = np.concatenate([figure.rest().q for figure in figures.values()])
    return whole


def _copied(first: str, part: Part, **changes: object) -> Part:
    return renamed(part, first + part.name, **changes)
