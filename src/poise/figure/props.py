"""Props: rigid objects with sites, to be held or to stand about (`Scene.hold`, `Scene.place`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from poise.calls import public
from poise.checking import Vec3, instances, length
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure.frames import turned_place
from poise.figure.parts import Segment, Site
from poise.figure.shapes import Box, Cylinder, Shape, Sphere
from poise.figure.transform import Transform, rotation_vector
from poise.units import warn_of_size

PROP_COLOR = "#b98a5a"
"""Of a prop that names none, in pictures."""

# Outward normal of each face, and the rotation vector of the frame on it.
_FACES: dict[str, tuple[Vec3, Vec3]] = {
    "top": ((0.0, 0.0, 1.0), (np.pi, 0.0, 0.0)),
    "bottom": ((0.0, 0.0, -1.0), (0.0, 0.0, 0.0)),
    "front": ((1.0, 0.0, 0.0), (0.0, -0.5 * np.pi, 0.0)),
    "back": ((-1.0, 0.0, 0.0), (np.pi / np.sqrt(2.0), 0.0, np.pi / np.sqrt(2.0))),
    "left": ((0.0, 1.0, 0.0), (0.5 * np.pi, 0.0, 0.0)),
    "right": ((0.0, -1.0, 0.0), (-0.5 * np.pi, 0.0, 0.0)),
}


@closed
@dataclass(frozen=True)
class MeshFile:
    """The file that a prop was read from, and how (`poise.mesh`)."""

    path: Path
    scale: float
    up: str
    pieces: int
    """At most so many convex ones."""
    color: str | None
    """Of all of it; None if it has the file's own colours."""
    shapes: tuple[Shape, ...] = field(repr=False)
    """What was made of it."""
    sites: tuple[Site, ...] = field(repr=False)
    """Those on the box around it."""


@closed
@public
@dataclass(frozen=True)
class Prop:
    """A rigid object: one segment with its mass and shapes, and sites on it.

    In a scene its sites are named `prop/site`, as in "box/top", and the prop's own frame goes by
    its name alone. Ready ones: `poise.box`, `poise.sphere`, `poise.cylinder`, with their frame in
    the centre, and `poise.mesh`, with that of its file. The site on a face has its z axis going
    *into* the prop, so that a palm or a sole, whose z axis points out of the body, lies flat on
    the face when both frames coincide.
    """

    segment: Segment
    sites: tuple[Site, ...] = ()
    solid: bool = True
    """Whether bodies cannot pass through it; False makes it a ghost."""
    source: MeshFile | None = field(default=None, compare=False, repr=False)
    """The file that it was read from, if it was."""

    def __post_init__(self) -> None:
        """Check that the sites are this prop's, each name once."""
        if not isinstance(self.segment, Segment):
            raise PoiseError(f"a prop is made of a Segment, not of {self.segment!r}")
        if not isinstance(self.solid, bool):
            raise PoiseError(f"solid must be True or False, not {self.solid!r}")
        sites = instances(self.sites, Site, f"sites of the prop {self.name!r}")
        object.__setattr__(self, "sites", tuple(sites))
        seen: set[str] = set()
        for site in self.sites:
            if site.segment != self.name:
                raise PoiseError(
                    f"the site {site.name!r} is on {site.segment!r}, not on the prop {self.name!r}"
                )
            if site.name in seen:
                raise PoiseError(f"the prop {self.name!r} has two sites named {site.name!r}")
            seen.add(site.name)

    def __repr__(self) -> str:
        """The name, the mass and the sites' names."""
        names = ", ".join(site.name for site in self.sites)
        return f"<Prop {self.name!r}: {self.mass:.4g} kg, sites {names or 'none'}>"

    @property
    def name(self) -> str:
        """What it is called, its segment's name."""
        return self.segment.name

    @property
    def mass(self) -> float:
        """In kg."""
        return self.segment.mass_properties()[0]

    @property
    def is_as_read(self) -> bool:
        """Whether its file, with a name, a mass and sites of its own, gives this prop again."""
        segment, source = self.segment, self.source
        return (
            source is not None
            and segment.shapes == source.shapes
            and segment.mass is not None
            and segment.center is None
            and segment.inertia is None
            and self.sites[: len(source.sites)]
            == tuple(replace(site, segment=self.name) for site in source.sites)
        )

    def site(self, name: str) -> Transform:
        """The frame of a site in that of the prop."""
        for site in self.sites:
            if site.name == name:
                return site.place
        raise unknown_name("site", name, [site.name for site in self.sites], f"prop {self.name!r}")

    def with_site(
        self,
        name: str,
        position: Any = None,
        rotation: Any = None,
        *,
        outline: Iterable[tuple[float, float]] = (),
    ) -> Prop:
        """The same prop with one more site, such as the handle of a mug.

        Args:
            name: of the site.
            position: in the prop's frame (m), the origin if not given; or a whole frame, see
                `poise.figure.frames`.
            rotation: a matrix (3, 3), a unit quaternion (w x y z) or a rotation vector (rad); none
                if not given.
            outline: of a face to stand on, see `Site`.
        """
        place = turned_place(position, rotation, f"of site {name!r}")
        at, turned = tuple(place.position.tolist()), rotation_vector(place.rotation)
        site = Site(name, self.name, at, tuple(turned.tolist()), tuple(outline))
        return replace(self, sites=(*self.sites, site))


@public
def box(
    x: float,
    y: float,
    z: float,
    *,
    mass: float = 1.0,
    name: str = "box",
    color: str = PROP_COLOR,
    solid: bool = True,
) -> Prop:
    """A box with its frame in the centre.

    Sites: center; top, bottom, front (+x), back, left (+y), right in the middle of the faces;
    and the corners, top_front_left to bottom_back_right, with the axes of the prop.

    Args:
        x: its length from back to front (m).
        y: its width from right to left (m).
        z: its height (m).
        mass: kg.
        name: of the prop.
        color: for pictures, like "#b98a5a".
        solid: whether bodies cannot pass through it.
    """
    shape = Box((0.0, 0.0, 0.0), (x, y, z))
    warn_of_size(shape.size, "box")
    half = 0.5 * np.array(shape.size)
    segment = Segment(name, mass, shapes=(shape,), color=color)
    corners = [
        Site(f"{vertical}_{along}_{side}", name, tuple((half * (c, b, a)).tolist()))
        for a, vertical in ((1, "top"), (-1, "bottom"))
        for c, along in ((1, "front"), (-1, "back"))
        for b, side in ((1, "left"), (-1, "right"))
    ]
    return Prop(segment, (*faces(name, half), *corners), solid)


@public
def sphere(
    radius: float,
    *,
    mass: float = 1.0,
    name: str = "sphere",
    color: str = PROP_COLOR,
    solid: bool = True,
) -> Prop:
    """A ball with its frame in the centre.

    Sites: center, and top, bottom, front, back, left, right where the axes meet the surface.

    Args:
        radius: m.
        mass: kg.
        name: of the prop.
        color: for pictures.
        solid: whether bodies cannot pass through it.
    """
    size = length(radius, "the radius of a sphere")
    warn_of_size([size], "sphere")
    segment = Segment(name, mass, shapes=(Sphere((0, 0, 0), size),), color=color)
    return Prop(segment, faces(name, np.full(3, size)), solid)


@public
def cylinder(
    radius: float,
    height: float,
    *,
    mass: float = 1.0,
    name: str = "cylinder",
    color: str = PROP_COLOR,
    solid: bool = True,
) -> Prop:
    """An upright cylinder with its frame in the centre.

    Sites: center, top and bottom in the middle of the flat faces; front, back, left and right
    half way up on the mantle.

    Args:
        radius: m.
        height: along z (m).
        mass: kg.
        name: of the prop.
        color: for pictures.
        solid: whether bodies cannot pass through it.
    """
    wide = length(radius, "the radius of a cylinder")
    tall = length(height, "the height of a cylinder")
    warn_of_size([wide, tall], "cylinder")
    half = 0.5 * tall
    shape = Cylinder((0, 0, -half), (0, 0, half), wide)
    segment = Segment(name, mass, shapes=(shape,), color=color)
    return Prop(segment, faces(name, np.array([wide, wide, half])), solid)


def faces(name: str, half: Any, center: Any = (0.0, 0.0, 0.0)) -> tuple[Site, ...]:
    """The centre, and a frame on each side at half the extent from it.

    The z axis goes inwards. The x axis, along which fingers and toes lie, is the prop's own, or
    points up on the front and the back.
    """
    return (
        Site("center", name, tuple(np.add(center, 0.0).tolist())),
        *(
            Site(face, name, tuple((center + half * normal).tolist()), rotation)
            for face, (normal, rotation) in _FACES.items()
        ),
    )
