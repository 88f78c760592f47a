"""Menus: what they do to the document, and what they give to the user."""

import asyncio
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nicegui import ui
from tests.studio.panels.hands import TAB, Hands, at_the_page

import poise
from poise import tasks as t
from poise.scene import Scene
from poise.studio.menus.examples import examples
from poise.studio.menus.keys import PAGE
from poise.studio.menus.thumbnails import thumbnail


def reaching() -> Scene:
    scene = poise.Scene(poise.human())
    scene.add(t.Frame("left_foot"), priority=1)
    scene.add(t.Position("right_hand", (0.4, -0.2, 1.2)), priority=2, name="reach")
    scene.posture = scene.solve().posture
    return scene


async def downloaded(hands: Hands, marker: str) -> bytes:
    hands.user.find(marker=marker).click()
    return (await hands.user.download.next(timeout=600.0)).content


# file ------------------------------------------------------------------------------------------


def test_the_saved_scene_opens_again_with_the_same_posture(tmp_path: Path) -> None:
    async def deed(hands: Hands) -> None:
        content = await downloaded(hands, "file-save")
        file = tmp_path / "scene.yaml"
        file.write_bytes(content)
        loaded = Scene.load(file)
        assert list(loaded.handles) == ["left_foot", "reach"]
        assert np.abs(loaded.posture.q - hands.scene.posture.q).max() < 1e-12

    at_the_page(deed, reaching())


def test_new_and_examples_replace_the_scene_and_are_undone() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("file-new")
        assert "reach" not in hands.scene.handles
        await hands.press("example-fly_on_the_beam")
        assert "fly" in hands.scene.props
        await hands.press("undo")
        await hands.press("undo")
        assert list(hands.scene.handles) == ["left_foot", "reach"]

    at_the_page(deed, reaching())


def test_there_are_examples_with_titles() -> None:
    assert {"fly_on_the_beam", "lift_a_box"} <= set(examples())
    assert all(example.title and example.text for example in examples().values())


@pytest.mark.parametrize("kind", ["glb", "bvh"])
def test_exported_files_are_read_again(kind: str, tmp_path: Path) -> None:
    async def deed(hands: Hands) -> None:
        file = tmp_path / f"figure.{kind}"
        file.write_bytes(await downloaded(hands, f"export-{kind}"))
        assert poise.load(file).n > 0

    at_the_page(deed, reaching())


def test_the_code_that_is_copied_gives_the_same_posture(tmp_path: Path) -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("file-python")
        code = hands.text("python-code")
        assert "import poise" in code
        file = tmp_path / "again.py"
        file.write_text(
            f"{code}\nimport numpy\nnumpy.save({str(tmp_path / 'q.npy')!r}, scene.posture.q)\n"
        )
        subprocess.run([sys.executable, str(file)], check=True, timeout=1200)
        assert np.abs(np.load(tmp_path / "q.npy") - hands.scene.posture.q).max() < 1e-9

    at_the_page(deed, reaching())


def test_an_opened_file_that_is_no_scene_is_said_and_changes_nothing() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("file-open")
        await hands.upload("Open a scene", "wrong.yaml", b"scene: {figure: nobody}")
        assert list(hands.scene.handles) == ["left_foot", "reach"]
        assert "nobody" in hands.text("upload-error")
        await hands.upload("Open a scene", "right.yaml", b"scene: {figure: hand}")
        assert list(hands.scene.figures) == ["right_hand"]

    at_the_page(deed, reaching())


# insert ------------------------------------------------------------------------------------------


def test_a_prop_is_put_into_the_world() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("insert-cylinder")
        await hands.put("prop-name", "can")
        await hands.put("prop-size-height", 0.12)
        await hands.put("prop-mass", 0.4)
        await hands.put("new-prop-x", 0.7)
        await hands.press("prop-add")
        assert hands.scene.props["can"].prop.mass == pytest.approx(0.4)
        assert hands.scene.places["can"].position == pytest.approx([0.7, 0.0, 1.0])
        assert hands.desk.selection.name == "can", "its gizmo is there at once"

    at_the_page(deed, reaching())


# figure ------------------------------------------------------------------------------------------


def test_another_stature_keeps_the_tasks() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("figure-size")
        await hands.put("ready-stature", 1.9)
        await hands.choose("ready-sex", "female")
        await hands.press("ready-use")
        figure = next(iter(hands.scene.given.values()))
        assert figure.recipe is not None
        assert dict(figure.recipe.arguments) == {"stature": 1.9, "sex": "female"}
        assert list(hands.scene.handles) == ["left_foot", "reach"]

    at_the_page(deed, reaching())


def test_a_stature_that_nobody_has_is_said_and_not_used() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("figure-size")
        await hands.put("ready-stature", 175.0)
        await hands.user.should_see("between 1.2 and 2.2")
        await hands.press("ready-use")
        assert "between 1.2 and 2.2" in hands.told()
        assert hands.session.history.can_undo is False

    at_the_page(deed, reaching())


def test_every_ready_figure_can_be_chosen() -> None:
    async def deed(hands: Hands) -> None:
        for name in ("hand", "chain", "planar_person", "bird", "quadruped", "person_of_63"):
            await hands.press("figure-ready")
            await hands.press(f"ready-{name}")
            await hands.press("ready-use")
            (figure,) = hands.scene.given.values()
            assert figure.recipe is not None
            assert figure.recipe.function == name, hands.told()

    at_the_page(deed, reaching())


def test_a_figure_comes_from_a_file_and_a_broken_one_is_said(tmp_path: Path) -> None:
    poise.export(poise.chain(4).rest(), tmp_path / "chain.urdf")
    content = (tmp_path / "chain.urdf").read_bytes()

    async def deed(hands: Hands) -> None:
        await hands.press("figure-upload")
        await hands.upload("A figure from a file", "chain.urdf", content[: len(content) // 2])
        assert hands.has("upload-error")
        assert "human" in hands.scene.figures
        await hands.upload("A figure from a file", "chain.urdf", content)
        assert next(iter(hands.scene.given.values())).n == 4

    at_the_page(deed, reaching())


@pytest.mark.parametrize("closes", ["dialog", "tab"])
def test_a_file_whose_dialog_or_tab_is_closed_while_it_is_read_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, closes: str
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def read(name: str, content: bytes, *, given_up: threading.Event) -> str:
        begun.set()
        assert given_up.wait(60.0), "nobody has given it up"
        ended.set()
        return "scene: {figure: {ready: chain, arguments: {n: 4}}}"

    monkeypatch.setattr("poise.studio.session.read_upload", read)

    async def deed(hands: Hands) -> None:
        before, title = hands.session.scene_text(), "A figure from a file"
        giving = asyncio.ensure_future(hands.give(title, "arm.yaml", b"figure:"))
        await asyncio.to_thread(begun.wait, 60.0)
        upload = hands.uploader(title)
        if closes == "dialog":
            with hands.user:
                next(each for each in upload.ancestors() if isinstance(each, ui.dialog)).close()
        else:
            upload.client.delete()
        await giving
        assert ended.is_set(), "the reader has ended, too"
        assert hands.session.scene_text() == before
        assert not hands.session.history.can_undo
        assert "opened" not in hands.told()

    at_the_page(deed)


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (["accept", "walk.txt", 10], "walk.txt is of another kind: files end in .yaml"),
        (["max-file-size", "big.glb", 99e6], "big.glb has 99.0 MB; files of up to 50 MB"),
        (["max-files", "two.glb", 10], "One file at a time"),
    ],
)
def test_a_file_that_the_browser_refuses_is_told_why(why: list[Any], told: str) -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("figure-upload")
        hands.refuse("A figure from a file", *why)
        assert told in hands.text("upload-error")

    at_the_page(deed, reaching())


def test_where_nothing_can_be_undone_that_is_said() -> None:
    async def deed(hands: Hands) -> None:
        await hands.strike("ctrl+z")
        assert "nothing to undo" in hands.told()
        await hands.strike("ctrl+y")
        assert "nothing to do again" in hands.told()

    at_the_page(deed, reaching())


def test_the_root_is_moved_and_nothing_moves() -> None:
    async def deed(hands: Hands) -> None:
        before = hands.scene.places["right_hand"].position
        await hands.press("figure-root")
        await hands.choose("root-segment", "left_foot")
        figure = next(iter(hands.scene.given.values()))
        assert any(j.parent == "world" and j.child == "left_foot" for j in figure.joints.values())
        assert hands.scene.places["right_hand"].position == pytest.approx(before, abs=1e-6)

    at_the_page(deed, reaching())


# posture -----------------------------------------------------------------------------------------


def test_rest_mirror_copy_and_paste() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("posture-copy")
        posed = hands.scene.posture.q.copy()
        await hands.press("posture-rest")
        assert np.abs(hands.scene.posture.q - posed).max() > 0.05
        await hands.press("posture-paste")
        assert hands.scene.posture.q == pytest.approx(posed, abs=1e-6)
        right = hands.scene.posture.angles("right_elbow")
        await hands.press("posture-mirror")
        assert hands.scene.posture.angles("left_elbow") == pytest.approx(right, abs=1e-9)

    scene = reaching()
    for handle in list(scene.handles.values()):
        handle.remove()
    at_the_page(deed, scene)


def test_live_symmetry_is_a_switch_in_two_places() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("posture-symmetry", True)
        assert hands.session.document.symmetric
        assert "pressed" in hands.element("symmetry").classes
        await hands.press("symmetry")
        assert not hands.session.document.symmetric
        assert not hands.element("posture-symmetry").value

    at_the_page(deed, poise.Scene(poise.human()))


def test_ready_poses_are_taken_in_one_step_and_cannot_be_replaced_or_removed() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("posture-library")
        before = hands.scene.posture.q.copy()
        await hands.press("ready-sitting")
        await hands.press("pose-apply")
        figure = hands.scene.figures["human"]
        assert hands.scene.posture.angles("left_knee")["flexion"] > 1.3
        assert figure.within_limits(hands.scene.posture)
        await hands.press("undo")
        assert hands.scene.posture.q == pytest.approx(before)
        for command in ("keep_pose", "remove_pose"):
            with pytest.raises(poise.PoiseError):
                hands.session.apply({"do": command, "name": "sitting"}, TAB)
        assert not hands.session.document.poses

    at_the_page(deed, poise.Scene(poise.human()))


def test_poses_are_kept_blended_and_removed() -> None:
    async def deed(hands: Hands) -> None:
        await hands.put("pose-name", "reaching")
        await hands.press("pose-keep")
        posed = hands.scene.posture.q.copy()
        await hands.press("posture-rest")
        rest = hands.scene.posture.q.copy()
        await hands.press("pose-reaching")
        await hands.choose("pose-share", 50)
        await hands.press("pose-apply")
        elbow = hands.scene.figures["human"].index("right_elbow.flexion")
        assert hands.scene.posture.q[elbow] == pytest.approx(0.5 * (posed + rest)[elbow], abs=1e-3)
        await hands.choose("pose-share", 100)
        await hands.press("pose-apply")
        assert hands.scene.posture.q == pytest.approx(posed, abs=1e-6)
        await hands.press("pose-remove-reaching")
        assert not hands.session.document.poses
        await hands.press("undo")
        assert list(hands.session.document.poses) == ["reaching"]

    scene = reaching()
    for handle in list(scene.handles.values()):
        handle.remove()
    at_the_page(deed, scene)


def test_a_thumbnail_shows_every_segment_and_leaves_props_out() -> None:
    figure = poise.chain(5)
    drawn = thumbnail(figure.rest())
    assert drawn.count("<line") == sum(max(1, len(s.shapes)) for s in figure.segments.values())
    assert thumbnail(figure.rest(), list(figure.segments)).count("<line") == 0
    assert "nan" not in drawn


def test_the_scene_is_solved_by_another_method() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("posture-solving")
        await hands.choose("solve-method", "nlp")
        assert hands.scene.options.method == "nlp"
        assert hands.text("solve-about").startswith("Quasi-Newton, Zhao & Badler 1989, 1994. ")
        await hands.put("solve-tolerance", 0.5)
        assert hands.scene.options.tolerance == pytest.approx(5e-4)
        for chosen, value in (("0", 0), ("32", 32), ("auto", "auto")):
            await hands.choose("solve-restarts", chosen)
            assert hands.scene.options.restarts == value

    at_the_page(deed, reaching())


# view, keys, help ------------------------------------------------------------------------------


def test_what_is_shown_is_switched_for_this_tab_and_not_undone() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-show-trace")
        assert hands.session.settings(TAB).trace
        await hands.choose("view-style", "stick")
        assert hands.session.settings(TAB).style == "stick"
        await hands.choose("view-theme", "light")
        assert hands.session.settings(TAB).theme == "light"
        await hands.press("mode-limb")
        assert hands.session.settings(TAB).mode == "limb"
        assert "pressed" in hands.element("mode-limb").classes
        assert not hands.session.history.can_undo

    at_the_page(deed, reaching())


def test_every_key_of_the_page_does_something() -> None:
    async def deed(hands: Hands) -> None:
        client = hands.user.client
        assert client is not None
        script = client._body_html
        for each in PAGE:
            assert json.dumps(each.key) in script, each.shown
        await hands.strike("b")
        assert hands.session.keeps_balance
        await hands.strike("ctrl+z")
        assert not hands.session.keeps_balance
        await hands.strike("ctrl+shift+z")
        assert hands.session.keeps_balance
        await hands.strike("?")
        await hands.user.should_see("Keys and gestures")
        await hands.strike("a")
        await hands.user.should_see("Add a task")

    at_the_page(deed, reaching())


def test_undo_and_redo_name_their_steps() -> None:
    async def deed(hands: Hands) -> None:
        assert not hands.element("undo").enabled
        await hands.choose("use-reach", False)
        label = hands.element("undo").props["aria-label"]
        assert "reach" in label
        await hands.press("undo")
        assert "reach" in hands.element("redo").props["aria-label"]
        await hands.press("redo")
        assert not hands.scene.handles["reach"].enabled

    at_the_page(deed, reaching())


def test_the_hint_has_three_lines_and_can_be_closed() -> None:
    async def deed(hands: Hands) -> None:
        hint = hands.element("hint")
        assert sum(isinstance(each, ui.html) for each in hint.default_slot.children) == 3
        await hands.press("hint-close")
        assert not hands.has("hint")

    at_the_page(deed, reaching())


def test_two_tabs_see_the_same_document() -> None:
    async def deed(hands: Hands) -> None:
        hands.session.apply({"do": "edit_task", "name": "reach", "weight": 3.0}, "other")
        await hands.settle()
        await hands.user.should_see("weight 3")

    at_the_page(deed, reaching())
