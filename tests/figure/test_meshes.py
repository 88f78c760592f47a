"""Shapes as triangles: closed, facing outwards, as large as the shape, at any size."""

import numpy as np
import pytest

from poise.figure.meshes import joined, mesh_of
from poise.figure.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Hull,
    Shape,
    Sphere,
    TaperedCapsule,
)

SHAPES = [
    Sphere((0.1, 0.2, 0.3), 0.2),
    Capsule((0, 0, 0), (0.1, 0.3, -0.2), 0.05),
    TaperedCapsule((0, 0, 0), (0.4, 0.1, 0), 0.1, 0.03),
    Cylinder((0, 0, -0.1), (0, 0.1, 0.3), 0.07),
    Ellipsoid((0.1, 0, 0), (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)),
    Box((0, 0.1, 0), (0.1, 0.2, 0.3), (0.5, 0, 0.2)),
    Hull(((0, 0, 0), (0.3, 0, 0.1), (0, 0.2, 0.1), (0.1, 0.1, 0.3), (0.1, 0.1, 0.1))),
    Hull(((0, 0, 0), (0.3, 0, 0.1), (0, 0.2, 0.1), (0.1, 0.1, 0.3)), 0.05),
    Sphere((0, 0, 0), 1e-6),
    Cylinder((0, 0, 0), (0, 0, 1e-6), 1e3),
]


@pytest.mark.parametrize("around", [48, 96, 256])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_a_mesh_encloses_the_volume_of_its_shape(shape: Shape, around: int) -> None:
    mesh = mesh_of(shape, around)
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6  # positive: it faces outwards
    assert volume == pytest.approx(shape.solid().volume, rel=0.01)
    faces = np.cross(b - a, c - a)
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)  # none is without area
    for corner in range(3):
        along = np.einsum("ij,ij->i", faces, mesh.normals[mesh.triangles[:, corner]])
        assert along.min() > 0.9
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)


def test_joined_meshes_keep_their_triangles_apart() -> None:
    one, other = (mesh_of(shape, 8) for shape in SHAPES[:2])
    both = joined([one, other])
    corners = both.points[both.triangles]
    np.testing.assert_array_equal(corners[: len(one.triangles)], one.points[one.triangles])
    np.testing.assert_array_equal(corners[len(one.triangles) :], other.points[other.triangles])
