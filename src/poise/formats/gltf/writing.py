"""A figure with its posture, motions and surface as a glTF file.

Every segment is a node whose axes are to glTF's world as the segment's are to ours, so that nothing
need be turned at the root. What glTF has no words for is in the extras (see `embedding`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import poise
from poise.documents import write as write_file
from poise.errors import PoiseError
from poise.figure import WORLD, Figure, Joint, Posture, Segment
from poise.figure.meshes import joined, mesh_of
from poise.figure.skin import Material, Skin, Surface, Visual
from poise.formats.gltf.building import Building
from poise.formats.gltf.embedding import figure_extras
from poise.formats.gltf.extras import KEY
from poise.formats.leaving import (
    FIGURE,
    MOTIONS,
    NAMED_POSTURES,
    SHOWN_POSTURE,
    SKIN,
    left_out,
)
from poise.formats.placing import color_parts
from poise.formats.reading import Reading
from poise.motion import Clip
from poise.motion.links import Link, links
from poise.scene.things import Thing

Floats = NDArray[np.float64]
SurfaceChoice = Literal["auto", "skin", "shapes", "none"]

PLAIN = "#5b8bb8"
"""The colour of a segment that names none."""

# From our axes to glTF's: our x, forward, is its z; our y, left, its x; our z, up, its y.
_AXES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
_STILL = 1e-9  # rad and m: what moves less than this does not move
_DETAILS = (8, 256)
_HOLDS = (*FIGURE, MOTIONS, NAMED_POSTURES, SHOWN_POSTURE, SKIN)


def write(
    reading: Reading,
    path: str | Path,
    *,
    surface: SurfaceChoice = "auto",
    detail: int = 24,
) -> tuple[str, ...]:
    """Write a .glb or .gltf file; gives notes about what it cannot hold.

    The figure stands in the posture of the reading, or at rest. Clips become animations, named
    postures animations with a single key. Props that stand in the world are nodes of their own, and
    those that are held hang on the node of what holds them. Limits, groups, masses, shapes and
    sites are in the extras, from which `poise.load` makes the same figure again; sites are nodes
    besides.

    Args:
        reading: what to write.
        path: the file; .gltf holds its numbers as base64 text.
        surface: "skin", "shapes" (those of the segments) or "none", also of props; "auto" is the
            skin, if there is one, else the shapes.
        detail: how many facets go round a round shape, 8 to 256.
    """
    if surface not in get_args(SurfaceChoice):
        choices = ", ".join(get_args(SurfaceChoice))
        raise PoiseError(f"surface must be one of {choices}, not {surface!r}")
    if surface == "skin" and reading.skin is None:
        raise PoiseError("surface='skin', but there is no skin to be written")
    low, high = _DETAILS
    if not isinstance(detail, int) or isinstance(detail, bool) or not low <= detail <= high:
        raise PoiseError(f"detail must be a whole number from {low} to {high}, not {detail!r}")
    figure = reading.figure
    building = Building()
    posture = figure.q_of(reading.posture if reading.posture is not None else _rest(figure))
    nodes, roots = _nodes(building, figure, posture)
    skin = reading.skin if surface in ("auto", "skin") else None
    materials: dict[str, int] = {}
    if skin is not None:
        roots += _skinned(building, skin, nodes)
    elif surface != "none":
        _shaped(building, figure, nodes, materials, detail)
    if surface != "none":
        roots += _standing(building, reading.props, materials, detail)
    for name, each in reading.postures.items():
        _animation(building, figure, nodes, name, figure.q_of(each)[None], None)
    for name, clip in reading.clips.items():
        _animation(building, figure, nodes, name, _q(figure, clip), clip.fps)
    data: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": f"poise {poise.__version__}"},
        "scene": 0,
        "scenes": [{"name": figure.name, "nodes": roots}],
    }
    data["extras"] = figure_extras(figure)
    write_file(path, building.content(data, binary=Path(path).suffix.lower() != ".gltf"))
    notes = left_out(reading, "a glTF file", _HOLDS)
    if reading.skin is not None and skin is None:
        notes.append(f"the skin is left out, for surface={surface!r}")
    return tuple(notes)


def _rest(figure: Figure) -> Posture:
    if "rest" in figure.postures:
        return figure.posture(figure.postures["rest"])
    return figure.rest()


def _q(figure: Figure, clip: Clip) -> Floats:
    """The frames of a clip, which must be of this figure."""
    figure.q_of(clip[0])
    return clip.q


# nodes ---------------------------------------------------------------------------------------


def _nodes(building: Building, figure: Figure, q: Floats) -> tuple[dict[str, int], list[int]]:
    """A node for every segment and site; gives the segments' numbers, and the roots'."""
    numbers: dict[str, int] = {}
    roots: list[int] = []
    for link in links(figure, q[None]):
        node = {
            "name": link.segment,
            **_placed(link.positions[0], link.rotations[0]),
            "extras": {KEY: _segment_extras(figure, link)},
        }
        numbers[link.segment] = building.add("nodes", node)
        _carry(building, numbers.get(link.parent), numbers[link.segment], roots)
    for site in figure.sites.values():
        ours: dict[str, Any] = {"site": site.name}
        if site.outline:
            ours["outline"] = [list(point) for point in site.outline]
        place = site.place
        node = {
            "name": site.name,
            **_placed(place.position, place.rotation),
            "extras": {KEY: ours},
        }
        _carry(building, numbers[site.segment], building.add("nodes", node), roots)
    return numbers, roots


def _carry(building: Building, parent: int | None, child: int, roots: list[int]) -> None:
    if parent is None:
        roots.append(child)
    else:
        building.parts["nodes"][parent].setdefault("children", []).append(child)


def _placed(position: Floats, rotation: Floats) -> dict[str, list[float]]:
    """Translation and rotation of a node, as far as it has any."""
    result: dict[str, list[float]] = {}
    if position.any():
        result["translation"] = (_AXES @ position).tolist()
    turn = _quaternions(rotation[None])[0]
    if abs(turn[3]) < 1.0:
        result["rotation"] = turn.tolist()
    return result


def _quaternions(rotations: Floats) -> Floats:
    """Quaternions (k, 4), x y z w, of our rotations in glTF's axes, each near the one before."""
    turns = Rotation.from_matrix(_AXES @ rotations @ _AXES.T).as_quat(canonical=True)
    flips = np.sign(np.einsum("ki,ki->k", turns[1:], turns[:-1]))
    turns[1:] *= np.cumprod(np.where(flips < 0, -1.0, 1.0))[:, None]
    return turns


def _segment_extras(figure: Figure, link: Link) -> dict[str, Any]:
    """What a segment's node says about its joint: limits in radians and metres, null for none."""
    joint: Joint = link.joint
    box = np.array(joint.kind.box, dtype=np.float64).reshape(-1, 2)
    return {
        "segment": link.segment,
        "joint": joint.name,
        "kind": joint.kind.kind,
        "coordinates": list(joint.coordinates),
        "lower": [value if np.isfinite(value) else None for value in box[:, 0].tolist()],
        "upper": [value if np.isfinite(value) else None for value in box[:, 1].tolist()],
    }


# surfaces ------------------------------------------------------------------------------------


def _shaped(
    building: Building,
    figure: Figure,
    nodes: Mapping[str, int],
    materials: dict[str, int],
    detail: int,
) -> None:
    """A mesh on every segment that has shapes."""
    for name, segment in figure.segments.items():
        if segment.shapes:
            mesh = _shape_mesh(building, segment, materials, detail)
            building.parts["nodes"][nodes[name]]["mesh"] = mesh


def _standing(
    building: Building, props: Mapping[str, Thing], materials: dict[str, int], detail: int
) -> list[int]:
    """A node with a mesh for every prop that stands in the world; gives their numbers."""
    numbers: list[int] = []
    for name, thing in props.items():
        node: dict[str, Any] = {
            "name": name,
            **_placed(thing.place.position, thing.place.rotation),
            "extras": {KEY: {"prop": name}},
        }
        if thing.prop.segment.shapes:
            node["mesh"] = _shape_mesh(building, thing.prop.segment, materials, detail)
        numbers.append(building.add("nodes", node))
    return numbers


def _shape_mesh(
    building: Building, segment: Segment, materials: dict[str, int], detail: int
) -> int:
    if segment.visuals:
        return building.add(
            "meshes",
            {
                "name": segment.name,
                "primitives": [_visual(building, visual) for visual in segment.visuals],
                "extras": {KEY: {"shapes": True}},
            },
        )
    color = segment.color or PLAIN
    if color not in materials:
        materials[color] = building.add(
            "materials",
            {"name": color, "pbrMetallicRoughness": _metal([*_linear(color), 1.0])},
        )
    mesh = joined([mesh_of(shape, detail) for shape in segment.shapes])
    primitive = {
        "attributes": {
            "POSITION": building.vertices(mesh.points @ _AXES.T),
            "NORMAL": building.vertices(mesh.normals @ _AXES.T),
        },
        "indices": building.whole(mesh.triangles.reshape(-1), indices=True),
        "material": materials[color],
    }
    return building.add(
        "meshes",
        {"name": segment.name, "primitives": [primitive], "extras": {KEY: {"shapes": True}}},
    )


def _visual(building: Building, visual: Visual) -> dict[str, Any]:
    attributes = {
        "POSITION": building.vertices(visual.points @ _AXES.T),
        "NORMAL": building.vertices(visual.normals @ _AXES.T),
    }
    if visual.texture is not None:
        attributes["TEXCOORD_0"] = building.vertices(visual.texture)
    return {
        "attributes": attributes,
        "indices": building.whole(visual.triangles.reshape(-1), indices=True),
        "material": building.add("materials", _material(building, visual.material)),
    }


def _skinned(building: Building, skin: Skin, nodes: Mapping[str, int]) -> list[int]:
    """A node with mesh and skin for every surface; gives their numbers."""
    skins: dict[tuple[tuple[str, ...], bytes], int] = {}
    materials: dict[int, int] = {}
    result: list[int] = []
    for surface in skin.surfaces:
        for segment in surface.segments:
            if segment not in nodes:
                raise PoiseError(
                    f"the surface {surface.name!r} follows {segment!r}, which is no segment of "
                    "the figure"
                )
        key = (surface.segments, surface.binds.tobytes())
        if key not in skins:
            binds = np.tile(np.eye(4), (len(surface.segments), 1, 1))
            binds[:, :3, :3] = _AXES @ surface.binds[:, :3, :3] @ _AXES.T
            binds[:, :3, 3] = surface.binds[:, :3, 3] @ _AXES.T
            columns = binds.transpose(0, 2, 1).reshape(-1, 16)  # glTF has columns first
            part = {
                "joints": [nodes[segment] for segment in surface.segments],
                "inverseBindMatrices": building.floats(columns),
            }
            skins[key] = building.add("skins", part)
        mesh = building.add(
            "meshes",
            {"name": surface.name, "primitives": [_primitive(building, surface, materials)]},
        )
        node = {"name": surface.name, "mesh": mesh, "skin": skins[key]}
        result.append(building.add("nodes", node))
    return result


def _primitive(building: Building, surface: Surface, materials: dict[int, int]) -> dict[str, Any]:
    attributes = {
        "POSITION": building.vertices(surface.points @ _AXES.T),
        "NORMAL": building.vertices(surface.normals @ _AXES.T),
    }
    if surface.texture is not None:
        attributes["TEXCOORD_0"] = building.vertices(surface.texture)
    width = surface.weights.shape[1]
    padding = ((0, 0), (0, -width % 4))
    influences, weights = np.pad(surface.influences, padding), np.pad(surface.weights, padding)
    for i in range(0, influences.shape[1], 4):
        attributes[f"JOINTS_{i // 4}"] = building.whole(influences[:, i : i + 4])
        attributes[f"WEIGHTS_{i // 4}"] = building.vertices(weights[:, i : i + 4])
    material = surface.material
    if id(material) not in materials:
        materials[id(material)] = building.add("materials", _material(building, material))
    return {
        "attributes": attributes,
        "indices": building.whole(surface.triangles.reshape(-1), indices=True),
        "material": materials[id(material)],
    }


def _material(building: Building, material: Material) -> dict[str, Any]:
    metal = _metal(list(material.color))
    if material.image is not None:
        texture = building.picture(material.image, material.media_type)
        metal["baseColorTexture"] = {"index": texture}
    part: dict[str, Any] = {"pbrMetallicRoughness": metal, "doubleSided": material.double_sided}
    if material.alpha != "opaque":
        part["alphaMode"] = material.alpha.upper()
    if material.alpha == "mask":
        part["alphaCutoff"] = material.cutoff
    return part


def _metal(color: list[float]) -> dict[str, Any]:
    return {"baseColorFactor": color, "metallicFactor": 0.0, "roughnessFactor": 0.8}


def _linear(color: str) -> list[float]:
    """Red, green and blue of "#3f74ad" as shares of light, as glTF has them (IEC 61966-2-1)."""
    return [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in color_parts(color)
    ]


# animations ----------------------------------------------------------------------------------


def _animation(
    building: Building,
    figure: Figure,
    nodes: Mapping[str, int],
    name: str,
    q: Floats,
    fps: float | None,
) -> None:
    """Frames (k, n) as an animation; without a rate they are a single posture."""
    times = building.floats(np.arange(len(q))[:, None] / (fps or 1.0))
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    for link in links(figure, q):
        node = building.parts["nodes"][nodes[link.segment]]
        places, turns = link.positions @ _AXES.T, _quaternions(link.rotations)
        rest_place = np.array(node.get("translation", (0.0, 0.0, 0.0)))
        rest_turn = np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)))
        turned = 1.0 - np.abs(turns @ rest_turn) > 0.125 * _STILL**2  # half the angle, squared
        is_root = link.parent == WORLD
        for path, values, moves in (
            ("translation", places, np.abs(places - rest_place).max() > _STILL),
            # An animation needs a channel, even where nothing moves.
            ("rotation", turns, bool(turned.any()) or is_root),
        ):
            if moves:
                samplers.append({"input": times, "output": building.floats(values)})
                target = {"node": nodes[link.segment], "path": path}
                channels.append({"sampler": len(samplers) - 1, "target": target})
    part: dict[str, Any] = {"name": name, "channels": channels, "samplers": samplers}
    if fps is not None:
        part["extras"] = {KEY: {"fps": fps}}
    building.add("animations", part)
