"""A figure from the nodes of a glTF file.

glTF does not say what can move. The joints of skins do, and whatever an animation moves; in a file
with neither, every node does. Such nodes become segments on ball joints, those that nothing moving
carries become free roots, and nodes that stand still on a segment become its sites.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import WORLD, Ball, Coupling, Figure, Free, Joint, Segment, Site, Transform
from poise.formats.articulation import Articulation
from poise.formats.bones import drawn_bones
from poise.formats.conventions import Convention
from poise.formats.gltf.extras import ours
from poise.formats.gltf.tree import Tree
from poise.formats.hostile import MOST_JOINTS, Names
from poise.formats.placing import parted

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bones:
    """The moving nodes of a file.

    Attributes:
        order: their numbers, parents before children.
        parents: the moving node that carries each, −1 for a root.
        segments: the name of each node's segment.
    """

    order: tuple[int, ...]
    parents: Mapping[int, int]
    segments: Mapping[int, str]


@dataclass(frozen=True)
class Wishes:
    """What is known of nodes beyond the file's own names, as VRM does.

    Attributes:
        segments: names by node.
        joints: names by node.
        articulations: how nodes may turn.
        sites: more sites.
        couplings: laws between coordinates.
        free: nodes that may also slide.
    """

    segments: Mapping[int, str] = field(default_factory=dict[int, str])
    joints: Mapping[int, str] = field(default_factory=dict[int, str])
    articulations: Mapping[int, Articulation] = field(default_factory=dict[int, Articulation])
    sites: tuple[Site, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    free: frozenset[int] = frozenset()


def moving_nodes(tree: Tree, known: set[int]) -> tuple[set[int], list[str]]:
    """Numbers of the nodes that become segments, those that are known to move among them; notes."""
    gltf, shown = tree.asset.gltf, set(tree.order)
    moving = known | {joint for skin in gltf.skins for joint in skin.joints}
    for number, animation in enumerate(gltf.animations):
        for channel in animation.channels:
            target = channel.target
            if target.node is None or target.path not in ("translation", "rotation"):
                continue
            if target.node >= len(gltf.nodes):
                raise tree.asset.error(f"animations[{number}]: there is no node {target.node}")
            moving.add(target.node)
    for joint in moving - set(range(len(gltf.nodes))):
        raise tree.asset.error(f"skins: there is no node {joint} to be a joint")
    # A file of several figures that poise wrote: only their segments, not their sites.
    moving |= {node for node in shown if "segment" in ours(gltf.nodes[node].extras)}
    if moving & shown:
        return moving & shown, []
    return shown, ["it has neither skins nor animations, so every node is taken for a joint"]


def bones_of(tree: Tree, moving: set[int], wishes: Wishes) -> tuple[Bones, Names]:
    """The moving nodes with the names of their segments."""
    if len(moving) > MOST_JOINTS:
        raise tree.asset.error(f"it has more than {MOST_JOINTS:,} joints, which is too many")
    names = Names(WORLD, *wishes.segments.values())
    order = tuple(node for node in tree.order if node in moving)
    carried: dict[int, int] = {}  # of every node, the moving one that carries it
    for node in tree.order:
        parent = tree.parents[node]
        carried[node] = parent if parent in moving or parent < 0 else carried[parent]
    segments = {
        node: wishes.segments.get(node) or names.fresh(node_name(tree, node)) for node in order
    }
    return Bones(order, {node: carried[node] for node in order}, segments), names


def node_name(tree: Tree, node: int) -> str:
    """A node's name, or its number."""
    return tree.asset.gltf.nodes[node].name or f"node_{node}"


def figure_of(
    tree: Tree, bones: Bones, convention: Convention, name: str, wishes: Wishes
) -> Figure:
    """The figure; its posture "rest" is how the file shows it."""
    wanted = set(tree.order)
    frames = {
        node: Transform(rotations[0], positions[0])
        for node, (rotations, positions) in tree.frames(wanted, {}, 1, convention).items()
    }
    taken = Names(*wishes.joints.values())
    rest: dict[str, float] = {}
    joints: list[Joint] = []
    for node in bones.order:
        parent = bones.parents[node]
        place = frames[node]
        child = bones.segments[node]
        if parent < 0:
            plain = "root" if not joints else f"{child}_root"
            title = wishes.joints.get(node) or taken.fresh(plain)
            joint, values = Joint(title, Free(), WORLD, child), Free().values(place)
        else:
            if node in wishes.free:
                articulation = Articulation(Free(), place.rotation, np.zeros(6))
            else:
                articulation = wishes.articulations.get(
                    node, Articulation(Ball(), place.rotation, np.zeros(3))
                )
            title = wishes.joints.get(node) or taken.fresh(child)
            carrier = bones.segments[parent]
            joint = articulation.joint(title, carrier, child, frames[parent], place)
            values = articulation.rest
        joints.append(joint)
        rest.update(zip(joint.coordinates, values.tolist(), strict=True))
    sites = [*wishes.sites, *_sites(tree, bones, frames, {site.name for site in wishes.sites})]
    ends: dict[int, list[Floats]] = {node: [] for node in bones.order}
    for node in bones.order:
        parent = bones.parents[node]
        if parent >= 0:
            ends[parent].append(frames[parent].inverse().apply(frames[node].position))
    try:
        return Figure(
            name,
            [
                Segment(bones.segments[node], shapes=tuple(drawn_bones(ends[node])))
                for node in bones.order
            ],
            joints,
            sites=sites,
            couplings=wishes.couplings,
            postures={"rest": rest},
        )
    except PoiseError as error:
        raise tree.asset.error(str(error)) from None


def _sites(
    tree: Tree, bones: Bones, frames: Mapping[int, Transform], taken: set[str]
) -> list[Site]:
    """Nodes that stand still on a segment, as named frames on it; those with meshes are none."""
    names = Names(*taken, *bones.segments.values())
    carrier: dict[int, int] = {}
    sites: list[Site] = []
    for node in tree.order:
        parent = tree.parents[node]
        if node in bones.segments:
            carrier[node] = node
            continue
        carrier[node] = carrier[parent] if parent >= 0 else -1
        if carrier[node] < 0 or tree.asset.gltf.nodes[node].mesh is not None:
            continue
        position, rotation = parted(frames[carrier[node]].inverse() @ frames[node])
        name = names.fresh(node_name(tree, node))
        sites.append(Site(name, bones.segments[carrier[node]], position, rotation))
    return sites
