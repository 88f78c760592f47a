"""Props: what they are made of, and what holding, placing and releasing them does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.figures import differences, plain

import poise
from poise import PoiseError, Scene
from poise.figure import Box, Figure, Segment, Site, Transform
from poise.figure.holding import with_sites
from poise.figure.props import Prop
from poise.scene.solving import context_of
from poise.tasks import CenterOfMass, Loop, Position, Rest


def box(*, mass: float = 2.0, name: str = "box") -> Prop:
    return poise.box(0.4, 0.2, 0.1, mass=mass, name=name)


# what a prop is ------------------------------------------------------------------------------


def test_a_box_has_its_mass_faces_and_corners() -> None:
    prop = box()
    assert (prop.name, prop.mass) == ("box", 2.0)
    assert prop.site("top").position.tolist() == [0.0, 0.0, 0.05]
    assert prop.site("front").position.tolist() == [0.2, 0.0, 0.0]
    assert prop.site("left").position.tolist() == [0.0, 0.1, 0.0]
    assert prop.site("bottom_back_right").position == pytest.approx([-0.2, -0.1, -0.05])
    assert len(prop.sites) == 1 + 6 + 8


@pytest.mark.parametrize(
    "prop", [box(), poise.sphere(0.1), poise.cylinder(0.1, 0.3)], ids=lambda prop: prop.name
)
def test_the_frame_on_a_face_looks_into_the_prop(prop: Prop) -> None:
    for face in ("top", "bottom", "front", "back", "left", "right"):
        frame = prop.site(face)
        outward = frame.position / np.linalg.norm(frame.position)
        assert frame.rotation[:, 2] == pytest.approx(-outward, abs=1e-12)
        along = [0, 0, 1] if face in ("front", "back") else [1, 0, 0]
        assert frame.rotation[:, 0] == pytest.approx(along, abs=1e-12)


def test_a_cylinder_is_upright_and_a_ball_is_round() -> None:
    mass, center, inertia = poise.cylinder(0.1, 0.6, mass=3.0).segment.mass_properties()
    assert (mass, center.tolist()) == (3.0, [0, 0, 0])
    assert np.diag(inertia) == pytest.approx([3 * (0.03 + 0.36) / 12] * 2 + [0.5 * 3 * 0.01])
    _, _, inertia = poise.sphere(0.1, mass=3.0).segment.mass_properties()
    assert inertia == pytest.approx(np.eye(3) * 0.4 * 3 * 0.01)


def test_a_prop_can_have_more_sites() -> None:
    prop = box().with_site("handle", (0.3, 0, 0), (0, 0, 0.5))
    assert prop.site("handle").rotation[0, 0] == pytest.approx(np.cos(0.5))
    assert len(box().sites) == len(prop.sites) - 1


# holding ---------------------------------------------------------------------------------------


def test_what_is_held_is_part_of_the_figure_and_moves_with_it(arm: Figure) -> None:
    scene = Scene(arm)
    thing = scene.hold(box(), "tip", at="back")
    figure = scene.figures["chain"]
    assert figure.mass == pytest.approx(arm.mass + 2.0)
    assert figure.coordinates == arm.coordinates
    assert thing.is_held
    assert (thing.figure, thing.site) == ("chain", "tip")
    for q in ([0.1, -0.2, 0.3, 0.4], [-1.0, 0.5, 0.5, 0.2]):
        places = figure.place(q)
        assert places["box/back"].position == pytest.approx(places["tip"].position)
        assert places["box/back"].rotation == pytest.approx(places["tip"].rotation)
        mean = arm.mass * arm.center_of_mass(q) + 2.0 * places["box"].position
        assert figure.center_of_mass(q) == pytest.approx(mean / figure.mass)


def test_without_a_place_the_centre_is_held(arm: Figure) -> None:
    scene = Scene(arm)
    scene.hold(box(), "tip")
    assert scene.places["box"].position == pytest.approx([1.0, 0, 0])
    scene.hold("box", "tip", at=Transform.make((0, 0, 0.3)))
    assert scene.places["box"].position == pytest.approx([1.0, 0, 0.3])


def test_a_joint_can_hold_too(arm: Figure) -> None:
    scene = Scene(arm)
    scene.hold(box(), "joint_3")
    scene.posture = [0.0, 0.0, 1.0, 0.0]
    assert scene.places["box"].position == pytest.approx([0.5, 0, 0])
    assert scene.places["box"].rotation == pytest.approx(np.eye(3))  # fixed in the parent


def test_a_held_prop_is_solved_for_like_a_hand(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.hold(box(), "tip", at="back")
    scene.add(Position("box/front", (0.6, 0.0, 0.7)))
    solution = scene.solve()
    assert solution.met
    assert solution.places["box/front"].position == pytest.approx([0.6, 0, 0.7], abs=1e-4)
    assert solution.posture.figure.place(solution.posture)["box/front"].position == pytest.approx(
        [0.6, 0, 0.7], abs=1e-4
    )


def test_its_mass_counts_for_the_centre_of_mass(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.hold(box(mass=10.0), "tip")
    scene.add(CenterOfMass((0.5, 0.0, 0.3), axes="xz"))
    solution = scene.solve()
    center = solution.posture.figure.center_of_mass(solution.posture)
    assert center[[0, 2]] == pytest.approx([0.5, 0.3], abs=1e-4)
    assert abs(arm.center_of_mass(solution.posture) - center).max() > 0.01


def test_locks_and_stiffness_are_shared_with_the_figure_that_was_given(arm: Figure) -> None:
    scene = Scene(arm)
    scene.hold(box(), "tip")
    arm.lock("joint_2")
    scene.figures["chain"].stiffness["joint_1"] = 0.5
    assert scene.figures["chain"].locked_names == ("joint_2",)
    assert arm.stiffness["joint_1"] == 0.5
    assert scene._problem().metric.tolist() == [0.5, 0.0, 1.0, 1.0]


def test_a_solution_keeps_what_was_held_when_it_was_found(arm: Figure) -> None:
    scene = Scene(arm)
    scene.hold(box(), "tip")
    solution = scene.solve()
    scene.release("box")
    scene.remove("box")
    assert "box" in solution.posture.figure.segments
    assert "box" in solution.props
    assert scene.props == {}
    assert scene.figures["chain"] is arm


def test_a_figure_that_holds_props_comes_back_from_a_file(arm: Figure, tmp_path: Path) -> None:
    scene = Scene(arm)
    scene.hold(box(), "tip", at="left")
    held = scene.figures["chain"]
    held.save(tmp_path / "a.yaml")
    again = poise.load(tmp_path / "a.yaml")
    assert "box/left" in again.sites
    assert differences(plain(held), plain(again), 1e-12) == []
    again.save(tmp_path / "b.yaml")
    assert (tmp_path / "a.yaml").read_text() == (tmp_path / "b.yaml").read_text()
    more = with_sites(arm, [Site("mark", "link_2", (0.1, 0, 0))])
    more.save(tmp_path / "c.yaml")
    assert poise.load(tmp_path / "c.yaml").sites.keys() == {"tip", "mark"}


def test_several_figures_together_come_back_from_a_file(tmp_path: Path) -> None:
    scene = Scene({"anna": poise.human(), "ben": poise.chain(3)})
    scene.hold(box(), "ben/tip")
    scene.place(box(name="table"), (1, 0, 0))
    whole = scene.together.figure
    assert "table" not in whole.segments
    assert {"anna/left_hand", "box/left", "box"} <= whole.sites.keys()
    whole.save(tmp_path / "a.yaml")
    again = poise.load(tmp_path / "a.yaml")
    assert differences(plain(whole), plain(again), 1e-12) == []
    again.save(tmp_path / "b.yaml")
    assert (tmp_path / "a.yaml").read_text() == (tmp_path / "b.yaml").read_text()


def test_all_together_are_where_each_is() -> None:
    scene = Scene({"anna": poise.chain(3), "ben": poise.chain(4)})
    scene.hold(box(), "ben/tip")
    scene.postures = {"anna": [0.1, 0.2, 0.3], "ben": [0.4, 0.5, 0.6, 0.7]}
    for whole in (scene.together, scene.solve().together):
        places = whole.figure.place(whole)
        assert places["box/left"].position == pytest.approx(scene.places["box/left"].position)
        assert places["anna/tip"].position == pytest.approx(scene.places["anna/tip"].position)
    alone = Scene(poise.chain(2))
    alone.hold(box(), "tip")
    assert alone.together.figure is alone.figures["chain"]
    named = Scene({"anna": poise.chain(2)})
    assert "tip" in named.together.figure.sites


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a/b/c", "the name 'a/b/c' of a site may have one '/' only, between two names"),
        ("a/", "the name of a site must be a non-empty string, not ''"),
        ("a/b.c", "the name 'b.c' of a site must not contain '.'"),
    ],
)
def test_a_name_in_a_figure_file_has_one_slash_at_most(
    name: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"figure:\n  segments: {{a: {{}}}}\n  sites:\n    {name}: {{segment: a}}\n")
    with pytest.raises(PoiseError) as caught:
        poise.load(path)
    assert str(caught.value) == f"{path}, line 4: figure.sites['{name}']: {words}"


# placing and releasing -------------------------------------------------------------------------


def test_a_placed_prop_is_a_goal_that_can_be_moved(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.place(box(name="table"), (0.6, 0.0, 0.3), (0, 0.2, 0))
    scene.add(Loop("tip", "table/top"))
    for position in ((0.6, 0.0, 0.3), (0.4, 0.0, 0.5)):
        scene.place("table", position, (0, 0.2, 0))
        solution = scene.solve()
        goal = Transform.make(position, (0, 0.2, 0)).apply((0, 0, 0.05))
        assert solution.met
        assert solution.places["tip"].position == pytest.approx(goal, abs=1e-4)


def test_what_stands_in_the_world_weighs_on_nobody(arm: Figure) -> None:
    scene = Scene(arm)
    scene.place(box(mass=100.0), (5.0, 0.0, 0.0))
    assert context_of(scene).figure.mass == pytest.approx(arm.mass)
    assert scene.figures["chain"] is arm


def test_releasing_and_taking_up_again_keeps_the_place(arm: Figure) -> None:
    scene = Scene(arm)
    scene.hold(box(), "tip", at="left")
    scene.posture = [0.3, 0.2, -0.4, 0.6]
    before = scene.places["box"]
    scene.release("box")
    assert scene.figures["chain"].mass == pytest.approx(arm.mass)
    scene.posture = [0.0, 0.1, 0.0, 0.1]
    assert scene.places["box"].position == pytest.approx(before.position)
    scene.hold("box", "tip")
    assert scene.places["box"].position == pytest.approx(before.position)
    assert scene.places["box"].rotation == pytest.approx(before.rotation)
    scene.posture = [0.3, 0.2, -0.4, 0.6]
    assert np.linalg.norm(scene.places["box"].position - before.position) > 0.01


def test_of_several_figures_the_prop_keeps_its_name_whoever_holds_it() -> None:
    pair = Scene({"a": poise.chain(3), "b": poise.chain(3)})
    pair.place(box(), (0.1, 0, 0.2))
    pair.add(Loop("a/tip", "box/left"))
    for holder in ("a", "b"):
        pair.hold("box", f"{holder}/tip")
        assert "box" in pair.figures[holder].segments
        assert pair.places["box"].position == pytest.approx([0.1, 0, 0.2])
        assert context_of(pair).figure.segment_of("box/left") == f"{holder}/box"
        pair.solve(max_iterations=3)
    assert "box" not in pair.figures["a"].segments
    assert context_of(pair).figure.mass == pytest.approx(2 * pair.given["a"].mass + 2.0)


def test_a_criterion_knows_the_posture_of_a_figure_that_holds_something() -> None:
    pair = Scene({"a": poise.chain(3), "b": poise.chain(3)})
    pair.hold(box(), "b/tip")
    goal = pair.postures["b"].with_q([0.1, 0.2, 0.3])
    pair.add(Rest(goal))
    assert pair.solve().postures["b"].q == pytest.approx([0.1, 0.2, 0.3], abs=1e-3)


# what is refused -------------------------------------------------------------------------------


def scene_with_box() -> Scene:
    scene = Scene(poise.chain(3))
    scene.place(box())
    scene.add(Loop("tip", "box/top"), name="touch")
    return scene


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda s: s.hold(3, "tip"),
            "3 is neither a prop nor the name of one; poise.box and the like make some",
        ),
        (lambda s: s.hold("bux", "tip"), "there is no prop 'bux'; did you mean 'box'?"),
        (lambda s: s.hold(box(), "tp"), "there is no site, segment or joint 'tp'"),
        (lambda s: s.hold(box(), 5), "a site, segment or joint goes by its name, not 5"),
        (lambda s: s.hold(box(), "tip", at="lft"), "there is no site 'lft'; did you mean 'left'?"),
        (lambda s: s.hold(box(), "tip", at=(1, 2)), "of 'box' in 'tip' must be 3 numbers, not 2"),
        (lambda s: s.hold(box(), "root"), "'root' stands still in the world; `scene.place`"),
        (lambda s: s.release("box"), "there is no held prop 'box', nor any other"),
        (lambda s: s.place(box(), (1, 2)), "the position of 'box' must be 3 numbers, not 2"),
        (
            lambda s: s.place(box(), (1, 2, 3), np.diag([1, 1, -1])),
            "the rotation of 'box' must be a rotation matrix",
        ),
        (
            lambda s: s.place(box(), Transform.make(), (0, 0, 1)),
            "of 'box': a Transform has its rotation already",
        ),
        (
            lambda s: s.place(box(name="link_1"), (0, 0, 0)),
            "a prop cannot be named 'link_1': 'chain' has a segment of that name",
        ),
        (
            lambda s: s.remove("box"),
            "'box' cannot be removed: the task 'touch' is about 'box/top'",
        ),
        (lambda s: s.remove(box(name="cup")), "there is no prop 'cup'"),
        (
            lambda s: setattr(s, "options", 3),
            "3 are no options of a scene; give poise.scene.Options(…)",
        ),
    ],
)
def test_what_cannot_be_is_said(call: Callable[[Scene], object], message: str) -> None:
    with pytest.raises(PoiseError, match=re.escape(message)):
        call(scene_with_box())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: poise.box(0.1, -1, 0.1), "the size of a box must be from 1e-06 to 1e+06 metres"),
        (lambda: poise.box(0.1, 0.1, 0.1, mass=-1), "the mass (kg) of segment 'box'"),
        (lambda: poise.sphere("a"), "the radius of a sphere must be a number, not 'a'"),  # type: ignore[arg-type]
        (lambda: poise.cylinder(0.1, 0), "the height of a cylinder must be from 1e-06"),
        (lambda: poise.box(1, 1, 1, name="a/b"), "must not contain '/'"),
        (lambda: Prop("box"), "a prop is made of a Segment, not of 'box'"),  # type: ignore[arg-type]
        (
            lambda: Prop(Segment("box"), (Site("a", "cup"),)),
            "the site 'a' is on 'cup', not on the prop 'box'",
        ),
        (
            lambda: Prop(Segment("box"), (Site("a", "box"), Site("a", "box"))),
            "the prop 'box' has two sites named 'a'",
        ),
        (
            lambda: Prop(Segment("box"), (3,)),  # type: ignore[arg-type]
            "the sites of the prop 'box' must be a list of Sites, not of 3",
        ),
    ],
)
def test_a_prop_that_cannot_be_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(PoiseError, match=re.escape(message)):
        make()


def test_several_figures_need_a_figures_name_and_no_prop_may_take_it() -> None:
    pair = Scene({"anna": poise.chain(2), "ben": poise.chain(2)})
    with pytest.raises(PoiseError, match=r"write figure/name, such as anna/tip, not 'tip'"):
        pair.hold(box(), "tip")
    with pytest.raises(PoiseError, match="there is a figure of that name"):
        pair.place(box(name="ben"))


def test_a_prop_of_other_shapes_can_be_held(arm: Figure) -> None:
    shapes = (Box((0, 0, 0), (0.1, 0.1, 0.1)), Box((0, 0, 0.1), (0.02, 0.02, 0.1)))
    lamp = Prop(
        Segment("lamp", shapes=shapes, density=500.0), (Site("bulb", "lamp", (0, 0, 0.15)),)
    )
    scene = Scene(arm)
    scene.hold(lamp, "tip")
    assert scene.places["lamp/bulb"].position == pytest.approx([1.0, 0, 0.15])
    assert scene.figures["chain"].mass == pytest.approx(arm.mass + lamp.mass)


def test_another_prop_of_the_same_name_is_refused(arm: Figure) -> None:
    scene = Scene(arm)
    scene.hold(box(), "tip")
    with pytest.raises(PoiseError, match="there is another prop named 'box'"):
        scene.hold(box(), "link_2")
    assert len(scene.props) == 1
