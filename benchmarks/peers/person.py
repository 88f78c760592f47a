"""The person whom everyone poses, its files, and the lists of goals.

The figure has 54 coordinates: a free root and 48 hinges, as `poise.export` writes them with
`hinges=True`. (That is 55 numbers for those that have a quaternion in the root.) Everyone has the
same hinges with the same limits: poise and mink by the MJCF file, the others by a URDF file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from postures import random_posture

import poise
from peers.asked import Goals, Values
from poise.figure import Figure, Fixed, Joint, Segment, Transform
from poise.figure.kinds import Free
from poise.formats import read
from poise.models import person_joints as joints
from poise.models.person import Person
from poise.models.published import leg_of_8
from poise.models.sketch import SIDES

SITES = {
    "left_hand_goal": "left_hand",
    "right_hand_goal": "right_hand",
    "left_foot_goal": "left_foot",
    "right_foot_goal": "right_foot",
    "head_goal": "eyes",
}
"""Frames for goals, each a segment fixed to where this site is: not all files have sites."""
FRAMES = (*SITES, "pelvis")
FEET, HANDS = ("left_foot_goal", "right_foot_goal"), ("left_hand_goal", "right_hand_goal")
RANGES = {
    "hip_x": (-45.0, 30.0),
    "hip_y": (-90.0, 20.0),
    "hip_z": (-40.0, 40.0),
    "shoulder_x": (-154.0, -19.0),
    "shoulder_y": (-80.0, 45.0),
    "shoulder_z": (-60.0, 60.0),
}
"""Degrees that a person has, about, of hinges that the files leave free by half a turn; the left
ones. (Three hinges in a row cannot have the limits of the ball that they stand for.)"""
NUMBER = 60
"""Frames of a motion."""
REACH = 2.1
"""Metres from the feet to the hands of a person who stretches up, a little more than there are."""


def person(folder: Path) -> Figure:
    """The figure, and in the folder person.xml, person.urdf and floating.urdf of it."""
    sketch = Person("person", "54 coordinates", stature=1.75, mass=75.0)
    back = ("lower_back", "upper_back")
    sketch.trunk({name: (name, joints.trunk(2)) for name in back}, root="free")
    sketch.neck({"neck": ("neck", joints.neck())}, joints.head_ball())
    for name, side in SIDES:
        sketch.arm(
            name,
            clavicle=joints.clavicle_ball(side),
            shoulder=joints.shoulder(side),
            elbow=joints.elbow(),
            wrist=joints.wrist_ball(side),
        )
        leg_of_8(sketch, name, side)
    poise.export(sketch.build(), folder / "balls.xml", hinges=True)
    hinges = read(folder / "balls.xml").figure
    places = {name: hinges.sites[site] for name, site in SITES.items()}
    segments = [*hinges.segments.values(), *(Segment(name) for name in places)]
    fixed = [
        Joint(f"{name}_joint", Fixed(), site.segment, name, site.position, site.rotation)
        for name, site in places.items()
    ]
    inner = [*hinges.joints.values(), *fixed]
    rest = dict(zip(hinges.coordinates, hinges.rest().q.tolist(), strict=True))
    figure = Figure("person", segments, inner, postures={"rest": rest})
    poise.export(figure, folder / "person.xml")
    poise.export(figure, folder / "floating.urdf")
    # Most who read URDF add the free root themselves.
    held = [replace(j, kind=Fixed()) if isinstance(j.kind, Free) else j for j in inner]
    poise.export(Figure("person", segments, held), folder / "person.urdf")
    return figure


def motion(figure: Figure) -> list[Goals]:
    """Frames of a posture that sways: goals move by some centimetres from one to the next."""
    rng = np.random.default_rng(1)
    size, rate, phase = (rng.uniform(*ends, figure.n) for ends in ((0.1, 0.5), (0.5, 2), (0, 6.28)))
    size[figure.root_coordinates] *= 0.3
    goals: list[Goals] = []
    for angle in np.linspace(0.0, 2 * np.pi, NUMBER + 1)[1:]:
        sway = size * (np.sin(rate * angle + phase) - np.sin(phase))
        goals.append(places_of(figure, figure.clamp(figure.rest().q + sway).q))
    return goals


def scattered(figure: Figure, count: int) -> list[Goals]:
    """Placements of rest + U(−0.6, 0.6) rad, clamped; the root stays."""
    rng = np.random.default_rng(2)
    inner = ~figure.root_coordinates
    goals: list[Goals] = []
    for _ in range(count):
        q = figure.rest().q.copy()
        q[inner] += rng.uniform(-0.6, 0.6, int(inner.sum()))
        goals.append(places_of(figure, figure.clamp(q).q))
    return goals


def anywhere(
    figure: Figure, seed: int, count: int, *, human: bool
) -> tuple[Sequence[Goals], Values]:
    """Placements of random postures, every angle uniform within its limits, and random starts.

    Args:
        figure: the person.
        seed: of both; 0 to 4 are for tuning.
        count: how many of each.
        human: whether hips and shoulders keep to `RANGES`; otherwise to the files' limits, so that
            thighs and upper arms point anywhere.

    Returns:
        goals, and starts (count, n) of the same kind. postures.py says what is random.
    """
    rng, others = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    within = ranges(figure) if human else None
    goals = [places_of(figure, random_posture(figure, rng, within).q) for _ in range(count)]
    return goals, np.array([random_posture(figure, others, within).q for _ in range(count)])


def ranges(figure: Figure) -> tuple[Values, Values]:
    """The least and the most of each coordinate, hips and shoulders as `RANGES` says."""
    lower, upper = figure.lower.copy(), figure.upper.copy()
    for name, (least, most) in RANGES.items():
        mirrored = (least, most) if name.endswith("y") else (-most, -least)
        for side, ends in (("left", (least, most)), ("right", mirrored)):
            at = figure.index(f"{side}_{name}.angle")
            lower[at], upper[at] = np.deg2rad(ends)
    return lower, upper


def out_of_reach(figure: Figure) -> list[Goals]:
    """Feet stay, hands are to go where a stretched person is a metre short; moved a little."""
    rest = places_of(figure, figure.rest().q)
    middle = 0.5 * sum((rest[foot].position for foot in FEET), np.zeros(3))
    goals: list[Goals] = []
    for step in np.arange(NUMBER):
        up, aside = np.deg2rad(30 + 0.5 * step), np.deg2rad(-30 + 0.7 * step)
        way = [np.cos(up) * np.cos(aside), np.cos(up) * np.sin(aside), np.sin(up)]
        far = middle + (REACH + 1.0) * np.array(way)
        hands = {hand: Transform(rest[hand].rotation, far) for hand in HANDS}
        goals.append({**{foot: rest[foot] for foot in FEET}, **hands})
    return goals


def places_of(figure: Figure, q: Values) -> dict[str, Transform]:
    places = figure.place(q)
    return {frame: places[frame] for frame in FRAMES}
