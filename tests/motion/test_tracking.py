"""Clips brought to a person by joint centres."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.skeletons_of_cmu import HANGING, bending, bvh

import poise
from poise.motion.tracking import NAME_SETS, names_of, track_joints


def clip_of(text: str, folder: Path) -> poise.Clip:
    path = folder / "made.bvh"
    path.write_text(text, encoding="utf-8")
    return poise.load_clip(path, up="y", forward="z", unit="cm")


@pytest.mark.parametrize("shank", [0.8, 1.2])
def test_knees_bend_as_in_the_clip_though_bones_are_of_other_lengths(
    shank: float, tmp_path: Path
) -> None:
    frames = [HANGING, bending(15, 30), bending(30, 60), bending(45, 90)]
    tracked = track_joints(clip_of(bvh(frames, shank=shank), tmp_path), poise.human())
    found = np.rad2deg(tracked.clip.q[:, tracked.clip.figure.index("left_knee.flexion")])
    # Hips are elsewhere in the pelvis and the body sags a little; it is not lengths that bend it.
    np.testing.assert_allclose(found, [0, 30, 60, 90], atol=6)


def test_a_clip_is_scaled_by_the_length_of_its_legs(tmp_path: Path) -> None:
    small = track_joints(clip_of(bvh([HANGING] * 2, scale=0.5), tmp_path), poise.human())
    large = track_joints(clip_of(bvh([HANGING] * 2), tmp_path), poise.human())
    assert small.scale == pytest.approx(2 * large.scale)
    np.testing.assert_allclose(small.clip.q, large.clip.q, atol=1e-3)


def test_a_foot_that_stands_in_the_clip_stands_flat(tmp_path: Path) -> None:
    person = poise.human()
    tracked = track_joints(clip_of(bvh([HANGING] * 3), tmp_path), person)
    where = person.place(tracked.clip[1])
    for side in ("left", "right"):
        heel, toe = where[f"{side}_heel"].position, where[f"{side}_toe"].position
        # The clip's line from ankle to toes falls by 28°, the person's by 20°.
        assert abs(toe[2] - heel[2]) < 0.015


def test_errors_are_those_of_each_centre_in_each_frame(tmp_path: Path) -> None:
    clip = clip_of(bvh([HANGING, bending(20, 40)]), tmp_path)
    tracked = track_joints(clip, poise.human(stature=1.6, sex="female"))
    assert tracked.names == "cmu"
    assert tracked.errors.shape == (2, len(tracked.centres)) == (2, 15)
    assert np.median(tracked.errors) < 0.01
    assert tracked.clip.frames == 2
    assert tracked.clip.fps == clip.fps
    assert all(tracked.clip.figure.within_limits(posture) for posture in tracked.clip)


@pytest.mark.parametrize(
    "options", [{}, {"spine": "independent", "shoulders": "independent"}, {"hands": True}]
)
def test_a_clip_of_one_person_is_brought_to_another(options: dict[str, str]) -> None:
    woman = poise.human(stature=1.6, sex="female")
    bent = poise.models.pose(woman, "squatting")
    q = np.array([woman.rest().blend(bent, share).q for share in np.linspace(0, 0.8, 9)])
    man = poise.human(**options)  # type: ignore[arg-type]
    tracked = track_joints(poise.Clip(woman, q, 10.0), man)
    assert tracked.names == "poise"
    for before, after in zip(poise.Clip(woman, q, 10.0), tracked.clip, strict=True):
        for name in ("left_knee.flexion", "right_knee.flexion", "left_elbow.flexion"):
            assert after[name] == pytest.approx(before[name], abs=np.deg2rad(5))


def test_progress_is_told_frame_by_frame(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    clip = clip_of(bvh([HANGING] * 3), tmp_path)
    track_joints(clip, poise.human(), progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_skeleton_without_known_joints_is_refused() -> None:
    chain = poise.chain(3)
    clip = poise.Clip(chain, chain.rest().q[None], 10.0)
    with pytest.raises(poise.PoiseError, match=r"of 'chain' are not called as .*: cmu, with"):
        track_joints(clip, poise.human())


def test_a_skeleton_that_lacks_a_joint_is_told_which(tmp_path: Path) -> None:
    clip = clip_of(bvh([HANGING], without=["LeftFingerBase"]), tmp_path)
    with pytest.raises(poise.PoiseError, match="lacks joints that tracking needs: LeftFingerBase"):
        track_joints(clip, poise.human())


def test_a_skeleton_without_lengths_is_refused(tmp_path: Path) -> None:
    clip = clip_of(bvh([HANGING], scale=1e-4), tmp_path)
    with pytest.raises(poise.PoiseError, match="has no length between hip, knee and ankle"):
        track_joints(clip, poise.human())


def test_only_a_person_with_a_free_root_tracks(tmp_path: Path) -> None:
    clip = clip_of(bvh([HANGING]), tmp_path)
    for figure in (poise.quadruped(), poise.human(root="fixed")):
        with pytest.raises(poise.PoiseError, match="a person with a free root"):
            track_joints(clip, figure)
    with pytest.raises(poise.PoiseError, match="what is tracked is a clip"):
        track_joints("walk.bvh", poise.human())  # type: ignore[arg-type]
    with pytest.raises(poise.PoiseError, match="tracked by a figure"):
        track_joints(clip, None)  # type: ignore[arg-type]


def test_every_set_of_names_says_the_same_joints() -> None:
    assert len({frozenset(names) for names in NAME_SETS.values()}) == 1
    assert names_of(poise.human()) == "poise"


def test_motion_capture_of_an_actor_is_tracked_to_millimetres(data: Path) -> None:
    clip = poise.load_clip(data / "bvh" / "cmu" / "143_32.bvh", up="y", forward="z", unit="cmu")
    tracked = track_joints(clip[1::60], poise.human())
    assert np.median(tracked.errors) < 0.01
