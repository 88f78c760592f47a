"""What can be asked of a session, from any thread."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.figure import Posture
from poise.figure.files import figure_text
from poise.scene import Scene, Solution
from poise.studio import leaving
from poise.studio.code import python_of
from poise.studio.commands.editing import handle_of, parameters_of
from poise.studio.document import Document
from poise.studio.dragging import Drag
from poise.studio.opening import text_of
from poise.studio.reports import Lamp, TaskReport, lamp_of, reports_of, told
from poise.studio.statics import Statics
from poise.studio.task_types import TaskType, task_types
from poise.tasks import Balance

Values = NDArray[np.float64]


class Answers:
    """A document, the drag that is under way, and how the tasks stand; here it is only read."""

    def __init__(self, document: Document) -> None:
        """Begin with a document that nobody drags."""
        self._lock = threading.RLock()
        self._document = document
        self._drag: Drag | None = None
        self._version = 0
        self._solution: Solution | None = None
        self._statics: tuple[bytes, Statics] | None = None

    @property
    def lock(self) -> threading.RLock:
        """Held while the document changes; hold it to read several things that fit together."""
        return self._lock

    @property
    def document(self) -> Document:
        """The document, to be read only."""
        return self._document

    @property
    def scene(self) -> Scene:
        """The scene, to be read only: `apply` changes it. Another object after each undo."""
        return self._document.scene

    @property
    def posture(self) -> Posture:
        """Where all figures are now, as one figure, in mid-drag as well; a copy."""
        with self._lock:
            drag, whole = self._drag, self._document.whole
            return whole.posture(drag.q if drag is not None else self._document.scene.q)

    @property
    def solution(self) -> Solution | None:
        """How the tasks stand; None where they make no sense together, as an error has told."""
        return self._solution

    @property
    def reports(self) -> list[TaskReport]:
        """All tasks by priority, then criteria, as they stand."""
        with self._lock:
            return reports_of(self._document.scene, self._solution)

    @property
    def lamp(self) -> Lamp:
        """How all tasks stand, at a glance."""
        return lamp_of(self.reports)

    def blocked_by(self, task: str) -> list[str]:
        """All that keeps a task from being met, in words, the most important first.

        Nothing where it is met. This takes a while.
        """
        solution = self._solution
        found = [each for each in solution.tasks if each.name == task] if solution else []
        return told(found[0]) if found else []

    @property
    def task_types(self) -> Mapping[str, TaskType]:
        """What can be added, by type."""
        return task_types()

    def parameters(self, task: str) -> dict[str, Any]:
        """The fields of a task or criterion as in a scene file; those as usual are left out."""
        with self._lock:
            scene = self._document.scene
            return parameters_of(scene, handle_of(scene, task))

    @property
    def keeps_balance(self) -> bool:
        """Whether a task keeps the figure in balance."""
        with self._lock:
            handles = self._document.scene.handles.values()
            return any(each.enabled and isinstance(each.wanted, Balance) for each in handles)

    @property
    def statics(self) -> Statics:
        """The forces in the present posture; computed when asked for, and then kept."""
        with self._lock:
            return self._statics_of(self._scene_now())

    def _scene_now(self) -> Scene:
        """The scene as it stands, in mid-drag too; a copy."""
        if self._drag is None:
            return self._document.scene.copy()
        scene = self._drag.scene.copy()
        scene.q = self._drag.q
        return scene

    def _statics_of(self, scene: Scene) -> Statics:
        """The forces of the scene of now, of which nobody else has this copy."""
        key = b"%d " % self._version + scene.q.tobytes()
        if self._statics is None or self._statics[0] != key:
            self._statics = key, Statics(scene, self._document.contact_forces)
        return self._statics[1]

    @property
    def dragging(self) -> bool:
        """Whether someone is dragging."""
        return self._drag is not None

    # leaving ---------------------------------------------------------------------------------

    def scene_text(self) -> str:
        """The text of a scene file that stands by itself."""
        with self._lock:
            return text_of(self._document.scene)

    def figure_text(self, figure: str | None = None) -> str:
        """The text of a figure file."""
        with self._lock:
            name, _ = self._document.posture_of(figure)
            return figure_text(self._document.given(name))

    def python(self) -> str:
        """A script that, run, stands in the same posture."""
        with self._lock:
            return python_of(self._document.scene)

    def export(self, kind: str) -> bytes:
        """The scene as a file: "yaml", "glb" or "bvh"."""
        with self._lock:
            scene = self._document.scene.copy()
        return leaving.exported(scene, kind)
