"""Frames and orientations as people have them: every form gives the same, and wrong ones are named."""

# ruff: noqa: E501  (a table of messages reads best with each on its line)

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import poise
from poise import PoiseError
from poise import tasks as t
from poise.figure import Builder, Ellipsoid, Hinge, Joint, Site, Transform
from poise.figure.frames import frame_from, rotation_from, turn_from
from poise.figure.transform import quaternion, rotation_matrix

POINT = (0.3, -0.2, 0.9)
TURN = (0.4, -1.1, 0.7)
MATRIX = rotation_matrix(TURN)
QUATERNION = quaternion(MATRIX)
HOMOGENEOUS = np.vstack([np.column_stack([MATRIX, POINT]), [0.0, 0.0, 0.0, 1.0]])
PLACE = Transform(MATRIX, np.array(POINT))

FRAMES: dict[str, Any] = {
    "a Transform": PLACE,
    "a 4 × 4 matrix": HOMOGENEOUS,
    "a 4 × 4 matrix of lists": HOMOGENEOUS.tolist(),
    "a position and a matrix": (POINT, MATRIX),
    "a list of a position and a matrix": [list(POINT), MATRIX.tolist()],
    "a position and a quaternion": (POINT, QUATERNION),
    "a position and the opposite quaternion": (np.array(POINT), -QUATERNION),
    "a position and scipy's rotation": (POINT, Rotation.from_rotvec(TURN)),
}
ORIENTATIONS: dict[str, Any] = {
    "a matrix": MATRIX,
    "a quaternion": tuple(QUATERNION),
    "a quaternion in three decimals": QUATERNION.round(9) * 1.0004,
    "scipy's rotation": Rotation.from_rotvec(TURN),
}


def scene() -> poise.Scene:
    return poise.Scene(poise.chain(6, joint="ball"))


@pytest.mark.parametrize("given", FRAMES.values(), ids=FRAMES)
def test_a_frame_may_be_given_in_every_form(given: Any) -> None:
    here = scene()
    handle = here.add(t.Frame("tip"))
    handle.target = given
    box = here.place(poise.box(0.1, 0.1, 0.1), given)
    held = here.hold(poise.sphere(0.02), "tip", at=given)
    handle_site = poise.box(0.1, 0.1, 0.1).with_site("handle", given).site("handle")
    flat = t.Contact("tip", given, normal=-MATRIX[:, 2], slide=False, turn=False)
    for place in (
        t.Frame("tip", given).target,
        handle.target,
        box.place,
        held.place,
        handle_site,
        flat.target,
    ):
        np.testing.assert_allclose(place.position, POINT, atol=1e-12)
        np.testing.assert_allclose(place.rotation, MATRIX, atol=1e-9)
    assert t.Position("tip", given).target == pytest.approx(POINT)
    np.testing.assert_allclose(t.Orientation("tip", given).target, MATRIX, atol=1e-12)


@pytest.mark.parametrize("given", ORIENTATIONS.values(), ids=ORIENTATIONS)
def test_an_orientation_may_be_given_in_every_form(given: Any) -> None:
    here = scene()
    np.testing.assert_allclose(t.Orientation("tip", given).target, MATRIX, atol=1e-8)
    placed = here.place(poise.box(0.1, 0.1, 0.1), POINT, given)
    np.testing.assert_allclose(placed.place.rotation, MATRIX, atol=1e-8)
    frame = t.Position("tip", POINT, frame=given).frame
    np.testing.assert_allclose(frame, MATRIX, atol=1e-8)
    site, joint = Site("a", "b", rotation=given), Joint("j", Hinge(), "a", "b", rotation=given)
    for turn in (site.rotation, joint.rotation, Ellipsoid((0, 0, 0), (1, 1, 1), given).rotation):
        np.testing.assert_allclose(turn, TURN, atol=1e-8)
    body = Builder("body")
    body.segment("base")
    body.site("top", "base", rotation=given)
    np.testing.assert_allclose(body.build().sites["top"].rotation, TURN, atol=1e-8)


def test_many_targets_may_be_matrices_pairs_and_quaternions() -> None:
    here = scene()
    here.add(t.Frame("tip"), name="frame")
    here.add(t.Orientation("link_3"), name="turn", priority=2)
    tip = here.places["tip"]
    goals = [tip, tip @ Transform.make((-0.05, 0.02, 0.01), (0.1, 0.2, 0.0))]
    fours = np.array(
        [np.vstack([np.column_stack([g.rotation, g.position]), [0, 0, 0, 1]]) for g in goals]
    )
    pairs = [(g.position, quaternion(g.rotation)) for g in goals]
    turns = np.array([[1.0, 0, 0, 0], [np.cos(0.1), 0, np.sin(0.1), 0]])
    expected = here.solve_many(
        {"frame": goals, "turn": [rotation_matrix((0, 0, 0)), rotation_matrix((0, 0.2, 0))]}
    )
    for frames in (fours, pairs):
        np.testing.assert_allclose(
            here.solve_many({"frame": frames, "turn": turns}).q, expected.q, atol=1e-9
        )


def test_a_site_follows_frames_and_quaternions() -> None:
    here = scene()
    for i in (1, 2, 3):
        here.posture[f"joint_{i}"] = (0.0, 0.4, 0.0)
    start, tip = here.places["link_4"].rotation, here.places["tip"]
    fours = np.tile(np.eye(4), (3, 1, 1))
    fours[:, :3, :3], fours[:, :3, 3] = (
        tip.rotation,
        tip.position + np.array([[0, 0, 0], [-0.02, 0, 0], [-0.04, 0, 0]]),
    )
    frames = here.animate({"tip": fours})
    assert frames.solutions.met.all()
    assert frames.solutions[2].places["tip"].position == pytest.approx(fours[2, :3, 3], abs=1e-3)
    turns = np.tile(quaternion(start @ rotation_matrix((0, 0.3, 0))), (2, 1))
    turned = here.animate({"link_4": turns}).solutions[1]
    np.testing.assert_allclose(
        turned.places["link_4"].rotation, start @ rotation_matrix((0, 0.3, 0)), atol=1e-3
    )


BAD_ROW = HOMOGENEOUS + np.eye(4)[3][:, None] * np.array([0.0, 0.0, 0.1, 0.0])
SCALED = [[1.5, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 0.0, 1.5]]
MIRROR = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]


def four(rotation: Any) -> Any:
    whole = np.eye(4)
    whole[:3, :3] = rotation
    return whole


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Transform(POINT, MATRIX), "Transform takes the rotation first, Transform(rotation, position), and these are swapped"),  # type: ignore[arg-type]
    (lambda: Transform(np.array(POINT), QUATERNION), "Transform takes the rotation first, Transform(rotation, position), and these are swapped"),
    (lambda: Transform(MATRIX, np.zeros(2)), "the position of a Transform must be 3 numbers, not 2"),
    (lambda: Transform(np.eye(2), np.zeros(3)), "the rotation of a Transform must be 3 × 3 numbers, not 2 × 2"),
    (lambda: t.Frame("hand", (MATRIX, POINT)), "the target of 'hand' must be a position and then an orientation, and these are swapped"),
    (lambda: t.Frame("hand", [QUATERNION, POINT]), "the target of 'hand' must be a position and then an orientation, and these are swapped"),
    (lambda: t.Frame("hand", (POINT, (1, 1, 0, 0))), "the rotation of the target of 'hand' must be a unit quaternion w x y z, and [1.0, 1.0, 0.0, 0.0] has the length 1.41421"),
    (lambda: t.Orientation("hand", (0, 0, 0, 0)), "the target of 'hand' must be a unit quaternion w x y z, and [0.0, 0.0, 0.0, 0.0] has the length 0"),
    (lambda: t.Frame("hand", (POINT, (0, 0, 1))), "the rotation of the target of 'hand' must be an orientation: a rotation matrix (3 × 3), a unit quaternion w x y z or a Transform; three numbers could be a rotation vector or Euler angles, not (0, 0, 1)"),
    (lambda: t.Frame("hand", MATRIX), "the target of 'hand' has no position: give it with the orientation, (position, orientation), or use Orientation"),
    (lambda: t.Frame("hand", QUATERNION), "the target of 'hand' has no position: give it with the orientation, (position, orientation), or use Orientation"),
    (lambda: t.Frame("hand", (*POINT, *QUATERNION)), "the target of 'hand' must be 3 numbers, not 7"),
    (lambda: t.Frame("hand", BAD_ROW), "the last row of the target of 'hand', a 4 × 4 matrix, must be 0 0 0 1, not [0.0, 0.0, 0.1, 1.0]"),
    (lambda: t.Frame("hand", HOMOGENEOUS.T), "the last row of the target of 'hand', a 4 × 4 matrix, must be 0 0 0 1, not [0.3, -0.2, 0.9, 1.0]; it is transposed: the position belongs in its last column"),
    (lambda: t.Frame("hand", four(SCALED)), f"the rotation of the target of 'hand' must be a rotation matrix, orthonormal and right-handed, not {SCALED}: it scales by 1.5"),
    (lambda: t.Frame("hand", four(MIRROR)), f"the rotation of the target of 'hand' must be a rotation matrix, orthonormal and right-handed, not {MIRROR}: it mirrors, for its determinant is -1"),
    (lambda: scene().place(poise.box(1, 1, 1), HOMOGENEOUS, MATRIX), "of 'box': a frame has its rotation already"),
    (lambda: scene().place(poise.box(1, 1, 1), POINT, (1, 2)), "the rotation of 'box' must be 3 numbers, not 2"),
    (lambda: scene().place(poise.box(1, 1, 1), Transform(np.zeros((3, 3)), np.zeros(3))), f"the rotation of the place of 'box' must be a rotation matrix, orthonormal and right-handed, not {np.zeros((3, 3)).tolist()}"),
    (lambda: scene().animate({"tip": [(0, 0, 0, 1, 2)]}), "the path of 'tip' must be points (k, 3), frames (k, 4, 4) or as Transforms or pairs, rotation matrices (k, 3, 3) or quaternions (k, 4), not [(0, 0, 0, 1, 2)]"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_is_no_frame_is_refused_with_the_reason(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        make()


def test_a_transform_takes_lists_and_a_quaternion() -> None:
    place = Transform(QUATERNION.tolist(), list(POINT))  # type: ignore[arg-type]
    np.testing.assert_allclose(place.rotation, MATRIX, atol=1e-12)
    np.testing.assert_allclose(place.apply((0, 0, 0)), POINT)


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_quaternions_go_to_matrices_and_back(numbers: list[float]) -> None:
    q = np.array(numbers) / np.linalg.norm(numbers)
    matrix = rotation_from(q, "it")
    np.testing.assert_allclose(matrix, Rotation.from_quat(np.roll(q, -1)).as_matrix(), atol=1e-12)
    again = quaternion(matrix)
    assert min(np.abs(again - q).max(), np.abs(again + q).max()) < 1e-7
    np.testing.assert_allclose(rotation_matrix(turn_from(q, "it")), matrix, atol=1e-9)
    np.testing.assert_allclose(frame_from((POINT, q), "it").rotation, matrix)
