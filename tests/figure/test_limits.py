"""The limits that a user writes: what they accept, what they refuse and how they say so."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from poise.kernel.body.tree import BALL, ROTATION, SWING
from poise.kernel.limits.arrays import (
    ANGLE,
    ELLIPSE,
    PLANAR,
    SPHERICAL,
    TABLE,
    TWIST,
    JointLimits,
    pack_limits,
    swing_directions,
)

nan, inf = np.nan, np.inf
SQUARE = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
OCTANT = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
FREE = np.full(3, -inf), np.full(3, inf)


def directions_of(swings):
    return swing_directions(np.array(swings, dtype=float)).tolist()


def test_limits_compare_by_value_and_do_not_change():
    assert SphericalEllipse(1, 2) == SphericalEllipse(1.0, 2.0, (0, 0))
    assert SphericalPolygon(np.array(OCTANT)) == SphericalPolygon(OCTANT)
    assert PlanarPolygon(np.array(SQUARE)) == PlanarPolygon(SQUARE)
    assert PlanarPolygon(SQUARE) != PlanarPolygon(SQUARE[::-1])
    assert Twist(-1, 1) == Twist(-1.0, 1.0, (0, 0))
    assert len({Angle(1), Angle(1.0), Angle(2)}) == 2
    with pytest.raises(AttributeError):
        Angle(1.0).maximum = 2.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("limit", "kind"),
    [
        (SphericalEllipse(1.0, 0.5), ELLIPSE),
        (SphericalPolygon(OCTANT), SPHERICAL),
        (PlanarPolygon(SQUARE), PLANAR),
        (Angle(1.0), ANGLE),
        (Twist(-1.0, 1.0), TWIST),
        (TwistTable((0, 1), (0, 1), ((0, 0), (0, 0)), ((1, 1), (1, 1))), TABLE),
    ],
)
def test_every_limit_packs_itself(limit, kind):
    found, values = limit.pack()
    assert found == kind
    assert values.dtype == np.float64
    assert np.isfinite(values).all()


def test_packed_limits_stand_one_after_the_other():
    packed = pack_limits(
        [
            JointLimits(0, BALL, [PlanarPolygon(SQUARE).pack(), Twist(-1, 1).pack()]),
            JointLimits(3, SWING, [Angle(0.5).pack()]),
            JointLimits(5, ROTATION, [Angle(0.5).pack()]),
        ]
    )
    assert packed.kind.tolist() == [PLANAR, TWIST, ELLIPSE, ANGLE]
    assert packed.coordinate.tolist() == [0, 0, 3, 5]
    assert packed.chart.tolist() == [BALL, BALL, SWING, ROTATION]
    assert packed.rows.tolist() == [4, 2, 1, 1]
    assert packed.start[-1] == packed.values.size
    assert pack_limits([]).start.tolist() == [0]


def test_a_planar_polygon_means_the_same_in_either_order():
    np.testing.assert_array_equal(
        np.sort(PlanarPolygon(SQUARE).pack()[1]), np.sort(PlanarPolygon(SQUARE[::-1]).pack()[1])
    )


def test_boundaries_are_swings_on_the_boundary():
    ellipse = SphericalEllipse(1.0, 0.5, (0.2, 0.1))
    off = (ellipse.boundary() - ellipse.centre) / [1.0, 0.5]
    np.testing.assert_allclose((off**2).sum(axis=1), 1.0, atol=1e-14)
    assert np.abs(PlanarPolygon(SQUARE).boundary()).max(axis=1) == pytest.approx(1.0)
    octant = swing_directions(SphericalPolygon(OCTANT).boundary())
    np.testing.assert_allclose(octant.min(axis=1), 0.0, atol=1e-15)


def test_a_polygon_on_the_equator_is_a_hemisphere():
    corners = [(np.cos(a), np.sin(a), 0.0) for a in (0.0, 2.0, 4.0)]
    assert SphericalPolygon(corners).directions == tuple(corners)


def test_collinear_corners_are_allowed():
    PlanarPolygon([(1, 1), (0, 1), (-1, 1), (-1, -1), (1, -1)])
    SphericalPolygon([(1, 0, 0), np.array([1, 1, 0]) / np.sqrt(2), (0, 1, 0), (0, 0, 1)])


@settings(deadline=None, max_examples=60)
@given(st.floats(-2, 2), st.floats(-2, 2))
def test_a_twist_table_is_bilinear_and_constant_outside(sx, sy):
    grid = np.array([-1.0, 0.0, 1.0])
    rows = grid[:, None] * 0.3 + grid[None, :] * 0.2 - 0.1 * grid[:, None] * grid[None, :]
    table = TwistTable(grid, grid, rows - 1, rows + 1, zero=0.5)
    x, y = np.clip([sx, sy], -1, 1)
    expected = 0.5 + 0.3 * x + 0.2 * y - 0.1 * x * y
    low, high = table.ends((sx, sy))
    assert float(low) == pytest.approx(expected - 1, abs=1e-14)
    assert float(high) == pytest.approx(expected + 1, abs=1e-14)


def test_a_constant_twist_says_so_and_gives_its_interval():
    assert Twist(-1.0, 0.5, zero=0.25).is_constant
    assert Twist(-1.0, 0.5, zero=0.25).interval == (-0.75, 0.75)
    assert not Twist(-1.0, 0.5, (0.1, 0.0)).is_constant


HALF = 0.5**0.5
# Typed as anything, to be given what their types forbid.
Ellipse: Any = SphericalEllipse
AnyTwist: Any = Twist
BAD = [
    (lambda: Ellipse(nan, 1), "rx of a spherical ellipse must be a finite number, not nan"),
    (lambda: Ellipse(1, -0.5), "ry of a spherical ellipse must be greater than 0, not -0.5"),
    (lambda: Ellipse(0, 1), "rx of a spherical ellipse must be greater than 0, not 0"),
    (lambda: Ellipse("a", 1), "rx of a spherical ellipse must be a number, not 'a'"),
    (
        lambda: Ellipse(1, 1, (0, 0, 0)),
        "the centre of a spherical ellipse must be 2 numbers, not 3",
    ),
    (
        lambda: Ellipse(1, 1, (0, nan)),
        "the centre of a spherical ellipse must be finite, not [0.0, nan]",
    ),
    (
        lambda: Ellipse(np.deg2rad(100), 1, (np.deg2rad(60), 0)),
        "a spherical ellipse must keep the swing within 150°, but it reaches 160°",
    ),
    (
        lambda: SphericalPolygon([(1, 0), (0, 1), (1, 1)]),
        "the directions of a spherical polygon must be any × 3 numbers, not 3 × 2",
    ),
    (
        lambda: SphericalPolygon([(1, 0, 0), (0, 1, 0), (0, 0, nan)]),
        "the directions of a spherical polygon must be finite, "
        "not [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, nan]]",
    ),
    (lambda: SphericalPolygon(OCTANT[:2]), "a spherical polygon needs at least 3 corners, not 2"),
    (
        lambda: SphericalPolygon([(1, 0, 0), (0, 2, 0), (0, 0, 1)]),
        "the directions of a spherical polygon must have length 1, but number 2 has length 2",
    ),
    (
        lambda: SphericalPolygon([(1, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1)]),
        "corners 1 and 3 of a spherical polygon are the same",
    ),
    (
        lambda: SphericalPolygon([(1, 0, 0), (-1, 0, 0), (0, 0, 1)]),
        "edge 1 of a spherical polygon is 180° long: its ends are opposite, so no great arc "
        "between them is the shortest",
    ),
    (
        lambda: SphericalPolygon(directions_of([(1, 1), (-1, -1), (-1, 1), (1, -1)])),
        "a spherical polygon crosses or touches itself: edges 1 and 3 meet",
    ),
    (
        lambda: SphericalPolygon([(1, 0, 0), (0, 1, 0), (HALF, HALF, 0)]),
        "a spherical polygon turns back on itself at corner 1",
    ),
    (
        lambda: SphericalPolygon(OCTANT[::-1]),
        "a spherical polygon must not contain the direction −z, where the swing is 180°; the "
        "inside is on the left of each edge, so perhaps the order is reversed",
    ),
    (
        lambda: SphericalPolygon(directions_of([(2.7, 0), (0, 1), (-1, 0), (0, -1)])),
        "a spherical polygon must keep the swing within 150°, but it reaches 154.7°",
    ),
    (lambda: PlanarPolygon([(0, 0), (1, 0)]), "a planar polygon needs at least 3 corners, not 2"),
    (
        lambda: PlanarPolygon([(1, 1), (-1, -1), (-1, 1), (1, -1)]),
        "a planar polygon crosses or touches itself: edges 1 and 3 meet",
    ),
    (
        lambda: PlanarPolygon([(0, 0), (2, 0), (2, 1), (1, 0), (0, 1)]),
        "a planar polygon crosses or touches itself: edges 1 and 3 meet",
    ),
    (
        lambda: PlanarPolygon([(0, 0), (1, 0), (2, 0)]),
        "a planar polygon turns back on itself at corner 1",
    ),
    (
        lambda: PlanarPolygon([(1, 0), (1, 0), (0, 1)]),
        "corners 1 and 2 of a planar polygon are the same",
    ),
    (
        lambda: PlanarPolygon([(2.7, 0), (0, 1), (-1, 0)]),
        "a planar polygon must keep the swing within 150°, but it reaches 154.7°",
    ),
    (lambda: Angle(0), "the maximum of an angle limit must be greater than 0, not 0"),
    (lambda: Angle(nan), "the maximum of an angle limit must be a finite number, not nan"),
    (
        lambda: Angle(4),
        "the maximum of an angle limit must be at most π: no rotation is larger, but 4 was given",
    ),
    (lambda: AnyTwist(nan, 1), "the lower end of a twist limit must be a finite number, not nan"),
    (lambda: AnyTwist(1, -1), "a twist limit is the wrong way round: lower 1, upper -1"),
    (lambda: AnyTwist(-1, 1, (1,)), "the lower slope of a twist limit must be 2 numbers, not 1"),
    (
        lambda: TwistTable((0, 0), (0, 1), ((0, 0), (0, 0)), ((1, 1), (1, 1))),
        "the grid sx of a twist table must be two or more ascending numbers, not [0.0, 0.0]",
    ),
    (
        lambda: TwistTable((0, 1), (0, 1), ((0, 0),), ((1, 1), (1, 1))),
        "the table lower of a twist table must be 2 × 2 numbers, not 1 × 2",
    ),
    (
        lambda: TwistTable((0, 1), (0, 2), ((0, 0), (0, 3)), ((1, 1), (1, 1))),
        "a twist table is the wrong way round at sx = 1, sy = 2: lower 3, upper 1",
    ),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_limits_are_refused_with_a_message_that_says_what(make, message):
    with pytest.raises(PoiseError) as caught:
        make()
    assert str(caught.value) == message


def box(**ends):
    lower, upper = FREE[0].copy(), FREE[1].copy()
    for name, (low, high) in ends.items():
        lower["xyt".index(name)], upper["xyt".index(name)] = low, high
    return lower, upper


LEFT, RIGHT = SphericalEllipse(0.2, 0.2, (-1, 0)), SphericalEllipse(0.2, 0.2, (1, 0))
TOGETHER = [
    (BALL, FREE, [LEFT, RIGHT], "j: its swing limits have nothing in common"),
    (BALL, box(x=(0, 1)), [LEFT], "j: its swing limits have nothing in common"),
    (BALL, box(x=(4, 5)), [], "j: its swing limits have nothing in common"),
    (
        BALL,
        box(y=(1, -1)),
        [],
        "j: the limits of coordinate 2 are the wrong way round: lower 1, upper -1",
    ),
    (
        BALL,
        box(t=(nan, 1)),
        [],
        "j: the limits of coordinate 3 are the wrong way round: lower nan, upper 1",
    ),
    (BALL, FREE, [Twist(0, 1), Twist(0, 1)], "j: at most one twist limit is allowed, not 2"),
    (BALL, FREE, [Angle(1), Angle(2)], "j: at most one angle limit is allowed, not 2"),
    (
        ROTATION,
        FREE,
        [LEFT],
        "j: a rotation vector can be limited by an angle, not by a spherical_ellipse",
    ),
    (ROTATION, box(x=(0, 1)), [], "j: a rotation vector can be limited by an angle, not by a box"),
    (SWING, box(), [Twist(0, 1)], "j: a joint without twist cannot have a twist"),
    (
        BALL,
        box(t=(2, 3)),
        [Twist(-1, 1)],
        "j: its twist limits cross: at the swing (0, -3.142) the lower is 2 and the upper 1",
    ),
    (
        BALL,
        FREE,
        [PlanarPolygon(SQUARE), Twist(-1, 1, (1.5, 0), (-1.5, 0))],
        "j: its twist limits cross: at the swing (1, 1) the lower is 0.5 and the upper -0.5",
    ),
    (BALL, FREE, [RIGHT, Angle(0.5)], "j: no rotation by at most 0.5 is within the other limits"),
]


@pytest.mark.parametrize(("chart", "ends", "limits", "message"), TOGETHER)
def test_limits_that_do_not_fit_together_are_refused(chart, ends, limits, message):
    width = 2 if chart == SWING else 3
    with pytest.raises(PoiseError) as caught:
        check_nonempty("j", chart, ends[0][:width], ends[1][:width], limits)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("chart", "ends", "limits"),
    [
        (BALL, FREE, []),
        (BALL, box(x=(-1, 1), y=(0, 0), t=(0, 0)), []),
        (BALL, box(x=(-1, -0.9)), [LEFT, Twist(-1, 1)]),
        (BALL, FREE, [LEFT, SphericalEllipse(0.2, 0.2, (-0.6, 0))]),  # they touch in a point
        (BALL, FREE, [LEFT, Twist(1, 0, (0, 0), (-2, 0))]),  # crosses only outside the ellipse
        (BALL, FREE, [RIGHT, Angle(0.9)]),
        (BALL, FREE, [PlanarPolygon(SQUARE), Twist(-1, 1, (0.9, 0), (-0.9, 0))]),
        (SWING, box(), [LEFT, Angle(1.0)]),
        (ROTATION, FREE, [Angle(1.0)]),
    ],
)
def test_limits_that_leave_something_are_accepted(chart, ends, limits):
    width = 2 if chart == SWING else 3
    check_nonempty("j", chart, ends[0][:width], ends[1][:width], limits)
