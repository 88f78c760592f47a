"""What all commands share: strict fields with bounds, and how they change the document."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from poise.checking import LONGEST_LABEL
from poise.studio.document import Document

FARTHEST = 1e4
"""Metres; nothing that is drawn is farther away."""
HARDEST = 1e6
"""Newtons and newton-metres."""


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_LABEL)]
"""Of a site, a task, a joint; whether there is such a thing is seen in the document."""
Length = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST)]
"""m"""
Point = Annotated[tuple[Length, Length, Length], BeforeValidator(_tuple)]
"""x y z, m"""
_Part = Annotated[float, Field(ge=-1e3, le=1e3)]
Quaternion = Annotated[tuple[_Part, _Part, _Part, _Part], BeforeValidator(_tuple)]
"""w x y z, of any length"""
_Push = Annotated[float, Field(ge=-HARDEST, le=HARDEST)]
Force = Annotated[tuple[_Push, _Push, _Push], BeforeValidator(_tuple)]
"""x y z, N or N·m"""
Priority = Annotated[int, Field(ge=1, le=1000)]
Weight = Annotated[float, Field(gt=0, le=1e9)]
Value = Annotated[float, Field(ge=-1e4, le=1e4)]
"""Of a coordinate, rad or m."""
Names = Annotated[list[Name], Field(max_length=1000)]
Shares = Annotated[dict[Name, Annotated[float, Field(gt=0, le=1)]], Field(max_length=1000)]
"""Names of joints, each with how readily it moves."""
Parameters = Annotated[dict[Name, Any], Field(max_length=50)]
"""Fields of a task as in a scene file; the task itself says what is wrong with them."""

Event = Literal["posture", "tasks", "figure", "history", "settings", "selection", "error"]
"""What subscribers are told of."""


class Command(BaseModel):
    """A change that a person makes. Unknown fields and loose types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)

    do: Any
    """Which command it is; each has one word for it."""


class Change(Command):
    """A command that changes the document, in one step that can be undone."""

    solves: ClassVar[bool] = True
    """Whether the posture is to be found anew afterwards."""
    stays: ClassVar[bool] = False
    """Whether it is to stay nevertheless where it meets all tasks."""
    presents: ClassVar[bool] = False
    """Whether everything is another's now, and is to be brought into sight."""
    told: ClassVar[tuple[Event, ...]] = ("tasks",)
    """What subscribers are told, besides the posture and the history."""

    @property
    def title(self) -> str:
        """What the step is called."""
        return str(self.do).replace("_", " ")

    def held(self, document: Document) -> tuple[str, ...]:
        """Joints or coordinates that must stay while the posture is found: they were just set."""
        return ()

    @abstractmethod
    def change(self, document: Document) -> None:
        """Change it; an error halfway does no harm, the document is then as before."""
