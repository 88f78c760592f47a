"""A figure's flat form for the kernels: joints taken apart into nodes (see `kernel.body.tree`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.kinds.kind import Chain
from poise.figure.kinds.steps import NODES
from poise.figure.parts import WORLD, Group, Joint, Segment
from poise.figure.shapes import shifted
from poise.figure.transform import IDENTITY, Transform
from poise.kernel.body.tree import FIXED, WIDTH, Tree


@dataclass
class _Node:
    """A node on its way into the arrays."""

    parent: int
    kind: int
    reverse: bool
    first: int
    fixed: Transform


@dataclass(frozen=True)
class Packed:
    """A tree for the kernels, and where each segment and joint is found in it."""

    tree: Tree
    segments: Mapping[str, tuple[int, Transform]]
    joints: Mapping[str, tuple[int, Transform]]
    """The joint's frame (fixed in the parent segment): the node it rides on and its place there."""
    first_member: Mapping[str, int]


def crossings(joints: Sequence[Joint]) -> list[tuple[Joint, bool]]:
    """The joints in order from the ground outwards, and whether each is crossed backwards.

    A joint is crossed backwards where the figure was re-rooted beyond it: from its child to its
    parent. Joints that the ground does not reach are left out.
    """
    touching: dict[str, list[tuple[Joint, bool]]] = {}
    for joint in joints:
        touching.setdefault(joint.parent, []).append((joint, False))
        if joint.parent != WORLD:
            touching.setdefault(joint.child, []).append((joint, True))
    order: list[tuple[Joint, bool]] = []
    seen = {WORLD}
    stack = [WORLD]
    while stack:
        here = stack.pop()
        onward: list[str] = []
        for joint, backwards in touching.get(here, ()):
            there = joint.parent if backwards else joint.child
            if there not in seen:
                seen.add(there)
                order.append((joint, backwards))
                onward.append(there)
        stack.extend(reversed(onward))
    return order


def pack(
    segments: Mapping[str, Segment],
    joints: Sequence[Joint],
    groups: Sequence[Group],
    coordinates: Mapping[str, int],
) -> Packed:
    """Take a figure apart into nodes.

    Args:
        segments: by name.
        joints: a tree that the ground reaches, in the order of the coordinates.
        groups: joint groups.
        coordinates: index of each public coordinate by its full name.
    """
    first_member: dict[str, int] = {}
    members: list[str] = []
    for joint in joints:
        first_member[joint.name] = len(members)
        members.extend(joint.coordinates)

    nodes = [_Node(0, FIXED, False, 0, IDENTITY)]
    places: dict[str, tuple[int, Transform]] = {WORLD: (0, IDENTITY)}
    frames: dict[str, tuple[int, Transform]] = {}
    for joint, backwards in crossings(joints):
        parent, child = (joint.child, joint.parent) if backwards else (joint.parent, joint.child)
        at, fixed = places[parent]
        chain: Chain = [joint.before, *joint.kind.chain(), joint.after]
        members_left = first_member[joint.name]
        widths = [WIDTH[NODES[link]] for link in chain if isinstance(link, str)]
        firsts = [members_left + sum(widths[:i]) for i in range(len(widths))]
        if backwards:
            chain = [link if isinstance(link, str) else link.inverse() for link in reversed(chain)]
            firsts.reverse()
        else:
            frames[joint.name] = (at, fixed @ joint.before)
        for link in chain:
            if isinstance(link, str):
                nodes.append(_Node(at, NODES[link], backwards, firsts.pop(0), fixed))
                at, fixed = len(nodes) - 1, IDENTITY
            else:
                fixed = fixed @ link
        places[child] = (at, fixed)
        if backwards:
            frames[joint.name] = (at, fixed @ joint.before)
    tree = _tree(nodes, segments, places, members, groups, coordinates)
    return Packed(tree, places, frames, first_member)


def _tree(
    nodes: list[_Node],
    segments: Mapping[str, Segment],
    places: Mapping[str, tuple[int, Transform]],
    members: list[str],
    groups: Sequence[Group],
    coordinates: Mapping[str, int],
) -> Tree:
    count = len(nodes)
    parent = np.array([node.parent for node in nodes], np.int64)
    kinds = [node.kind for node in nodes]
    fixed_rotation = np.array([node.fixed.rotation for node in nodes]).reshape(count, 9)
    mass, center, second = _masses(count, segments, places)
    below = mass.copy()
    for j in range(count - 1, 0, -1):
        below[parent[j]] += below[j]
    member_node = np.zeros(len(members), np.int64)
    for j, node in enumerate(nodes):
        member_node[node.first : node.first + WIDTH[node.kind]] = j

    driven = {member for group in groups for member in group.terms}
    grouped = {joint for group in groups for joint in _joints_of(group)}
    source = np.array(
        [
            -1 if member in driven or member.split(".")[0] in grouped else coordinates[member]
            for member in members
        ],
        np.int64,
    ).reshape(-1)
    terms = _Terms(members, source, coordinates)
    for group in groups:
        terms.add(group)
    sums, columns = _sums_and_columns(nodes, source, terms)
    return Tree(
        parent=parent,
        kind=np.array(kinds, np.int64),
        reverse=np.array([node.reverse for node in nodes], np.int64),
        first=np.array([node.first for node in nodes], np.int64),
        turned=np.array([np.any(node.fixed.rotation != np.eye(3)) for node in nodes], np.int64),
        fixed_rotation=np.ascontiguousarray(fixed_rotation),
        fixed_position=np.array([node.fixed.position for node in nodes]),
        mass=mass,
        center=center,
        second_moment=second,
        below=below,
        member_node=member_node,
        source=source,
        term_member=_ints(terms.member),
        term_value=np.array(terms.value, np.float64),
        factor_start=_ints(terms.factor_start),
        factor_coordinate=_ints(terms.factor_coordinate),
        factor_power=_ints(terms.factor_power),
        factor_drive=_ints(terms.factor_drive),
        drive_member=_ints(terms.drive_member),
        drive_coordinate=_ints(terms.drive_coordinate),
        drive_rate=np.ones(len(terms.drive_member)),
        sum_before=_ints(sums.before),
        sum_start=_ints(sums.start),
        sum_drive=_ints(sums.drive),
        column_start=columns.start,
        column_coordinate=np.concatenate(columns.coordinate),
        column_twist=np.concatenate(columns.twist),
    )


def _masses(
    count: int, segments: Mapping[str, Segment], places: Mapping[str, tuple[int, Transform]]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Mass, centre and second moment (about the node's origin) of all that rides on each node."""
    mass, first, tensor = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3))
    for name, segment in segments.items():
        node, place = places[name]
        m, center, inertia = segment.mass_properties()
        at = place.apply(center)
        # ∫ r rᵀ = ½ tr(I) − I, from the inertia about the centre of mass moved to the origin.
        turned = place.rotation @ inertia @ place.rotation.T + m * shifted(at)
        tensor[node] += 0.5 * np.trace(turned) * np.eye(3) - turned
        mass[node] += m
        first[node] += m * at
    center = np.divide(first, mass[:, None], out=np.zeros_like(first), where=mass[:, None] > 0)
    packed = np.ascontiguousarray(tensor[:, (0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)])
    return mass, center, packed


class _Terms:
    """Group terms and drives as flat lists. The first drives are the members' own."""

    def __init__(
        self, members: list[str], source: NDArray[np.int64], coordinates: Mapping[str, int]
    ) -> None:
        self.index = {name: i for i, name in enumerate(members)}
        self.coordinates = coordinates
        self.member: list[int] = []
        self.value: list[float] = []
        self.factor_start = [0]
        self.factor_coordinate: list[int] = []
        self.factor_power: list[int] = []
        self.factor_drive: list[int] = []
        self.drive_member = list(range(len(members)))
        self.drive_coordinate = source.tolist()
        self.drives: dict[tuple[int, int], int] = {}

    def add(self, group: Group) -> None:
        for member, monomials in group.terms.items():
            i = self.index[member]
            for monomial in monomials:
                self.member.append(i)
                self.value.append(monomial.factor)
                for parameter, power in monomial.powers.items():
                    c = self.coordinates[f"{group.name}.{parameter}"]
                    self.factor_coordinate.append(c)
                    self.factor_power.append(power)
                    self.factor_drive.append(self._drive(i, c))
                self.factor_start.append(len(self.factor_coordinate))

    def _drive(self, member: int, coordinate: int) -> int:
        key = (member, coordinate)
        if key not in self.drives:
            self.drives[key] = len(self.drive_member)
            self.drive_member.append(member)
            self.drive_coordinate.append(coordinate)
        return self.drives[key]


class _Sums:
    """Cumulated twists of the groups' parameters."""

    def __init__(self) -> None:
        self.before: list[int] = []
        self.start = [0]
        self.drive: list[int] = []


class _Columns:
    """Which coordinates move each node, by which twist.

    A node has all that its parent has, so in a long chain they are many: arrays that are copied
    at once, not lists.
    """

    def __init__(self) -> None:
        self.coordinate: list[NDArray[np.int64]] = []
        self.twist: list[NDArray[np.int64]] = []

    def add(self, parent: int | None, own: Mapping[int, int]) -> None:
        """A node with what moves its parent, and what moves itself: twists by coordinate."""
        none = np.zeros(0, np.int64)
        coordinate = none if parent is None else self.coordinate[parent]
        twist = none if parent is None else self.twist[parent]
        again = np.isin(coordinate, list(own)) if own else np.zeros(coordinate.size, bool)
        if again.any():  # a group's parameter that moves the parent as well
            twist = twist.copy()
            twist[again] = [own[c] for c in coordinate[again].tolist()]
        kept = set(coordinate[again].tolist())
        new = [c for c in own if c not in kept]
        if new:
            coordinate = np.concatenate([coordinate, new])
            twist = np.concatenate([twist, [own[c] for c in new]])
        self.coordinate.append(coordinate)
        self.twist.append(twist)

    def twist_of(self, node: int, coordinate: int) -> int | None:
        """By which twist a coordinate moves a node; None if it does not."""
        (found,) = np.nonzero(self.coordinate[node] == coordinate)
        return int(self.twist[node][found[0]]) if found.size else None

    @property
    def start(self) -> NDArray[np.int64]:
        """Where each node's columns begin, and where all end."""
        return np.cumsum([0, *(each.size for each in self.coordinate)], dtype=np.int64)


def _sums_and_columns(
    nodes: list[_Node], source: NDArray[np.int64], terms: _Terms
) -> tuple[_Sums, _Columns]:
    members = source.size
    by_member: dict[int, list[tuple[int, int]]] = {}
    for (member, coordinate), drive in terms.drives.items():
        by_member.setdefault(member, []).append((coordinate, drive))
    sums, columns = _Sums(), _Columns()
    for j, node in enumerate(nodes):
        parent = node.parent if j else None
        own: dict[int, int] = {}
        pending: dict[int, list[int]] = {}
        for i in range(node.first, node.first + WIDTH[node.kind]):
            if source[i] >= 0:
                own[int(source[i])] = i
            for coordinate, drive in by_member.get(i, ()):
                pending.setdefault(coordinate, []).append(drive)
        for coordinate, drives in pending.items():
            before = None if parent is None else columns.twist_of(parent, coordinate)
            sums.before.append(-1 if before is None else before - members)
            sums.drive.extend(drives)
            sums.start.append(len(sums.drive))
            own[coordinate] = members + len(sums.before) - 1
        columns.add(parent, own)
    return sums, columns


def _joints_of(group: Group) -> set[str]:
    return {member.split(".")[0] for member in group.terms}


def _ints(values: list[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)
