"""Stills: what is drawn is there, where it should be; what cannot be drawn is said so."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from poise.errors import PoiseError
from poise.figure import Builder, Figure
from poise.figure.kinds import Ball, Elbow, Hinge, Slider, Swing
from poise.figure.limits import (
    Angle,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    Twist,
    TwistTable,
)
from poise.figure.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Shape,
    Sphere,
    TaperedCapsule,
)
from poise.kernel.limits.arrays import swing_directions
from poise.pictures import View, limits_picture, picture
from poise.pictures.floor import shade
from poise.pictures.meshes import Mesh, mesh_of, path
from poise.pictures.region import Region, spread, swings_of
from poise.pictures.stage import VIEWS, Camera

SMALL = (120, 160)
DOWN, UP, LEFT, RIGHT = (0.0, 0.0, -1.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)
SHAPES = [
    Sphere((0.1, 0.0, 0.2), 0.3),
    Capsule((0.0, 0.0, 0.0), (0.3, 0.4, 0.0), 0.1),
    TaperedCapsule((0.1, 0.2, 0.3), (0.1, 0.9, 0.3), 0.25, 0.1),
    TaperedCapsule((0.0, 0.0, 0.0), (0.0, 0.0, -0.5), 0.05, 0.2),
    Cylinder((0.0, 0.0, 0.0), (0.0, 0.0, 0.5), 0.2),
    Ellipsoid((0.1, 0.2, 0.3), (0.1, 0.2, 0.3), (0.3, -0.2, 0.5)),
    Box((0.1, 0.2, 0.3), (0.2, 0.4, 0.6), (0.3, -0.2, 0.5)),
]


@pytest.fixture(scope="module")
def waver() -> Figure:
    """A post with an arm on its left that hangs at rest."""
    builder = Builder("waver")
    builder.segment("post", shapes=[Capsule((0, 0, 0.1), (0, 0, 1.5), 0.1)], mass=50.0)
    builder.segment("arm", shapes=[Capsule((0, 0, 0), (0, 0, -0.6), 0.06)], density=1000.0)
    builder.segment("finger", shapes=[Capsule((0, 0, 0), (0, 0, -0.2), 0.03)], density=1000.0)
    builder.root("post", "fixed")
    limits = SphericalEllipse(1.2, 0.8)
    shoulder = Ball(DOWN, swing=(limits,), twist=Twist(-0.8, 0.9, (0.1, 0.0), (0.0, 0.2)))
    builder.joint("shoulder", shoulder, "post", "arm", (0, 0.2, 1.4), clinical={"abduction": "x"})
    builder.joint("knuckle", Hinge(LEFT, (0.0, 2.0)), "arm", "finger", (0, 0, -0.6))
    builder.site("finger", "finger", (0, 0, -0.2))
    builder.posture("rest", {})
    return builder.build()


def is_drawn(image: np.ndarray) -> np.ndarray:
    """Pixels that differ from what is beside them at the picture's edge."""
    return np.abs(image.astype(int) - image[:, :1].astype(int)).max(axis=2) > 40


# meshes --------------------------------------------------------------------------------


def volume(mesh: Mesh) -> float:
    a, b, c = mesh.points[mesh.triangles].transpose(1, 0, 2)
    return float((a * np.cross(b, c)).sum() / 6.0)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_a_mesh_is_closed_and_as_big_as_its_shape(shape: Shape) -> None:
    mesh, solid = mesh_of(shape), shape.solid()
    assert volume(mesh) == pytest.approx(solid.volume, rel=0.02)
    corners = mesh.points[mesh.triangles]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert areas.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_normals_are_unit_vectors_and_agree_with_the_facets(shape: Shape) -> None:
    mesh = mesh_of(shape)
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(np.ones(len(mesh.normals)))
    corners = mesh.points[mesh.triangles]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(facing, axis=1)
    mean = mesh.normals[mesh.triangles].mean(axis=1)
    along = (facing * mean).sum(axis=1)[size > 1e-9] / size[size > 1e-9]
    assert (along > 0.9).all()


def test_a_closed_wire_has_the_volume_of_a_ring() -> None:
    turn = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn), 0.1 * np.sin(3 * turn)], axis=-1)
    length = np.linalg.norm(np.roll(circle, -1, axis=0) - circle, axis=1).sum()
    wire = path(circle, 0.02, closed=True, around=40)
    assert volume(wire) == pytest.approx(np.pi * 0.02**2 * length, rel=0.01)


# figures -------------------------------------------------------------------------------


def test_a_picture_has_the_size_asked_for_and_is_written(waver: Figure, tmp_path: Path) -> None:
    from PIL import Image

    image = picture(waver, tmp_path / "waver.png", size=(150, 101))
    assert image.shape == (101, 150, 3)
    assert image.dtype == np.uint8
    with Image.open(tmp_path / "waver.png") as written:
        assert (np.asarray(written) == image).all()
    assert [each.name for each in tmp_path.iterdir()] == ["waver.png"]


def test_a_figure_fills_the_height_and_leaves_a_margin(waver: Figure) -> None:
    drawn = is_drawn(picture(waver, views="front", size=SMALL, floor=False))
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    assert 0.04 * 160 < rows[0] < 0.08 * 160
    assert 0.92 * 160 < rows[-1] < 0.96 * 160
    # 1.6 m of height stand for 0.94 of the picture's; the figure is 0.36 m wide.
    assert np.ptp(columns) == pytest.approx(0.36 / 1.6 * 0.9 * 160, abs=4)
    assert 0.08 < drawn.mean() < 0.35


def test_a_raised_arm_changes_the_picture_where_the_arm_is(waver: Figure) -> None:
    raised = waver.rest()
    raised.set_angles("shoulder", abduction=np.deg2rad(60))
    view = View(0.0)
    before, after = (
        is_drawn(picture(p, views=view, size=(300, 300), floor=False)) for p in (waver, raised)
    )
    # Seen from the front the figure's left is on the right.
    right = np.flatnonzero(after.any(axis=0))[-1]
    assert right > np.flatnonzero(before.any(axis=0))[-1] + 40
    tip = np.flatnonzero(after[:, right - 3 : right + 1].any(axis=1)).mean()
    hanging = waver.place(waver.rest())["finger"].position[2]
    lifted = waver.place(raised)["finger"].position[2]
    top, bottom = np.flatnonzero(after.any(axis=1))[[0, -1]]
    height = 1.6 * (bottom - tip) / (bottom - top)
    assert height == pytest.approx(lifted, abs=0.05)
    assert height > hanging + 0.3


def test_views_stand_side_by_side(waver: Figure) -> None:
    both = picture(waver, views=("front", "side"), size=(201, 160))
    assert both.shape == (160, 201, 3)
    front = picture(waver, views="front", size=(100, 160))
    assert (both[:, :100] == front).all()
    assert is_drawn(both[:, 100:]).any()


def test_two_figures_stand_side_by_side(waver: Figure) -> None:
    drawn = is_drawn(picture([waver, waver], views="front", size=(200, 160), floor=False, gap=0.5))
    used = drawn.any(axis=0)
    starts = np.flatnonzero(np.diff(used.astype(int)) == 1)
    # Each has a post and an arm apart from it, then the gap.
    assert len(starts) == 4
    together = picture([waver, waver], views="front", size=SMALL, floor=False, gap=None)
    assert (together == picture(waver, views="front", size=SMALL, floor=False)).all()


def test_a_stick_figure_is_thinner_but_as_tall(waver: Figure) -> None:
    solid = is_drawn(picture(waver, views="front", size=SMALL, floor=False))
    stick = is_drawn(picture(waver, views="front", size=SMALL, floor=False, stick=True))
    assert 0.01 < stick.mean() < 0.5 * solid.mean()


def test_a_stick_figure_needs_no_shapes() -> None:
    builder = Builder("bare")
    builder.segment("a")
    builder.segment("b")
    builder.joint("j", Hinge(LEFT), "a", "b", (0, 0, 0.5))
    builder.site("tip", "b", (0.5, 0, 0))
    builder.posture("rest", {})
    bare = builder.build()
    stick = picture(bare, stick=True, size=SMALL, floor=False)
    assert is_drawn(stick).mean() > 0.01
    assert (picture(bare, size=SMALL, floor=False) == stick).all()


def test_what_has_no_shapes_is_drawn_by_its_bones_beside_what_has_some() -> None:
    def half_bare(*shapes: Shape) -> Figure:
        builder = Builder("half")
        builder.segment("post", shapes=[Capsule((0, 0, 0.1), (0, 0, 1.5), 0.1)])
        builder.segment("arm", shapes=shapes)
        builder.joint("shoulder", Hinge(LEFT), "post", "arm", (0, 0.2, 1.4))
        builder.site("hand", "arm", (0, 0.6, 0))
        builder.posture("rest", {})
        return builder.build()

    front = View(0.0)
    bare = is_drawn(picture(half_bare(), views=front, size=(200, 320), floor=False))
    whole = half_bare(Capsule((0, 0, 0), (0, 0.6, 0), 0.01))
    full = is_drawn(picture(whole, views=front, size=(200, 320), floor=False))
    assert np.flatnonzero(bare.any(axis=0))[-1] > 180  # the arm's bone goes to the hand
    assert 0.8 < bare.sum() / full.sum() < 1.25


def test_a_stick_figure_that_stands_on_another_root_has_all_its_bones(waver: Figure) -> None:
    turned, posture = waver.rooted_at("finger", waver.rest())
    one, other = (
        is_drawn(picture(each, views="front", size=SMALL, floor=False, stick=True))
        for each in (waver, posture)
    )
    assert turned.joints.keys() == waver.joints.keys()
    assert (one != other).mean() < 0.02


def test_frames_and_the_centre_of_mass_are_drawn(waver: Figure) -> None:
    plain = picture(waver, size=SMALL, floor=False).astype(int)
    for image in (
        picture(waver, size=SMALL, floor=False, sites=True).astype(int),
        picture(waver, size=SMALL, floor=False, joints=["knuckle"]).astype(int),
        picture(waver, size=SMALL, floor=False, center_of_mass=True).astype(int),
    ):
        assert 5 < (np.abs(image - plain).max(axis=2) > 30).sum() < 0.5 * plain.shape[0] * 120


def test_a_segment_is_drawn_where_it_is_though_a_site_has_its_name(waver: Figure) -> None:
    # The site "finger" is at the tip; drawn from there, the finger would end 0.2 m lower.
    drawn = is_drawn(picture(waver, views=View(0.0), size=(200, 320), floor=False))
    rows = np.flatnonzero(drawn.any(axis=1))
    arm = np.flatnonzero(drawn[:, 120:].any(axis=1))
    lowest = 1.6 * (rows[-1] - arm[-1]) / (rows[-1] - rows[0])
    assert lowest == pytest.approx(1.4 - 0.6 - 0.2 - 0.03, abs=0.03)


def test_the_floor_is_drawn_only_below_what_stands_on_it(waver: Figure) -> None:
    standing = picture(waver, size=SMALL)
    assert (standing != picture(waver, size=SMALL, floor=False)).any()
    builder = Builder("hanging")
    builder.segment("a", shapes=[Capsule((0, 0, 0), (0, 0, -1), 0.1)])
    builder.posture("rest", {})
    hanging = builder.build()
    assert (picture(hanging, size=SMALL) == picture(hanging, size=SMALL, floor=False)).all()


def test_a_ball_throws_its_shadow_away_from_the_sun() -> None:
    sun = np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0)
    ball = mesh_of(Sphere((0.0, 0.0, 0.5), 0.1)).points
    dark = shade([ball], sun, np.zeros(2), 1.0)
    rows, columns = np.nonzero(dark > 0.5 * dark.max())
    x, y = 2.0 * columns.mean() / dark.shape[1] - 1.0, 1.0 - 2.0 * rows.mean() / dark.shape[0]
    assert (x, y) == pytest.approx((-0.5, 0.0), abs=0.03)
    assert 0.5 < dark.max() <= 1.0
    assert dark[:, -100:].max() < 0.05


@pytest.mark.parametrize("name", VIEWS)
def test_a_camera_sees_all_points_inside_the_margin(name: str) -> None:
    points = np.random.default_rng(1).normal(size=(200, 3)) * [0.3, 0.5, 1.0]
    size = (300, 200)
    camera = Camera.fitted(points, VIEWS[name], size, 0.1)
    seen = np.array([camera.seen(point, size) for point in points])
    assert seen[:, 0].min() > 0.1 * 200 - 1
    assert seen[:, 0].max() < 300 - 0.1 * 200 + 1
    assert seen[:, 1].min() > 0.1 * 200 - 1
    assert seen[:, 1].max() < 200 - 0.1 * 200 + 1
    tight = min(seen[:, 0].min(), 300 - seen[:, 0].max(), seen[:, 1].min(), 200 - seen[:, 1].max())
    assert tight == pytest.approx(20, abs=3)


# limits --------------------------------------------------------------------------------


def swing_figure(kind: object) -> Figure:
    builder = Builder("one")
    builder.segment("base", shapes=[Sphere((0, 0, 1), 0.1)])
    builder.segment("limb", shapes=[Capsule((0, 0, 0), (0, 0, -0.5), 0.05)])
    builder.root("base", "fixed")
    builder.joint("joint", kind, "base", "limb", (0, 0, 1))  # type: ignore[arg-type]
    builder.site("end", "limb", (0, 0, -0.5))
    builder.posture("rest", {})
    return builder.build()


@pytest.mark.parametrize(
    "kind",
    [
        Ball(DOWN, swing=(SphericalEllipse(1.0, 0.6),), twist=Twist(-1, 1)),
        Swing(DOWN, swing_x=(-0.5, 0.7), swing_y=(-0.3, np.inf)),
        Swing(DOWN, angle=Angle(0.7)),
        Hinge(RIGHT, (0.0, 2.0)),
        Elbow(RIGHT, DOWN, (0.0, 2.4), (-1.0, 1.5)),
    ],
    ids=["ball", "boxed swing", "swing with an angle", "hinge", "elbow"],
)
def test_the_limits_of_a_joint_are_drawn(kind: object, tmp_path: Path) -> None:
    figure = swing_figure(kind)
    image = limits_picture(figure, "joint", tmp_path / "limits.png", size=(160, 140), symbols=20)
    assert image.shape == (140, 160, 3)
    orange = (image[..., 0].astype(int) - image[..., 2] > 25).mean()
    assert 0.05 < orange < 0.8
    assert (tmp_path / "limits.png").stat().st_size > 1000


def test_a_larger_range_covers_more_of_the_picture() -> None:
    view = View(0.0, np.deg2rad(-60))
    shares = []
    for radius in (0.3, 0.6, 1.2):
        figure = swing_figure(Swing(DOWN, swing=(SphericalEllipse(radius, radius),)))
        image = limits_picture(figure, "joint", views=view, size=(150, 150), body=False).astype(int)
        shares.append((image[..., 0] - image[..., 2] > 25).mean())
    assert shares[0] < 0.5 * shares[1] < 0.3 * shares[2] * 2
    assert shares[2] > 0.3


def test_symbols_show_the_twist_and_can_be_left_out() -> None:
    kind = Ball(
        DOWN,
        swing=(SphericalEllipse(1.0, 0.8),),
        twist=TwistTable(
            (-1.0, 1.0), (-1.0, 1.0), ((-0.5, -0.4), (-0.3, -0.2)), ((0.5, 0.4), (0.6, 0.7))
        ),
    )
    figure = swing_figure(kind)
    with_symbols = limits_picture(figure, "joint", size=(150, 150))
    without = limits_picture(figure, "joint", size=(150, 150), symbols=0)
    assert (with_symbols != without).any(axis=2).mean() > 0.02


def test_a_region_is_bounded_by_all_its_limits_together() -> None:
    wide, tall = SphericalEllipse(0.4, 1.2), SphericalEllipse(1.2, 0.4)
    both = Region([wide, tall])
    curves = both.boundary()
    assert len(curves) == 4  # two pieces of each
    assert not any(closed for _, closed in curves)
    for curve, _ in curves:
        assert np.abs(both.violation(swings_of(curve))).max() < 1e-3
    patch = both.patch()
    assert both.violation(swings_of(patch.points)).max() < 0.01
    one = Region([wide]).boundary()
    assert [closed for _, closed in one] == [True]


def test_a_patch_has_the_area_of_its_region() -> None:
    corners = swing_directions(np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]))
    square = SphericalPolygon(tuple(map(tuple, corners.tolist())))
    patch = Region([square]).patch()
    a, b, c = patch.points[patch.triangles].transpose(1, 0, 2)
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    # Four right-angled spherical triangles from the middle: the excess of their angles.
    side = np.arccos(corners[0] @ corners[1])
    leg = np.arccos(corners[0, 2])
    angle = np.arcsin(np.sin(leg) * np.sin(np.pi / 2) / np.sin(side))
    assert area == pytest.approx(4 * (2 * angle + np.pi / 2 - np.pi), rel=0.01)


def test_ticks_point_to_the_inside() -> None:
    concave = PlanarPolygon(((-1, -1), (1, -1), (1, 1), (0.0, -0.2), (-1, 1)))
    region = Region([concave])
    ticks = region.ticks(0.2, 0.04)
    assert len(ticks) > 20
    inside = [region.violation(swings_of(tick[-1:]))[0] < 0 for tick in ticks]
    assert np.mean(inside) > 0.95  # near a sharp corner a tick may cross the other edge


def test_an_unlimited_joint_has_no_boundary() -> None:
    region = Region.of(Ball())
    assert region.is_whole
    assert region.boundary() == []
    assert region.contains(swings_of(spread(20)[:-1])).all()


# errors --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"views": "font"}, "there is no view 'font'; did you mean 'front'?"),
        ({"views": ()}, "needs at least one view"),
        ({"size": (100, 0)}, "must be two whole numbers from 16 to 8192"),
        ({"size": 100}, r"must be \(width, height\), not 100"),
        ({"size": (100.5, 100)}, "must be two whole numbers"),
        ({"path": "waver.jpg"}, "a file that ends in .png, such as .*, not 'waver.jpg'"),
        ({"path": "no/such/folder/waver.png"}, "cannot write .* there is no folder"),
        ({"sites": ["fingr"]}, "there is no site 'fingr'; did you mean 'finger'?"),
        ({"joints": ["elbow"]}, "there is no joint 'elbow'"),
        ({"sites": "finger"}, "a list of names, not 'finger'"),
        ({"gap": -1.0}, r"the gap \(m\) between figures must be at least 0"),
    ],
)
def test_what_cannot_be_drawn_is_said_so(
    waver: Figure, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(PoiseError, match=message):
        picture(waver, **arguments)  # type: ignore[arg-type]


def test_a_picture_is_of_figures_or_postures() -> None:
    with pytest.raises(PoiseError, match="not of str"):
        picture("human")  # type: ignore[arg-type]
    with pytest.raises(PoiseError, match="the list is empty"):
        picture([])


def test_limits_that_cannot_be_drawn_are_said_so(waver: Figure) -> None:
    with pytest.raises(PoiseError, match="there is no joint 'sholder'; did you mean 'shoulder'"):
        limits_picture(waver, "sholder")
    with pytest.raises(PoiseError, match="'joint' is slider; limits are drawn of what turns"):
        limits_picture(swing_figure(Slider(UP, (0.0, 0.1))), "joint")
    with pytest.raises(PoiseError, match=r"radius .* must be greater than 0"):
        limits_picture(waver, "shoulder", radius=0.0)


def test_without_pyvista_the_error_says_what_to_install(
    waver: Figure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyvista", None)
    with pytest.raises(PoiseError, match=r"pip install poise\[pictures\]"):
        picture(waver, size=SMALL)


def test_importing_pictures_does_not_load_pyvista() -> None:
    program = "import poise.pictures, sys; sys.exit('pyvista' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
