"""Random figures with every joint kind, limit and shape, and a way to compare two figures."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from poise.figure.figure import Figure
from poise.figure.kinds import Ball, Elbow, Fixed, Free, Hinge, JointKind, Slider, Swing
from poise.figure.limits import (
    Angle,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    SwingLimit,
    Twist,
    TwistTable,
)
from poise.figure.parts import WORLD, Coupling, Group, Joint, Monomial, Segment, Site
from poise.figure.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Hull,
    Shape,
    Sphere,
    TaperedCapsule,
)

NAMES = [
    *("base", "upper_arm", "left_hand", "right hand", "Füße", "on", "no", "true", "1e5", "007"),
    *(
        "2024-05-01",
        "12:30",
        "-",
        "#tail",
        "a: b",
        "'quoted'",
        '"twice"',
        "null",
        "~",
        "世界",
        "<<",
    ),
]
"""Names as people choose them, many of which YAML might take for something else."""

numbers = st.one_of(
    st.integers(-100, 100).map(lambda k: k / 100), st.floats(-2, 2, allow_subnormal=False)
)
lengths = st.floats(0.01, 0.5)
angles = st.one_of(
    st.integers(-180, 180).map(lambda k: float(np.deg2rad(k))), st.floats(-np.pi, np.pi)
)
vectors = st.tuples(numbers, numbers, numbers)
rotations = st.tuples(angles, angles, angles)
axes: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(["x", "y", "z", "-x", "-y", "-z"]),
    vectors.filter(lambda v: float(np.linalg.norm(v)) > 0.1),
)
inside = st.floats(0.3, 1.4)


def intervals(values: st.SearchStrategy[float]) -> st.SearchStrategy[tuple[float, float]]:
    return st.one_of(
        st.tuples(values, values).map(lambda ends: (min(ends), max(ends))),
        values.map(lambda low: (low, np.inf)),
        values.map(lambda high: (-np.inf, high)),
        st.just((-np.inf, np.inf)),
    )


# shapes and limits -------------------------------------------------------------------------

shapes: st.SearchStrategy[Shape] = st.one_of(
    st.builds(Sphere, vectors, lengths),
    *(
        st.builds(
            lambda start, along, radius, shape=shape: shape(start, np.add(start, along), radius),
            vectors,
            vectors.filter(lambda v: float(np.linalg.norm(v)) > 0.1),
            lengths,
        )
        for shape in (Capsule, Cylinder)
    ),
    st.builds(
        lambda start, r, share: TaperedCapsule(start, (*start[:2], start[2] + r), r, r * share),
        vectors,
        lengths,
        st.floats(0.1, 1.0),
    ),
    st.builds(Ellipsoid, vectors, st.tuples(lengths, lengths, lengths), rotations),
    st.builds(Box, vectors, st.tuples(lengths, lengths, lengths), rotations),
    st.builds(
        lambda corner, x, y, z, radius: Hull(
            (corner, *(tuple(np.add(corner, each)) for each in np.diag([x, y, z]))), radius
        ),
        *(vectors, lengths, lengths, lengths, st.one_of(st.just(0.0), lengths)),
    ),
)


def _ring(radii: list[float]) -> list[tuple[float, float]]:
    turn = 2 * np.pi / len(radii)
    return [(r * np.cos(i * turn), r * np.sin(i * turn)) for i, r in enumerate(radii)]


def _on_sphere(radii: list[float]) -> SphericalPolygon:
    """Vertices at polar angles, counter-clockwise round +z."""
    directions = [
        (x / r * np.sin(r), y / r * np.sin(r), np.cos(r))
        for (x, y), r in zip(_ring(radii), radii, strict=True)
    ]
    return SphericalPolygon(tuple(directions))


swing_limits: st.SearchStrategy[SwingLimit] = st.one_of(
    st.builds(SphericalEllipse, inside, inside, st.tuples(st.floats(-0.2, 0.2), st.just(0.1))),
    st.lists(inside, min_size=3, max_size=7).map(_on_sphere),
    st.lists(inside, min_size=3, max_size=7).map(lambda radii: PlanarPolygon(tuple(_ring(radii)))),
)
slopes = st.tuples(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1))
twists = st.one_of(
    st.builds(Twist, st.floats(-2, -1), st.floats(1, 2), slopes, slopes, st.floats(-0.2, 0.2)),
    st.builds(Twist, st.floats(-2, -1), st.floats(1, 2)),
    st.builds(
        lambda low, high, zero: TwistTable((-1, 0, 1), (-0.5, 0.5), low, high, zero),
        st.lists(st.tuples(angles.map(lambda a: -abs(a)), st.just(-1.0)), min_size=3, max_size=3),
        st.lists(st.tuples(angles.map(abs), st.just(1.0)), min_size=3, max_size=3),
        st.floats(-0.2, 0.2),
    ),
)
around_zero = st.tuples(st.floats(-1.4, -0.1), st.floats(0.1, 1.4))
turns = st.one_of(st.none(), st.builds(Angle, st.floats(0.1, np.pi)), st.just(Angle(np.pi)))


# joints ------------------------------------------------------------------------------------


@st.composite
def elbows(draw: st.DrawFn) -> Elbow:
    flexion = draw(axes)
    twist = draw(axes.filter(lambda axis: not _parallel(flexion, axis)))
    names = draw(st.sampled_from([("flexion", "twist"), ("bend", "pronation")]))
    return Elbow(flexion, twist, draw(intervals(angles)), draw(intervals(angles)), names)


@st.composite
def balls(draw: st.DrawFn) -> Ball:
    names = draw(st.sampled_from([None, ("a", "b", "c")]))
    axis, zero = draw(axes), draw(rotations)
    if draw(st.booleans()):
        chart: Any = draw(st.sampled_from([None, "swing_twist", "rotation_vector"]))
        return Ball(axis, zero, angle=draw(turns), chart=chart, coordinates=names)
    return Ball(
        axis,
        zero,
        draw(st.lists(swing_limits, max_size=2).map(tuple)),
        draw(st.one_of(st.none(), twists)),
        draw(turns),
        draw(st.one_of(st.just((-np.inf, np.inf)), around_zero)),
        coordinates=names,
    )


@st.composite
def swings(draw: st.DrawFn) -> Swing:
    return Swing(
        draw(axes),
        draw(rotations),
        draw(st.lists(swing_limits, max_size=1).map(tuple)),
        draw(turns),
        swing_y=draw(st.one_of(st.just((-np.inf, np.inf)), around_zero)),
        coordinates=draw(st.sampled_from([("swing_x", "swing_y"), ("lateral", "bend")])),
    )


kinds: st.SearchStrategy[JointKind] = st.one_of(
    st.builds(Fixed),
    st.builds(Hinge, axes, intervals(angles), st.sampled_from(["angle", "flexion"])),
    st.builds(Slider, axes, intervals(numbers), st.sampled_from(["distance", "stroke"])),
    elbows(),
    swings(),
    balls(),
    st.builds(Free),
)

clinicals = st.sampled_from([{}, {"flexion": "-y"}, {"flexion": "y", "abduction": "-x", "on": "z"}])


@st.composite
def joints(draw: st.DrawFn, name: str, parent: str, child: str) -> Joint:
    kind = draw(kinds)
    clinical = draw(clinicals) if isinstance(kind, (Ball, Swing)) else {}
    places = (draw(vectors), draw(rotations), draw(vectors), draw(rotations))
    return Joint(name, kind, parent, child, *places, clinical=clinical)


# the whole ---------------------------------------------------------------------------------


@st.composite
def segments(draw: st.DrawFn, name: str) -> Segment:
    solid = tuple(draw(st.lists(shapes, max_size=2)))
    density = draw(st.one_of(st.none(), lengths.map(lambda x: 4000 * x))) if solid else None
    mass = draw(st.one_of(st.none(), lengths)) if density is None else None
    across = draw(st.floats(0, 0.01))
    tensors: list[Any] = [None, np.diag([0.1, 0.1, 0.15]), np.full((3, 3), across) + np.eye(3)]
    return Segment(
        name,
        mass,
        draw(st.one_of(st.none(), vectors)),
        draw(st.sampled_from(tensors)),
        solid,
        density,
        draw(st.sampled_from([None, "#3f74ad", "#AbCdEf"])),
    )


@st.composite
def groups(draw: st.DrawFn, name: str, members: list[Joint]) -> Group:
    limits = st.dictionaries(
        st.sampled_from(["flexion", "bend", "on"]), intervals(angles), min_size=1
    )
    parameters = draw(limits)
    powers = st.dictionaries(st.sampled_from(sorted(parameters)), st.integers(1, 3), max_size=2)
    terms: dict[str, Any] = {}
    for coordinate in [each for joint in members for each in joint.coordinates]:
        linear = st.dictionaries(st.sampled_from(sorted(parameters)), numbers)
        products = st.lists(st.builds(Monomial, numbers, powers), max_size=3).map(tuple)
        terms[coordinate] = draw(st.one_of(linear, products))
    return Group(name, parameters, terms)


@st.composite
def figures(draw: st.DrawFn, largest: int = 5) -> Figure:
    """A figure of one to `largest` segments, with a root of any kind or none."""
    count = draw(st.integers(1, largest))
    names = draw(st.permutations(NAMES))
    parts = [draw(segments(name)) for name in names[:count]]
    joined: list[Joint] = []
    if draw(st.booleans()):
        joined.append(draw(joints("root", WORLD, parts[0].name)))
    for i in range(1, count):
        parent = parts[draw(st.integers(0, i - 1))].name
        joined.append(draw(joints(names[-i], parent, parts[i].name)))
    movable = [j for j in joined if j.parent != WORLD and j.coordinates]
    driven = movable[: draw(st.integers(0, 2))]
    grouped = [draw(groups("spine", driven))] if driven else []
    bare = Figure("bare", parts, joined, groups=grouped)
    figure = Figure(
        draw(st.sampled_from(["arm", "yes", "1e5", "two words", '"\u05d0'])),
        parts,
        joined,
        sites=[
            Site(f"site_{i}", parts[0].name, draw(vectors), draw(rotations), outline)
            for i, outline in enumerate([(), ((0, 0), (0.1, 0), (0, 0.2))])
        ],
        couplings=draw(_couplings(bare)),
        groups=grouped,
        postures=draw(_postures(bare)),
        description=draw(st.sampled_from(["", "one line", "# not a comment", "two\nlines: ü"])),
    )
    for coordinate in figure.coordinates:
        if draw(st.integers(0, 3)) == 0:
            figure.stiffness[coordinate] = draw(st.floats(0, 0.99))
    figure.lock(*{each.split(".")[0] for each in figure.coordinates[::2]})
    return figure


@st.composite
def _couplings(draw: st.DrawFn, figure: Figure) -> list[Coupling]:
    if not figure.n:
        return []
    terms = draw(
        st.dictionaries(
            st.sampled_from(figure.coordinates), numbers.filter(bool), min_size=1, max_size=4
        )
    )
    low, high = draw(intervals(angles).filter(lambda ends: np.isfinite(ends).any()))
    return [Coupling("coupled", terms, low, high), Coupling("even", terms, 0, 0)]


@st.composite
def _postures(draw: st.DrawFn, figure: Figure) -> dict[str, dict[str, float]]:
    if not figure.n:
        return {"rest": {}}
    values = st.dictionaries(st.sampled_from(figure.coordinates), angles)
    return {"rest": draw(values), "sitting": draw(values)}


def _parallel(one: Any, other: Any) -> bool:
    a, b = Hinge(one).axis, Hinge(other).axis
    return abs(float(np.dot(a, b))) > 0.99


# comparing ---------------------------------------------------------------------------------


def plain(figure: Figure) -> dict[str, Any]:
    """All that a figure is, as plain data; kinds, limits and shapes keep their class's name."""
    return {
        "name": figure.name,
        "description": figure.description,
        "segments": _plain(figure.segments),
        "joints": _plain(figure.joints),
        "sites": _plain(figure.sites),
        "couplings": _plain(figure.couplings),
        "groups": _plain(figure.groups),
        "coordinates": list(figure.coordinates),
        "lower": figure.lower.tolist(),
        "upper": figure.upper.tolist(),
        "postures": {name: q.tolist() for name, q in figure.postures.items()},
        "locked": list(figure.locked_names),
        "stiffness": figure.stiffness.values.tolist(),
    }


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        fields = {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"class": type(value).__name__, **fields}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    return value


def differences(one: Any, other: Any, tolerance: float, where: str = "") -> list[str]:
    """Where two pieces of plain data differ by more than a relative tolerance."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        parts = [(f"{where}.{key}", one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        parts = [(f"{where}[{i}]", one[i], other[i]) for i in range(len(one))]
    elif isinstance(one, (int, float)) and isinstance(other, (int, float)):
        same = one == other or abs(one - other) <= tolerance * max(abs(one), abs(other))
        return [] if same else [f"{where}: {one!r} {other!r}"]
    else:
        return [] if one == other else [f"{where}: {one!r} {other!r}"]
    return [each for at, a, b in parts for each in differences(a, b, tolerance, at)]
