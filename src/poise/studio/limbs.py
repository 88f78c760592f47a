"""Which joints move together when a person takes hold of a part: chains and limbs."""

from __future__ import annotations

from functools import lru_cache

from poise.figure import Figure
from poise.figure.naming import driver
from poise.figure.packing import crossings
from poise.figure.parts import WORLD, Joint
from poise.studio.sides import other_side

_LIMB = 0.3
"""A limb has at most this share of the segments' masses, or of their number where none has any."""


def chain_of(figure: Figure, segment: str) -> list[str]:
    """What moves a segment, from itself to the root: joints, or the groups that drive them.

    Each once; joints that do not move are left out. The root's own comes last.
    """
    carriers = carriers_of(figure)
    found: list[str] = []
    while segment != WORLD:
        segment, joint = carriers[segment]
        group = driver(figure, joint.name)
        if joint.coordinates:
            found.append(group.name if group else joint.name)
    return list(dict.fromkeys(found))


def carriers_of(figure: Figure) -> dict[str, tuple[str, Joint]]:
    """What carries each segment, as seen from the root, and the joint between them.

    In a figure with another root than it was made with, some joints are passed backwards.
    """
    result: dict[str, tuple[str, Joint]] = {}
    for joint, backwards in crossings(list(figure.joints.values())):
        near, far = (joint.child, joint.parent) if backwards else (joint.parent, joint.child)
        result[far] = near, joint
    return result


def limb_chain(figure: Figure, segment: str) -> list[str]:
    """That part of the chain which is of the segment's limb; of a trunk, its own joint alone."""
    top = limb_of(figure, segment)
    chain = chain_of(figure, segment)
    if top is None:
        return chain[:1]
    beyond = chain_of(figure, _parents(figure)[top])
    own = [name for name in chain if name not in beyond]
    return own or chain[:1]


def limb_of(figure: Figure, segment: str) -> str | None:
    """The first segment of the limb that a segment belongs to; None for the trunk.

    A limb is the largest branch that holds a small part of the body, of one side if it has sides.
    In a figure that does not branch, all but the root is one limb.
    """
    return _limbs(figure).get(segment)


@lru_cache(maxsize=4)
def _limbs(figure: Figure) -> dict[str, str]:
    parents = _parents(figure)
    masses = {name: each.mass_properties()[0] for name, each in figure.segments.items()}
    if sum(masses.values()) <= 0:
        masses = dict.fromkeys(masses, 1.0)
    carried = dict.fromkeys(parents, 0.0)
    for name, mass in masses.items():
        for above in _path(parents, name):
            carried[above] += mass
    total = sum(masses.values())
    children: dict[str, int] = {}
    for parent in parents.values():
        children[parent] = children.get(parent, 0) + 1
    branches = any(count > 1 for parent, count in children.items() if parent != WORLD)
    # What carries both sides of the body is trunk, however little of it there is.
    both = {
        above
        for name in parents
        if other_side(name) != name and other_side(name) in parents
        for above in set(_path(parents, name)) & set(_path(parents, other_side(name)))
    }
    limbs: dict[str, str] = {}
    for name in parents:
        path = [each for each in _path(parents, name) if parents[each] != WORLD]
        if branches:
            path = [each for each in path if carried[each] <= _LIMB * total and each not in both]
        if path:
            limbs[name] = path[-1]
    return limbs


def _parents(figure: Figure) -> dict[str, str]:
    return {segment: carrier for segment, (carrier, _) in carriers_of(figure).items()}


def _path(parents: dict[str, str], segment: str) -> list[str]:
    """A segment and all above it, up to the ground."""
    path: list[str] = []
    while segment != WORLD:
        path.append(segment)
        segment = parents[segment]
    return path
