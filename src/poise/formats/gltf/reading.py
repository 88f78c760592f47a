"""A glTF file as a figure with its postures, motions and skin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.checking import AXES, number
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture, Transform
from poise.formats.conventions import AUTO, UNITS, Convention, unit_of
from poise.formats.gltf.accessors import Accessors
from poise.formats.gltf.animations import Motion, motions_of
from poise.formats.gltf.container import Asset, open_asset
from poise.formats.gltf.embedding import embedded_figure
from poise.formats.gltf.extras import ours
from poise.formats.gltf.skeleton import (
    Bones,
    Wishes,
    bones_of,
    figure_of,
    moving_nodes,
)
from poise.formats.gltf.surfaces import SurfaceReader
from poise.formats.gltf.tree import Tree, grown
from poise.formats.hostile import MOST_NUMBERS, Names, short
from poise.formats.poses import Misses, coordinates_for
from poise.formats.reading import Reading
from poise.motion import Clip

Floats = NDArray[np.float64]

LARGEST = 20.0
"""Metres beyond which a figure's size is taken for centimetres, when the unit is guessed."""

_SLIDES = 1e-2  # of the figure's size: a node that slides by less is taken for one that does not
_REFUSED = {
    "EXT_meshopt_compression": "gltfpack -noq, or any tool that writes it without compression",
    "KHR_meshopt_compression": "any tool that writes it without compression",
}

MOST_NODES = 20_000
"""Nodes of the largest file that is read: each takes a quarter of a millisecond."""

Knowledge = Callable[[Tree, Convention], tuple[Wishes, list[str]]]
"""Tells what more is known of a file's nodes, with notes about it."""


def read_asset(
    path: str | Path,
    *,
    unit: str | float = AUTO,
    forward: str = "z",
    fps: float | None = None,
    knowledge: Callable[[Asset], tuple[str, Knowledge]] | None = None,
) -> Reading:
    """Read a file; see `poise.formats.gltf.read` for the options.

    Args:
        path: the file.
        unit: metres in one of the file's units.
        forward: the file's axis to which the figure looks.
        fps: frames per second of all clips.
        knowledge: for files of a certain kind, gives their axis that points forward, and what
            tells more of their nodes.
    """
    if forward not in ("x", "-x", "z", "-z"):
        raise unknown_name("axis that points forward", forward, ["x", "-x", "z", "-z"])
    rate = None if fps is None else number(fps, "fps", above=0, most=1e4)
    asset = open_asset(path)
    if len(asset.gltf.nodes) > MOST_NODES:
        raise asset.error(f"it has {len(asset.gltf.nodes):,} nodes, more than {MOST_NODES:,}")
    notes = _extensions(asset)
    known: Knowledge | None = None
    if knowledge is not None:
        forward, known = knowledge(asset)
    tree, more = grown(asset)
    notes += more
    accessors = Accessors(asset)
    motions, more = motions_of(tree, accessors, rate)
    notes += more
    embedded = None
    if known is None and unit in (AUTO, "m", 1.0) and forward == "z":
        embedded = embedded_figure(tree, notes)
    convention, more = _convention(tree, unit if embedded is None else "m", forward)
    notes += more
    if embedded is not None:
        figure, bones = embedded
        shown = _posture(figure, tree, bones, convention, notes)
    else:
        title = Names().fresh(Path(path).stem)
        figure, bones = _from_nodes(tree, convention, title, motions, known, notes)
        shown = Posture(figure, figure.postures["rest"])
    postures, clips = _moved(figure, tree, bones, convention, motions, notes)
    frames = _rest_frames(tree, bones, convention)
    reader = SurfaceReader(tree, bones, frames, convention, accessors)
    skin = figure.skin = reader.skin()
    notes += [*reader.notes, *_props(tree)]
    return Reading(
        figure,
        posture=shown,
        postures=postures,
        clips=clips,
        skin=skin,
        notes=tuple(dict.fromkeys(notes)),
    )


def _from_nodes(
    tree: Tree,
    convention: Convention,
    title: str,
    motions: list[Motion],
    known: Knowledge | None,
    notes: list[str],
) -> tuple[Figure, Bones]:
    """The figure that a file's nodes make."""
    wishes = Wishes()
    if known is not None:
        wishes, more = known(tree, convention)
        notes += more
    moving, more = moving_nodes(tree, set(wishes.segments))
    notes += more
    bones, names = bones_of(tree, moving, wishes)
    notes += names.notes("nodes")
    sliding = _sliding(tree, bones, motions, convention) - set(wishes.articulations)
    if sliding:
        told = ", ".join(bones.segments[node] for node in sorted(sliding)[:4])
        notes.append(f"{len(sliding)} joints slide in an animation and are free: {told}")
    wishes = replace(wishes, free=frozenset(sliding))
    return figure_of(tree, bones, convention, title, wishes), bones


def _extensions(asset: Asset) -> list[str]:
    """Notes about extensions that a file requires; one that hides its numbers is an error."""
    notes: list[str] = []
    for extension in asset.gltf.extensions_required:
        if extension in _REFUSED:
            raise asset.error(
                f"it is compressed with {extension}, which is not read; rewrite it with "
                f"{_REFUSED[extension]}"
            )
        if not extension.startswith(
            ("KHR_materials", "KHR_texture", "KHR_mesh_quantization", "VRM")
        ):
            notes.append(f"the file requires the extension {short(extension)}, which is not read")
    return notes


def _props(tree: Tree) -> list[str]:
    """A note about props that stood in the world of the scene that poise wrote."""
    nodes = tree.asset.gltf.nodes
    names = [ours(nodes[node].extras).get("prop") for node in tree.order]
    found = [short(name) for name in names if isinstance(name, str)]
    return [f"props that stand in the world left out: {', '.join(found[:8])}"] if found else []


def _convention(tree: Tree, unit: str | float, forward: str) -> tuple[Convention, list[str]]:
    """From the file's axes, y up, and its unit to ours."""
    x, z = np.array(AXES[forward]), np.array(AXES["y"])
    axes = np.array([x, np.cross(z, x), z])
    if unit != AUTO:
        return Convention(axes, unit_of(unit)), []
    moving, _ = moving_nodes(tree, set())
    places = np.array([tree.rest[node][:3, 3] for node in tree.order if node in moving])
    size = float(np.linalg.norm(np.ptp(places, axis=0)))
    if size <= LARGEST:
        return Convention(axes, 1.0), []
    return Convention(axes, UNITS["cm"]), [
        f"guessed that one unit is 1 cm, for in metres, as glTF has it, the figure would be "
        f"{size:.3g} m large (say so with unit='cm' or unit='m')"
    ]


def _rest_frames(tree: Tree, bones: Bones, convention: Convention) -> dict[int, Transform]:
    frames = tree.frames(set(bones.order), {}, 1, convention)
    return {node: Transform(turns[0], shifts[0]) for node, (turns, shifts) in frames.items()}


def _posture(
    figure: Figure, tree: Tree, bones: Bones, convention: Convention, notes: list[str]
) -> Posture:
    """The posture that the file shows."""
    frames = tree.frames(set(bones.order), {}, 1, convention)
    misses = Misses()
    q = coordinates_for(figure, _by_segment(bones, frames), misses)
    notes += misses.notes()
    return Posture(figure, q[0])


def _by_segment(
    bones: Bones, frames: Mapping[int, tuple[Floats, Floats]]
) -> dict[str, tuple[Floats, Floats]]:
    return {bones.segments[node]: frame for node, frame in frames.items()}


def _sliding(tree: Tree, bones: Bones, motions: list[Motion], convention: Convention) -> set[int]:
    """Nodes with a parent that an animation moves against it, not only turns."""
    rest = _rest_frames(tree, bones, convention)
    places = np.array([place.position for place in rest.values()])
    least = max(_SLIDES * float(np.linalg.norm(np.ptp(places, axis=0))), 1e-6)
    result: set[int] = set()
    for motion in motions:
        for moved, count in motion.blocks(tree):
            frames = tree.frames(set(bones.order), moved, count, convention)
            for node in bones.order:
                parent = bones.parents[node]
                if parent < 0 or node in result:
                    continue
                turns, shifts = frames[parent]
                inside = np.einsum("kji,kj->ki", turns, frames[node][1] - shifts)
                usual = (rest[parent].inverse() @ rest[node]).position
                if np.abs(inside - usual).max() > least:
                    result.add(node)
    return result


def _moved(
    figure: Figure,
    tree: Tree,
    bones: Bones,
    convention: Convention,
    motions: list[Motion],
    notes: list[str],
) -> tuple[dict[str, Posture], dict[str, Clip]]:
    """Animations with one key as postures by name, the others as clips."""
    postures: dict[str, Posture] = {}
    clips: dict[str, Clip] = {}
    names = Names()
    for motion in motions:
        if len(motion.times) * figure.n > MOST_NUMBERS:
            raise tree.asset.error(
                f"the animation {motion.name!r} has {len(motion.times)} frames of {figure.n} "
                f"coordinates, more than {MOST_NUMBERS:,} numbers; take a smaller fps"
            )
        parts: list[Floats] = []
        misses = Misses()
        for moved, count in motion.blocks(tree):
            frames = tree.frames(set(bones.order), moved, count, convention)
            parts.append(coordinates_for(figure, _by_segment(bones, frames), misses))
        notes += [f"in {short(motion.name)!r} {note}" for note in misses.notes()]
        name = names.fresh(motion.name)
        try:
            if motion.is_pose:
                postures[name] = Posture(figure, parts[0][0])
            else:
                clips[name] = Clip(figure, np.concatenate(parts), motion.fps, name)
        except PoiseError as error:
            raise tree.asset.error(str(error)) from None
    return postures, clips
