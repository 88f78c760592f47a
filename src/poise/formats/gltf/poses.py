"""Coordinates of a figure from where its segments are, and by how much they miss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.figure import WORLD, Figure, Group, Joint
from poise.motion.charts import motions, values_of
from poise.motion.links import member_values

Floats = NDArray[np.float64]
Places = Mapping[str, tuple[Floats, Floats]]
"""Rotations (k, 3, 3) and positions (k, 3) of segments in the world, by name."""

_TOLD = 4  # joints that are named in a note
_TURN, _SHIFT = np.deg2rad(0.1), 1e-4  # misses (rad, m) that are not worth a word


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
        turned = {name: float(np.rad2deg(off)) for name, off in self.turned.items() if off > _TURN}
        shifted = {name: 1000 * off for name, off in self.shifted.items() if off > _SHIFT}
        notes: list[str] = []
        if turned:
            notes.append(
                f"joints that cannot turn as the file has it miss by {_listed(turned, '°')}"
            )
        if shifted:
            notes.append(f"joints that slide in the file do not here: {_listed(shifted, ' mm')}")
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
        values[name] = values_of(joint.kind, turns, shifts)
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
        found, at = motions(figure.joints[name].kind, values[name])
        off = float(Rotation.from_matrix(found.transpose(0, 2, 1) @ turns).magnitude().max())
        away = float(np.linalg.norm(at - shifts, axis=1).max())
        misses.turned[name] = max(off, misses.turned.get(name, 0.0))
        misses.shifted[name] = max(away, misses.shifted.get(name, 0.0))


def _listed(misses: Mapping[str, float], unit: str) -> str:
    worst = sorted(misses.items(), key=lambda each: -each[1])
    told = ", ".join(f"{name} {value:.3g}{unit}" for name, value in worst[:_TOLD])
    return told + (f" and {len(worst) - _TOLD} more" if len(worst) > _TOLD else "")
