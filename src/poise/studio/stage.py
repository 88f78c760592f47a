"""The stage: what the page has to build, and builds anew only when the structure changes."""

from __future__ import annotations

import base64
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure
from poise.figure.meshes import mesh_of
from poise.figure.naming import driver
from poise.figure.parts import WORLD, Joint
from poise.figure.shapes import Hull, Shape
from poise.figure.transform import quaternion, rotation_matrix
from poise.studio.document import Document
from poise.studio.limbs import carriers_of, limb_of

if TYPE_CHECKING:
    from poise.figure.skin import Surface, Visual

PLAIN = "#5b8bb8"
"""The colour of a segment that names none."""


def stage_of(document: Document, revision: int) -> dict[str, Any]:
    """Nodes with shapes, skins, sites and joints, for the page.

    Nodes are in the order of frames. Positions are metres in the node's axes, rotations
    quaternions w x y z. A joint's position is that of its centre in its own node, that of
    the segment that it carries.
    """
    whole = document.whole
    index = {name: i for i, name in enumerate(whole.segments)}
    return {
        "type": "stage",
        "revision": revision,
        "nodes": [_node(document, whole, name) for name in whole.segments],
        "skins": [
            _surface(surface, f"{name}/" if document.scene.has_several else "", index)
            for name, skin in document.skins.items()
            if name in document.scene.figures
            for surface in skin.surfaces
        ],
        "sites": [
            {
                "name": name,
                "node": index[site.segment],
                "position": list(site.position),
                "rotation": quaternion(site.place.rotation).tolist(),
                "outline": [list(point) for point in site.outline],
            }
            for name, site in whole.sites.items()
        ],
        "joints": _joints(document, whole, index),
    }


def structure_of(document: Document) -> tuple[Any, ...]:
    """What the stage depends on, for comparison."""
    whole = document.whole
    return (
        tuple(whole.segments.values()),
        tuple(_fixed(each) for each in whole.joints.values()),
        tuple(whole.sites.values()),
        tuple((name, thing.is_held) for name, thing in document.scene.props.items()),
        tuple((name, id(skin)) for name, skin in document.skins.items()),
    )


def _fixed(joint: Joint) -> Joint | tuple[str, ...]:
    """A joint, but where it does not move, as that of a prop, not its place."""
    return joint if joint.coordinates else (joint.name, joint.parent, joint.child)


def _node(document: Document, whole: Figure, name: str) -> dict[str, Any]:
    segment, scene = whole.segments[name], document.scene
    own = name.rpartition("/")[2]
    prop = scene.props.get(own)
    node: dict[str, Any] = {"name": name, "color": segment.color or PLAIN}
    if prop is not None and (prop.is_held or name == own):
        node |= {"prop": own, "figure": prop.figure, "held": prop.is_held}
    else:
        node |= {"segment": name, "figure": document.figure_of(name)[0]}
    if segment.visuals:
        return node | {"shapes": [_visual(visual) for visual in segment.visuals]}
    return node | {"shapes": [_shape(shape) for shape in segment.shapes]}


def _visual(visual: Visual) -> dict[str, Any]:
    """Triangles in the colour of their node; the page gives them normals of its own."""
    return {
        "kind": "mesh",
        "vertices": np.round(visual.points, 6).tolist(),
        "triangles": visual.triangles.tolist(),
        "center": visual.points.mean(axis=0).tolist(),
    }


def _shape(shape: Shape) -> dict[str, Any]:
    if isinstance(shape, Hull):
        mesh = mesh_of(shape)
        return {
            "kind": "mesh",
            "vertices": mesh.points.tolist(),
            "triangles": mesh.triangles.tolist(),
            "center": shape.solid().center.tolist(),
        }
    numbers = {field.name: getattr(shape, field.name) for field in fields(shape)}
    if "rotation" in numbers:
        numbers["rotation"] = quaternion(rotation_matrix(numbers["rotation"])).tolist()
    return {"kind": shape.kind.replace(" ", "_"), **numbers}


def _joints(document: Document, whole: Figure, index: dict[str, int]) -> list[dict[str, Any]]:
    joints: list[dict[str, Any]] = []
    for segment, (carrier, joint) in carriers_of(whole).items():
        if carrier == WORLD and not joint.coordinates:
            continue  # what stands still has no joint to speak of
        if segment.rpartition("/")[2] in document.scene.props:
            continue
        group = driver(whole, joint.name)
        center = joint.before if joint.parent == segment else joint.after.inverse()
        joints.append(
            {
                "name": joint.name,
                "node": index[segment],
                "parent": index.get(carrier, -1),
                "kind": joint.kind.kind,
                "position": center.position.tolist(),
                "limb": limb_of(whole, segment),
                "moves": bool(joint.coordinates),
                "driven_by": group.name if group else None,
            }
        )
    return joints


def _surface(surface: Surface, first: str, index: dict[str, int]) -> dict[str, Any]:
    """A skin's surface; arrays are base64 of little-endian float32 and uint32."""
    material = surface.material
    image = None
    if material.image is not None:
        image = f"data:{material.media_type};base64,{base64.b64encode(material.image).decode()}"
    influences, weights = _four(surface.influences, surface.weights)
    return {
        "name": first + surface.name,
        "nodes": [index[first + name] for name in surface.segments],
        "binds": surface.binds.reshape(-1, 16).tolist(),
        "points": _packed(surface.points, "<f4"),
        "normals": _packed(surface.normals, "<f4"),
        "triangles": _packed(surface.triangles, "<u4"),
        "influences": _packed(influences, "<u4"),
        "weights": _packed(weights, "<f4"),
        "texture": None if surface.texture is None else _packed(surface.texture, "<f4"),
        "color": list(material.color),
        "image": image,
        "double_sided": material.double_sided,
        "alpha": material.alpha,
        "cutoff": material.cutoff,
    }


def _four(
    influences: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The four greatest weights of each point, which is what browsers draw; they sum to one."""
    if influences.shape[1] < 4:
        room = ((0, 0), (0, 4 - influences.shape[1]))
        influences, weights = np.pad(influences, room), np.pad(weights, room)
    most = np.argsort(-weights, axis=1, kind="stable")[:, :4]
    influences = np.take_along_axis(influences, most, axis=1)
    weights = np.take_along_axis(weights, most, axis=1)
    return influences, weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)


def _packed(values: NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()
