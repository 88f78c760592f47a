"""The links of a URDF file as segments: masses, shapes and colours."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np

from poise.checking import SHORTEST
from poise.errors import unknown_name
from poise.figure.parts import WORLD, Segment
from poise.figure.shapes import Box, Capsule, Cylinder, Shape, Sphere
from poise.figure.transform import IDENTITY, Matrix, Transform, rotation_matrix
from poise.formats.hostile import Element, Names, short
from poise.formats.placing import color_text, parted, weighed

_SOLIDS = ("box", "cylinder", "sphere", "capsule")


class Links:
    """The links of a file, by its names for them.

    Attributes:
        elements: the elements.
        segments: what they became; without the link that is the ground, if there is one.
        names: ours.
        has_ground: whether the root link is named "world" and holds nothing, so is the ground.
        notes: what was left out.
    """

    def __init__(self, top: Element, links: list[Element], children: Collection[str]) -> None:
        """Read all links.

        Args:
            top: the root element.
            links: the <link> elements.
            children: names of links that joints have as their child.
        """
        self.elements: dict[str, Element] = {}
        self.segments: dict[str, Segment] = {}
        self.names = Names(WORLD)
        self.has_ground = False
        self.notes: list[str] = []
        self._meshes: list[str] = []
        self._specks: list[str] = []
        self._colors = {
            material.attributes.get("name", ""): color
            for material in top.all("material")
            if (color := _color(material))
        }
        for link in links:
            name = link.text("name")
            if name in self.elements:
                raise link.error(f"another link has this name, in line {self.elements[name].line}")
            self.elements[name] = link
        for name, link in self.elements.items():
            is_ground = name == WORLD and name not in children and not _holds(link)
            if is_ground and len(links) > 1:
                self.has_ground = True
            else:
                with link.explained():
                    self.segments[name] = self._segment(name, link)
        for what, found in (("meshes are not read", self._meshes), ("too small", self._specks)):
            if found:
                listed = ", ".join(dict.fromkeys(map(short, found)))
                self.notes.append(f"shapes left out, {what}: {len(found)} of {short(listed, 200)}")

    def end(self, name: str, joint: Element, *, is_parent: bool = False) -> str:
        """Our name for the link at an end of a joint."""
        if self.has_ground and name == WORLD and is_parent:
            return WORLD
        if name not in self.segments:
            raise unknown_name("link", short(name), self.segments, joint.where)
        return self.segments[name].name

    def _segment(self, name: str, link: Element) -> Segment:
        collides = any(True for _ in link.all("collision"))
        shapes = self._shapes(name, link, "collision" if collides else "visual")
        colors = [self._color(visual) for visual in link.all("visual")]
        color = next((each for each in colors if each), None)
        ours = self.names.fresh(name)
        inertial = link.one("inertial")
        if inertial is None:
            return Segment(ours, shapes=shapes, color=color)
        place = origin(inertial)
        with inertial.explained():
            mass = inertial.need("mass").number("value")
            center, _ = parted(place)
            tensor = _inertia(inertial, place)
            return weighed(ours, mass, center, tensor, shapes, color, self.notes)

    def _shapes(
        self, name: str, link: Element, role: Literal["collision", "visual"]
    ) -> tuple[Shape, ...]:
        shapes: list[Shape] = []
        for element in link.all(role):
            with element.explained():
                geometry = element.need("geometry")
                if geometry.one("mesh") is not None:
                    self._meshes.append(name)
                    continue
                found = [each for each in geometry.children if each.tag in _SOLIDS]
                if len(found) != 1:
                    raise geometry.error(f"it must hold one of {', '.join(_SOLIDS)} or mesh")
                shape = _shape(found[0], origin(element))
                if shape is None:
                    self._specks.append(name)
                else:
                    shapes.append(shape)
        return tuple(shapes)

    def _color(self, visual: Element) -> str | None:
        material = visual.one("material")
        if material is None:
            return None
        return _color(material) or self._colors.get(material.attributes.get("name", ""))


def origin(element: Element) -> Transform:
    """The <origin> of an element: xyz in metres, then roll, pitch, yaw about fixed axes."""
    found = element.one("origin")
    if found is None:
        return IDENTITY
    roll, pitch, yaw = found.numbers("rpy", (0.0, 0.0, 0.0))
    turn = rotation_matrix([0, 0, yaw]) @ rotation_matrix([0, pitch, 0])
    return Transform(
        turn @ rotation_matrix([roll, 0, 0]), np.array(found.numbers("xyz", (0.0, 0.0, 0.0)))
    )


def _holds(link: Element) -> bool:
    return any(True for _ in link.all("inertial", "collision", "visual"))


def _inertia(inertial: Element, place: Transform) -> Matrix | None:
    """The tensor about the centre of mass, turned into the link's axes."""
    found = inertial.one("inertia")
    if found is None:
        return None
    xx, yy, zz = (found.number(each) for each in ("ixx", "iyy", "izz"))
    xy, xz, yz = (found.number(each, 0.0) for each in ("ixy", "ixz", "iyz"))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return place.rotation @ tensor @ place.rotation.T


def _shape(solid: Element, place: Transform) -> Shape | None:
    """A shape in the link's frame; None where it is too small to be one."""
    center, rotation = parted(place)
    if solid.tag == "box":
        x, y, z = solid.numbers("size", (0.0, 0.0, 0.0))
        return None if _is_speck(solid, x, y, z) else Box(center, (x, y, z), rotation)
    radius = solid.number("radius")
    if solid.tag == "sphere":
        return None if _is_speck(solid, radius) else Sphere(center, radius)
    length = solid.number("length")
    if _is_speck(solid, radius, length):
        return None
    ends = place.apply([[0, 0, -0.5 * length], [0, 0, 0.5 * length]])
    make = Cylinder if solid.tag == "cylinder" else Capsule
    return make(tuple(ends[0].tolist()), tuple(ends[1].tolist()), radius)


def _is_speck(solid: Element, *sizes: float) -> bool:
    if min(sizes) < 0:
        raise solid.error(f"its sizes must not be negative, but one is {min(sizes):g}")
    return min(sizes) < SHORTEST


def _color(material: Element) -> str | None:
    color = material.one("color")
    if color is None:
        return None
    red, green, blue, _ = color.numbers("rgba", (0.0, 0.0, 0.0, 1.0))
    return color_text(red, green, blue)
