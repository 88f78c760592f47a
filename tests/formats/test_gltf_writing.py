"""Writing glTF: what others see in the file, and that it comes back."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.formats.gltf_files import arm, packed, unpacked

import poise
from poise import PoiseError
from poise.figure import (
    Ball,
    Box,
    Builder,
    Capsule,
    Cylinder,
    Elbow,
    Ellipsoid,
    Fixed,
    Hinge,
    Slider,
    Sphere,
    SphericalEllipse,
    Swing,
    TaperedCapsule,
    Twist,
)
from poise.figure.files import figure_text
from poise.figure.merging import merge
from poise.formats import gltf, read
from poise.formats.reading import Reading
from poise.motion import Clip
from poise.motion.links import placed
from poise.tasks import Position

TO_OURS = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])

SHAPES = [
    Sphere((0.1, 0.2, 0.3), 0.2),
    Capsule((0, 0, 0), (0.1, 0.3, -0.2), 0.05),
    TaperedCapsule((0, 0, 0), (0.4, 0.1, 0), 0.1, 0.03),
    Cylinder((0, 0, -0.1), (0, 0.1, 0.3), 0.07),
    Ellipsoid((0.1, 0, 0), (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)),
    Box((0, 0.1, 0), (0.1, 0.2, 0.3), (0.5, 0, 0.2)),
]


def every_kind() -> poise.Figure:
    """A figure with a joint of each kind, each shape, sites, a coupling and a group."""
    builder = Builder("every", "one of each")
    names = ["base", "a", "b", "c", "d", "e", "f"]
    for name, shape in zip(names, [None, *SHAPES], strict=True):
        shapes = [shape] if shape else []
        builder.segment(name, mass=1.0, shapes=shapes, color="#336699")
    builder.root("base")
    ball = Ball(
        axis="x", zero=(0, 0.2, 0), swing=(SphericalEllipse(1.0, 0.7),), twist=Twist(-0.5, 0.9)
    )
    kinds = [
        Hinge("z", (-1.0, 2.0)),
        Slider("x", (-0.1, 0.2)),
        Elbow(),
        Swing(axis="y"),
        ball,
        Fixed(),
    ]
    for i, kind in enumerate(kinds):
        builder.joint(
            f"to_{names[i + 1]}",
            kind,
            names[i],
            names[i + 1],
            (0.2, 0.1 * i, 0.0),
            rotation=(0.1 * i, 0.2, -0.3),
            child_position=(0.0, 0.0, 0.05),
            child_rotation=(0.0, 0.4, 0.0),
        )
    builder.site("tip", "f", (0.1, 0, 0), rotation=(0, 0.5, 0), outline=[(0, 0), (1, 0), (0, 1)])
    builder.couple("law", {"to_a.angle": 1.0, "to_c.flexion": -0.5}, upper=1.0)
    builder.posture("rest", {"to_a": 0.3}, z=0.5)
    return builder.build()


def wandering(figure: poise.Figure, frames: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    start = figure.rest().q
    q = start + np.cumsum(0.03 * rng.normal(size=(frames, figure.n)), axis=0)
    return np.array([figure.clamp(each).q for each in q])


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("make", [every_kind, poise.human, poise.quadruped, lambda: poise.chain(5)])
def test_a_figure_comes_back_with_all_that_it_has(tmp_path: Path, make: Any, suffix: str) -> None:
    figure = make()
    q = wandering(figure, 12)
    clip = Clip(figure, q, 29.97, "walk")
    path = tmp_path / f"out{suffix}"
    postures = {"squat": figure.posture(q[3]), "stand": figure.rest()}
    written = Reading(figure, figure.posture(q[7]), postures, {"walk": clip})
    assert gltf.write(written, path, detail=8) == ()
    back = gltf.read(path)
    assert back.notes == ()
    assert figure_text(back.figure) == figure_text(figure)
    assert back.posture is not None
    assert back.skin is None
    np.testing.assert_allclose(back.posture.q, q[7], atol=1e-12)
    assert list(back.postures) == ["squat", "stand"]
    np.testing.assert_allclose(back.postures["squat"].q, q[3], atol=1e-6)
    np.testing.assert_allclose(back.postures["stand"].q, figure.rest().q, atol=1e-6)
    assert list(back.clips) == ["walk"]
    assert back.clips["walk"].fps == pytest.approx(29.97)
    ours, theirs = placed(figure, q), placed(back.figure, back.clips["walk"].q)
    for name in figure.segments:
        np.testing.assert_allclose(theirs[name][1], ours[name][1], atol=1e-6)


def test_others_see_every_segment_where_it_is(tmp_path: Path) -> None:
    library = pytest.importorskip("pygltflib")
    figure = every_kind()
    posture = figure.posture(wandering(figure, 5)[4])
    path = tmp_path / "out.glb"
    gltf.write(Reading(figure, posture), path)
    model = library.GLTF2().load(str(path))
    where = figure.place(posture)
    world: dict[int, np.ndarray] = {}
    queue = list(model.scenes[model.scene].nodes)
    parents = {c: i for i, node in enumerate(model.nodes) for c in node.children or []}
    for number in queue:
        node = model.nodes[number]
        matrix = np.eye(4)
        matrix[:3, :3] = Rotation.from_quat(node.rotation or [0, 0, 0, 1]).as_matrix()
        matrix[:3, 3] = node.translation or [0, 0, 0]
        world[number] = world[parents[number]] @ matrix if number in parents else matrix
        queue += node.children or []
        place = where.segment(node.name) if node.name in figure.segments else where[node.name]
        np.testing.assert_allclose(TO_OURS @ world[number][:3, 3], place.position, atol=1e-9)
        turn = TO_OURS @ world[number][:3, :3] @ TO_OURS.T
        np.testing.assert_allclose(turn, place.rotation, atol=1e-9)
    assert len(world) == len(figure.segments) + len(figure.sites)


def test_limits_and_sites_are_in_the_extras(tmp_path: Path) -> None:
    path = tmp_path / "out.glb"
    gltf.write(Reading(every_kind()), path)
    data, _ = unpacked(path.read_bytes())
    nodes = {node["name"]: node["extras"]["poise"] for node in data["nodes"]}
    assert nodes["a"] == {
        "segment": "a",
        "joint": "to_a",
        "kind": "hinge",
        "coordinates": ["to_a.angle"],
        "lower": [-1.0],
        "upper": [2.0],
    }
    assert nodes["c"]["lower"] == [None, None]
    assert nodes["tip"] == {"site": "tip", "outline": [[0, 0], [1, 0], [0, 1]]}
    assert "figure:" in data["extras"]["poise"]["figure"]


def test_a_file_that_another_program_has_changed_is_read_by_its_nodes(tmp_path: Path) -> None:
    path = tmp_path / "out.glb"
    gltf.write(Reading(every_kind()), path)
    data, chunk = unpacked(path.read_bytes())
    data["extras"]["poise"]["figure"] = "figure: {segments: {base: {}}}"
    path.write_bytes(packed(data, chunk))
    back = gltf.read(path)
    assert any("left aside" in note for note in back.notes)
    assert set(back.figure.segments) > {"base", "a", "f"}
    data["extras"]["poise"]["figure"] = "[this is no figure"
    path.write_bytes(packed(data, chunk))
    assert any("cannot be read" in note for note in gltf.read(path).notes)


def test_a_skin_goes_out_and_comes_back(tmp_path: Path) -> None:
    reading = gltf.read(arm().save(tmp_path / "arm.glb"))
    gltf.write(reading, tmp_path / "out.glb")
    back = gltf.read(tmp_path / "out.glb")
    assert reading.skin is not None
    assert back.skin is not None
    (old,), (new,) = reading.skin.surfaces, back.skin.surfaces
    np.testing.assert_array_equal(new.triangles, old.triangles)
    clip = reading.clips["bend"]
    ours = old.placed(clip.figure.place(clip[2]))
    theirs = new.placed(back.figure.place(back.clips["bend"][2]))
    np.testing.assert_allclose(theirs, ours, atol=1e-6)
    assert back.figure.coordinates == reading.figure.coordinates
    gltf.write(reading, tmp_path / "bare.glb", surface="none")
    assert gltf.read(tmp_path / "bare.glb").skin is None
    data, _ = unpacked((tmp_path / "bare.glb").read_bytes())
    assert "meshes" not in data


def test_real_skins_go_out_and_come_back(data: Path, tmp_path: Path) -> None:
    for name in ("CesiumMan", "quaternius_humanoid_rig", "Fox"):
        reading = gltf.read(data / "meshes" / f"{name}.glb")
        gltf.write(reading, tmp_path / "out.glb")
        back = gltf.read(tmp_path / "out.glb")
        assert reading.posture is not None
        assert reading.skin is not None
        assert back.posture is not None
        assert back.skin is not None
        ours = reading.skin.placed(reading.figure, reading.posture)
        theirs = back.skin.placed(back.figure, back.posture)
        for surface, points in ours.items():
            np.testing.assert_allclose(theirs[surface], points, atol=1e-5)
        for clip in reading.clips:
            assert back.clips[clip].frames == reading.clips[clip].frames


def test_colours_are_written_as_shares_of_light(tmp_path: Path) -> None:
    gltf.write(Reading(every_kind()), tmp_path / "out.glb")
    data, _ = unpacked((tmp_path / "out.glb").read_bytes())
    (material,) = data["materials"]
    color = material["pbrMetallicRoughness"]["baseColorFactor"]
    assert color == pytest.approx([0.0331048, 0.1328683, 0.3185468, 1.0], abs=1e-6)


def test_a_giant_comes_back_as_a_giant_and_by_its_nodes_in_another_unit(tmp_path: Path) -> None:
    giant = poise.chain(3, length=40.0)
    gltf.write(Reading(giant), tmp_path / "giant.glb")
    back = gltf.read(tmp_path / "giant.glb")
    assert figure_text(back.figure) == figure_text(giant)
    small = gltf.read(tmp_path / "giant.glb", unit="cm")
    assert small.posture is not None
    where = small.figure.place(small.posture)
    np.testing.assert_allclose(np.linalg.norm(where["tip"].position), 1.2, atol=1e-9)


def test_several_figures_go_into_one_file(tmp_path: Path) -> None:
    both = merge({"anna": poise.chain(2), "ben": poise.chain(3)})
    (note,) = poise.export(both.rest(), tmp_path / "both.glb")
    assert note.startswith("names with / are written with _: anna/")
    back = gltf.read(tmp_path / "both.glb").figure
    assert list(back.segments) == [name.replace("/", "_") for name in both.segments]
    assert list(back.sites) == [name.replace("/", "_") for name in both.sites]
    assert back.coordinates == [name.replace("/", "_") for name in both.coordinates]
    np.testing.assert_allclose(back.upper, both.upper, atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"surface": "fur"}, "surface must be one of auto, skin, shapes, none, not 'fur'"),
        ({"surface": "skin"}, "there is no skin"),
        ({"detail": 3}, "detail must be a whole number from 8 to 256, not 3"),
        ({"detail": 24.0}, "detail must be a whole number"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, options: Any, message: str) -> None:
    with pytest.raises(PoiseError, match=message):
        gltf.write(Reading(poise.chain(2)), tmp_path / "out.glb", **options)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match="it is a folder"):
        gltf.write(Reading(poise.chain(2)), tmp_path)
    with pytest.raises(PoiseError, match="No such file"):
        gltf.write(Reading(poise.chain(2)), tmp_path / "nowhere" / "out.glb")


def test_a_posture_of_another_figure_is_refused(tmp_path: Path) -> None:
    other = poise.chain(3)
    with pytest.raises(PoiseError, match="does not fit"):
        gltf.write(Reading(poise.chain(2), postures={"odd": other.posture()}), tmp_path / "out.glb")
    with pytest.raises(PoiseError, match="does not fit"):
        gltf.write(Reading(poise.chain(2), other.posture()), tmp_path / "out.glb")


def furnished() -> poise.Scene:
    """A chain that holds a parcel, with a table beside it."""
    scene = poise.Scene(poise.chain(3, 0.3))
    table = poise.box(0.4, 0.5, 0.7, name="table", color="#336699")
    scene.place(table, (0.5, 0.1, 0.35), (0.0, 0.0, 0.5))
    scene.hold(poise.box(0.1, 0.1, 0.1, name="parcel", color="#ff0000"), "tip")
    scene.add(Position("tip", (0.4, 0.0, 0.5)), name="reach")
    return scene


def opened(path: Path) -> Any:
    """A file as another library reads it."""
    return pytest.importorskip("pygltflib").GLTF2().load(str(path))


def drawn(file: Any, node: Any) -> tuple[list[float], list[float]]:
    """The size (x, y, z of the file) and the colour of the mesh that a node shows."""
    (primitive,) = file.meshes[node.mesh].primitives
    points = file.accessors[primitive.attributes.POSITION]
    size = np.subtract(points.max, points.min).tolist()
    metal = file.materials[primitive.material].pbrMetallicRoughness
    return size, metal.baseColorFactor


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_props_are_meshes_with_their_names_and_colours(tmp_path: Path, suffix: str) -> None:
    solution = furnished().solve()
    path = tmp_path / f"scene{suffix}"
    assert not any("props" in note for note in poise.export(solution, path))
    file = opened(path)
    nodes = {node.name: node for node in file.nodes}
    table, parcel = nodes["table"], nodes["parcel"]
    assert file.nodes.index(table) in file.scenes[0].nodes
    assert [round(each, 6) for each in table.translation] == [0.1, 0.35, 0.5]
    np.testing.assert_allclose(table.rotation, [0, np.sin(0.25), 0, np.cos(0.25)], atol=1e-6)
    size, color = drawn(file, table)
    np.testing.assert_allclose(size, [0.5, 0.7, 0.4], atol=1e-6)
    np.testing.assert_allclose(color, [0.033105, 0.132868, 0.318547, 1.0], atol=1e-5)
    size, color = drawn(file, parcel)
    np.testing.assert_allclose(size, [0.1, 0.1, 0.1], atol=1e-6)
    np.testing.assert_allclose(color, [1.0, 0.0, 0.0, 1.0], atol=1e-5)


def test_a_scene_with_props_reads_back_as_its_figure(tmp_path: Path) -> None:
    scene = furnished()
    poise.export(scene, tmp_path / "scene.glb")
    reading = read(tmp_path / "scene.glb")
    assert set(reading.figure.segments) == set(scene.posture.figure.segments)
    assert reading.skin is None
    assert reading.notes == ("props that stand in the world left out: table",)


def test_a_held_prop_follows_the_hand_in_an_animation(tmp_path: Path) -> None:
    path = np.linspace((0.4, 0.0, 0.5), (0.5, 0.0, 0.3), 5)
    moves = furnished().animate({"reach": path}, fps=10)
    moves.save(tmp_path / "moves.glb")
    file = opened(tmp_path / "moves.glb")
    nodes = {node.name: number for number, node in enumerate(file.nodes)}
    (animation,) = file.animations
    moved = {channel.target.node for channel in animation.channels}
    carriers = [
        number for number, node in enumerate(file.nodes) if nodes["parcel"] in node.children
    ]
    assert carriers
    assert set(carriers) <= moved, "its parent moves, and it does not by itself"
    assert not {nodes["parcel"], nodes["table"]} & moved
    (clip,) = read(tmp_path / "moves.glb").clips.values()
    for target, posture in zip(path, clip, strict=True):
        parcel = clip.figure.place(posture).segment("parcel")
        np.testing.assert_allclose(parcel.position, target, atol=1e-3)


def test_without_a_surface_props_are_not_drawn_either(tmp_path: Path) -> None:
    poise.export(furnished(), tmp_path / "bare.glb", surface="none")
    file = opened(tmp_path / "bare.glb")
    assert not file.meshes
