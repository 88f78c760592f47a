"""Reading glTF: skeletons, motions, skins, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp
from tests.formats.fuzzing_gltf import fuzz
from tests.formats.gltf_files import BYTE, LONG, SHORT, Draft, arm, packed, quaternion

from poise import PoiseError
from poise.figure import Ball, Free
from poise.formats import gltf
from poise.formats.reading import Reading

TO_OURS = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""x forward is glTF's z, y left its x, z up its y."""


def read(draft: Draft, folder: Path, **options: Any) -> Reading:
    return gltf.read(draft.save(folder / "file.glb"), **options)


# skeletons -----------------------------------------------------------------------------------


def test_joints_of_a_skin_become_balls_and_the_topmost_a_free_root(tmp_path: Path) -> None:
    figure = read(arm(), tmp_path).figure
    assert list(figure.segments) == ["Upper", "Lower"]
    assert isinstance(figure.joints["root"].kind, Free)
    assert isinstance(figure.joints["Lower"].kind, Ball)
    assert figure.joints["Lower"].kind.chart == "rotation_vector"
    assert list(figure.sites) == ["Tip"]
    assert figure.name == "file"


def test_the_figure_stands_as_the_file_has_it_in_our_axes(tmp_path: Path) -> None:
    reading = read(arm(), tmp_path)
    assert reading.posture is not None
    where = reading.figure.place(reading.posture)
    turn = Rotation.from_euler("y", 20, degrees=True)
    np.testing.assert_allclose(where["Upper"].position, [0, 0, 1], atol=1e-12)
    elbow = turn.apply([0.3, 0, 0]) + [0, 1, 0]
    np.testing.assert_allclose(where["Lower"].position, TO_OURS @ elbow, atol=1e-12)
    tip = turn.apply([0.55, 0, 0]) + [0, 1, 0]
    np.testing.assert_allclose(where["Tip"].position, TO_OURS @ tip, atol=1e-12)
    wanted = TO_OURS @ turn.as_matrix() @ TO_OURS.T
    np.testing.assert_allclose(where["Lower"].rotation, wanted, atol=1e-12)
    assert reading.figure.rest() == reading.posture


def test_a_figure_that_looks_elsewhere_is_turned(tmp_path: Path) -> None:
    reading = read(arm(), tmp_path, forward="-x")
    assert reading.posture is not None
    tip = reading.figure.place(reading.posture)["Tip"].position
    elbow = Rotation.from_euler("y", 20, degrees=True).apply([0.55, 0, 0])
    np.testing.assert_allclose(tip, [-elbow[0], elbow[2], 1], atol=1e-12)


def test_without_skins_and_animations_every_node_is_a_joint(tmp_path: Path) -> None:
    nodes = [{"children": [1]}, {"name": "b.1", "translation": [0, 1, 0]}, {"name": "b/1"}]
    reading = read(Draft(nodes=nodes), tmp_path)
    assert list(reading.figure.segments) == ["node_0", "b_1", "b_1_2"]
    assert [joint.kind.kind for joint in reading.figure.joints.values()] == ["free", "ball", "free"]
    assert any("every node is taken for a joint" in note for note in reading.notes)
    assert any("b.1 is b_1" in note for note in reading.notes)


@pytest.mark.parametrize("scale", [[100, 100, 100], [-1, -1, -1], [-2, 2, 2]])
def test_scales_above_the_skeleton_lose_nothing(tmp_path: Path, scale: list[float]) -> None:
    draft = arm()
    draft.data["nodes"][0] |= {"scale": scale, "rotation": quaternion("x", 30)}
    reading = read(draft, tmp_path, unit=0.01 if scale[0] == 100 else 1.0)
    clip = reading.clips["bend"]
    unit = 0.01 if scale[0] == 100 else 1.0
    base = np.eye(4)
    base[:3, :3] = Rotation.from_euler("x", 30, degrees=True).as_matrix() * scale
    base[:3, 3] = [0, 1, 0]
    for i, (degrees, along) in enumerate([(0, 0.0), (45, 0.5), (90, 1.0)]):
        upper, lower = np.eye(4), np.eye(4)
        upper[:3, :3] = Rotation.from_euler("y", 20, degrees=True).as_matrix()
        upper[:3, 3] = [0, 0, along]
        lower[:3, :3] = Rotation.from_euler("z", degrees, degrees=True).as_matrix()
        lower[:3, 3] = [0.3, 0, 0]
        tip = base @ upper @ lower @ [0.25, 0, 0, 1]
        where = clip.figure.place(clip[i])
        np.testing.assert_allclose(where["Tip"].position, TO_OURS @ tip[:3] * unit, atol=1e-7)


def test_centimetres_are_guessed_and_told(tmp_path: Path) -> None:
    draft = arm()
    draft.data["nodes"][2]["translation"] = [30, 0, 0]
    reading = read(draft, tmp_path)
    assert any("one unit is 1 cm" in note for note in reading.notes)
    joint = reading.figure.joints["Lower"]
    np.testing.assert_allclose(np.linalg.norm(joint.position), 0.3)
    metres = read(draft, tmp_path, unit="m").figure.joints["Lower"]
    np.testing.assert_allclose(np.linalg.norm(metres.position), 30.0)


def test_only_the_scene_that_is_shown_is_read(tmp_path: Path) -> None:
    draft = Draft(
        nodes=[{"name": "a"}, {"name": "b"}], scene=1, scenes=[{"nodes": [0]}, {"nodes": [1]}]
    )
    reading = read(draft, tmp_path)
    assert list(reading.figure.segments) == ["b"]
    assert any("1 nodes are in no scene" in note for note in reading.notes)


# motions -------------------------------------------------------------------------------------


def test_an_animation_becomes_a_clip_at_the_rate_of_its_keys(tmp_path: Path) -> None:
    clip = read(arm(), tmp_path).clips["bend"]
    assert (clip.frames, clip.fps, clip.name) == (3, 20.0, "bend")
    bend = np.linalg.norm(clip.q[:, clip.figure.span("Lower")], axis=1)
    np.testing.assert_allclose(np.rad2deg(bend), [0, 45, 90], atol=1e-5)
    np.testing.assert_allclose(clip.q[:, clip.figure.index("root.x")], [0, 0.5, 1.0], atol=1e-7)


def test_a_clip_may_be_sampled_at_any_rate(tmp_path: Path) -> None:
    clip = read(arm(), tmp_path, fps=100).clips["bend"]
    assert (clip.frames, clip.fps) == (11, 100.0)
    bend = np.linalg.norm(clip.q[:, clip.figure.span("Lower")], axis=1)
    np.testing.assert_allclose(np.rad2deg(bend), np.linspace(0, 90, 11), atol=1e-5)


def test_keys_far_apart_get_frames_between_them(tmp_path: Path) -> None:
    draft = arm()
    draft.data["animations"][0]["samplers"][0]["input"] = draft.numbers([0.0, 1.0, 2.0])
    draft.data["animations"][0]["samplers"][1]["input"] = draft.numbers([0.0, 2.0])
    clip = read(draft, tmp_path).clips["bend"]
    assert (clip.frames, clip.fps) == (61, 30.0)


def test_keys_on_no_even_steps_are_told(tmp_path: Path) -> None:
    draft = arm()
    draft.data["animations"][0]["samplers"][0]["input"] = draft.numbers([0.0, 0.0313, 0.1])
    reading = read(draft, tmp_path)
    assert reading.clips["bend"].fps == 30.0
    assert any("do not lie on even steps" in note for note in reading.notes)


@given(st.lists(st.integers(0, 10_000), min_size=4, max_size=4, unique=True), st.floats(0, 1))
def test_rotations_go_by_the_shortest_way_between_keys(seeds: list[int], share: float) -> None:
    from poise.formats.gltf.animations import Curve

    turns = Rotation.random(4, rng=np.random.default_rng(seeds))
    times = np.array([0.0, 0.4, 1.0, 1.5])
    curve = Curve(0, "rotation", times, turns.as_quat(), "LINEAR")
    when = np.array([share * 1.5])
    found = Rotation.from_quat(curve.at(when))
    assert (Slerp(times, turns)(when).inv() * found).magnitude().max() < 1e-7


def test_steps_hold_and_splines_follow_their_tangents() -> None:
    from poise.formats.gltf.animations import Curve

    times = np.array([1.0, 2.0, 4.0])
    held = Curve(0, "translation", times, np.array([[1.0] * 3, [2.0] * 3, [3.0] * 3]), "STEP")
    np.testing.assert_array_equal(
        held.at(np.array([0.0, 1.0, 1.99, 2.0, 3.9, 4.0, 9.0]))[:, 0], [1, 1, 1, 2, 2, 3, 3]
    )
    # A cubic is followed exactly when its values and slopes are given.
    value, slope = times**3 - times, 3 * times**2 - 1
    keys = np.stack([slope, value, slope], axis=1)[:, :, None] * np.ones(3)
    spline = Curve(0, "translation", times, keys, "CUBICSPLINE")
    when = np.linspace(1.0, 4.0, 13)
    np.testing.assert_allclose(spline.at(when)[:, 0], when**3 - when, atol=1e-12)


def test_an_animation_with_one_key_is_a_posture(tmp_path: Path) -> None:
    draft = arm()
    draft.data["animations"] = [
        {
            "name": "fist",
            "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}],
            "samplers": [
                {"input": draft.numbers([0.0]), "output": draft.numbers([quaternion("z", 60)])}
            ],
        }
    ]
    reading = read(draft, tmp_path)
    assert not reading.clips
    bend = np.asarray(reading.postures["fist"]["Lower"])
    np.testing.assert_allclose(np.rad2deg(np.linalg.norm(bend)), 60, atol=1e-5)


def test_a_joint_that_slides_much_is_free_and_one_that_slides_little_is_told(
    tmp_path: Path,
) -> None:
    for far, kind in ((0.1, "free"), (0.001, "ball")):
        draft = arm()
        samplers = draft.data["animations"][0]["samplers"]
        samplers[1]["output"] = draft.numbers([[0.3, 0, 0], [0.3 + far, 0, 0]])
        draft.data["animations"][0]["channels"][1]["target"]["node"] = 2
        reading = read(draft, tmp_path)
        assert reading.figure.joints["Lower"].kind.kind == kind
        assert any("slide" in note for note in reading.notes)
        if kind == "free":
            clip = reading.clips["bend"]
            place = clip.figure.place(clip[2])
            gap = np.linalg.norm(place["Lower"].position - place["Upper"].position)
            np.testing.assert_allclose(gap, 0.4, atol=1e-6)


def test_animations_that_take_too_long_to_follow_are_refused(tmp_path: Path) -> None:
    draft = arm()
    draft.data["animations"][0]["samplers"][1]["input"] = draft.numbers([0.0, 1e6])
    with pytest.raises(PoiseError, match="more than 10,000,000 frames times nodes"):
        read(draft, tmp_path)


def test_morph_targets_are_left_out_and_told(tmp_path: Path) -> None:
    draft = arm()
    channels = draft.data["animations"][0]["channels"]
    channels.append({"sampler": 1, "target": {"node": 4, "path": "weights"}})
    assert any("morph targets" in note for note in read(draft, tmp_path).notes)


# skins ---------------------------------------------------------------------------------------


def test_a_skin_follows_its_joints_and_not_its_own_node(tmp_path: Path) -> None:
    reading = read(arm(), tmp_path)
    assert reading.skin is not None
    (surface,) = reading.skin.surfaces
    assert surface.segments == ("Upper", "Lower")
    clip = reading.clips["bend"]
    places = {0: np.eye(4), 1: np.eye(4)}
    turn = Rotation.from_euler("y", 20, degrees=True).as_matrix()
    places[0][:3, :3], places[0][:3, 3] = turn, [0, 1, 1]
    lower = np.eye(4)
    lower[:3, :3] = Rotation.from_euler("z", 90, degrees=True).as_matrix()
    lower[:3, 3] = [0.3, 0, 0]
    places[1] = places[0] @ lower
    points = [(x, y, z) for x in (0.0, 0.3, 0.55) for y in (0.95, 1.05) for z in (-0.05, 0.05)]
    wanted = []
    for i, (x, y, z) in enumerate(points):
        share = (0.0, 0.5, 1.0)[i // 4]
        first = places[0] @ [x, y - 1, z, 1]
        second = places[1] @ [x - 0.3, y - 1, z, 1]
        wanted.append(TO_OURS @ ((1 - share) * first + share * second)[:3])
    found = surface.placed(clip.figure.place(clip[2]))
    np.testing.assert_allclose(found, wanted, atol=5e-3)  # weights are bytes: 127 of 255
    np.testing.assert_allclose(found[:4], wanted[:4], atol=1e-6)
    np.testing.assert_allclose(found[8:], wanted[8:], atol=1e-6)
    assert surface.triangles.shape == (4, 3)
    np.testing.assert_allclose(surface.weights.sum(axis=1), 1.0)
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0)


def test_a_mesh_without_skin_rides_on_the_segment_that_carries_it(tmp_path: Path) -> None:
    draft = arm()
    points = draft.numbers([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0.1, 0.1, 0]])
    draft.data["meshes"].append(
        {"name": "Watch", "primitives": [{"attributes": {"POSITION": points}, "mode": 5}]}
    )
    draft.data["nodes"][3]["mesh"] = 1
    reading = read(draft, tmp_path)
    assert reading.skin is not None
    watch = next(each for each in reading.skin.surfaces if each.name == "Watch")
    assert watch.triangles.tolist() == [[0, 1, 2], [2, 1, 3]]
    where = reading.figure.place(reading.clips["bend"][2])
    place = where.segment("Lower")
    first = place.apply(TO_OURS @ [0.25, 0, 0])
    np.testing.assert_allclose(watch.placed(where)[0], first, atol=1e-7)
    assert watch.placed_normals(where).shape == (4, 3)


def test_numbers_may_be_sparse_strided_short_or_not_there(tmp_path: Path) -> None:
    plain = read(arm(), tmp_path)
    draft = arm()
    attributes = draft.data["meshes"][0]["primitives"][0]["attributes"]
    accessors, views = draft.data["accessors"], draft.data["bufferViews"]
    old = accessors[attributes["POSITION"]]
    start = views[old["bufferView"]]["byteOffset"]
    points = np.frombuffer(draft.chunk[start : start + 144], "<f4").reshape(12, 3)
    spread = np.zeros((12, 5), "<f4")
    spread[:, 1:4] = points
    spread[7, 1:4] = 99.0
    view = draft.view(spread.tobytes(), byteStride=20)
    old |= {
        "bufferView": view,
        "byteOffset": 4,
        "sparse": {
            "count": 1,
            "indices": {"bufferView": draft.view(b"\x07"), "componentType": BYTE},
            "values": {"bufferView": draft.view(points[7].tobytes())},
        },
    }
    corners = [0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7]
    draft.data["meshes"][0]["primitives"][0]["indices"] = draft.numbers(corners, LONG)
    weights = np.array([[255, 0, 0, 0]] * 4 + [[127, 127, 0, 0]] * 4 + [[0, 255, 0, 0]] * 4)
    attributes["WEIGHTS_0"] = draft.numbers(weights * 257, SHORT, normalized=True)
    same = read(draft, tmp_path)
    assert plain.skin is not None
    assert same.skin is not None
    np.testing.assert_array_equal(same.skin.surfaces[0].points, plain.skin.surfaces[0].points)
    np.testing.assert_array_equal(same.skin.surfaces[0].triangles, plain.skin.surfaces[0].triangles)
    np.testing.assert_allclose(same.skin.surfaces[0].weights, plain.skin.surfaces[0].weights)
    draft.data["accessors"].append({"componentType": 5126, "count": 12, "type": "VEC3"})
    attributes["POSITION"] = len(draft.data["accessors"]) - 1
    empty = read(draft, tmp_path).skin
    assert empty is not None
    assert not empty.surfaces[0].points.any()


def test_materials_and_their_pictures_come_along(tmp_path: Path) -> None:
    draft = arm()
    image = b"\x89PNG\r\n\x1a\nnot much of one"
    draft.data |= {
        "materials": [
            {
                "pbrMetallicRoughness": {
                    "baseColorFactor": [1, 0.5, 0, 1],
                    "baseColorTexture": {"index": 0},
                },
                "doubleSided": True,
            }
        ],
        "textures": [{"source": 0}],
        "images": [{"bufferView": draft.view(image), "mimeType": "image/png"}],
    }
    primitive = draft.data["meshes"][0]["primitives"][0]
    primitive["material"] = 0
    primitive["attributes"]["TEXCOORD_0"] = draft.numbers([[0.25, 0.5]] * 12)
    skin = read(draft, tmp_path).skin
    assert skin is not None
    material = skin.surfaces[0].material
    assert material.color == (1.0, 0.5, 0.0, 1.0)
    assert material.image == image
    assert material.double_sided
    assert skin.surfaces[0].texture is not None
    draft.data["images"] = [{"uri": "missing.png"}]
    reading = read(draft, tmp_path)
    assert any("a picture is left out" in note for note in reading.notes)


def pictured(texture: dict[str, Any], **material: Any) -> Draft:
    """The arm with a picture; its points lie at (0.25, 0.5), in a second set at (0.75, 0)."""
    draft = arm()
    metal = {"baseColorTexture": {"index": 0, **texture}}
    draft.data |= {
        "materials": [{"pbrMetallicRoughness": metal, **material}],
        "textures": [{"source": 0}],
        "images": [{"bufferView": draft.view(b"\x89PNG\r\n\x1a\n"), "mimeType": "image/png"}],
    }
    primitive = draft.data["meshes"][0]["primitives"][0]
    primitive["material"] = 0
    primitive["attributes"]["TEXCOORD_0"] = draft.numbers([[0.25, 0.5]] * 12)
    primitive["attributes"]["TEXCOORD_1"] = draft.numbers([[0.75, 0.0]] * 12)
    return draft


@pytest.mark.parametrize(
    ("texture", "place"),
    [
        ({}, (0.25, 0.5)),
        ({"texCoord": 1}, (0.75, 0.0)),
        ({"offset": [0.1, 0.2]}, (0.35, 0.7)),
        ({"scale": [2, 3]}, (0.5, 1.5)),
        ({"rotation": np.pi / 2}, (0.5, -0.25)),
        ({"rotation": np.pi / 2, "scale": [2, 3], "offset": [0.1, 0.2]}, (1.6, -0.3)),
        ({"transform_coordinates": 1}, (0.75, 0.0)),
    ],
)
def test_a_picture_lies_where_the_material_says(
    tmp_path: Path, texture: dict[str, Any], place: tuple[float, float]
) -> None:
    given = {key: value for key, value in texture.items() if key in ("offset", "scale", "rotation")}
    if "transform_coordinates" in texture:
        given["texCoord"] = texture["transform_coordinates"]
    use = {"texCoord": texture.get("texCoord", 0), "extensions": {"KHR_texture_transform": given}}
    skin = read(pictured(use), tmp_path).skin
    assert skin is not None
    assert skin.surfaces[0].texture is not None
    np.testing.assert_allclose(skin.surfaces[0].texture, [place] * 12, atol=1e-6)


@pytest.mark.parametrize(
    ("given", "alpha", "cutoff"),
    [
        ({}, "opaque", 0.5),
        ({"alphaMode": "OPAQUE"}, "opaque", 0.5),
        ({"alphaMode": "BLEND"}, "blend", 0.5),
        ({"alphaMode": "MASK", "alphaCutoff": 0.25}, "mask", 0.25),
    ],
)
def test_what_opacity_does_comes_along_and_goes_back(
    tmp_path: Path, given: dict[str, Any], alpha: str, cutoff: float
) -> None:
    reading = read(pictured({}, **given), tmp_path)
    gltf.write(reading, tmp_path / "again.glb")
    for each in (reading, gltf.read(tmp_path / "again.glb")):
        assert each.skin is not None
        material = each.skin.surfaces[0].material
        assert (material.alpha, material.cutoff) == (alpha, cutoff)


def test_an_unknown_mode_of_opacity_and_colours_of_points_are_told(tmp_path: Path) -> None:
    draft = pictured({}, alphaMode="FOG")
    attributes = draft.data["meshes"][0]["primitives"][0]["attributes"]
    attributes["COLOR_0"] = draft.numbers([[1.0, 0.0, 0.0]] * 12)
    notes = read(draft, tmp_path).notes
    assert "the alphaMode 'FOG' is not known: opaque" in notes
    assert "colours of single points are left out" in notes


# containers ----------------------------------------------------------------------------------


def test_buffers_may_be_in_the_text_or_in_a_file_of_the_folder(tmp_path: Path) -> None:
    import base64

    draft = arm()
    wanted = gltf.read(draft.save(tmp_path / "arm.glb")).clips["bend"].q
    inside = draft.whole()
    text = base64.b64encode(draft.chunk).decode()
    inside["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{text}"
    (tmp_path / "inside.gltf").write_text(json.dumps(inside))
    beside = draft.whole()
    beside["buffers"][0]["uri"] = "the%20numbers.bin"
    (tmp_path / "beside.gltf").write_text(json.dumps(beside))
    (tmp_path / "the numbers.bin").write_bytes(draft.chunk)
    for name in ("inside.gltf", "beside.gltf"):
        np.testing.assert_array_equal(gltf.read(tmp_path / name).clips["bend"].q, wanted)


def change(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def make(data: dict[str, Any]) -> None:
        here: Any = data
        for key in path[:-1]:
            here = here[key]
        here[path[-1]] = to

    return make


WRONG: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (change("asset", "version", to="1.0"), "asset.version must be 2.0, not '1.0'"),
    (change("asset", to=[]), "asset.version must be 2.0"),
    (change("asset", "minVersion", to="2.1"), "needs a reader of glTF 2.1"),
    (change("nodes", to=[]), "there are no nodes"),
    (change("nodes", 1, "children", to=[77]), r"nodes\[1\].children: there is no node 77"),
    (change("nodes", 3, "children", to=[2]), r"nodes\[2\] is a child of two nodes, 1 and 3"),
    (change("nodes", 1, "rotation", to=[0, 0, 0, 0]), r"nodes\[1\].rotation must be a unit"),
    (change("nodes", 1, "rotation", to=[0, 0, 1]), r"nodes\[1\].rotation"),
    (change("nodes", 1, "scale", to=[1e300] * 3), "too far away or too large"),
    (change("nodes", 1, "translation", to=[1e8, 0, 0]), "farther than 1e"),
    (change("nodes", 1, "matrix", to=[1.0] * 16), r"nodes\[1\].matrix must end in"),
    (change("nodes", 4, "mesh", to=5), r"nodes\[4\]: there is no mesh 5"),
    (change("nodes", 4, "skin", to=5), r"nodes\[4\]: there is no skin 5"),
    (change("scenes", 0, "nodes", to=[9]), r"scenes\[0\].nodes: there is no node 9"),
    (change("scenes", 0, "nodes", to=[1]), r"root 1 is a child of nodes\[0\]"),
    (change("scene", to=3), "there is no scene 3"),
    (change("skins", 0, "joints", to=[55]), "there is no node 55 to be a joint"),
    (change("skins", 0, "joints", to=[0, 1, 2]), "need as many inverse bind matrices, not 2"),
    (change("skins", 0, "inverseBindMatrices", to=1), "must be of the type MAT4, not VEC3"),
    (change("accessors", 0, "count", to=10**9), r"accessors\[0\].count"),
    (change("accessors", 0, "count", to=1000), r"accessors\[0\] ends at byte 64000 of bufferV"),
    (change("accessors", 0, "byteOffset", to=-1), r"accessors\[0\].byteOffset"),
    (change("accessors", 0, "componentType", to=7), r"accessors\[0\].componentType"),
    (change("accessors", 0, "bufferView", to=99), "there is no buffer view 99"),
    (change("bufferViews", 0, "byteLength", to=10**8), "perhaps the file was cut off"),
    (change("bufferViews", 0, "byteStride", to=4), "byteStride must be at least 64"),
    (change("bufferViews", 0, "buffer", to=1), "there is no buffer 1"),
    (change("buffers", 0, "byteLength", to=10**7), r"buffers\[0\] should have 10000000 bytes"),
    (change("buffers", 0, "uri", to="../secret.bin"), "outside the file's folder"),
    (change("buffers", 0, "uri", to="/etc/passwd"), "outside the file's folder"),
    (change("buffers", 0, "uri", to="http://example.org/a.bin"), "is not read; only files in"),
    (change("buffers", 0, "uri", to="data:;base64,???"), "this is not base64"),
    (change("buffers", 0, "uri", to="missing.bin"), "there is no file"),
    (change("animations", 0, "channels", 0, "sampler", to=9), "there is no sampler 9"),
    (change("animations", 0, "channels", 0, "target", "node", to=9), "there is no node 9"),
    (change("animations", 0, "samplers", 0, "input", to=99), "there is no accessor 99"),
    (change("animations", 0, "samplers", 0, "interpolation", to="X"), "interpolation"),
    (change("animations", 0, "samplers", 1, "interpolation", to="CUBICSPLINE"), "need 6 values"),
    (change("meshes", 0, "primitives", 0, "attributes", "JOINTS_0", to=1), "whole numbers|VEC4"),
    (change("meshes", 0, "primitives", 0, "material", to=4), "there is no material 4"),
    (change("extensionsRequired", to=["EXT_meshopt_compression"]), "compressed with EXT_meshopt"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG, ids=[message[:40] for _, message in WRONG])
def test_a_wrong_file_is_refused_with_what_and_where(
    tmp_path: Path, wrong: Callable[[dict[str, Any]], None], message: str
) -> None:
    draft = arm()
    data = draft.whole()
    wrong(data)
    path = tmp_path / "wrong.glb"
    path.write_bytes(packed(data, draft.chunk))
    with pytest.raises(PoiseError, match=message) as caught:
        gltf.read(path)
    assert "wrong.glb" in str(caught.value) or "missing.bin" in str(caught.value)


def test_moving_one_thing_twice_is_refused(tmp_path: Path) -> None:
    draft = arm()
    channels = draft.data["animations"][0]["channels"]
    channels.append(channels[0])
    with pytest.raises(PoiseError, match=r"moves the rotation of nodes\[2\] a second time"):
        read(draft, tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"glTF", "is cut off: a GLB has at least 20 bytes"),
        (b"glTF" + b"\1\0\0\0" + b"\0" * 20, "a GLB of version 1"),
        (arm().glb()[:-200], "is cut off: it should have"),
        (arm().glb().replace(b"JSON", b"NOSJ"), "the first chunk of a GLB must be JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b"[1, 2", "line 1, column 6: this is not JSON"),
        (b"[]", "a glTF file is a JSON object"),
        (b'{"asset": {"version": "2.0"}, "x": NaN}', "NaN is no number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "this is not JSON"),
        (b'{"a": [' + b"0," * 2_100_000 + b"0]}", "more than 2,000,000 values"),
        ("ä".encode("latin-1"), "not text in UTF-8"),
    ],
    ids=lambda each: each[:30] if isinstance(each, str) else "",
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "none.glb"
    path.write_bytes(content)
    with pytest.raises(PoiseError, match=message):
        gltf.read(path)


def test_a_buffer_that_is_missing_matters_only_where_something_uses_it(tmp_path: Path) -> None:
    draft = arm()
    data = draft.whole()
    (tmp_path / "numbers.bin").write_bytes(draft.chunk)
    used = {"byteLength": len(draft.chunk), "uri": "numbers.bin"}
    data["buffers"] = [used, {"byteLength": 64, "uri": "gone.bin"}]
    data["bufferViews"].append({"buffer": 1, "byteLength": 64})
    path = tmp_path / "file.gltf"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert list(gltf.read(path).figure.segments) == ["Upper", "Lower"]
    (tmp_path / "numbers.bin").unlink()
    with pytest.raises(
        PoiseError, match=r"file\.gltf: buffers\[0\]\.uri: there is no file '.*numbers\.bin'"
    ):
        gltf.read(path)


def test_a_chain_of_nodes_too_long_is_refused_and_a_long_one_is_read(tmp_path: Path) -> None:
    def chain(count: int) -> Draft:
        nodes: list[dict[str, Any]] = [{"children": [i + 1]} for i in range(count - 1)]
        return Draft(nodes=[*nodes, {}])

    assert len(read(chain(1000), tmp_path).figure.segments) == 1000
    with pytest.raises(PoiseError, match="nested more than 2000 deep"):
        read(chain(3000), tmp_path)


def test_a_file_of_very_many_nodes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match="it has 20,001 nodes, more than 20,000"):
        read(Draft(nodes=[{} for _ in range(20_001)]), tmp_path)


def test_numbers_shared_without_measure_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = arm()
    mesh = draft.data["meshes"][0]
    mesh["primitives"] = 3 * mesh["primitives"]
    assert read(draft, tmp_path).skin is not None
    monkeypatch.setattr("poise.formats.gltf.surfaces.MOST_POINTS", 30)
    with pytest.raises(PoiseError, match="its meshes have more than 30 points"):
        read(draft, tmp_path)
    monkeypatch.setattr("poise.formats.gltf.accessors.MOST_READ", 80)
    with pytest.raises(PoiseError, match="it holds more than 80 numbers"):
        read(draft, tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "parsec"}, "there is no unit 'parsec'"),
        ({"forward": "y"}, "there is no axis that points forward 'y'"),
        ({"fps": 0}, "fps must be greater than 0"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, options: Any, message: str) -> None:
    with pytest.raises(PoiseError, match=message):
        read(arm(), tmp_path, **options)


def test_spoilt_files_are_read_or_refused_but_nothing_else() -> None:
    readable, refused = fuzz(300, seed=7)
    assert readable > 20
    assert refused > 20


# real files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "segments", "clips", "points"),
    [
        ("CesiumMan", 19, 1, 3273),
        ("RiggedFigure", 19, 1, 370),
        ("Fox", 24, 3, 1728),
        ("quaternius_humanoid_rig", 27, 0, 1895),
    ],
)
def test_real_files_are_read(data: Path, name: str, segments: int, clips: int, points: int) -> None:
    reading = gltf.read(data / "meshes" / f"{name}.glb")
    assert len(reading.figure.segments) == segments
    assert len(reading.clips) == clips
    assert reading.skin is not None
    assert sum(len(surface.points) for surface in reading.skin.surfaces) == points
    assert reading.posture is not None
    placed = np.concatenate(list(reading.skin.placed(reading.figure, reading.posture).values()))
    size = np.ptp(placed, axis=0)
    tall = {"CesiumMan": 1.5, "RiggedFigure": 1.5, "Fox": 0.79, "quaternius_humanoid_rig": 3.2}
    assert 0.6 * tall[name] < size[2] < 1.4 * tall[name], f"{name} is {size} m large"


def test_a_real_skin_bends_as_an_independent_reading_has_it(data: Path) -> None:
    library = pytest.importorskip("pygltflib")
    path = data / "meshes" / "CesiumMan.glb"
    model = library.GLTF2().load(str(path))
    chunk = model.binary_blob()

    def numbers(index: int) -> np.ndarray:
        accessor = model.accessors[index]
        view = model.bufferViews[accessor.bufferView]
        kind = {5126: "<f4", 5123: "<u2"}[accessor.componentType]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor.type]
        size = np.dtype(kind).itemsize
        stride = view.byteStride or size * width
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        rows = [
            np.frombuffer(chunk, kind, width, start + i * stride) for i in range(accessor.count)
        ]
        return np.array(rows, float)

    key = 17
    local: list[np.ndarray] = []
    for i, node in enumerate(model.nodes):
        moved = {}
        for channel in model.animations[0].channels:
            if channel.target.node == i:
                sampler = model.animations[0].samplers[channel.sampler]
                moved[channel.target.path] = numbers(sampler.output)[key]
        matrix = np.eye(4)
        if node.matrix:
            matrix = np.array(node.matrix).reshape(4, 4).T
        else:
            turn = moved.get("rotation", node.rotation or [0, 0, 0, 1])
            matrix[:3, :3] = Rotation.from_quat(turn).as_matrix()
            matrix[:3, :3] *= moved.get("scale", node.scale or [1, 1, 1])
            matrix[:3, 3] = moved.get("translation", node.translation or [0, 0, 0])
        local.append(matrix)
    world: dict[int, np.ndarray] = {0: local[0]}
    queue = [0]
    for node in queue:
        for child in model.nodes[node].children or []:
            world[child] = world[node] @ local[child]
            queue.append(child)
    skin = model.skins[0]
    inverse = numbers(skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
    joints = np.array([world[j] @ m for j, m in zip(skin.joints, inverse, strict=True)])
    attributes = model.meshes[0].primitives[0].attributes
    points = np.column_stack([numbers(attributes.POSITION), np.ones(3273)])
    who, much = numbers(attributes.JOINTS_0).astype(int), numbers(attributes.WEIGHTS_0)
    much /= much.sum(axis=1, keepdims=True)
    wanted = np.einsum("kw,kwij,kj->ki", much, joints[who], points)[:, :3] @ TO_OURS.T

    reading = gltf.read(path)
    clip = reading.clips["animation_0"]
    assert reading.skin is not None
    found = reading.skin.surfaces[0].placed(clip.figure.place(clip[key]))
    # The file also slides some joints by 2 mm and scales them by a millionth, which is told.
    assert np.abs(found - wanted).max() < 4e-3
    assert any("slide" in note for note in reading.notes)
