"""Random scenes over all that poise has: figures, joint kinds, limits, tasks, criteria, forces.

Scenes are made by the public calls, as a user makes them. `scene(seed)` gives the same one every
time. Some have nothing to do with any real body: that is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from tests.random_figures import grouped, random_joint, random_segment, unit, vector

import poise
from poise import tasks
from poise.errors import PoiseError
from poise.figure import (
    Angle,
    Ball,
    Coupling,
    Elbow,
    Ellipsoid,
    Figure,
    Fixed,
    Free,
    Hinge,
    PlanarPolygon,
    Site,
    Slider,
    SphericalEllipse,
    SphericalPolygon,
    Swing,
    Transform,
    Twist,
    TwistTable,
)
from poise.figure.kinds import JointKind
from poise.figure.transform import rotation_matrix
from poise.models import catalogue
from poise.solvers import METHODS

Generator = np.random.Generator


@dataclass(frozen=True)
class Case:
    """A scene to be solved, and how."""

    seed: int
    scene: poise.Scene
    method: str
    refused: tuple[str, ...]
    """What `Scene.add` and the like refused while it was made, each with a `PoiseError`."""


def case(seed: int) -> Case:
    """The scene of a seed."""
    rng = np.random.default_rng([1994, seed])
    several = rng.random() < 0.2
    if several:
        given: Any = {name: _figure(rng, small=True) for name in ("anna", "ben")}
    else:
        given = _figure(rng)
    scene = poise.Scene(given, metres_per_radian=float(rng.uniform(0.2, 1.5)), natural=False)
    scene.options = scene.options.changed(restarts=0)  # what one solve from one start does
    refused: list[str] = []

    def attempt(call: Callable[[], object]) -> None:
        try:
            call()
        except PoiseError as error:
            refused.append(str(error))

    for name, figure in scene.figures.items():
        _restrain(rng, figure)
        moved = figure.rest().q + rng.normal(0, 0.2, figure.n) * ~figure.root_coordinates
        scene.postures = {name: figure.clamp(moved)}
        if several and figure.root_coordinates.any():
            position = (float(rng.normal()), float(rng.normal()), 0.0)
            attempt(partial(scene.stand, name, position, float(rng.uniform(-3, 3))))
    if rng.random() < 0.3:
        attempt(partial(_furnish, rng, scene))
    if rng.random() < 0.4:
        attempt(partial(_load, rng, scene))
    levels = int(rng.integers(1, 5))
    for number in range(int(rng.integers(1, 7))):
        attempt(partial(_add_task, rng, scene, 1 + number % levels))
    if rng.random() < 0.4:
        attempt(partial(_add_criterion, rng, scene))
    others = [name for name in METHODS if name != "lex"]
    method = "lex" if rng.random() < 0.7 else str(rng.choice(others))
    return Case(seed, scene, method, tuple(refused))


# figures -----------------------------------------------------------------------------------

_LARGE = ("human", "human_female", "person_of_63", "person_of_71", "upper_body_of_70")


@cache
def _entries(small: bool) -> list[Callable[[], Figure]]:
    return [entry.build for entry in catalogue() if not (small and entry.name in _LARGE)]


def _figure(rng: Generator, *, small: bool = False) -> Figure:
    """A ready figure, one of random joints, or a person with another root or spine."""
    choice = rng.random()
    if choice < 0.4:
        return _random_figure(rng)
    if choice < 0.5 and not small:
        person = poise.human(
            stature=float(rng.uniform(1.45, 2.0)),
            sex="female" if rng.random() < 0.5 else "male",
            spine="independent" if rng.random() < 0.5 else "grouped",
            hands=bool(rng.random() < 0.2),
        )
        if rng.random() < 0.5:
            return person.rooted_at("left_foot", person.rest())[0]
        return person
    entries = _entries(small)
    return entries[int(rng.integers(len(entries)))]()


def _random_figure(rng: Generator) -> Figure:
    count = int(rng.integers(2, 8))
    joints = [random_joint(rng, "root", Free() if rng.random() < 0.6 else Fixed(), "world", "s0")]
    for i in range(1, count):
        parent = i - 1 if rng.random() < 0.6 else int(rng.integers(i))
        joints.append(random_joint(rng, f"j{i}", _kind(rng), f"s{parent}", f"s{i}"))
    segments = [random_segment(rng, f"s{i}") for i in range(count)]
    square = ((0.1, 0.05), (-0.1, 0.05), (-0.1, -0.05), (0.1, -0.05))
    sites = [Site("sole", f"s{count - 1}", vector(rng, 0.1), vector(rng, 1.0), outline=square)]
    plain = Figure("random", segments, joints, sites=sites)
    if rng.random() < 0.2:
        bound = partial(grouped, rng, plain, degree=int(rng.integers(1, 4)))
    elif rng.random() < 0.3 and plain.n >= 2:
        one, other = (str(each) for each in rng.choice(plain.coordinates, 2, replace=False))
        ends = (0.0, 0.0) if rng.random() < 0.5 else (-0.4, 1.0)
        laws = [Coupling("law", {one: 1.0, other: -0.6}, *ends)]
        bound = partial(Figure, "random", segments, joints, sites=sites, couplings=laws)
    else:
        return plain
    try:
        figure = bound()
        figure.rest()
        return figure
    except PoiseError:  # nothing to bind, or limits that leave no posture
        return plain


def _kind(rng: Generator) -> JointKind:
    """A joint of any kind, with limits of any kind."""
    choice = int(rng.integers(8))
    low, high = float(rng.uniform(-2.5, -0.1)), float(rng.uniform(0.1, 2.5))
    if choice == 0:
        return Hinge(unit(rng), (low, high)) if rng.random() < 0.8 else Hinge(unit(rng))
    if choice == 1:
        return Slider(unit(rng), (0.1 * low, 0.1 * high))
    if choice == 2:
        flexion = np.array(unit(rng))
        across = np.cross(flexion, unit(rng)) + 0.3 * flexion
        x, y, z = across.tolist()
        return Elbow(tuple(flexion.tolist()), (x, y, z), (low, high), (-1.0, 1.2))
    if choice == 3:
        return Swing(unit(rng), vector(rng, 0.5), swing=(_region(rng),))
    if choice == 4:
        return Ball(unit(rng), vector(rng, 0.5), chart="rotation_vector", angle=Angle(0.5 * high))
    if choice == 5:
        return Ball(unit(rng), vector(rng, 0.5))
    if choice == 6:
        return Ball(unit(rng), swing=(_region(rng), SphericalEllipse(1.1, 0.9)), twist=_twist(rng))
    return Ball(unit(rng), swing_x=(-0.7, 0.5), swing_y=(-0.4, 0.9), twist=_twist(rng))


def _region(rng: Generator) -> Any:
    corners = int(rng.integers(3, 8))
    around = 2 * np.pi * (np.arange(corners) + 0.5 * rng.random()) / corners
    far = rng.uniform(0.4, 1.2, corners)
    points = np.stack([far * np.cos(around), far * np.sin(around)], axis=-1)
    choice = int(rng.integers(3))
    if choice == 0:
        centre = (float(rng.normal() * 0.1), float(rng.normal() * 0.1))
        return SphericalEllipse(float(rng.uniform(0.3, 1.4)), float(rng.uniform(0.3, 1.4)), centre)
    if choice == 1:
        return PlanarPolygon(points)
    return SphericalPolygon([rotation_matrix([x, y, 0.0])[:, 2].tolist() for x, y in points])


def _twist(rng: Generator) -> Any:
    choice = int(rng.integers(3))
    if choice == 0:
        return Twist(float(rng.uniform(-1.5, -0.2)), float(rng.uniform(0.2, 1.5)))
    if choice == 1:
        slope = (float(rng.uniform(-0.2, 0.2)), float(rng.uniform(-0.2, 0.2)))
        return Twist(-0.9, 0.9, slope, slope)
    grid = (-1.0, 0.0, 1.0)
    lower, upper = rng.uniform(-1.2, -0.3, (3, 3)), rng.uniform(0.3, 1.2, (3, 3))
    return TwistTable(grid, grid, lower, upper)


def _restrain(rng: Generator, figure: Figure) -> None:
    """Lock a joint, or make some stiff."""
    parts = sorted({name.rpartition(".")[0] for name in figure.coordinates})
    if len(parts) < 2:
        return
    if rng.random() < 0.2:
        figure.lock(str(rng.choice(parts)))
    if rng.random() < 0.2:
        figure.stiffness[str(rng.choice(parts))] = float(rng.uniform(0, 0.95))


# the world ---------------------------------------------------------------------------------


def _name(rng: Generator, scene: poise.Scene) -> str:
    """A site or a segment, by the name that tasks use."""
    own = str(rng.choice(list(scene.figures)))
    figure = scene.given[own]
    names = list(figure.sites) if figure.sites and rng.random() < 0.7 else list(figure.segments)
    chosen = str(rng.choice(names))
    return f"{own}/{chosen}" if scene.has_several else chosen


def _furnish(rng: Generator, scene: poise.Scene) -> None:
    size = [float(each) for each in rng.uniform(0.05, 0.5, 3)]
    prop = [
        poise.box(*size, mass=float(rng.uniform(0.1, 8)), name="thing"),
        poise.sphere(size[0], mass=1.0, name="thing"),
        poise.cylinder(size[0], size[1], mass=2.0, name="thing"),
    ][int(rng.integers(3))]
    if rng.random() < 0.5:
        scene.hold(prop, _name(rng, scene))
    else:
        scene.place(prop, vector(rng, 0.5))


def _load(rng: Generator, scene: poise.Scene) -> None:
    for own in scene.figures:
        figure = scene.given[own]
        names = [site.name for site in figure.sites.values() if site.outline] or list(figure.sites)
        if not names:
            continue
        chosen = [str(each) for each in rng.choice(names, min(2, len(names)), replace=False)]
        for each in chosen:
            site = f"{own}/{each}" if scene.has_several else each
            scene.forces.support(site, ratio=1.0 / len(chosen))
    scene.forces.apply(_name(rng, scene), force=vector(rng, 40.0), torque=vector(rng, 2.0))


# what is wanted ----------------------------------------------------------------------------


def _rotation(rng: Generator) -> Any:
    return rotation_matrix(vector(rng, 1.0))


def _goal(rng: Generator, scene: poise.Scene, site: str) -> Any:
    """A point within reach or far away."""
    away = float(rng.choice([0.05, 0.3, 3.0], p=[0.4, 0.4, 0.2]))
    return scene.places[site].position + vector(rng, away)


def _add_task(rng: Generator, scene: poise.Scene, priority: int) -> None:
    joints = None
    if rng.random() < 0.2:
        own = str(rng.choice(list(scene.figures)))
        figure = scene.given[own]
        some = rng.choice(figure.coordinates, max(1, figure.n // 2), replace=False)
        joints = [f"{own}/{each}" if scene.has_several else str(each) for each in some]
    scene.add(
        _task(rng, scene),
        priority=priority,
        weight=float(np.exp(rng.normal())) if rng.random() < 0.3 else 1.0,
        name=f"task {len(scene.handles)}",
        joints=joints,
    )


def _task(rng: Generator, scene: poise.Scene, *, simple: bool = False) -> tasks.Task:
    site, other = _name(rng, scene), _name(rng, scene)
    point = _goal(rng, scene, site)
    axes = str(rng.choice(["xyz", "xy", "z"]))
    region = tasks.Convex.box(point, rng.uniform(0.1, 0.6, 3))
    choices: list[Any] = [
        lambda: tasks.Position(site, point, axes=axes),
        lambda: tasks.Position(site, point, axes=axes, frame=_rotation(rng)),
        lambda: tasks.Position(site, vector(rng, 0.2), frame=other),
        lambda: tasks.Position(site, other),
        lambda: tasks.Orientation(site, _rotation(rng)),
        lambda: tasks.Orientation(site, _rotation(rng), free="y"),
        lambda: tasks.Orientation(site, _rotation(rng), form="vectors", cy=0.5),
        lambda: tasks.Aim(site, point + vector(rng, 1.0), axis=unit(rng)),
        lambda: tasks.Line(site, point, unit(rng)),
        lambda: tasks.Plane(site, point, unit(rng)),
        lambda: tasks.HalfSpace(site, point, unit(rng)),
        lambda: tasks.Surface(site, Ellipsoid(tuple(point.tolist()), (0.3, 0.2, 0.4))),
        lambda: tasks.CenterOfMass(vector(rng, 1.0), axes=axes),
        lambda: tasks.Inertia(unit(rng), float(rng.uniform(0.05, 0.5))),
        lambda: tasks.Loop(site, other),
        lambda: tasks.Outside(site, region, margin=0.05),
    ]
    if not simple:
        choices += [
            lambda: tasks.Frame(site),
            lambda: tasks.Frame(site, Transform(_rotation(rng), point)),
            lambda: tasks.Frame(site, other),
            lambda: tasks.Contact(site, point, unit(rng), slide=bool(rng.random() < 0.5)),
            lambda: tasks.Contact(site, turn=False),
            lambda: tasks.Loop(site, other, match="both"),
            lambda: tasks.Inside(site, region, margin=0.02),
            lambda: tasks.Balance(margin=0.01, supports=_outlined(rng, scene)),
            lambda: _equilibrium(scene),
            lambda: tasks.Any([_task(rng, scene, simple=True), _task(rng, scene, simple=True)]),
            lambda: tasks.Custom(partial(height_of, site), 1),
        ]
    return choices[int(rng.integers(len(choices)))]()


def height_of(site: str, posture: poise.Posture, places: Any) -> Any:
    """The residual of a task of one's own: a site is to be half a metre above the ground."""
    return [places[site].position[2] - 0.5]


def _outlined(rng: Generator, scene: poise.Scene) -> str:
    own = str(rng.choice(list(scene.figures)))
    names = [site.name for site in scene.given[own].sites.values() if site.outline]
    if not names:
        raise PoiseError(f"{own} has no outline to stand on")
    chosen = str(rng.choice(names))
    return f"{own}/{chosen}" if scene.has_several else chosen


def _equilibrium(scene: poise.Scene) -> tasks.Task:
    if not scene.forces.supports:
        raise PoiseError("nothing supports the figures")
    return tasks.Equilibrium()


def _add_criterion(rng: Generator, scene: poise.Scene) -> None:
    choices: list[tasks.Criterion] = [tasks.Rest(), tasks.MidRange(), tasks.Comfort()]
    if scene.forces.supports:
        choices.append(tasks.Effort())
    scene.add(choices[int(rng.integers(len(choices)))], weight=float(rng.uniform(0.1, 3)))
