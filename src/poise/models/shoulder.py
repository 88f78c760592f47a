"""The shoulder complex: clavicle and upper arm, apart or driven together.

The upper arm is a ball on the clavicle. Its chart has zero where the arm points level to the
front and side (the table's azimuth), and there its x axis is up and its y axis level: sx moves the
arm sideways about the vertical, sy raises it. So the hanging arm is at sy = −90°, and

    elevation = sy + 90°,  abduction = ±sx,  twist = ±τ − azimuth  (− on the right)

are three numbers that are zero in the anatomical position: how far the arm is raised, how far it
is moved out of the plane of the chart's zero towards the back, and how far it is turned inward.

Driven together these three are the parameters; the clavicle takes a share of the first two, as
the scapulohumeral rhythm has it. The ball's limits are made from what arms do against the trunk:
from every direction and rotation of the table the clavicle's share is taken away first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.figure import Ball, Builder, SphericalPolygon, Swing, Twist
from poise.figure.kinds import Interval
from poise.figure.parts import Monomial
from poise.figure.transform import Matrix, Transform, rotation_matrix, rotation_to, rotation_vector
from poise.models.tables import table

PARAMETERS = ("elevation", "abduction", "twist")
DOWN: Vec3 = (0.0, 0.0, -1.0)
_QUARTER = 0.5 * np.pi


@dataclass(frozen=True)
class ShoulderLimits:
    """The ball's limits, for the left arm, and the box of the parameters that they leave."""

    directions: NDArray[np.float64]
    """Vertices (k, 3) of the spherical polygon, in the chart."""
    twist: Twist
    parameters: dict[str, Interval]


@cache
def clavicle_joint(side: float) -> Swing:
    """The clavicle against the trunk; sx is elevation (±), sy protraction."""
    rows = table("shoulder")["clavicle"]
    low, high = np.deg2rad(rows["elevation"]).tolist()
    back, front = np.deg2rad(rows["protraction"]).tolist()
    return Swing(
        axis=(0.0, side, 0.0),
        swing_x=(low, high) if side > 0 else (-high, -low),
        swing_y=(back, front),
    )


def clavicle_angles(side: float) -> dict[str, str]:
    """Clinical angles of the clavicle."""
    if side > 0:
        return {"elevation": "x", "protraction": "-z"}
    return {"elevation": "-x", "protraction": "z"}


@cache
def shoulder_joint(side: float) -> Ball:
    """The upper arm against the clavicle."""
    limits = shoulder_limits()
    directions, twist = limits.directions, limits.twist
    if side < 0:
        directions = (directions * np.array([1.0, -1.0, 1.0]))[::-1]
        (a, b), (c, d) = twist.upper_slope, twist.lower_slope
        twist = Twist(-twist.upper, -twist.lower, (a, -b), (c, -d))
    return Ball(
        axis=DOWN,
        zero=_zero(side),
        swing=(SphericalPolygon(tuple(map(tuple, directions.tolist()))),),
        twist=twist,
    )


def group_shoulder(builder: Builder, name: str, side: float) -> None:
    """Drive the joints `…_clavicle` and `…_shoulder` together, by elevation, abduction, twist."""
    rise, turn, raised = _shares()
    prefix = "left" if side > 0 else "right"
    clavicle, shoulder = f"{prefix}_clavicle", f"{prefix}_shoulder"
    builder.group(
        name,
        shoulder_limits().parameters,
        {
            f"{clavicle}.swing_x": {"elevation": side * rise},
            f"{clavicle}.swing_y": {"abduction": -turn},
            f"{shoulder}.swing_x": {"abduction": side * (1 - turn)},
            f"{shoulder}.swing_y": (
                Monomial(-_QUARTER, {}),
                Monomial(raised, {"elevation": 1}),
            ),
            f"{shoulder}.twist": (Monomial(side * _azimuth(), {}), Monomial(side, {"twist": 1})),
        },
    )


def arm_parameters(rotation: Matrix) -> NDArray[np.float64]:
    """Elevation, abduction and twist (rad) that turn a left arm against the trunk as wanted.

    The clavicle's share depends on the answer, but so little that repetition settles it.
    """
    _, turn, raised = _shares()
    parameters = np.zeros(3)
    for _ in range(60):
        moved = _clavicle(parameters).T @ rotation
        sx, sy, twist = _bare().values(Transform.turn(moved))
        better = np.array([(sy + _QUARTER) / raised, sx / (1 - turn), twist - _azimuth()])
        done = np.abs(better - parameters).max() < 1e-15
        parameters = better
        if done:
            break
    return parameters


def member_values(parameters: NDArray[np.float64], side: float) -> dict[str, NDArray[np.float64]]:
    """Coordinates of clavicle and shoulder for the parameters of an arm."""
    rise, turn, raised = _shares()
    elevation, abduction, twist = parameters.tolist()
    return {
        "clavicle": np.array([side * rise * elevation, -turn * abduction]),
        "shoulder": np.array(
            [
                side * (1 - turn) * abduction,
                raised * elevation - _QUARTER,
                side * (_azimuth() + twist),
            ]
        ),
    }


@cache
def shoulder_limits() -> ShoulderLimits:
    """The limits of the table, in the chart of the left ball."""
    numbers = table("shoulder")
    _, turn, raised = _shares()
    swings: list[NDArray[np.float64]] = []
    for row in numbers["reach"]:
        plane, elevation = np.deg2rad([row["plane"], row["elevation"]])
        across = np.sin(elevation)
        arm = [across * np.sin(plane), across * np.cos(plane), -np.cos(elevation)]
        towards = rotation_to(arm) @ rotation_to(DOWN)
        swings.append(member_values(arm_parameters(towards), 1.0)["shoulder"][:2])
    directions = np.array([rotation_matrix([sx, sy, 0.0])[:, 2] for sx, sy in swings])
    twist = _twist(numbers["rotation"])
    edge = SphericalPolygon(tuple(map(tuple, directions.tolist()))).boundary()
    low, high = twist.ends(edge)
    box = {
        "elevation": (edge[:, 1] + _QUARTER) / raised,
        "abduction": edge[:, 0] / (1 - turn),
        "twist": np.concatenate([low, high]) - _azimuth(),
    }
    parameters = {each: (float(box[each].min()), float(box[each].max())) for each in PARAMETERS}
    return ShoulderLimits(directions, twist, parameters)


def _twist(rows: list[dict[str, float]]) -> Twist:
    """The affine law nearest (least squares) to the rotations of the table."""
    swings, low, high = [], [], []
    for row in rows:
        flexion, abduction, internal, external = np.deg2rad(
            [row["flexion"], row["abduction"], row["internal"], row["external"]]
        )
        swung = rotation_matrix([abduction, -flexion, 0.0])
        sx, sy, twist = member_values(arm_parameters(swung), 1.0)["shoulder"]
        swings.append([1.0, sx, sy])
        low.append(twist - external)
        high.append(twist + internal)
    lower, lx, ly = np.linalg.lstsq(np.array(swings), np.array(low), rcond=None)[0].tolist()
    upper, ux, uy = np.linalg.lstsq(np.array(swings), np.array(high), rcond=None)[0].tolist()
    return Twist(lower, upper, (lx, ly), (ux, uy))


def _azimuth() -> float:
    return float(np.deg2rad(table("shoulder")["chart"]["azimuth"]))


def _shares() -> tuple[float, float, float]:
    """The clavicle's shares of elevation and abduction, and the ball's share of elevation.

    The clavicle rises about the body's x axis, which lies askew to the plane in which the chart
    raises the arm: only that part of its rise is in the plane.
    """
    rows = table("shoulder")["clavicle"]
    rise, turn = rows["share_of_elevation"], rows["share_of_abduction"]
    return rise, turn, 1.0 - rise * float(np.sin(_azimuth()))


def _zero(side: float) -> Vec3:
    """The rotation vector of the chart's zero: raised to the front, then turned to the side."""
    turned = rotation_matrix([0.0, 0.0, _azimuth()]) @ rotation_matrix([0.0, -_QUARTER, 0.0])
    x, y, z = rotation_vector(turned).tolist()
    return (side * x, y, side * z)


@cache
def _bare() -> Ball:
    """The left ball without limits."""
    return Ball(axis=DOWN, zero=_zero(1.0), chart="swing_twist")


def _clavicle(parameters: NDArray[np.float64]) -> Matrix:
    values = member_values(parameters, 1.0)["clavicle"]
    return clavicle_joint(1.0).motion(values).rotation
