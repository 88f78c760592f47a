"""The starter library of poses and of hand shapes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.spatial import Delaunay

import poise
from poise import PoiseError
from poise.figure import Figure, Posture
from poise.models import hand_shape, hand_shape_names, pose, pose_names
from poise.models.landing import lowest
from poise.models.tables import table

PEOPLE: dict[str, dict[str, Any]] = {
    "man": {},
    "woman": {"sex": "female"},
    "small woman": {"stature": 1.45, "sex": "female"},
    "tall heavy man": {"stature": 2.0, "mass": 130.0},
    "fingers": {"hands": True},
    "independent": {"spine": "independent", "shoulders": "independent"},
}
NAMES = list(table("poses")["poses"])
STANDING = [name for name in NAMES if "over" in table("poses")["poses"][name]]


@cache
def person(who: str) -> Figure:
    return poise.human(**PEOPLE[who])


@cache
def posed(who: str, name: str) -> Posture:
    return pose(person(who), name)


def test_there_is_a_dozen_of_poses_for_people_and_none_for_others() -> None:
    assert len(NAMES) >= 12
    for who in PEOPLE:
        assert pose_names(person(who)) == NAMES
    for figure in (poise.chain(3), poise.hand(), poise.quadruped(), poise.planar_person()):
        assert pose_names(figure) == []
    with pytest.raises(PoiseError, match="no ready poses for 'chain'"):
        pose(poise.chain(3), "sitting")
    with pytest.raises(PoiseError, match="there is no pose 'siting'; did you mean 'sitting'"):
        pose(person("man"), "siting")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("who", PEOPLE)
def test_a_pose_is_within_limits_and_on_the_floor(who: str, name: str) -> None:
    figure, posture = person(who), posed(who, name)
    assert figure.within_limits(posture)
    where, row = figure.place(posture), table("poses")["poses"][name]
    for part in figure.segments:
        if figure.segments[part].shapes:
            assert lowest(figure, where, part)[1][2] > -2e-3, part
    for part in (*row.get("flat", ()), *row.get("toes", ()), *row.get("touch", ())):
        assert lowest(figure, where, part)[1][2] == pytest.approx(0, abs=2e-3), part
    for site in row.get("flat", ()):
        assert where[site].rotation[2, 2] < -np.cos(np.deg2rad(1))


@pytest.mark.parametrize("who", [{"stature": 1.2, "mass": 160.0}, {"mass": 160.0, "sex": "female"}])
def test_who_is_heavy_lies_still_on_both_halves_of_the_seat(who: dict[str, Any]) -> None:
    figure = poise.human(**who)
    posture = pose(figure, "lying")
    where = figure.place(posture)
    for part in table("poses")["poses"]["lying"]["touch"]:
        assert lowest(figure, where, part)[1][2] == pytest.approx(0, abs=2e-3), part
    assert where["pelvis"].rotation[2, 1] == pytest.approx(0, abs=0.01)  # not on one side


def test_a_pose_that_cannot_come_to_the_floor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table("poses")
    lying = rows["poses"]["lying"]
    row = {**lying, "arms": {**lying["arms"], "flexion": 90}, "moves": []}  # hands in the air
    monkeypatch.setitem(rows["poses"], "floating", row)
    with pytest.raises(PoiseError, match=r"the pose 'floating' cannot .* is \d+ mm off"):
        pose(person("man"), "floating")


@pytest.mark.parametrize("name", STANDING)
@pytest.mark.parametrize("who", PEOPLE)
def test_who_stands_is_balanced(who: str, name: str) -> None:
    figure, posture = person(who), posed(who, name)
    where = figure.place(posture)
    bearing: list[np.ndarray] = []
    for site in table("poses")["poses"][name]["over"]:
        outline = figure.sites[site].outline or ((0.03, 0.03), (-0.03, 0.0), (0.03, -0.03))
        bearing += [where[site].apply([*corner, 0.0])[:2] for corner in outline]
    center = figure.center_of_mass(posture)[:2]
    assert Delaunay(np.array(bearing)).find_simplex(center) >= 0


def test_poses_do_not_depend_on_how_the_joints_are_driven() -> None:
    for name in NAMES:
        a, b = (person(who).place(posed(who, name)) for who in ("man", "independent"))
        for site in ("right_hand", "left_hand", "head_top", "left_knee"):
            assert a[site].position == pytest.approx(b[site].position, abs=0.02), name


def test_the_poses_differ() -> None:
    postures = [posed("man", name).q for name in NAMES]
    for i, one in enumerate(postures):
        for other in postures[:i]:
            assert np.abs(one - other).max() > 0.2


def test_a_figure_on_a_fixed_root_takes_the_angles_and_stays() -> None:
    figure = poise.human(root="fixed")
    posture = pose(figure, "sitting")
    assert figure.within_limits(posture)
    assert posture.angles("left_knee")["flexion"] == pytest.approx(np.deg2rad(86), abs=1e-6)
    at = figure.place(figure.rest())["pelvis"].position
    assert figure.place(posture)["pelvis"].position == pytest.approx(at)


@pytest.mark.parametrize("name", list(table("poses")["hands"]))
def test_a_hand_shape_is_within_limits_and_leaves_the_rest_as_it_is(name: str) -> None:
    figure = person("fingers")
    before = posed("fingers", "sitting")
    after = hand_shape(before, name, hand="right")
    assert figure.within_limits(after)
    changed = {figure.coordinates[i] for i in np.flatnonzero(after.q != before.q)}
    assert changed
    assert all(each.startswith("right_") and "_wrist" not in each for each in changed)
    assert all(
        any(f in each for f in ("index", "middle", "ring", "little", "thumb")) for each in changed
    )
    alone = poise.hand("left")
    assert name in hand_shape_names(alone)
    assert alone.within_limits(hand_shape(alone.rest(), name))


def test_a_fist_closes_and_a_pinch_brings_thumb_and_index_together() -> None:
    hand = poise.hand("right")

    def apart(name: str, a: str, b: str) -> float:
        where = hand.place(hand_shape(hand.rest(), name))
        return float(np.linalg.norm(where[a].position - where[b].position))

    tips = ("right_index_tip", "right_thumb_tip")
    assert apart("pinch", *tips) < 0.025 < 0.06 < apart("open", *tips)
    for finger in ("index", "middle", "ring", "little"):
        tip = f"right_{finger}_tip"
        assert apart("fist", tip, "right_palm") < 0.6 * apart("open", tip, "right_palm")
    assert apart("point", "right_index_tip", "right_palm") > 0.09
    assert apart("point", "right_middle_tip", "right_palm") < 0.06


def test_wrong_hands_are_refused() -> None:
    bare, fingers = person("man"), person("fingers")
    assert hand_shape_names(bare) == []
    with pytest.raises(PoiseError, match="has no fingers that move"):
        hand_shape(bare.rest(), "fist")
    with pytest.raises(
        PoiseError, match="there is no shape of the hand 'fits'; did you mean 'fist'"
    ):
        hand_shape(fingers.rest(), "fits")
    with pytest.raises(PoiseError, match="hand must be 'left', 'right' or 'both', not 'up'"):
        hand_shape(fingers.rest(), "fist", hand="up")  # type: ignore[arg-type]
    with pytest.raises(PoiseError, match="no left hand with fingers, only a right one"):
        hand_shape(poise.hand("right").rest(), "fist", hand="left")
