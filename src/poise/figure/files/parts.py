"""What a figure file holds: one model for each part, in the order in which files are written.

Files have degrees where Python has radians. The models hold what Python holds: reading turns
degrees into radians, and `model_dump` turns them back, with the shortest text that reads back
to the same number. Only groups, couplings and postures stay as they are in the file, because
their units depend on the joints (see `poise.figure.files.units`).
"""

from __future__ import annotations

import dataclasses
import math
from functools import cache, lru_cache, reduce
from operator import or_
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field, Strict, TypeAdapter, create_model, model_validator
from pydantic_core import core_schema

from poise.checking import Vec3
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
    Rounding,
    Size,
    Slope,
    SwingPair,
    Table,
    Turn,
    Vertex,
)
from poise.figure.kinds import KINDS, JointKind


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


class HullPart(Part):
    """The convex hull of points, sharp or rounded."""

    points: Many[Position] = _about("at least four points that are not in a plane, m")
    radius: Rounding = _about("of its rounded edges, m", 0.0)


class ShapePart(Choice):
    """A solid shape on a segment, in the segment's frame."""

    sphere: SpherePart | None = None
    capsule: CapsulePart | None = None
    tapered_capsule: TaperedCapsulePart | None = None
    cylinder: CylinderPart | None = None
    ellipsoid: EllipsoidPart | None = None
    box: BoxPart | None = None
    hull: HullPart | None = None


SHAPES: dict[str, type[Part]] = {
    "sphere": SpherePart,
    "capsule": CapsulePart,
    "tapered_capsule": TaperedCapsulePart,
    "cylinder": CylinderPart,
    "ellipsoid": EllipsoidPart,
    "box": BoxPart,
    "hull": HullPart,
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


Clinical = Annotated[
    dict[str, str],
    _OPTIONAL,
    must_be("names with signed axes, like {flexion: -y, abduction: x}"),
]

_SORTS: dict[str, Any] = {
    "direction": Direction,
    "rotation": Rotation,
    "angle_interval": AngleEnds,
    "distance_interval": DistanceEnds,
    "angle": cast("Any", Turn) | None,
    "name": str,
    "swing_limits": Many[SwingLimitPart],
    "twist_limit": TwistPart | None,
    "chart": Literal["swing_twist", "rotation_vector"] | None,
}
"""What a file holds of an entry of each sort; see `kinds.kind.entry`."""


def entries_of(kind: type[JointKind]) -> list[dataclasses.Field[Any]]:
    """The fields of a kind that files hold, in the order of files."""
    fields = {each.name: each for each in dataclasses.fields(cast("Any", kind)) if each.metadata}
    return [fields[key] for key in kind.file_keys or fields]


@cache
def joint_part(kind: type[JointKind]) -> type[JointPart]:
    """The model of a joint of some kind."""
    usual, own = kind(), dict[str, Any]()
    for each in entries_of(kind):
        sort, about = each.metadata["sort"], each.metadata["about"]
        unlimited = sort.endswith("_interval")
        field = _unlimited(about, each.default) if unlimited else _about(about, each.default)
        if sort == "names":
            names: Any = tuple[(str,) * len(usual.coordinates)]
            said: Any = Annotated[names, Strict(False), must_be(each.metadata["wanted"])]
            own[each.name] = (said if each.default else said | None, field)
        else:
            own[each.name] = (_SORTS[sort], field)
        if sort == "twist_limit":
            table = _about(f"{about} as a table, instead", None)
            own[f"{each.name}_table"] = (TwistTablePart | None, table)
    if usual.spherical is not None:
        named = _about("clinical angles: signed axes of the joint's frame by name", {})
        own["clinical"] = (Clinical, named)
    name, head = f"{kind.__name__}Part", (kind.__doc__ or "").partition("\n")[0]
    own["kind"] = (Literal[kind.kind], ...)
    return create_model(name, __base__=JointPart, __doc__=head, **own)


@lru_cache(maxsize=1)
def _any_joint(kinds: tuple[type[JointKind], ...]) -> TypeAdapter[JointPart]:
    """A joint of one of some kinds."""
    models: list[Any] = [Annotated[joint_part(kind), tagged(kind.kind)] for kind in kinds]
    joint: Any = Annotated[
        reduce(or_, models),
        tagged_by(lambda value: value["kind"] if isinstance(value, dict) else value.kind),
        one_of("kind", [kind.kind for kind in kinds]),
    ]
    return TypeAdapter(joint)


class _OfKinds:
    """A joint of one of the kinds that there are when a file is read, not when poise is loaded."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return core_schema.no_info_plain_validator_function(
            lambda value: _any_joint(tuple(KINDS.values())).validate_python(value)
        )

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        return handler(_any_joint(tuple(KINDS.values())).core_schema)


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
    joints: Annotated[dict[str, Annotated[JointPart, _OfKinds()]], _OPTIONAL] = _about(
        "joints by name; one with the parent world holds the figure to the ground", {}
    )
    sites: Annotated[dict[str, SitePart], _OPTIONAL] = _about("named frames", {})
    couplings: Annotated[dict[str, CouplingPart], _OPTIONAL] = _about("linear laws by name", {})
    groups: Annotated[dict[str, GroupPart], _OPTIONAL] = _about("joints driven together", {})
    limbs: dict[str, list[str]] | None = _about(
        "joints, groups or coordinates by limb; without, as names tell", None
    )
    postures: Annotated[dict[str, PosturePart], _OPTIONAL] = _about(
        "values by coordinate, or clinical angles by joint; `rest` is the natural posture", {}
    )
    locked: list[str] = _about("joints, groups and limbs that solvers leave where they are", [])
    stiffness: Annotated[dict[str, _Stiffness], _OPTIONAL] = _about(
        "reluctance to move, by joint, group, limb or coordinate", {}
    )


class FigureFile(Part):
    """A figure file of poise. Metres, kilograms, degrees."""

    figure: FigurePart


def figure_schema() -> dict[str, Any]:
    """The JSON Schema of figure files, for editors."""
    schema = FigureFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
