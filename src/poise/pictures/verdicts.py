"""What a task lacks, drawn: lines to goals that are not met, angles, words.

Of a scene that has not been solved only what is seen to be apart is tied.
"""

from __future__ import annotations

import numpy as np

from poise.pictures.marks import Marks
from poise.pictures.meshes import Floats
from poise.pictures.subjects import Group, Wanted
from poise.tasks.task import Error

NOTICED = 1e-3
"""What is nearer than this (m or rad) is not marked where nothing is known of an error."""


def tie(marks: Marks, wanted: Wanted, at: Floats, goal: Floats) -> None:
    """The line from what lacks to its goal, with how much it lacks."""
    gap = float(np.linalg.norm(goal - at))
    if wanted.is_tied and (wanted.met is False or (wanted.met is None and gap > NOTICED)):
        marks.dot(marks.within(at), wanted.color, 0.5)
        marks.tie(at, goal, wanted.color, str(wanted.error("m") or Error(gap, "m")))


def tie_or_turn(marks: Marks, wanted: Wanted, at: Floats, goal: Floats) -> None:
    """What a task lacks that has a place and a turn: the angle, where the place is right."""
    length, angle = wanted.error("m"), wanted.error("rad")
    if wanted.met is False and length and angle and length.value < NOTICED:
        say_angle(marks, wanted, goal)
    else:
        tie(marks, wanted, at, goal)


def say_angle(marks: Marks, wanted: Wanted, at: Floats) -> None:
    """The angle that a task lacks, above a point."""
    error = wanted.error("rad")
    if wanted.met is False and wanted.is_tied and error is not None:
        write_at(marks, str(error), at, wanted)


def say(marks: Marks, group: Group, wanted: Wanted) -> None:
    """The name and the errors of what is not met, where it is about."""
    if wanted.met is not False or not wanted.is_tied:
        return
    sites = list(wanted.task.sites())
    at = group.places[sites[0]].position if sites else group.center_of_mass()
    text = f"{wanted.name}: {', '.join(map(str, wanted.errors))}"
    write_at(marks, text, marks.middle if at is None else at, wanted)


def write_at(marks: Marks, text: str, at: Floats, wanted: Wanted) -> None:
    """A word above a point."""
    seen = marks.within(at)
    marks.write(text, seen, seen, wanted.color)
