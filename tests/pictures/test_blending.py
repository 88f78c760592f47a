"""The skin over a trunk's slices: closed, smooth, as large as they are, in their colours."""

import numpy as np
import pytest

from poise.figure import Builder, Figure
from poise.figure.kinds import Ball
from poise.figure.shapes import Capsule, Ellipsoid
from poise.pictures.blending import Slice, blended, sliced, slices
from poise.pictures.figures import solid
from poise.pictures.meshes import Mesh

BLUE, DARK = "#2a6fb5", "#202833"
RADII = (0.10, 0.15, 0.06)


def trunk(count: int = 7, spacing: float = 0.03) -> Figure:
    """A pelvis with equal slices on it, one above the other, and an arm."""
    builder = Builder("trunk")
    builder.segment("pelvis", shapes=[Ellipsoid((0, 0, 0), RADII)], color=DARK)
    below = "pelvis"
    for i in range(1, count):
        name = f"vertebra_{i}"
        builder.segment(name, shapes=[Ellipsoid((0, 0, 0), RADII)], color=BLUE)
        builder.joint(f"joint_{i}", Ball(), below, name, (0, 0, spacing))
        below = name
    builder.segment("arm", shapes=[Capsule((0, 0, 0), (0, 0.3, 0), 0.03)])
    builder.joint("shoulder", Ball(), below, "arm", (0, 0.15, 0))
    builder.posture("rest", {})
    return builder.build()


def bodies(figure: Figure) -> list[Slice]:
    where = figure.place(figure.rest())
    return [each for names in sliced(figure) for each in slices(figure, where, names, BLUE)]


def area(mesh: Mesh) -> np.ndarray:
    a, b, c = mesh.points[mesh.triangles].transpose(1, 0, 2)
    return 0.5 * np.cross(b - a, c - a)


def test_slices_are_segments_with_ellipsoids_that_are_joined() -> None:
    figure = trunk(3)
    assert sliced(figure) == [["pelvis", "vertebra_1", "vertebra_2"]]
    assert sliced(trunk(1)) == []


def test_a_skin_is_closed_and_its_triangles_face_outwards() -> None:
    (mesh,) = blended([each for each in bodies(trunk()) if each.color == BLUE]).values()
    faces = area(mesh)
    assert faces.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-6)
    outward = mesh.normals[mesh.triangles].mean(axis=1)
    large = np.linalg.norm(faces, axis=1) > 1e-9
    assert ((faces * outward).sum(axis=1)[large] > 0).all()
    edges = np.sort(mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()


def test_a_skin_lies_close_to_the_slices() -> None:
    body = bodies(trunk())
    points = np.concatenate([mesh.points for mesh in blended(body).values()])
    nearest = np.stack([each.distance(points) for each in body]).min(axis=0)
    assert np.abs(nearest).max() < 0.008


def test_a_skin_has_no_bands_where_slices_meet() -> None:
    # Straight up the front of equal slices the normal should stay level. On the slices themselves
    # it nods, most of all half way between two: dx/dz = (rx/rz) t/√(1 − t²) at t = 0.015/0.06.
    body = bodies(trunk(9))
    points = np.concatenate([mesh.points for mesh in blended(body).values()])
    normals = np.concatenate([mesh.normals for mesh in blended(body).values()])
    front = (np.abs(points[:, 1]) < 0.01) & (points[:, 0] > 0.05)
    middle = front & (np.abs(points[:, 2] - 0.12) < 0.04)
    nod = np.abs(normals[middle, 2]).max()
    apart = np.sin(np.arctan(0.10 / 0.06 * 0.25 / np.sqrt(1 - 0.25**2)))
    assert middle.sum() > 20
    assert nod < 0.2 * apart


def test_one_slice_keeps_its_shape() -> None:
    (alone,) = bodies(trunk(2))[:1]
    (mesh,) = blended([alone]).values()
    assert np.abs(alone.distance(mesh.points)).max() < 1e-6
    local = mesh.points / np.array(RADII) ** 2
    exact = local / np.linalg.norm(local, axis=1, keepdims=True)
    assert (mesh.normals * exact).sum(axis=1).min() > 0.999


def test_each_colour_ends_where_the_next_slice_is_nearer() -> None:
    pieces = blended(bodies(trunk(2, 0.1)))
    assert set(pieces) == {BLUE, DARK}
    # Two equal slices 0.1 m apart meet half way.
    assert pieces[DARK].points[:, 2].max() == pytest.approx(0.05, abs=1e-3)
    assert pieces[BLUE].points[:, 2].min() == pytest.approx(0.05, abs=1e-3)
    total = sum(area(mesh).sum(axis=0) for mesh in pieces.values())
    assert total == pytest.approx(np.zeros(3), abs=1e-5)


def test_what_is_under_the_skin_is_not_drawn_but_casts_the_shadow() -> None:
    figure = trunk(3)
    items = solid(figure, figure.rest())
    assert [item.hidden for item in items] == [True, True, True, False, False, False]
    assert [item.casts_shadow for item in items] == [True, True, True, True, False, False]
