"""Distances of convex shapes: how right they are, and how fast.

A million random pairs of all kinds, apart, touching, deep, aligned, concentric and with corners in
each other. Along the normal that comes with a distance two support functions, computed by numpy,
tell how far the shapes are apart: `certificate` is the worst difference to the distance. For shapes
that are apart it is a proof, together with `points`, how far the two nearest points are off their
shapes. For depths, `directions` is how much less deep any of some random directions is: never
above the tolerance. A third table searches for a better direction with thousands of directions and
ever smaller steps around the best, which needs nothing of our methods.

Then coal and MuJoCo, where they have the pair: the share of distances that differ by more than a
micrometre, and for how many of these the direction or the points of either side refute the other.

The last table is the time of one pair in a compiled loop over different pairs; `warm` remembers
what it found before all shapes moved by a tenth of a millimetre, `cold` remembers nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from timing import show

from poise.figure.collision import pack_shapes
from poise.figure.transform import Transform
from poise.kernel.contacts.distance import CONTACT, distances
from poise.kernel.contacts.pairs import groups_of, make_near, near_pairs, pair_list
from poise.kernel.contacts.shapes import HULL
from poise.kernel.contacts.workspace import REMEMBERED, workspace

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.kernel.contacts.bodies import CASES, KINDS, PAIRS, Crowd, body, crowd, is_closed, parts

Values = NDArray[np.float64]

TOTAL = 1_000_000
DIRECTIONS, SEARCHED = 40, 60
ORACLE_PAIRS = 150
REPEATS, TILES, SHIFT = 25, 20, 1e-4
SAME = 1e-6


def directions(count: int, each: int, rng: np.random.Generator) -> Values:
    found = rng.normal(size=(count, each, 3))
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


def certify() -> None:
    """The table of a million pairs."""
    rng = np.random.default_rng(0)
    each = -(-TOTAL // (len(PAIRS) * len(CASES)))
    rows: list[list[str]] = []
    total, beyond = 0, 0
    for a, b in PAIRS:
        worst = np.zeros(3)
        inside = 0
        wrong = 0
        for case in CASES:
            pairs = crowd(a, b, each, case, seed=1)
            distance, normal, first, second = parts(pairs.contacts())
            certificate = np.abs(pairs.gaps(normal[:, None])[:, 0] - distance)
            around = np.broadcast_to(directions(1, DIRECTIONS, rng), (each, DIRECTIONS, 3))
            off = [np.einsum("pki,pi->pk", around, first) - pairs.supports(0, around)]
            excess = np.array([-np.inf])
            if b != "half-space":
                off.append(np.einsum("pki,pi->pk", around, second) - pairs.supports(1, around))
                excess = pairs.gaps(around).max(axis=1) - distance
            points = max(float(np.quantile(part.max(axis=1), 0.999)) for part in off)
            found = np.array([certificate.max(), points, excess.max()])
            worst = np.maximum(worst, found)
            wrong += int((certificate > (1e-9 if is_closed(a, b) else 1e-6)).sum())
            inside += int((distance < 0).sum())
            total += each
        beyond += wrong
        kind = "closed" if is_closed(a, b) else "iterated"
        share = f"{inside / (each * len(CASES)):.0%}"
        rows.append([f"{a}, {b}", kind, share, *(f"{x:.0e}" for x in worst), str(wrong)])
    heads = [
        "pair",
        "",
        "inside",
        "certificate, m",
        "points (99.9 %)",
        "directions",
        "beyond 1e-9, 1e-6",
    ]
    show(f"{total} pairs, {beyond} beyond tolerance", heads, rows)


def searched(pairs: Crowd, rng: np.random.Generator) -> Values:
    """The greatest gap of each pair along any direction, by search alone."""
    count = len(pairs.pairs)
    tried = directions(count, 1500, rng)
    gaps = pairs.gaps(tried)
    order = np.argsort(-gaps, axis=1)[:, :4]
    best = np.take_along_axis(tried, order[..., None], axis=1)
    values = np.take_along_axis(gaps, order, axis=1)
    step = 0.1
    while step > 1e-7:
        for _ in range(3):
            around = best[:, :, None] + step * rng.normal(size=(count, 4, 24, 3))
            around /= np.linalg.norm(around, axis=-1, keepdims=True)
            found = pairs.gaps(around.reshape(count, -1, 3)).reshape(count, 4, 24)
            k = found.argmax(axis=2)[..., None]
            better = np.take_along_axis(found, k, axis=2)[..., 0]
            moved = np.take_along_axis(around, k[..., None], axis=2)[:, :, 0]
            gains = better > values
            best = np.where(gains[..., None], moved, best)
            values = np.maximum(values, better)
        step *= 0.6
    return values.max(axis=1)


def search() -> None:
    """The table of directions found by search."""
    rng = np.random.default_rng(1)
    rows: list[list[str]] = []
    for a, b in PAIRS:
        if b == "half-space":
            continue
        worst = [0.0, 0.0]
        for case in ("random", "deep"):
            pairs = crowd(a, b, SEARCHED, case, seed=2)
            apart = searched(pairs, rng) - parts(pairs.contacts())[0]
            worst = [max(worst[0], float(apart.max())), max(worst[1], float(-apart.min()))]
        rows.append([f"{a}, {b}", f"{worst[0]:.0e}", f"{worst[1]:.0e}"])
    show("Search for a better direction", ["pair", "better than ours by, m", "worse by"], rows)


def coal_distances(pairs: Crowd) -> Iterator[tuple[float, Values, Values, Values]]:
    """Distance, normal and points of each pair by coal; nothing for what it does not have."""
    import coal

    def shape(i: int) -> Any:
        kind = int(pairs.shapes.kind[i])
        a, b, c, r = pairs.shapes.size[i].tolist()
        match kind:
            case 0:
                return coal.Sphere(r)
            case 1:
                return coal.Capsule(r, 2 * a)
            case 3:
                return coal.Ellipsoid(a, b, c)
            case 4:
                return coal.Box(2 * a, 2 * b, 2 * c)
            case 5:
                return coal.Cylinder(b, 2 * a)
            case 6:
                points = coal.StdVec_Vec3s()
                points.extend(list(pairs.vertices[i]))
                hull = coal.Convex.convexHull(points, False, "Qt")
                hull.setSweptSphereRadius(r)
                return hull
            case _:
                return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)

    request = coal.DistanceRequest()
    request.gjk_tolerance = request.epa_tolerance = 1e-9
    request.gjk_max_iterations = request.epa_max_iterations = 500
    for i, j in pairs.pairs.tolist():
        frames = [
            coal.Transform3s(pairs.places[k, :9].reshape(3, 3), pairs.places[k, 9:]) for k in (i, j)
        ]
        result = coal.DistanceResult()
        found = coal.distance(shape(i), frames[0], shape(j), frames[1], request, result)
        points = result.getNearestPoint1(), result.getNearestPoint2()
        yield found, np.array(result.normal), np.array(points[0]), np.array(points[1])


MUJOCO = {0: "sphere", 1: "capsule", 3: "ellipsoid", 4: "box", 5: "cylinder", 6: "mesh", 7: "plane"}


def mujoco_distances(pairs: Crowd) -> Iterator[tuple[float, Values, Values, Values]]:
    """The same by MuJoCo."""
    import mujoco
    from scipy.spatial.transform import Rotation

    for i, j in pairs.pairs.tolist():
        spec = mujoco.MjSpec()
        spec.option.disableflags = 0
        for k in (i, j):
            body = spec.worldbody.add_body(mocap=True)
            kind = int(pairs.shapes.kind[k])
            a, b, c, r = pairs.shapes.size[k].tolist()
            sizes = {0: [r, 0, 0], 1: [r, a, 0], 5: [b, a, 0], 7: [1, 1, 1]}.get(kind, [a, b, c])
            geom = body.add_geom(type=getattr(mujoco.mjtGeom, f"mjGEOM_{MUJOCO[kind].upper()}"))
            geom.size = sizes
            if kind == HULL:
                spec.add_mesh(name=f"m{k}", uservert=np.unique(pairs.vertices[k], axis=0).ravel())
                geom.meshname = f"m{k}"
        model = spec.compile()
        model.opt.ccd_iterations = 200
        model.opt.ccd_tolerance = 1e-10
        data = mujoco.MjData(model)
        for at, k in enumerate((i, j)):
            turn = Rotation.from_matrix(pairs.places[k, :9].reshape(3, 3)).as_quat()
            data.mocap_pos[at], data.mocap_quat[at] = pairs.places[k, 9:], np.roll(turn, 1)
        mujoco.mj_kinematics(model, data)
        ends = np.zeros(6)
        found = mujoco.mj_geomDistance(model, data, 0, 1, 100.0, ends)
        along = ends[3:] - ends[:3]
        size = float(np.linalg.norm(along))
        normal = along / size * (1 if found > 0 else -1) if size > 0 else np.full(3, np.nan)
        yield found, normal, ends[:3].copy(), ends[3:].copy()


def judge(name: str, run: Any, missing: set[str]) -> None:
    """The table of one oracle."""
    rows: list[list[str]] = []
    for a, b in PAIRS:
        if a in missing or b in missing:
            continue
        counts = np.zeros(4, int)
        apart: list[float] = []
        for case in ("random", "touching", "deep", "aligned"):
            pairs = crowd(a, b, ORACLE_PAIRS, case, seed=3)
            if name == "MuJoCo" and HULL in pairs.shapes.kind:  # it has no rounded hulls
                pairs.shapes.size[pairs.shapes.kind == HULL, 3] = 0.0
            ours, normal, *_ = parts(pairs.contacts())
            told = list(run(pairs))
            theirs = np.array([each[0] for each in told])
            along = np.nan_to_num(np.array([each[1] for each in told]))
            size = np.linalg.norm(along, axis=1, keepdims=True)
            along = np.where(size > 0.5, along / np.maximum(size, 0.5), normal)
            differ = np.abs(ours - theirs) > SAME
            apart += np.abs(ours - theirs).tolist()
            # A direction along which the shapes are further apart than is claimed refutes the
            # claim; so do two points of separate shapes that are nearer, ours being proved.
            proof, other = pairs.gaps(normal[:, None])[:, 0], pairs.gaps(along[:, None])[:, 0]
            too_low = differ & (proof > theirs + SAME / 2)
            too_high = differ & (theirs > ours) & (ours > 0) & (np.abs(proof - ours) < SAME / 2)
            unproved = differ & (theirs > ours) & (ours <= 0) & (other < theirs - SAME / 2)
            refuted = differ & (other > ours + SAME / 2)
            wrong = too_low | too_high | unproved
            counts += [len(ours), differ.sum(), wrong.sum(), refuted.sum()]
        half = np.median(apart)
        rows.append([f"{a}, {b}", *map(str, counts), f"{half:.0e}", f"{max(apart):.0e}"])
    heads = ["pair", "pairs", "differ", f"{name} refuted", "ours refuted", "median, m", "worst, m"]
    show(f"{name}", heads, rows)


def speed() -> None:
    """The table of times."""
    rows: list[list[str]] = []
    wanted = [
        ("sphere", "sphere", ""),
        ("capsule", "capsule", "40"),
        ("tapered capsule", "tapered capsule", ""),
        ("capsule", "box", "150"),
        ("tapered capsule", "box", ""),
        ("tapered capsule", "ellipsoid", ""),
        ("tapered capsule", "cylinder", ""),
        ("box", "box", ""),
        ("ellipsoid", "ellipsoid", ""),
        ("ellipsoid", "box", ""),
        ("capsule", "hull", "500"),
        ("box", "hull", "500"),
        ("hull", "hull", "500"),
        ("box", "half-space", ""),
    ]
    for a, b, limit in wanted:
        apart, inside = (timed(a, b, inside) for inside in (False, True))
        rows.append([f"{a}, {b}", *apart, limit, *inside])
    heads = ["pair", "apart, warm", "cold", "at most", "inside, warm", "cold"]
    show("One pair, ns; hulls have 642 vertices", heads, rows)


def timed(a: str, b: str, inside: bool) -> list[str]:
    rng = np.random.default_rng(0)
    pairs = crowd(a, b, 600, "random", vertices=642)
    distance = parts(pairs.contacts())[0]
    there = distance < -0.01 if inside else distance > 0.01
    many = np.tile(pairs.pairs[there][:150], (TILES, 1))
    warm, room = np.zeros((len(many), REMEMBERED)), workspace()
    contacts = np.zeros((len(many), CONTACT))
    least = [np.inf, np.inf]
    for _ in range(REPEATS):
        pairs.places[:, 9:] += SHIFT * rng.normal(size=(len(pairs.places), 3))
        for k, kept in enumerate((warm, np.zeros_like(warm))):
            before = time.perf_counter()
            distances(pairs.shapes, pairs.places, many, kept, room, contacts)
            least[k] = min(least[k], time.perf_counter() - before)
    return [f"{seconds / len(many) * 1e9:.0f}" for seconds in least]


def near() -> None:
    """The table of the broad phase: 60 shapes that move about a metre, among 100 in ten metres."""
    rng = np.random.default_rng(0)
    here = Transform(np.eye(3), np.zeros(3))
    kinds = list(KINDS)[:7]
    bodies = [(1 + k // 2, here, body(kinds[k % 7], rng)) for k in range(60)]
    shapes = pack_shapes([*bodies, *((0, here, body(kinds[k % 7], rng)) for k in range(100))])
    places = np.zeros((160, 12))
    places[:, [0, 4, 8]] = 1.0
    places[:60, 9:] = rng.uniform(-1.0, 1.0, size=(60, 3))
    places[60:, 9:] = rng.uniform(-5.0, 5.0, size=(100, 3))
    pairs = [(i, j) for i in range(60) for j in range(i + 1, 160)]
    rows: list[list[str]] = []
    for slack in (0.0, 0.02):
        listing = pair_list(pairs, [0.0] * len(pairs), groups_of(shapes, places))
        room = make_near(listing, slack)
        found = np.zeros(len(pairs), np.int64)
        least, count = np.inf, 0
        for _ in range(200):
            places[:60, 9:] += 1e-4 * rng.normal(size=(60, 3))
            before = time.perf_counter()
            count = near_pairs(shapes, places, listing, room, 0.05, found)
            least = min(least, time.perf_counter() - before)
        made = room.listed.made
        rows.append([f"{slack:g} m", str(len(pairs)), str(count), str(made), f"{least * 1e6:.1f}"])
    heads = ["slack", "pairs", "near", "made anew in 200", "µs, with the call from Python"]
    show("60 shapes among 100", heads, rows)


if __name__ == "__main__":
    speed()
    near()
    certify()
    search()
    judge("coal", coal_distances, {"tapered capsule"})
    judge("MuJoCo", mujoco_distances, {"tapered capsule", "half-space"})
