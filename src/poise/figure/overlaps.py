"""Which parts of a figure touch by design, and how deep they may.

Neighbours overlap at their joint, thighs touch, upper arms lie on the trunk. Each pair of shapes
that overlaps in the rest posture may do so by a little more than it does there. Left alone are
neighbours that touch or nearly do (`NEIGHBOURS`), which the limits of their joints keep apart;
those that overlap so far that a push would have no direction (`DEEP`); and those that are inside
each other in most postures (`OFTEN`).
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.checking import FARTHEST, number
from poise.errors import PoiseError, unknown_name
from poise.figure.collision import pack_shapes, parts_of
from poise.figure.naming import driver
from poise.kernel.contacts import distance, workspace

if TYPE_CHECKING:
    from poise.figure.figure import Figure

Values = NDArray[np.float64]
Pair = tuple[str, str]

DEEP, DEEPEST = 0.5, 0.025
"""A pair that overlaps at rest by more than this share of the thinner shape, or by more metres than
this, is left alone: flesh that lies on flesh does so by less."""
NEIGHBOURS, BESIDE = 3, 0.02
"""Segments with at most so many joints between them, or with joints of one group only, such as
vertebrae, are neighbours; their shapes are left alone that are as near to each other (m) at rest.
"""
OFTEN, POSTURES = 0.5, 40
"""So is one that is too deep in more than this share of so many postures within limits."""
SPARE = 5e-3
"""Metres that pairs which touch at rest may go deeper than there."""


class Overlaps(MutableMapping[Pair, float]):
    """By the names of two segments: how deep (m) they may be in each other; inf for left alone.

    Pairs that do not touch at rest are not in it. A pair that is set has that depth for all of its
    shapes; one that is deleted may not touch.
    """

    def __init__(self, figure: Figure) -> None:
        """Of a figure; what overlaps is found when it is first asked for."""
        self._figure = figure
        self._told: dict[Pair, float] = {}
        self._found: tuple[list[str], Values] | None = None

    def allowed(self) -> tuple[list[str], Values]:
        """The segment of each shape, in the order of `parts_of`; the depth of each pair (s, s)."""
        if self._found is None:
            self._found = _found(self._figure)
        names, depths = self._found
        if not self._told:
            return names, depths
        depths, of = depths.copy(), np.array(names)
        for (one, other), depth in self._told.items():
            both = np.outer(of == one, of == other)
            depths[both | both.T] = depth
        return names, depths

    @property
    def told(self) -> tuple[tuple[Pair, float], ...]:
        """What was set."""
        return tuple(self._told.items())

    def _by_segment(self) -> dict[Pair, float]:
        names, depths = self.allowed()
        found: dict[Pair, float] = {}
        for i, j in zip(*np.nonzero(np.triu(depths, 1) > 0.0), strict=True):
            pair = names[i], names[j]
            if pair[0] != pair[1]:
                key = pair if pair in found or pair[::-1] not in found else pair[::-1]
                found[key] = max(found.get(key, 0.0), float(depths[i, j]))
        return found

    def _key(self, pair: object) -> Pair:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise PoiseError(f"overlaps are of two segments, by their names, not of {pair!r}")
        for name in pair:
            if name not in self._figure.segments:
                raise unknown_name("segment", name, self._figure.segments, self._figure.name)
        return pair

    def __getitem__(self, pair: Pair) -> float:
        """How deep (m) two segments may be in each other."""
        one, other = self._key(pair)
        found = self._by_segment()
        if (one, other) not in found and (other, one) not in found:
            raise KeyError(f"{one} and {other} do not touch by design")
        return found.get((one, other), found.get((other, one), 0.0))

    def __setitem__(self, pair: Pair, depth: float) -> None:
        """Let two segments be as deep as this (m) in each other; inf leaves them alone."""
        one, other = self._key(pair)
        if depth != np.inf:
            depth = number(depth, f"the depth of {one} in {other} (m)", least=0.0, most=FARTHEST)
        self._told.pop((other, one), None)
        self._told[one, other] = depth

    def __delitem__(self, pair: Pair) -> None:
        """Let two segments not touch."""
        self[pair] = 0.0

    def __iter__(self) -> Iterator[Pair]:
        """Pairs of names."""
        return iter(self._by_segment())

    def __len__(self) -> int:
        """How many pairs touch by design."""
        return len(self._by_segment())

    def __repr__(self) -> str:
        """How many, and how many are left alone."""
        found = self._by_segment()
        alone = sum(depth == np.inf for depth in found.values())
        return f"<Overlaps of {self._figure.name!r}: {len(found)} pairs, {alone} left alone>"


def _found(figure: Figure) -> tuple[list[str], Values]:
    parts = parts_of(figure)[:-1]  # without the floor
    names = [part.segment for part in parts]
    shapes = pack_shapes([(part.node, part.place, part.shape) for part in parts])
    count = len(parts)
    first, second = np.triu_indices(count, 1)
    apart = shapes.node[first] != shapes.node[second]
    pairs = np.stack([first[apart], second[apart]], axis=1)
    thick = np.minimum(_thickness(shapes)[pairs[:, 0]], _thickness(shapes)[pairs[:, 1]])
    tree = figure.packed.tree
    state, places = kernel.body.tree.state(tree), np.zeros((count, 12))
    warm = np.zeros((len(pairs), workspace.REMEMBERED))
    room, contacts = workspace.workspace(), np.zeros((len(pairs), distance.CONTACT))

    def distances(q: Values) -> Values:
        kernel.body.kinematics.place(tree, q, state)
        kernel.contacts.shapes.place_shapes(shapes, state, places)
        kernel.contacts.distance.distances(shapes, places, pairs, warm, room, contacts)
        return contacts[:, distance.DISTANCE].copy()

    at_rest = distances(figure.clamp(figure.rest()).q)
    depth = np.where(at_rest < 1e-9, SPARE - np.minimum(at_rest, 0.0), 0.0)
    depth[at_rest < -np.minimum(DEEP * thick, DEEPEST)] = np.inf
    order = list(figure.segments)
    of = np.array([order.index(name) for name in names])
    are_neighbours = _neighbours(figure)[of[pairs[:, 0]], of[pairs[:, 1]]]
    depth[(at_rest < BESIDE) & are_neighbours] = np.inf
    inside = np.zeros(len(pairs))
    rng = np.random.default_rng(0)
    for _ in range(POSTURES):
        inside += distances(somewhere(figure, rng)) < -depth
    depth[inside > OFTEN * POSTURES] = np.inf
    allowed = np.full((count, count), np.inf)
    allowed[pairs[:, 0], pairs[:, 1]] = allowed[pairs[:, 1], pairs[:, 0]] = depth
    return names, allowed


def _neighbours(figure: Figure) -> NDArray[np.bool_]:
    """Which segments are neighbours (s, s)."""
    order = {name: i for i, name in enumerate(figure.segments)}
    count = len(order)
    joints = np.full((count, count), count)
    np.fill_diagonal(joints, 0)
    within = {name: np.eye(count, dtype=bool) for name in figure.groups}
    for joint in figure.joints.values():
        if joint.parent in order:
            i, j = order[joint.parent], order[joint.child]
            joints[i, j] = joints[j, i] = 1
            if (group := driver(figure, joint.name)) is not None:
                within[group.name][i, j] = within[group.name][j, i] = True
    for k in range(count):
        joints = np.minimum(joints, joints[:, k : k + 1] + joints[k : k + 1])
        for name, own in within.items():
            within[name] = own | (own[:, k : k + 1] & own[k : k + 1])
    result: NDArray[np.bool_] = joints <= NEIGHBOURS
    for own in within.values():
        result = result | own
    return result


def _thickness(shapes: kernel.contacts.shapes.Shapes) -> Values:
    """Twice the least half width of each shape (m), about."""
    kinds, size = kernel.contacts.shapes, shapes.size
    found = 2.0 * size[:, kinds.RADIUS]
    for kind in (kinds.ELLIPSOID, kinds.BOX):
        of = shapes.kind == kind
        found[of] = 2.0 * size[of, :3].min(axis=1)
    of = shapes.kind == kinds.CYLINDER
    found[of] = 2.0 * np.minimum(size[of, 0], size[of, 1])
    of = shapes.kind == kinds.HULL
    found[of] += shapes.bound[of]
    return found


def somewhere(figure: Figure, rng: np.random.Generator) -> Values:
    """A posture (n,) within limits, at random."""
    half = np.pi
    lower = np.where(np.isfinite(figure.lower), figure.lower, -half)
    upper = np.where(np.isfinite(figure.upper), figure.upper, half)
    q = rng.uniform(lower, upper)
    root = figure.root_coordinates
    q[root] = figure.rest().q[root]
    return figure.clamp(q).q
