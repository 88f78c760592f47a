"""Fig. 11: frames of the comparison beside the reference: how near, and how smooth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.figure import Posture
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import side_by_side, write
from poise.reproductions.measures import millimetres
from poise.reproductions.projected_2011.motion import Exercise, exercise
from poise.reproductions.projected_2011.protocol import METHODS, Track, follow

if TYPE_CHECKING:
    from poise.pictures.stage import Image

Floats = NDArray[np.float64]

_FRAMES = 28
_SHOWN = 12


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
        Claim.words(
            "the SVD-based inverse jitters from frame to frame, the projected line search is "
            "smoother",
            "the Blender method jitters from frame to frame",
            f"joints jump by {millimetres(jitter(inverse))} against "
            f"{millimetres(jitter(projected))} a frame, beyond the reference",
            jitter(inverse) > jitter(projected),
        ),
        Claim.words(
            "the projected line search is closer to the reference than the SVD-based inverse",
            "it differs significantly from the reference",
            f"joints are {millimetres(away(projected))} away in the mean, of the inverse "
            f"{millimetres(away(inverse))}",
            away(projected) < away(inverse),
        ),
    )
    report("drawing", 0.5)
    return Result(claims, _strip(folder, inverse, projected), motion.source)


def _strip(folder: Path | None, inverse: Track, projected: Track) -> tuple[Path, ...]:
    if folder is None:
        return ()
    chosen = np.linspace(0, len(inverse.postures) - 1, _SHOWN).round().astype(int).tolist()
    panels = [
        (
            _frame([inverse.postures[i], projected.references[i], projected.postures[i]]),
            f"{i + 1}: inverse, reference, projected",
        )
        for i in chosen
    ]
    rows = [side_by_side(panels[k : k + 4]) for k in range(0, _SHOWN, 4)]
    return (write(np.concatenate(rows), folder, "2011-fig-11"),)


def _frame(postures: list[Posture]) -> Image:
    """Postures side by side, all frames at one scale, each about its reference's pelvis."""
    from poise.pictures.figures import solid
    from poise.pictures.marks import moved
    from poise.pictures.stage import Camera, Scenery, View, render

    view = View(np.deg2rad(-75.0), np.deg2rad(6.0))
    right, _, _ = view.axes
    reference = postures[1]
    x, y, _ = reference.figure.place(reference)["pelvis"].position
    scenery = Scenery(floor=False)
    for posture, place in zip(postures, (-1.45, 0.0, 1.45), strict=True):
        shift = place * right - np.array([x, y, 0.0])
        scenery.add(moved(solid(posture.figure, posture), [], shift)[0])
    corners = np.array(
        [side * 2.25 * right + [0.0, 0.0, z] for side in (-1, 1) for z in (0.0, 1.9)]
    )
    size = (420, 230)
    return render(scenery, view, size, camera=Camera.fitted(corners, view, size, 0.02))
