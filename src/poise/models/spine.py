"""The spine's joints: their ranges, and the group that bends them together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from poise.figure import Ball, Builder, Twist
from poise.models.proportions import LEVELS
from poise.models.tables import table

GROUP = "spine"

CLINICAL = {"flexion": "y", "lateral": "-x", "axial": "z"}
"""Angles of trunk, neck and head: forward, to the left, turned to the left."""


@dataclass(frozen=True)
class Range:
    """How far a joint of the spine moves, in radians; lateral and axial to each side."""

    flexion: float
    extension: float
    lateral: float
    axial: float


@cache
def ranges() -> dict[str, Range]:
    """Ranges by joint: in-vitro ones, the thoracic ones scaled to those of living people."""
    numbers = table("spine")
    forward = numbers["flexion_share"]
    result: dict[str, Range] = {}
    for level in LEVELS:
        row = dict(numbers["levels"][level])
        if level.startswith("t"):
            for motion, share in numbers["thoracic_share"].items():
                row[motion] *= share
        arc, lateral, axial = np.deg2rad([row["flexion"], row["lateral"], row["axial"]]).tolist()
        result[level] = Range(forward * arc, (1 - forward) * arc, lateral, axial)
    return result


def vertebral_joint(level: str) -> Ball:
    """A ball with its own box; the chart's x, y, z are the trunk's."""
    own = ranges()[level]
    return Ball(
        axis=(0.0, 0.0, 1.0),
        swing_x=(-own.lateral, own.lateral),
        swing_y=(-own.extension, own.flexion),
        twist=Twist(-own.axial, own.axial),
    )


def group_spine(builder: Builder) -> None:
    """Drive all joints by three parameters, each by its share of the whole range.

    A parameter is the angle between the ends of the spine, when it alone is moved; its limits are
    the sums of the joints', and all joints come to their stops together.
    """
    rows = ranges().values()
    flexion = sum(row.flexion for row in rows)
    extension = sum(row.extension for row in rows)
    lateral = sum(row.lateral for row in rows)
    axial = sum(row.axial for row in rows)
    members: dict[str, dict[str, float]] = {}
    for level, row in ranges().items():
        members[f"{level}.swing_x"] = {"lateral": -row.lateral / lateral}
        members[f"{level}.swing_y"] = {"flexion": row.flexion / flexion}
        members[f"{level}.twist"] = {"axial": row.axial / axial}
    parameters = {
        "flexion": (-extension, flexion),
        "lateral": (-lateral, lateral),
        "axial": (-axial, axial),
    }
    builder.group(GROUP, parameters, members)
