"""A prior that a user has fitted, given to a scene: in Python, in a file, copied as Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene
from poise import tasks as t
from poise.models.prior import Gaussian, Prior, prior_text, shipped
from poise.scene import files
from poise.studio.code import python_of

BENT = 1.0
"""Flexion (rad) of both elbows in the mean of the user's one stance."""


def bent() -> Prior:
    """People who stand with bent elbows."""
    own = shipped()
    stand = own.stances[0]
    mean = stand.mean.copy()
    for side in ("left", "right"):
        mean[own.features.index(f"{side}_elbow.flexion")] = BENT
    return Prior(own.features, (Gaussian("wait", 1.0, 0.0, mean, stand.precision),), own.made)


@pytest.fixture
def fitted(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(prior_text(bent()), encoding="utf-8")
    return path


def stood(prior: Any) -> Scene:
    scene = Scene(poise.human())
    scene.add(t.Natural(prior=prior))
    return scene


def test_a_scene_holds_persons_by_the_users_prior(fitted: Path) -> None:
    for prior in (fitted, str(fitted), bent()):
        solution = stood(prior).solve()
        assert solution.posture["right_elbow.flexion"] == pytest.approx(BENT, abs=0.01)
        assert solution.stances == {"human": "wait"}
    usual = Scene(poise.human()).solve().posture["right_elbow.flexion"]
    assert abs(usual - BENT) > 0.5


def test_a_file_is_read_again_when_it_has_changed(fitted: Path) -> None:
    assert stood(fitted).solve().stances == {"human": "wait"}
    fitted.write_text(prior_text(shipped()), encoding="utf-8")
    assert stood(fitted).solve().stances == {"human": "stand"}


def test_a_stance_must_be_one_of_the_prior(fitted: Path) -> None:
    scene = Scene(poise.human())
    scene.add(t.Natural("wait", prior=fitted))
    with pytest.raises(PoiseError, match=r"no stance 'stand'.*wait"):
        scene.add(t.Natural("stand", prior=fitted))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("figure: {}\n", r"mine.yaml is no prior: it has the keys figure, and needs 'prior'"),
        ("", r"mine.yaml"),
        ("prior: {features: a, stances: {}}\n", r"mine.yaml.*made"),
        ("prior: {made: {}, features: nose up_x up_y, stances: {}}\n", r"no feature 'nose'"),
        (
            "prior: {made: {}, features: up_x up_y, stances: "
            "{a: {share: 1, favour: 0, mean: 0 x, precision: 1 0 1}}}\n",
            r"mine.yaml.*mean of the stance 'a' must be numbers",
        ),
        (
            "prior: {made: {}, features: up_x up_y, stances: "
            "{a: {share: 1, favour: 0, mean: 0 0, precision: 1 2 1}}}\n",
            r"mine.yaml.*'a' is not positive definite",
        ),
        (
            "prior: {made: {}, features: up_x up_y, stances: "
            "{a: {share: 2, favour: 0, mean: 0 0, precision: 1 0 1}}}\n",
            r"mine.yaml.*share",
        ),
    ],
)
def test_a_file_that_is_no_prior_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PoiseError, match=says):
        stood(path)


def test_what_is_no_path_and_no_person_is_refused(fitted: Path, tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match="there is no file"):
        stood(tmp_path / "none.yaml")
    with pytest.raises(PoiseError, match="is a folder"):
        stood(tmp_path)
    for wrong in (3, "", Prior, ["a"]):
        with pytest.raises(PoiseError, match="path of a file, or a Prior"):
            t.Natural(prior=wrong)
    with pytest.raises(PoiseError, match="for persons"):
        Scene(poise.chain(4)).add(t.Natural(prior=fitted))


def test_a_scene_file_names_it_from_its_own_folder(fitted: Path, tmp_path: Path) -> None:
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    path = scenes / "scene.yaml"
    path.write_text(
        "scene:\n  version: 2\n  figure: human\n"
        "  criteria:\n  - natural: {stance: wait, prior: ../mine.yaml}\n",
        encoding="utf-8",
    )
    scene = files.load(path)
    assert scene.solve().posture["left_elbow.flexion"] == pytest.approx(BENT, abs=0.01)
    files.save(scene, path)
    assert "prior: ../mine.yaml" in path.read_text(encoding="utf-8")
    files.save(scene, tmp_path / "beside.yaml")
    assert "prior: mine.yaml" in (tmp_path / "beside.yaml").read_text(encoding="utf-8")
    assert files.load(tmp_path / "beside.yaml").solve().stances == {"human": "wait"}


def test_a_scene_file_says_where_a_wrong_prior_stands(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    head = "scene:\n  version: 2\n  figure: human\n  criteria:\n"
    path.write_text(f"{head}  - natural: {{prior: lost.yaml}}\n", encoding="utf-8")
    with pytest.raises(PoiseError, match=r"line 5.*there is no file.*lost.yaml"):
        files.load(path)
    path.write_text(f"{head}  - natural: {{prior: 3}}\n", encoding="utf-8")
    with pytest.raises(PoiseError, match=r"line 5"):
        files.load(path)


def test_a_prior_of_no_file_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match=r"'natural' cannot be saved: its prior is of no file"):
        files.save(stood(bent()), tmp_path / "scene.yaml")
    with pytest.raises(PoiseError, match="of no file"):
        python_of(stood(bent()))


def test_it_is_copied_as_python(fitted: Path) -> None:
    text = python_of(stood(fitted))
    assert f"t.Natural(prior={str(fitted)!r})" in text
    space: dict[str, Any] = {}
    exec(text, space)
    again = space["scene"].solve().posture
    np.testing.assert_allclose(again.q, stood(fitted).solve().posture.q, atol=1e-3)


def test_a_handle_takes_another_prior(fitted: Path) -> None:
    scene = stood(replace(bent(), stances=(shipped().stances[0],)))
    assert scene.solve().stances == {"human": "stand"}
    scene.handles["natural"].prior = str(fitted)
    assert scene.solve().stances == {"human": "wait"}
