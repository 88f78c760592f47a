"""The values of tasks in scene files: Python's on one side, plain data on the other.

A frame is `{position: [x, y, z], rotation: [x, y, z]}`, a rotation the same without a position. It
is a rotation vector in degrees; `quaternion: [w, x, y, z]` and `matrix: [[…], […], […]]` are read
as well. Vectors are lists. A task within a task, and whatever else `poise.tasks` describes, is
written as in the list of tasks, `position: {…}`; under a key of the same name its fields are
enough, `ellipsoid: {center: …, radii: …}`. Other ways to make it, class methods in Python, are read
by their names: `convex: {box: {center: …, size: …}}`.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from poise.checking import AXES, FARTHEST, array, interval, mapping, number, place
from poise.documents import shortest
from poise.errors import PoiseError, unknown_name
from poise.figure import Posture, Transform
from poise.figure.files.units import DEGREE, degrees
from poise.figure.transform import (
    checked_rotation,
    is_rotation,
    quaternion_matrix,
    rotation_matrix,
    rotation_vector,
)
from poise.scene.files.kinds import FORMS, descriptions, first_field, is_needed
from poise.tasks.task import Criterion, Task, words

_TURNS = ("rotation", "quaternion", "matrix")
_PLACE = ("position", *_TURNS)
_DIGITS = 12
"""Of degrees after the point: 1e-14 rad, a hundred times what rounding leaves in a matrix."""


class Postures(Protocol):
    """How postures and coordinates are written and read; it takes a scene to do so."""

    def read(self, value: Any) -> Posture:
        """A posture from its name or its values."""
        ...

    def write(self, posture: Posture) -> Any:
        """The values of a posture."""
        ...

    def scale(self, coordinate: str) -> float:
        """What a coordinate's value in a file is multiplied with."""
        ...

    def read_file(self, path: str) -> str:
        """The path of a file that the scene file names."""
        ...

    def write_file(self, path: Path) -> str:
        """What the scene file calls a file."""
        ...


def described(key: str, given: Any, postures: Postures) -> Any:
    """A task, criterion or what a task is about, from its name and its fields in a file."""
    known = descriptions()
    if key not in known:
        raise unknown_name("task or criterion", key, known)
    kind = known[key]
    if not isinstance(given, Mapping):
        first = first_field(kind)
        if given is None:
            given = {}
        elif first is None:
            raise PoiseError(f"{key} takes its values by name, not {given!r} alone")
        else:
            given = {first: given}
    makers = [name for name, _ in inspect.getmembers(kind, inspect.ismethod) if name[0] != "_"]
    if len(given) == 1 and next(iter(given)) in makers:
        return _made(kind, *next(iter(given.items())), postures)
    allowed = [field.name for field in dataclasses.fields(kind) if field.init]
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in allowed:
            raise unknown_name("key", name, [*allowed, *makers], key)
        values[name] = _read(name, value, postures)
    for field in dataclasses.fields(kind):
        if field.init and is_needed(field) and field.name not in values:
            raise PoiseError(f"{key} needs the key {field.name!r}")
    return kind(**values)


def _made(kind: type, method: str, given: Any, postures: Postures) -> Any:
    """Something made by a class method, with arguments by name or with one alone."""
    make = getattr(kind, method)
    if not isinstance(given, Mapping):
        return make(read_value(given, postures))
    allowed = inspect.signature(make).parameters
    for name in given:
        if name not in allowed:
            raise unknown_name("key", name, allowed, method)
    for name, parameter in allowed.items():
        if parameter.default is parameter.empty and name not in given:
            raise PoiseError(f"{method} needs the key {name!r}")
    return make(**{name: _read(name, value, postures) for name, value in given.items()})


def _read(name: str, value: Any, postures: Postures) -> Any:
    form = FORMS.get(name)
    if form == "posture":
        return postures.read(value)
    if form == "file" and isinstance(value, str) and value:
        return postures.read_file(value)
    if form == "angle":
        return number(value, name) * DEGREE
    if form == "turn":
        return tuple((array(value, f"the {name} (degrees)", (3,)) * DEGREE).tolist())
    if form == "zones":
        return {
            each: tuple(end * postures.scale(each) for end in interval(ends, f"{name} of {each!r}"))
            for each, ends in mapping(value, name, "intervals by coordinate").items()
        }
    if form == "strengths":
        return {
            each: tuple(given) if isinstance(given, list) else given
            for each, given in mapping(value, name, "numbers by joint").items()
        }
    if isinstance(value, Mapping) and _is_about(descriptions().get(name)):
        return described(name, value, postures)
    return read_value(value, postures)


def read_value(value: Any, postures: Postures) -> Any:
    """A plain value as Python's."""
    if isinstance(value, (list, tuple)):
        return tuple(read_value(each, postures) for each in value)
    if not isinstance(value, Mapping):
        return value
    position = value.get("position")
    is_place = all(key in _PLACE for key in value) and not isinstance(position, (dict, str))
    if value and is_place:
        return _place(value)
    if len(value) == 1:
        ((key, given),) = value.items()
        return described(key, given, postures)
    allowed = ", ".join(_PLACE)
    raise PoiseError(
        f"a mapping must be a frame (with some of {allowed}) or one task, not one with the keys "
        f"{', '.join(map(str, value)) or 'none'}"
    )


def _place(value: Mapping[str, Any]) -> Any:
    """A frame, or where there is no position a rotation matrix by rows."""
    given = [key for key in _TURNS if key in value]
    if len(given) > 1:
        raise PoiseError(f"give one of {', '.join(given)}, not all")
    if not given:
        # A point keeps the orientation that the site has.
        return place(value["position"], "the position")
    rotation = read_rotation(given[0], value[given[0]])
    if "position" in value:
        return Transform(rotation, np.array(place(value["position"], "the position")))
    return tuple(map(tuple, rotation.tolist()))


def read_rotation(key: str, value: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A rotation matrix from a rotation vector in degrees, a quaternion or a matrix."""
    if key == "rotation":
        return rotation_matrix(array(value, "the rotation (degrees)", (3,)) * DEGREE)
    if key == "quaternion":
        given = array(value, "the quaternion [w, x, y, z]", (4,), most=FARTHEST)
        size = float(np.linalg.norm(given))
        if size < 1e-9:
            raise PoiseError("the quaternion must not be all zero")
        return quaternion_matrix(*(given / size).tolist())
    return checked_rotation(value, "the matrix")


def written(thing: Any, postures: Postures) -> dict[str, Any]:
    """The fields of a task or criterion as plain data; those with their default are left out."""
    key = words(type(thing).__name__)
    if descriptions().get(key) is not type(thing):
        raise PoiseError(
            f"files know the ready tasks and criteria, but for those that have functions in them, "
            f"and so no {type(thing).__name__}"
        )
    result: dict[str, Any] = {}
    for field in dataclasses.fields(thing):
        value = getattr(thing, field.name)
        if not field.init or _is_default(field, value):
            continue
        result[field.name] = _write(field.name, value, postures)
    return result


def _is_about(kind: type | None) -> bool:
    """Whether it describes what a task is about, rather than a task, as `frame` may mean both."""
    return dataclasses.is_dataclass(kind) and not issubclass(kind, (Task, Criterion))


def _write(name: str, value: Any, postures: Postures) -> Any:
    form = FORMS.get(name)
    if isinstance(value, Posture):
        return postures.write(value)
    if form == "angle":
        return shortest(float(value), DEGREE)
    if form == "file":
        path = value if isinstance(value, str) else value.file
        if path is None:
            raise PoiseError(f"its {name} is of no file")
        return postures.write_file(Path(path))
    if form == "turn":
        return list(degrees(tuple(value)))
    if form == "zones":
        return {
            each: [shortest(float(end), postures.scale(each)) for end in ends]
            for each, ends in value.items()
        }
    if form == "strengths" and value is not None:
        return {each: write_value(given, postures) for each, given in value.items()}
    plain = write_value(value, postures)
    if form == "direction":
        return next((axis for axis, numbers in AXES.items() if numbers == value), plain)
    if words(type(value).__name__) == name and _is_about(type(value)):
        return plain[name]
    return plain


def _is_default(field: dataclasses.Field[Any], value: Any) -> bool:
    default = field.default
    return type(value) is type(default) and not isinstance(value, Transform) and value == default


def write_value(value: Any, postures: Postures) -> Any:
    """Python's value as plain data."""
    if isinstance(value, Transform):
        return {"position": value.position.tolist(), **write_rotation(value.rotation)}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (tuple, list)):
        if _is_rows(value) and is_rotation(value):
            return write_rotation(np.array(value))
        return [write_value(each, postures) for each in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if dataclasses.is_dataclass(value):
        return {words(type(value).__name__): written(value, postures)}
    raise PoiseError(f"{value!r} cannot be written to a file")


def write_rotation(rotation: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, Any]:
    """A rotation in degrees where that gives the same matrix again, else as a matrix.

    The dust that rounding leaves in a matrix is not written: what was read is written alike.
    """
    vector = _degrees_of(rotation)
    for _ in range(3):  # half a turn may be about an axis or its opposite, and rounding decides
        again = rotation_matrix(np.array(vector) * DEGREE)
        if np.abs(again - rotation).max() >= 1e-13:
            break
        before, vector = vector, _degrees_of(again)
        if vector == before:
            return {"rotation": vector}
    return {"matrix": rotation.tolist()}


def _degrees_of(rotation: np.ndarray[Any, np.dtype[np.float64]]) -> list[float]:
    turn = rotation_vector(rotation) / DEGREE
    return [round(each, _DIGITS) + 0.0 for each in turn.tolist()]  # no −0


def _is_rows(value: Any) -> bool:
    return len(value) == 3 and all(
        isinstance(row, (tuple, list)) and len(row) == 3 and all(isinstance(x, float) for x in row)
        for row in value
    )
