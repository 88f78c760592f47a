"""The same figure with another root (thesis 3.2.1).

The joints stay as they are. Only the one that holds the figure to the ground is replaced, and
the kernel crosses the joints between the old root and the new one backwards.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure.assembly import coordinates_of, drives
from poise.figure.kinds import Fixed, Free, JointKind
from poise.figure.limbs import Limbs, kept_limbs
from poise.figure.packing import crossings
from poise.figure.parts import WORLD, Joint
from poise.figure.transform import IDENTITY, Transform, rotation_vector

if TYPE_CHECKING:
    from poise.figure.figure import Figure
    from poise.figure.posture import Posture


def rooted_at(
    figure: Figure, name: str, q: NDArray[np.float64], root: str | None
) -> tuple[Figure, Posture]:
    """See `Figure.rooted_at`."""
    from poise.figure.figure import Figure

    if root not in (None, "free", "fixed"):
        raise PoiseError(f"a root must be 'free' or 'fixed', not {root!r}")
    segment = figure.segment_of(name)
    old = _root_of(figure, segment)
    if not (old.kind.is_free or old.kind.is_fixed):
        raise PoiseError(
            f"joint {old.name!r} holds {figure.name!r} to the ground with a {old.kind.kind}, which "
            "would be lost; only a free or fixed root can be moved"
        )
    kind: JointKind = {"free": Free(), "fixed": Fixed(), None: old.kind}[root]
    if segment == old.child and kind == old.kind:
        new = old
    else:
        _check_unbound(figure, old)
        new = _root(old, kind, segment, figure.place(q).segment(segment))
    joints = [new if joint is old else joint for joint in figure.joints.values()]
    result = Figure(
        figure.name,
        list(figure.segments.values()),
        joints,
        sites=list(figure.sites.values()),
        couplings=list(figure.couplings.values()),
        groups=list(figure.groups.values()),
        limbs=_kept_limbs(figure, joints),
        description=figure.description,
    )
    kept = [c for c in result.coordinates if c in figure.coordinates]
    here, there = _indices(figure, kept), _indices(result, kept)

    def moved(before: NDArray[np.float64]) -> NDArray[np.float64]:
        after = np.zeros(result.n)
        after[there] = before[here]
        if new is not old and kind.is_free:
            motion = figure.place(before).segment(segment)
            motion = new.before.inverse() @ motion @ new.after.inverse()
            after[result.span(new.name)] = kind.values(motion)
        return after

    result.skin = figure.skin
    result.recipe = figure.recipe
    result.stiffness.values[there] = figure.stiffness.values[here]
    movable = {*result.joints, *result.groups, *result.limbs, *result.coordinates}
    result.lock(*(each for each in figure.locked_names if each in movable))
    result.postures.update({each: moved(values) for each, values in figure.postures.items()})
    return result, result.posture(moved(q))


def _kept_limbs(figure: Figure, joints: list[Joint]) -> Limbs | None:
    """The limbs as they are: found anew, they might go by who carries whom from another end."""
    coordinates, _, _ = coordinates_of(joints, list(figure.groups.values()))
    return kept_limbs(figure.limbs, coordinates)


def _indices(figure: Figure, coordinates: list[str]) -> NDArray[np.int64]:
    return np.array([figure.index(each) for each in coordinates], np.int64)


def _check_unbound(figure: Figure, root: Joint) -> None:
    """Raise where a law binds the root's coordinates, which will mean something else."""
    for coupling in figure.couplings.values():
        bound = [each for each in coupling.terms if each in root.coordinates]
        if bound:
            raise PoiseError(
                f"the root of {figure.name!r} cannot be moved: the coupling {coupling.name!r} "
                f"binds its {', '.join(bound)}"
            )
    for group in figure.groups.values():
        if drives(group, root.name):
            raise PoiseError(
                f"the root of {figure.name!r} cannot be moved: the group {group.name!r} drives it"
            )


def _root_of(figure: Figure, segment: str) -> Joint:
    """The joint that holds a segment's tree to the ground."""
    tree: dict[str, Joint] = {}
    for joint, backwards in crossings(list(figure.joints.values())):
        near, far = (joint.child, joint.parent) if backwards else (joint.parent, joint.child)
        tree[far] = joint if near == WORLD else tree[near]
    return tree[segment]


def _root(old: Joint, kind: JointKind, segment: str, place: Transform) -> Joint:
    """The joint that takes the old root's place; a way back gives the old one again."""
    if kind.is_fixed:
        before = place @ old.after.inverse()
    else:
        before = old.before if old.kind.is_free else IDENTITY
    return replace(
        old,
        kind=kind,
        child=segment,
        position=tuple(before.position.tolist()),
        rotation=tuple(rotation_vector(before.rotation).tolist()),
    )
