"""Chains in the plane with their forces as arrows, and what joints hold as arcs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poise.figure import Posture
from poise.pictures.forces import APPLIED, BORNE, WEIGHT
from poise.reproductions.balance_2001.chains import Values
from poise.reproductions.balance_2001.sheets import GREY, INK, Panel
from poise.reproductions.balance_2001.stepping import PLANE
from poise.scene import Scene
from poise.statics.loads import weight_of

_ARC, _MOST = 0.085, np.deg2rad(300.0)
"""The radius of arcs (m), and how far round the greatest torque of a sheet goes."""
_LONG, _SHORT = 0.5, 0.12
"""The longest arrow of a sheet, and the shortest that is still seen (m)."""
_TORQUE = "#6741d9"


@dataclass(frozen=True)
class Loaded:
    """A chain in a posture, with the forces on it (N) and what its joints hold (N·m).

    Attributes:
        posture: of a chain in the plane.
        forces: points and forces in the plane, with their colours.
        torques: the joints' places, and how they push their outer link, anti-clockwise positive.
    """

    posture: Posture
    forces: tuple[tuple[Values, Values, str], ...]
    torques: tuple[tuple[Values, float], ...]

    @classmethod
    def of(cls, scene: Scene, posture: Posture) -> Loaded:
        """What acts on the only figure of a scene, as its forces are now."""
        figure = posture.figure
        places = figure.place(posture)
        acting = scene.forces.acting
        loads = acting.loads(figure, list(figure.segments), figure.name)
        applied = len(acting.applied)
        arrows = [
            (
                places[load.site].apply(np.array(load.point))[PLANE],
                np.array(load.force)[PLANE],
                APPLIED if i < applied else BORNE,
            )
            for i, load in enumerate(loads)
        ]
        center = figure.center_of_mass(posture)[PLANE]
        arrows.append((center, weight_of(figure)[PLANE], WEIGHT))
        # A turn about +y goes clockwise where x is to the right and z is up.
        torques = tuple(
            (np.array(joint.position)[PLANE], -sum(h.value * h.axis[1] for h in joint.components))
            for joint in scene.forces.torques(posture).values()
        )
        return cls(posture, tuple(arrows), torques)


def draw_loaded(panels: Sequence[Panel], chains: Sequence[Loaded]) -> None:
    """Draw chains on panels, all at one scale of forces and of torques."""
    sizes = [float(np.linalg.norm(force)) for each in chains for _, force, _ in each.forces]
    turns = [abs(torque) for each in chains for _, torque in each.torques]
    longest, greatest = max(sizes), max(turns)
    for panel, each in zip(panels, chains, strict=True):
        panel.chain(each.posture)
        for at, force, color in each.forces:
            _draw_force(panel, at, force, _LONG / longest, color)
        for at, torque in each.torques:
            _draw_torque(panel, at, _MOST * torque / greatest)
        panel.point(each.forces[-1][0], color=INK, size=5.0)


def reach_of(chains: Sequence[Loaded]) -> Values:
    """Points (k, 2) that pictures of chains with their arrows must show."""
    longest = max(float(np.linalg.norm(f)) for each in chains for _, f, _ in each.forces)
    ends = [
        end
        for each in chains
        for at, force, color in each.forces
        if np.any(force)
        for end in _ends(at, force, _LONG / longest, color)
    ]
    return np.array(ends)


def _ends(at: Values, force: Values, scale: float, color: str) -> tuple[Values, Values]:
    """Where an arrow begins and ends: what is applied comes to its point, the rest leaves it."""
    size = float(np.linalg.norm(force))
    way = force / size * max(scale * size, _SHORT)
    return (at - way, at) if color == APPLIED else (at, at + way)


def _draw_force(panel: Panel, at: Values, force: Values, scale: float, color: str) -> None:
    size = float(np.linalg.norm(force))
    if size < 1e-9:
        return
    start, end = _ends(at, force, scale, color)
    panel.arrow(start, end, color=color)
    # The weight has room beside it; what comes to a point or leaves it has not.
    at, away = (end, (5.0, 2.0)) if color == WEIGHT else (start, (-4.0, -12.0))
    panel.write(at, f"{size:.3g} N", color=color, away=away)


def _draw_torque(panel: Panel, at: Values, turn: float) -> None:
    """An arc about a joint from straight above, anti-clockwise where positive, with a head."""
    if abs(turn) < np.deg2rad(2.0):
        panel.point(at, color=GREY, size=2.5)
        return
    angles = 0.5 * np.pi + np.linspace(0.0, turn, max(8, int(abs(turn) * 12)))
    points = at + _ARC * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    panel.path(points, color=_TORQUE, dots=False)
    along = (points[-1] - points[-2]) / float(np.linalg.norm(points[-1] - points[-2]))
    panel.arrow(points[-1], points[-1] + 0.035 * along, color=_TORQUE, width=1.0)
