"""What a figure file holds: one model for each part, in the order in which files are written.

Files have degrees where Python has radians. The models hold what Python holds: reading turns
degrees into radians, and `model_dump` turns them back, with the shortest text that reads back
to the same number. Only groups, couplings and postures stay as they are in the file, because
their units depend on the joints (see `poise.figure.files.units`).
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, Strict, model_validator

from poise.checking import AXES, Vec3
from poise.documents import Choice, Part, must_be, one_of, tagged, tagged_by, wrong
from poise.figure.files.values import (
    AngleEnds,
    Degrees,
    Density,
    Direction,
    DistanceEnds,
    End,
    FileEnds,
    Grid,
    Inertia,
    Length,
    Many,
    Mass,
    Point,
    Position,
    Radius,
    Rotation,
    Size,
    Slope,
    SwingPair,
    Table,
    Turn,
    Vertex,
)


def _without_default(schema: dict[str, Any]) -> None:
    """JSON has no word for infinity."""
    schema.pop("default", None)


def _unlimited(description: str, default: Any = (-math.inf, math.inf)) -> Any:
    """A field for limits that are not there unless given."""
    return Field(default=default, description=description, json_schema_extra=_without_default)


def _about(description: str, default: Any = ...) -> Any:
    return Field(default=default, description=description)


_OPTIONAL = BeforeValidator(lambda value: {} if value is None else value)
_ORIGIN: Vec3 = (0.0, 0.0, 0.0)

# shapes and segments -----------------------------------------------------------------------


class SpherePart(Part):
    """A ball."""

    center: Position = _about("its centre, m")
    radius: Length = _about("m")


class CapsulePart(Part):
    """All that lies within a radius of the line from start to end."""

    start: Position = _about("where the line starts, m")
    end: Position = _about("where the line ends, m")
    radius: Length = _about("m")


class TaperedCapsulePart(Part):
    """The hull of two balls."""

    start: Position = _about("centre of the first ball, m")
    end: Position = _about("centre of the second ball, m")
    start_radius: Length = _about("radius of the first ball, m")
    end_radius: Length = _about("radius of the second ball, m")


class CylinderPart(Part):
    """A cylinder about the line from start to end."""

    start: Position = _about("centre of one face, m")
    end: Position = _about("centre of the other face, m")
    radius: Length = _about("m")


class EllipsoidPart(Part):
    """An ellipsoid."""

    center: Position = _about("its centre, m")
    radii: Size = _about("semi-axes, m")
    rotation: Rotation = _about("how it is turned, a rotation vector in degrees", _ORIGIN)


class BoxPart(Part):
    """A box."""

    center: Position = _about("its centre, m")
    size: Size = _about("edges, m")
    rotation: Rotation = _about("how it is turned, a rotation vector in degrees", _ORIGIN)


class ShapePart(Choice):
    """A solid shape on a segment, in the segment's frame."""

    sphere: SpherePart | None = None
    capsule: CapsulePart | None = None
    tapered_capsule: TaperedCapsulePart | None = None
    cylinder: CylinderPart | None = None
    ellipsoid: EllipsoidPart | None = None
    box: BoxPart | None = None


SHAPES: dict[str, type[Part]] = {
    "sphere": SpherePart,
    "capsule": CapsulePart,
    "tapered_capsule": TaperedCapsulePart,
    "cylinder": CylinderPart,
    "ellipsoid": EllipsoidPart,
    "box": BoxPart,
}


class SegmentPart(Part):
    """A rigid part. Mass properties that are not given are computed from the shapes."""

    mass: Mass | None = _about("kg", None)
    density: Density | None = _about("kg/m³, instead of a mass", None)
    center: Position | None = _about("centre of mass, m", None)
    inertia: Inertia | None = _about("about the centre of mass, in the segment's axes, kg·m²", None)
    color: str | None = _about("for pictures, like '#3f74ad'", None)
    shapes: Many[ShapePart] = _about("what is drawn, collides and has mass", ())


# limits and joints -------------------------------------------------------------------------


class SphericalEllipsePart(Part):
    """An ellipse of swings."""

    rx: Radius = _about("greatest rotation about x from the centre, degrees")
    ry: Radius = _about("greatest rotation about y from the centre, degrees")
    centre: SwingPair = _about("the swing in the middle [sx, sy], degrees", (0.0, 0.0))


class SwingLimitPart(Choice):
    """A region that the swing (sx, sy) must not leave."""

    spherical_ellipse: SphericalEllipsePart | None = None
    spherical_polygon: Many[Vertex] | None = _about(
        "directions of the segment in the frame of the chart; edges are great arcs, "
        "the inside is on the left of each seen from outside",
        None,
    )
    planar_polygon: Many[SwingPair] | None = _about("swings [sx, sy] in degrees", None)


class TwistPart(Part):
    """An interval for the twist: ends, with slopes also depending on the swing."""

    lower: Degrees = _about("lowest twist at zero swing, degrees")
    upper: Degrees = _about("highest twist at zero swing, degrees")
    lower_slope: Slope = _about("degrees for each degree of [sx, sy]", (0.0, 0.0))
    upper_slope: Slope = _about("degrees for each degree of [sx, sy]", (0.0, 0.0))
    zero: Degrees = _about("the twist that counts as none, degrees", 0.0)

    @model_validator(mode="after")
    def _ends_are_in_order(self) -> TwistPart:
        if self.lower > self.upper and self.lower_slope == self.upper_slope:
            raise wrong("an interval, the lower end first")
        return self


class TwistTablePart(Part):
    """An interval for the twist, tabulated over the swing."""

    sx: Grid = _about("ascending, degrees")
    sy: Grid = _about("ascending, degrees")
    lower: Table = _about("lowest twist, a row for each sx with a number for each sy, degrees")
    upper: Table = _about("highest twist, likewise")
    zero: Degrees = _about("the twist that counts as none, degrees", 0.0)


class JointPart(Part):
    """What joins a child segment to its parent."""

    kind: Any
    parent: str = _about("a segment, or world: the ground")
    child: str = _about("a segment")
    position: Position = _about("of the joint's frame in the parent segment, m", _ORIGIN)
    rotation: Rotation = _about("of the joint's frame, a rotation vector in degrees", _ORIGIN)
    child_position: Position = _about("of the child in the frame that moves, m", _ORIGIN)
    child_rotation: Rotation = _about("of the child in the frame that moves, degrees", _ORIGIN)


class FixedPart(JointPart):
    """No motion at all."""

    kind: Literal["fixed"]


class HingePart(JointPart):
    """Turning about one axis of the joint's frame."""

    kind: Literal["hinge"]
    axis: Direction = _about("x, y, z, -x, -y, -z or three numbers", AXES["y"])
    limits: AngleEnds = _unlimited("[lower, upper] in degrees, .inf for none")
    coordinate: str = _about("the angle's name", "angle")


class SliderPart(JointPart):
    """Moving along one axis of the joint's frame."""

    kind: Literal["slider"]
    axis: Direction = _about("x, y, z, -x, -y, -z or three numbers", AXES["z"])
    limits: DistanceEnds = _unlimited("[lower, upper] in metres, .inf for none")
    coordinate: str = _about("the distance's name", "distance")


class ElbowPart(JointPart):
    """Flexion about one axis, then twist of the outgoing segment about its own."""

    kind: Literal["elbow"]
    flexion_axis: Direction = _about("x, y, z, -x, -y, -z or three numbers", AXES["y"])
    twist_axis: Direction = _about("likewise, not parallel to it", AXES["z"])
    flexion_limits: AngleEnds = _unlimited("[lower, upper] in degrees")
    twist_limits: AngleEnds = _unlimited("[lower, upper] in degrees")
    coordinates: Annotated[
        tuple[str, str], Strict(False), must_be("two names [flexion, twist]")
    ] = _about("the names of both angles", ("flexion", "twist"))


class ChartedPart(JointPart):
    """What a swing and a ball have in common."""

    axis: Direction = _about("the segment's long axis, in the segment's frame", AXES["z"])
    zero: Rotation = _about("puts zero into the middle of the range, degrees", _ORIGIN)
    swing: Many[SwingLimitPart] = _about("limits of the swing; all hold together", ())
    swing_x: AngleEnds = _unlimited("limits of sx, [lower, upper] in degrees")
    swing_y: AngleEnds = _unlimited("limits of sy, [lower, upper] in degrees")
    angle: Turn | None = _about("greatest angle of the whole rotation, degrees", None)


Clinical = Annotated[
    dict[str, str],
    _OPTIONAL,
    must_be("names with signed axes, like {flexion: -y, abduction: x}"),
]


class SwingPart(ChartedPart):
    """A ball without twist."""

    kind: Literal["swing"]
    coordinates: Annotated[
        tuple[str, str], Strict(False), must_be("two names [swing_x, swing_y]")
    ] = _about("the names of both coordinates", ("swing_x", "swing_y"))
    clinical: Clinical = _about("clinical angles: signed axes of the joint's frame by name", {})


class BallPart(ChartedPart):
    """Turning freely about a point."""

    kind: Literal["ball"]
    twist: TwistPart | None = _about("limits of the twist", None)
    twist_table: TwistTablePart | None = _about("limits of the twist as a table, instead", None)
    chart: Literal["swing_twist", "rotation_vector"] | None = _about(
        "what the coordinates are; rotation_vector if there are no limits of swing and twist", None
    )
    coordinates: Annotated[tuple[str, str, str], Strict(False), must_be("three names")] | None = (
        _about("the names of the three coordinates", None)
    )
    clinical: Clinical = _about("clinical angles: signed axes of the joint's frame by name", {})


class FreePart(JointPart):
    """All six freedoms."""

    kind: Literal["free"]


JOINTS: dict[str, type[JointPart]] = {
    "fixed": FixedPart,
    "hinge": HingePart,
    "slider": SliderPart,
    "elbow": ElbowPart,
    "swing": SwingPart,
    "ball": BallPart,
    "free": FreePart,
}

AnyJointPart = Annotated[
    Annotated[FixedPart, tagged("fixed")]
    | Annotated[HingePart, tagged("hinge")]
    | Annotated[SliderPart, tagged("slider")]
    | Annotated[ElbowPart, tagged("elbow")]
    | Annotated[SwingPart, tagged("swing")]
    | Annotated[BallPart, tagged("ball")]
    | Annotated[FreePart, tagged("free")],
    tagged_by(lambda value: value["kind"] if isinstance(value, dict) else value.kind),
    one_of("kind", JOINTS),
]

# the rest ----------------------------------------------------------------------------------


class SitePart(Part):
    """A named frame on a segment."""

    segment: str = _about("the segment that carries it")
    position: Position = _about("in the segment, m", _ORIGIN)
    rotation: Rotation = _about("in the segment, a rotation vector in degrees", _ORIGIN)
    outline: Many[Point] = _about(
        "of a sole or palm that supports, in its x-y plane, counter-clockwise, m", ()
    )


class CouplingPart(Part):
    """A linear law between coordinates: lower ≤ Σ factor · coordinate ≤ upper.

    It holds as it is written, with angles in degrees and distances in metres. So the bounds are
    degrees; with a distance among the terms they are metres, and an angle's factor is metres
    for each degree.
    """

    terms: dict[str, float] = _about("factors by coordinate")
    lower: End = _unlimited("least sum", -math.inf)
    upper: End = _unlimited("greatest sum", math.inf)


class TermPart(Part):
    """A product `factor · Π parameter^power`; without powers a constant."""

    factor: float
    powers: dict[str, Annotated[int, Field(ge=1), must_be("a whole number, at least 1")]] = _about(
        "by parameter", {}
    )


class GroupPart(Part):
    """Few parameters that drive many joints.

    Members are computed as it is written, with angles in degrees and distances in metres; a
    parameter counts as a distance when it drives distances only.
    """

    parameters: dict[str, FileEnds] = _about("limits [lower, upper] by name; .inf for none")
    members: dict[
        str,
        Annotated[
            Annotated[dict[str, float], tagged("factors")]
            | Annotated[Many[TermPart], tagged("terms")],
            tagged_by(lambda value: "factors" if isinstance(value, dict) else "terms"),
        ],
    ] = _about("by coordinate: factors by parameter, or a list of terms")


PosturePart = Annotated[
    dict[
        str,
        Annotated[
            Annotated[float, tagged("value")] | Annotated[dict[str, float], tagged("angles")],
            tagged_by(lambda value: "angles" if isinstance(value, dict) else "value"),
        ],
    ],
    _OPTIONAL,
]
_Stiffness = Annotated[float, Field(ge=0), Field(lt=1), must_be("a number from 0 to below 1")]


class FigurePart(Part):
    """A figure: a tree of rigid segments joined by joints."""

    name: str | None = _about("the figure's name; the file's, when there is none", None)
    description: str = _about("one line about it", "")
    segments: Annotated[dict[str, SegmentPart], _OPTIONAL] = _about("rigid parts by name")
    joints: Annotated[dict[str, AnyJointPart], _OPTIONAL] = _about(
        "joints by name; one with the parent world holds the figure to the ground", {}
    )
    sites: Annotated[dict[str, SitePart], _OPTIONAL] = _about("named frames", {})
    couplings: Annotated[dict[str, CouplingPart], _OPTIONAL] = _about("linear laws by name", {})
    groups: Annotated[dict[str, GroupPart], _OPTIONAL] = _about("joints driven together", {})
    postures: Annotated[dict[str, PosturePart], _OPTIONAL] = _about(
        "values by coordinate, or clinical angles by joint; `rest` is the natural posture", {}
    )
    locked: list[str] = _about("joints and groups that solvers leave where they are", [])
    stiffness: Annotated[dict[str, _Stiffness], _OPTIONAL] = _about(
        "reluctance to move, by joint, group or coordinate", {}
    )


class FigureFile(Part):
    """A figure file of poise. Metres, kilograms, degrees."""

    figure: FigurePart


def figure_schema() -> dict[str, Any]:
    """The JSON Schema of figure files, for editors."""
    schema = FigureFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
