"""Many random pairs of shapes at once, and their support functions by numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.figure.collision import Body, HalfSpace, pack_shapes
from poise.figure.shapes import Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere, TaperedCapsule
from poise.figure.transform import Transform
from poise.kernel.contacts.distance import CONTACT, DISTANCE, FIRST, NORMAL, SECOND, distances
from poise.kernel.contacts.shapes import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HALF_SPACE,
    HULL,
    SPHERE,
    TAPERED,
    Shapes,
)
from poise.kernel.contacts.workspace import REMEMBERED, workspace

Values = NDArray[np.float64]

KINDS = {
    "sphere": SPHERE,
    "capsule": CAPSULE,
    "tapered capsule": TAPERED,
    "ellipsoid": ELLIPSOID,
    "box": BOX,
    "cylinder": CYLINDER,
    "hull": HULL,
    "half-space": HALF_SPACE,
}
PAIRS = [
    (a, b)
    for i, a in enumerate(KINDS)
    for b in list(KINDS)[i:]
    if (a, b) != ("half-space", "half-space")
]
CLOSED = {"sphere", "capsule", "tapered capsule"}
"""Kinds whose distances to each other are closed forms; so are those of anything to half-spaces,
of spheres to boxes, cylinders and ellipsoids, and of capsules to boxes."""
POOL = 40
"""How many different shapes of a kind there are."""
CASES = ("random", "touching", "deep", "aligned", "concentric", "on an axis", "corners")


def is_closed(a: str, b: str) -> bool:
    """Whether the distance of two kinds is a closed form."""
    return (
        b == "half-space"
        or b in CLOSED
        or (a == "sphere" and b != "hull")
        or (a in CLOSED and b == "box")
    )


def body(kind: str, rng: np.random.Generator, vertices: int | None = None) -> Body:
    """A random shape of a kind about the origin, from 5 to 50 cm, along z; hulls have vertices."""
    x, y, z = np.exp(rng.uniform(np.log(0.05), np.log(0.5), 3)).tolist()
    match kind:
        case "sphere":
            return Sphere((0.0, 0.0, 0.0), x)
        case "capsule":
            return Capsule((0.0, 0.0, -x), (0.0, 0.0, x), y)
        case "tapered capsule":
            half = max(x, 0.51 * abs(y - z))
            return TaperedCapsule((0.0, 0.0, -half), (0.0, 0.0, half), y, z)
        case "ellipsoid":
            return Ellipsoid((0.0, 0.0, 0.0), (x, y, z))
        case "box":
            return Box((0.0, 0.0, 0.0), (2 * x, 2 * y, 2 * z))
        case "cylinder":
            return Cylinder((0.0, 0.0, -x), (0.0, 0.0, x), y)
        case "hull":
            points = rng.normal(size=(vertices or int(rng.choice([5, 8, 20, 60])), 3))
            points *= [x, y, z] / np.linalg.norm(points, axis=1)[:, None]
            return Hull(tuple(map(tuple, points.tolist())), float(rng.choice([0.0, 0.03])))
        case _:
            return HalfSpace()


@dataclass
class Crowd:
    """Pairs (0, 1), (2, 3), … of shapes, and where they are."""

    shapes: Shapes
    places: Values

    def __post_init__(self) -> None:
        """Pad the vertices of hulls, so that all have as many."""
        pairs = np.arange(len(self.places), dtype=np.int64).reshape(-1, 2)
        self.pairs = np.ascontiguousarray(pairs)
        s = self.shapes
        hulls = np.nonzero(s.kind == HULL)[0]
        counts = {int(i): self._vertices_of(int(i)) for i in hulls}
        most = max(counts.values(), default=1)
        self.vertices = np.zeros((len(s.kind), most, 3))
        for i, count in counts.items():
            self.vertices[i] = s.vertex[s.first_vertex[i] + np.minimum(np.arange(most), count - 1)]

    def _vertices_of(self, i: int) -> int:
        """How many vertices a hull has: all are neighbours of others."""
        s, first = self.shapes, int(self.shapes.first_vertex[i])
        count, at = 1, 0
        while at < count:
            near = s.neighbor[s.first_neighbor[first + at] : s.first_neighbor[first + at + 1]]
            count = max(count, int(near.max()) + 1)
            at += 1
        return count

    def contacts(self, warm: Values | None = None, *, swapped: bool = False) -> Values:
        """The contacts of all pairs."""
        pairs = np.ascontiguousarray(self.pairs[:, ::-1]) if swapped else self.pairs
        found = np.zeros((len(pairs), CONTACT))
        kept = np.zeros((len(pairs), REMEMBERED)) if warm is None else warm
        distances(self.shapes, self.places, pairs, kept, workspace(), found)
        return found

    def supports(self, which: int, n: Values) -> Values:
        """Support function of the first (0) or second (1) of all pairs along (p, k, 3) vectors."""
        i = self.pairs[:, which]
        R = self.places[i, :9].reshape(-1, 3, 3)
        m = np.einsum("pkj,pji->pki", n, R)
        base = np.einsum("pki,pi->pk", n, self.places[i, 9:])
        kind = int(self.shapes.kind[i[0]])
        size = self.shapes.size[i][:, None]
        radius = size[..., 3]
        if kind == SPHERE:
            value = np.zeros(1)
        elif kind == CAPSULE:
            value = np.abs(m[..., 2]) * size[..., 0]
        elif kind == TAPERED:
            along = m[..., 2] * size[..., 0]
            return base + np.maximum(along + size[..., 2], -along + size[..., 1])
        elif kind == ELLIPSOID:
            return base + np.linalg.norm(m * size[..., :3], axis=-1)
        elif kind == BOX:
            value = (np.abs(m) * size[..., :3]).sum(axis=-1)
        elif kind == CYLINDER:
            value = np.abs(m[..., 2]) * size[..., 0] + np.hypot(m[..., 0], m[..., 1]) * size[..., 1]
        elif kind == HULL:
            value = np.einsum("pki,pvi->pkv", m, self.vertices[i]).max(axis=-1)
        else:
            value = np.where(m[..., 2] > 1 - 1e-12, 0.0, np.inf)
        return base + value + radius

    def gaps(self, n: Values) -> Values:
        """How far apart the pairs are along unit vectors (p, k, 3) from first to second."""
        return -self.supports(0, n) - self.supports(1, -n)


def crowd(
    a: str, b: str, count: int, case: str, seed: int = 0, vertices: int | None = None
) -> Crowd:
    """Random pairs of two kinds, laid out as a case says."""
    rng = np.random.default_rng([seed, KINDS[a], KINDS[b], CASES.index(case)])
    pool = [body(kind, rng, vertices) for kind in (a, b) for _ in range(POOL)]
    packed = pack_shapes((0, Transform(np.eye(3), np.zeros(3)), each) for each in pool)
    which = rng.integers(POOL, size=2 * count)
    which[1::2] += POOL
    shapes = packed._replace(
        kind=packed.kind[which],
        node=packed.node[which],
        rotation=packed.rotation[which],
        position=packed.position[which],
        size=packed.size[which],
        bound=packed.bound[which],
        first_vertex=packed.first_vertex[which],
    )
    turns = Rotation.random(2 * count, rng=rng).as_matrix()
    places = np.zeros((2 * count, 12))
    places[:, 9:] = rng.normal(size=(2 * count, 3)) * 0.01
    offset = rng.normal(size=(count, 3))
    if case in ("random", "touching"):
        offset *= rng.choice([0.1, 0.3, 0.6, 2.0], size=(count, 1))
    else:
        quarter = Rotation.create_group("O").as_matrix()
        turns[1::2] = turns[::2] @ quarter[rng.integers(24, size=count)]
        places[1::2, 9:] = places[::2, 9:]
        if case == "deep":
            turns[1::2] = Rotation.random(count, rng=rng).as_matrix()
            offset *= 0.01
        elif case == "aligned":
            offset = 0.05 * rng.integers(-8, 9, size=(count, 3))
            offset = np.einsum("pij,pj->pi", turns[::2], offset)
        elif case == "concentric":
            offset *= 0.0
        elif case == "on an axis":
            turns[1::2] = Rotation.random(count, rng=rng).as_matrix()
            offset = turns[::2, :, 2] * rng.uniform(-0.5, 0.5, size=(count, 1))
        else:  # a corner, end or extreme of one at the centre or a corner of the other
            reach = np.maximum(shapes.size[::2, :3], 0.0) * rng.integers(-1, 2, size=(count, 3))
            other = np.maximum(shapes.size[1::2, :3], 0.0) * rng.integers(-1, 2, size=(count, 3))
            offset = np.einsum("pij,pj->pi", turns[::2], reach)
            offset += np.einsum("pij,pj->pi", turns[1::2], other)
    places[:, :9] = turns.reshape(-1, 9)
    places[1::2, 9:] += offset
    result = Crowd(shapes, places)
    if case == "touching":
        found = result.contacts()
        apart = rng.choice([0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3], size=count)
        shift = apart - found[:, DISTANCE]
        places[1::2, 9:] += shift[:, None] * found[:, NORMAL : NORMAL + 3]
        result = Crowd(shapes, places)
    return result


def parts(contacts: Values) -> tuple[Values, Values, Values, Values]:
    """Distances, normals and the points on first and second."""
    return (
        contacts[:, DISTANCE],
        contacts[:, NORMAL : NORMAL + 3],
        contacts[:, FIRST : FIRST + 3],
        contacts[:, SECOND : SECOND + 3],
    )
