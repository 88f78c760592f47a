"""What a scene file holds: one model for each part, in the order in which files are written.

Models check keys and simple values and make the JSON Schema; what depends on the figures (names,
units of coordinates, targets) is checked as the scene is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, create_model

from poise.documents import Part, must_be, tagged, tagged_by
from poise.figure.files.parts import FigurePart, PosturePart, SegmentPart, SitePart
from poise.figure.files.values import Degrees, Length, Many, Point, Position, Size
from poise.scene.files.kinds import Value, classes, part
from poise.solvers import DEFAULT
from poise.statics.loads import FRICTION
from poise.tasks.task import Criterion, Task


def _about(description: str, default: Any = ...) -> Any:
    return Field(default=default, description=description)


_OPTIONAL = BeforeValidator(lambda value: {} if value is None else value)
_LISTED = BeforeValidator(lambda value: [] if value is None else value)
_Weight = Annotated[float, Field(gt=0), must_be("a number greater than 0")]
_Restarts = Annotated[
    Literal["auto"] | Annotated[int, Field(ge=0)], must_be("auto, or a whole number, at least 0")
]
_Share = Annotated[float, Field(gt=0, le=1), must_be("a number greater than 0, at most 1")]
_Positive = Annotated[int, Field(ge=1), must_be("a whole number, at least 1")]
_Stiffness = Annotated[float, Field(ge=0), Field(lt=1), must_be("a number from 0 to below 1")]
_Triple = Annotated[list[float], Field(min_length=3, max_length=3)]
_Turn = Annotated[_Triple, must_be("a rotation vector [x, y, z] in degrees")]
_Quaternion = Annotated[
    list[float], Field(min_length=4, max_length=4), must_be("four numbers [w, x, y, z]")
]
_Matrix = Annotated[
    list[_Triple], Field(min_length=3, max_length=3), must_be("three rows of three numbers")
]


class PlacePart(Part):
    """Where something is; at most one of rotation, quaternion and matrix."""

    position: Position | None = _about("m", None)
    rotation: _Turn | None = _about("a rotation vector in degrees", None)
    quaternion: _Quaternion | None = _about("[w, x, y, z], instead of a rotation", None)
    matrix: _Matrix | None = _about("three rows, instead of a rotation", None)


# figures -----------------------------------------------------------------------------------


class SourcePart(Part):
    """A figure: `ready` with arguments, a `file`, or `inline`; and how it starts."""

    ready: str | None = _about("a ready figure, as `poise figures` lists them", None)
    arguments: Annotated[dict[str, Any], _OPTIONAL] = _about(
        "of the ready figure, as in Python; angles in degrees", {}
    )
    file: str | None = _about("a figure file, seen from the folder of this one", None)
    inline: FigurePart | None = _about("a figure as in a figure file", None)
    sites: Annotated[dict[str, SitePart], _OPTIONAL] = _about("more named frames", {})
    locked: list[str] | None = _about("joints, groups and limbs that stay where they are", None)
    stiffness: dict[str, _Stiffness] | None = _about(
        "reluctance to move, by joint, group, limb or coordinate", None
    )
    position: Position | None = _about("where a figure with a free root stands, m", None)
    heading: Degrees | None = _about("its turn to the left about the vertical, degrees", None)
    postures: Annotated[dict[str, PosturePart], _OPTIONAL] = _about(
        "more named postures; what is not given is as at rest", {}
    )
    posture: (
        Annotated[
            Annotated[str, tagged("name")] | Annotated[PosturePart, tagged("values")],
            tagged_by(lambda value: "name" if isinstance(value, str) else "values"),
        ]
        | None
    ) = _about("the start: a named posture, or values; what is not given is as at rest", None)


AnySource = Annotated[
    Annotated[str, tagged("ready")] | Annotated[SourcePart, tagged("source")],
    tagged_by(lambda value: "ready" if isinstance(value, str) else "source"),
]
"""A ready figure may go by its name alone."""


# props -------------------------------------------------------------------------------------


class PropSitePart(PlacePart):
    """A named frame on a prop."""

    outline: Many[Point] = _about("of a face that supports, counter-clockwise, m", ())


class CylinderSizePart(Part):
    """An upright cylinder about its centre."""

    radius: Length = _about("m")
    height: Length = _about("m")


class MeshFilePart(Part):
    """Triangles from a file."""

    file: str = _about("a .glb, .gltf, .stl or .obj file, seen from the folder of this one")
    scale: _Weight = _about("metres in one unit of the file", 1.0)
    up: Literal["y", "z"] | None = _about("its axis that points up; y for glTF, else z", None)
    pieces: _Positive = _about("at most so many convex ones collide", 32)


class PropPart(SegmentPart, PlacePart):
    """An object: box, sphere, cylinder, mesh or other shapes; held, or standing in the world."""

    box: Size | None = _about("edges [x, y, z], m", None)
    sphere: Length | None = _about("radius, m", None)
    cylinder: CylinderSizePart | None = None
    mesh: MeshFilePart | None = None
    solid: bool = _about("whether bodies cannot pass through it", True)
    sites: Annotated[dict[str, PropSitePart], _OPTIONAL] = _about("more named frames", {})
    held: str | None = _about("the site that holds it; the place is then within that site", None)
    at: str | None = _about("the prop's own site that meets that one, instead of a place", None)


# tasks and the rest --------------------------------------------------------------------------


class ItemPart(Part):
    """What tasks and criteria have in common."""

    name: str | None = _about("for reports; unique", None)
    weight: _Weight = _about("against others of the same priority", 1.0)
    enabled: bool = _about("whether it counts", True)


def _form_of_joints(value: Any) -> str:
    """Whether joints are one name, several, or names with shares."""
    return "one" if isinstance(value, str) else "shares" if isinstance(value, dict) else "several"


class RankedPart(ItemPart):
    """What only tasks have."""

    priority: _Positive | None = _about("1 is the most important; else one after the last", None)
    joints: (
        Annotated[
            Annotated[str, tagged("one")]
            | Annotated[list[str], tagged("several")]
            | Annotated[dict[str, _Share], tagged("shares")],
            tagged_by(_form_of_joints),
        ]
        | None
    ) = _about(
        "joints, groups, limbs or coordinates that it may move for its own sake; {right_arm: 1, "
        "spine: 0.2} says how readily each does",
        None,
    )


def _without_default(schema: dict[str, Any]) -> None:
    """That nothing is there is no default."""
    schema.pop("default", None)


def _items(name: str, base: type[ItemPart], known: Mapping[str, type]) -> Any:
    """A model with a key for each kind, of which one must be there, or just the kind's name."""
    fields: dict[str, Any] = {
        key: (part(each), Field(default={}, json_schema_extra=_without_default))
        for key, each in known.items()
    }
    model = create_model(name, __base__=base, __doc__=base.__doc__, **fields)
    return Annotated[
        Annotated[str, tagged("word")] | Annotated[model, tagged("item")],
        tagged_by(lambda value: "word" if isinstance(value, str) else "item"),
    ]


TaskPart = _items("TaskPart", RankedPart, classes(Task))
CriterionPart = _items("CriterionPart", ItemPart, classes(Criterion))


class OptionsPart(Part):
    """How the scene is solved."""

    method: str = _about("how", DEFAULT)
    tolerance: _Weight = _about("a task is met when its error is at most this, m", 1e-4)
    max_iterations: _Positive = _about("when to give up", 200)
    max_seconds: _Weight | None = _about("when to give up; never, if it is not given", None)
    restarts: _Restarts = _about(
        "other starts to try when tasks are not met: auto for sixteen, each with at most 60 "
        "iterations; 0 for none, as in version 1 where nothing is said; or how many",
        "auto",
    )


# forces ------------------------------------------------------------------------------------

_Friction = Annotated[float, Field(gt=0), must_be("a number greater than 0")]
_Vector = Annotated[_Triple, must_be("three numbers [x, y, z]")]
_Strength = Annotated[
    Annotated[_Weight, tagged("both")]
    | Annotated[list[_Weight], Field(min_length=2, max_length=2), tagged("each")],
    tagged_by(lambda value: "each" if isinstance(value, list) else "both"),
]


class SupportPart(Part):
    """A site that bears a share."""

    ratio: float = _about("its share of what is to be balanced; all add up to 1", 1.0)
    friction: _Friction = _about("the coefficient of friction", FRICTION)


class LoadPart(Part):
    """A force on a figure, in world axes."""

    site: str | None = _about("where; if not given, the name says it", None)
    force: _Vector | None = _about("N", None)
    torque: _Vector | None = _about("N·m", None)
    point: _Vector | None = _about("of application, in the site's frame, m", None)


class BornePart(Part):
    """What a support bears at a point, as it was found."""

    site: str = _about("the support")
    force: _Vector | None = _about("N", None)
    torque: _Vector | None = _about("N·m", None)
    point: _Vector | None = _about("of application, in the site's frame, m", None)


class PersonPart(Part):
    """Whose strength is meant, as far as the figure does not tell."""

    sex: Literal["male", "female"] | None = None
    age: _Weight | None = _about("years", None)
    mass: _Weight | None = _about("kg", None)
    stature: _Weight | None = _about("m", None)


class ForcesPart(Part):
    """What supports and pushes the figures, and how strong they are."""

    supports: Annotated[
        dict[
            str,
            Annotated[
                Annotated[float, tagged("ratio")] | Annotated[SupportPart, tagged("support")],
                tagged_by(lambda value: "ratio" if isinstance(value, (int, float)) else "support"),
            ],
        ],
        _OPTIONAL,
    ] = _about("by site; a number is its ratio", {})
    applied: Annotated[dict[str, LoadPart], _OPTIONAL] = _about("forces by name", {})
    borne: Annotated[list[BornePart], _LISTED] = _about(
        "what supports bear, found earlier, instead of shares by ratio", []
    )
    person: Annotated[PersonPart, _OPTIONAL] = _about("whose strength", PersonPart())
    strength: Annotated[dict[str, _Strength], _OPTIONAL] = _about(
        "N·m by joint or component: one for both directions, or two", {}
    )


class ScenePart(Part):
    """A scene: figures, props, and what is wanted of them."""

    version: Literal[1, 2] = _about(
        "of the file's defaults; 2 is what poise writes; in 1 balance has no margin by default", 1
    )
    description: str = _about("one line about it", "")
    figure: AnySource | None = _about("the one figure; its names are used as they are", None)
    figures: dict[str, AnySource] | None = _about(
        "several figures by name; their sites and joints are named figure/name", None
    )
    props: Annotated[dict[str, PropPart], _OPTIONAL] = _about("objects by name", {})
    metres_per_radian: _Weight = _about("how much length an angle weighs", 0.5)
    natural: bool | None = _about(
        "whether persons hold themselves as people do; by default yes, in version 1 no", None
    )
    avoid: bool = _about(
        "whether bodies keep out of props, the floor, each other and themselves: adds the tasks "
        "avoid and avoid_self, of priority 1",
        False,
    )
    forces: Annotated[ForcesPart, _OPTIONAL] = _about("on the figures", ForcesPart())
    tasks: Annotated[list[TaskPart], _LISTED] = _about(  # type: ignore[valid-type]
        "what is wanted, the most important first", []
    )
    criteria: Annotated[list[CriterionPart], _LISTED] = _about(  # type: ignore[valid-type]
        "what to do with the freedom that is left", []
    )
    solve: Annotated[OptionsPart, _OPTIONAL] = _about("how it is solved", OptionsPart())


class SceneFile(Part):
    """A scene file of poise. Metres, kilograms, degrees."""

    scene: ScenePart


def scene_schema() -> dict[str, Any]:
    """The JSON Schema of scene files, for editors."""
    schema = SceneFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


__all__ = [
    "AnySource",
    "ForcesPart",
    "OptionsPart",
    "PlacePart",
    "PropPart",
    "SceneFile",
    "ScenePart",
    "SourcePart",
    "Value",
    "scene_schema",
]
