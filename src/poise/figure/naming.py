"""What to say of a name that a figure has not, or has not by itself."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from poise.errors import PoiseError, unknown_name
from poise.figure.packing import crossings
from poise.figure.parts import Group, Joint

if TYPE_CHECKING:
    from poise.figure.figure import Figure


def driver(figure: Figure, joint: str) -> Group | None:
    """The group that drives a joint, if one does."""
    for group in figure.groups.values():
        if any(member.partition(".")[0] == joint for member in group.terms):
            return group
    return None


def movable(figure: Figure) -> list[str]:
    """Names of what has coordinates of its own: groups, and joints that no group drives."""
    driven = {member.partition(".")[0] for g in figure.groups.values() for member in g.terms}
    joints = [each.name for each in figure.joints.values() if each.coordinates]
    return [*figure.groups, *(each for each in joints if each not in driven)]


def has_joint(figure: Figure, name: str) -> bool:
    """Whether there is a joint, group or coordinate of a name, which then means no limb."""
    parts = (figure.coordinates, figure.joints, figure.groups)
    return any(name in each for each in parts)


def part_of(figure: Figure, name: str) -> Group | Joint:
    """The joint or group of a name, or the one that has the coordinate of that name."""
    head = name.partition(".")[0]
    return figure.groups.get(head) or figure.joints[head]


def no_coordinate(
    figure: Figure,
    name: object,
    where: str | None = None,
    *,
    parts: bool = False,
    limbs: bool = False,
) -> PoiseError:
    """The error for a coordinate that there is not; of a known joint it says what there is.

    Args:
        figure: where the name was looked for.
        name: what was given.
        where: where it was given.
        parts: whether names of joints and groups would have done as well.
        limbs: whether names of limbs would have done, too.
    """
    head, dot, tail = str(name).partition(".")
    part = figure.groups.get(head) or figure.joints.get(head)
    if part is None or not dot:
        kind = "coordinate"
        if parts:
            kind = "joint, group, limb or coordinate" if limbs else "joint, group or coordinate"
        if not limbs and isinstance(name, str) and name in figure.limbs:
            return _only_a_limb(figure, name, kind, where)
        named = [*figure.groups, *(each for each in figure.joints if not driver(figure, each))]
        allowed = [*named, *figure.coordinates] if parts else list(figure.coordinates)
        if limbs and isinstance(name, str) and (name in figure.sites or name in figure.segments):
            carrying = _limb_carrying(figure, name)
            if carrying:
                return _carried(figure, name, carrying, kind, where)
        return unknown_name(kind, name, [*figure.limbs, *allowed] if limbs else allowed, where)
    group = driver(figure, head)
    own = [each.partition(".")[2] for each in part.coordinates]
    if group and tail in own:
        message = f"{name} is driven by the group {group.name!r} ({', '.join(group.coordinates)})"
    elif group:
        message = f"joint {head!r} is driven by the group {group.name!r}, and"
        message += f" has no coordinate {tail!r}: set {', '.join(group.coordinates)}"
    else:
        has = f"it has {', '.join(own)}" if own else "it does not move"
        message = f"{head} has no coordinate {tail!r} ({has})"
        near = difflib.get_close_matches(tail, own, n=1)
        if near:
            message += f"; did you mean '{head}.{near[0]}'?"
    code = ""
    if isinstance(part, Joint) and tail in part.clinical:
        message += f"; {tail} is one of its clinical angles"
        code = f": posture.set_angles({head!r}, {tail}=…)"
    return PoiseError(f"{where}: {message}" if where else message, code=code)


def _only_a_limb(figure: Figure, name: str, kind: str, where: str | None) -> PoiseError:
    """The error for a limb where one place in q is wanted."""
    own = figure.limbs[name]
    listed = ", ".join(own[:6]) + (f" and {len(own) - 6} more" if len(own) > 6 else "")
    message = f"{name!r} is a limb ({listed}); here a {kind} is wanted"
    return PoiseError(f"{where}: {message}" if where else message)


def _limb_carrying(figure: Figure, name: str) -> str | None:
    """The limb of the first joint on the way from a site or segment to the root that is in one.

    None where no joint on the way is.
    """
    limbs = {each: limb for limb, own in figure.limbs.items() for each in own}
    carrier: dict[str, Joint] = {}
    for joint, backwards in crossings(list(figure.joints.values())):
        carrier[joint.parent if backwards else joint.child] = joint
    segment = figure.sites[name].segment if name in figure.sites else name
    while segment in carrier:
        joint = carrier[segment]
        part = driver(figure, joint.name) or joint
        found = next((limbs[each] for each in part.coordinates if each in limbs), None)
        if found:
            return found
        segment = joint.parent if joint.child == segment else joint.child
    return None


def _carried(figure: Figure, name: str, limb: str, kind: str, where: str | None) -> PoiseError:
    """The error for a site or segment where joints are chosen."""
    what = "site" if name in figure.sites else "segment"
    message = (
        f"{name!r} is a {what}, and no {kind}; did you mean {limb!r}, the limb that carries it?"
    )
    return PoiseError(f"{where}: {message}" if where else message)


def driven(group: Group, joint: str, instead: str | None) -> PoiseError:
    """The error for a joint that a group drives.

    Args:
        group: the group.
        joint: the joint's name.
        instead: what to do, with {group} for its name; by default, to use its parameters.
    """
    advice = (instead or "use {group} instead").format(group=repr(group.name))
    return PoiseError(
        f"joint {joint!r} is driven by the group {group.name!r} ({', '.join(group.parameters)})",
        code=f"; {advice}",
    )
