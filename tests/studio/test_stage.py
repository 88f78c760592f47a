"""What the page builds and draws: stage, frames, overlays."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.studio.pages import Page

import poise
from poise.figure.skin import Skin, Surface
from poise.figure.transform import quaternion, rotation_matrix
from poise.scene import Scene
from poise.studio.document import Document
from poise.studio.frames import HEAD, NODE, Framer, quaternions
from poise.studio.overlays.limits import clipped, near_end
from poise.studio.session import Session
from poise.studio.stage import stage_of


def test_quaternions_are_those_of_the_matrices_also_at_half_a_turn() -> None:
    random = np.random.default_rng(1)
    vectors = np.concatenate([random.normal(size=(50, 3)), np.pi * np.eye(3), np.zeros((1, 3))])
    matrices = np.array([rotation_matrix(each) for each in vectors])
    for matrix, (x, y, z, w) in zip(matrices, quaternions(matrices), strict=True):
        expected = quaternion(matrix)
        assert abs(np.dot(expected, [w, x, y, z])) == pytest.approx(1.0)


def test_a_frame_has_every_node_where_it_is() -> None:
    scene = Scene(poise.human())
    scene.place(poise.box(0.4, 0.4, 0.4, name="table"), (1.0, 0.2, 0.2), (0, 0, 0.5))
    framer = Framer(scene, 7)
    numbers = np.frombuffer(framer.frame(scene.q, 41, 1), "<f4")
    assert numbers[:4].tolist() == [7, 41, len(framer.names), 1]
    center = scene.posture.figure.center_of_mass(scene.posture)
    assert np.allclose(numbers[4:7], center, atol=1e-6)
    rows = numbers[HEAD:].reshape(-1, NODE)
    for name, row in zip(framer.names, rows, strict=True):
        place = scene.places.segment(name)
        assert np.allclose(row[:3], place.position, atol=1e-6)
        x, y, z, w = row[3:].astype(float)
        assert abs(np.dot(quaternion(place.rotation), [w, x, y, z])) == pytest.approx(1.0, abs=1e-6)


def test_a_figure_without_mass_has_no_centre() -> None:
    builder = poise.Builder("bare")
    builder.segment("one")
    scene = Scene(builder.build())
    numbers = np.frombuffer(Framer(scene, 1).frame(scene.q, 0, 0), "<f4")
    assert np.isnan(numbers[4:7]).all()


def test_the_stage_is_plain_json_and_complete() -> None:
    document = Document.new()
    document.scene.hold(poise.sphere(0.05, name="ball"), "right_hand")
    document.scene.place(poise.box(0.4, 0.4, 0.4, name="table"), (1.0, 0.0, 0.2))
    stage = json.loads(json.dumps(stage_of(document, 3), allow_nan=False))
    names = [node["name"] for node in stage["nodes"]]
    assert names == list(document.whole.segments)
    nodes = dict(zip(names, stage["nodes"], strict=True))
    assert nodes["ball"]["held"]
    assert not nodes["table"]["held"]
    assert nodes["head"]["segment"] == "head"
    kinds = {shape["kind"] for node in stage["nodes"] for shape in node["shapes"]}
    assert {"tapered_capsule", "ellipsoid", "box", "sphere"} <= kinds
    joints = {joint["name"]: joint for joint in stage["joints"]}
    assert "ball" not in joints
    assert names[joints["left_knee"]["node"]] == "left_shank"
    assert joints["t6_t7"]["driven_by"] == "spine"


def test_a_skin_follows_nodes_by_number_with_four_weights_a_point() -> None:
    document = Document(Scene(poise.chain(3)))
    name = next(iter(document.scene.figures))
    surface = Surface(
        "skin",
        np.zeros((2, 3)),
        np.array([[0, 1, 0]]),
        np.tile([0.0, 0.0, 1.0], (2, 1)),
        tuple(document.whole.segments),
        np.tile(np.eye(4), (len(document.whole.segments), 1, 1)),
        np.array([[0, 1, 2, 0, 1], [2, 1, 0, 2, 1]]),
        np.array([[0.4, 0.3, 0.2, 0.06, 0.04], [1.0, 0.0, 0.0, 0.0, 0.0]]),
    )
    document.skins[name] = Skin((surface,))
    (told,) = stage_of(document, 1)["skins"]
    weights = np.frombuffer(base64.b64decode(told["weights"]), "<f4").reshape(-1, 4)
    assert weights.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert told["nodes"] == list(range(len(document.whole.segments)))


def test_the_stage_is_sent_anew_only_when_the_structure_changes(page: Page) -> None:
    first = page.latest["stage"]["revision"]
    page.do("pin", site="left_hand")
    page.do("set_angles", joint="left_knee", angles={"flexion": 0.3})
    assert page.latest["stage"]["revision"] == first
    page.do("add_prop", kind="sphere", size=[0.1])
    assert page.latest["stage"]["revision"] == first + 1
    page.do("place_prop", prop="sphere", position=[1, 0, 0])
    assert page.latest["stage"]["revision"] == first + 1
    assert np.frombuffer(page.latest["frame"], "<f4")[0] == first + 1


# overlays -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "joint", ["left_hip", "left_shoulder", "left_knee", "left_elbow", "left_wrist", "neck", "t6_t7"]
)
def test_limits_are_drawn_round_every_kind_of_joint(page: Page, joint: str) -> None:
    page.do("select", kind="joint", name=joint)
    limits = page.overlays["limits"]
    roles = {line["role"] for line in limits["lines"]}
    assert "border" in roles
    assert roles & {"current", "amber", "red"}
    for patch in limits["patches"]:
        assert np.max(patch["triangles"]) < len(patch["vertices"])
    at = page.session.scene.places.joint(joint).position
    assert np.allclose(limits["at"], at)
    json.dumps(page.overlays, allow_nan=False)


def test_a_joint_at_its_stop_is_red_and_near_it_amber(page: Page) -> None:
    session = page.session
    for name in ("balance", "pin left_foot", "pin right_foot"):
        page.do("remove_task", name=name)
    page.do("select", kind="joint", name="right_elbow")
    upper = session.document.whole.upper[session.document.whole.index("right_elbow.flexion")]
    states = []
    for share in (0.5, 0.95, 1.0):
        page.do("set_coordinates", values={"right_elbow.flexion": float(share * upper)})
        states.append(page.overlays["limits"]["state"])
    assert states == ["free", "near", "stop"]


def test_ends_that_are_not_there_are_never_near() -> None:
    assert near_end(100.0, -np.inf, np.inf) == ("free", None)
    assert near_end(0.0, 0.0, 1.0) == ("stop", 1.0)
    assert near_end(0.5, 0.0, 1.0) == ("free", 0.0)


def test_triangles_are_cut_where_a_value_changes_its_sign() -> None:
    axis = np.linspace(-1.0, 1.0, 21)
    x, y = (each.ravel() for each in np.meshgrid(axis, axis))
    points = np.column_stack([x, y])
    index = np.arange(441).reshape(21, 21)
    a, b, c, d = (
        each.ravel() for each in (index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1])
    )
    triangles = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    corners, left = clipped(points, np.hypot(x, y) - 0.7, triangles)
    first, second, third = (corners[left[:, i]] for i in range(3))
    u, v = second - first, third - first
    area = 0.5 * np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum()
    assert area == pytest.approx(np.pi * 0.49, rel=0.01)
    assert np.hypot(*corners.T).max() < 0.71


def test_goals_of_all_sorts_are_drawn(page: Page) -> None:
    box = {"box": {"center": [0.3, 0.2, 1.0], "size": [0.4, 0.4, 0.4]}}
    ball = {"center": [0.4, 0.0, 1.2], "radii": [0.2, 0.2, 0.3]}
    wanted: list[tuple[str, dict[str, Any], str]] = [
        ("position", {"site": "left_hand"}, "point"),
        ("position", {"site": "left_hand", "axes": "z"}, "plane"),
        ("position", {"site": "left_hand", "axes": "xy"}, "line"),
        ("orientation", {"site": "head_top"}, "point"),
        ("aim", {"site": "eyes"}, "point"),
        ("line", {"site": "right_hand"}, "line"),
        ("plane", {"site": "right_hand"}, "plane"),
        ("half_space", {"site": "right_hand"}, "half_space"),
        ("inside", {"site": "left_hand", "convex": box}, "inside"),
        ("outside", {"site": "pelvis", "convex": box}, "outside"),
        ("surface", {"site": "right_hand", "ellipsoid": ball}, "ellipsoid"),
        ("loop", {"site": "left_hand", "other": "right_hand"}, "point"),
        ("contact", {"site": "left_heel"}, "plane"),
        ("center_of_mass", {"axes": "xy"}, "line"),
    ]
    for i, (kind, parameters, _) in enumerate(wanted):
        page.do("add_task", type=kind, parameters=parameters, name=f"task {i}", priority=5)
    goals = {goal["task"]: goal for goal in page.overlays["goals"]}
    for i, (kind, _, space) in enumerate(wanted):
        assert goals[f"task {i}"]["kind"] == kind
        assert goals[f"task {i}"]["space"]["kind"] == space
    json.dumps(page.overlays, allow_nan=False)


def test_a_goal_is_drawn_at_the_height_of_its_site_where_height_does_not_count(page: Page) -> None:
    target = {"target": [0.1, 0.0, 0.0], "axes": "xy"}
    page.do("add_task", type="center_of_mass", parameters=target, name="lean")
    (lean,) = (goal for goal in page.overlays["goals"] if goal["task"] == "lean")
    assert lean["position"][:2] == pytest.approx([0.1, 0.0])
    assert lean["position"][2] == pytest.approx(lean["site_position"][2])
    assert lean["position"][2] > 0.5


def test_gyration_rings_come_with_an_inertia_task(page: Page) -> None:
    assert page.overlays["rings"] == []
    page.do("add_task", type="inertia", parameters={"axis": "z", "target": 0.1})
    (ring,) = page.overlays["rings"]
    assert ring["target"] == 0.1
    assert ring["radius"] > 0.05


def test_support_tells_how_far_inside_the_centre_of_mass_is(page: Page) -> None:
    support = page.overlays["support"]
    assert support["state"] == "met"
    assert 0.02 < support["margin"] < 0.3
    page.do("keep_balance", on=False)
    page.do("grab", segment="pelvis", point=[0, 0, 0])
    page.drag([[0.02 * i, 0.0, 0.85] for i in range(1, 20)])
    assert page.overlays["support"]["margin"] < support["margin"]
    page.do("cancel")


def test_the_polygon_of_support_is_as_the_task_of_balance_says(page: Page) -> None:
    page.do("set_options", tolerance=1e-3)
    page.do("edit_task", name="balance", parameters={"margin": 0.1})
    page.do("grab", segment="right_hand", point=[0, 0, 0])
    page.drag([[0.1 * i, -0.4, 1.2] for i in range(1, 20)])
    reports = {each.name: each for each in page.session.reports}
    assert page.overlays["support"]["state"] == reports["balance"].state == "met"
    page.do("release")
    page.do("edit_task", name="balance", parameters={"margin": 0.5})
    reports = {each.name: each for each in page.session.reports}
    assert page.overlays["support"]["state"] == reports["balance"].state == "failed"


def test_the_trace_is_shown_by_choice(page: Page) -> None:
    at = page.session.scene.places.segment("left_hand").position
    page.do("grab", segment="left_hand", point=[0, 0, 0])
    page.drag([(at + [0.01 * i, 0, 0]).tolist() for i in range(1, 6)])
    assert page.overlays["trace"] == []
    page.do("settings", trace=True)
    assert len(page.overlays["trace"]) == 6
    page.do("release")


def test_what_is_not_shown_is_not_computed(session: Session) -> None:
    page = Page(session)
    page.do("settings", balance=False, goals=False, pins=False)
    shown = page.overlays
    assert shown["com"] is None
    assert shown["goals"] == shown["pins"] == []


def test_a_prop_from_a_file_is_drawn_by_its_own_triangles(tmp_path: Path) -> None:
    points = "v 0 0 0\nv 0.4 0 0\nv 0 0.3 0\nv 0 0 0.2\n"
    (tmp_path / "wedge.obj").write_text(f"{points}f 1 3 2\nf 1 2 4\nf 2 3 4\n")
    document = Document.new()
    document.scene.place(poise.mesh(tmp_path / "wedge.obj", pieces=1), (1.0, 0.0, 0.2))
    stage = json.loads(json.dumps(stage_of(document, 3), allow_nan=False))
    (node,) = [node for node in stage["nodes"] if node["name"] == "wedge"]
    (shape,) = node["shapes"]
    assert shape["kind"] == "mesh"
    assert len(shape["triangles"]) == 3  # not the four of its hull
    assert np.max(shape["vertices"], axis=0).tolist() == [0.4, 0.3, 0.2]
