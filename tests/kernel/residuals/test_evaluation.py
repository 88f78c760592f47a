"""Residuals against plain formulas, and their Jacobians against differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from tests.random_figures import KINDS, grouped, random_figure, random_q, unit, vector
from tests.tasks.residual import Residual, residual_of

from poise.figure import Builder, Ellipsoid, Figure, Free, Hinge, Site, Transform
from poise.figure.transform import rotation_matrix
from poise.tasks import (
    Aim,
    Any,
    Balance,
    CenterOfMass,
    Contact,
    Convex,
    Frame,
    HalfSpace,
    Inertia,
    Inside,
    Line,
    Loop,
    Orientation,
    Outside,
    Plane,
    Position,
    Surface,
    Task,
)

Values = NDArray[np.float64]
Make = Callable[[np.random.Generator], Task]


def with_sites(rng: np.random.Generator, figure: Figure) -> Figure:
    """The figure with a site "tip" on the last segment, "other" on one before, soles on two."""
    names = list(figure.segments)
    square = ((0.1, 0.05), (-0.1, 0.05), (-0.12, -0.05), (0.1, -0.06))
    sites = [
        Site("tip", names[-1], vector(rng, 0.2), vector(rng, 1.0)),
        Site("other", names[len(names) // 2], vector(rng, 0.2), vector(rng, 1.0)),
        Site("sole", names[-1], vector(rng, 0.2), vector(rng, 1.0), square),
        Site("heel", names[1], vector(rng, 0.2), vector(rng, 1.0), square),
    ]
    return Figure(
        figure.name,
        list(figure.segments.values()),
        list(figure.joints.values()),
        sites=sites,
        groups=list(figure.groups.values()),
    )


def turned(rng: np.random.Generator) -> Values:
    return rotation_matrix(vector(rng, 1.0))


def octahedron(rng: np.random.Generator) -> Convex:
    """A skew one, about half a metre wide."""
    axes = turned(rng) * [0.3, 0.4, 0.5]
    return Convex.hull(np.concatenate([axes.T, -axes.T]) + vector(rng, 0.1))


def egg(rng: np.random.Generator) -> Ellipsoid:
    return Ellipsoid(vector(rng, 0.3), (0.2, 0.35, 0.25), vector(rng, 1.0))


TASKS: dict[str, Make] = {
    "position": lambda rng: Position("tip", vector(rng, 0.5)),
    "position on a line": lambda rng: Position(
        "tip", vector(rng, 0.5), axes="zx", frame=turned(rng)
    ),
    "centre of mass": lambda rng: CenterOfMass(vector(rng, 0.5), axes="xy", frame=turned(rng)),
    "half-space": lambda rng: HalfSpace("tip", vector(rng, 0.5), normal=unit(rng)),
    "orientation": lambda rng: Orientation("tip", turned(rng)),
    "orientation with a free axis": lambda rng: Orientation("tip", turned(rng), free="y"),
    "orientation by vectors": lambda rng: Orientation(
        "tip", turned(rng), form="vectors", cx=0.7, cy=1.3
    ),
    "frame": lambda rng: Frame("tip", Transform(turned(rng), np.array(vector(rng, 0.5)))),
    "aim": lambda rng: Aim("tip", vector(rng, 2.0), axis=unit(rng)),
    "loop": lambda rng: Loop("tip", "other", match="both"),
    "position in a frame that moves": lambda rng: Position(
        "tip", vector(rng, 0.5), axes="yz", frame="other"
    ),
    "position of another site": lambda rng: Position("tip", "other", axes="xz", frame=turned(rng)),
    "line": lambda rng: Line("tip", vector(rng, 0.5), unit(rng)),
    "line that moves": lambda rng: Line("tip", vector(rng, 0.5), unit(rng), frame="other"),
    "plane": lambda rng: Plane("tip", vector(rng, 0.5), unit(rng)),
    "plane through another site": lambda rng: Plane("tip", "other", unit(rng)),
    "half-space that moves": lambda rng: HalfSpace("tip", normal=unit(rng), frame="other"),
    "inside": lambda rng: Inside("tip", octahedron(rng), margin=0.02),
    "inside what moves": lambda rng: Inside("tip", octahedron(rng), frame="other"),
    "outside": lambda rng: Outside("tip", octahedron(rng), margin=0.02),
    "outside of what moves": lambda rng: Outside("tip", octahedron(rng), frame="other"),
    "surface": lambda rng: Surface("tip", egg(rng), distance=0.03),
    "surface that moves": lambda rng: Surface("tip", egg(rng), frame="other"),
    "inertia": lambda rng: Inertia(unit(rng), 0.3),
    "orientation of another site": lambda rng: Orientation("tip", "other"),
    "axis of another site": lambda rng: Orientation("tip", "other", free="x"),
    "vectors of another site": lambda rng: Orientation(
        "tip", "other", form="vectors", cx=0.7, cy=1.3
    ),
    "frame of another site": lambda rng: Frame("tip", "other"),
    "aim at another site": lambda rng: Aim("tip", "other", axis=unit(rng)),
    "contact": lambda rng: Contact("tip", vector(rng, 0.5), unit(rng)),
    "contact in one spot": lambda rng: Contact("tip", vector(rng, 0.5), unit(rng), slide=False),
    "contact that does not turn": lambda rng: Contact(
        "tip", vector(rng, 0.5), unit(rng), turn=False
    ),
    "any": lambda rng: Any(
        [
            Position("tip", vector(rng, 3.0)),
            Orientation("tip", turned(rng), metres_per_radian=0.01),
            HalfSpace("other", (0.0, 0.0, 40.0)),
        ]
    ),
    "balance": lambda rng: Balance(margin=0.01, supports=("sole", "heel")),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task", TASKS)
def test_jacobians_are_those_of_differences_for_every_joint_kind(task: str, kind: str) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        kinds = (kind,) if kind != "fixed" else ("fixed", "hinge", "ball")
        figure = with_sites(rng, random_figure(rng, 5, kinds=kinds, chain=seed == 0))
        residual = residual_of(figure, TASKS[task](rng), weight=2.0, scale=0.3)
        q = random_q(rng, figure)
        while task == "balance" and _is_at_a_kink(residual, q):
            q = random_q(rng, figure)
        small = task == "balance" or "surface" in task  # edges and radii may be short
        residual.check(q, step=2e-4 if small else 1e-3)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("degree", [1, 3])
def test_jacobians_are_those_of_differences_with_joint_groups(task: str, degree: int) -> None:
    rng = np.random.default_rng(degree)
    figure = with_sites(rng, grouped(rng, random_figure(rng, 7), degree=degree))
    residual_of(figure, TASKS[task](rng)).check(random_q(rng, figure), within=1e-7)


@pytest.mark.parametrize("task", TASKS)
def test_jacobians_are_those_of_differences_in_a_straight_posture(task: str) -> None:
    rng = np.random.default_rng(7)
    limb = Builder("limb")
    square = [(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)]
    for i in range(4):
        limb.segment(f"s{i}", mass=1.0, center=(0.1, 0.02 * i, 0.0))
        if i:
            limb.joint(f"j{i}", Hinge("y"), f"s{i - 1}", f"s{i}", (0.2, 0.0, 0.0))
    limb.site("tip", "s3", (0.2, 0.0, 0.0))
    limb.site("other", "s1")
    limb.site("sole", "s3", outline=square)
    limb.site("heel", "s0", (0.0, 0.03, 0.0), outline=square)
    figure = limb.build()
    residual_of(figure, TASKS[task](rng)).check(np.full(3, 1e-9))


@given(st.integers(0, 1000))
def test_jacobians_are_right_for_all_tasks_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = with_sites(rng, random_figure(rng, 6))
    kinked = ("balance", "outside", "surface", "any")
    tasks = [make(rng) for name, make in TASKS.items() if not name.startswith(kinked)]
    residual_of(figure, *tasks).check(random_q(rng, figure), step=1e-4, within=1e-6)


@given(st.integers(0, 10_000))
def test_at_the_goal_residuals_vanish_and_jacobians_are_right(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = with_sites(rng, random_figure(rng, 5))
    q = random_q(rng, figure)
    there = figure.place(q)["tip"]
    axis = unit(rng)
    tasks = [
        Position("tip", there),
        Orientation("tip", there),
        Orientation("tip", there, free="z"),
        Orientation("tip", there, form="vectors"),
        Frame("tip", there),
        Aim("tip", there.apply(1.3 * np.array(axis)), axis=axis),
        CenterOfMass(figure.center_of_mass(q)),
    ]
    residual = residual_of(figure, *tasks)
    assert np.abs(residual(q)).max() < 1e-12
    residual.check(q)


@pytest.mark.parametrize("angle", [1e-9, 1e-5, 9.99e-5, 1.01e-4, 0.03, 1.0, 3.0, 3.14])
@pytest.mark.parametrize("free", [None, "x"])
def test_orientations_differ_by_the_angle_between_them(angle: float, free: str | None) -> None:
    rng = np.random.default_rng(3)
    figure = with_sites(rng, random_figure(rng, 5, kinds=("ball", "elbow")))
    q = random_q(rng, figure)
    now = figure.place(q)["tip"].rotation
    about = unit(rng) if free is None else (now @ np.array([0.0, 0.6, 0.8])).tolist()
    goal = rotation_matrix(-angle * np.array(about)) @ now
    residual = residual_of(figure, Orientation("tip", goal, free=free), scale=1.0)  # type: ignore[arg-type]
    assert residual(q) == pytest.approx(angle * np.array(about), abs=1e-12)
    if angle < 3.1:
        residual.check(q)
    else:  # at π the rotation vector jumps, and its rate grows on the way there
        residual.check(q, step=1e-5, within=1e-6)


def test_rotation_vectors_agree_with_scipy() -> None:
    rng = np.random.default_rng(5)
    figure = with_sites(rng, random_figure(rng, 5))
    for _ in range(20):
        q, goal = random_q(rng, figure), turned(rng)
        expected = Rotation.from_matrix(figure.place(q)["tip"].rotation @ goal.T).as_rotvec()
        residual = residual_of(figure, Orientation("tip", goal), scale=1.0)
        assert residual(q) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("hair", [0.0, 1e-14, 1e-8, 1e-5, 1e-3, 1e-2])
@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_an_axis_opposite_to_its_goal_is_half_a_turn_away_with_a_way_back(
    axis: str, hair: float
) -> None:
    figure = _free_body()
    goal = rotation_matrix((np.pi - hair) * np.roll([0.0, 1.0, 0.0], "xyz".index(axis)))
    residual = residual_of(figure, Orientation("body", goal, free=axis), scale=1.0)  # type: ignore[arg-type]
    q = np.zeros(6)
    e, jacobian = residual(q), residual.jacobian(q)
    assert np.linalg.norm(e) == pytest.approx(np.pi - hair, abs=1e-12)
    assert np.isfinite(jacobian).all()
    assert np.abs(jacobian).max() < 4e3
    # Turning back along e shortens it one to one, and the linear model knows that.
    back = np.concatenate([np.zeros(3), -e / np.linalg.norm(e)])
    assert jacobian @ back == pytest.approx(back[3:], abs=1e-9)
    assert np.linalg.norm(residual(0.1 * back)) == pytest.approx(np.pi - hair - 0.1, abs=1e-9)
    if hair >= 1e-2:
        residual.check(q, step=1e-5, within=1e-4)


@pytest.mark.parametrize("distance", [1e-6, 1e-3, 0.1])
def test_aiming_at_a_point_near_the_site_has_a_right_jacobian(distance: float) -> None:
    rng = np.random.default_rng(2)
    figure = with_sites(rng, random_figure(rng, 4))
    q = random_q(rng, figure)
    point = figure.place(q)["tip"].position + distance * np.array(unit(rng))
    residual_of(figure, Aim("tip", point)).check(q, step=1e-3 * distance, within=1e-6)


def test_aiming_at_the_site_itself_wants_nothing() -> None:
    rng = np.random.default_rng(2)
    figure = with_sites(rng, random_figure(rng, 4))
    q = random_q(rng, figure)
    residual = residual_of(figure, Aim("tip", figure.place(q)["tip"]))
    assert not residual(q).any()
    assert not residual.jacobian(q).any()


def test_aiming_the_wrong_way_is_two_radii_off() -> None:
    figure = _free_body()
    residual = residual_of(figure, Aim("body", (-3.0, 0.0, 0.0)), scale=0.25)
    e = residual(np.zeros(6))
    assert e == pytest.approx([-0.5, 0.0, 0.0], abs=0.003)
    assert np.linalg.norm(e[1:]) > 0.002  # a hair across, or nothing would say which way to turn


@given(st.integers(0, 10_000))
def test_values_are_those_of_the_formulas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = with_sites(rng, random_figure(rng, 5))
    q, goal, frame, axis = random_q(rng, figure), np.array(vector(rng, 1.0)), turned(rng), unit(rng)
    where = figure.place(q)
    tip, other = where["tip"], where["other"]
    to_goal = (goal - tip.position) / np.linalg.norm(goal - tip.position)
    gap = Rotation.from_matrix(tip.rotation @ other.rotation.T).as_rotvec()
    half = np.sqrt(0.5)
    expected = [
        *(frame.T @ (tip.position - goal))[[0, 2]],
        *frame.T @ (figure.center_of_mass(q) - goal),
        np.array(axis) @ (tip.position - goal),
        *0.5 * (to_goal - tip.rotation @ np.array(axis)),
        *half * (tip.position - other.position),
        *half * 0.5 * gap,
        *0.5 * 0.7 * (tip.rotation - frame)[:, 0],
        *0.5 * 1.3 * (tip.rotation - frame)[:, 1],
    ]
    residual = residual_of(
        figure,
        Position("tip", goal, axes="xz", frame=frame),
        CenterOfMass(goal, frame=frame),
        HalfSpace("tip", goal, normal=axis),
        Aim("tip", goal, axis=axis),
        Loop("tip", "other", match="both"),
        Orientation("tip", frame, form="vectors", cx=0.7, cy=1.3),
    )
    assert residual(q) == pytest.approx(np.array(expected), abs=1e-11)


@given(st.floats(0.01, 100), st.floats(0.01, 10))
def test_radians_become_metres_and_the_greatest_weight_is_one(weight: float, scale: float) -> None:
    rng = np.random.default_rng(1)
    figure = with_sites(rng, random_figure(rng, 4))
    q, frame = random_q(rng, figure), Transform(turned(rng), np.array(vector(rng, 1.0)))
    tasks = Frame("tip", frame, position_share=0.2), Aim("tip", frame)
    plain = residual_of(figure, *tasks, weight=1.0, scale=1.0)
    scaled = residual_of(figure, *tasks, weight=weight, scale=scale)
    factor = np.array([1, 1, 1, *[scale] * 6])
    assert scaled(q) == pytest.approx(factor * plain(q))
    assert scaled.jacobian(q) == pytest.approx(factor[:, None] * plain.jacobian(q))
    assert np.linalg.norm(plain(q)[:3]) == pytest.approx(
        np.sqrt(0.2) * np.linalg.norm(figure.place(q)["tip"].position - frame.position)
    )


@given(st.integers(0, 10_000))
def test_balance_is_the_distance_to_the_edges_of_the_convex_hull(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = with_sites(rng, random_figure(rng, 4))
    q = random_q(rng, figure)
    where, center = figure.place(q), figure.center_of_mass(q)
    corners = np.array(
        [
            where[name].apply((*point, 0.0))[:2]
            for name in ("sole", "heel")
            for point in figure.sites[name].outline
        ]
    )
    hull = ConvexHull(corners)
    distances = -(hull.equations[:, :2] @ center[:2] + hull.equations[:, 2])
    rows = residual_of(figure, Balance(margin=0.03, supports=("sole", "heel")))(q)
    edges = len(hull.simplices)
    assert np.sort(rows[:edges]) == pytest.approx(np.sort(distances - 0.03), abs=1e-12)
    spare = rows[edges:]
    if (spare == 1.0).all():
        return
    # The hull is slender: its ends are watched, and whoever is inside is between them, too.
    gaps = np.linalg.norm(corners[:, None] - corners, axis=2)
    i, j = np.unravel_index(gaps.argmax(), gaps.shape)
    along = (corners[j] - corners[i]) / gaps[i, j]
    ends = [along @ (center[:2] - corners[i]), -along @ (center[:2] - corners[j])]
    assert np.sort(spare[:2]) == pytest.approx(np.sort(ends) - 0.03, abs=1e-12)
    assert (spare[2:] == 1.0).all()
    assert distances.min() < 0 or min(ends) >= 0


def test_the_hull_of_a_square_does_not_count_points_on_its_edges() -> None:
    body = Builder("body")
    body.segment("body", mass=1.0)
    body.root("body")
    square = [(1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (0.0, -1.0), (1.0, -1.0)]
    body.site("sole", "body", outline=square)
    rows = residual_of(body.build(), Balance(margin=0.0, supports="sole"))(np.zeros(6))
    assert rows == pytest.approx(np.ones(8))


def test_a_support_seen_edge_on_gives_finite_rows() -> None:
    figure = _free_body(outline=[(0.0, 0.0), (0.2, 0.0), (0.2, 0.1)])
    for turn in ([np.pi / 2, 0.0, 0.0], [0.0, np.pi / 2, 0.0]):  # seen along y, then along x
        residual = residual_of(figure, Balance(supports="sole"))
        q = np.array([0.1, 0.0, 0.3, *turn])
        assert np.isfinite(residual(q)).all()
        assert np.isfinite(residual.jacobian(q)).all()


def test_a_loop_between_two_trees_moves_both() -> None:
    rng = np.random.default_rng(4)
    pair = Builder("pair")
    for name in ("left", "right"):
        pair.segment(name, mass=1.0)
        pair.joint(name, Free(), "world", name, vector(rng, 0.5))
    figure = pair.build()
    residual = residual_of(figure, Loop("left", "right", match="both"))
    q = random_q(rng, figure)
    residual.check(q)
    jacobian = residual.jacobian(q)
    assert np.abs(jacobian[:, :6]).max() > 0.1
    assert np.abs(jacobian[:, 6:]).max() > 0.1


def _free_body(outline: list[tuple[float, float]] | None = None) -> Figure:
    body = Builder("body")
    body.segment("body", mass=1.0)
    body.root("body")
    body.site("sole", "body", outline=outline or [(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1)])
    return body.build()


def _is_at_a_kink(residual: Residual, q: Values) -> bool:
    """Whether the hull has other corners so near that differences would see them."""

    def hull(at: Values) -> tuple[int, ...]:
        edges = int((residual(at) != residual.problem.blocks.factor[0, 0]).sum())
        return tuple(residual.scratch.order[1, :edges].tolist())

    steps = 2.5e-3 * np.concatenate([np.eye(q.size), -np.eye(q.size)])
    return len({hull(q + step) for step in steps}) > 1
