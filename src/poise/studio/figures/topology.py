"""The figure with one segment more, or fewer, or under another name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poise.checking import direction, length, name, vector
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.figure.kinds import KINDS, Ball
from poise.figure.parts import WORLD, Group, Joint, Segment, Site
from poise.figure.shapes import Capsule
from poise.studio.figures.joints import inner_kinds
from poise.studio.figures.lengths import tip_of
from poise.studio.figures.parts import Parts, checked_segment
from poise.studio.limbs import carriers_of

_THICK = 0.12
"""How thick a new segment is, as a share of its length."""


def with_segment(
    figure: Figure,
    parent: str,
    new: str,
    *,
    metres: float = 0.2,
    kind: str = "ball",
    towards: Sequence[float] | None = None,
    position: Sequence[float] | None = None,
) -> Figure:
    """Add a segment at the tip of another, or at a place on it, with a site `…_tip` at its end.

    Args:
        figure: what it is added to.
        parent: the segment that carries it.
        new: its name, and that of its joint.
        metres: its length.
        kind: of its joint.
        towards: its direction, in the parent's frame; without one, as the parent goes on.
        position: of the joint, in the parent's frame; without one, the parent's tip.
    """
    checked_segment(figure, parent)
    _check_free(figure, name(new, "segment"))
    size = length(metres, f"the length of {new!r}")
    if kind not in inner_kinds():
        raise unknown_name("kind", kind, inner_kinds())
    tip = tip_of(figure, parent)
    at = tip if position is None else np.array(vector(position, f"the place of {new!r}"))
    onward = tip if np.linalg.norm(tip) > 1e-6 else np.array([0.0, 0.0, 1.0])
    along = np.array(direction(onward if towards is None else towards, f"the direction of {new!r}"))
    end = vector(size * along, "the end")
    color = figure.segments[parent].color
    shape = Capsule((0.0, 0.0, 0.0), end, 0.5 * _THICK * size)
    joint = KINDS[kind].about(None, Ball(vector(along, "the axis")))
    parts = Parts.of(figure)
    return replace(
        parts,
        segments=(*parts.segments, Segment(new, shapes=(shape,), density=1000.0, color=color)),
        joints=(*parts.joints, Joint(new, joint, parent, new, vector(at, "the place"))),
        sites=(*parts.sites, Site(f"{new}_tip", new, end)),
    ).built(figure)


def without_segment(figure: Figure, segment: str) -> Figure:
    """Remove a segment, and all that hangs on it; laws that speak of it go with it."""
    checked_segment(figure, segment)
    carriers = carriers_of(figure)
    parents = {each: carrier for each, (carrier, _) in carriers.items()}
    if parents[segment] == WORLD:
        raise PoiseError(f"{segment!r} is the root: a figure cannot be without it")
    gone = {segment}
    while more := {child for child, parent in parents.items() if parent in gone} - gone:
        gone |= more
    parts = Parts.of(figure)
    cut = {joint.name for each, (_, joint) in carriers.items() if each in gone}
    joints = tuple(each for each in parts.joints if each.name not in cut)
    left = {each.name for each in joints}
    groups: list[Group] = []
    for group in parts.groups:
        members = {term.partition(".")[0] for term in group.terms}
        if not members & left:
            continue
        if not members <= left:
            away = ", ".join(sorted(members - left))
            raise PoiseError(
                f"{segment!r} cannot be removed: the group {group.name!r} drives {away} together "
                "with joints that stay"
            )
        groups.append(group)
    known = {c for each in joints for c in each.coordinates}
    known |= {c for group in groups for c in group.coordinates}
    return replace(
        parts,
        segments=tuple(each for each in parts.segments if each.name not in gone),
        joints=joints,
        sites=tuple(each for each in parts.sites if each.segment not in gone),
        couplings=tuple(c for c in parts.couplings if known.issuperset(c.terms)),
        groups=tuple(groups),
    ).built(figure)


def with_name(figure: Figure, segment: str, new: str) -> Figure:
    """Call a segment something else; joints and sites keep their names."""
    checked_segment(figure, segment)
    if new == segment:
        return figure
    if name(new, "segment") in figure.segments or new == WORLD:
        raise PoiseError(f"there is a segment named {new!r} already")
    parts = Parts.of(figure)

    def called(each: str) -> str:
        return new if each == segment else each

    return replace(
        parts,
        segments=tuple(replace(each, name=called(each.name)) for each in parts.segments),
        joints=tuple(
            replace(each, parent=called(each.parent), child=called(each.child))
            for each in parts.joints
        ),
        sites=tuple(replace(each, segment=called(each.segment)) for each in parts.sites),
    ).built(figure)


def _check_free(figure: Figure, new: str) -> None:
    taken = {*figure.segments, *figure.joints, *figure.groups, WORLD}
    if new in taken or f"{new}_tip" in figure.sites:
        raise PoiseError(f"the name {new!r} is taken: there is a part of the figure named so")
