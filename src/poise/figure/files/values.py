"""The values in figure files: what each must be, in which unit, and how it is turned into Python's.

Whatever is wrong with one is told in its own words (`must_be`). Lists become tuples.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, AllowInfNan, Field, PlainSerializer, Strict

from poise.checking import AXES, Vec3, direction
from poise.documents import must_be, tagged, tagged_by
from poise.figure.files.units import degrees, radians


def _ascending(ends: tuple[float, float]) -> tuple[float, float]:
    low, high = ends
    if low > high or low == math.inf or high == -math.inf:
        raise ValueError("lower must come before upper")
    return ends


def _unit(value: Any) -> Vec3:
    return direction(value, "a direction")


def _not_zero(value: Vec3) -> Vec3:
    if not 1e-9 <= math.hypot(*value) <= 1e100:  # squares beyond that overflow
        raise ValueError("no direction")
    return value


def _roughly_unit(value: Vec3) -> Vec3:
    """As a polygon takes its directions: with a length of 1 to 1e-6 they stay as they are."""
    return value if abs(math.hypot(*value) - 1.0) <= 1e-6 else _unit(value)


def _axis_name(value: Vec3) -> str | Vec3:
    return next((name for name, axis in AXES.items() if axis == value), value)


def _form_of_inertia(value: Any) -> str:
    rows = isinstance(value, (list, tuple)) and any(isinstance(x, (list, tuple)) for x in value)
    return "rows" if rows else "diagonal"


_Item = TypeVar("_Item")
Many = Annotated[tuple[_Item, ...], Strict(False)]
"""A list in the file, a tuple here."""

_Pair = Annotated[tuple[float, float], Strict(False)]
_Triple = Annotated[tuple[float, float, float], Strict(False)]
End = Annotated[float, AllowInfNan(True)]
_Ends = Annotated[tuple[End, End], Strict(False), AfterValidator(_ascending)]
_IN_DEGREES = (AfterValidator(radians), PlainSerializer(degrees))
_Positive = Annotated[float, Field(gt=0)]

Length = Annotated[_Positive, must_be("a length in metres, greater than 0")]
Rounding = Annotated[Annotated[float, Field(ge=0)], must_be("a length in metres, at least 0")]
Position = Annotated[_Triple, must_be("three numbers [x, y, z] in metres")]
Size = Annotated[
    tuple[_Positive, _Positive, _Positive],
    Strict(False),
    must_be("three lengths [x, y, z] in metres, greater than 0"),
]
Rotation = Annotated[_Triple, must_be("a rotation vector [x, y, z] in degrees"), *_IN_DEGREES]
Direction = Annotated[
    Literal["x", "y", "z", "-x", "-y", "-z"] | Annotated[_Triple, AfterValidator(_not_zero)],
    must_be("x, y, z, -x, -y, -z or three numbers, not all 0"),
    AfterValidator(_unit),
    PlainSerializer(_axis_name),
]
Vertex = Annotated[
    _Triple,
    AfterValidator(_not_zero),
    must_be("three numbers [x, y, z], not all 0"),
    AfterValidator(_roughly_unit),
]
Point = Annotated[_Pair, must_be("two numbers [x, y] in metres")]
Degrees = Annotated[float, must_be("a number in degrees"), *_IN_DEGREES]
Radius = Annotated[_Positive, must_be("a number in degrees, greater than 0"), *_IN_DEGREES]
Turn = Annotated[
    _Positive,
    Field(le=180),
    must_be("a number in degrees, above 0 and at most 180"),
    *_IN_DEGREES,
]
SwingPair = Annotated[_Pair, must_be("two numbers [sx, sy] in degrees"), *_IN_DEGREES]
Slope = Annotated[_Pair, must_be("two numbers, degrees of twist for each of sx and of sy")]
AngleEnds = Annotated[
    _Ends, must_be("two numbers [lower, upper] in degrees, the lower first"), *_IN_DEGREES
]
DistanceEnds = Annotated[_Ends, must_be("two numbers [lower, upper] in metres, the lower first")]
FileEnds = Annotated[_Ends, must_be("two numbers [lower, upper], the lower first")]
Grid = Annotated[Many[float], must_be("a list of numbers in degrees"), *_IN_DEGREES]
Table = Annotated[Many[Many[float]], must_be("a list of rows of numbers in degrees"), *_IN_DEGREES]
Mass = Annotated[float, Field(ge=0), must_be("a mass in kg, at least 0")]
Density = Annotated[_Positive, must_be("a density in kg/m³, greater than 0")]
Inertia = Annotated[
    Annotated[_Triple, tagged("diagonal")]
    | Annotated[Annotated[tuple[_Triple, _Triple, _Triple], Strict(False)], tagged("rows")],
    tagged_by(_form_of_inertia),
    must_be("[xx, yy, zz] or three rows of three numbers, in kg·m²"),
]
