"""Clips: frames, stretches of frames, other rates."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.random_figures import grouped, random_figure

import poise
from poise import Clip, PoiseError, Posture
from poise.figure import Ball, Builder, Figure, Hinge


def swing_door() -> Figure:
    builder = Builder("door")
    for name in ("frame", "leaf", "handle"):
        builder.segment(name)
    builder.joint("hinge", Hinge("z"), "frame", "leaf", (1, 0, 0))
    builder.joint("knob", Ball(), "leaf", "handle", (0.5, 0, 0))
    return builder.build()


def clip(frames: int = 5, fps: float = 10.0) -> Clip:
    figure = swing_door()
    q = np.zeros((frames, figure.n))
    q[:, 0] = np.arange(frames) * 0.1
    return Clip(figure, q, fps, "opening")


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (slice("a", None), r"frames go by their numbers, not 'a' in \[a:\]"),
        (slice(None, 1.5), r"not 1\.5 in \[:1\.5\]"),
        (slice(0, 2, True), r"not True in \[0:2:True\]"),
        (slice(None, None, 0), r"the step of \[::0\] must not be 0"),
    ],
)
def test_frames_are_not_chosen_by_anything_but_numbers(index: slice, message: str) -> None:
    clip = Clip(poise.chain(2), np.zeros((3, 2)), 10.0)
    with pytest.raises(PoiseError, match=message):
        clip[index]


def test_a_clip_has_frames_and_a_length_in_time() -> None:
    given = clip(5, 10.0)
    assert (len(given), given.frames, given.fps, given.name) == (5, 5, 10.0, "opening")
    assert given.seconds == pytest.approx(0.4)
    assert repr(given) == "<Clip 'opening' of 'door': 5 frames at 10 fps, 0.400 s>"


def test_a_frame_is_a_posture() -> None:
    given = clip()
    assert isinstance(given[2], Posture)
    assert given[2]["hinge"] == pytest.approx(0.2)
    assert given[-1] == given[4]
    assert [posture["hinge"] for posture in given] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])


def test_changing_a_frame_leaves_the_clip_alone() -> None:
    given = clip()
    given[1]["hinge"] = 0.9
    assert given[1]["hinge"] == pytest.approx(0.1)
    with pytest.raises(ValueError, match="read-only"):
        given.q[0, 0] = 1.0


def test_a_stretch_is_a_clip() -> None:
    part = clip()[1:4]
    assert isinstance(part, Clip)
    np.testing.assert_allclose(part.q[:, 0], [0.1, 0.2, 0.3])
    assert (part.fps, part.name) == (10.0, "opening")


def test_every_other_frame_moves_as_fast_as_before() -> None:
    half = clip()[::2]
    assert (half.frames, half.fps, half.seconds) == (3, 5.0, clip().seconds)
    back = clip()[::-1]
    assert back.fps == 10.0
    assert back[0] == clip()[-1]


def test_a_frame_that_is_not_there_is_told() -> None:
    with pytest.raises(IndexError, match="there is no frame 5 in a clip of 5 frames"):
        clip()[5]
    with pytest.raises(PoiseError, match=r"there is no frame in \[7:9\] of a clip of 5 frames"):
        clip()[7:9]
    with pytest.raises(PoiseError, match="a frame goes by its number, not 'first'"):
        clip()["first"]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("q", "message"),
    [
        (np.zeros((3, 2)), "must be an array of frames × 4 numbers with at least one frame, not 3"),
        (np.zeros((0, 4)), "at least one frame, not 0 × 4"),
        (np.zeros(4), "not 4"),
        ([["a"] * 4], "must be numbers"),
        ([[0, 1, np.nan, 0]], "must be finite: knob.ry is nan in frame 0"),
    ],
)
def test_wrong_frames_are_told(q: object, message: str) -> None:
    with pytest.raises(PoiseError, match=message):
        Clip(swing_door(), q, 10.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("fps", [0, -1, np.inf, "fast", 1e7])
def test_a_wrong_rate_is_told(fps: object) -> None:
    with pytest.raises(PoiseError, match="the frames per second of a clip must be"):
        Clip(swing_door(), np.zeros((1, 4)), fps)  # type: ignore[arg-type]
    with pytest.raises(PoiseError, match="the frames per second of a clip must be"):
        clip().resampled(fps)  # type: ignore[arg-type]


def test_resampling_to_the_same_rate_changes_nothing() -> None:
    given = clip()
    np.testing.assert_allclose(given.resampled(10).q, given.q, atol=1e-15)


def test_resampling_keeps_the_last_frame_where_a_step_ends_on_it() -> None:
    assert clip(31, 30.0).resampled(120).frames == 121
    assert clip(31, 30.0).resampled(7).frames == 8
    assert clip(121, 120.0).resampled(30).frames == 31
    assert clip(1).resampled(99).frames == 1


def test_balls_turn_the_short_way_between_frames() -> None:
    figure = swing_door()
    q = np.zeros((2, 4))
    q[0, 3], q[1, 3] = np.deg2rad(170), np.deg2rad(-170)
    found = Clip(figure, q, 1.0).resampled(4)
    angles = np.rad2deg(found.q[:, 3])
    np.testing.assert_allclose(np.mod(angles, 360), [170, 175, 180, 185, 190], atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_between_frames_is_the_blend_of_postures(seed: int, with_groups: bool) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 5)
    if with_groups and sum(bool(j.coordinates) for j in figure.joints.values()) > 2:
        figure = grouped(rng, figure, degree=2)
    given = Clip(figure, rng.normal(size=(3, figure.n)) * 0.5, 10.0)
    finer = given.resampled(40)
    for i in range(2):
        for step in range(4):
            wanted = given[i].blend(given[i + 1], step / 4)
            np.testing.assert_allclose(finer.q[4 * i + step], wanted.q, atol=1e-9)


def test_too_fine_a_rate_is_told() -> None:
    with pytest.raises(PoiseError, match="take fewer than 1e\\+06 frames per second"):
        clip(1000, 1.0).resampled(1e6)


def test_a_clip_saves_itself(tmp_path: Path) -> None:
    clip().save(tmp_path / "door.bvh", unit="m")
    again = poise.load_clip(tmp_path / "door.bvh", unit="m")
    assert (again.frames, again.fps) == (5, 10.0)
