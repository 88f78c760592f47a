"""BVH files that we write read back to the same placements."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.skeletons import PERSON
from tests.random_figures import grouped, random_figure

import poise
from poise import Clip, PoiseError
from poise.figure import Ball, Builder
from poise.formats import Reading, read
from poise.motion.links import placed


def assert_same_places(one: Clip, other: Clip, atol: float = 1e-6) -> None:
    before, after = placed(one.figure, one.q), placed(other.figure, other.q)
    assert before.keys() == after.keys()
    for name, (rotations, positions) in before.items():
        np.testing.assert_allclose(after[name][1], positions, atol=atol, err_msg=name)
        np.testing.assert_allclose(after[name][0], rotations, atol=1e-6, err_msg=name)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from(["free", "fixed"]))
def test_any_figure_reads_back_where_it_was(
    tmp_path_factory: pytest.TempPathFactory, seed: int, with_groups: bool, root: str
) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 6, root=root)
    if with_groups and sum(bool(j.coordinates) for j in figure.joints.values()) > 2:
        figure = grouped(rng, figure, degree=2)
    clip = Clip(figure, rng.normal(size=(4, figure.n)) * 0.6, 24.0)
    path = tmp_path_factory.mktemp("written") / "any.bvh"
    clip.save(path)
    again = poise.load_clip(path, up="y", forward="z", unit="cm")
    assert again.fps == 24.0
    assert_same_places(clip, again)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"up": "z", "forward": "-y", "unit": "m"},
        {"up": "x", "forward": "y", "unit": "mm", "order": "XYZ"},
        {"unit": 0.0564, "order": "YZX"},
    ],
)
def test_what_was_read_is_written_in_any_convention(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    (tmp_path / "in.bvh").write_text(PERSON, encoding="utf-8")
    reading = read(tmp_path / "in.bvh")
    poise.export(reading, tmp_path / "out.bvh", **options)
    said = {"up": "y", "forward": "z", "unit": "cm"} | options
    said.pop("order", None)
    again = poise.load_clip(tmp_path / "out.bvh", **said)
    assert_same_places(reading.clips["in"], again)


def test_the_guesses_fit_a_file_of_a_person_that_we_write(tmp_path: Path) -> None:
    (tmp_path / "in.bvh").write_text(PERSON, encoding="utf-8")
    clip = poise.load_clip(tmp_path / "in.bvh")
    clip.save(tmp_path / "out.bvh")
    assert_same_places(clip, poise.load_clip(tmp_path / "out.bvh"))


@pytest.mark.parametrize("middle", [90.0, -90.0, 90 - 1e-6, 90 - 1e-8, 89.9])
def test_the_lock_of_three_angles_does_no_harm(tmp_path: Path, middle: float) -> None:
    builder = Builder("rod")
    builder.segment("base")
    builder.segment("rod")
    builder.joint("ball", Ball(), "base", "rod")
    figure = builder.build()
    q = np.deg2rad([[30.0, 0, 0], [0, 0, 20.0], [0, 0, 0]])
    from scipy.spatial.transform import Rotation

    # The file's x is our y: the order ZXY locks where the turn about our y is 90°.
    locked = Rotation.from_euler("YZX", [40.0, middle, 0], degrees=True).as_rotvec()
    for axis in range(3):
        q = np.vstack([q, np.roll(locked, axis)])
    clip = Clip(figure, q, 10.0)
    clip.save(tmp_path / "rod.bvh")
    assert_same_places(clip, poise.load_clip(tmp_path / "rod.bvh", up="y", forward="z", unit="cm"))


def test_angles_do_not_jump_by_a_turn(tmp_path: Path) -> None:
    builder = Builder("rod")
    builder.segment("rod")
    builder.root("rod")
    figure = builder.build()
    q = np.zeros((40, 6))
    angles = np.linspace(0, 4 * np.pi, 40)
    q[:, 5] = np.remainder(angles + np.pi, 2 * np.pi) - np.pi
    Clip(figure, q, 10.0).save(tmp_path / "rod.bvh")
    rows = (tmp_path / "rod.bvh").read_text(encoding="utf-8").split("Frame Time: 0.1\n")[1]
    numbers = np.array(rows.split(), float).reshape(40, 6)
    np.testing.assert_allclose(numbers[:, 5], np.rad2deg(angles), atol=1e-6)


def test_a_posture_and_a_figure_are_one_frame(tmp_path: Path) -> None:
    figure = poise.chain(3, length=0.1)
    posture = figure.posture([0.1, 0.2, 0.3])
    poise.export(posture, tmp_path / "one.bvh")
    poise.export(figure, tmp_path / "rest.bvh")
    one = poise.load_clip(tmp_path / "one.bvh", up="y", forward="z", unit="cm")
    assert one.frames == 1
    assert_same_places(Clip(figure, posture.q[None], 30.0), one)
    rest = poise.load_clip(tmp_path / "rest.bvh", up="y", forward="z", unit="cm")
    assert_same_places(Clip(figure, figure.rest().q[None], 30.0), rest)


def test_the_last_site_of_a_chain_is_its_end(tmp_path: Path) -> None:
    figure = poise.chain(3, length=0.1)
    poise.export(figure, tmp_path / "a.bvh")
    last = list(figure.segments)[-1]
    site = read(tmp_path / "a.bvh", up="y", forward="z", unit="cm").figure.sites[f"{last}_end"]
    np.testing.assert_allclose(site.position, [0.1, 0, 0], atol=1e-9)


def test_what_a_file_cannot_hold_is_told(tmp_path: Path) -> None:
    notes = poise.export(poise.human(), tmp_path / "a.bvh")
    assert notes == (
        "a BVH file does not hold named postures, limits, couplings, groups of joints, shapes, "
        "colours of segments, masses, outlines of sites, names of angles, the description",
        "kinds of joints are written as balls, whatever they are",
        "sites are written as end sites, without names and rotations and only the farthest one on "
        "each last segment",
    )


def test_the_human_with_its_groups_reads_back(tmp_path: Path) -> None:
    human = poise.human()
    rest = human.rest()
    rest.set_angles("left_hip", flexion=0.7)
    poise.export(rest, tmp_path / "a.bvh")
    again = read(tmp_path / "a.bvh")
    assert again.notes[2].startswith("guessed that one unit is 0.01 m")
    assert again.posture is not None
    where, there = human.place(rest), again.figure.place(again.posture)
    for name in human.segments:
        np.testing.assert_allclose(
            there.segment(name).position, where.segment(name).position, atol=1e-6
        )


def test_one_of_several_clips_is_chosen_by_name(tmp_path: Path) -> None:
    figure = poise.chain(2)
    clips = {
        name: Clip(figure, np.array([[value, 0.0]]), 10.0)
        for name, value in (("a", 0.1), ("b", 0.2))
    }
    reading = Reading(figure, clips=clips)
    with pytest.raises(
        PoiseError, match="a BVH file holds one clip; choose with clip=… from: a, b"
    ):
        poise.export(reading, tmp_path / "a.bvh")
    poise.export(reading, tmp_path / "a.bvh", clip="b")
    with pytest.raises(PoiseError, match=r"there is no clip 'c'\. There are: a, b"):
        poise.export(reading, tmp_path / "a.bvh", clip="c")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"up": "w"}, "there is no axis that points up 'w'"),
        ({"forward": "w"}, "there is no axis that points forward 'w'"),
        ({"forward": "y"}, "forward must be across up, not 'y' with 'y' up"),
        ({"order": "ZXZ"}, "there is no order of rotations 'ZXZ'"),
        ({"unit": "furlong"}, "there is no unit 'furlong'"),
    ],
)
def test_a_wrong_option_is_told(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(PoiseError, match=message):
        poise.export(poise.chain(2), tmp_path / "a.bvh", **options)
    assert not (tmp_path / "a.bvh").exists()
