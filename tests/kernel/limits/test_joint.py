"""Clamping a joint, against brute force; rows for solvers; advancing."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from poise.errors import PoiseError
from poise.figure.limit_checks import check_nonempty
from poise.figure.limits import (
    Angle,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    Twist,
    TwistTable,
)
from poise.kernel.body import rotations
from poise.kernel.body.tree import BALL, ROTATION, SWING
from poise.kernel.limits import joint as kernel
from poise.kernel.limits import rows as limit_rows
from poise.kernel.limits.arrays import JointLimits, Limits, pack_limits, swing_directions

few = settings(
    deadline=None,
    max_examples=80,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
LARGEST = np.deg2rad(150.0)


class Joint(NamedTuple):
    """A joint on its own, with what brute force needs beside what the kernel needs."""

    chart: int
    lower: np.ndarray
    upper: np.ndarray
    given: tuple
    packed: Limits

    @property
    def arguments(self):
        return self.lower, self.upper, self.chart, self.packed, 0, len(self.packed.kind)

    def clamp(self, x):
        result = np.array(x, dtype=float)
        assert kernel.clamp_joint(result, *self.arguments)
        return result

    def violation(self, x):
        return kernel.joint_violation(np.array(x, dtype=float), *self.arguments)


def joint(*limits, chart=BALL, lower=None, upper=None):
    width = 2 if chart == SWING else 3
    low = np.full(width, -np.inf) if lower is None else np.array(lower, dtype=float)
    high = np.full(width, np.inf) if upper is None else np.array(upper, dtype=float)
    packed = pack_limits([JointLimits(0, chart, [limit.pack() for limit in limits])])
    return Joint(chart, low, high, limits, packed)


def around(angles, radii, centre):
    """A star-shaped spherical polygon about a swing."""
    frame = orientation([*centre, 0.0])
    rim = np.stack(
        [np.sin(radii) * np.cos(angles), np.sin(radii) * np.sin(angles), np.cos(radii)], axis=-1
    )
    return SphericalPolygon((rim @ frame.T).tolist())


# Brute force: membership by formulas and by the parity of crossings. ----------------------------


def under_edges(swings, corners):
    """How many edges of a spherical polygon lie on the meridian between each direction and −z."""
    # At zero swing every meridian will do.
    swings = np.where(np.hypot(*swings.T)[:, None] > 1e-12, swings, [1e-12, 0.0])
    x, ends = swing_directions(swings), np.roll(corners, -1, axis=0)
    across = np.stack([-x[:, 1], x[:, 0], 0 * x[:, 0]], axis=-1)  # normal of the meridian's plane
    p, q = across @ corners.T, across @ ends.T
    crossing = np.abs(q)[..., None] * corners + np.abs(p)[..., None] * ends
    ahead = (crossing[..., :2] * x[:, None, :2]).sum(axis=-1)
    theta = np.arctan2(np.linalg.norm(crossing[..., :2], axis=-1), crossing[..., 2])
    return ((p > 0) != (q > 0)) & (ahead > 0) & (theta > np.hypot(*swings.T)[:, None])


def enclosed(points, corners):
    """Whether points (m, 2) are inside a polygon, by the parity of a ray's crossings."""
    ends = np.roll(corners, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    spans = (corners[:, 1] > y) != (ends[:, 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = corners[:, 0] + (y - corners[:, 1]) * (ends - corners)[:, 0] / (ends - corners)[:, 1]
    return (spans & (x < at)).sum(axis=1) % 2 == 1


def is_within(limit, swings):
    if isinstance(limit, SphericalEllipse):
        off = (swings - limit.centre) / [limit.rx, limit.ry]
        return (off**2).sum(axis=1) <= 1
    if isinstance(limit, Angle):
        return np.hypot(*swings.T) <= limit.maximum
    if isinstance(limit, PlanarPolygon):
        return enclosed(swings, np.array(limit.points))
    return under_edges(swings, np.array(limit.directions)).sum(axis=1) % 2 == 1


def valid_swings(body, swings):
    good = (np.hypot(*swings.T) <= np.pi) & (swings >= body.lower[:2]).all(axis=1)
    good &= (swings <= body.upper[:2]).all(axis=1)
    for limit in body.given:
        if not isinstance(limit, Twist | TwistTable):
            good &= is_within(limit, swings)
    return swings[good]


def angles_to(directions, direction):
    """Exact also for tiny angles."""
    return 2 * np.arcsin(np.clip(np.linalg.norm(directions - direction, axis=-1) / 2, 0, 1))


def nearest_by_force(body, swing, seed=0):
    """The least angle from the direction of a swing to a valid one, among very many tried."""
    random = np.random.default_rng(seed)
    goal = swing_directions(np.array(swing))
    disc = random.uniform(-np.pi, np.pi, (6000, 2))
    found = valid_swings(body, disc)
    if not len(found):
        return np.inf
    best, spread = np.inf, 0.2
    for _ in range(14):
        distance = angles_to(swing_directions(found), goal)
        order = np.argsort(distance)[:6]
        best = min(best, distance[order[0]])
        leaders = found[order]
        cloud = leaders[:, None] + spread * random.normal(size=(len(leaders), 60, 2))
        found = np.concatenate([leaders, valid_swings(body, cloud.reshape(-1, 2))])
        spread *= 0.4
    return best


def orientation(x):
    return (Rotation.from_rotvec([x[0], x[1], 0]) * Rotation.from_rotvec([0, 0, x[2]])).as_matrix()


def around_from(tau, other):
    """The angle, 0 to π, between twists."""
    return np.abs((np.asarray(other) - tau + np.pi) % (2 * np.pi) - np.pi)


def assert_nearest_swing(body, x, moved):
    goal = swing_directions(np.array(x[:2]))
    distance = angles_to(swing_directions(moved[:2]), goal)
    assert distance <= nearest_by_force(body, x[:2]) + 1e-9


def assert_no_induced_twist(x, turned):
    """The change of orientation is a rotation about an axis across both directions."""
    change = orientation(turned) @ orientation(x).T
    axis = Rotation.from_matrix(change).as_rotvec()
    before, after = orientation(x)[:, 2], orientation(turned)[:, 2]
    assert abs(axis @ before) < 1e-9
    assert abs(axis @ after) < 1e-9


# What is clamped -----------------------------------------------------------------------------

coordinates = st.floats(-3.1, 3.1)
points = st.tuples(st.floats(-2.2, 2.2), st.floats(-2.2, 2.2))
configurations = st.tuples(coordinates, coordinates, st.floats(-4, 4))
centres = st.tuples(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6))


@st.composite
def ellipses(draw, centre=None):
    centre = draw(centres) if centre is None else centre
    return SphericalEllipse(draw(st.floats(0.05, 1.6)), draw(st.floats(0.05, 1.6)), centre)


@st.composite
def stars(draw, planar, centre=None):
    """Polygons, mostly concave, star-shaped about a centre."""
    centre = draw(centres) if centre is None else centre
    count = draw(st.integers(3, 9))
    radii = np.array(draw(st.lists(st.floats(0.1, 1.2), min_size=count, max_size=count)))
    angles = np.arange(count) * 2 * np.pi / count + draw(st.floats(0, 6))
    try:
        if planar:
            rim = radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
            return PlanarPolygon((np.array(centre) + rim).tolist())
        return around(angles, radii, centre)
    except PoiseError:
        assume(False)
        raise


def regions(centre=None):
    return st.one_of(ellipses(centre), stars(True, centre), stars(False, centre))


@st.composite
def boxes(draw, centre):
    sides = draw(st.lists(st.one_of(st.floats(0.01, 1.5), st.just(np.inf)), min_size=4, max_size=4))
    cx, cy = centre
    return (cx - sides[0], cy - sides[1], -np.inf), (cx + sides[2], cy + sides[3], np.inf)


@st.composite
def crowded_joints(draw):
    """Several limits at once, all of which hold at one common point or near it."""
    centre = draw(centres)
    limits = draw(st.lists(regions(centre), min_size=1, max_size=3))
    lower, upper = draw(boxes(centre))
    return joint(*limits, lower=lower, upper=upper)


@few
@given(regions(), configurations)
def test_one_limit_moves_the_segment_to_the_nearest_valid_direction(limit, x):
    body = joint(limit)
    moved = body.clamp(x)
    assert body.violation(moved) <= 1e-12
    assert moved.tobytes() == body.clamp(moved).tobytes()
    if body.violation(x) <= 0:
        assert moved.tobytes() == np.array(x).tobytes()
    else:
        assert_nearest_swing(body, x, moved)
        assume(angles_to(swing_directions(moved[:2]), swing_directions(np.array(x[:2]))) < 3.1)
        assert_no_induced_twist(x, moved)


@few
@given(crowded_joints(), configurations)
def test_several_limits_at_once_are_clamped_to_their_nearest_common_point(body, x):
    moved = body.clamp(x)
    assert body.violation(moved) <= 1e-12
    assert moved.tobytes() == body.clamp(moved).tobytes()
    if body.violation(x) > 1e-12:
        assert_nearest_swing(body, x, moved)
    else:
        assert moved.tobytes() == np.array(x).tobytes()


@few
@given(boxes((0.0, 0.0)), configurations)
def test_a_box_is_a_region_with_edges_straight_in_the_chart(box, x):
    body = joint(lower=box[0], upper=box[1])
    moved = body.clamp(x)
    assert (moved >= body.lower).all()
    assert (moved <= body.upper).all()
    if body.violation(x) > 0:
        assert_nearest_swing(body, x, moved)


@few
@given(crowded_joints(), points)
def test_a_swing_is_clamped_as_the_direction_of_a_ball(body, x):
    swing = body._replace(chart=SWING, lower=body.lower[:2], upper=body.upper[:2])
    moved = swing.clamp(x)
    assert moved.tobytes() == body.clamp([*x, 0.0])[:2].tobytes()


@few
@given(crowded_joints(), points)
def test_the_violation_is_positive_just_where_a_limit_is_broken(body, s):
    violation = body.violation([*s, 0.0])
    assume(abs(violation) > 1e-9)
    assert (len(valid_swings(body, np.array([s]))) == 1) == (violation < 0)


@few
@given(stars(False), points)
def test_a_spherical_polygon_measures_its_violation_along_the_sphere(limit, s):
    violation = joint(limit).violation([*s, 0.0])
    boundary = swing_directions(limit.boundary(2000))
    nearest = angles_to(boundary, swing_directions(np.array(s))).min()
    half_gap = angles_to(boundary, np.roll(boundary, -1, axis=0)).max() / 2
    assert abs(violation) <= nearest + 1e-12
    assert nearest <= np.hypot(violation, half_gap) + 1e-12


@st.composite
def twisted_joints(draw):
    slopes = st.tuples(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
    if draw(st.booleans()):
        half = draw(st.floats(0.6, 2.5))
        twist = Twist(-half, half, draw(slopes), draw(slopes), draw(st.floats(-2, 2)))
    else:
        grid = np.array([-1.0, -0.2, 0.5, 1.2])
        values = draw(st.lists(st.floats(0.0, 2.0), min_size=24, max_size=24))
        table = np.array(values).reshape(2, 4, 3)
        twist = TwistTable(grid, grid[:3], -table[0], table[1], draw(st.floats(-2, 2)))
    return joint(draw(ellipses((0.0, 0.0))), twist)


@few
@given(twisted_joints(), configurations)
def test_the_twist_goes_to_the_nearest_end_of_its_interval_at_the_new_swing(body, x):
    moved = body.clamp(x)
    assert body.violation(moved) <= 1e-12
    assert moved.tobytes() == body.clamp(moved).tobytes()
    untwisted = joint(body.given[0]).clamp(x)
    np.testing.assert_array_equal(moved[:2], untwisted[:2])
    low, high = (float(end) for end in body.given[1].ends(moved[:2]))
    assert low - 1e-12 <= moved[2] <= high + 1e-12
    # No other valid twist at this swing is nearer to the orientation before its twist was clamped.
    others = moved[2] + np.linspace(low - moved[2], high - moved[2], 201)
    assert around_from(untwisted[2], moved[2]) <= around_from(untwisted[2], others).min() + 1e-12


def test_a_twist_beyond_a_half_turn_is_the_same_orientation_from_the_other_side():
    body = joint(Twist(-3.0, 3.0))
    np.testing.assert_allclose(body.clamp([0.1, 0.2, 3.3]), [0.1, 0.2, 3.3 - 2 * np.pi], atol=1e-15)
    np.testing.assert_array_equal(body.clamp([0.1, 0.2, 3.1]), [0.1, 0.2, 3.0])


def test_a_twist_limited_on_one_side_stops_there():
    body = joint(upper=[np.inf, np.inf, 1.0])
    np.testing.assert_array_equal(body.clamp([0.1, 0.2, 2.5]), [0.1, 0.2, 1.0])


def test_the_zero_twist_shifts_the_interval():
    body = joint(Twist(-0.5, 0.5, zero=1.0))
    assert body.clamp([0.0, 0.0, 0.0])[2] == 0.5
    assert body.clamp([0.0, 0.0, 2.0])[2] == 1.5


NOTCHED = np.array([[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [0.0, 0.2], [-0.8, 0.8]])


@pytest.mark.parametrize("planar", [True, False])
def test_inside_a_concave_polygon_a_reflex_corner_can_be_nearest(planar):
    limit = SphericalPolygon(swing_directions(NOTCHED).tolist())
    if planar:
        limit = PlanarPolygon(NOTCHED.tolist())
    body = joint(limit)
    assert body.violation([0.0, 0.05, 0.0]) == pytest.approx(-0.15, abs=1e-15)
    rows, bounds = rows_of(body, [0.0, 0.05, 0.0])
    assert len(rows) == 1
    assert rows[0, 1] > 0.5
    assert 0.0 < bounds[0] <= 0.15
    on_corner = body.clamp([*NOTCHED[3], 0.4])
    np.testing.assert_array_equal(on_corner, [*NOTCHED[3], 0.4])


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("s", [(0.05, 0.7), (-0.05, 0.7), (0.0, 0.7), (0.0, 0.21), (1.0, 1.0)])
def test_from_outside_a_concave_polygon_the_nearer_edge_or_corner_is_reached(planar, s):
    limit = SphericalPolygon(swing_directions(NOTCHED).tolist())
    if planar:
        limit = PlanarPolygon(NOTCHED.tolist())
    body = joint(limit)
    moved = body.clamp([*s, 0.0])
    assert body.violation(moved) <= 1e-12
    assert_nearest_swing(body, s, moved)
    if s == (1.0, 1.0):
        np.testing.assert_allclose(moved[:2], [0.8, 0.8], atol=1e-12)


def test_a_region_need_not_contain_zero_swing():
    limit = SphericalEllipse(0.3, 0.2, (1.2, -0.4))
    body = joint(limit)
    moved = body.clamp([0.0, 0.0, 0.0])
    assert body.violation(moved) <= 1e-12
    assert_nearest_swing(body, (0.0, 0.0, 0.0), moved)


@pytest.mark.parametrize("short", [0.0, 1e-15, 1e-9, 1e-3])
@pytest.mark.parametrize("azimuth", np.linspace(0, 6, 7))
def test_a_swing_near_180_degrees_is_clamped_too(short, azimuth):
    theta = np.pi - short
    x = np.array([theta * np.cos(azimuth), theta * np.sin(azimuth), 0.4])
    for limit in (
        SphericalEllipse(2.5, 1.0),
        SphericalEllipse(2.6, 2.6),
        PlanarPolygon([(2, 0), (0, 2), (-2, 0), (0, -2)]),
        around(np.arange(5) * 1.2, np.full(5, 1.0), (0.4, 0.1)),
    ):
        body = joint(limit)
        moved = body.clamp(x)
        assert body.violation(moved) <= 1e-12
        assert_nearest_swing(body, x, moved)


def test_a_swing_beyond_180_degrees_is_first_read_as_the_same_rotation_below():
    body = joint(SphericalEllipse(1.0, 1.0))
    moved = body.clamp([2 * np.pi - 0.5, 0.0, 0.2])
    np.testing.assert_allclose(moved, [-0.5, 0.0, 0.2], atol=1e-15)


def test_a_box_without_width_keeps_the_joint_on_a_line():
    body = joint(SphericalEllipse(1.0, 0.5), lower=[0.2, -np.inf, 0], upper=[0.2, np.inf, 0])
    moved = body.clamp([0.5, 1.3, 0.7])
    assert moved[0] == 0.2
    assert moved[2] == 0.0
    assert moved[1] == pytest.approx(0.5 * np.sqrt(1 - 0.2**2), abs=1e-9)


@few
@given(st.tuples(*[st.floats(-3, 3)] * 3), st.floats(0.1, 3.0), st.sampled_from([BALL, ROTATION]))
def test_a_total_angle_shortens_the_rotation_about_its_own_axis(x, maximum, chart):
    body = joint(Angle(maximum), chart=chart)
    moved = body.clamp(x)
    assert body.violation(moved) <= 1e-12
    assert moved.tobytes() == body.clamp(moved).tobytes()

    def vector(v):
        matrix = orientation(v) if chart == BALL else Rotation.from_rotvec(v).as_matrix()
        return Rotation.from_matrix(matrix).as_rotvec()

    before, after = vector(x), vector(moved)
    assume(np.linalg.norm(before) < 3.14)
    scale = min(1.0, maximum / max(np.linalg.norm(before), 1e-9))
    np.testing.assert_allclose(after, scale * before, atol=1e-10)
    if body.violation(x) <= 0:
        assert moved.tobytes() == np.array(x).tobytes()


def test_a_total_angle_on_a_swing_is_the_angle_of_the_swing():
    body = joint(Angle(0.5), chart=SWING)
    np.testing.assert_allclose(body.clamp([0.6, 0.8]), [0.3, 0.4], atol=1e-15)


def least_twist(low, high):
    """The least angle of a twist within an interval."""
    return np.where(np.ceil(low / TURN) * TURN <= high, 0, np.minimum(low % TURN, -high % TURN))


TURN = 2 * np.pi


def nearest_with_angle(body, twist, maximum, x, seed=0):
    """The least angle to a valid direction with a valid twist, and the least turn of twist there.

    By brute force; the second for the direction that the clamp found.
    """

    def leaves_a_twist(swings):
        low, high = twist.ends(swings)
        cosine = np.cos(np.hypot(*swings.T) / 2) * np.cos(least_twist(low, high) / 2)
        return 2 * np.arccos(np.clip(cosine, -1, 1)) <= maximum

    random = np.random.default_rng(seed)
    goal = swing_directions(np.array(x[:2]))
    found = valid_swings(body, random.uniform(-maximum, maximum, (20000, 2)))
    found = found[leaves_a_twist(found)]
    best, spread = np.inf, 0.1
    for _ in range(16):
        if not len(found):
            return np.inf
        distance = angles_to(swing_directions(found), goal)
        order = np.argsort(distance)[:6]
        best = min(best, distance[order[0]])
        leaders = found[order]
        cloud = leaders[:, None] + spread * random.normal(size=(len(leaders), 60, 2))
        cloud = valid_swings(body, cloud.reshape(-1, 2))
        found = np.concatenate([leaders, cloud[leaves_a_twist(cloud)]])
        spread *= 0.4
    return best


@few
@given(regions(), st.floats(0.3, 2.0), st.floats(-1.5, 1.5), st.floats(0.05, 1.0), configurations)
def test_with_a_total_angle_the_direction_is_nearest_and_then_the_twist(
    limit, maximum, zero, half, x
):
    twist = Twist(-half, half, zero=zero)
    body = joint(limit, twist, Angle(maximum))
    if not is_possible(body):
        # Then the direction nearest to zero with the least twist must turn too far.
        least = joint(limit, twist).clamp([0.0, 0.0, 0.0])
        assert kernel.rotation_angle(least, BALL) > maximum
        return
    moved = body.clamp(x)
    assert body.violation(moved) <= 1e-12
    assert moved.tobytes() == body.clamp(moved).tobytes()
    if body.violation(x) <= 0:
        assert moved.tobytes() == np.array(x).tobytes()
        return
    goal = swing_directions(np.array(x[:2]))
    distance = angles_to(swing_directions(moved[:2]), goal)
    assert distance <= nearest_with_angle(joint(limit), twist, maximum, x) + 1e-9
    # Of all valid twists at that direction none is nearer to the one carried there directly.
    sx, sy = rotations.canonical_swing(x[0], x[1])
    carried = x[2]
    if tuple(moved[:2]) != (sx, sy):
        carried += rotations.induced_twist(sx, sy, moved[0], moved[1])
    for tau in np.linspace(zero - half, zero + half, 301):
        if kernel.rotation_angle(np.array([*moved[:2], tau]), BALL) <= maximum:
            assert around_from(carried, moved[2]) <= around_from(carried, tau) + 1e-9


def is_possible(body):
    try:
        check_nonempty("it", BALL, body.lower, body.upper, body.given)
    except PoiseError:
        return False
    return True


@few
@given(twisted_joints(), st.floats(0.3, 2.0), configurations)
def test_a_total_angle_holds_together_with_twists_that_depend_on_the_swing(twisted, maximum, x):
    body = joint(*twisted.given, Angle(maximum))
    assume(is_possible(body))
    moved = body.clamp(x)
    assert body.violation(moved) <= 1e-12
    assert moved.tobytes() == body.clamp(moved).tobytes()


def test_limits_with_nothing_in_common_say_so():
    body = joint(SphericalEllipse(0.2, 0.2), SphericalEllipse(0.2, 0.2, (1.0, 0.0)))
    x = np.array([0.5, 0.5, 0.0])
    assert not kernel.clamp_joint(x, *body.arguments)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_not_clamped_and_not_valid(bad):
    body = joint(SphericalEllipse(0.5, 0.3), PlanarPolygon(NOTCHED.tolist()), Twist(-1, 1))
    for k in range(3):
        x = np.array([0.1, 0.2, 0.3])
        x[k] = bad
        assert not kernel.clamp_joint(x, *body.arguments)
        assert x[k] == bad or np.isnan(x[k])


# Rows for solvers ------------------------------------------------------------------------------


def rows_of(body, x, reach=np.inf):
    rows = np.full((int(body.packed.rows.sum()), 6), np.nan)
    last = len(body.packed.kind)
    count = limit_rows.tangents(np.array(x), body.chart, body.packed, 0, last, reach, rows)
    return rows[:count, :3], rows[:count, 3]


@few
@given(crowded_joints(), configurations)
def test_standing_still_is_always_allowed_by_the_rows(body, x):
    moved = body.clamp(x)
    rows, bounds = rows_of(body, moved)
    assert len(rows) >= len(body.given)
    assert (bounds >= 0).all()
    np.testing.assert_allclose(np.hypot(rows[:, 0], rows[:, 1]), 1.0, atol=1e-12)


@few
@given(regions(), configurations, st.floats(-np.pi, np.pi))
def test_on_the_boundary_the_rows_tell_the_way_out_from_the_way_in(limit, x, heading):
    body = joint(limit)
    moved = body.clamp(x)
    assume(abs(body.violation(moved)) < 1e-9)
    rows, bounds = rows_of(body, moved, reach=1e-6)
    assume(len(rows) == 1)  # not at a corner
    slope = rows[0, 0] * np.cos(heading) + rows[0, 1] * np.sin(heading)
    assume(abs(slope) > 0.05)
    there = moved + 1e-6 * np.array([np.cos(heading), np.sin(heading), 0.0])
    corner = np.abs(rows_of(body, moved, reach=1e-3)[1]).size > 1
    assume(not corner)
    if limit.kind != "spherical_ellipse" and body.packed.values[2] == 0:
        corners = getattr(limit, "points", None) or limit.boundary(len(limit.directions))
        assume(np.linalg.norm(np.array(corners) - moved[:2], axis=1).min() > 1e-3)
    assert bounds[0] < 1e-9
    assert (body.violation(there) > 0) == (slope > 0)


@few
@given(ellipses(), points)
def test_the_row_of_an_ellipse_cuts_nothing_off(limit, s):
    body = joint(limit)
    x = body.clamp([*s, 0.0])
    rows, bounds = rows_of(body, x)
    assert len(rows) == 1
    assert ((limit.boundary(200) - x[:2]) @ rows[0, :2] <= bounds[0] + 1e-9).all()


def test_a_convex_polygon_gives_the_rows_within_reach():
    square = PlanarPolygon([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    body = joint(square)
    rows, bounds = rows_of(body, [0.9, 0.0, 0.0], reach=0.2)
    np.testing.assert_allclose(rows, [[1, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(bounds, [0.1], atol=1e-15)
    assert len(rows_of(body, [0.9, 0.0, 0.0])[0]) == 4
    assert len(rows_of(body, [0.0, 0.0, 0.0], reach=0.5)[0]) == 0


def test_a_convex_spherical_polygon_gives_the_tangents_within_reach():
    corners = swing_directions(np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]))
    body = joint(SphericalPolygon(corners.tolist()))
    rows, bounds = rows_of(body, [0.9, 0.0, 0.0], reach=0.5)
    edge = np.arctan(np.tan(np.sqrt(2.0)) / np.sqrt(2.0))  # where the great arc meets sy = 0
    np.testing.assert_allclose(rows, [[1, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(bounds, [edge - 0.9], atol=1e-15)
    assert len(rows_of(body, [0.9, 0.0, 0.0], reach=0.4)[0]) == 0
    assert len(rows_of(body, [0.9, 0.0, 0.0])[0]) == 4


@few
@given(twisted_joints(), configurations)
def test_the_rows_of_a_twist_follow_its_slopes(body, x):
    moved = body.clamp(x)
    body = joint(body.given[1])
    rows, bounds = rows_of(body, moved)
    assert rows.shape == (2, 3)
    low, high = body.given[0].ends(moved[:2])
    np.testing.assert_allclose(
        bounds, [max(moved[2] - low, 0), max(high - moved[2], 0)], atol=1e-12
    )
    step = np.array([3e-7, -2e-7])
    if isinstance(body.given[0], TwistTable):
        grids = np.array(body.given[0].sx), np.array(body.given[0].sy)
        assume(min(np.abs(g - s).min() for g, s in zip(grids, moved[:2], strict=True)) > 1e-5)
    lower, upper = body.given[0].ends(moved[:2] + step)
    assert rows[0, :2] @ step == pytest.approx(float(lower - low), abs=1e-12)
    assert rows[1, :2] @ step == pytest.approx(-float(upper - high), abs=1e-12)
    np.testing.assert_array_equal(rows[:, 2], [-1.0, 1.0])


@few
@given(st.tuples(*[st.floats(-2, 2)] * 3), st.sampled_from([BALL, ROTATION]))
def test_the_row_of_a_total_angle_is_its_gradient(x, chart):
    body = joint(Angle(2.5), chart=chart)
    moved = body.clamp(x)
    angle = kernel.rotation_angle(moved, chart)
    assume(1e-3 < angle < 3.0)
    rows, bounds = rows_of(body, moved)
    assert bounds[0] == pytest.approx(max(2.5 - angle, 0), abs=1e-12)
    for i in range(3):
        plus, minus = moved.copy(), moved.copy()
        plus[i] += 1e-6
        minus[i] -= 1e-6
        slope = kernel.rotation_angle(plus, chart) - kernel.rotation_angle(minus, chart)
        assert rows[0, i] == pytest.approx(slope / 2e-6, abs=1e-6)


def test_there_is_no_row_for_the_angle_of_no_rotation():
    assert len(rows_of(joint(Angle(1.0)), [0.0, 0.0, 0.0])[0]) == 0


# Advancing ----------------------------------------------------------------------------------


def advance(body, start, end):
    end = np.array(end, dtype=float)
    arrived = kernel.advance(np.array(start, dtype=float), end, *body.arguments)
    return arrived, end


def horseshoe():
    """Two legs that point along +sx, at sy = ±0.6, joined at sx = −1."""
    corners = [(-1.2, -0.9), (1, -0.9), (1, -0.4), (-0.7, -0.4), (-0.7, 0.4), (1, 0.4), (1, 0.9)]
    return np.array([*corners, (-1.2, 0.9)])


@pytest.mark.parametrize("planar", [True, False])
def test_a_joint_does_not_jump_from_one_leg_of_a_horseshoe_to_the_other(planar):
    limit = SphericalPolygon(swing_directions(horseshoe()).tolist())
    if planar:
        limit = PlanarPolygon(horseshoe().tolist())
    body = joint(limit)
    start = np.array([0.5, -0.6, 0.1])
    arrived, end = advance(body, start, [0.5, 0.65, 0.2])
    assert not arrived
    assert body.violation(end) <= 1e-12
    middle = swing_directions(start[:2]) + swing_directions(np.array([0.5, 0.65]))
    swing = rotations.direction_swing(*(middle / np.linalg.norm(middle)))
    np.testing.assert_allclose(end[:2], body.clamp([*swing, 0.0])[:2], atol=1e-12)


@pytest.mark.parametrize("planar", [True, False])
def test_a_joint_moves_along_a_leg_of_a_horseshoe(planar):
    limit = SphericalPolygon(swing_directions(horseshoe()).tolist())
    if planar:
        limit = PlanarPolygon(horseshoe().tolist())
    body = joint(limit)
    arrived, end = advance(body, [0.5, -0.6, 0.1], [-0.9, -0.6, 0.2])
    assert arrived
    np.testing.assert_array_equal(end, [-0.9, -0.6, 0.2])


def test_advancing_to_an_invalid_configuration_ends_where_it_is_clamped():
    body = joint(SphericalEllipse(1.0, 0.5), Twist(-1, 1))
    arrived, end = advance(body, [0.0, 0.0, 0.0], [0.3, 0.9, 1.4])
    assert arrived
    np.testing.assert_array_equal(end, body.clamp([0.3, 0.9, 1.4]))


def test_sliding_along_an_edge_straight_in_the_chart_is_not_slowed_down():
    body = joint(PlanarPolygon([(-1, -1), (1, -1), (1, 2), (-1, 2)]))
    arrived, end = advance(body, [1.0, 0.5, 0.0], [1.0, 0.7, 0.0])
    assert arrived
    np.testing.assert_array_equal(end, [1.0, 0.7, 0.0])


@few
@given(crowded_joints(), configurations, configurations)
def test_wherever_a_joint_advances_it_stays_within_its_limits(body, first, second):
    _, end = advance(body, body.clamp(first), second)
    assert body.violation(end) <= 1e-12
