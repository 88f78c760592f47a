"""Figures in the skins that their files brought along."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.formats.gltf_files import BYTE, SHORT, Draft

import poise
from poise.figure import Box, Figure
from poise.figure.meshes import joined, mesh_of
from poise.pictures import View, picture

SIZE = (160, 160)
FRONT = View(0.0)
# Sheets face +z of the file, which is forward: the front view sees them whole.
CORNERS = [[-0.1, 0, 0], [0.1, 0, 0], [-0.1, 0.5, 0], [0.1, 0.5, 0], [-0.1, 1, 0], [0.1, 1, 0]]
STRIPS = [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]


def banner(path: Path, **material: Any) -> Path:
    """A sheet on two bones, one above the other: the upper half bends with the upper bone."""
    draft = Draft(
        scene=0,
        scenes=[{"nodes": [0, 2]}],
        nodes=[
            {"name": "low", "children": [1]},
            {"name": "high", "translation": [0, 0.5, 0]},
            {"name": "sheet", "mesh": 0, "skin": 0},
        ],
    )
    inverse = [np.eye(4), np.eye(4)]
    inverse[1][3, :3] = [0, -0.5, 0]
    draft.data["skins"] = [
        {"joints": [0, 1], "inverseBindMatrices": draft.numbers([m.ravel() for m in inverse])}
    ]
    weights = [[1, 0, 0, 0]] * 2 + [[0.5, 0.5, 0, 0]] * 2 + [[0, 1, 0, 0]] * 2
    places = [[x, y] for y in (1.0, 0.5, 0.0) for x in (0.0, 1.0)]
    if "texture" in material:
        sheet = io.BytesIO()
        Image.fromarray(material.pop("texture")).save(sheet, "PNG")
        draft.data["images"] = [
            {"bufferView": draft.view(sheet.getvalue()), "mimeType": "image/png"}
        ]
        draft.data["textures"] = [{"source": 0}]
        material["pbrMetallicRoughness"] = {"baseColorTexture": {"index": 0}}
    draft.data["materials"] = [material]
    attributes = {
        "POSITION": draft.numbers(CORNERS),
        "NORMAL": draft.numbers([[0, 0, 1]] * 6),
        "TEXCOORD_0": draft.numbers(places),
        "JOINTS_0": draft.numbers([[0, 1, 0, 0]] * 6, BYTE),
        "WEIGHTS_0": draft.numbers(weights),
    }
    sheet_part = {"attributes": attributes, "indices": draft.numbers(STRIPS, SHORT), "material": 0}
    draft.data["meshes"] = [{"name": "sheet", "primitives": [sheet_part]}]
    return draft.save(path)


def red(**more: Any) -> dict[str, Any]:
    return {"pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.0, 0.0, 1.0]}, **more}


@pytest.fixture
def figure(tmp_path: Path) -> Figure:
    return poise.load(banner(tmp_path / "banner.glb", doubleSided=True, **red()))


def is_red(image: np.ndarray) -> np.ndarray:
    image = image.astype(int)
    return image[:, :, 0] > image[:, :, 1] + 60


def test_a_figure_is_drawn_in_its_skin_with_its_colour(figure: Figure) -> None:
    seen = is_red(picture(figure, views=FRONT, size=SIZE, floor=False))
    rows, columns = (np.flatnonzero(seen.any(axis=axis)) for axis in (1, 0))
    high, wide = np.ptp(rows) + 1, np.ptp(columns) + 1
    assert seen[rows[0] : rows[-1], columns[0] : columns[-1]].mean() > 0.98
    assert wide / high == pytest.approx(0.2, abs=0.03)
    assert not is_red(picture(figure, views=FRONT, size=SIZE, stick=True)).any()


def test_the_skin_follows_the_posture(figure: Figure) -> None:
    posture = figure.rest()
    joint = next(name for name, each in figure.joints.items() if each.child == "high")
    posture[joint] = [np.pi / 2, 0.0, 0.0]  # about +x of the figure, which is forward
    seen = is_red(picture(posture, views=FRONT, size=SIZE, floor=False))
    rows, columns = (np.flatnonzero(seen.any(axis=axis)) for axis in (1, 0))
    assert (np.ptp(columns) + 1) / (np.ptp(rows) + 1) == pytest.approx(1.0, abs=0.25)


def test_a_scene_and_a_figure_on_another_root_wear_the_skin(figure: Figure) -> None:
    scene = poise.Scene(figure)
    scene.hold(poise.box(0.02, 0.02, 0.02), "high")
    turned, _ = figure.rooted_at("high", figure.rest())
    for subject in (scene, turned):
        assert is_red(picture(subject, views=FRONT, size=SIZE)).mean() > 0.05


def test_the_skin_wears_its_picture_the_right_way_up(tmp_path: Path) -> None:
    sheet = np.zeros((2, 2, 3), np.uint8)
    sheet[0, :, 0] = sheet[1, :, 2] = 255  # red above, blue below
    figure = poise.load(banner(tmp_path / "flag.glb", texture=sheet))
    image = picture(figure, views=FRONT, size=SIZE, floor=False).astype(int)
    reds = np.flatnonzero((image[:, :, 0] > image[:, :, 2] + 60).any(axis=1))
    blues = np.flatnonzero((image[:, :, 2] > image[:, :, 0] + 60).any(axis=1))
    assert reds.size
    assert blues.size
    assert reds.mean() < blues.mean()


def test_what_a_mask_hides_is_not_seen(tmp_path: Path) -> None:
    sheet = np.zeros((2, 2, 4), np.uint8)
    sheet[:, :, 0] = 255
    sheet[0, :, 3] = 255  # only the upper half is there
    plain = poise.load(banner(tmp_path / "plain.glb", texture=sheet))
    holed = poise.load(banner(tmp_path / "holed.glb", texture=sheet, alphaMode="MASK"))
    full, half = (
        is_red(picture(each, views=FRONT, size=SIZE, floor=False)).sum() for each in (plain, holed)
    )
    assert half / full == pytest.approx(0.5, abs=0.1)


def test_the_back_of_a_skin_is_seen_only_where_it_has_two_sides(tmp_path: Path) -> None:
    one = poise.load(banner(tmp_path / "one.glb", **red()))
    two = poise.load(banner(tmp_path / "two.glb", doubleSided=True, **red()))
    assert not is_red(picture(one, views=View(np.pi), size=SIZE, floor=False)).any()
    assert is_red(picture(two, views=View(np.pi), size=SIZE, floor=False)).any()


def test_a_skin_casts_a_shadow(figure: Figure) -> None:
    with_floor = picture(figure, size=SIZE)
    bare = picture(figure, size=SIZE, stick=True)
    dark = [(image.astype(int).sum(axis=2) < 600).sum() for image in (with_floor, bare)]
    assert dark[0] > 2 * dark[1]


def test_names_that_are_ours_keep_the_skin(tmp_path: Path) -> None:
    names = tmp_path / "names.yaml"
    names.write_text("names:\n  map: {low: pelvis, high: chest}\n")
    path = banner(tmp_path / "banner.glb", doubleSided=True, **red())
    figure = poise.load(path, names=names)
    assert "chest" in figure.segments
    assert is_red(picture(figure, views=FRONT, size=SIZE)).mean() > 0.05


def test_a_prop_from_a_file_is_drawn_by_its_triangles_standing_and_held(tmp_path: Path) -> None:
    # A frame of four beams: one sees through it, as one does not through its hull.
    beams = [
        Box((0, 0, 0.05), (0.1, 1, 0.1)),
        Box((0, 0, 0.95), (0.1, 1, 0.1)),
        Box((0, -0.45, 0.5), (0.1, 0.1, 1)),
        Box((0, 0.45, 0.5), (0.1, 0.1, 1)),
    ]
    mesh = joined([mesh_of(beam) for beam in beams])
    lines = [f"v {x} {y} {z}" for x, y, z in mesh.points.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles.tolist()]
    (tmp_path / "frame.obj").write_text("\n".join(lines))
    builder = poise.Builder("stand")
    builder.segment("post", shapes=[Box((0, 0, 0.01), (0.02, 0.02, 0.02))])
    frame = poise.mesh(tmp_path / "frame.obj", pieces=1, color="#d02020")
    for held in (False, True):
        scene = poise.Scene(builder.build())
        if held:
            scene.hold(frame, "post")
        else:
            scene.place(frame)
        image = np.array(picture(scene, views=[FRONT], size=SIZE, floor=False), np.int64)
        red = image[..., 0] - image[..., 1:3].max(axis=2) > 60
        rows, columns = np.nonzero(red)
        assert 0.2 < red.mean() < 0.6
        middle = (rows.min() + rows.max()) // 2, (columns.min() + columns.max()) // 2
        assert not red[middle]
