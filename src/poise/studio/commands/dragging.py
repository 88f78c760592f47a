"""Taking hold of something, moving it, letting go."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from poise.errors import PoiseError
from poise.studio.commands.base import Command, Force, Name, Point, Quaternion, Value
from poise.studio.document import Document
from poise.studio.dragging import (
    AngleDrag,
    Drag,
    ForceDrag,
    GoalDrag,
    PinDrag,
    PointDrag,
    ThingDrag,
    held_by,
)

_Recruit = Annotated[int, Field(ge=1, le=1000)]


class Grab(Command):
    """Take hold of a point of a segment, a task's goal, a prop, a force or a joint's angle.

    A segment that pins or goals hold is moved with these: it would not move else.
    """

    do: Literal["grab"] = "grab"
    what: Literal["point", "goal", "prop", "force", "angle"] = "point"
    segment: Name | None = None
    point: Point | None = None
    """In the segment's axes."""
    task: Name | None = None
    prop: Name | None = None
    force: Name | None = None
    joint: Name | None = None
    angle: Name | None = None
    mode: Literal["body", "limb", "joint"] = "body"
    recruit: _Recruit | None = None

    def drag(self, document: Document) -> Drag:
        """Begin."""
        if self.what == "point":
            segment, point = self._needed("segment"), self.point
            if point is None:
                raise PoiseError("to grab a point needs the field 'point', in the segment's axes")
            pins = held_by(document, segment)
            if pins:
                return PinDrag(document, segment, point, pins)
            return PointDrag(document, segment, point, mode=self.mode, recruit=self.recruit)
        if self.what == "goal":
            return GoalDrag(document, self._needed("task"))
        if self.what == "prop":
            return ThingDrag(document, self._needed("prop"))
        if self.what == "angle":
            return AngleDrag(document, self._needed("joint"), self._needed("angle"))
        return ForceDrag(document, self._needed("force"))

    def _needed(self, field: str) -> str:
        value = getattr(self, field)
        if value is None:
            raise PoiseError(f"to grab a {self.what} needs the field {field!r}")
        return value


class Move(Command):
    """Where what was grabbed is to go; of a force its new vector (N) is given as the point."""

    do: Literal["move"] = "move"
    point: Force | None = None
    rotation: Quaternion | None = None
    value: Value | None = None
    """Of an angle, rad, or m."""
    sequence: Annotated[int, Field(ge=0, le=2**53)] = 0
    recruit: _Recruit | None = None


class Release(Command):
    """Let go: what came of the drag stays."""

    do: Literal["release"] = "release"


class Cancel(Command):
    """Let go, and be as before."""

    do: Literal["cancel"] = "cancel"
