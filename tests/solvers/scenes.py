"""Random scenes with two to five levels, within reach and out of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from poise.figure import Figure, Transform
from poise.models.chain import chain
from poise.models.human import human
from poise.models.quadruped import quadruped
from poise.solvers.problem import Wish
from poise.tasks import (
    Aim,
    Balance,
    CenterOfMass,
    Comfort,
    Criterion,
    Frame,
    HalfSpace,
    Loop,
    MidRange,
    Orientation,
    Position,
    Rest,
    Task,
)

Floats = np.ndarray

FIGURES = ("human", "human on one foot", "chain of balls", "flat chain", "quadruped")
"""With polygons, ellipses, twists that depend on swing, couplings and groups among the limits."""

_SITES = {
    "human": ("left_hand", "right_hand", "left_foot", "right_foot", "eyes", "pelvis"),
    "human on one foot": ("left_hand", "right_hand", "right_foot", "eyes", "pelvis"),
    "chain of balls": ("tip", "link_3", "link_6"),
    "flat chain": ("tip", "link_4", "link_8"),
    "quadruped": ("left_front_paw", "right_front_paw", "left_hind_paw", "nose", "tail_tip"),
}


@cache
def figure(name: str) -> Figure:
    if name == "human":
        return human()
    if name == "human on one foot":
        person = human()
        return person.rooted_at("left_foot", person.rest())[0]
    if name == "chain of balls":
        return chain(8, 0.2, "ball", limit=1.0)
    if name == "flat chain":
        return chain(12, 0.1, limit=0.8)
    return quadruped()


def scene(seed: int) -> tuple[Figure, list[Wish], Floats]:
    """A figure, what is wanted of it, and a start within limits."""
    rng = np.random.default_rng(seed)
    name = FIGURES[seed % len(FIGURES)]
    subject = figure(name)
    inner = ~subject.root_coordinates
    q = subject.rest().q.copy()
    q[inner] += rng.uniform(-0.5, 0.5, int(inner.sum()))
    goal = subject.clamp(subject.posture(q))
    places = subject.place(goal)
    levels = int(rng.integers(2, 6))
    wishes: list[Wish] = []
    for number in range(int(rng.integers(levels, levels + 3))):
        site = str(rng.choice(_SITES[name]))
        far = rng.random() < 0.3
        away = rng.normal(size=3) * (rng.uniform(0.3, 2.0) if far else 0.0)
        task = _task(rng, site, places[site].position + away, places[site].rotation)
        wishes.append(Wish(f"task {number}", task, 1 + number % levels))
    start = subject.rest().q.copy()
    start[inner] += rng.uniform(-0.2, 0.2, int(inner.sum()))
    return subject, wishes, subject.clamp(subject.posture(start)).q


def adorned(
    seed: int,
) -> tuple[Figure, list[Wish], list[tuple[Criterion, float]], Floats]:
    """The same with weights, locked and stiff joints, tasks for some joints, loops and criteria.

    A person is balanced, too. The figure is one of its own, since it is changed.
    """
    figure.cache_clear()
    subject, wishes, start = scene(seed)
    figure.cache_clear()  # nobody else gets this one
    rng = np.random.default_rng(1000 + seed)
    name = FIGURES[seed % len(FIGURES)]
    inner = [
        name
        for name, root in zip(subject.coordinates, subject.root_coordinates, strict=True)
        if not root
    ]
    sites, joints = _SITES[name], list(dict.fromkeys(name.rpartition(".")[0] for name in inner))
    subject.lock(str(rng.choice(joints)))
    for joint in rng.choice(joints, 3):
        subject.stiffness[str(joint)] = float(rng.uniform(0.2, 0.9))
    wishes = [
        replace(
            wish,
            weight=float(np.exp(rng.uniform(-1.5, 1.5))),
            metres_per_radian=float(rng.uniform(0.2, 1.0)),
            joints=tuple(joints[len(joints) // 3 :]) if rng.random() < 0.2 else None,
        )
        for wish in wishes
    ]
    lowest = wishes[-1].priority
    one, other = (str(site) for site in rng.choice(sites, 2, replace=False))
    wishes.append(Wish("loop", Loop(one, other), int(rng.integers(1, lowest + 1))))
    if name == "human":
        wishes.append(Wish("stand", Frame("left_foot", subject.place(start)["left_foot"]), 1))
        wishes.append(
            Wish(
                "balance",
                Balance(margin=0.01, supports="left_foot"),
                int(rng.integers(1, lowest + 1)),
            )
        )
    criteria: list[tuple[Criterion, float]] = [(Rest(), 1.0), (MidRange(), 0.5), (Comfort(), 2.0)]
    return subject, wishes, criteria[int(rng.integers(3)) :], start


def _task(rng: np.random.Generator, site: str, at: Floats, turned: Floats) -> Task:
    kind = rng.integers(7)
    if kind == 0:
        return Orientation(site, turned)
    if kind == 1:
        return Frame(site, Transform(turned, at))
    if kind == 2:
        return Aim(site, at + rng.normal(size=3))
    if kind == 3:
        normal = rng.normal(size=3)
        return HalfSpace(site, at, normal=normal / np.linalg.norm(normal))
    if kind == 4:
        return CenterOfMass(at, axes="xy")
    return Position(site, at)
