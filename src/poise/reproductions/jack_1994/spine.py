"""Figs. 4 and 5: how the angles are distributed along the spine when looking into the tube."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.figure import Posture
from poise.models import upper_body_of_22, upper_body_of_70
from poise.models.person_joints import vertebral_range
from poise.models.tables import table
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import BLUE, GREEN, ORANGE, plot
from poise.reproductions.jack_1994.tube import look_into_tube
from poise.reproductions.measures import percent

Floats = NDArray[np.float64]

_ANGLES = {"flexion": ("swing_y", BLUE), "bend": ("swing_x", ORANGE), "rotation": ("twist", GREEN)}
_RANGES = {"flexion": "flexion", "bend": "lateral", "rotation": "axial"}


def levels() -> list[str]:
    """The 17 joints of the spine from the top, as the paper numbers them: T1 to T12, L1 to L5."""
    return list(table("spine")["levels"])[::-1]


def along_spine(posture: Posture) -> dict[str, Floats]:
    """Flexion, bend and rotation of each joint from the top (rad)."""
    values = posture.figure.members(posture)
    return {
        angle: np.array([values[f"{level}.{coordinate}"] for level in levels()])
        for angle, (coordinate, _) in _ANGLES.items()
    }


def shares(angles: dict[str, Floats]) -> dict[str, Floats]:
    """The angles as shares of how far each joint goes that way."""
    result: dict[str, Floats] = {}
    for angle, values in angles.items():
        reach = np.deg2rad([vertebral_range(level)[_RANGES[angle]] for level in levels()])
        result[angle] = values / reach
    return result


def irregularity(angles: dict[str, Floats]) -> float:
    """How unevenly neighbours share the work: the mean step between their shares of their ranges.

    0 where all joints go the same part of their way, as a group makes them; 1 where each
    neighbour differs by its whole range.
    """
    steps = [np.abs(np.diff(share)) for share in shares(angles).values()]
    return float(np.mean(np.concatenate(steps)))


def reversals(angles: dict[str, Floats]) -> int:
    """How many of the 3 · 16 pairs of neighbours bend in opposite directions, by over 0.1°."""
    apart = np.deg2rad(0.1)
    return sum(
        int(np.count_nonzero((a[:-1] * a[1:] < 0) & (np.abs(np.diff(a)) > apart)))
        for a in angles.values()
    )


def fig_4(folder: Path | None, report: Report) -> Result:
    """The grouped spine."""
    report("looking into the tube", 0.0)
    angles = along_spine(look_into_tube(upper_body_of_22()).posture)
    uneven, against = irregularity(angles), reversals(angles)
    claims = (
        _seventeen(angles),
        Claim.words(
            "grouped, the angles along the spine are regular: neighbours go the same part of "
            "their range",
            "Figure 4 gives an example of regulated distribution",
            f"they differ by {percent(uneven)} of it; {against} of 48 pairs bend oppositely",
            uneven < 1e-6 and against == 0,
        ),
    )
    report("drawing", 0.5)
    return Result(claims, _plot(folder, "1994-fig-4", "Fig. 4: spinal joints grouped", angles))


def fig_5(folder: Path | None, report: Report) -> Result:
    """The independent vertebrae."""
    report("looking into the tube, vertebrae independent", 0.0)
    angles = along_spine(look_into_tube(upper_body_of_70()).posture)
    smooth = along_spine(look_into_tube(upper_body_of_22()).posture)
    uneven, even = irregularity(angles), irregularity(smooth)
    claims = (
        _seventeen(angles),
        Claim.words(
            "independent, the angles along the spine are irregular: neighbours go different parts "
            "of their range",
            "irregular joint angle distribution along the spinal joints if they are treated "
            "independently",
            f"they differ by {percent(uneven)} of it, grouped by {percent(even)}; "
            f"{reversals(angles)} of 48 pairs bend oppositely",
            uneven > even,
        ),
    )
    report("drawing", 0.5)
    return Result(claims, _plot(folder, "1994-fig-5", "Fig. 5: spinal joints independent", angles))


def _seventeen(angles: dict[str, Floats]) -> Claim:
    count = len(angles["flexion"])
    return Claim.setup(
        "the spine has so many joints of 3 angles each", "17", str(count), count == 17
    )


def _plot(
    folder: Path | None, name: str, title: str, angles: dict[str, Floats]
) -> tuple[Path, ...]:
    if folder is None:
        return ()
    names = [level.split("_")[0].upper() for level in levels()]
    with plot(folder, name, size=(8.0, 3.6)) as (path, (axes,)):
        for angle, values in angles.items():
            color = _ANGLES[angle][1]
            axes.plot(names, np.rad2deg(values), marker="o", color=color, label=angle)
        axes.axhline(0.0, color="#c8ced6", linewidth=0.8, zorder=0)
        axes.set(title=title, xlabel="joint, from the top", ylabel="angle (°)")
        axes.legend(frameon=False)
    return (path,)
