"""Props: put there, held, moved, changed, taken away."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from poise.errors import PoiseError, unknown_name
from poise.figure import Transform
from poise.figure.props import Prop
from poise.figure.transform import rotation_matrix
from poise.studio.commands.base import Change, Name, Point, Quaternion
from poise.studio.document import Document
from poise.studio.dragging import turned
from poise.studio.refitting import refitted
from poise.studio.resizing import MAKERS, changed

_Size = Annotated[float, Field(gt=0, le=100)]
_Sizes = Annotated[
    list[_Size],
    Field(min_length=1, max_length=3),
    BeforeValidator(lambda value: list(value) if isinstance(value, tuple) else value),
]
_Mass = Annotated[float, Field(ge=0, le=1e6)]
_Turn = Quaternion | Point
"""A quaternion w x y z, or a rotation vector (rad)."""


class _PropChange(Change):
    told = ("tasks", "figure")


class AddProp(_PropChange):
    """Put a box (x, y, z), a sphere (radius) or a cylinder (radius, height) into the world."""

    do: Literal["add_prop"] = "add_prop"
    kind: Literal["box", "sphere", "cylinder"]
    size: _Sizes
    mass: _Mass = 1.0
    position: Point = (0.0, 0.0, 0.0)
    rotation: _Turn | None = None
    name: Name | None = None
    color: Annotated[str, Field(pattern="^#[0-9a-fA-F]{6}$")] | None = None

    @property
    def title(self) -> str:
        """Which kind."""
        return f"add a {self.kind}"

    def change(self, document: Document) -> None:
        """Make it and place it."""
        name = self.name or _free_name(document, self.kind)
        _check_free(document, name)
        document.scene.place(
            self._prop(name), Transform(_rotation(self.rotation), np.array(self.position))
        )

    def _prop(self, name: str) -> Prop:
        counts = {"box": 3, "sphere": 1, "cylinder": 2}
        if len(self.size) != counts[self.kind]:
            raise PoiseError(f"a {self.kind} takes {counts[self.kind]} sizes, not {len(self.size)}")
        settings = {"color": self.color} if self.color else {}
        return MAKERS[self.kind](*self.size, mass=self.mass, name=name, **settings)


class EditProp(_PropChange):
    """Change a prop's name, sizes (m) or mass (kg); what is not given stays.

    Tasks and forces about it follow. One that stands keeps its bottom where it is.
    """

    do: Literal["edit_prop"] = "edit_prop"
    prop: Name
    new_name: Name | None = None
    size: _Sizes | None = None
    mass: _Mass | None = None

    @property
    def title(self) -> str:
        """What."""
        return f"change {self.prop}"

    def change(self, document: Document) -> None:
        """Let another stand in its place."""
        _checked(document, self.prop)
        new = self.new_name
        if new is not None and new != self.prop:
            _check_free(document, new)
            document.renamed |= {(kind, self.prop): new for kind in ("prop", "segment")}
        thing = changed(document.scene.props[self.prop], name=new, size=self.size, mass=self.mass)
        refitted(document, dict(document.scene.given), props={self.prop: thing})


class HoldProp(_PropChange):
    """Let a site hold a prop: where it is now, or with one of the prop's sites on it."""

    do: Literal["hold_prop"] = "hold_prop"
    prop: Name
    site: Name
    at: Name | None = None

    @property
    def title(self) -> str:
        """What and where."""
        return f"hold {self.prop}"

    def change(self, document: Document) -> None:
        """Attach it."""
        _checked(document, self.prop)
        document.scene.hold(self.prop, self.site, at=self.at)


class ReleaseProp(_PropChange):
    """Let go of a prop: it stays where it is."""

    do: Literal["release_prop"] = "release_prop"
    prop: Name

    @property
    def title(self) -> str:
        """What."""
        return f"let go of {self.prop}"

    def change(self, document: Document) -> None:
        """Release it."""
        _checked(document, self.prop)
        document.scene.release(self.prop)


class PlaceProp(_PropChange):
    """Put a prop elsewhere; what is not given stays. One that is held is let go."""

    do: Literal["place_prop"] = "place_prop"
    prop: Name
    position: Point | None = None
    rotation: _Turn | None = None

    @property
    def title(self) -> str:
        """What."""
        return f"place {self.prop}"

    def change(self, document: Document) -> None:
        """Move it."""
        _checked(document, self.prop)
        now = document.scene.places[self.prop]
        rotation = now.rotation if self.rotation is None else _rotation(self.rotation)
        position = now.position if self.position is None else np.array(self.position)
        document.scene.place(self.prop, Transform(rotation, position))


class RemoveProp(_PropChange):
    """Take a prop away; tasks about it must be removed before."""

    do: Literal["remove_prop"] = "remove_prop"
    prop: Name

    @property
    def title(self) -> str:
        """What."""
        return f"remove {self.prop}"

    def change(self, document: Document) -> None:
        """Remove it."""
        _checked(document, self.prop)
        document.scene.remove(self.prop)


def _check_free(document: Document, name: str) -> None:
    if name in document.scene.props:
        raise PoiseError(f"there is a prop named {name!r} already", remedy="name")


def _checked(document: Document, prop: str) -> None:
    if prop not in document.scene.props:
        raise unknown_name("prop", prop, document.scene.props)


def _rotation(turn: _Turn | None) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    if turn is None:
        return np.eye(3)
    return turned(turn) if len(turn) == 4 else rotation_matrix(turn)


def _free_name(document: Document, stem: str) -> str:
    whole = document.whole
    taken = {*whole.segments, *whole.joints, *whole.sites, *whole.groups, *document.scene.figures}
    name, count = stem, 1
    while name in taken:
        count += 1
        name = f"{stem}_{count}"
    return name
