"""Every task in a solve in which it is active."""

from __future__ import annotations

import numpy as np
import pytest
from tests.tasks.residual import Residual

import poise
from poise.figure import Builder, Ellipsoid, Figure, Hinge, Transform
from poise.models import human
from poise.solvers.problem import Wish, pack
from poise.tasks import (
    Aim,
    Any,
    Balance,
    CenterOfMass,
    Contact,
    Convex,
    Frame,
    Inertia,
    Inside,
    Line,
    Orientation,
    Outside,
    Plane,
    Position,
    Surface,
    Task,
)

PERSON = human()
REST = PERSON.place(PERSON.rest())
HAND = REST["right_hand"].position


def standing(*tasks: Task) -> poise.Scene:
    """A person on both feet, in balance, with tasks of less importance."""
    scene = poise.Scene(PERSON)
    scene.add(Contact("left_foot"), priority=1)
    scene.add(Contact("right_foot", slide=False, turn=False), priority=1)
    scene.add(Balance(margin=0.02), priority=2)
    for task in tasks:
        scene.add(task, priority=3)
    return scene


NEAR = Convex.box((0.4, -0.2, 1.2), (0.1, 0.1, 0.1))

ACTIVE: dict[str, Task] = {
    "line": Line("right_hand", (0.4, -0.2, 1.0), "z"),
    "plane": Plane("right_hand", (0.4, 0.0, 0.0), "x"),
    "inside": Inside("right_hand", NEAR, margin=0.02),
    "outside": Outside("right_hand", Convex.box(HAND, (0.3, 0.2, 0.25)), margin=0.02),
    "any": Any([Position("right_hand", (9, 0, 1)), Position("right_hand", (0.3, -0.3, 1.2))]),
    "surface": Surface("right_hand", Ellipsoid((0, 0, 0), (0.3, 0.25, 0.35)), frame="chest"),
    "inertia": Inertia("y", 0.38),
    "ride": Position("left_hand", (0.1, 0.0, 0.05), frame="right_hand"),
    "gap": Position("left_hand", "right_knee", axes="xz"),
    "turn": Orientation("left_hand", "chest", free="x"),
    "aim": Aim("eyes", "right_hand"),
}


@pytest.mark.parametrize("name", ACTIVE)
def test_a_standing_person_does_it(name: str) -> None:
    alone = pack(PERSON, PERSON.rest(), [Wish(name, ACTIVE[name], 1)])
    assert alone.sizes(Residual(alone)(PERSON.rest().q)).max() > 0.01  # there is something to do
    solution = standing(ACTIVE[name]).solve()
    assert solution.met, f"{solution}"
    assert solution.tasks[-1].unit == ("rad" if name in ("turn", "aim") else "m")
    where = PERSON.place(solution.posture)
    foot = where["right_foot"]
    assert foot.position == pytest.approx(REST["right_foot"].position, abs=2e-4)
    assert foot.rotation[:, 2] == pytest.approx([0.0, 0.0, -1.0], abs=1e-3)


def test_a_goal_rides_on_what_moves() -> None:
    scene = standing(Position("left_hand", (0.1, 0.0, 0.05), frame="right_hand"))
    scene.add(Position("right_hand", (0.35, 0.0, 1.2)), priority=3)
    solution = scene.solve()
    where = PERSON.place(solution.posture)
    assert solution.met
    local = where["right_hand"].inverse().apply(where["left_hand"].position)
    assert local == pytest.approx([0.1, 0.0, 0.05], abs=2e-4)
    assert where["right_hand"].position == pytest.approx([0.35, 0.0, 1.2], abs=2e-4)


def test_a_new_target_in_a_frame_that_moves_is_taken_over() -> None:
    scene = standing()
    handle = scene.add(Position("left_hand", (0.1, 0.0, 0.05), frame="right_hand"), priority=3)
    scene.solve()
    handle.target = (0.0, 0.12, 0.1)
    where = PERSON.place(scene.solve().posture)
    local = where["right_hand"].inverse().apply(where["left_hand"].position)
    assert local == pytest.approx([0.0, 0.12, 0.1], abs=2e-4)


def test_a_foot_in_contact_slides_where_it_may_and_stays_flat() -> None:
    scene = standing(Position("left_foot", (0.25, 0.1, 0.5), axes="xy"))
    solution = scene.solve()
    left = PERSON.place(solution.posture)["left_foot"]
    assert solution.met
    assert left.position == pytest.approx([0.25, 0.1, 0.0], abs=2e-4)
    assert left.rotation[:, 2] == pytest.approx([0.0, 0.0, -1.0], abs=1e-3)


def test_a_hand_lies_flat_on_a_wall() -> None:
    wall = Contact("right_palm", (0.45, 0.0, 0.0), "-x")
    solution = standing(wall).solve()
    palm = PERSON.place(solution.posture)["right_palm"]
    assert solution.met, f"{solution}"
    assert palm.position[0] == pytest.approx(0.45, abs=2e-4)
    assert palm.rotation[:, 2] == pytest.approx([1.0, 0.0, 0.0], abs=1e-3)


def edge_stander() -> Figure:
    """A mast with a leaning hinge in two directions, on a foot whose sole is seen edge-on."""
    body = Builder("edge")
    body.segment("foot")
    body.segment("lower", mass=0.1)
    body.segment("mast", mass=2.0, center=(0.0, 0.0, 1.0))
    body.joint("roll", Hinge("x", (-1.0, 1.0)), "foot", "lower")
    body.joint("pitch", Hinge("y", (-1.0, 1.0)), "lower", "mast")
    body.site("sole", "foot", rotation=(np.pi / 2, 0, 0), outline=[(-0.1, 0), (0.1, 0), (0.1, 0.1)])
    body.site("top", "mast", (0.0, 0.0, 1.0))
    return body.build()


def test_balance_over_a_sole_seen_edge_on_keeps_to_the_line_and_its_ends() -> None:
    figure = edge_stander()
    scene = poise.Scene(figure)
    scene.add(Balance(margin=0.0, supports="sole"), priority=1)
    scene.add(Position("top", (0.9, 0.4, 0.5)), priority=2)
    solution = scene.solve()
    center = figure.center_of_mass(solution.posture)
    assert solution.tasks[0].met
    assert center[:2] == pytest.approx([0.1, 0.0], abs=2e-3)


def test_each_of_two_people_is_balanced_on_their_own_feet() -> None:
    scene = poise.Scene({"anna": PERSON, "ben": PERSON})
    scene.stand("ben", (1.0, 0.0, 0.0), np.pi)
    for name in ("anna", "ben"):
        for side in ("left", "right"):
            scene.add(Frame(f"{name}/{side}_foot"), priority=1)
    scene.add(Balance(margin=0.03), priority=2)
    scene.add(Position("anna/right_hand", (0.9, -0.2, 1.0)), priority=3)
    solution = scene.solve()
    feet = scene.solve().tasks
    assert all(report.met for report in feet[:5]), f"{solution}"
    center = PERSON.center_of_mass(solution.postures["anna"])
    toe = REST["right_toe"].position[0]
    assert center[0] < toe - 0.02
    # Together they would have been balanced however far she leans towards him.
    assert center[0] > PERSON.center_of_mass(PERSON.rest())[0] + 0.02


def test_the_centre_of_mass_of_one_of_two_people_is_brought_to_its_place() -> None:
    scene = poise.Scene({"anna": PERSON, "ben": PERSON}, natural=False)
    scene.stand("ben", (1.0, 0.0, 0.0), np.pi)
    goal = PERSON.center_of_mass(PERSON.rest()) + [0.05, 0.02, -0.1]
    scene.add(CenterOfMass(goal, figure="anna"), priority=1)
    scene.add(Inertia("z", 0.2, figure="anna"), priority=2)
    before = scene.postures["ben"].q.copy()
    solution = scene.solve()
    anna = solution.postures["anna"]
    assert solution.met
    assert PERSON.center_of_mass(anna) == pytest.approx(goal, abs=2e-4)
    assert np.sqrt(PERSON.inertia(anna, "z") / PERSON.mass) == pytest.approx(0.2, abs=2e-4)
    assert solution.postures["ben"].q == pytest.approx(before)


def test_a_frame_on_a_site_is_matched_whole() -> None:
    pair = poise.Scene({"anna": PERSON, "ben": PERSON})
    pair.stand("ben", (0.7, 0.0, 0.0), np.pi)
    cup = Transform.make((0.35, 0.0, 1.1), (0.0, 0.0, 0.0))
    pair.add(Frame("anna/right_hand", cup), priority=1)
    pair.add(Frame("ben/right_hand", "anna/right_hand"), priority=2)
    solution = pair.solve(restarts=4)
    there = PERSON.place(solution.postures["anna"])["right_hand"]
    here = PERSON.place(solution.postures["ben"])["right_hand"]
    assert solution.met, f"{solution}"
    assert here.position == pytest.approx(there.position, abs=2e-4)
    assert here.rotation == pytest.approx(there.rotation, abs=1e-3)
