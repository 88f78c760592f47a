"""What geoms say together with their default classes: which mesh they show, whether it weighs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from poise.formats.hostile import Element

_CARRIERS = ("worldbody", "body", "frame", "replicate")


@dataclass(frozen=True)
class Geom:
    """A geom of the file.

    Attributes:
        element: its element.
        holder: the element that it stands in, a body or something within one.
        body: the body that it belongs to; the `worldbody` for what hangs on the world.
        said: its attributes, those of its default classes included.
        has_weight: whether the body's mass depends on its mesh.
    """

    element: Element
    holder: Element
    body: Element
    said: Mapping[str, str]
    has_weight: bool

    @property
    def mesh(self) -> str | None:
        """The mesh that it shows, or that a simple shape is fitted to."""
        return self.said.get("mesh")

    @property
    def needs_mesh(self) -> bool:
        """Whether something that is read depends on what the mesh looks like."""
        return self.has_weight or self.said.get("type") != "mesh"


def geoms_of(root: Element) -> list[Geom]:
    """All geoms of a model."""
    classes = _classes(root)
    # As MuJoCo has it: given inertias count, unless all are to come from geoms.
    compilers = [each.attributes.get("inertiafromgeom") for each in root.all("compiler")]
    from_geoms = [each for each in compilers if each is not None][-1:] == ["true"]
    return [
        Geom(element, holder, body, said, _weighs(body, said, from_geoms))
        for section in root.all("worldbody")
        for element, holder, body, said in _walk(section, classes)
    ]


def _walk(
    section: Element, classes: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[Element, Element, Element, dict[str, str]]]:
    stack = [(section, section, "")]
    while stack:
        holder, body, inherited = stack.pop()
        inherited = holder.attributes.get("childclass", inherited)
        below: list[tuple[Element, Element, str]] = []
        for child in holder.children:
            if child.tag == "geom":
                chosen = child.attributes.get("class", inherited)
                yield child, holder, body, {**classes.get(chosen, {}), **child.attributes}
            elif child.tag in _CARRIERS:
                below.append((child, child if child.tag == "body" else body, inherited))
        stack += reversed(below)


def _weighs(body: Element, said: Mapping[str, str], from_geoms: bool) -> bool:
    if body.tag != "body" or (any(body.all("inertial")) and not from_geoms):
        return False
    try:
        return float(said.get("mass", said.get("density", "1"))) != 0
    except ValueError:  # MuJoCo will say what is wrong
        return True


def _classes(root: Element) -> dict[str, dict[str, str]]:
    """What each default class says of geoms, with those that it is nested in; "" for all geoms."""
    found: dict[str, dict[str, str]] = {"": {}}
    for top in root.all("default"):
        for geom in top.all("geom"):
            found[""].update(geom.attributes)
        found[top.attributes.get("class", "main")] = found[""]
        stack = [(child, found[""]) for child in top.all("default")]
        while stack:
            default, outer = stack.pop()
            own = dict(outer)
            for geom in default.all("geom"):
                own.update(geom.attributes)
            found[default.attributes.get("class", "")] = own
            stack += [(child, own) for child in default.all("default")]
    return found
