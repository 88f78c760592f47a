"""Tasks and criteria in scene files, by way of their fields: a new task needs nothing here.

A class goes by its name in words, `HalfSpace` as `half_space`, and has the keys that its dataclass
has fields. A field's annotation says what is allowed; one that takes several forms (`Any`) may have
numbers, names, lists, frames and other tasks, see `poise.scene.files.values`. Fields with a form of
their own are listed in `FORMS`, by the name that they have in every class. What tasks are about,
such as an ellipsoid, is written in the same way; `ABOUT` has what is not from `poise.tasks`.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union

from pydantic import Field, WithJsonSchema, create_model

from poise import tasks
from poise.documents import Part, tagged, tagged_by
from poise.figure import Ellipsoid
from poise.tasks.task import Criterion, Task, words

Form = Literal["direction", "angle", "turn", "posture", "zones", "strengths", "file"]

FORMS: dict[str, Form] = {
    "axis": "direction",
    "normal": "direction",
    "direction": "direction",
    "angle": "angle",
    "rotation": "turn",
    "posture": "posture",
    "zones": "zones",
    "strength": "strengths",
    "prior": "file",
}
"""Fields that are written in a form of their own, by name: an axis as x or -z, an angle and a
rotation vector in degrees, a posture by its name or its values, intervals of coordinates in degrees
and metres, strengths by joint in N·m, a file by its path seen from the folder of this one. All
others are plain values."""

ABOUT = (Ellipsoid,)
"""Descriptions that tasks take, from elsewhere."""

Value = Annotated[
    Any,
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number"},
                {"type": "string"},
                {"type": "boolean"},
                {"type": "array"},
                {"type": "object"},
            ]
        }
    ),
]
"""Whatever a task takes; the task itself says what is wrong with it."""


_Alone = Annotated[
    Any,
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "array"}]}),
]
"""A first field without its name; a mapping is always one of fields."""


def _is_written(each: Any) -> bool:
    """Whether it is a description that files can hold: no functions in it, not a mere base."""
    if not inspect.isclass(each) or not dataclasses.is_dataclass(each):
        return False
    hints = typing.get_type_hints(each)
    functions = [hint for hint in hints.values() if typing.get_origin(hint) is _FUNCTION]
    return each not in (Task, Criterion) and not functions


_FUNCTION = typing.get_origin(Callable[[], None])


@cache
def classes(base: type) -> Mapping[str, type]:
    """The classes of `poise.tasks` that derive from a base, by their names in files."""
    found = [*(getattr(tasks, name) for name in tasks.__all__), *ABOUT]
    return {words(c.__name__): c for c in found if _is_written(c) and issubclass(c, base)}


@cache
def descriptions() -> Mapping[str, type]:
    """All classes of `poise.tasks` that files can hold: tasks, criteria and what they are about."""
    return classes(object)


def first_field(described: type) -> str | None:
    """The field that may be given alone, `frame: left_foot`; None where all go by name."""
    for field in dataclasses.fields(described):
        if field.init and not field.kw_only:
            return field.name
    return None


def part(described: type) -> Any:
    """The model of a class's fields, or of its first field alone."""
    fields: dict[str, Any] = {}
    hints = typing.get_type_hints(described)
    for field in dataclasses.fields(described):
        if not field.init:
            continue
        allowed = _allowed(field.name, hints[field.name])
        fields[field.name] = (allowed, Field(default=... if is_needed(field) else None))
    lines = (described.__doc__ or "").split("\n")
    model = create_model(f"{described.__name__}Part", __base__=Part, __doc__=lines[0], **fields)
    if first_field(described) is None:
        return model
    return Annotated[
        Annotated[model, tagged("fields")] | Annotated[_Alone, tagged("first")],
        tagged_by(lambda value: "fields" if isinstance(value, (dict, NoneType)) else "first"),
    ]


def is_needed(field: dataclasses.Field[Any]) -> bool:
    """Whether a field has no default."""
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


def _allowed(name: str, hint: Any) -> Any:
    """The type of a field in a file, from its type in Python."""
    if name in FORMS:
        return {"angle": float, "file": str}.get(FORMS[name], Value)
    if hint in (str, float, int, bool) or typing.get_origin(hint) is Literal:
        return hint
    if typing.get_origin(hint) in (Union, UnionType):
        rest = [each for each in typing.get_args(hint) if each is not NoneType]
        if len(rest) == 1:
            return _allowed(name, rest[0])
    return Value
