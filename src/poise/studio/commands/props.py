"""Props: put there, held, moved, changed, taken away."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from poise import checking
from poise.errors import PoiseError, unknown_name
from poise.figure import Transform
from poise.figure.props import Prop
from poise.figure.transform import rotation_matrix
from poise.studio.commands.base import Change, Name, Point, Quaternion
from poise.studio.document import Document
from poise.studio.dragging import turned
from poise.studio.refitting import refitted
from poise.studio.resizing import MAKERS, changed, check_mass, check_sizes

_Sizes = Annotated[
    list[float],
    Field(min_length=1, max_length=3),
    BeforeValidator(lambda value: list(value) if isinstance(value, tuple) else value),
]
"""m; how large each may be is said where it is known what it is called."""
_Turn = Quaternion | Point
"""A quaternion w x y z, or a rotation vector (rad)."""


class _PropChange(Change):
    told = ("tasks", "figure")


class AddProp(_PropChange):
    """Put a box (x, y, z), a sphere (radius) or a cylinder (radius, height) into the world."""

    do: Literal["add_prop"] = "add_prop"
    kind: Literal["box", "sphere", "cylinder"]
    size: _Sizes
    mass: float = 1.0
    position: Point = (0.0, 0.0, 0.0)
    rotation: _Turn | None = None
    name: str | None = None
    color: Annotated[str, Field(pattern="^#[0-9a-fA-F]{6}$")] | None = None

    @property
    def title(self) -> str:
        """Which kind."""
        return f"add a {self.kind}"

    def change(self, document: Document) -> None:
        """Make it and place it."""
        name = _free_name(document, self.kind) if self.name is None else self.name
        _check_new(document, name)
        document.scene.place(
            self._prop(name), Transform(_rotation(self.rotation), np.array(self.position))
        )

    def _prop(self, name: str) -> Prop:
        check_sizes(self.kind, self.size)
        check_mass(self.mass)
        settings = {"color": self.color} if self.color else {}
        return MAKERS[self.kind](*self.size, mass=self.mass, name=name, **settings)


class EditProp(_PropChange):
    """Change a prop's name, sizes (m) or mass (kg); what is not given stays.

    Tasks and forces about it follow. One that stands keeps its bottom where it is.
    """

    do: Literal["edit_prop"] = "edit_prop"
    prop: Name
    new_name: str | None = None
    size: _Sizes | None = None
    mass: float | None = None

    @property
    def title(self) -> str:
        """What."""
        return f"change {self.prop}"

    def change(self, document: Document) -> None:
        """Let another stand in its place."""
        _checked(document, self.prop)
        new = self.new_name
        if new is not None and new != self.prop:
            _check_new(document, new)
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


def _check_new(document: Document, name: str) -> None:
    checking.name(name, "prop")
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
