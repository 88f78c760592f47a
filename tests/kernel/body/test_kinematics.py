"""Placements and Jacobians: against pinocchio and MuJoCo, and against differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.kernel.peers import MuJoCo, Pinocchio, turning
from tests.random_figures import (
    KINDS,
    differences,
    grouped,
    random_figure,
    random_kind,
    random_q,
    turned_from,
    unit,
)

from poise.figure.builder import Builder
from poise.figure.figure import Figure
from poise.figure.kinds import Ball, Hinge, Swing
from poise.figure.packing import crossings
from poise.figure.parts import Monomial
from poise.figure.transform import IDENTITY, Transform
from poise.models.human import human

Values = NDArray[np.float64]
seeds = st.integers(0, 2**32 - 1)

# `differences` leaves out h⁴/30 of the fifth derivative, 3e-14 of it for h = 1e-3. Chains of ten
# joints turn a reach of about 2 m about each coordinate at rates up to 2, groups at up to 3: fifth
# derivatives reach some thousands.
TOLERANCE = 1e-9


def compare_with_differences(figure: Figure, q: Values, names: list[str]) -> None:
    point = np.array([0.1, -0.2, 0.3])
    for name in names:
        rows = figure.jacobian(q, name, point=point)
        there = differences(lambda x, name=name: figure.place(x)[name].apply(point), q)
        assert np.abs(rows[:3] - there).max(initial=0) < TOLERANCE
        turned = differences(turned_from(figure, q, name), q)
        assert np.abs(rows[3:] - turned).max(initial=0) < TOLERANCE


@pytest.mark.parametrize("peer", [Pinocchio, MuJoCo])
@pytest.mark.parametrize("seed", range(200))
def test_placements_and_velocities_are_those_of(peer: type[Pinocchio | MuJoCo], seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, int(rng.integers(2, 14)), root=("free", "fixed")[seed % 2])
    while figure.n == 0:  # pinocchio crashes on what cannot move
        figure = random_figure(rng, 5, root="fixed")
    other = peer(figure)
    q, rates = random_q(rng, figure), rng.normal(size=figure.n)
    other.move(q, rates)
    where = figure.place(q)
    for segment in figure.segments:
        rotation, position = other.place(segment)
        assert np.abs(where[segment].rotation - rotation).max() < 1e-9
        assert np.abs(where[segment].position - position).max() < 1e-9
        assert np.abs(figure.jacobian(q, segment) @ rates - other.velocity(segment)).max() < 1e-9
    center, velocity = other.center()
    assert np.abs(figure.center_of_mass(q) - center).max() < 1e-9
    assert np.abs(figure.center_of_mass_jacobian(q) @ rates - velocity).max() < 1e-9


@given(seeds)
def test_placements_are_the_product_of_the_joints_motions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng)
    q = random_q(rng, figure)
    where = figure.place(q)
    placed: dict[str, Transform] = {"world": IDENTITY}
    for joint, _ in crossings(list(figure.joints.values())):
        frame = placed[joint.parent] @ joint.before
        assert np.allclose(where[joint.name].position, frame.position, rtol=0, atol=1e-13)
        assert np.allclose(where[joint.name].rotation, frame.rotation, rtol=0, atol=1e-13)
        placed[joint.child] = frame @ joint.kind.motion(q[figure.span(joint.name)]) @ joint.after
    for name in figure.segments:
        assert np.allclose(where[name].position, placed[name].position, rtol=0, atol=1e-13)
        assert np.allclose(where[name].rotation, placed[name].rotation, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(5))
def test_jacobians_agree_with_differences_for_each_kind(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 4, kinds=[kind], chain=True)
    compare_with_differences(figure, random_q(rng, figure), ["s0", "s3", "j2"])


@given(seeds)
def test_jacobians_agree_with_differences_in_random_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, root="fixed" if seed % 3 == 0 else "free")
    compare_with_differences(figure, random_q(rng, figure), ["s9", f"s{rng.integers(9)}"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_jacobians_agree_with_differences_where_joints_are_crossed_backwards(
    kind: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 4, kinds=[kind], chain=True)
    turned, posture = figure.rooted_at("s3", random_q(rng, figure))
    assert turned.packed.tree.reverse.sum() == sum(
        len([link for link in figure.joints[f"j{i}"].kind.chain() if isinstance(link, str)])
        for i in (1, 2, 3)
    )
    compare_with_differences(turned, posture.q, ["s0", "s2", "j2"])


@given(seeds)
def test_jacobians_agree_with_differences_in_random_trees_rooted_elsewhere(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 8)
    root = "fixed" if seed % 2 else None
    turned, posture = figure.rooted_at(f"s{rng.integers(8)}", random_q(rng, figure), root=root)
    compare_with_differences(turned, posture.q, ["s0", "s7"])


@pytest.mark.parametrize("chain", [True, False])
@pytest.mark.parametrize("degree", [1, 3])
@pytest.mark.parametrize("seed", range(8))
def test_jacobians_of_groups_agree_with_differences(seed: int, degree: int, chain: bool) -> None:
    rng = np.random.default_rng(seed)
    figure = grouped(rng, random_figure(rng, 8, chain=chain), degree=degree)
    q = random_q(rng, figure)
    compare_with_differences(figure, q, ["s0", "s4", "s7"])
    turned, posture = figure.rooted_at("s5", q)
    compare_with_differences(turned, posture.q, ["s0", "s7"])


def test_a_group_moves_a_node_by_the_sum_over_its_members_on_the_way() -> None:
    builder = Builder("fork")
    for name in ("base", "stem", "left", "right"):
        builder.segment(name)
    z = (0.0, 0.0, 1.0)
    builder.joint("bottom", Hinge(z), "base", "stem")
    builder.joint("left_top", Hinge(z), "stem", "left", (1.0, 0.0, 0.0))
    builder.joint("right_top", Hinge(z), "stem", "right", (1.0, 0.0, 0.0))
    builder.group(
        "bend",
        {"a": (-1, 1)},
        {"bottom.angle": {"a": 1}, "left_top.angle": {"a": 2}, "right_top.angle": {"a": -3}},
    )
    figure = builder.build()
    turns = {name: figure.jacobian([0.3], name)[5, 0] for name in ("stem", "left", "right")}
    assert turns == pytest.approx({"stem": 1.0, "left": 3.0, "right": -2.0})


def test_rates_of_a_group_are_made_anew_in_every_posture() -> None:
    builder = Builder("square")
    builder.segment("base")
    builder.segment("arm")
    builder.joint("joint", Hinge((0.0, 0.0, 1.0)), "base", "arm")
    square = {"joint.angle": (Monomial(1.0, {"a": 2}), Monomial(0.5, {"a": 1, "b": 1}))}
    builder.group("group", {"a": (-1, 1), "b": (-1, 1)}, square)
    figure = builder.build()
    for a, b in ((0.0, 0.0), (0.5, -0.2), (0.0, 0.7)):
        rows = figure.jacobian([a, b], "arm")
        assert rows[5] == pytest.approx([2 * a + 0.5 * b, 0.5 * a])
        assert figure.members([a, b]) == pytest.approx({"joint.angle": a * a + 0.5 * a * b})


SWINGS = [0.0, 1e-160, 1e-12, 1e-9, 1e-6, 1e-3, 0.0316, 0.03163, 0.1, np.deg2rad(150.0)]


@pytest.mark.parametrize("size", SWINGS)
@pytest.mark.parametrize("kind", ["swing", "ball", "rotation"])
@pytest.mark.parametrize("backwards", [False, True])
def test_rates_of_charts_are_exact_near_zero_and_far_from_it(
    kind: str, size: float, backwards: bool
) -> None:
    """0.03162 is where the series end; the matrix exponential knows no such place."""
    rng = np.random.default_rng(1)
    for _ in range(10):
        joint = random_kind(rng, kind)
        assert isinstance(joint, (Ball, Swing))
        values = rng.normal(size=len(joint.coordinates or ()))
        turn = 3 if kind == "rotation" else 2
        values[:turn] *= size / np.linalg.norm(values[:turn])
        builder = Builder("one")
        builder.segment("base")
        builder.segment("arm")
        builder.joint("joint", joint, "base", "arm")
        figure, name, sign = builder.build(), "arm", 1.0
        if backwards:
            # Rooted at the arm, the base moves: seen from the arm the other way round.
            figure, name, sign = figure.rooted_at("arm", values)[0], "base", -1.0
        rows = figure.jacobian(values, name)[3:]
        here = figure.place(values)["arm"].rotation
        for i, row in enumerate(rows.T):
            _, spin = turning(joint, values, np.eye(values.size)[i])
            assert np.abs(row - sign * here @ spin).max() < 2e-14


@pytest.mark.parametrize("size", SWINGS)
def test_jacobians_agree_with_differences_at_any_swing(size: float) -> None:
    rng = np.random.default_rng(2)
    figure = random_figure(rng, 5, kinds=["ball", "swing", "rotation"])
    q = random_q(rng, figure)
    for name, joint in figure.joints.items():
        if name != "root":
            x = q[figure.span(name)]
            x[:2] *= size / np.linalg.norm(x[:2])
            if isinstance(joint.kind, Ball) and joint.kind.chart == "rotation_vector":
                x[2] = 0.0
    compare_with_differences(figure, q, ["s1", "s4"])
    turned, posture = figure.rooted_at("s4", q)
    compare_with_differences(turned, posture.q, ["s0", "s2"])


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_jacobians_agree_with_differences_at_limits(end: str) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        figure = random_figure(rng, 8, kinds=["hinge", "slider", "elbow"])
        q = random_q(rng, figure)
        bounds = getattr(figure, end)
        q[np.isfinite(bounds)] = bounds[np.isfinite(bounds)]
        compare_with_differences(figure, q, ["s7", "s4"])


@given(seeds, st.floats(3.5, 50.0))
def test_rotation_vectors_and_twists_of_many_turns_are_handled(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 4, kinds=["hinge", "elbow", "rotation", "ball"])
    q = random_q(rng, figure) * size
    where = figure.place(q)
    for name in figure.segments:
        R = where[name].rotation
        assert np.abs(R @ R.T - np.eye(3)).max() < 1e-14 * 10
    compare_with_differences(figure, q, ["s3"])


def test_the_velocity_of_a_point_is_that_of_the_frame_turned() -> None:
    rng = np.random.default_rng(5)
    figure = random_figure(rng)
    q = random_q(rng, figure)
    rates, offset = rng.normal(size=figure.n), np.array(unit(rng))
    at_origin = figure.jacobian(q, "s9") @ rates
    at_point = figure.jacobian(q, "s9", point=offset) @ rates
    arm = figure.place(q)["s9"].rotation @ offset
    assert at_point[:3] == pytest.approx(at_origin[:3] + np.cross(at_origin[3:], arm), abs=1e-13)
    assert at_point[3:] == pytest.approx(at_origin[3:], abs=0)


def test_a_frame_does_not_move_with_coordinates_that_are_not_on_its_way_to_the_ground() -> None:
    rng = np.random.default_rng(6)
    figure = random_figure(rng, 12)
    parent = {joint.child: joint for joint in figure.joints.values()}
    rows = figure.jacobian(random_q(rng, figure), "s11")
    path: set[str] = set()
    here = "s11"
    while here != "world":
        path.update(parent[here].coordinates)
        here = parent[here].parent
    for coordinate, column in zip(figure.coordinates, rows.T, strict=True):
        assert (np.abs(column).max() > 0) == (coordinate in path)


def test_questions_may_be_asked_from_many_threads_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    rng = np.random.default_rng(7)
    figure = random_figure(rng, 40)
    postures = [random_q(rng, figure) for _ in range(300)]
    alone = [figure.jacobian(q, "s39") for q in postures]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda q: figure.jacobian(q, "s39"), postures))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))


@given(seed=st.integers(0, 2**32 - 1))
def test_jacobians_agree_with_differences_where_curved_limits_are_active(seed: int) -> None:
    person = human()
    q = person.clamp(np.random.default_rng(seed).normal(0, 1.5, person.n)).q
    assert person.violation(q) > -1e-9  # something is at its stop
    for name in ("right_hand", "left_toe"):
        expected = differences(lambda x, name=name: person.place(x)[name].position, q)
        assert np.abs(person.jacobian(q, name)[:3] - expected).max() < 1e-9
    expected = differences(person.center_of_mass, q)
    assert np.abs(person.center_of_mass_jacobian(q) - expected).max() < 1e-9
