"""Goals that can be reached, from a start that is far away: how many are met.

python benchmarks/reachable.py cold|goals|low [--seeds 0-4] [--count N] [--only NAME …]

- `cold`: the person of benchmarks/peers, 54 coordinates, six positions of a random posture (see
  postures.py), 200 problems a seed, from rest and from another random posture; without restarts.
  The hinges of hips and shoulders, which the files leave free by half a turn, are drawn within a
  person's ranges ("human"), or anywhere within the files' limits ("wide").
- `goals`: one to six random sites of ready figures and of robots in the data folder (POISE_DATA, or
  ../shared/data), where a random posture has them, from rest; positions, and whole frames. 150
  problems a seed. Counted are those met from the first start (restarts=0), with default options,
  and by 32 restarts more where those failed.
- `low`: four persons stand with both feet pinned, in balance, and bring both hands low, in front:
  a symmetric grid and random places. Nobody knows beforehand which of them can be reached: what 32
  restarts meet can be.

Seeds 0 to 4 are for tuning; figures that are stated come from 100 to 104, which nobody looks at
while tuning. Times are seconds inside the solver, the least of three solves.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from comparing import words
from numpy.typing import NDArray
from peers.loop import METRES_PER_RADIAN
from peers.person import FRAMES, anywhere, person
from postures import random_posture, seeds
from timing import show

import poise
from poise import Scene, tasks
from poise.figure import Figure, Posture
from poise.scene import Solution

Values = NDArray[np.float64]

TUNING = "0-4"
COLD, GOALS, UNEVEN = 200, 150, 24
"""Problems a seed: of `cold`, of `goals`, and the random ones of `low` for each person."""
REPEATS = 3
"""The least time of so many solves counts."""
MANY = 32
"""Restarts after which a goal that is still not met counts as out of reach."""
SITES = 6
"""Goals of one problem, at most."""


class Ended(NamedTuple):
    """How one problem ended from one start."""

    met: bool
    status: str
    iterations: int
    seconds: float
    error: float
    """The largest of any task, in metres."""


class Found(NamedTuple):
    """Whether one problem was met: without restarts, as a scene does by itself, with many."""

    first: bool
    default: bool
    many: bool
    error: float
    """The largest of any task with default options, in metres."""


# cold starts ---------------------------------------------------------------------------


def cold_problems(
    figure: Figure, seed: int, count: int = COLD, *, human: bool = True, from_rest: bool = True
) -> Iterator[tuple[Posture, dict[str, Values]]]:
    """Starts, and where the six frames shall be; the goals are the same for either start."""
    wanted, starts = anywhere(figure, seed, count, human=human)
    for places, start in zip(wanted, starts, strict=True):
        goals = {frame: place.position for frame, place in places.items()}
        yield figure.rest() if from_rest else figure.posture(start), goals


def six_positions(figure: Figure) -> Scene:
    """A scene of the person with a task for each frame, of one priority, by the frame's name."""
    scene = Scene(figure)
    for frame in FRAMES:
        scene.add(tasks.Position(frame), name=frame)
    return scene


def ended(scene: Scene, repeats: int = REPEATS) -> Ended:
    """Solve from the scene's posture, without restarts, some times."""
    solutions = [scene.solve(warm=False, restarts=0) for _ in range(repeats)]
    first, seconds = solutions[0], min(each.seconds for each in solutions)
    return Ended(first.met, first.status, first.iterations, seconds, worst(first))


def worst(solution: Solution) -> float:
    """The largest error of any task, in metres; angles count half a metre per radian."""
    parts = [error for report in solution.tasks for error in report.errors]
    return max(each.value * (METRES_PER_RADIAN if each.unit == "rad" else 1.0) for each in parts)


def cold(
    figure: Figure, seed: int, count: int = COLD, *, human: bool = True, from_rest: bool = True
) -> list[Ended]:
    """Every problem of a seed, each from its own start."""
    scene, rows = six_positions(figure), list[Ended]()
    for start, goals in cold_problems(figure, seed, count, human=human, from_rest=from_rest):
        scene.posture = start
        for frame, goal in goals.items():
            scene.handles[frame].target = goal
        rows.append(ended(scene))
    return rows


def cold_row(title: str, rows: Sequence[Ended]) -> list[str]:
    """Say how some problems ended."""
    unmet = [row.error for row in rows if not row.met]
    return [
        title,
        str(len(rows)),
        f"{np.mean([row.met for row in rows]):.1%}",
        spread([row.iterations for row in rows]),
        spread([row.seconds for row in rows], 1e3),
        spread(unmet, 1e3),
        words([row.status for row in rows]).replace(", ", "\n"),
    ]


def spread(values: Sequence[float], factor: float = 1.0) -> str:
    """Median / 95th percentile; a dash where there is nothing."""
    if not len(values):
        return "–"
    return " / ".join(f"{factor * np.percentile(values, share):.3g}" for share in (50, 95))


def show_cold(given: argparse.Namespace) -> None:
    """Print the table of cold starts, a row for each seed and for all."""
    with tempfile.TemporaryDirectory() as folder:
        figure = person(Path(folder))
    rows: list[list[str] | None] = []
    for drawn, start in product(("human", "wide"), ("rest", "random")):
        if given.only and not {drawn, start} & set(given.only):
            continue
        parts = {
            seed: cold(
                figure,
                seed,
                given.count or COLD,
                human=drawn == "human",
                from_rest=start == "rest",
            )
            for seed in given.seeds
        }
        title = f"{drawn}, from {start}"
        rows += [cold_row(f"{title}, seed {seed}", part) for seed, part in parts.items()]
        rows.append(cold_row(title, [row for part in parts.values() for row in part]))
        rows.append(None)
    columns = ("", "problems", "met", "iterations", "ms", "unmet mm", "ended")
    show(f"Cold, six positions, {figure.n} coordinates; p50 / p95", columns, rows)


# reachable goals -----------------------------------------------------------------------


def data_folder() -> Path:
    """Where the data is; it may not be there."""
    given = os.environ.get("POISE_DATA")
    return Path(given) if given else Path(__file__).parents[2] / "shared" / "data"


def robot(file: str) -> Figure | None:
    """A robot of the data folder; none where it is not there."""
    path = data_folder() / "robots" / "menagerie" / file
    if not path.exists():
        return None
    with warnings.catch_warnings():  # of meshes that are missing, which nothing here needs
        warnings.simplefilter("ignore", poise.PoiseWarning)
        return poise.load(path)


def shadow_hand() -> Figure | None:
    """The shadow hand with a site at the tip of each finger, as long as the file's shapes are."""
    figure = robot("shadow_hand/right_hand.xml")
    if figure is None:
        return None
    for finger, length in {"ff": 0.026, "mf": 0.026, "rf": 0.026, "lf": 0.026, "th": 0.032}.items():
        figure = figure.with_site(f"{finger}_tip", f"rh_{finger}distal", (0.0, 0.0, length))
    return figure


FIGURES: dict[str, Callable[[], Figure | None]] = {
    "human": poise.human,
    "hand": poise.hand,
    "quadruped": poise.quadruped,
    "bird": poise.bird,
    "shadow_hand": shadow_hand,
    "g1": lambda: robot("unitree_g1/g1_with_hands.xml"),
    "panda": lambda: robot("franka_emika_panda/panda.xml"),
}


def candidates(name: str, figure: Figure) -> list[str]:
    """What goals may be for: sites of ready figures, tips of the shadow hand, segments of robots.

    Those that never move, as the base of an arm, are left out.
    """
    if name == "shadow_hand":
        return [site for site in figure.sites if site.endswith("_tip")]
    names = figure.segments if name in ("g1", "panda") else figure.sites
    posture = figure.rest()
    return [each for each in names if np.abs(figure.jacobian(posture, each)).max() > 1e-9]


def random_goals(
    figure: Figure, sites: Sequence[str], seed: int, count: int, *, frames: bool
) -> Iterator[list[tasks.Task]]:
    """Tasks for one to six of the sites, where a random posture has them."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        places = figure.place(random_posture(figure, rng))
        number = int(rng.integers(1, min(SITES, len(sites)) + 1))
        chosen = [str(each) for each in rng.choice(list(sites), number, replace=False)]
        if frames:
            yield [tasks.Frame(site, places[site]) for site in chosen]
        else:
            yield [tasks.Position(site, places[site].position) for site in chosen]


def found(scene: Scene) -> Found:
    """Solve from the scene's posture; with more starts only where fewer did not meet all."""
    if scene.solve(warm=False, restarts=0).met:
        return Found(True, True, True, 0.0)
    default = scene.solve(warm=False)
    many = default.met or scene.solve(warm=False, restarts=MANY).met
    return Found(False, default.met, many, worst(default))


def goals(
    name: str, figure: Figure, seed: int, count: int = GOALS, *, frames: bool = False
) -> list[Found]:
    """Every problem of a seed, each from rest in a scene of its own."""
    rows: list[Found] = []
    sites = candidates(name, figure)
    for wanted in random_goals(figure, sites, seed, count, frames=frames):
        scene = Scene(figure)
        for task in wanted:
            scene.add(task)
        rows.append(found(scene))
    return rows


def found_row(title: str, rows: Sequence[Found]) -> list[str]:
    """Say how many were met."""
    missed = [row.error for row in rows if not row.default]
    shares = [f"{np.mean([getattr(row, each) for row in rows]):.1%}" for each in Found._fields[:3]]
    return [title, str(len(rows)), *shares, spread(missed, 1e3)]


def show_goals(given: argparse.Namespace) -> None:
    """Print the table of reachable goals."""
    rows: list[list[str] | None] = []
    for name, make in FIGURES.items():
        if given.only and name not in given.only:
            continue
        figure = make()
        if figure is None:
            print(f"{name} is left out: there is no such file in POISE_DATA or ../shared/data")
            continue
        for frames, title in ((False, "positions"), (True, "frames")):
            each = [
                goals(name, figure, seed, given.count or GOALS, frames=frames)
                for seed in given.seeds
            ]
            rows.append(found_row(f"{name}, {title}", [row for part in each for row in part]))
    columns = ("", "problems", "first start", "default", f"{MANY} restarts", "missed mm p50 / p95")
    show("One to six goals of a random posture, from rest: met", columns, rows)


# low, with both hands ------------------------------------------------------------------

PEOPLE: Mapping[str, tuple[float, Literal["male", "female"]]] = {
    "man, 1.75 m": (1.75, "male"),
    "man, 1.87 m": (1.87, "male"),
    "woman, 1.62 m": (1.62, "female"),
    "woman, 1.50 m": (1.50, "female"),
}
FORWARD, ASIDE, UP = (0.15, 0.65), (0.1, 0.3), (0.05, 0.7)
"""Metres from the middle between the ankles, on the floor."""


def standing(figure: Figure) -> Scene:
    """A person on two feet, in balance, with tasks for both hands by their names."""
    scene = Scene(figure)
    scene.add(tasks.Frame("left_foot"), priority=1)
    scene.add(tasks.Frame("right_foot"), priority=1)
    scene.add(tasks.Balance(margin=0.02), priority=2)
    for hand in ("left_hand", "right_hand"):
        scene.add(tasks.Position(hand), priority=3, name=hand)
    return scene


def even_goals() -> list[dict[str, Values]]:
    """Both hands at the same height and as far to either side: 75 of them."""
    grid = product(np.linspace(*FORWARD, 5), np.linspace(*ASIDE, 3), np.linspace(*UP, 5))
    return [
        {"left_hand": np.array([x, y, z]), "right_hand": np.array([x, -y, z])} for x, y, z in grid
    ]


def uneven_goals(seed: int, count: int = UNEVEN) -> list[dict[str, Values]]:
    """Each hand somewhere on its own side."""
    rng = np.random.default_rng(seed)
    low, high = np.array([FORWARD, ASIDE, UP]).T
    sides = {"left_hand": 1.0, "right_hand": -1.0}
    return [
        {hand: rng.uniform(low, high) * [1.0, side, 1.0] for hand, side in sides.items()}
        for _ in range(count)
    ]


def low(figure: Figure, wanted: Sequence[Mapping[str, Values]]) -> list[Found]:
    """Every pair of goals, each from rest."""
    scene, rows = standing(figure), list[Found]()
    for hands in wanted:
        for hand, goal in hands.items():
            scene.handles[hand].target = goal
        rows.append(found(scene))
    return rows


def low_row(title: str, rows: Sequence[Found]) -> list[str]:
    """Say how many were missed, and how many of those could have been met."""
    return [
        title,
        str(len(rows)),
        str(sum(not row.many for row in rows)),
        str(sum(row.many and not row.first for row in rows)),
        str(sum(row.many and not row.default for row in rows)),
        spread([row.error for row in rows if row.many and not row.default], 1e3),
    ]


def show_low(given: argparse.Namespace) -> None:
    """Print the table of low goals."""
    rows: list[list[str] | None] = []
    for name, (stature, sex) in PEOPLE.items():
        if given.only and name not in given.only:
            continue
        figure = poise.human(stature=stature, sex=sex)
        rows.append(low_row(f"{name}, even", low(figure, even_goals())))
        uneven = [low(figure, uneven_goals(seed, given.count or UNEVEN)) for seed in given.seeds]
        rows.append(low_row(f"{name}, uneven", [row for part in uneven for row in part]))
    columns = (
        "",
        "problems",
        f"unmet by {MANY} restarts",
        "met by them, missed from the first start",
        "… and by default",
        "mm p50 / p95",
    )
    show("Both hands low, feet pinned, balance; missed", columns, rows)


SECTIONS = {"cold": show_cold, "goals": show_goals, "low": show_low}


def main(arguments: Sequence[str]) -> int:
    """Measure and print the sections that are named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--seeds", type=seeds, default=seeds(TUNING), help="such as 100-104")
    parser.add_argument("--count", type=int, help="problems for each seed")
    parser.add_argument("--only", nargs="+", default=(), help="starts, figures or persons by name")
    given = parser.parse_args(arguments)
    for name in given.sections:
        if name not in SECTIONS:
            parser.error(f"there is no section {name!r}; there are: {', '.join(SECTIONS)}")
    for name in given.sections or SECTIONS:
        SECTIONS[name](given)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
