"""Bodies that do not pass through things, through each other and through themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from poise.checking import distance
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure.collision import FLOOR, Part, parts_of
from poise.figure.parts import WORLD
from poise.kernel.contacts.bodies import MOST_ROWS
from poise.kernel.residuals.kinds import AVOID
from poise.tasks.task import Apart, Block, Context, Task, settle

MARGIN = 10.0
"""Metres. A wider margin than this is a mistake."""


@closed
@dataclass(frozen=True)
class Avoid(Task):
    """Keep bodies from passing through props, the floor and other figures.

    Every shape of a figure, and of what it holds, keeps a distance of at least `margin` (m) from
    every solid prop that stands in the world, from the floor (the plane z = 0) and from every other
    figure and what that holds. One inequality for each pair of shapes that is near: the signed
    distance less the margin. A body that begins inside is pushed out the shortest way that tasks
    above allow.

    Args:
        margin: metres.
        bodies: which segments, held props, limbs or figures keep away, by name; None for all.
        things: from what: props, "floor", figures or their segments, by name; None for all.

    BALANCE (thesis 7.2.4) does this by automatic tasks at the first priority.
    """

    has_target: ClassVar[bool] = False

    margin: float = 0.0
    bodies: Any = field(default=None, kw_only=True)
    things: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "margin", _margin(self.margin, "Avoid"))
        settle(self, "bodies", _names(self.bodies, "the bodies of Avoid"))
        settle(self, "things", _names(self.things, "the things of Avoid"))

    def check(self, context: Context) -> None:
        """There must be bodies and things of those names."""
        self.pairs(context)

    def blocks(self, context: Context) -> list[Block]:
        """A row for each pair that is near."""
        return _block(context, self.pairs(context))

    def pairs(self, context: Context) -> list[Apart]:
        """All pairs of shapes that are to stay apart."""
        parts = parts_of(context.figure)
        owners = [_owner(context, part.segment) for part in parts]
        bodies = _chosen(context, parts, owners, self.bodies, "body")
        things = _chosen(context, parts, owners, self.things, "thing")
        found: list[Apart] = []
        for i, one in enumerate(owners):
            for j in range(i + 1, len(parts)):
                other = owners[j]
                if one == other or not (one or other) or parts[i].node == parts[j].node:
                    continue
                takes = (one and i in bodies and j in things) or (
                    other and j in bodies and i in things
                )
                if takes:
                    found.append(Apart(i, j, -self.margin))
        if self.bodies is not None and self.things is not None and not found:
            raise PoiseError("Avoid has no pair: the things are no other figure's, and no props")
        return found


@closed
@dataclass(frozen=True)
class AvoidSelf(Task):
    """Keep every figure from passing through itself, and through what it holds.

    Shapes of different segments of a figure keep a distance of at least `margin` (m) from each
    other. Pairs that touch by design, at rest, may be as deep in each other as there:
    `figure.overlaps` lists them. What a hand holds does not collide with that hand.

    Args:
        margin: metres; pairs that touch by design have none.
    """

    has_target: ClassVar[bool] = False

    margin: float = 0.0

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "margin", _margin(self.margin, "AvoidSelf"))

    def blocks(self, context: Context) -> list[Block]:
        """A row for each pair that is near."""
        return _block(context, self.pairs(context))

    def pairs(self, context: Context) -> list[Apart]:
        """All pairs of shapes that are to stay apart."""
        parts = parts_of(context.figure)
        found: list[Apart] = []
        for name, (figure, _) in context.parts.items():
            first = "" if context.is_single else f"{name}/"
            own, depths = figure.overlaps.allowed()
            number = _numbers(parts, [f"{first}{each}" for each in own])
            for i, j in zip(*np.nonzero(np.triu(depths, 1) < np.inf), strict=True):
                if i < j:
                    allowed = float(depths[i, j])
                    margin = 0.0 if allowed > 0.0 else self.margin
                    found.append(Apart(number[i], number[j], allowed - margin))
            found += self._held(context, parts, name, set(number))
        return found

    def _held(
        self, context: Context, parts: Sequence[Part], name: str, own: set[int]
    ) -> list[Apart]:
        """Pairs of what a figure holds with the figure, but for what holds it and moves with it."""
        found: list[Apart] = []
        for i, part in enumerate(parts):
            if i in own or _owner(context, part.segment) != name:
                continue
            hand = _hand(context, part.segment)
            found += [
                Apart(min(i, j), max(i, j), -self.margin)
                for j in own
                if parts[j].segment not in hand
            ]
        return found


def _margin(given: Any, task: str) -> float:
    margin = distance(given, f"the margin of {task} (m)")
    if not 0.0 <= margin <= MARGIN:
        raise PoiseError(
            f"the margin of {task} must be from 0 to {MARGIN:g} metres, not {margin:g}"
        )
    return margin


def _names(given: Any, what: str) -> tuple[str, ...] | None:
    """One name or several; None stays None."""
    if given is None:
        return None
    told = (given,) if isinstance(given, str) else given
    if not np.iterable(told) or not all(isinstance(each, str) for each in told):
        raise PoiseError(f"{what} must be names, not {given!r}")
    if not (found := tuple(told)):
        raise PoiseError(f"{what} must be at least one name; leave them out for all")
    return found


def _block(context: Context, pairs: Sequence[Apart]) -> list[Block]:
    rows = min(len(pairs), MOST_ROWS * max(len(context.parts), 1))
    if not rows:
        return []
    return [Block(AVOID, rows, np.zeros(2), inequality=True, apart=tuple(pairs))]


def _owner(context: Context, segment: str) -> str:
    """The figure that a segment or held prop is of; "" for what stands in the world."""
    if segment == FLOOR:
        return ""
    for name, (figure, _) in context.parts.items():
        if context.is_single:
            if segment in figure.segments:
                return name
        elif segment.startswith(f"{name}/"):
            return name
    joints = context.figure.joints
    parent = next(joint.parent for joint in joints.values() if joint.child == segment)
    return "" if parent == WORLD else next(iter(context.parts))


def _chosen(
    context: Context, parts: Sequence[Part], owners: Sequence[str], told: Any, what: str
) -> set[int]:
    """The numbers of the shapes that some names mean."""
    if told is None:
        return set(range(len(parts)))
    found: set[int] = set()
    for name in told:
        meant = {
            i
            for i, part in enumerate(parts)
            if name in (part.segment, owners[i], part.segment.rpartition("/")[2])
            or part.segment in _limb(context, name)
        }
        if not meant:
            known = dict.fromkeys([part.segment for part in parts])
            raise unknown_name(what, name, [*context.parts, *known], "Avoid")
        found |= meant
    return found


def _limb(context: Context, name: str) -> set[str]:
    """The segments that the joints of a limb move; none where there is no limb of that name."""
    figure = context.figure
    parts = {each.rpartition(".")[0] for each in figure.limbs.get(name, ())}
    for group in parts & set(figure.groups):
        parts |= {member.rpartition(".")[0] for member in figure.groups[group].terms}
    return {joint.child for joint in figure.joints.values() if joint.name in parts}


def _numbers(parts: Sequence[Part], segments: Sequence[str]) -> list[int]:
    """The number among all parts of each of a figure's shapes, which are in the same order."""
    places: dict[str, list[int]] = {}
    for i, part in enumerate(parts):
        places.setdefault(part.segment, []).append(i)
    used: dict[str, int] = {}
    found: list[int] = []
    for name in segments:
        at = used.get(name, 0)
        used[name] = at + 1
        found.append(places[name][at])
    return found


def _hand(context: Context, prop: str) -> set[str]:
    """What holds a prop, and all that hangs on that: a hand with its fingers."""
    joints = context.figure.joints.values()
    holder = next(joint.parent for joint in joints if joint.child == prop)
    found, more = {holder}, True
    while more:
        beyond = {joint.child for joint in joints if joint.parent in found} - found
        found |= beyond
        more = bool(beyond)
    return found
