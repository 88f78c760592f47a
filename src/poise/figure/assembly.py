"""How parts become a figure: the checks that they make a tree, and the order of coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError, unknown_name
from poise.figure.packing import crossings
from poise.figure.parts import WORLD, Group, Joint, Segment, grounded

Values = NDArray[np.float64]


def with_root(name: str, segments: Mapping[str, Segment], joints: Sequence[Joint]) -> list[Joint]:
    """The joints with a root, after a check that they make a tree that the ground reaches."""
    if not segments:
        raise PoiseError(f"the figure {name!r} has no segments")
    if WORLD in segments:
        raise PoiseError(f"no segment may be named {WORLD!r}: it is the ground")
    parent_of: dict[str, Joint] = {}
    for joint in joints:
        for end in (joint.parent, joint.child):
            if end not in segments and not (end == WORLD and end == joint.parent):
                raise unknown_name("segment", end, segments, f"joint {joint.name!r}")
        if joint.parent == joint.child:
            raise PoiseError(f"joint {joint.name!r} joins {joint.child!r} to itself")
        if joint.parent == WORLD:
            continue
        if joint.child in parent_of:
            raise PoiseError(
                f"the segment {joint.child!r} is the child of two joints, "
                f"{parent_of[joint.child].name!r} and {joint.name!r}; close loops with a Loop task"
            )
        parent_of[joint.child] = joint
    held = [joint for joint in joints if joint.parent == WORLD]
    if not held:
        roots = [segment for segment in segments if segment not in parent_of]
        if not roots:
            raise PoiseError(
                f"the joints of {name!r} go round in a cycle: "
                f"{_cycle(parent_of, next(iter(parent_of)))}; "
                "a figure is a tree, loops are closed with a Loop task"
            )
        if len(roots) > 1:
            listed = ", ".join(map(repr, roots))
            raise PoiseError(
                f"the figure {name!r} has {len(roots)} roots, {listed}: join all but one to a "
                f"parent, or to {WORLD!r}"
            )
        held = [grounded(roots[0])]
        if any(joint.name == held[0].name for joint in joints):
            raise PoiseError(
                f"joint 'root' of {name!r} joins two segments; the name is that of the joint which "
                f"holds {roots[0]!r} to {WORLD!r}"
            )
        joints = [*held, *joints]
    reached = {WORLD}
    order = crossings(joints)
    for joint, backwards in order:
        reached.add(joint.parent if backwards else joint.child)
    if len(order) < len(joints):
        crossed = {joint.name for joint, _ in order}
        left = [j for j in joints if j.name not in crossed]
        closing = [joint for joint in left if joint.child in reached]
        if closing:
            raise PoiseError(
                f"joint {closing[0].name!r} closes a cycle in {name!r}: {closing[0].parent!r} and "
                f"{closing[0].child!r} are joined already; loops are closed with a Loop task"
            )
        for joint in left:
            cycle = _cycle(parent_of, joint.child)
            if cycle:
                raise PoiseError(
                    f"the joints of {name!r} go round in a cycle: {cycle}; "
                    "a figure is a tree, loops are closed with a Loop task"
                )
    astray = [each for each in segments if each not in reached and each not in parent_of]
    if astray:
        listed = ", ".join(map(repr, astray))
        raise PoiseError(
            f"no joint holds {listed} to the rest of {name!r}; join "
            f"{'it' if len(astray) == 1 else 'each'} to a parent, or to {WORLD!r}"
        )
    return list(joints)


def _cycle(parent_of: Mapping[str, Joint], start: str) -> str:
    """The cycle, as text, that walking to the parents ends in; empty when it ends in a root."""
    here = start
    path: list[str] = []
    while here not in path:
        if here not in parent_of:
            return ""
        path.append(here)
        here = parent_of[here].parent
    return " → ".join(reversed([*path[path.index(here) :], here]))


def coordinates_of(
    joints: Sequence[Joint], groups: Sequence[Group]
) -> tuple[list[str], Values, Values]:
    """Names and box limits of the coordinates; a group stands where its first joint does."""
    members = {each for joint in joints for each in joint.coordinates}
    leader: dict[str, Group] = {}
    for group in groups:
        for member in group.terms:
            if member not in members:
                raise unknown_name("coordinate", member, sorted(members), f"group {group.name!r}")
            joint = member.split(".")[0]
            if leader.setdefault(joint, group) is not group:
                raise PoiseError(
                    f"joint {joint!r} is in two groups, {leader[joint].name!r} and {group.name!r}"
                )
    names: list[str] = []
    box: list[tuple[float, float]] = []
    for joint in joints:
        group = leader.get(joint.name)
        if group is None:
            names += joint.coordinates
            box += joint.kind.box
        elif group.coordinates[0] not in names:
            names += group.coordinates
            box += group.parameters.values()
    limits = np.array(box, np.float64).reshape(-1, 2)
    return names, limits[:, 0].copy(), limits[:, 1].copy()


def drives(group: Group, joint: str) -> bool:
    """Whether a joint is among a group's members."""
    return any(member.split(".")[0] == joint for member in group.terms)
