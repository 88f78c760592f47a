"""The nodes of a glTF file: who carries whom, and where they are, at rest and in motion.

Nodes may be scaled, sheared and mirrored; segments may not. A node's *frame* is the rigid part of
its placement: its position, and the rotation that is nearest to how it has turned its axes since
rest. Where nothing is scaled unevenly that loses nothing, however the whole is scaled or mirrored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.checking import FARTHEST
from poise.formats.conventions import Convention
from poise.formats.gltf.container import Asset

Floats = NDArray[np.float64]

DEEPEST = 2_000
"""The longest way from a root to a node that is read."""

_RIGID = 1e-12  # how far from a rotation a matrix may be that is taken for one
_LARGEST = 1e12  # of any number in a placement


@dataclass(frozen=True, eq=False)
class Local:
    """How a node stands in its parent, in k frames or, with k = 1, in all of them.

    Attributes:
        translation: (k, 3).
        rotation: (k, 4), unit quaternions x y z w.
        scale: (k, 3).
    """

    translation: Floats
    rotation: Floats
    scale: Floats

    def matrices(self) -> Floats:
        """(k, 4, 4), the most that any of the three has."""
        count = max(len(self.translation), len(self.rotation), len(self.scale))
        result = np.zeros((count, 4, 4))
        turns = Rotation.from_quat(self.rotation).as_matrix()
        result[:, :3, :3] = turns * self.scale[:, None, :]
        result[:, :3, 3] = self.translation
        result[:, 3, 3] = 1.0
        return result


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes that a file shows.

    Attributes:
        asset: the file.
        order: numbers of its nodes, parents before children; others are not shown.
        parents: of each of them, −1 for a root.
        locals: how each stands in its parent at rest, (4, 4), by number.
        rest: where each is in the file's world at rest, (4, 4).
        turned: the rotation (3, 3) of each node's frame at rest.
    """

    asset: Asset
    order: tuple[int, ...]
    parents: Mapping[int, int]
    locals: Mapping[int, Floats]
    rest: Mapping[int, Floats]
    turned: Mapping[int, Floats]

    def frames(
        self, wanted: set[int], moved: Mapping[int, Local], count: int, convention: Convention
    ) -> dict[int, tuple[Floats, Floats]]:
        """Rotations (k, 3, 3) and positions (k, 3) of some nodes' frames in our world.

        A frame's axes are the node's as our world's are the file's: a node that is not turned in
        the file has a frame that is not turned in our world.

        Args:
            wanted: numbers of the nodes.
            moved: how nodes stand that do not stand as at rest.
            count: the number of frames, k.
            convention: from the file's axes and unit to ours.
        """
        needed = self.with_ancestors(wanted)
        still = set(self.order) - self.below(set(moved))
        placed: dict[int, Floats] = {}
        result: dict[int, tuple[Floats, Floats]] = {}
        axes = convention.axes
        for node in self.order:
            if node not in needed:
                continue
            parent = self.parents[node]
            if node in still:
                world = self.rest[node][None]
            else:
                local = moved[node].matrices() if node in moved else self.locals[node][None]
                with np.errstate(over="ignore", invalid="ignore"):
                    world = placed[parent] @ local if parent >= 0 else local
                if not np.abs(world).max() < _LARGEST:
                    raise self.asset.error(f"nodes[{node}] moves too far for any figure")
            placed[node] = world
            if node in wanted:
                turned = self.turned[node][None] if node in still else self._turned(node, world)
                rotations = axes @ turned @ axes.T
                positions = convention.places(world[:, :3, 3])
                if not np.abs(positions).max(initial=0.0) <= FARTHEST:
                    raise self.asset.error(f"nodes[{node}] goes farther than {FARTHEST:g} m")
                result[node] = (
                    np.broadcast_to(rotations, (count, 3, 3)),
                    np.broadcast_to(positions, (count, 3)),
                )
        return result

    def with_ancestors(self, nodes: set[int]) -> set[int]:
        """Some nodes and all that carry them."""
        result: set[int] = set()
        for node in nodes:
            while node >= 0 and node not in result:
                result.add(node)
                node = self.parents[node]
        return result

    def below(self, nodes: set[int]) -> set[int]:
        """Some nodes and all that they carry."""
        result: set[int] = set()
        for node in self.order:
            if node in nodes or self.parents[node] in result:
                result.add(node)
        return result

    def _turned(self, node: int, world: Floats) -> Floats:
        """The rotations (k, 3, 3) of a node's frame, in the file's axes."""
        rest = self.rest[node][:3, :3]
        size = float(np.cbrt(abs(np.linalg.det(rest))))
        if size < 1e-9 or np.linalg.cond(rest) > 1e6:
            # Scaled to nothing at rest: how it has turned since cannot be told.
            return nearest_rotations(world[:, :3, :3])
        since = world[:, :3, :3] @ np.linalg.inv(rest)
        return nearest_rotations(since) @ self.turned[node]


def grown(asset: Asset) -> tuple[Tree, list[str]]:
    """The tree of a file's nodes, checked, and notes about what is not shown."""
    nodes = asset.gltf.nodes
    if not nodes:
        raise asset.error("there are no nodes in it, so there is no figure")
    parents: dict[int, int] = {}
    for number, node in enumerate(nodes):
        for child in node.children:
            if child >= len(nodes):
                raise asset.error(
                    f"nodes[{number}].children: there is no node {child}; there are {len(nodes)}, "
                    "counted from 0"
                )
            if parents.setdefault(child, number) != number:
                raise asset.error(
                    f"nodes[{child}] is a child of two nodes, {parents[child]} and {number}"
                )
    roots = [number for number in range(len(nodes)) if number not in parents]
    notes: list[str] = []
    shown = _shown_roots(asset)
    if shown is not None:
        for root in shown:
            if root in parents:
                raise asset.error(f"the scene's root {root} is a child of nodes[{parents[root]}]")
        roots = shown
    order: list[int] = []
    stack = [(root, 0) for root in reversed(roots)]
    while stack:
        number, depth = stack.pop()
        if depth > DEEPEST:
            raise asset.error(f"nodes are nested more than {DEEPEST} deep")
        order.append(number)
        stack.extend((child, depth + 1) for child in reversed(nodes[number].children))
        if len(order) > len(nodes):
            raise asset.error(f"nodes[{number}].children names one child twice")
    if not order:
        raise asset.error(
            "no node is a root: they are children of each other in a circle"
            if shown is None
            else "the scene that it shows has no nodes"
        )
    if len(order) < len(nodes):
        notes.append(f"{len(nodes) - len(order)} nodes are in no scene that is shown: left out")
    locals_ = dict(zip(order, _locals(asset, order), strict=True))
    rest: dict[int, Floats] = {}
    for number in order:
        parent = parents.get(number, -1)
        with np.errstate(over="ignore", invalid="ignore"):
            rest[number] = rest[parent] @ locals_[number] if parent >= 0 else locals_[number]
        if not np.abs(rest[number]).max() < _LARGEST:
            raise asset.error(f"nodes[{number}] is too far away or too large for any figure")
    known = {number: parents.get(number, -1) for number in order}
    turns = nearest_rotations(np.array([rest[number][:3, :3] for number in order]))
    turned = dict(zip(order, turns, strict=True))
    return Tree(asset, tuple(order), known, locals_, rest, turned), notes


def _locals(asset: Asset, order: Sequence[int]) -> Floats:
    """How nodes stand in their parents at rest, (k, 4, 4)."""
    rests = [local_rest(asset, number) for number in order]
    whole = Local(
        np.concatenate([rest.translation for rest in rests]),
        np.concatenate([rest.rotation for rest in rests]),
        np.concatenate([rest.scale for rest in rests]),
    )
    with np.errstate(over="ignore"):
        result = whole.matrices()
    for i, number in enumerate(order):
        matrix = asset.gltf.nodes[number].matrix
        if matrix is not None:
            result[i] = np.array(matrix).reshape(4, 4).T  # columns first
            if not np.allclose(result[i, 3], [0, 0, 0, 1], atol=1e-6):
                raise asset.error(f"nodes[{number}].matrix must end in 0, 0, 0, 1 below")
    return result


def local_rest(asset: Asset, number: int) -> Local:
    """How a node stands in its parent at rest, in parts; its matrix, if it has one, is not used."""
    node = asset.gltf.nodes[number]
    turn = unit_quaternions(np.array([node.rotation]))
    if turn is None:
        raise asset.error(
            f"nodes[{number}].rotation must be a unit quaternion, not {list(node.rotation)}"
        )
    return Local(np.array([node.translation]), turn, np.array([node.scale]))


def unit_quaternions(values: Floats) -> Floats | None:
    """Quaternions (k, 4) with length one; None where one has no direction to speak of."""
    largest = np.abs(values).max(axis=1, keepdims=True, initial=0.0)
    if not ((largest > 1e-6) & (largest < 1e6)).all():
        return None
    return values / np.linalg.norm(values, axis=1, keepdims=True)


def nearest_rotations(matrices: Floats) -> Floats:
    """The rotations nearest to matrices (k, 3, 3), in the sense of least squares."""
    products = matrices @ matrices.transpose(0, 2, 1)
    off = np.abs(products - np.eye(3)).max(axis=(1, 2))
    wrong = (off > _RIGID) | (np.linalg.det(matrices) < 0)
    result = matrices.copy()
    if wrong.any():
        u, _, vt = np.linalg.svd(matrices[wrong])
        u[..., 2] *= np.sign(np.linalg.det(u @ vt))[:, None]
        result[wrong] = u @ vt
    return result


def _shown_roots(asset: Asset) -> list[int] | None:
    """The roots of the scene that the file shows; None where it has no scenes."""
    gltf = asset.gltf
    if not gltf.scenes:
        return None
    chosen = gltf.scene or 0
    if chosen >= len(gltf.scenes):
        raise asset.error(f"scene: there is no scene {chosen}; there are {len(gltf.scenes)}")
    roots = gltf.scenes[chosen].nodes
    for root in roots:
        if root >= len(gltf.nodes):
            raise asset.error(f"scenes[{chosen}].nodes: there is no node {root}")
    if len(set(roots)) < len(roots):
        raise asset.error(f"scenes[{chosen}].nodes names one node twice")
    return roots
