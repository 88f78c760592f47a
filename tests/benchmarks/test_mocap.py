"""Motion capture that is followed by six goals; here a person of a few bones, for a second."""

from __future__ import annotations

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


def test_without_clips_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POISE_DATA", str(tmp_path))
    assert mocap.main([]) == 0
    assert "motion capture is left out" in capsys.readouterr().out
