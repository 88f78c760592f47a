"""Undo and redo: what the document was before each step."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from poise.errors import PoiseError
from poise.studio.document import Document, Willingness

STEPS = 200
"""So many steps can be undone."""


class NoStepError(PoiseError):
    """There is no step to take back, or to do again: no harm, and nobody's fault."""


class Restorable(Protocol):
    """A document of another time."""

    def restored(self) -> Document:
        """A document as it was then, for use; a `PoiseError` where it cannot be had."""
        ...


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The document as it was, to the last bit."""

    document: Document
    willingness: dict[str, Willingness]

    @classmethod
    def of(cls, document: Document) -> Snapshot:
        """As it is now; what happens to the document later does not change it."""
        figures = document.scene.given
        return cls(
            document.copy(), {name: Willingness.of(figure) for name, figure in figures.items()}
        )

    def restored(self) -> Document:
        """A document as it was, for use; the snapshot itself stays as it is."""
        document = self.document.copy()
        for name, willingness in self.willingness.items():
            willingness.give(document.given(name))
        return document


@dataclass(frozen=True, eq=False)
class Step:
    """Something that was done, and the document on its other side."""

    name: str
    other_side: Restorable


class History:
    """Steps that can be undone, and those that were."""

    def __init__(
        self,
        past: Sequence[tuple[str, Restorable]] = (),
        future: Sequence[tuple[str, Restorable]] = (),
    ) -> None:
        """Begin with none, or with those of an earlier session, by name, the oldest first."""
        self._past = deque((Step(*each) for each in past), maxlen=STEPS)
        self._future = deque((Step(*each) for each in future), maxlen=STEPS)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to do again."""
        return bool(self._future)

    @property
    def undoes(self) -> str:
        """The name of the step that `undo` takes back; empty if there is none."""
        return self._past[-1].name if self._past else ""

    @property
    def redoes(self) -> str:
        """The name of the step that `redo` does again; empty if there is none."""
        return self._future[-1].name if self._future else ""

    def record(self, name: str, before: Snapshot) -> None:
        """Remember a step that has been done; what was undone before is forgotten."""
        self._past.append(Step(name, before))
        self._future.clear()

    def undo(self, now: Snapshot) -> tuple[str, Document]:
        """The name of the last step, and the document before it."""
        if not self._past:
            raise NoStepError("there is nothing to undo")
        return _gone(self._past, self._future, now)

    def redo(self, now: Snapshot) -> tuple[str, Document]:
        """The name of the step that was undone last, and the document after it."""
        if not self._future:
            raise NoStepError("there is nothing to do again")
        return _gone(self._future, self._past, now)


def _gone(steps: deque[Step], others: deque[Step], now: Snapshot) -> tuple[str, Document]:
    """Go to the other side of the last step; where that cannot be, nothing has changed."""
    document = steps[-1].other_side.restored()
    step = steps.pop()
    others.append(Step(step.name, now))
    return step.name, document
