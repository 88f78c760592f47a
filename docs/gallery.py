"""Draw the gallery: everyday goals of three people who stand on the floor.

Usage: `python docs/gallery.py LABEL [GOAL …] [--folder FOLDER] [--people NAME …]`.

Each goal is a scene as a user would write it: feet pinned, balance with a margin, what the hands
shall do, and then where a person would look. What is on the own body is given in its own frames and
sizes, so that it moves with the body. A sheet for each person goes to gallery-LABEL-PERSON.png, of
"after" to gallery-PERSON.png, as docs/natural.md shows it; six goals in a row, each from the front
and from the side, with its numbers:

- lean: how far the line from the pelvis to the top of the back is turned from rest;
- knees: flexion, left / right;
- head, pelvis: how far from where they are at rest;
- and what is not met, by how much.

With the label "before" scenes are without `Natural`; else they are as they are made. The label is
nowhere in the picture, so that it can be judged blind.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from draw import FOLDER, write
from numpy.typing import NDArray

import poise
from poise import Scene, tasks
from poise.figure import Figure, Placements, Transform
from poise.pictures import View, picture
from poise.pictures.lettering import captioned
from poise.pictures.stage import Image
from poise.scene import Solution

Floats = NDArray[np.float64]
Point = tuple[float, float, float]

PEOPLE: dict[str, tuple[float, Literal["male", "female"]]] = {
    "man-175": (1.75, "male"),
    "woman-162": (1.62, "female"),
    "man-190": (1.90, "male"),
}
BEFORE, AFTER = "before", "after"
COLUMNS = 6
CELL = (300, 280)
"""Pixels of a goal: two views side by side."""
VIEWS = (View(np.deg2rad(-38.0), np.deg2rad(14.0), np.deg2rad(24.0)), "side")
FROM_BEHIND = (View(np.deg2rad(-142.0), np.deg2rad(14.0), np.deg2rad(24.0)), "side")
REFERENCE = 1.75
"""The stature (m) for which sizes of the body are given below; others have them in proportion."""
WOOD = "#a8865f"
HAND, GAZE = 3, 4
"""Priorities: feet have 1, balance has 2."""


class Person:
    """A person at rest on the floor, with the scene in which something shall be done."""

    def __init__(self, figure: Figure, *, natural: bool = True) -> None:
        """Stand on two feet, or on those that are pinned later."""
        self.figure = figure
        self.scene = Scene(figure, natural=natural)
        self.rest: Placements = figure.place(figure.rest())
        self.size = float(self.rest["head_top"].position[2]) / REFERENCE

    def stand(self, *feet: str) -> None:
        """Pin feet, both unless named, and balance over them."""
        for foot in feet or ("left_foot", "right_foot"):
            self.scene.add(tasks.Frame(foot), priority=1)
        self.scene.add(tasks.Balance(margin=0.02), priority=2)

    def bring(self, site: str, target: Point) -> None:
        """A site to a point of the world."""
        self.scene.add(tasks.Position(site, target), priority=HAND)

    def touch(self, site: str, on: str, place: Point, *, facing: str | None = None) -> None:
        """A site to a place on the body, given in the frame of a part for a stature of 1.75 m.

        With `facing` the palm turns to that part of the body.
        """
        x, y, z = (self.size * value for value in place)
        self.scene.add(tasks.Position(site, (x, y, z), frame=on), priority=HAND)
        if facing is not None:
            self.scene.add(tasks.Aim(site, facing, axis="z"), priority=GAZE)

    def look(self, target: Point) -> None:
        """The eyes at a point of the world."""
        self.scene.add(tasks.Aim("eyes", target), priority=GAZE)

    def look_ahead(self) -> None:
        """The eyes to the horizon."""
        self.look((8.0, 0.0, float(self.rest["eyes"].position[2])))

    def put(self, name: str, sizes: Point, center: Point) -> None:
        """A wooden box that is only drawn."""
        self.scene.place(poise.box(*sizes, name=name, color=WOOD), center)


Ask = Callable[[Person], None]


class Goal(NamedTuple):
    """One of the gallery."""

    title: str
    ask: Ask
    views: tuple[View | str, View | str] = VIEWS


# on the own body -----------------------------------------------------------------------


def chin(person: Person) -> None:
    person.stand()
    person.touch("right_fingertip", "head", (0.088, 0.0, -0.08))
    person.look_ahead()


def belly(person: Person) -> None:
    person.stand()
    person.touch("right_palm", "l3", (0.14, -0.02, -0.02), facing="l3")
    person.look_ahead()


def opposite_shoulder(person: Person) -> None:
    person.stand()
    person.touch("right_palm", "left_shoulder", (0.05, -0.01, 0.06), facing="left_shoulder")
    person.look_ahead()


def own_back(person: Person) -> None:
    person.stand()
    person.touch("right_hand", "l3", (-0.13, -0.03, -0.02))
    person.look_ahead()


def hand_on_hip(person: Person) -> None:
    person.stand()
    person.touch("right_palm", "pelvis", (0.03, -0.16, 0.10), facing="pelvis")
    person.look_ahead()


# one hand ------------------------------------------------------------------------------


def one_hand(site: str, target: Point) -> Ask:
    """The right hand somewhere in the world, looked at."""

    def ask(person: Person) -> None:
        person.stand()
        person.bring(site, target)
        person.look(target)

    return ask


def overhead(person: Person) -> None:
    person.stand()
    target = (0.15, -0.15, 1.17 * REFERENCE * person.size)
    person.bring("right_fingertip", target)
    person.look(target)


def point_far(person: Person) -> None:
    """A straight arm from the shoulder towards the thing, and the finger in its line."""
    person.stand()
    far = np.array([6.0, -3.0, 2.0])
    shoulder, elbow, tip = (
        person.rest[f"right_{site}"].position for site in ("shoulder", "elbow", "fingertip")
    )
    arm = np.linalg.norm(elbow - shoulder) + np.linalg.norm(tip - elbow)
    way = (far - shoulder) / np.linalg.norm(far - shoulder)
    person.bring("right_fingertip", point(shoulder + 0.96 * arm * way))
    person.scene.add(tasks.Aim("right_fingertip", point(far), axis="-z"), priority=GAZE)
    person.look(point(far))


def knock(person: Person) -> None:
    person.stand()
    person.put("door", (0.04, 0.9, 2.0), (0.60, 0.0, 1.0))
    person.bring("right_hand", (0.54, -0.15, 0.80 * REFERENCE * person.size))
    person.look((0.58, 0.0, float(person.rest["eyes"].position[2])))


# both hands ----------------------------------------------------------------------------


def both_hands(x: float, half: float, z: float) -> Ask:
    """Both fingertips at a height, as far to either side; looked at between them."""

    def ask(person: Person) -> None:
        person.stand()
        person.bring("left_fingertip", (x, half, z))
        person.bring("right_fingertip", (x, -half, z))
        person.look((x, 0.0, z))

    return ask


def low_box(person: Person) -> None:
    person.stand()
    center = (0.45, 0.0, 0.15)
    person.put("box", (0.3, 0.4, 0.3), center)
    for side, y in (("left", 0.21), ("right", -0.21)):
        person.bring(f"{side}_palm", (0.45, y, 0.15))
        person.scene.add(tasks.Aim(f"{side}_palm", center, axis="z"), priority=GAZE)
    person.look(center)


def shelf(height: float) -> Ask:
    """Both hands to the front edge of a board."""

    def ask(person: Person) -> None:
        person.put("shelf", (0.3, 0.9, 0.02), (0.60, 0.0, height - 0.01))
        both_hands(0.46, 0.18, height + 0.02)(person)

    return ask


def tie_a_shoe(person: Person) -> None:
    person.stand()
    foot, toe = (person.rest[f"right_{site}"].position for site in ("foot", "toe"))
    x, y, _ = 0.6 * foot + 0.4 * toe
    person.bring("left_fingertip", (x, y + 0.03, 0.10))
    person.bring("right_fingertip", (x, y - 0.03, 0.10))
    person.look((x, y, 0.08))


# the whole body ------------------------------------------------------------------------


def look_behind(person: Person) -> None:
    person.stand()
    person.look((-4.0, -2.0, 1.5))


def look_under_a_table(person: Person) -> None:
    person.stand()
    person.put("table", (0.7, 1.2, 0.04), (0.85, 0.0, 0.72))
    low = tasks.HalfSpace("eyes", (0.0, 0.0, 0.62), normal="-z")
    person.scene.add(low, priority=HAND)
    person.look((1.0, 0.0, 0.1))


def one_leg(person: Person) -> None:
    person.stand("left_foot")
    x, y, _ = person.rest["right_foot"].position
    person.bring("right_foot", (x + 0.1, y, 0.3))
    person.look_ahead()


def big_step(person: Person) -> None:
    there = person.rest["right_foot"]
    ahead = Transform(there.rotation, there.position + [0.75 * person.size, 0.0, 0.0])
    person.scene.add(tasks.Frame("right_foot", ahead), priority=1)
    person.stand("left_foot")
    person.look_ahead()


def counter(person: Person) -> None:
    """Something behind a counter, the other hand on its top, the hips in front of it."""
    person.stand()
    person.put("counter", (0.5, 1.2, 0.92), (0.45, 0.0, 0.46))
    front = tasks.HalfSpace("pelvis", (0.08, 0.0, 0.0), normal="-x")
    person.scene.add(front, priority=2)
    person.bring("right_hand", (0.75, -0.1, 0.98))
    person.bring("left_palm", (0.38, 0.28, 0.93))
    person.look((0.75, -0.1, 0.98))


GOALS: dict[str, Goal] = {
    "chin": Goal("hand to chin", chin),
    "belly": Goal("hand to belly", belly),
    "shoulder": Goal("hand to opposite shoulder", opposite_shoulder),
    "back": Goal("hand to own back", own_back, FROM_BEHIND),
    "hip": Goal("hand on hip", hand_on_hip),
    "overhead": Goal("hand overhead", overhead),
    "floor-front": Goal("hand to floor, in front", one_hand("right_fingertip", (0.45, -0.1, 0.02))),
    "floor-beside": Goal("hand to floor, beside", one_hand("right_fingertip", (0.05, -0.5, 0.02))),
    "floor-behind": Goal("hand to floor, behind", one_hand("right_fingertip", (-0.3, -0.25, 0.02))),
    "floor-both": Goal("both hands to floor", both_hands(0.35, 0.15, 0.02)),
    "box": Goal("both hands to a low box", low_box),
    "shelf-06": Goal("both hands, shelf at 0.6 m", shelf(0.6)),
    "shelf-12": Goal("both hands, shelf at 1.2 m", shelf(1.2)),
    "shelf-18": Goal("both hands, shelf at 1.8 m", shelf(1.8)),
    "lever-high": Goal("lever, high", one_hand("right_hand", (0.4, -0.25, 1.8))),
    "lever-low": Goal("lever, low", one_hand("right_hand", (0.45, -0.2, 0.4))),
    "lever-beside": Goal("lever, beside", one_hand("right_hand", (0.1, -0.65, 1.0))),
    "lever-behind": Goal("lever, behind", one_hand("right_hand", (-0.35, -0.4, 1.0))),
    "point": Goal("point at a far thing", point_far),
    "look-behind": Goal("look behind", look_behind),
    "under-table": Goal("look under a table", look_under_a_table),
    "knock": Goal("knock at a door", knock, FROM_BEHIND),
    "one-leg": Goal("stand on one leg", one_leg),
    "step": Goal("big step", big_step),
    "counter": Goal("lean over a counter", counter),
    "shoe": Goal("tie a shoe", tie_a_shoe),
}


# how it looks --------------------------------------------------------------------------


class Numbers(NamedTuple):
    """What of a posture can be told in numbers; angles in degrees, lengths in metres."""

    lean: float
    left_knee: float
    right_knee: float
    head: float
    pelvis: float
    missed: tuple[str, ...]
    """What is not met, each with its errors."""

    def lines(self) -> list[str]:
        """A short line, or two."""
        told = (
            f"lean {self.lean:.0f}°, knees {self.left_knee:.0f}/{self.right_knee:.0f}°, "
            f"head {1e2 * self.head:.0f}, pelvis {1e2 * self.pelvis:.0f} cm"
        )
        return [told, f"not met: {', '.join(self.missed)}"] if self.missed else [told]


def point(values: Floats) -> Point:
    x, y, z = (float(each) for each in values)
    return x, y, z


def human(name: str) -> Figure:
    """One of the three people."""
    stature, sex = PEOPLE[name]
    return poise.human(stature=stature, sex=sex)


def scene_of(goal: str, figure: Figure, *, natural: bool = True) -> Scene:
    """The scene of a goal for a person, at rest."""
    person = Person(figure, natural=natural)
    GOALS[goal].ask(person)
    return person.scene


def numbers_of(solution: Solution) -> Numbers:
    """Measure a posture against rest."""
    figure = solution.posture.figure
    rest, now = figure.place(figure.rest()), solution.places
    before, after = (each["t1"].position - each["pelvis"].position for each in (rest, now))
    cosine = before @ after / (np.linalg.norm(before) * np.linalg.norm(after))
    knees = [solution.posture.angles(f"{side}_knee")["flexion"] for side in ("left", "right")]
    head, pelvis = (
        float(np.linalg.norm(now[name].position - rest[name].position))
        for name in ("head", "pelvis")
    )
    missed = (f"{report.name} {report.sizes}" for report in solution.tasks if not report.met)
    lean = float(np.rad2deg(np.arccos(np.clip(cosine, -1.0, 1.0))))
    left, right = np.rad2deg(knees).tolist()
    return Numbers(lean, left, right, head, pelvis, tuple(missed))


def cell(
    goal: str, figure: Figure, *, size: tuple[int, int] = CELL, natural: bool = True
) -> tuple[Image, Numbers]:
    """A goal solved and drawn, with its title and numbers below.

    Args:
        goal: one of `GOALS`.
        figure: a person, such as `human("man-175")`.
        size: width and height of the two views together, in pixels.
        natural: whether the scene is.
    """
    solution = scene_of(goal, figure, natural=natural).solve()
    numbers = numbers_of(solution)
    image = picture(solution, views=GOALS[goal].views, size=size)
    for line in (GOALS[goal].title, *numbers.lines()):
        image = captioned(image, line)
    return image, numbers


def sheet(goals: Sequence[str], figure: Figure, *, natural: bool = True) -> Image:
    """A contact sheet of some goals; prints the numbers."""
    cells: list[Image] = []
    for goal in goals:
        image, numbers = cell(goal, figure, natural=natural)
        cells.append(image)
        print(f"  {GOALS[goal].title:<28} {', '.join(numbers.lines())}", flush=True)
    columns, height = min(COLUMNS, len(cells)), max(len(each) for each in cells)
    cells += [cells[0][:0]] * (-len(cells) % columns)
    cells = [
        np.pad(each, ((0, height - len(each)), (0, 0), (0, 0)), constant_values=255)
        for each in cells
    ]
    rows = [np.concatenate(cells[i : i + columns], axis=1) for i in range(0, len(cells), columns)]
    return np.concatenate(rows, axis=0)


def file_name(label: str, person: str) -> str:
    """What the sheet of a person is called."""
    return f"gallery-{person}.png" if label == AFTER else f"gallery-{label}-{person}.png"


def main(arguments: Sequence[str]) -> int:
    """Draw a sheet for each person."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("label", help='"after", "before" (without Natural), or another for files')
    parser.add_argument("goals", nargs="*", metavar="GOAL", help=", ".join(GOALS))
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where sheets go")
    parser.add_argument("--people", nargs="+", choices=PEOPLE, default=list(PEOPLE))
    given = parser.parse_args(arguments)
    for goal in given.goals:
        if goal not in GOALS:
            parser.error(f"there is no goal {goal!r}; there are: {', '.join(GOALS)}")
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.people:
        print(name)
        path = given.folder / file_name(given.label, name)
        drawn = sheet(given.goals or list(GOALS), human(name), natural=given.label != BEFORE)
        write(drawn, path)
        print(f"  {path.name}: {path.stat().st_size / 1000:.0f} kB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
