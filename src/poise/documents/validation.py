"""Checking a document against a schema of pydantic models, with messages for its writer."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Tag,
    ValidationError,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from poise.documents.reading import Document, KeyPath
from poise.errors import PoiseError, unknown_name

_REPORTED = 8  # more messages than that help nobody

_EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "a mapping (key: value)",
    "finite_number": "a finite number",
    "float_type": "a number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "a mapping (key: value)",
    "string_type": "text (put it in quotes)",
    "tuple_type": "a list",
}
"""What the value should have been, for errors of pydantic's own."""


class Part(BaseModel):
    """A mapping in a file. Nothing is converted silently and unknown keys are errors.

    Nothing at all (`base:`) stands for an empty mapping.
    """

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _keys_are_known(cls, data: Any) -> Any:
        if data is None:
            return {}
        if isinstance(data, dict):
            for key, value in data.items():  # pyright: ignore[reportUnknownVariableType]
                if key not in cls.model_fields:
                    raise _no_such("key", key, cls.model_fields, key)
                if value is None and cls.model_fields[key].default is None:
                    raise PydanticCustomError("blank", "no value", {"key": key})
        return data  # pyright: ignore[reportUnknownVariableType]


class Choice(Part):
    """A mapping with one key of several, which says what the value is: `capsule: {…}`."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    @model_validator(mode="after")
    def _one_is_chosen(self) -> Choice:
        if len(self.model_fields_set) != 1 or self.chosen[1] is None:
            raise wrong(f"a mapping with one key of: {', '.join(type(self).model_fields)}")
        return self

    @property
    def chosen(self) -> tuple[str, Any]:
        """The key and its value."""
        (key,) = self.model_fields_set
        return key, getattr(self, key)


def wrong(expected: str) -> PydanticCustomError:
    """The error for a value that should be something else; for validators to raise."""
    return PydanticCustomError("expected", "must be {expected}", {"expected": expected})


def must_be(expected: str) -> WrapValidator:
    """Whatever is wrong with a value, say in these words what it must be."""

    def check(value: Any, handler: Callable[[Any], Any]) -> Any:
        try:
            return handler(value)
        except ValidationError:
            raise wrong(expected) from None

    return WrapValidator(check)


def tagged(name: str) -> Tag:
    """Mark a model as the one of a union with that name; for `tagged_by`."""
    return Tag(f"<{name}>")


def tagged_by(choose: Callable[[Any], str]) -> Discriminator:
    """Let a function of the value choose the model of a union."""
    return Discriminator(lambda value: f"<{choose(value)}>")


def one_of(key: str, allowed: Iterable[str]) -> BeforeValidator:
    """The value must be a mapping that has one of some names under a key."""
    names = list(allowed)

    def check(value: Any) -> Any:
        if not isinstance(value, dict):
            raise wrong(_EXPECTED["dict_type"])
        if key not in value:
            raise PydanticCustomError("needs", "{key}", {"key": key, "allowed": names})
        if value[key] not in names:
            raise _no_such(key, value[key], names, key)
        return value  # pyright: ignore[reportUnknownVariableType]

    return BeforeValidator(check)


_Model = TypeVar("_Model", bound=BaseModel)


def validated(document: Document, model: type[_Model]) -> _Model:
    """The document as a model; what is wrong is told by line, all of it when it is little."""
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        told = [_told(document, each) for each in error.errors(include_url=False)]
    told.sort(key=lambda each: each[0])
    messages = list(dict.fromkeys(message for _, message in told))
    if len(messages) > _REPORTED:
        messages[_REPORTED:] = [f"and {len(messages) - _REPORTED} more"]
    raise PoiseError("\n".join(messages))


def _no_such(word: str, name: object, allowed: Any, key: str) -> PydanticCustomError:
    context = {"word": word, "name": name, "allowed": list(allowed), "key": key}
    return PydanticCustomError("no_such", "there is no such name", context)


def _told(document: Document, error: Any) -> tuple[int, str]:
    """The line of an error, and its message."""
    context: dict[str, Any] = error.get("ctx", {})
    path: KeyPath = tuple(key for key in error["loc"] if not str(key).startswith("<"))
    match error["type"]:
        case "no_such":
            path = (*path, context["key"])
            where = document.where(path)
            message = str(unknown_name(context["word"], context["name"], context["allowed"], where))
        case "blank":
            path = (*path, context["key"])
            message = (
                f"{document.where(path)}: there is no value; give one, or leave the key out "
                "(text that begins with # needs quotes)"
            )
        case "needs":
            allowed = ", ".join(context["allowed"])
            message = f"{document.where(path)}: needs the key {context['key']!r}, one of: {allowed}"
        case "missing":
            message = f"{document.where(path[:-1])}: needs the key {path[-1]!r}"
        case other:
            expected = context.get("expected") or _EXPECTED.get(other)
            must = f"must be {expected}" if expected else error["msg"]
            message = f"{document.where(path)}: found {_shown(error['input'])}; {must}"
    return document.line(path), message


def _shown(value: Any, most: int = 60) -> str:
    """A value as its writer wrote it, more or less."""
    text = "nothing" if value is None else _flow(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, float) and math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return json.dumps(value, ensure_ascii=False, default=str)
