"""`poise prior fit`, with clips that are made here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.skeletons_of_cmu import HANGING, bending, bvh
from typer.testing import CliRunner

import poise
from poise import cli
from poise.models.prior import prior_from

Invoke = Callable[..., Any]
READ = ("--read", "up=y", "--read", "forward=z", "--read", "unit=cm")


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch) -> Invoke:
    monkeypatch.setenv("COLUMNS", "160")
    return lambda *arguments: CliRunner().invoke(
        cli.app, [str(each) for each in arguments], catch_exceptions=False
    )


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    """A folder of one who stands, one who bends the knees, and what is no clip."""
    folder = tmp_path / "clips"
    folder.mkdir()
    (folder / "01_01.bvh").write_text(bvh([HANGING] * 60), encoding="utf-8")
    squats = [bending(angle, 2 * angle) for angle in range(15, 35)]
    (folder / "02_01.bvh").write_text(bvh(squats * 3), encoding="utf-8")
    (folder / "03_01.bvh").write_text("no clip", encoding="utf-8")
    (folder / "04_01.bvh").write_text(bvh([HANGING], without=["Head"]), encoding="utf-8")
    return folder


def test_a_prior_is_fitted_and_bad_files_are_told_by_name(
    invoke: Invoke, clips: Path, tmp_path: Path
) -> None:
    out = tmp_path / "prior.yaml"
    result = invoke("prior", "fit", clips, "-o", out, "--source", "us", *READ)
    assert result.exit_code == 0
    assert "2 clips, 120 frames, 2 left out" in result.output
    assert "03_01.bvh" in result.output
    assert "04_01" in result.output
    assert "mm (median" in result.output
    assert "off the middle of the soles" in result.output
    rows = [line.split() for line in result.output.splitlines()]
    assert ["stand", "50.0%"] in rows
    prior = prior_from(yaml.safe_load(out.read_text(encoding="utf-8"))["prior"])
    assert [each.name for each in prior.stances] == ["stand", "crouch"]
    assert prior.made["subjects"] == "01 02"
    assert prior.made["source"] == "us"
    assert prior.made["command"] == (
        "poise prior fit clips -o prior.yaml --source us --read up=y --read forward=z "
        "--read unit=cm"
    )
    assert str(tmp_path) not in out.read_text(encoding="utf-8")


def test_faster_clips_are_thinned_and_the_first_frames_skipped(
    invoke: Invoke, tmp_path: Path
) -> None:
    file, out = tmp_path / "made.bvh", tmp_path / "prior.yaml"
    file.write_text(bvh([HANGING] * 241, fps=32), encoding="utf-8")
    said = ("--licence", "free for all")
    result = invoke("prior", "fit", file, "-o", out, "--skip", 1, "--fps", 16, *said, *READ)
    assert "1 clip, 120 frames\n" in result.output
    made = yaml.safe_load(out.read_text(encoding="utf-8"))["prior"]["made"]
    assert made["command"] == (
        "poise prior fit made.bvh -o prior.yaml --fps 16 --skip 1 --licence 'free for all' "
        "--read up=y --read forward=z --read unit=cm"
    )
    result = invoke("prior", "fit", file, "-o", out, "--skip", 1, *READ)
    assert "1 clip, 60 frames\n" in result.output


def test_a_clip_that_is_given_by_its_folder_too_counts_once(
    invoke: Invoke, clips: Path, tmp_path: Path
) -> None:
    out = tmp_path / "prior.yaml"
    twice = clips / ".." / "clips" / "01_01.bvh"
    result = invoke("prior", "fit", clips, clips / "01_01.bvh", twice, "-o", out, *READ)
    assert "2 clips, 120 frames, 2 left out" in result.output


def test_where_nothing_can_be_used_there_is_no_file(
    invoke: Invoke, clips: Path, tmp_path: Path
) -> None:
    out = tmp_path / "prior.yaml"
    with pytest.raises(poise.PoiseError, match="none of 1 clips could be used"):
        invoke("prior", "fit", clips / "03_01.bvh", "-o", out)
    (tmp_path / "empty").mkdir()
    with pytest.raises(poise.PoiseError, match=r"there is no \.bvh file in"):
        invoke("prior", "fit", tmp_path / "empty", "-o", out)
    with pytest.raises(poise.PoiseError, match="--fps must be above 0"):
        invoke("prior", "fit", clips, "-o", out, "--fps", 0)
    with pytest.raises(poise.PoiseError, match="there is no folder"):
        invoke("prior", "fit", clips, "-o", tmp_path / "nowhere" / "prior.yaml")
    assert not out.exists()
