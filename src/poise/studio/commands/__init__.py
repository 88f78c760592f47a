"""Every change that a person can make, as a message that is checked before anything happens."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from poise.errors import PoiseError, unknown_name
from poise.studio.commands.base import Change, Command, Event
from poise.studio.commands.dragging import Cancel, Grab, Move, Release
from poise.studio.commands.figures import ChooseFigure, EditFigure, RootAt, UseFigure
from poise.studio.commands.files import New, Open, SetOptions, Solve
from poise.studio.commands.forces import (
    AddLoad,
    AddSupport,
    EditLoad,
    EditSupport,
    RemoveForce,
    SetPerson,
    UseContactForces,
)
from poise.studio.commands.history import Redo, Undo
from poise.studio.commands.postures import (
    ApplyPose,
    CopyPosture,
    KeepPose,
    Lock,
    MirrorPosture,
    PastePosture,
    RemovePose,
    Rest,
    SetAngles,
    SetCoordinates,
    SetStiffness,
    Symmetry,
)
from poise.studio.commands.props import (
    AddProp,
    EditProp,
    HoldProp,
    PlaceProp,
    ReleaseProp,
    RemoveProp,
)
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
    AddLoad,
    AddProp,
    AddSupport,
    AddTask,
    ApplyPose,
    Cancel,
    ChooseFigure,
    CopyPosture,
    EditFigure,
    EditLoad,
    EditProp,
    EditSupport,
    EditTask,
    Grab,
    HoldProp,
    KeepBalance,
    KeepPose,
    Lock,
    MirrorPosture,
    Move,
    New,
    Open,
    OrderTask,
    PastePosture,
    Pin,
    PlaceProp,
    Redo,
    Release,
    ReleaseProp,
    RemoveForce,
    RemovePose,
    RemoveProp,
    RemoveTask,
    Rest,
    RootAt,
    Select,
    SetAngles,
    SetCoordinates,
    SetOptions,
    SetPerson,
    SetStiffness,
    Settings,
    Solve,
    Symmetry,
    Undo,
    UseContactForces,
)

COMMANDS: dict[str, type[Command]] = {each.model_fields["do"].default: each for each in _ALL}
"""All commands by what they are called in messages."""

_BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}
"""By the type of a pydantic error: where it has the bound, and words for it."""
_AXES = {3: "xyz", 4: "wxyz"}
"""What the parts of a point, a force or a quaternion are called, by their number."""


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
        beyond = _beyond(error, message)
        raise PoiseError(beyond or f"the command {name!r}: {_told(error)}") from None


def _beyond(error: ValidationError, message: dict[Any, Any]) -> str:
    """Which numbers are beyond their bounds, as who typed them sees it; "" if more is wrong."""
    told: list[str] = []
    for each in error.errors(include_url=False)[:4]:
        if each["type"] not in _BOUNDS:
            return ""
        key, words = _BOUNDS[each["type"]]
        where = [str(part) for part in each["loc"] if isinstance(part, str)]
        what = where[-1].replace("_", " ")
        place = each["loc"][-1]
        if isinstance(place, int):
            axes = _AXES.get(len(message[each["loc"][0]]))
            what += f" {axes[place]}" if axes else f" {place + 1}"
        bound, given = each.get("ctx", {})[key], each["input"]
        number = f"{given:g}" if isinstance(given, float) else _short(given)
        told.append(f"{what} must be {words} {bound:g}, not {number}")
    return "; ".join(told)


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
    "AddLoad",
    "AddProp",
    "AddSupport",
    "AddTask",
    "ApplyPose",
    "Cancel",
    "Change",
    "ChooseFigure",
    "Command",
    "CopyPosture",
    "EditFigure",
    "EditLoad",
    "EditProp",
    "EditSupport",
    "EditTask",
    "Event",
    "Grab",
    "HoldProp",
    "KeepBalance",
    "KeepPose",
    "Lock",
    "MirrorPosture",
    "Move",
    "New",
    "Open",
    "OrderTask",
    "PastePosture",
    "Pin",
    "PlaceProp",
    "Redo",
    "Release",
    "ReleaseProp",
    "RemoveForce",
    "RemovePose",
    "RemoveProp",
    "RemoveTask",
    "Rest",
    "RootAt",
    "Select",
    "Selection",
    "SetAngles",
    "SetCoordinates",
    "SetOptions",
    "SetPerson",
    "SetStiffness",
    "Settings",
    "Shown",
    "Solve",
    "Symmetry",
    "Undo",
    "UseContactForces",
    "UseFigure",
    "parsed",
]
