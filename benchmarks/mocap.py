"""Motion capture: clips on their own skeletons, followed by six goals for positions.

python benchmarks/mocap.py [--json FILE] [--repeats 3] [--compare A B]

Goals are where pelvis, head, hands and feet of the clip itself are, so all can be met, and by a
posture that is known. Each clip of bvh/cmu in the data folder (POISE_DATA, or ../shared/data) is
followed frame by frame, 120 a second, and in steps of 0.7 s; of those there are four rows for each
clip, which begin at different frames. The first posture is the clip's. A frame is then found

- by `scene.animate`, which goes on from the frame before, cautiously;
- by a loop of `scene.solve()`, which goes on where it can;
- cold: by a loop of `scene.solve(warm=False)`, which keeps nothing but the posture before.

"off" is how far joint centres are from those of the clip, which six goals do not determine.
`--json` writes down every frame, `--compare` two such files, the older first: the clips and modes
that are in both, by their names; of others that is said.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from comparing import changes, orders, words
from numpy.typing import NDArray
from timing import show

import poise
from poise import Scene, tasks
from poise.figure import Figure, Posture
from poise.scene import Solution

Values = NDArray[np.float64]

GOALS = {
    "pelvis": ("hips", "pelvis", "root"),
    "head": ("head",),
    "left hand": ("lefthand", "lhand"),
    "right hand": ("righthand", "rhand"),
    "left foot": ("leftfoot", "lfoot"),
    "right foot": ("rightfoot", "rfoot"),
}
"""What is followed, and what skeletons call it, without capitals and underscores."""
STEP = 0.7
"""Seconds between the frames of large steps."""
ROWS = 4
"""Rows of large steps for each clip, which begin at different frames."""


class Motion(NamedTuple):
    """A clip that is followed."""

    clip: poise.Clip
    scene: Scene
    paths: dict[str, Values]
    """By the names of tasks, where they lead: (frames, 3)."""

    @classmethod
    def of(cls, clip: poise.Clip) -> Motion:
        """Six goals for the clip's own figure, which begins as the clip does."""
        scene, names = Scene(clip.figure), sites(clip.figure)
        scene.posture = clip[0]
        places = [clip.figure.place(posture) for posture in clip]
        paths = {
            goal: np.array([each[name].position for each in places]) for goal, name in names.items()
        }
        for goal, name in names.items():
            scene.add(tasks.Position(name, paths[goal][0]), name=goal)
        return cls(clip, scene, paths)

    def animated(self) -> Sequence[Solution]:
        """By `scene.animate`."""
        return self.scene.animate(self.paths, fps=self.clip.fps).solutions

    def solved(self) -> Sequence[Solution]:
        """By a loop of `scene.solve()`."""
        return self._looped(warm=True)

    def solved_from_nothing(self) -> Sequence[Solution]:
        """By a loop of `scene.solve(warm=False)`."""
        return self._looped(warm=False)

    def _looped(self, *, warm: bool) -> Sequence[Solution]:
        self.scene.posture = self.clip[0]
        found: list[Solution] = []
        for i in range(self.clip.frames):
            for goal, path in self.paths.items():
                self.scene.handles[goal].target = path[i]
            found.append(self.scene.solve(warm=warm, restarts=0))
            self.scene.posture = found[-1].posture
        self.scene.posture = self.clip[0]
        return found


Follow = Callable[[Motion], Sequence[Solution]]
MODES: dict[str, tuple[bool, Follow]] = {
    "120 fps animate": (False, Motion.animated),
    "120 fps solve": (False, Motion.solved),
    "0.7 s animate": (True, Motion.animated),
    "0.7 s cold": (True, Motion.solved_from_nothing),
}
"""Whether in large steps, and how."""


def sites(figure: Figure) -> dict[str, str]:
    """What the figure calls the six that are followed."""
    plain = {name.lower().replace("_", ""): name for name in figure.segments}
    found: dict[str, str] = {}
    for goal, names in GOALS.items():
        there = [plain[name] for name in names if name in plain]
        if not there:
            raise poise.PoiseError(f"{figure.name!r} has no segment for the {goal}: {list(plain)}")
        found[goal] = there[0]
    return found


def files() -> list[Path]:
    """The clips in the data folder; none where it is not there."""
    given = os.environ.get("POISE_DATA")
    folder = Path(given) if given else Path(__file__).parents[2] / "shared" / "data"
    return sorted((folder / "bvh" / "cmu").glob("*.bvh"))


def loaded(file: Path) -> poise.Clip:
    """A clip of CMU's without its first frame, which is not captured."""
    return poise.load_clip(file, up="y", forward="z", unit="cmu")[1:]


def motions(clip: poise.Clip, *, large: bool) -> list[Motion]:
    """What is followed of a clip: all of it, or some rows of large steps."""
    if not large:
        return [Motion.of(clip)]
    step = round(STEP * clip.fps)
    starts = [row * step // ROWS for row in range(ROWS)]
    return [Motion.of(clip[start::step]) for start in starts if start + step < clip.frames]


def centres(figure: Figure, posture: Posture) -> Values:
    """Where all joints are: (joints, 3)."""
    places = figure.place(posture)
    return np.array([places[name].position for name in figure.joints])


def measured(motion: Motion, follow: Follow, repeats: int) -> dict[str, list[Any]]:
    """Every frame of a motion: how it ended and how far off it is, the least of some times."""
    clip = motion.clip
    rounds = [follow(motion) for _ in range(repeats)]
    seconds = np.array([[frame.seconds for frame in each] for each in rounds]).min(axis=0)
    own = [centres(clip.figure, posture) for posture in clip]
    found = [centres(clip.figure, frame.posture) for frame in rounds[0]]
    return {
        "status": [frame.status for frame in rounds[0]],
        "met": [frame.met for frame in rounds[0]],
        "error": [max(report.error for report in frame.tasks) for frame in rounds[0]],
        "iterations": [frame.iterations for frame in rounds[0]],
        "seconds": seconds.tolist(),
        "off": [
            float(np.linalg.norm(a - b, axis=1).mean()) for a, b in zip(own, found, strict=True)
        ],
    }


def joined(parts: Sequence[Mapping[str, list[Any]]]) -> dict[str, list[Any]]:
    """The frames of several motions, one after the other."""
    return {key: [value for part in parts for value in part[key]] for key in parts[0]}


def spread(values: Sequence[float], factor: float = 1.0, *, most: bool = False) -> str:
    """Median / 95th percentile, and the most; a dash where there is nothing."""
    if not len(values):
        return "–"
    shares = (50, 95, 100) if most else (50, 95)
    return " / ".join(f"{factor * np.percentile(values, share):.3g}" for share in shares)


def row(mode: str, frames: Mapping[str, list[Any]]) -> list[str]:
    """Say how one way of following went."""
    unmet = [error for error, met in zip(frames["error"], frames["met"], strict=True) if not met]
    return [
        mode,
        str(len(frames["met"])),
        f"{np.mean(frames['met']):.2%}",
        words(frames["status"]).replace(", ", "\n"),
        spread(unmet, 1e3, most=True),
        spread(frames["iterations"]),
        spread(frames["seconds"], 1e3),
        f"{1e3 * np.mean(frames['off']):.1f}",
    ]


def shared(before: Mapping[str, Any], after: Mapping[str, Any], what: str) -> list[str]:
    """The names that are in both; the others are told, as modes or as clips of a mode."""
    for name in [*before, *(each for each in after if each not in before)]:
        if name not in before or name not in after:
            which = "newer" if name not in before else "older"
            print(f"{what} {name!r} is left out: only the {which} file has it")
    return [name for name in before if name in after]


def of_the_same_length(
    a: Mapping[str, Mapping[str, list[Any]]], b: Mapping[str, Mapping[str, list[Any]]], mode: str
) -> list[str]:
    """The clips of a mode that both files have, with as many frames."""
    found: list[str] = []
    for name in shared(a, b, f"{mode}: clip"):
        frames = [len(each[name]["met"]) for each in (a, b)]
        if frames[0] == frames[1]:
            found.append(name)
        else:
            told = "{} frames against {}".format(*frames)
            print(f"{mode}: clip {name!r} is left out: {told}")
    return found


def compare(old: Path, new: Path) -> None:
    """Print two files that were written down, the older first."""
    before, after = (json.loads(path.read_text(encoding="utf-8")) for path in (old, new))
    rows: list[list[str]] = []
    for mode in shared(before, after, "mode"):
        clips = of_the_same_length(before[mode], after[mode], mode)
        if not clips:
            print(f"mode {mode!r} is left out: no clip of it is in both files")
            continue
        a, b = (joined([each[mode][clip] for clip in clips]) for each in (before, after))
        errors_a, errors_b = (
            [[0.0 if met else error] for error, met in zip(each["error"], each["met"], strict=True)]
            for each in (a, b)
        )
        rows.append(
            [
                mode,
                " / ".join(f"{np.mean(each['met']):.2%}" for each in (a, b)),
                "{} / {}".format(*changes(a["status"], b["status"])),
                "{} / {} / {}".format(*orders(errors_a, errors_b)),
                " / ".join(str(sum(each["iterations"])) for each in (a, b)),
                f"{sum(b['seconds']) / sum(a['seconds']):.3f}",
                " / ".join(f"{1e3 * np.mean(each['off']):.1f}" for each in (a, b)),
            ]
        )
    if not rows:
        print(f"{old.name} and {new.name} have nothing in common")
        return
    show(
        f"{old.name} / {new.name}",
        (
            "mode",
            "met",
            "ended better / worse",
            "errors better / worse / same",
            "iterations",
            "time",
            "off mm",
        ),
        rows,
    )


def main(arguments: Sequence[str]) -> int:
    """Measure and print, or compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write down every frame")
    parser.add_argument("--repeats", type=int, default=3, help="the least time of so many counts")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("A", "B"), help="two such files")
    given = parser.parse_args(arguments)
    if given.compare:
        compare(*given.compare)
        return 0
    clips = [loaded(file) for file in files()]
    if not clips:
        print("motion capture is left out: there is no bvh/cmu in POISE_DATA or ../shared/data")
        return 0
    written: dict[str, dict[str, dict[str, list[Any]]]] = {}
    for mode, (large, follow) in MODES.items():
        written[mode] = {
            clip.name: joined(
                [measured(each, follow, given.repeats) for each in motions(clip, large=large)]
            )
            for clip in clips
        }
    names = " ".join(sites(clips[0].figure).values())
    show(
        f"{len(clips)} clips of {clips[0].figure.n} coordinates, six goals: {names}; the time of a "
        f"frame is the least of {given.repeats}",
        (
            "mode",
            "frames",
            "met",
            "ended",
            "unmet, mm p50/p95/most",
            "iterations p50/p95",
            "ms p50/p95",
            "off, mm mean",
        ),
        [row(mode, joined(list(clips.values()))) for mode, clips in written.items()],
    )
    if given.json:
        given.json.write_text(json.dumps(written), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
