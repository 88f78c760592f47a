"""A prop of another size, mass or name, in the place of the old one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from itertools import zip_longest
from typing import Any

import numpy as np

from poise.errors import PoiseError
from poise.figure import Transform
from poise.figure.parts import renamed
from poise.figure.props import PROP_COLOR, Prop, box, cylinder, sphere
from poise.figure.shapes import Box, Cylinder, Sphere
from poise.scene.things import Thing

MAKERS: Mapping[str, Any] = {"box": box, "sphere": sphere, "cylinder": cylinder}
"""What makes a prop of each kind, from its sizes in their order."""

SIZES: Mapping[str, tuple[str, ...]] = {
    "box": ("length", "width", "height"),
    "sphere": ("radius",),
    "cylinder": ("radius", "height"),
}
"""What the sizes of each kind are called, in their order."""
_LEAST, _MOST = 0.001, 100.0
"""The least and the greatest size of a prop, in metres."""
_HEAVIEST = 1e6
"""The greatest mass of a prop, in kilograms."""

_NAMES = ("site", "other", "target", "frame", "supports")
"""Fields of tasks that hold names of frames."""
_SAME = 1e-9
"""Two places are the same within this (m, rad)."""


def sizes_of(prop: Prop) -> tuple[str, dict[str, float]] | None:
    """The kind of a prop and its sizes (m) by name; None where it is of another shape."""
    shapes = prop.segment.shapes
    if len(shapes) != 1:
        return None
    match shapes[0]:
        case Box(size=(x, y, z)):
            found = "box", {"x": x, "y": y, "z": z}
        case Sphere(radius=radius):
            found = "sphere", {"radius": radius}
        case Cylinder(start=start, end=end, radius=radius):
            height = float(np.linalg.norm(np.subtract(end, start)))
            found = "cylinder", {"radius": radius, "height": height}
        case _:
            return None
    kind, sizes = found
    # One that is turned or shifted within its frame is none of these.
    same = MAKERS[kind](*sizes.values(), name=prop.name).segment.shapes[0]
    return found if same == shapes[0] else None


def check_sizes(kind: str, size: list[float], before: Iterable[float] = ()) -> None:
    """Raise unless a prop of a kind can have these sizes (m); those of before it has already."""
    names = SIZES[kind]
    if len(size) != len(names):
        raise PoiseError(f"a {kind} takes {len(names)} sizes, not {len(size)}")
    for name, value, old in zip_longest(names, size, before):
        if value == old or _LEAST <= value <= _MOST:
            continue
        is_small = _LEAST <= value / 1000.0 <= _MOST
        hint = "; did you mean millimetres?" if is_small else ""
        raise PoiseError(
            f"the {name} must be between {_LEAST:g} and {_MOST:g} m, not {value:g}{hint}"
        )


def check_mass(mass: float) -> None:
    """Raise unless a prop can have this mass (kg)."""
    if not 0.0 <= mass <= _HEAVIEST:
        raise PoiseError(f"the mass must be between 0 and {_HEAVIEST:.0f} kg, not {mass:g}")


def changed(
    thing: Thing,
    *,
    name: str | None = None,
    size: list[float] | None = None,
    mass: float | None = None,
) -> Thing:
    """A prop with another name, other sizes (m) or another mass (kg), where the old one was.

    One that stands keeps its bottom where it is, and one that is held by a face keeps that face
    in the hand.
    """
    old = thing.prop
    new = old if size is None else _resized(old, size)
    if mass is not None:
        check_mass(mass)
        segment = new.segment
        inertia = segment.inertia
        if inertia is not None and old.mass > 0:  # of the same form, and heavier
            inertia = tuple(map(tuple, (np.array(inertia) * (mass / old.mass)).tolist()))
        new = replace(new, segment=replace(segment, mass=mass, density=None, inertia=inertia))
    if name is not None:
        sites = tuple(renamed(site, site.name, segment=name) for site in new.sites)
        new = replace(new, segment=replace(new.segment, name=name), sites=sites)
    place = thing.place if size is None else _kept_place(thing, new)
    return replace(thing, prop=new, place=place)


def _resized(old: Prop, size: list[float]) -> Prop:
    found = sizes_of(old)
    if found is None:
        raise PoiseError(f"{old.name!r} is neither a box, a sphere nor a cylinder: it has no sizes")
    kind, sizes = found
    check_sizes(kind, size, sizes.values())
    made: Prop = MAKERS[kind](*size, name=old.name, color=old.segment.color or PROP_COLOR)
    own = {site.name for site in made.sites}
    others = tuple(site for site in old.sites if site.name not in own)
    segment = replace(old.segment, shapes=made.segment.shapes, center=None, inertia=None)
    return replace(old, segment=segment, sites=(*made.sites, *others))


def _kept_place(thing: Thing, new: Prop) -> Transform:
    known = {site.name for site in new.sites}
    faces = [site.name for site in thing.prop.sites if site.name in known]
    if thing.is_held:
        for face in faces:
            if _is_same(thing.place, thing.prop.site(face).inverse()):
                return new.site(face).inverse()
        return thing.place
    if "bottom" not in faces:
        return thing.place
    rise = thing.prop.site("bottom").position - new.site("bottom").position
    return thing.place @ Transform(np.eye(3), rise)


def _is_same(one: Transform, other: Transform) -> bool:
    return bool(
        np.allclose(one.rotation, other.rotation, atol=_SAME, rtol=0)
        and np.allclose(one.position, other.position, atol=_SAME, rtol=0)
    )


# names ---------------------------------------------------------------------------------------


def following(wanted: Any, names: Mapping[str, str]) -> Any:
    """A task or criterion that goes by the new names of props, wherever it names one."""
    if not names:
        return wanted
    changes: dict[str, Any] = {}
    for field in fields(wanted):
        value = getattr(wanted, field.name)
        if field.name in _NAMES and isinstance(value, str):
            changes[field.name] = name_of_now(value, names)
        elif field.name in _NAMES and isinstance(value, tuple):
            changes[field.name] = tuple(
                name_of_now(each, names) if isinstance(each, str) else each for each in value
            )
        elif field.name == "tasks":
            changes[field.name] = tuple(following(each, names) for each in value)
    changes = {key: value for key, value in changes.items() if value != getattr(wanted, key)}
    return replace(wanted, **changes) if changes else wanted


def name_of_now(name: str, names: Mapping[str, str]) -> str:
    """The name of a frame of a prop that may be called otherwise: `box/top` as `crate/top`."""
    first, slash, own = name.partition("/")
    return names.get(first, first) + slash + own
