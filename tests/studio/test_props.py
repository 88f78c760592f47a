"""Props that are changed: what is about them follows, what cannot be changes nothing."""

from typing import Any

import numpy as np
import pytest
from tests.studio.pages import Page

import poise
from poise.errors import PoiseError
from poise.figure.parts import Segment
from poise.figure.props import Prop, box
from poise.figure.shapes import Box
from poise.scene import Scene
from poise.studio.session import Session
from poise.tasks import Position


def test_all_that_names_a_prop_follows_its_new_name(page: Page) -> None:
    page.do("add_prop", kind="box", size=[0.2, 0.2, 0.2], position=[0.4, -0.2, 1.0])
    page.do("add_prop", kind="box", size=[0.1, 0.1, 0.1], position=[2.0, 0.0, 1.0], name="box_top")
    reach = {"site": "right_hand", "target": "box/top"}
    page.do("add_task", type="position", parameters=reach, name="reach")
    either = {"tasks": [{"position": reach}, {"position": {"site": "left_hand"}}]}
    page.do("add_task", type="any", parameters=either, name="either")
    page.do("add_task", type="loop", parameters={"site": "right_hand", "other": "box/top"})
    page.do("hold_prop", prop="box", site="right_hand")
    page.do("add_load", site="box/top", force=[0.0, 0.0, -10.0], name="lid")
    before = page.session.scene_text()
    page.do("edit_prop", prop="box", new_name="crate")
    scene: Any = page.session.scene
    assert list(scene.props) == ["crate", "box_top"]
    assert scene.props["crate"].site == "right_hand"
    assert scene.handles["reach"].wanted.target == "crate/top"
    either_now = scene.handles["either"].wanted.tasks
    assert [each.target == "crate/top" for each in either_now] == [True, False]
    assert scene.forces.applied["lid"].site == "crate/top"
    assert "box/" not in page.session.scene_text()
    assert page.session.history.undoes == "change box"
    page.do("undo")
    assert page.session.scene_text() == before


def test_a_prop_that_is_held_by_a_face_is_held_by_that_face(page: Page) -> None:
    page.do("add_prop", kind="cylinder", size=[0.03, 0.2], position=[0.4, -0.2, 1.0])
    page.do("hold_prop", prop="cylinder", site="right_palm", at="front")
    page.do("edit_prop", prop="cylinder", size=[0.06, 0.3], mass=3.0)
    places = page.session.scene.places
    assert np.allclose(places["cylinder/front"].position, places["right_palm"].position, atol=1e-9)
    thing = page.session.scene.props["cylinder"]
    assert thing.is_held
    assert thing.prop.mass == 3.0


def test_a_prop_of_another_shape_can_be_renamed_and_weighed_but_has_no_sizes() -> None:
    scene = Scene(poise.human())
    wedge = Prop(Segment("wedge", 2.0, shapes=(Box((0.1, 0, 0), (0.2, 0.1, 0.1)),)))
    scene.place(wedge.with_site("tip", (0.2, 0.0, 0.0)), (1.0, 0.0, 0.5))
    scene.add(Position("right_hand", "wedge/tip"), priority=1)
    session = Session(scene)
    page = Page(session)
    with pytest.raises(PoiseError, match="it has no sizes"):
        page.do("edit_prop", prop="wedge", size=[0.1, 0.1, 0.1])
    page.do("edit_prop", prop="wedge", new_name="ramp", mass=4.0)
    assert session.scene.props["ramp"].prop.mass == 4.0
    assert "ramp/tip" in session.scene.places
    session.close()


@pytest.mark.parametrize(
    "change",
    [
        {"prop": "crate", "mass": 1.0},
        {"prop": "box", "new_name": "ball"},
        {"prop": "box", "new_name": "left_hand"},
        {"prop": "box", "new_name": "a/b"},
        {"prop": "box", "size": [0.1, 0.2]},
        {"prop": "box", "size": [0.1, 0.2, 0.0]},
        {"prop": "box", "mass": -1.0},
    ],
)
def test_a_change_that_cannot_be_changes_nothing(page: Page, change: dict[str, Any]) -> None:
    page.do("add_prop", kind="box", size=[0.2, 0.2, 0.2], position=[1.0, 0.0, 1.0])
    page.do("add_prop", kind="sphere", size=[0.1], position=[2.0, 0.0, 1.0], name="ball")
    before = page.session.scene_text()
    with pytest.raises(PoiseError):
        page.do("edit_prop", **change)
    assert page.session.scene_text() == before


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"size": [300.0, 0.2, 0.2]},
            "the length must be between 0.001 and 100 m, not 300; did you mean millimetres?",
        ),
        ({"size": [0.3, -1.0, 0.2]}, "the width must be between 0.001 and 100 m, not -1"),
        ({"size": [0.3, 0.2, 1e9]}, "the height must be between 0.001 and 100 m, not 1e+09"),
        ({"mass": -1.0}, "the mass must be between 0 and 1000000 kg, not -1"),
        ({"name": "a/b"}, "the name 'a/b' of a prop must not contain '/'"),
        ({"name": ""}, "the name of a prop must be a non-empty string, not ''"),
    ],
)
def test_what_a_prop_cannot_be_is_said_in_the_words_of_the_page(
    page: Page, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(PoiseError) as added:
        page.do("add_prop", **{"kind": "box", "size": [0.3, 0.2, 0.2], **given})
    assert str(added.value) == told
    page.do("add_prop", kind="box", size=[0.3, 0.2, 0.2])
    changes = {"new_name" if key == "name" else key: value for key, value in given.items()}
    with pytest.raises(PoiseError) as edited:
        page.do("edit_prop", prop="box", **changes)
    assert str(edited.value) == told


def test_a_prop_from_a_file_that_is_thinner_than_others_can_be_widened() -> None:
    scene = Scene(poise.human())
    scene.place(box(0.3, 0.2, 0.0005, name="card"), (1.0, 0.0, 1.0))
    session = Session(scene)
    Page(session).do("edit_prop", prop="card", size=[0.3, 0.4, 0.0005])
    assert "card" in session.scene.props
    session.close()


def test_a_number_beyond_its_bounds_is_said_without_the_words_of_the_program(page: Page) -> None:
    with pytest.raises(PoiseError) as told:
        page.do("add_prop", kind="box", size=[0.3, 0.2, 0.2], position=[2e4, 0.0, 0.0])
    assert str(told.value) == "position x must be at most 10000, not 20000"
