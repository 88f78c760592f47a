"""Motion capture that is followed by six goals; here a person of a few bones, for a second."""

from __future__ import annotations

import json
from pathlib import Path

import mocap
import numpy as np
import pytest

import poise
from poise.figure import Ball, Builder

BONES = {
    "Hips": ("", (0.0, 0.0, 0.0)),
    "Head": ("Hips", (0.0, 0.0, 0.6)),
    **{f"{side}Hand": ("Head", (0.0, 0.5 * y, -0.2)) for side, y in (("Left", 1), ("Right", -1))},
    **{f"{side}_Foot": ("Hips", (0.0, 0.1 * y, -0.9)) for side, y in (("Left", 1), ("Right", -1))},
}


def swaying(frames: int = 121) -> poise.Clip:
    builder = Builder("bones")
    for name, (parent, at) in BONES.items():
        builder.segment(name, mass=1.0)
        if parent:
            builder.joint(f"to {name}", Ball(), parent, name, at)
    builder.root("Hips", "free")
    figure = builder.build()
    phase = np.linspace(0.0, np.pi, frames)[:, None]
    q = figure.rest().q + 0.3 * np.sin(phase) * np.linspace(-1.0, 1.0, figure.n)
    return poise.Clip(figure, q, 120.0, "swaying")


def test_a_skeleton_is_known_by_its_names() -> None:
    assert list(mocap.sites(swaying(2).figure).values()) == list(BONES)
    with pytest.raises(poise.PoiseError, match="has no segment for the pelvis"):
        mocap.sites(poise.chain(3))


@pytest.mark.parametrize("mode", mocap.MODES)
def test_every_frame_is_met_and_written_down(mode: str) -> None:
    large, follow = mocap.MODES[mode]
    motions = mocap.motions(swaying(), large=large)
    frames = mocap.joined([mocap.measured(each, follow, 2) for each in motions])
    assert len(frames["met"]) == (2 + 2 if large else 121)
    assert {len(values) for values in frames.values()} == {len(frames["met"])}
    assert all(frames["met"])
    assert frames["off"][0] < 1e-9
    assert mocap.row(mode, frames)[2] == "100.00%"


def test_two_files_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mocap, "files", lambda: ["a clip"])
    monkeypatch.setattr(mocap, "loaded", lambda _: swaying(90))
    file = tmp_path / "frames.json"
    assert mocap.main(["--json", str(file), "--repeats", "1"]) == 0
    assert mocap.main(["--compare", str(file), str(file)]) == 0
    assert "0 / 0 / 90" in capsys.readouterr().out


def written(path: Path, modes: dict[str, dict[str, list[bool]]]) -> str:
    """A file of some clips by mode, whose frames are met or not, and are then 0.5 m off."""
    content = {
        mode: {
            clip: {
                "status": ["solved" if each else "stalled" for each in met],
                "met": met,
                "error": [0.0 if each else 0.5 for each in met],
                "iterations": [1] * len(met),
                "seconds": [1.0] * len(met),
                "off": [0.0] * len(met),
            }
            for clip, met in clips.items()
        }
        for mode, clips in modes.items()
    }
    path.write_text(json.dumps(content))
    return str(path)


def test_clips_are_matched_by_name_and_what_one_file_lacks_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = {"cold": {"walk": [True, True], "run": [False, False], "sit": [True]}, "warm": {}}
    new = {"cold": {"run": [False, False], "walk": [True, False], "sit": [True, True], "jump": []}}
    files = written(tmp_path / "old.json", old), written(tmp_path / "new.json", new)
    assert mocap.main(["--compare", *files]) == 0
    told = capsys.readouterr().out
    assert "mode 'warm' is left out: only the older file has it" in told
    assert "cold: clip 'jump' is left out: only the newer file has it" in told
    assert "cold: clip 'sit' is left out: 1 frames against 2" in told
    assert "0 / 1 / 3" in told
    other = written(tmp_path / "other.json", {"warm": {"fall": [True]}})
    assert mocap.main(["--compare", files[0], other]) == 0
    told = capsys.readouterr().out
    assert "mode 'warm' is left out: no clip of it is in both files" in told
    assert "old.json and other.json have nothing in common" in told


def test_without_clips_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POISE_DATA", str(tmp_path))
    assert mocap.main([]) == 0
    assert "motion capture is left out" in capsys.readouterr().out
