"""The charts of rotations: there and back, their rates, and direct rotations."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from poise.kernel.body import rotations as r

few = settings(deadline=None, max_examples=150)
azimuths = st.floats(-np.pi, np.pi)
swing_angles = st.one_of(
    st.floats(0.0, np.deg2rad(170)),
    st.sampled_from([0.0, 1e-200, 1e-12, 1e-9, 1e-4, 0.0316, 0.0317, np.deg2rad(150)]),
)
twists = st.one_of(st.floats(-3.1415, 3.1415), st.sampled_from([0.0, np.pi, 1e-12, -3.14159265]))


def cross(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def swing_of(theta, azimuth):
    return theta * np.cos(azimuth), theta * np.sin(azimuth)


def swing_twist_by_definition(sx, sy, tau):
    return expm(cross([sx, sy, 0.0])) @ expm(cross([0.0, 0.0, tau]))


def quaternion_matrix(q):
    return Rotation.from_quat([q[1], q[2], q[3], q[0]]).as_matrix()


def matrix_of(sx, sy, tau):
    return quaternion_matrix(r.swing_twist_quaternion(sx, sy, tau))


def unit_vectors():
    def normalise(values):
        return np.array(values) / np.linalg.norm(values)

    three = st.tuples(*[st.floats(-1, 1)] * 3)
    return three.filter(lambda v: np.linalg.norm(v) > 0.1).map(normalise)


@few
@given(swing_angles, azimuths, twists)
def test_the_matrix_of_a_swing_and_twist_is_the_product_of_two_exponentials(theta, azimuth, tau):
    sx, sy = swing_of(theta, azimuth)
    np.testing.assert_allclose(
        matrix_of(sx, sy, tau), swing_twist_by_definition(sx, sy, tau), atol=1e-14
    )


@few
@given(swing_angles, azimuths, twists)
def test_swing_and_twist_come_back_from_the_quaternion(theta, azimuth, tau):
    sx, sy = swing_of(theta, azimuth)
    back = np.array(r.quaternion_swing_twist(*r.swing_twist_quaternion(sx, sy, tau)))
    assert -np.pi < back[2] <= np.pi
    difference = back - [sx, sy, tau]
    difference[2] = (difference[2] + np.pi) % (2 * np.pi) - np.pi
    # The split of swing and twist is as well defined as cos(θ/2) is large.
    np.testing.assert_allclose(difference, 0.0, atol=1e-12)


@few
@given(azimuths, twists, st.sampled_from([0.0, 1e-15, 1e-9, 1e-5]))
def test_near_a_swing_of_180_degrees_the_split_still_gives_the_same_rotation(azimuth, tau, less):
    quaternion = r.swing_twist_quaternion(*swing_of(np.pi - less, azimuth), tau)
    sx, sy, twist = r.quaternion_swing_twist(*quaternion)
    assert np.hypot(sx, sy) <= np.pi + 1e-15
    assert -np.pi < twist <= np.pi
    np.testing.assert_allclose(matrix_of(sx, sy, twist), quaternion_matrix(quaternion), atol=1e-14)


def test_the_singular_orientation_has_no_twist():
    sx, sy, tau = r.quaternion_swing_twist(0.0, 0.6, 0.8, 0.0)
    assert tau == 0.0
    np.testing.assert_allclose([sx, sy], np.pi * np.array([0.6, 0.8]), atol=1e-15)


@few
@given(unit_vectors(), st.one_of(st.floats(0, np.pi), st.sampled_from([0.0, 1e-12, 1e-8, 3.14159])))
def test_rotation_vectors_come_back(axis, angle):
    v = axis * angle
    quaternion = r.rotation_vector_quaternion(*v)
    matrix = Rotation.from_rotvec(v).as_matrix()
    np.testing.assert_allclose(quaternion_matrix(quaternion), matrix, atol=1e-15)
    back = np.array(r.quaternion_rotation_vector(*quaternion))
    assert np.linalg.norm(back) <= np.pi + 1e-15
    if angle > 3.1415:  # the opposite vector is as good at 180°
        back = back if back @ v > 0 else -back
    np.testing.assert_allclose(back, v, atol=1e-14)


def central_differences(rotate, at, step=1e-6):
    """Angular velocity from the fixed side, one column for each coordinate."""
    here, columns = rotate(at), []
    for i in range(len(at)):
        plus, minus = np.array(at), np.array(at)
        plus[i] += step
        minus[i] -= step
        spin = (rotate(plus) - rotate(minus)) / (2 * step) @ here.T
        columns.append([spin[2, 1], spin[0, 2], spin[1, 0]])
    return np.array(columns).T


@few
@given(swing_angles, azimuths, twists)
def test_the_rates_of_swing_and_twist_agree_with_differences(theta, azimuth, tau):
    x = np.array([*swing_of(theta, azimuth), tau])
    rates = np.empty((3, 3))
    r.swing_twist_rates(x[0], x[1], rates)
    np.testing.assert_allclose(rates, central_differences(lambda v: matrix_of(*v), x), atol=3e-9)
    determinant = np.sinc(theta / np.pi)
    assert np.linalg.det(rates) == pytest.approx(determinant, abs=1e-13)


@few
@given(swing_angles, azimuths, st.floats(-1, 1), st.floats(-1, 1))
def test_the_direction_moves_as_its_rate_says(theta, azimuth, vx, vy):
    sx, sy = swing_of(theta, azimuth)
    h = 1e-6
    plus = np.array(r.swing_direction(sx + h * vx, sy + h * vy))
    minus = np.array(r.swing_direction(sx - h * vx, sy - h * vy))
    rate = r.swing_direction_rate(sx, sy, vx, vy)
    np.testing.assert_allclose(rate, (plus - minus) / (2 * h), atol=1e-9)


@few
@given(swing_angles, azimuths)
def test_directions_and_swings_are_each_others_inverse(theta, azimuth):
    sx, sy = swing_of(theta, azimuth)
    direction = r.swing_direction(sx, sy)
    np.testing.assert_allclose(direction, matrix_of(sx, sy, 0.0)[:, 2], atol=1e-15)
    np.testing.assert_allclose(r.direction_swing(*direction), [sx, sy], atol=1e-14)


@few
@given(st.floats(0, 20), azimuths)
def test_the_canonical_swing_is_the_same_rotation(theta, azimuth):
    sx, sy = swing_of(theta, azimuth)
    tx, ty = r.canonical_swing(sx, sy)
    assert np.hypot(tx, ty) <= np.pi + 1e-14
    np.testing.assert_allclose(matrix_of(tx, ty, 0.0), matrix_of(sx, sy, 0.0), atol=1e-13)
    if theta < 3.14:
        assert (tx, ty) == (sx, sy)


@few
@given(unit_vectors(), unit_vectors())
def test_a_direct_rotation_turns_about_an_axis_across_both_directions(a, b):
    assume(a @ b > -1 + 1e-9)
    direct = r.direct_rotation(*a, *b)
    np.testing.assert_allclose(quaternion_matrix(direct) @ a, b, atol=1e-11)
    axis = np.array(r.quaternion_rotation_vector(*direct))
    assert abs(axis @ a) < 1e-7
    assert np.linalg.norm(axis) == pytest.approx(np.arccos(np.clip(a @ b, -1, 1)), abs=1e-7)


@pytest.mark.parametrize("a", np.concatenate([np.eye(3), -np.eye(3), [[0.6, 0.0, 0.8]]]))
def test_opposite_directions_have_a_direct_rotation_too(a):
    matrix = quaternion_matrix(r.direct_rotation(*a, *(-a)))
    np.testing.assert_allclose(matrix @ a, -a, atol=1e-15)


@few
@given(swing_angles, azimuths, swing_angles, azimuths)
def test_induced_twist_is_what_a_direct_rotation_adds(theta, azimuth, other, turn):
    s, t = swing_of(theta, azimuth), swing_of(other, turn)
    a, b = r.swing_direction(*s), r.swing_direction(*t)
    assume(np.dot(a, b) > -1 + 1e-6)
    direct = quaternion_matrix(r.direct_rotation(*a, *b))
    induced = r.induced_twist(*s, *t)
    assert -np.pi <= induced <= np.pi
    np.testing.assert_allclose(matrix_of(*t, induced), direct @ matrix_of(*s, 0.0), atol=1e-12)


def test_reaching_y_through_x_induces_a_quarter_turn():
    # Thesis, Fig. 3.13: from z directly to y, or first to x and from there to y.
    along_x, along_y = r.direction_swing(1.0, 0.0, 0.0), r.direction_swing(0.0, 1.0, 0.0)
    assert abs(r.induced_twist(*along_x, *along_y)) == pytest.approx(np.pi / 2, abs=1e-15)


def test_half_turns_about_any_axis_come_back_from_swing_and_twist():
    axes = np.random.default_rng(3).normal(size=(500, 3))
    for axis in axes / np.linalg.norm(axes, axis=1)[:, None]:
        for sign in (1.0, -1.0):
            turn = r.rotation_vector_quaternion(*(sign * np.pi * axis))
            back = matrix_of(*r.quaternion_swing_twist(*turn))
            assert np.abs(back - quaternion_matrix(turn)).max() < 1e-12
