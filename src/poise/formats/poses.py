"""Coordinates of a figure from where its segments are, and by how much they miss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.figure import WORLD, Figure, Group, Joint
from poise.figure.kinds import JointKind
from poise.motion.links import member_values

Floats = NDArray[np.float64]
Places = Mapping[str, tuple[Floats, Floats]]
"""Rotations (k, 3, 3) and positions (k, 3) of segments in the world, by name."""

_TOLD = 4  # joints that are named in a note
SMALLEST_TURN = float(np.deg2rad(0.1))
"""Radians by which a joint must miss or break a limit to be worth a word."""
_SHIFT = 1e-4  # metres that are not worth a word


@dataclass
class Misses:
    """How far joints are from where they should be, the most over all frames, by their names.

    Attributes:
        turned: in radians.
        shifted: in metres.
    """

    turned: dict[str, float] = field(default_factory=dict[str, float])
    shifted: dict[str, float] = field(default_factory=dict[str, float])

    def notes(self) -> list[str]:
        """A sentence about each sort of miss that is worth one."""
        turned = {
            name: float(np.rad2deg(off)) for name, off in self.turned.items() if off > SMALLEST_TURN
        }
        shifted = {name: 1000 * off for name, off in self.shifted.items() if off > _SHIFT}
        notes: list[str] = []
        if turned:
            notes.append(
                f"joints that cannot turn as the file has it miss by {listed(turned, '°')}"
            )
        if shifted:
            notes.append(f"joints that slide in the file do not here: {listed(shifted, ' mm')}")
        return notes


def coordinates_for(figure: Figure, places: Places, misses: Misses) -> Floats:
    """The coordinates (k, n) that put segments where they are wanted.

    Every joint takes the values that come nearest to how its child stands against its parent.

    Args:
        figure: the figure.
        places: where all its segments should be.
        misses: where it is noted by how much joints miss that cannot do it, such as a hinge that
            is bent sideways, or one that a group drives.
    """
    count = len(next(iter(places.values()))[0])
    places = {
        **places,
        WORLD: (np.broadcast_to(np.eye(3), (count, 3, 3)), np.zeros((count, 3))),
    }
    wanted: dict[str, tuple[Floats, Floats]] = {}
    values: dict[str, Floats] = {}
    for name, joint in figure.joints.items():
        turns, shifts = _inside(places[joint.parent], places[joint.child])
        before, after = joint.before, joint.after
        turns = before.rotation.T @ turns @ after.rotation.T
        shifts = (shifts - before.position) @ before.rotation - turns @ after.position
        wanted[name] = (turns, shifts)
        values[name] = unturned(joint.kind, joint.kind.values_of(turns, shifts))
    q = np.zeros((count, figure.n))
    driven: set[str] = set()
    for name, group in figure.groups.items():
        members = {member.partition(".")[0] for member in group.terms}
        q[:, figure.span(name)] = _fitted(
            group, {each: figure.joints[each] for each in members}, values
        )
        driven |= members
    for name in figure.joints.keys() - driven:
        q[:, figure.span(name)] = values[name]
    _note_misses(figure, q, wanted, misses)
    return q


def unturned(kind: JointKind, angles: Floats) -> Floats:
    """Angles (k, c) of a joint without whole turns away from the middle of their limits, if any.

    Recorders count turns on: a thumb may be at −250° where 110° is meant.
    """
    counts = np.array([step.counts_turns for step in kind.steps for _ in step.coordinates], bool)
    middle = np.array([0.5 * (low + high) for low, high in kind.box])
    whole = 2 * np.pi * np.round((angles - np.nan_to_num(middle)) / (2 * np.pi))
    return np.where(np.isfinite(middle) & counts, angles - whole, angles)


def _inside(outer: tuple[Floats, Floats], inner: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """A frame in another's."""
    back = outer[0].transpose(0, 2, 1)
    return back @ inner[0], np.einsum("kij,kj->ki", back, inner[1] - outer[1])


def _fitted(group: Group, joints: Mapping[str, Joint], values: Mapping[str, Floats]) -> Floats:
    """A group's parameters (k, p) whose members come nearest to given values of its joints."""
    columns = {
        coordinate: column
        for name, joint in joints.items()
        for coordinate, column in zip(joint.coordinates, values[name].T, strict=True)
    }
    members = np.column_stack([columns[member] for member in group.terms])
    start = np.zeros(len(group.parameters))
    if group.is_linear:
        rates = group.rates(start)
        found = np.linalg.lstsq(rates, (members - group.evaluate(start)).T)[0].T
        return np.asarray(found, np.float64)
    result = np.empty((len(members), len(start)))
    for i, row in enumerate(members):
        start = result[i] = group.fit(row, start)
    return result


def _note_misses(
    figure: Figure, q: Floats, wanted: Mapping[str, tuple[Floats, Floats]], misses: Misses
) -> None:
    values = member_values(figure, q)
    for name, (turns, shifts) in wanted.items():
        found, at = figure.joints[name].kind.motions(values[name])
        off = float(Rotation.from_matrix(found.transpose(0, 2, 1) @ turns).magnitude().max())
        away = float(np.linalg.norm(at - shifts, axis=1).max())
        misses.turned[name] = max(off, misses.turned.get(name, 0.0))
        misses.shifted[name] = max(away, misses.shifted.get(name, 0.0))


def listed(misses: Mapping[str, float], unit: str) -> str:
    """Names with numbers in a unit, the greatest first, and how many more there are."""
    worst = sorted(misses.items(), key=lambda each: -each[1])
    told = ", ".join(f"{name} {value:.3g}{unit}" for name, value in worst[:_TOLD])
    return told + (f" and {len(worst) - _TOLD} more" if len(worst) > _TOLD else "")
