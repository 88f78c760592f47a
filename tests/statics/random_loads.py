"""Random loads on random figures, and what joints hold by counting bodies, for tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from tests.random_figures import vector

from poise.figure import Figure
from poise.figure.packing import crossings
from poise.statics.loads import GRAVITY, Load

Values = NDArray[np.float64]


def random_loads(rng: np.random.Generator, figure: Figure, count: int = 3) -> list[Load]:
    """Forces and torques on random segments."""
    names = list(figure.segments)
    return [
        Load(
            str(rng.choice(names)),
            force=vector(rng, 20.0),
            torque=vector(rng, 5.0),
            point=vector(rng, 0.2),
        )
        for _ in range(count)
    ]


def balancing_load(figure: Figure, q: Values, loads: list[Load], site: str) -> Load:
    """The one wrench at a site that balances all loads and the weight."""
    places = figure.place(q)
    at = places[site].position
    weight = np.array([0.0, 0.0, -GRAVITY * figure.mass])
    force, moment = weight.copy(), np.cross(figure.center_of_mass(q) - at, weight)
    for load in loads:
        x = places[load.site].apply(np.array(load.point))
        force += load.force
        moment += np.cross(x - at, load.force) + load.torque
    return Load(site, force=tuple(-force), torque=tuple(-moment))  # type: ignore[arg-type]


def moment_by_bodies(figure: Figure, q: Values, loads: list[Load], joint: str) -> Values:
    """What a joint exerts on its child, from all bodies on the side away from the ground."""
    backwards = {each.name: back for each, back in crossings(list(figure.joints.values()))}[joint]
    cut = figure.joints[joint]
    beyond, stack = set[str](), [cut.parent if backwards else cut.child]
    while stack:
        here = stack.pop()
        beyond.add(here)
        for each in figure.joints.values():
            if each.name != joint and here in (each.parent, each.child):
                stack += [s for s in (each.parent, each.child) if s != here and s not in beyond]
    assert "world" not in beyond
    places = figure.place(q)
    center = places.joint(joint).position
    total = np.zeros(3)
    for name in beyond:
        mass, at, _ = figure.segments[name].mass_properties()
        arm = places.segment(name).apply(at) - center
        total += np.cross(arm, [0.0, 0.0, -GRAVITY * mass])
    for load in loads:
        if figure.segment_of(load.site) in beyond:
            arm = places[load.site].apply(np.array(load.point)) - center
            total += np.cross(arm, load.force) + load.torque
    return total if backwards else -total
