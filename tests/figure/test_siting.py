"""Sites and outlines that are given to a figure after it was made or loaded."""

# ruff: noqa: E501  (a table of messages reads best with each on its line)

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tasks.figures import SQUARE, stander

import poise
from poise import Figure, PoiseError, PoiseWarning
from poise import tasks as t
from poise.figure import Transform
from poise.figure.transform import quaternion, rotation_matrix

BIPED = """<?xml version="1.0"?>
<robot name="biped">
  <link name="pelvis"><inertial><mass value="10"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  {legs}
</robot>
"""
LEG = """
  <link name="{side}_shin"><inertial><origin xyz="0 0 -0.2"/><mass value="2"/>
    <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.001"/></inertial></link>
  <link name="{side}_ankle_link"><inertial><mass value="0.5"/>
    <inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial></link>
  <joint name="{side}_hip" type="revolute"><origin xyz="0 {y} 0"/><parent link="pelvis"/>
    <child link="{side}_shin"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="10" velocity="3"/></joint>
  <joint name="{side}_ankle" type="revolute"><origin xyz="0 0 -0.4"/><parent link="{side}_shin"/>
    <child link="{side}_ankle_link"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="3"/></joint>
"""
DOWN = (np.pi, 0.0, 0.0)
SOLE = [(-0.05, -0.04), (0.12, -0.04), (0.12, 0.04), (-0.05, 0.04)]


@pytest.fixture
def biped(tmp_path: Path) -> Figure:
    """A robot on two legs from a URDF file, which knows no sites."""
    legs = "".join(LEG.format(side=side, y=y) for side, y in (("l", 0.1), ("r", -0.1)))
    file = tmp_path / "biped.urdf"
    file.write_text(BIPED.format(legs=legs), encoding="utf-8")
    return poise.load(file, root="free")


def wrong(value: object) -> Any:
    """A value whose type is not the declared one."""
    return value


def stand_on_soles(figure: Figure, soles: dict[str, str], under: float) -> poise.Scene:
    """A scene in which the figure, given soles on some segments, keeps its balance on them."""
    for name, segment in soles.items():
        figure = figure.with_site(name, segment, (0, 0, -under), rotation=DOWN, outline=SOLE)
    scene = poise.Scene(figure)
    for name in soles:
        scene.add(t.Frame(name), priority=1)
    scene.add(t.Balance(margin=0.01), priority=2)
    return scene


def test_a_loaded_robot_is_given_soles_and_keeps_its_balance(biped: Figure) -> None:
    soles = {"left_sole": "l_ankle_link", "right_sole": "r_ankle_link"}
    scene = stand_on_soles(biped, soles, 0.05)
    solution = scene.solve()
    assert solution.met, solution
    center = scene.figures["biped"].center_of_mass(solution.posture)
    x = solution.places["left_sole"].position[0]
    assert x - 0.05 + 0.01 - 1e-3 <= center[0] <= x + 0.12 - 0.01 + 1e-3


def test_balance_says_how_a_loaded_robot_gets_a_sole(biped: Figure) -> None:
    scene = poise.Scene(biped)
    words = (
        "figure.with_site('sole', 'l_ankle_link', outline=[(x, y), …]) makes a site that has one"
    )
    with pytest.raises(PoiseError, match=re.escape(words)):
        scene.add(t.Balance(supports="l_ankle_link"))


ROBOTS = {
    "menagerie/unitree_g1/g1.xml": ("left_ankle_roll_link", "right_ankle_roll_link"),
    "erd/simple_humanoid.urdf": ("l_ankle", "r_ankle"),
}


@pytest.mark.parametrize("file", ROBOTS)
def test_robots_from_the_data_folder_keep_their_balance(data: Path, file: str) -> None:
    path = data / "robots" / file
    if not path.exists():
        pytest.skip(f"there is no {file} in the data folder")
    options = {"root": "free"} if path.suffix == ".urdf" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PoiseWarning)
        robot = poise.load(path, **options)
    left, right = ROBOTS[file]
    scene = stand_on_soles(robot, {"left_sole": left, "right_sole": right}, 0.03)
    assert scene.solve().met


def test_the_figure_stays_as_it_was_and_its_postures_fit_the_new_one() -> None:
    figure = stander()
    figure.lock("hip")
    figure.stiffness["hip"] = 0.5
    posture = figure.rest()
    posture["hip"] = 0.3
    other = figure.with_site("heel", "leg", (-0.1, 0, 0))
    assert "heel" not in figure.sites
    assert list(other.sites) == ["sole", "hand", "heel"]
    assert other.place(posture)["heel"].position == pytest.approx((-0.1, 0, 0))
    assert other.posture(posture.q) == posture
    assert other.locked_names == ("hip",)
    assert other.stiffness["hip"] == 0.5
    other.unlock("hip")
    other.stiffness["hip"] = 0.1
    assert figure.locked_names == ("hip",)
    assert figure.stiffness["hip"] == 0.5


PLACE = Transform.make((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))


@pytest.mark.parametrize(
    ("position", "rotation"),
    [
        (PLACE, None),
        ((PLACE.position, quaternion(PLACE.rotation)), None),
        (np.vstack([np.column_stack([PLACE.rotation, PLACE.position]), [0, 0, 0, 1]]), None),
        ((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)),
        ((0.1, 0.2, 0.3), rotation_matrix((0.4, 0.5, 0.6))),
        ((0.1, 0.2, 0.3), quaternion(PLACE.rotation)),
    ],
)
def test_the_place_of_a_site_may_be_given_in_every_form(position: Any, rotation: Any) -> None:
    site = stander().with_site("heel", "leg", position, rotation=rotation).sites["heel"]
    np.testing.assert_allclose(site.place.position, PLACE.position, atol=1e-12)
    np.testing.assert_allclose(site.place.rotation, PLACE.rotation, atol=1e-12)


def test_an_outline_is_replaced_and_taken_away() -> None:
    figure = stander()
    wider = figure.with_outline("sole", 2 * np.array(SQUARE))
    assert wider.sites["sole"].outline == tuple((2 * x, 2 * y) for x, y in SQUARE)
    assert wider.sites["sole"].place.position == pytest.approx((0, 0, 0))
    assert figure.sites["sole"].outline == tuple(SQUARE)
    assert figure.with_outline("sole", []).sites["sole"].outline == ()
    assert figure.with_outline("hand", iter(SQUARE)).sites["hand"].outline == tuple(SQUARE)


def test_a_new_site_is_kept_in_figure_and_scene_files(tmp_path: Path) -> None:
    figure = stander().with_site("heel", "leg", (-0.1, 0, 0), outline=SQUARE)
    figure.save(tmp_path / "body.yaml")
    assert poise.load(tmp_path / "body.yaml").sites["heel"] == figure.sites["heel"]
    human = poise.human().with_site("pen", "right_hand", (0, 0, -0.2))
    for made in (human, human.with_outline("left_palm", SQUARE)):
        scene = poise.Scene(made)
        scene.save(tmp_path / "scene.yaml")
        again = poise.Scene.load(tmp_path / "scene.yaml").figures["human"]
        for name in ("pen", "left_palm"):
            np.testing.assert_allclose(again.sites[name].outline, made.sites[name].outline)
            assert again.sites[name].position == pytest.approx(made.sites[name].position)


REFUSED: list[tuple[Callable[[Figure], object], str]] = [
    (lambda f: f.with_site("sole", "leg"), "'body' has a site named 'sole' already; give this one another name, or the outline of that one by with_outline"),
    (lambda f: f.with_site("heel", "legg"), "site 'heel': there is no segment 'legg'; did you mean 'leg'? There are: leg, trunk"),
    (lambda f: f.with_site("a/b", "leg"), "the name 'a/b' of a site must not contain '/'"),
    (lambda f: f.with_site("heel", "leg", (1, 2)), "the position of site 'heel' must be 3 numbers, not 2"),
    (lambda f: f.with_site("heel", "leg", outline=SQUARE[::-1]), "the outline of site 'heel' must go counter-clockwise: reverse the order of its points"),
    (lambda f: f.with_outline("sole", SQUARE[:2]), "the outline of site 'sole' needs at least 3 points, not 2"),
    (lambda f: f.with_outline("sole", wrong(3)), "the outline of site 'sole' must be any × 2 numbers, not one"),
    (lambda f: f.with_outline("sol", SQUARE), "the figure 'body': there is no site 'sol'; did you mean 'sole'? There are: sole, hand"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_is_no_site_is_refused(make: Callable[[Figure], object], words: str) -> None:
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        make(stander())
