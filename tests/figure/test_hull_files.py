"""Hulls in files: our own keep them, others have a box of the same volume, and say so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import poise
from poise.figure import Builder, Hinge, Hull
from poise.figure.bones import shape_ends
from poise.figure.figure import Figure

POINTS = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.1), (0.0, 0.2, 0.1), (0.1, 0.1, 0.3))


def wedge(radius: float) -> Figure:
    builder = Builder("wedge")
    builder.segment("base", shapes=[Hull(POINTS, radius)], mass=2.0)
    builder.segment("arm", shapes=[Hull(POINTS)], mass=1.0)
    builder.root("base", "fixed")
    builder.joint("hinge", Hinge(), "base", "arm", position=(0.0, 0.0, 0.3))
    return builder.build()


@pytest.mark.parametrize("radius", [0.0, 0.02])
def test_a_figure_file_keeps_its_hulls(tmp_path: Path, radius: float) -> None:
    figure = wedge(radius)
    figure.save(tmp_path / "wedge.yaml")
    again = poise.load(tmp_path / "wedge.yaml")
    assert [each.shapes for each in again.segments.values()] == [
        each.shapes for each in figure.segments.values()
    ]


@pytest.mark.parametrize("ending", ["urdf", "xml"])
def test_other_formats_get_a_box_of_the_same_volume(tmp_path: Path, ending: str) -> None:
    figure = wedge(0.02)
    path = tmp_path / f"wedge.{ending}"
    assert "hulls are written as boxes of the same volume" in poise.export(figure, path)
    again = poise.load(path)
    for name, segment in figure.segments.items():
        (shape,) = again.segments[name].shapes
        assert shape.kind == "box"
        assert shape.solid().volume == pytest.approx(segment.shapes[0].solid().volume, rel=1e-6)


def test_the_skeleton_of_a_hull_ends_in_its_middle() -> None:
    assert shape_ends(Hull(POINTS))[0] == pytest.approx(np.mean(POINTS, axis=0))
