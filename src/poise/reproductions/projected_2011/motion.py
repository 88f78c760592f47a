"""The gymnastic motion that is followed: a cartwheel from motion capture, or one made here."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from poise import tasks as t
from poise.errors import PoiseWarning
from poise.figure import Figure, Posture
from poise.formats.loading import load_clip
from poise.models import person_of_71
from poise.motion import Clip
from poise.scene import Scene

Floats = NDArray[np.float64]

GOALS = ("left_hand", "right_hand", "left_foot", "right_foot", "pelvis", "eyes")
"""What is given a goal: hands, feet, pelvis and head."""

_FPS = 30.0
_LANDMARKS = tuple(
    f"{side}_{joint}"
    for side in ("left", "right")
    for joint in ("hip", "knee", "ankle", "toes", "shoulder", "elbow", "wrist")
)


@dataclass(frozen=True)
class Exercise:
    """A cycle of gymnastic motion on the figure of 71 coordinates.

    Attributes:
        clip: its postures, all within limits.
        source: what it is, for a reader.
    """

    clip: Clip
    source: str

    def at(self, share: float) -> Posture:
        """The posture at a share of the cycle, from 0 to 1."""
        place = float(np.clip(share, 0.0, 1.0)) * (self.clip.frames - 1)
        before = min(int(place), self.clip.frames - 2)
        return self.clip[before].blend(self.clip[before + 1], place - before)


def exercise() -> Exercise:
    """A captured cartwheel where the data is at hand, else the exercise made here."""
    file = captured_file()
    return made() if file is None else captured(file)


def captured_file() -> Path | None:
    """CMU's clip 49_07 in POISE_DATA, or in ../shared/data beside the checkout, if it is there."""
    given = os.environ.get("POISE_DATA")
    folder = Path(given) if given else Path(__file__).parents[5] / "shared" / "data"
    file = folder / "bvh" / "cmu" / "49_07.bvh"
    return file if file.is_file() else None


@cache
def captured(file: Path) -> Exercise:
    """A motion capture clip, fitted to the figure of 71 coordinates.

    Joint centres of the clip, made larger or smaller as the legs are longer or shorter, are
    followed as nearly as the figure can, frame by frame.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PoiseWarning)  # names that are not ours are not used
        clip = load_clip(file, names="cmu", up="y", forward="z", unit="cmu")
    clip = clip[1:].resampled(_FPS)  # the first frame of these files is not captured
    figure = person_of_71()
    rest = figure.rest()
    scale = _leg(figure, rest) / _leg(clip.figure, clip[0])
    scene = Scene(figure, natural=False)
    left, right = (clip.figure.place(clip[0])[f"{side}_hip"].position for side in ("left", "right"))
    dx, dy, _ = left - right
    x, y, _ = 0.5 * scale * (left + right)
    scene.stand(figure.name, (float(x), float(y), 0.0), float(np.arctan2(-dx, dy)))
    handles = {name: scene.add(t.Position(name), name=name) for name in (*_LANDMARKS, "head")}
    scene.add(t.Rest())
    q: list[Floats] = []
    off: list[float] = []
    for posture in clip:
        where = clip.figure.place(posture)
        for name, handle in handles.items():
            handle.target = scale * where[name].position
        solution = scene.solve(tolerance=1e-3, restarts=0)
        scene.posture = solution.posture
        q.append(solution.posture.q)
        off += [report.error for report in solution.tasks]
    source = (
        f"CMU motion capture {file.stem}, a cartwheel; joint centres to {1e3 * np.mean(off):.0f} mm"
    )
    return Exercise(Clip(figure, np.array(q), _FPS, file.stem), source)


def _leg(figure: Figure, posture: Posture) -> float:
    """The length from hip over knee to ankle, both sides (m)."""
    where = figure.place(posture)
    total = 0.0
    for side in ("left", "right"):
        points = [where[f"{side}_{joint}"].position for joint in ("hip", "knee", "ankle")]
        total += float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    return total


# made here -------------------------------------------------------------------------------

_Key = dict[str, dict[str, float]]

_STRETCH: _Key = {
    "left_shoulder": {"flexion": 150, "abduction": 20},
    "right_shoulder": {"flexion": 150, "abduction": 20},
    **{f"back_{i}": {"flexion": -3} for i in range(1, 7)},
}
_SQUAT: _Key = {
    **{f"{side}_hip": {"flexion": 95, "abduction": 12} for side in ("left", "right")},
    **{f"{side}_shoulder": {"flexion": 85, "abduction": 5} for side in ("left", "right")},
    **{f"back_{i}": {"flexion": 6} for i in range(1, 7)},
}
_SQUAT_HINGES = {"left_knee": 120.0, "right_knee": 120.0}
_LUNGE: _Key = {
    "left_hip": {"flexion": 80, "abduction": 5},
    "right_hip": {"flexion": -15, "abduction": 5},
    "left_shoulder": {"flexion": 10, "abduction": 88},
    "right_shoulder": {"flexion": 10, "abduction": 88},
}
_LUNGE_HINGES = {"left_knee": 85.0, "right_knee": 20.0}
_SCALE: _Key = {
    "left_hip": {"flexion": 70},
    "right_hip": {"flexion": -15, "abduction": 5},
    "left_shoulder": {"flexion": 60, "abduction": 70},
    "right_shoulder": {"flexion": 60, "abduction": 70},
    **{f"back_{i}": {"flexion": -3} for i in range(1, 7)},
}
_SCALE_HINGES = {"left_knee": 8.0, "right_knee": 5.0}
_SIDE: _Key = {
    "left_hip": {"abduction": 42},
    "right_hip": {"abduction": 4},
    "left_shoulder": {"flexion": 20, "abduction": 60},
    "right_shoulder": {"flexion": 60, "abduction": 125},
    **{f"back_{i}": {"bend": -5} for i in range(1, 7)},
}

# Ball joints' clinical angles, hinges' angles (degrees), and the root's pitch.
_KEYS: tuple[tuple[_Key, dict[str, float], float], ...] = (
    ({}, {}, 0.0),
    (_SQUAT, _SQUAT_HINGES, 20.0),
    (_STRETCH, {}, 0.0),
    (_LUNGE, _LUNGE_HINGES, 0.0),
    (_SCALE, _SCALE_HINGES, 70.0),
    (_STRETCH, {}, 0.0),
    (_SIDE, {}, 0.0),
)


@cache
def made() -> Exercise:
    """A floor exercise of five seconds: squat, stretch, lunge, scale, stretch, leg to the side.

    Smooth curves through key postures, brought within limits, with the lower foot on the floor.
    """
    figure = person_of_71()
    keys = [_key(figure, *key).q for key in _KEYS]
    keys.append(keys[0])
    ends = np.linspace(0.0, 5.0, len(keys))
    curve = CubicSpline(ends, np.array(keys), bc_type="periodic")
    times = np.arange(round(5.0 * _FPS) + 1) / _FPS
    q = [_grounded(figure.clamp(figure.posture(values))).q for values in curve(times)]
    return Exercise(Clip(figure, np.array(q), _FPS, "floor exercise"), "a floor exercise made here")


def _key(figure: Figure, angles: _Key, hinges: dict[str, float], pitch: float) -> Posture:
    posture = figure.rest()
    for joint, each in angles.items():
        posture.set_angles(joint, **{name: float(np.deg2rad(d)) for name, d in each.items()})
    for joint, angle in hinges.items():
        posture[joint] = np.deg2rad(angle)
    posture["root.ry"] = np.deg2rad(pitch)
    return _grounded(figure.clamp(posture))


def _grounded(posture: Posture) -> Posture:
    """The same with the lower foot's sole on the floor."""
    where = posture.figure.place(posture)
    lowest = min(where[f"{side}_foot"].position[2] for side in ("left", "right"))
    result = posture.copy()
    result["root.z"] = float(result["root.z"]) - lowest
    return result
