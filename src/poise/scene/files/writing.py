"""A scene as the text of a scene file."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from poise.documents import parse, shortest, yaml_text
from poise.documents.writing import WIDTH
from poise.errors import PoiseError
from poise.figure import Box, Cylinder, Figure, Site, Sphere
from poise.figure.files import figure_text
from poise.figure.files.units import DEGREE, degrees
from poise.figure.props import Prop, box, cylinder, sphere
from poise.scene.files.parts import MeshFilePart
from poise.scene.files.postures import SharedPostures, write_posture
from poise.scene.files.reading import ANGLES
from poise.scene.files.values import write_rotation, written
from poise.scene.files.versions import VERSION
from poise.scene.handle import Handle
from poise.scene.options import Options
from poise.scene.origins import Origin, origin_of
from poise.scene.priors import is_natural_by_itself
from poise.scene.scene import Scene
from poise.scene.things import Thing
from poise.statics.loads import Load
from poise.tasks.task import Task, words

COMMENT = """\
A scene of poise. Lengths are metres, masses kilograms, angles degrees; a rotation is a
rotation vector, axis times angle. x is forward, y left, z up."""


def scene_text(
    scene: Scene,
    folder: Path,
    *,
    figures: Mapping[str, Figure] | None = None,
    meshes: bool = True,
) -> str:
    """The scene as the text of a scene file in a folder. What has its default is left out.

    Args:
        scene: what is written.
        folder: that of the file, where other files are looked for.
        figures: twins of the scene's figures by name, where they may change meanwhile.
        meshes: whether props from files are named by these; else their shapes are written out.
    """
    twins = figures or scene.given
    data: dict[str, Any] = {"version": VERSION}
    if scene.description:
        data["description"] = scene.description
    written_out: dict[str, str] = {}
    sources = {
        name: _source(figure, scene.origins.get(name), folder)
        or _inline(scene.given[name], figure, scene.has_several, written_out)
        for name, figure in twins.items()
    }
    for name, figure in scene.given.items():
        moved = write_posture(figure, scene.postures[name])
        if moved:
            sources[name]["posture"] = moved
    if scene.has_several:
        data["figures"] = sources
    else:
        data["figure"] = next(iter(sources.values()))
    if scene.props:
        data["props"] = {
            name: _thing(thing, scene.has_several, folder if meshes else None)
            for name, thing in scene.props.items()
        }
    if scene.metres_per_radian != 0.5:
        data["metres_per_radian"] = scene.metres_per_radian
    if scene.natural != is_natural_by_itself(scene.given):
        data["natural"] = scene.natural
    forces = _forces(scene)
    if forces:
        data["forces"] = forces
    postures = SharedPostures(scene.given, scene.has_several, folder)
    handles = list(scene.handles.values())
    tasks = [_item(each, postures) for each in handles if isinstance(each.wanted, Task)]
    criteria = [_item(each, postures) for each in handles if not isinstance(each.wanted, Task)]
    data |= {key: items for key, items in (("tasks", tasks), ("criteria", criteria)) if items}
    usual = vars(Options())
    options = {k: value for k, value in vars(scene.options).items() if value != usual[k]}
    if options:
        data["solve"] = options
    text = yaml_text({"scene": data}, comment=COMMENT)
    for mark, lines in written_out.items():
        text = text.replace(f" {mark}\n", f"\n{lines}", 1)
    return text


# figures -------------------------------------------------------------------------------------


def _source(figure: Figure, told: Origin | None, folder: Path) -> dict[str, Any] | None:
    """A figure by its origin; None where it has none and must be written out."""
    found = origin_of(figure, told)
    return None if found is None else _named(figure, *found, folder)


def _inline(
    known_by: Figure, figure: Figure, several: bool, written_out: dict[str, str]
) -> dict[str, Any]:
    """A figure written out; where that takes many lines, by a mark that these are to replace.

    Most of the time goes there, and it stays the same while tasks and postures change: it is known
    again by the figure of which this one may be a twin.
    """
    changing = (
        several,
        figure.locked_names,
        figure.stiffness.values.tobytes(),
        tuple((name, q.tobytes()) for name, q in figure.postures.items()),
    )
    known = _LINES.get(known_by)
    if known is None or known[0] != changing:
        inline = {"inline": parse(figure_text(figure), "figure").data["figure"]}
        source = {"figures": {"figure": inline}} if several else {"figure": inline}
        _, found, lines = yaml_text({"scene": source}).partition("inline:\n")
        if not found:
            return inline  # few words, on one line
        known = _LINES[known_by] = changing, lines
    # Too long for a line with anything else, so that it has one of its own.
    mark = f"figure_{len(written_out)}_{secrets.token_hex(WIDTH)}"
    written_out[mark] = known[1]
    return {"inline": mark}


_LINES: WeakKeyDictionary[Figure, tuple[Any, str]] = WeakKeyDictionary()
"""How figures were last written out: what of them may change, and the lines below `inline:`."""


def _named(figure: Figure, origin: Origin, fresh: Figure, folder: Path) -> dict[str, Any]:
    """A figure by its origin, and what has been changed since."""
    result: dict[str, Any] = {}
    if origin.file is not None:
        result["file"] = Path(os.path.relpath(origin.file, folder)).as_posix()
    else:
        result["ready"] = origin.ready
        if origin.arguments:
            result["arguments"] = {
                name: shortest(value, DEGREE) if (origin.ready, name) in ANGLES else value
                for name, value in origin.arguments.items()
            }
    added = {name: each for name, each in figure.sites.items() if name not in fresh.sites}
    if added:
        result["sites"] = {name: _site(site, segment=site.segment) for name, site in added.items()}
    if figure.locked_names != fresh.locked_names:
        result["locked"] = list(figure.locked_names)
    if not np.array_equal(figure.stiffness.values, fresh.stiffness.values):
        values = dict(zip(figure.coordinates, figure.stiffness.values.tolist(), strict=True))
        result["stiffness"] = {name: value for name, value in values.items() if value}
    postures = {
        name: write_posture(fresh, figure.posture(q))
        for name, q in figure.postures.items()
        if not np.array_equal(q, fresh.postures.get(name, ()))
    }
    if postures:
        result["postures"] = postures
    return result


def _site(site: Site, **more: Any) -> dict[str, Any]:
    result: dict[str, Any] = dict(more)
    if any(site.position):
        result["position"] = list(site.position)
    if any(site.rotation):
        result["rotation"] = list(degrees(site.rotation))
    if site.outline:
        result["outline"] = [list(point) for point in site.outline]
    return result


# props ---------------------------------------------------------------------------------------


def _thing(thing: Thing, several: bool, folder: Path | None) -> dict[str, Any]:
    result = (_mesh(thing.prop, folder) if folder is not None else None) or _prop(thing.prop)
    if not thing.prop.solid:
        result["solid"] = False
    if thing.is_held:
        result["held"] = f"{thing.figure}/{thing.site}" if several else thing.site
    if thing.place.position.any():
        result["position"] = thing.place.position.tolist()
    if not np.array_equal(thing.place.rotation, np.eye(3)):
        result |= write_rotation(thing.place.rotation)
    return result


def _mesh(prop: Prop, folder: Path) -> dict[str, Any] | None:
    """A prop by the file that it was read from; None where it was not, or has other shapes now."""
    if not prop.is_as_read or prop.source is None:
        return None
    source = prop.source
    mesh: dict[str, Any] = {"file": Path(os.path.relpath(source.path, folder)).as_posix()}
    if source.scale != 1.0:
        mesh["scale"] = source.scale
    if source.path.suffix.lower() not in (".glb", ".gltf") and source.up != "z":
        mesh["up"] = source.up
    if source.pieces != MeshFilePart.model_fields["pieces"].default:
        mesh["pieces"] = source.pieces
    result: dict[str, Any] = {"mesh": mesh, "mass": prop.segment.mass}
    if source.color is not None:
        result["color"] = source.color
    return _with_sites(result, prop.sites[len(source.sites) :])


def _prop(prop: Prop) -> dict[str, Any]:
    """A ready prop by its measures, any other by its parts."""
    segment = prop.segment
    if len(segment.shapes) == 1 and segment.mass is not None and segment.color is not None:
        shape, result = segment.shapes[0], dict[str, Any]()
        settings: Any = {"mass": segment.mass, "name": prop.name, "color": segment.color}
        ready: Prop | None = None
        if isinstance(shape, Box):
            ready, result["box"] = box(*shape.size, **settings), list(shape.size)
        elif isinstance(shape, Sphere):
            ready, result["sphere"] = sphere(shape.radius, **settings), shape.radius
        elif isinstance(shape, Cylinder):
            height = 2 * shape.end[2]
            if height > 0:
                ready = cylinder(shape.radius, height, **settings)
                result["cylinder"] = {"radius": shape.radius, "height": height}
        if ready and ready.segment == segment and _begins(prop.sites, ready.sites):
            result["mass"] = segment.mass
            if segment.color != box(1, 1, 1).segment.color:
                result["color"] = segment.color
            return _with_sites(result, prop.sites[len(ready.sites) :])
    figure = Figure(prop.name, [segment], [])
    data = parse(figure_text(figure), "prop").data["figure"]
    return _with_sites(data["segments"][prop.name] or {}, prop.sites)


def _begins(sites: tuple[Site, ...], first: tuple[Site, ...]) -> bool:
    return sites[: len(first)] == first


def _with_sites(result: dict[str, Any], sites: tuple[Site, ...]) -> dict[str, Any]:
    if sites:
        result["sites"] = {site.name: _site(site) for site in sites}
    return result


# forces --------------------------------------------------------------------------------------


def _forces(scene: Scene) -> dict[str, Any]:
    forces = scene.forces
    supports: dict[str, Any] = {
        site: {"ratio": each.ratio, "friction": each.friction}
        for site, each in forces.supports.items()
    }
    applied: dict[str, Any] = {}
    for name, load in forces.applied.items():
        applied[name] = _load(load)
        if load.site == name:
            del applied[name]["site"]
    strength = {
        name: [float(each) for each in value] if isinstance(value, (tuple, list)) else float(value)
        for name, value in forces.strength.items()
    }
    parts = {
        "supports": supports,
        "applied": applied,
        "borne": [_load(load) for load in forces.borne],
        "person": dict(forces.person),
        "strength": strength,
    }
    return {key: value for key, value in parts.items() if value}


def _load(load: Load) -> dict[str, Any]:
    told = {key: list(getattr(load, key)) for key in ("force", "torque", "point")}
    return {"site": load.site, **{key: value for key, value in told.items() if any(value)}}


# tasks ---------------------------------------------------------------------------------------


def _item(handle: Handle, postures: SharedPostures) -> dict[str, Any]:
    """A task or criterion with what the scene says of it."""
    try:
        fields = written(handle.wanted, postures)
    except PoiseError as error:
        raise PoiseError(f"{handle.name!r} cannot be saved: {error}") from None
    result: dict[str, Any] = {words(type(handle.wanted).__name__): fields, "name": handle.name}
    if handle.priority is not None:
        result["priority"] = handle.priority
    if handle.weight != 1.0:
        result["weight"] = handle.weight
    if handle.priority is not None and handle.joints is not None:
        named = handle.joints
        result["joints"] = dict(named) if isinstance(named, Mapping) else list(named)
    if not handle.enabled:
        result["enabled"] = False
    return result
