"""Copied Python, run, stands in the same posture."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scene.random_scenes import differences, random_scene
from tests.studio.pages import Page

import poise
from poise import models
from poise import tasks as t
from poise.figure import Ellipsoid, Figure
from poise.figure.recipes import Recipe
from poise.models import chain
from poise.models.catalogue import Entry
from poise.scene import Scene
from poise.studio.code import python_of
from poise.studio.session import Session

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))


def run(code: str) -> Scene:
    names: dict[str, Any] = {}
    exec(compile(code, "copied", "exec"), names)
    return names["scene"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_comes_back_to_the_last_bit(path: Path) -> None:
    scene = Scene.load(path)
    again = run(python_of(scene))
    assert np.array_equal(again.q, scene.q)
    assert list(again.handles) == list(scene.handles)
    assert [each.met for each in again.assess().tasks] == [
        each.met for each in scene.assess().tasks
    ]


def test_what_was_made_in_the_studio_comes_back(page: Page) -> None:
    session = page.session
    page.do("pin", segment="left_shank", point=[0.02, 0, -0.1], kind="position")
    page.do("lock", joint="neck", on=True)
    page.do("set_stiffness", joint="spine", value=0.25)
    page.do("add_prop", kind="cylinder", size=[0.05, 0.3], position=[0.4, -0.2, 1.0])
    page.do("hold_prop", prop="cylinder", site="right_hand")
    page.do("add_support", site="left_foot")
    page.do("add_load", site="right_hand", force=[0, 0, -30])
    page.do("add_criterion", type="rest", weight=0.1)
    page.do("edit_task", name="balance", joints=["left_hip", "left_knee"], enabled=False)
    page.do("set_options", tolerance=1e-3)
    again = run(session.python())
    assert np.array_equal(again.q, session.scene.q)
    assert again.options == session.scene.options
    assert again.forces.applied == session.scene.forces.applied
    figure, copied = session.scene.posture.figure, again.posture.figure
    assert copied.locked_names == figure.locked_names
    assert np.array_equal(copied.stiffness.values, figure.stiffness.values)
    assert again.handles["balance"].joints == ("left_hip", "left_knee")
    assert not again.handles["balance"].enabled
    assert np.allclose(again.solve().posture.q, session.scene.solve().posture.q, atol=1e-9)


def test_tasks_of_all_sorts_come_back() -> None:
    scene = Scene({"one": poise.human(), "two": poise.human(sex="female")})
    scene.stand("two", (0.9, 0, 0), np.pi)
    scene.add(t.Any([t.Position("one/left_hand", (0.3, 0, 1)), t.Position("one/eyes")]))
    scene.add(t.Inside("one/right_hand", t.Convex.box((0, 0, 1), (3, 3, 3))), name="in")
    scene.add(t.Surface("one/chest", Ellipsoid((0, 0, 1), (1, 1, 1))), name="on")
    scene.add(t.Loop("one/right_hand", "two/left_hand", match="both"), name="hands")
    scene.add(t.Comfort(zones={"one/left_knee.flexion": (0.1, 0.4)}))
    scene.add(t.Rest(scene.postures["two"]), name="at rest")
    again = run(python_of(scene))
    assert np.array_equal(again.q, scene.q)
    for name, handle in scene.handles.items():
        if name != "at rest":
            assert repr(again.handles[name].wanted) == repr(handle.wanted)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32 - 1))
def test_whatever_a_scene_holds_comes_back(seed: int) -> None:
    scene = random_scene(seed)
    code = python_of(scene).removesuffix("print(scene.assess())\n")  # not all make sense together
    again = run(code)
    assert np.array_equal(again.q, scene.q)
    assert not differences(scene, again)


def test_a_figure_that_was_made_with_locks_can_be_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def stiff() -> Figure:
        figure = chain(3)
        figure.lock("joint_1")
        figure.stiffness["joint_2"] = 0.5
        figure.recipe = Recipe("stiff", {})
        return figure

    monkeypatch.setattr(poise, "stiff", stiff, raising=False)
    monkeypatch.setattr(models, "stiff", stiff, raising=False)
    entries = [*models.catalogue(), Entry("stiff", "a stiff chain", stiff)]
    monkeypatch.setattr(models, "catalogue", lambda: entries)
    figure = stiff()
    assert python_of(Scene(figure)).count("lock") == 0
    figure.unlock()
    figure.lock("joint_3")
    figure.stiffness["joint_2"] = 0.0
    code = python_of(Scene(figure))
    again = run(code).posture.figure
    assert "poise.stiff()" in code
    assert again.locked_names == ("joint_3",)
    assert not again.stiffness.values.any()


def test_an_edited_figure_is_written_out(session: Session) -> None:
    command = {"do": "edit_figure", "operation": "length", "segment": "left_forearm"}
    session.apply({**command, "length": 0.35})
    assert session.wait()
    again = run(session.python())
    assert np.array_equal(again.q, session.scene.q)
    assert "left_forearm" in session.python()


WEDGE = "v 0 0 0\nv 0.4 0 0\nv 0 0.3 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def test_a_prop_from_a_file_is_written_by_its_file_and_ghosts_stay_ghosts(tmp_path: Path) -> None:
    (tmp_path / "wedge.obj").write_text(WEDGE)
    scene = Scene(chain(2))
    wedge = poise.mesh(tmp_path / "wedge.obj", scale=2.0, solid=False, mass=3.0)
    scene.place(wedge.with_site("tip", (0.0, 0.0, 0.4), (0.0, 0.0, 0.1)), (1.0, 0.0, 0.0))
    scene.place(poise.box(1, 1, 1, solid=False), (2.0, 0.0, 0.0))
    again = run(python_of(scene))
    for name, thing in scene.props.items():
        assert again.props[name].prop == thing.prop
        assert not again.props[name].prop.solid
