"""What all fields of a form have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from poise.studio.panels.desk import Desk

if TYPE_CHECKING:
    from poise.studio.task_types import Field

Changed = Callable[[], Any]
ZERO = (0.0, 0.0, 0.0)


class Entry(ABC):
    """One field of a form; those who derive from it show a value, too."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Keep what all have."""
        self.kept: Any = value
        self.desk, self.field, self.changed = desk, field, changed
        self.marker = f"field-{field.name}"
        self.site: Callable[[], Any] = lambda: None
        """What the task is about, where its form knows it."""

    @abstractmethod
    def value(self) -> Any:
        """What a scene file would say; None where it is left open."""

    @abstractmethod
    def show(self, value: Any) -> None:
        """Show another value."""


class Plain(Entry):
    """An entry that keeps its value and is told of new ones."""

    def value(self) -> Any:
        """What was put in."""
        return self.kept

    def take(self, value: Any) -> None:
        """Keep what the user put in."""
        self.kept = value
        self.changed()


def numbers_of(value: Any) -> list[float]:
    """Three numbers; zeros of what are none."""
    if isinstance(value, (list, tuple)) and len(value) == 3:
        return [float(each) for each in value]
    return list(ZERO)
