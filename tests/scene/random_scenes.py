"""Random scenes, and whether two scenes are the same, for tests."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from tests.random_figures import random_figure, unit, vector

import poise
from poise import Scene, tasks
from poise.figure import Figure, Posture, Segment, Site, Sphere, Transform
from poise.figure.holding import with_sites
from poise.figure.props import Prop
from poise.figure.transform import rotation_matrix
from poise.scene import Options, Origin
from poise.statics.loads import Load


def random_scene(seed: int) -> Scene:
    """A scene with everything that a file can hold, chosen by chance."""
    rng = np.random.default_rng(seed)
    several = bool(rng.integers(2))
    names = ["anna", "ben", "cat"][: int(rng.integers(1, 4))] if several else ["only"]
    made = {name: _figure(rng) for name in names}
    figures = {name: figure for name, (figure, _) in made.items()}
    scene = Scene(
        figures if several else figures["only"],
        metres_per_radian=float(rng.uniform(0.1, 2)),
        description=str(rng.choice(["", "one", "a: b # c", "“quoted” 'text'"])),
    )
    for name, own in zip(made, scene.figures, strict=True):
        origin = made[name][1]
        if origin:
            scene.origins[own] = origin
        figure = scene.given[own]
        q = scene.postures[own].q + rng.normal(0, 0.3, figure.n) * (rng.random(figure.n) < 0.5)
        scene.postures = {own: q}
    _furnish(rng, scene)
    _push(rng, scene)
    for i in range(int(rng.integers(1, 7))):
        _want(rng, scene, i)
    scene.options = Options(
        tolerance=float(rng.uniform(1e-6, 1e-2)),
        max_iterations=int(rng.integers(1, 500)),
        max_seconds=float(rng.uniform(0.1, 9)) if rng.random() < 0.5 else None,
        restarts=int(rng.integers(4)),
    )
    return scene


def _figure(rng: np.random.Generator) -> tuple[Figure, Origin | None]:
    """A figure, and its origin when it is told."""
    choice = int(rng.integers(4))
    origin: Origin | None = None
    if choice == 0:
        figure = random_figure(rng, 5, kinds=("hinge", "slider", "ball", "rotation"))
    elif choice == 1:
        figure = poise.planar_person()
    elif choice == 2:
        arguments = {"n": int(rng.integers(2, 6)), "limit": float(rng.uniform(0.2, 1.5))}
        origin = Origin("chain", arguments)
        figure = origin.build()
    else:
        figure = poise.chain(3, length=float(rng.uniform(0.1, 1)), joint="ball")
    if rng.random() < 0.5:
        segment = next(iter(figure.segments))
        figure = with_sites(figure, [Site("mark", segment, vector(rng, 0.3), vector(rng, 1.0))])
    part = str(rng.choice([c.partition(".")[0] for c in figure.coordinates]))
    if rng.random() < 0.3:
        figure.lock(part)
    if rng.random() < 0.3:
        figure.stiffness[part] = float(rng.uniform(0, 0.99))
    if rng.random() < 0.3:
        figure.postures["odd"] = rng.normal(0, 0.3, figure.n)
    return figure, origin


def _furnish(rng: np.random.Generator, scene: Scene) -> None:
    for i in range(int(rng.integers(3))):
        name, mass = f"prop_{i}", float(rng.uniform(0.1, 9))
        size = rng.uniform(0.05, 1, 3).tolist()
        shape = Sphere(vector(rng, 0.1), size[0])
        inertia: Any = np.diag([2.0, 2.5, 3.0]).tolist() if rng.random() < 0.5 else None
        prop = [
            poise.box(*size, mass=mass, name=name),
            poise.sphere(size[0], mass=mass, name=name, color="#123abc"),
            poise.cylinder(size[0], size[1], mass=mass, name=name),
            Prop(Segment(name, mass, vector(rng, 0.1), inertia, (shape,))),
        ][int(rng.integers(4))]
        if rng.random() < 0.5:
            prop = prop.with_site("spot", vector(rng, 0.2), vector(rng, 1.0))
        place = Transform.make(vector(rng, 1.0), vector(rng, 1.5))
        if rng.random() < 0.5:
            scene.place(prop, place)
        else:
            scene.hold(prop, _site(rng, scene, held=True), at=place)


def _push(rng: np.random.Generator, scene: Scene) -> None:
    for i in range(int(rng.integers(3))):
        site = _site(rng, scene, held=True)
        scene.forces.support(site, ratio=float(rng.normal()), friction=float(rng.uniform(0.1, 1)))
        name = f"force {i}" if rng.random() < 0.5 else None
        scene.forces.apply(
            site, force=vector(rng, 50), torque=vector(rng, 5), point=vector(rng, 0.1), name=name
        )
    if scene.forces.supports and rng.random() < 0.3:
        site = next(iter(scene.forces.supports))
        scene.forces.use([Load(site, force=vector(rng, 9.0), point=vector(rng, 0.1))])
    if rng.random() < 0.3:
        scene.forces.set_person(age=float(rng.uniform(18, 80)), sex="female")


def _site(rng: np.random.Generator, scene: Scene, *, held: bool = False) -> str:
    own = str(rng.choice(list(scene.given)))
    segments = list(scene.given[own].segments)
    name = str(rng.choice(segments))
    if scene.props and not held and rng.random() < 0.3:
        return str(rng.choice(list(scene.props)))
    return f"{own}/{name}" if scene.has_several else name


def _rotation(rng: np.random.Generator) -> Any:
    rotation = rotation_matrix(vector(rng, 1.5))
    if rng.random() < 0.2:
        rotation = rotation + rng.normal(0, 1e-8, (3, 3))  # as good as a user may have it
    return rotation


def _want(rng: np.random.Generator, scene: Scene, i: int) -> None:
    """Add a task or criterion with random values."""
    site, other = _site(rng, scene), _site(rng, scene)
    if site == other:
        return
    point = vector(rng, 1.0)
    own = str(rng.choice(list(scene.given)))
    figure = scene.given[own]
    kinds: list[Any] = [
        tasks.Position(site, point, axes="zx", frame=_rotation(rng)),
        tasks.Position(site),
        tasks.Orientation(site, _rotation(rng), free="y"),
        tasks.Orientation(site, _rotation(rng), form="vectors", cx=0.5, cy=float(rng.random())),
        tasks.Frame(site, Transform(_rotation(rng), np.array(point)), position_share=0.3),
        tasks.Frame(site, metres_per_radian=float(rng.uniform(0.1, 3))),
        tasks.Aim(site, point, axis=unit(rng)),
        tasks.Aim(site, axis="-z"),
        tasks.HalfSpace(site, point, normal=unit(rng)),
        tasks.CenterOfMass(point, axes="x"),
        tasks.Loop(site, other, match="both"),
        tasks.Equilibrium(metres_per_newton_metre=float(rng.uniform(1e-4, 1e-2))),
        tasks.Rest(),
        tasks.Rest(figure.posture(figure.rest().q + rng.normal(0, 0.2, figure.n))),
    ]
    wanted = kinds[int(rng.integers(len(kinds)))]
    weight = float(rng.uniform(0.1, 5)) if rng.random() < 0.5 else 1.0
    if isinstance(wanted, tasks.Criterion):
        handle = scene.add(wanted, weight=weight)
    else:
        coordinate = str(rng.choice(figure.coordinates))
        joints = [f"{own}/{coordinate}" if scene.has_several else coordinate]
        handle = scene.add(
            wanted,
            priority=int(rng.integers(1, 5)),
            weight=weight,
            name=f"task {i}",
            joints=joints if rng.random() < 0.3 else None,
        )
    handle.enabled = bool(rng.random() < 0.8)


def differences(first: Scene, second: Scene, within: float = 1e-12) -> list[str]:
    """What two scenes do not have in common."""
    found: list[str] = []

    def compare(what: str, a: Any, b: Any) -> None:
        if not _alike(a, b, within):
            found.append(f"{what}: {a!r} and {b!r}")

    compare("description", first.description, second.description)
    compare("several", first.has_several, second.has_several)
    compare("figures", list(first.given), list(second.given))
    for name, figure in first.given.items():
        again = second.given[name]
        compare(f"coordinates of {name}", figure.coordinates, again.coordinates)
        compare(f"posture of {name}", first.postures[name].q, second.postures[name].q)
        compare(f"rest of {name}", figure.rest().q, again.rest().q)
        compare(f"postures of {name}", dict(figure.postures), dict(again.postures))
        compare(f"locks of {name}", figure.locked_names, again.locked_names)
        compare(f"stiffness of {name}", figure.stiffness.values, again.stiffness.values)
        compare(f"mass of {name}", figure.mass, again.mass)
        compare(f"sites of {name}", dict(figure.sites), dict(again.sites))
        compare(f"segments of {name}", dict(figure.segments), dict(again.segments))
        compare(f"joints of {name}", dict(figure.joints), dict(again.joints))
    compare("scale", first.metres_per_radian, second.metres_per_radian)
    compare("options", first.options, second.options)
    compare("props", list(first.props), list(second.props))
    for name, thing in first.props.items():
        other = second.props[name]
        compare(f"prop {name}", thing.prop, other.prop)
        compare(f"place of {name}", thing.place, other.place)
        compare(f"holder of {name}", (thing.figure, thing.site), (other.figure, other.site))
    compare("supports", first.forces.supports, second.forces.supports)
    compare("applied", first.forces.applied, second.forces.applied)
    compare("borne", first.forces.borne, second.forces.borne)
    compare("person", first.forces.person, second.forces.person)
    compare("strength", first.forces.strength, second.forces.strength)
    compare("tasks", sorted(first.handles), sorted(second.handles))
    for name, handle in first.handles.items():
        other = second.handles[name]
        for attribute in ("priority", "weight", "joints", "enabled", "wanted"):
            compare(f"{attribute} of {name}", getattr(handle, attribute), getattr(other, attribute))
    return found


def _alike(a: Any, b: Any, within: float) -> bool:
    """Whether two values are the same, numbers to a tolerance."""
    if isinstance(a, Posture) and isinstance(b, Posture):
        return _alike(a.q, b.q, within)
    if type(a) is not type(b) and not {type(a), type(b)} <= {int, float}:
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_alike(a[key], b[key], within) for key in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(_alike(x, y, within) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and bool(np.abs(a - b).max(initial=0.0) <= within)
    if isinstance(a, (int, float)) and not isinstance(a, bool):
        return a == b or abs(a - b) <= within * max(1.0, abs(a))
    if dataclasses.is_dataclass(a):
        names = [field.name for field in dataclasses.fields(a)]
        return all(_alike(getattr(a, name), getattr(b, name), within) for name in names)
    return a == b
