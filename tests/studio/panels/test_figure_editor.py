"""The figure editor: every operation, and the file that is saved."""

from pathlib import Path

import numpy as np
import pytest
from tests.studio.panels.hands import Hands, at_the_page

import poise
from poise.figure import Figure
from poise.scene import Scene


def figure(hands: Hands) -> Figure:
    return next(iter(hands.scene.given.values()))


async def edit(hands: Hands, segment: str) -> None:
    """Open the editor, and choose a segment in its tree."""
    await hands.press("figure-edit")
    tree = hands.element("segments")
    with hands.user:
        for handler in tree._select_handlers:
            handler(type("Chosen", (), {"value": segment})())
    await hands.settle()


def person() -> Scene:
    return poise.Scene(poise.human())


def test_a_segment_becomes_longer() -> None:
    async def deed(hands: Hands) -> None:
        await edit(hands, "left_forearm")
        before = hands.element("segment-length").value
        await hands.put("segment-length", before + 0.05)
        assert hands.element("segment-length").value == pytest.approx(before + 0.05)
        wrist = figure(hands).joints["left_wrist"].position
        assert np.linalg.norm(wrist) == pytest.approx(before + 0.05, abs=1e-3)

    at_the_page(deed, person())


def test_a_joint_gets_another_kind_and_limits() -> None:
    async def deed(hands: Hands) -> None:
        await edit(hands, "left_shank")
        assert hands.element("joint-kind").value == "hinge"
        await hands.put("limit-flexion-to", 90.0)
        assert figure(hands).range("left_knee")["flexion"][1] == pytest.approx(np.pi / 2)
        await hands.choose("joint-kind", "ball")
        assert figure(hands).joints["left_knee"].kind.kind == "ball"
        await hands.put("cone-x", 40.0)
        await hands.put("cone-y", 30.0)
        (ellipse,) = figure(hands).joints["left_knee"].kind.swing  # type: ignore[union-attr]
        assert np.rad2deg((ellipse.rx, ellipse.ry)) == pytest.approx([40.0, 30.0])
        for _ in range(4):
            await hands.press("undo")
        assert figure(hands).joints["left_knee"].kind.kind == "hinge"
        assert hands.element("joint-kind").value == "hinge"

    at_the_page(deed, person())


def test_segments_are_added_named_and_removed() -> None:
    async def deed(hands: Hands) -> None:
        await edit(hands, "link_3")
        await hands.put("new-segment", "twig")
        await hands.put("new-length", 0.15)
        await hands.press("segment-add")
        assert "twig" in figure(hands).segments
        await hands.put("segment-name", "branch")
        assert "branch" in figure(hands).segments
        assert "twig" not in figure(hands).segments
        await hands.press("segment-remove")
        assert "branch" not in figure(hands).segments

    at_the_page(deed, poise.Scene(poise.chain(3)))


def test_what_cannot_be_is_said_and_changes_nothing() -> None:
    async def deed(hands: Hands) -> None:
        await edit(hands, "link_3")
        await hands.press("segment-add")
        assert "name" in hands.told()
        await hands.choose("joint-kind", "free")
        assert "free" in hands.told()
        assert hands.session.history.can_undo is False

    at_the_page(deed, poise.Scene(poise.chain(3)))


def test_the_figure_is_saved_as_a_file_that_can_be_read(tmp_path: Path) -> None:
    async def deed(hands: Hands) -> None:
        await edit(hands, "left_forearm")
        hands.user.find(marker="editor-save").click()
        content = (await hands.user.download.next(timeout=600.0)).content
        file = tmp_path / "figure.yaml"
        file.write_bytes(content)
        assert list(poise.load(file).segments) == list(figure(hands).segments)

    at_the_page(deed, person())
