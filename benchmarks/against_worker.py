"""Solves the scenes of `lex.py` again and again, with the poise that this process imports.

Two commits run this one file, so it uses only what both have: `Scene`, tasks, and of a solution its
status, iterations and seconds.

Requests:
    where: the folder of the package that is used.
    build: a group of scenes, by the name in `person_of_71.GROUPS`, and how many.
    round: solve all scenes of a group once, each from rest.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lines
from person_of_71 import GROUPS, Values, drawn, person

import poise
from poise.figure import Figure, Posture
from poise.tasks import CenterOfMass, Orientation, Position

TOLERANCE, LIMIT = 1e-4, 100


def scene(figure: Figure, goal: Posture, out: Values) -> poise.Scene:
    """Four levels from a posture; the left hand's goal is moved by `out`."""
    places = figure.place(goal)
    result = poise.Scene(figure)

    def reach(site: str, priority: int) -> None:
        moved = out if site == "left_hand" else 0.0
        result.add(Position(site, places[site].position + moved), priority=priority)

    for site in ("left_foot", "right_foot"):
        reach(site, 1)
    result.add(CenterOfMass(figure.center_of_mass(goal)), priority=2)
    for site in ("left_hand", "right_hand"):
        reach(site, 3)
    for site in ("head", "chest"):
        result.add(Orientation(site, places[site].rotation), priority=4)
    for site in ("left_elbow", "right_elbow"):
        reach(site, 4)
    return result


class Solving:
    """Answers requests."""

    def __init__(self) -> None:
        self._figure = person()
        self._scenes: dict[str, list[poise.Scene]] = {}

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request."""
        if request["do"] == "where":
            return {"folder": str(Path(poise.__file__).parent)}
        if request["do"] == "build":
            (chosen,) = [group for group in GROUPS if group[0] == request["group"]]
            _, anywhere, metres = chosen
            self._scenes[request["group"]] = [
                scene(self._figure, *drawn(self._figure, seed, anywhere=anywhere, metres=metres))
                for seed in range(request["count"])
            ]
            return {}
        if request["do"] == "round":
            solutions = [
                each.solve(tolerance=TOLERANCE, max_iterations=LIMIT, restarts=0)
                for each in self._scenes[request["group"]]
            ]
            return {
                "seconds": [each.seconds for each in solutions],
                "statuses": [each.status for each in solutions],
                "iterations": [each.iterations for each in solutions],
            }
        raise ValueError(f"there is no request {request['do']!r}")


if __name__ == "__main__":
    lines.serve(Solving().reply)
