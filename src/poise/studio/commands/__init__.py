"""Every change that a person can make, as a message that is checked before anything happens."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from poise.errors import PoiseError, unknown_name
from poise.studio.commands.base import Change, Command, Event
from poise.studio.commands.dragging import Cancel, Grab, Move, Release
from poise.studio.commands.history import Redo, Undo
from poise.studio.commands.tasks import (
    AddCriterion,
    AddTask,
    EditTask,
    KeepBalance,
    OrderTask,
    Pin,
    RemoveTask,
)
from poise.studio.commands.view import Select, Selection, Settings, Shown

_ALL: tuple[type[Command], ...] = (
    AddCriterion,
    AddTask,
    Cancel,
    EditTask,
    Grab,
    KeepBalance,
    Move,
    OrderTask,
    Pin,
    Redo,
    Release,
    RemoveTask,
    Select,
    Settings,
    Undo,
)

COMMANDS: dict[str, type[Command]] = {each.model_fields["do"].default: each for each in _ALL}
"""All commands by what they are called in messages."""


def parsed(message: Any) -> Command:
    """A command from a message, or a `PoiseError` that says what is wrong with it."""
    if isinstance(message, Command):
        return message
    if not isinstance(message, dict):
        raise PoiseError(f"a command must be a mapping with the key 'do', not {_short(message)}")
    name = message.get("do")
    if not isinstance(name, str) or name not in COMMANDS:
        raise unknown_name("command", name if isinstance(name, str) else _short(name), COMMANDS)
    try:
        return COMMANDS[name].model_validate(message)
    except ValidationError as error:
        raise PoiseError(f"the command {name!r}: {_told(error)}") from None


def _told(error: ValidationError) -> str:
    """What is wrong, field by field."""
    told: list[str] = []
    for each in error.errors(include_url=False)[:4]:
        where = ".".join(str(part) for part in each["loc"] if not str(part).startswith("function"))
        told.append(f"{where or 'it'}: {each['msg']}, not {_short(each['input'])}")
    return "; ".join(told)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


__all__ = [
    "COMMANDS",
    "AddCriterion",
    "AddTask",
    "Cancel",
    "Change",
    "Command",
    "EditTask",
    "Event",
    "Grab",
    "KeepBalance",
    "Move",
    "OrderTask",
    "Pin",
    "Redo",
    "Release",
    "RemoveTask",
    "Select",
    "Selection",
    "Settings",
    "Shown",
    "Undo",
    "parsed",
]
