"""The fields of a form, one class for each form of value."""

from poise.studio.panels.entries.entry import Changed, Entry
from poise.studio.panels.entries.modes import BoxEntry, DirectionEntry, PostureEntry
from poise.studio.panels.entries.names import FigureEntry, NamesEntry, SiteEntry
from poise.studio.panels.entries.targets import PlaceEntry, PointEntry, RotationEntry
from poise.studio.panels.entries.values import (
    AxesEntry,
    ChoiceEntry,
    EllipsoidEntry,
    NumberEntry,
    SwitchEntry,
    TextEntry,
)

__all__ = [
    "AxesEntry",
    "BoxEntry",
    "Changed",
    "ChoiceEntry",
    "DirectionEntry",
    "EllipsoidEntry",
    "Entry",
    "FigureEntry",
    "NamesEntry",
    "NumberEntry",
    "PlaceEntry",
    "PointEntry",
    "PostureEntry",
    "RotationEntry",
    "SiteEntry",
    "SwitchEntry",
    "TextEntry",
]
