"""Props from files of triangles: what is read, what collides, what is kept, what is refused."""

from __future__ import annotations

import importlib.metadata
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poise
from poise.errors import PoiseError, PoiseWarning
from poise.figure.meshes import Mesh, joined, mesh_of
from poise.figure.shapes import Box, Hull
from poise.formats.meshes import convex, reading

SEAT = Box((0.0, 0.0, 0.42), (0.4, 0.44, 0.04))
LEG = Box((0.1, 0.0, 0.2), (0.06, 0.06, 0.4))
STOOL = joined([mesh_of(SEAT), mesh_of(LEG)])


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(convex, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "meshes"


def binary_stl(mesh: Mesh) -> bytes:
    corners = mesh.points[mesh.triangles].astype("<f4")
    facets = [bytes(12) + each.tobytes() + bytes(2) for each in corners]
    return bytes(80) + struct.pack("<I", len(facets)) + b"".join(facets)


def text_stl(mesh: Mesh) -> bytes:
    lines = ["solid stool"]
    for corners in mesh.points[mesh.triangles].tolist():
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x!r} {y!r} {z!r}" for x, y, z in corners]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid"]).encode()


def obj(mesh: Mesh) -> bytes:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.points.tolist()]
    lines += [f"vn {x!r} {y!r} {z!r}" for x, y, z in mesh.normals.tolist()]
    lines += [
        "f " + " ".join(f"{i + 1}//{i + 1}" for i in each) for each in mesh.triangles.tolist()
    ]
    return "\n".join(["# a stool", "o seat", *lines]).encode()


WRITERS = {"binary.stl": binary_stl, "text.stl": text_stl, "stool.obj": obj}


def written(folder: Path, name: str, mesh: Mesh = STOOL) -> Path:
    path = folder / name
    path.write_bytes(WRITERS[name](mesh))
    return path


def area(prop: poise.Prop) -> float:
    total = 0.0
    for visual in prop.segment.visuals:
        a, b, c = (visual.points[visual.triangles[:, i]] for i in range(3))
        total += 0.5 * float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())
    return total


AREA = 2 * (0.4 * 0.44 + 0.04 * 0.84) + 2 * (0.06 * 0.06 + 2 * 0.06 * 0.4)


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_drawn_as_it_is_and_has_sites_on_the_box_around_it(
    tmp_path: Path, name: str
) -> None:
    prop = poise.mesh(written(tmp_path, name), pieces=1, mass=3.0)
    assert prop.name == Path(name).stem
    assert prop.mass == 3.0
    assert area(prop) == pytest.approx(AREA, rel=1e-6)
    assert prop.site("top").position == pytest.approx([0.0, 0.0, 0.44], abs=1e-6)
    assert prop.site("front").position == pytest.approx([0.2, 0.0, 0.22], abs=1e-6)
    assert prop.site("center").position == pytest.approx([0.0, 0.0, 0.22], abs=1e-6)
    (hull,) = prop.segment.shapes
    assert isinstance(hull, Hull)
    for visual in prop.segment.visuals:
        corners = visual.points[visual.triangles]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        along = np.einsum("ij,ij->i", across, visual.normals[visual.triangles[:, 0]])
        assert (along > 0.9 * np.linalg.norm(across, axis=1)).all()


def test_scale_and_the_axis_that_points_up(tmp_path: Path) -> None:
    turned = Mesh(1000 * STOOL.points[:, [1, 2, 0]], STOOL.normals, STOOL.triangles)
    path = written(tmp_path, "text.stl", turned)
    prop = poise.mesh(path, scale=0.001, up="y", pieces=1)
    assert prop.site("top").position == pytest.approx([0.0, 0.0, 0.44], abs=1e-9)
    assert prop.site("front").position == pytest.approx([0.2, 0.0, 0.22], abs=1e-9)
    with pytest.warns(PoiseWarning, match=r"is 440 m large, for .* say scale=0\.001"):
        poise.mesh(path, pieces=1)
    with pytest.warns(PoiseWarning, match="is 0.00044 m large"):
        poise.mesh(path, scale=1e-6, pieces=1)


def test_a_glb_that_poise_wrote_comes_back_where_it_stood(tmp_path: Path) -> None:
    scene = poise.Scene(poise.chain(1))
    stool = poise.mesh(written(tmp_path, "stool.obj"), pieces=1, color="#3060c0")
    scene.place(stool, (3.0, 2.0, 0.5), (0.0, 0.0, np.pi / 2))
    poise.export(scene, tmp_path / "scene.glb")
    whole = poise.mesh(tmp_path / "scene.glb", pieces=1)
    blue = [each for each in whole.segment.visuals if len(each.triangles) == 24]
    (found,) = blue
    assert found.points.max(axis=0) == pytest.approx([3.22, 2.2, 0.94], abs=1e-6)
    assert found.points.min(axis=0) == pytest.approx([2.78, 1.8, 0.5], abs=1e-6)
    assert found.material.color[:3] == pytest.approx(
        stool.segment.visuals[0].material.color[:3], abs=1e-6
    )


def test_convex_pieces_leave_what_is_hollow_free_and_are_kept(tmp_path: Path, cache: Path) -> None:
    pytest.importorskip("coacd")
    path = written(tmp_path, "stool.obj")
    prop = poise.mesh(path)
    assert len(prop.segment.shapes) > 1
    volume = sum(shape.solid().volume for shape in prop.segment.shapes)
    assert volume == pytest.approx(SEAT.solid().volume + LEG.solid().volume, rel=0.2)
    (kept,) = cache.iterdir()
    content = kept.read_bytes()
    kept.write_bytes(content[: len(content) // 2])  # damaged: it is made anew
    assert poise.mesh(path) == prop
    assert kept.read_bytes() == content
    found: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(convex, "_decomposed", lambda *given: found.append(given))
        assert poise.mesh(path) == prop
    assert not found


def test_without_coacd_the_hull_collides_and_a_warning_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(convex, "version", missing)
    with pytest.warns(PoiseWarning, match=r"one convex hull, for coacd.*pip install 'poise\[meshe"):
        prop = poise.mesh(written(tmp_path, "stool.obj"))
    assert len(prop.segment.shapes) == 1


def test_what_is_convex_already_is_one_piece_without_a_warning(
    tmp_path: Path, recwarn: pytest.WarningsRecorder, cache: Path
) -> None:
    prop = poise.mesh(written(tmp_path, "text.stl", mesh_of(SEAT)))
    (hull,) = prop.segment.shapes
    assert hull.solid().volume == pytest.approx(SEAT.solid().volume, rel=1e-9)
    assert not recwarn.list
    assert not cache.exists()


NAN = bytes(80) + struct.pack("<I", 1) + struct.pack("<12f", *[0.0] * 8, np.nan, 0, 0, 0) + b"\0\0"
BAD = {
    "cut.stl": (
        binary_stl(STOOL)[:-30],
        "is cut off: 24 triangles take 1,284 bytes, and it has 1,254",
    ),
    "nan.stl": (NAN, "triangle 1 has the corners .*numbers must be finite"),
    "short.stl": (b"abc", "is cut off: a binary STL has at least 84 bytes, not 3"),
    "word.stl": (b"solid\nvertex 0 0 nan\n", "line 2: a vertex must be a number, not 'nan'"),
    "two.stl": (b"solid\nvertex 0 0 0\nendfacet\n", "line 3: a facet must have three vertices"),
    "none.stl": (b"solid\nendsolid\n", "has no triangles"),
    "many.stl": (
        bytes(80) + struct.pack("<I", 2_000_001),
        "2,000,001 triangles, more than 2,000,000",
    ),
    "index.obj": (
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
        "line 4: there is no vertex '4'; there are 3",
    ),
    "zero.obj": (b"v 0 0 0\nf 0 1 1\n", "line 2: there is no vertex '0'"),
    "few.obj": (b"v 0 0 0\nv 1 0 0\nf 1 2\n", "line 3: a face must have at least three corners"),
    "flat.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "lies in one plane"),
    "empty.obj": (b"", "is empty"),
    "cut.glb": (b"glTF" + struct.pack("<II", 2, 900) + bytes(30), "is cut off: it should have 900"),
    "what.ply": (
        b"ply",
        r"there is no format of meshes '.ply'. There are: .glb, .gltf, .obj, .stl",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_what_is_wrong_and_where(tmp_path: Path, name: str) -> None:
    content, words = BAD[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(PoiseError, match=words):
        poise.mesh(tmp_path / name)


def test_polygons_and_indices_from_the_end_are_read(tmp_path: Path) -> None:
    path = tmp_path / "wedge.obj"
    path.write_text(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -1 -2 -3\nv 0 0 1\nf 1 2 5\nf 1 5 4\n"
    )
    prop = poise.mesh(path, pieces=1)  # not closed, which is fine
    assert sum(len(visual.triangles) for visual in prop.segment.visuals) == 4
    assert prop.segment.shapes[0].solid().volume == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"up": "x"}, "up must be 'y' or 'z', not 'x'"),
        ({"scale": 0}, "the scale of a mesh must be greater than 0, not 0"),
        ({"pieces": 0}, "pieces must be a whole number, at least 1, not 0"),
        ({"color": "red"}, "the color of a mesh must be like '#b98a5a', not 'red'"),
        ({"solid": 1}, "solid must be True or False, not 1"),
    ],
)
def test_a_bad_argument_is_refused(tmp_path: Path, given: dict[str, Any], words: str) -> None:
    with pytest.raises(PoiseError, match=words):
        poise.mesh(written(tmp_path, "text.stl", mesh_of(SEAT)), **given)


def test_suffixes_are_those_of_the_reader() -> None:
    assert reading.SUFFIXES == (".glb", ".gltf", ".obj", ".stl")


def test_a_scene_file_names_the_mesh_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "things").mkdir()
    path = written(tmp_path / "things", "text.stl", mesh_of(SEAT))
    scene = poise.Scene(poise.chain(2))
    prop = poise.mesh(path, name="seat", mass=4.0, solid=False, scale=2.0, color="#102030")
    scene.place(prop.with_site("edge", (0.1, 0.0, 0.8)), (1.0, 0.0, 0.0))
    scene.place(poise.box(1, 1, 1, solid=False, name="ghost"), (2.0, 0.0, 0.0))
    scene.save(tmp_path / "scene.yaml")
    text = (tmp_path / "scene.yaml").read_text()
    assert "file: things/text.stl" in text
    again = poise.Scene.load(tmp_path / "scene.yaml")
    for name in ("seat", "ghost"):
        assert again.props[name].prop == scene.props[name].prop
        assert not again.props[name].prop.solid
    assert again.props["seat"].prop.segment.visuals == prop.segment.visuals
    path.unlink()
    with pytest.raises(PoiseError, match=r"scene\.yaml, line \d+: scene\.props\.seat.*no file"):
        poise.Scene.load(tmp_path / "scene.yaml")
