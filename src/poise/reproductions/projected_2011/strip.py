"""Fig. 11: frames of the comparison beside the reference: how near, and how smooth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.figure import Posture
from poise.reproductions.claims import NOT_STATED, Claim, Report, Result
from poise.reproductions.drawing import side_by_side, write
from poise.reproductions.measures import millimetres
from poise.reproductions.projected_2011.motion import Exercise, exercise
from poise.reproductions.projected_2011.protocol import METHODS, Track, follow

Floats = NDArray[np.float64]

_FRAMES = 28
_SHOWN = 10


def centres(postures: list[Posture]) -> Floats:
    """All joint centres of all frames (k, joints, 3)."""
    figure = postures[0].figure
    found: list[list[Floats]] = []
    for posture in postures:
        where = figure.place(posture)
        found.append([where.joint(name).position for name in figure.joints])
    return np.array(found)


def away(track: Track) -> float:
    """How far joints are from the reference, in the mean over joints and frames (m)."""
    apart = centres(track.postures) - centres(track.references)
    return float(np.linalg.norm(apart, axis=2).mean())


def jitter(track: Track) -> float:
    """How much what is wrong changes from frame to frame, in the mean over joints (m).

    A figure that follows the reference at a constant distance does not jitter.
    """
    apart = centres(track.postures) - centres(track.references)
    return float(np.linalg.norm(np.diff(apart, axis=0), axis=2).mean())


def fig_11(folder: Path | None, report: Report, motion: Exercise | None = None) -> Result:
    """One cycle of 28 frames."""
    report("making the motion", 0.0)
    motion = motion or exercise()
    report("following it", 0.2)
    inverse = follow(motion, METHODS["inverse"], _FRAMES, 1)
    projected = follow(motion, METHODS["projected"], _FRAMES, 1)
    claims = (
        Claim(
            "the SVD-based inverse jitters from frame to frame, the projected line search is "
            "smoother",
            NOT_STATED,
            f"joints jump by {millimetres(jitter(inverse))} against "
            f"{millimetres(jitter(projected))} a frame, beyond the reference ({motion.source})",
            jitter(inverse) > jitter(projected),
        ),
        Claim(
            "the projected line search is closer to the reference than the SVD-based inverse",
            NOT_STATED,
            f"joints are {millimetres(away(projected))} away in the mean, of the inverse "
            f"{millimetres(away(inverse))}",
            away(projected) < away(inverse),
        ),
    )
    report("drawing", 0.5)
    return Result(claims, _strip(folder, inverse, projected))


def _strip(folder: Path | None, inverse: Track, projected: Track) -> tuple[Path, ...]:
    if folder is None:
        return ()
    from poise.pictures import View, picture

    view = View(np.deg2rad(-75.0), np.deg2rad(8.0))
    chosen = np.linspace(0, len(inverse.postures) - 1, _SHOWN).round().astype(int).tolist()
    panels = [
        (
            picture(
                [inverse.postures[i], projected.references[i], projected.postures[i]],
                views=view,
                size=(360, 250),
                gap=0.1,
            ),
            f"frame {i + 1}",
        )
        for i in chosen
    ]
    half = _SHOWN // 2
    rows = [side_by_side(panels[:half]), side_by_side(panels[half:])]
    return (write(np.concatenate(rows), folder, "2011-fig-11"),)
