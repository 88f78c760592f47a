"""A document that changes step by step: solved, drawn, kept, and taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.scene import Scene
from poise.scene.solving import prepare
from poise.studio.answers import Answers
from poise.studio.beginning import begun
from poise.studio.commands import Change, Event, Rest
from poise.studio.document import Document
from poise.studio.dragging import Drag
from poise.studio.engine import Engine
from poise.studio.history import Snapshot
from poise.studio.journal import Deed
from poise.studio.keeping import Keeper
from poise.studio.memory import give_back
from poise.studio.opening import Text
from poise.studio.saying import said
from poise.studio.screen import Screen
from poise.studio.settling import settled
from poise.studio.subscribers import Subscribers
from poise.studio.tabs import Tabs

Values = NDArray[np.float64]


class Changing(Answers):
    """A document, its history, and the thread that finds its posture."""

    def __init__(self, scene: Scene | None, keep: Path | None) -> None:
        """Begin with a scene, or with what is kept in a folder, or with a standing human."""
        self._keeper = Keeper(keep) if keep is not None else None
        document, shown, history = begun(scene, self._keeper)
        super().__init__(document)
        self.history = history
        """What can be undone."""
        self.last_error = ""
        """The last thing that went wrong while solving."""
        self._subscribers = Subscribers()
        self._tabs = Tabs(shown)
        self._screen = Screen(self._tabs, document)
        self._assess()
        self._engine = Engine(
            settle=self._settle, show=self._show, rest=self._draw, fail=self._fail
        )
        self._engine.start()
        if scene is not None and not self._is_met():
            document.pending = ()
        if document.pending is not None:  # what was kept was being solved when it ended
            self._engine.solve()
        if self._keeper is not None:
            self._keeper.tell = self._fail
        self._keep()

    def wait(self, seconds: float = 600.0, *, drawn: bool = True) -> bool:
        """Wait until the document is solved, and drawn; False where the time was not enough."""
        return self._engine.wait(seconds, drawn=drawn)

    def follow(self, seconds: float = 600.0) -> bool:
        """Wait until the last goal of a drag has been followed; False where time ran out."""
        return self._engine.follow(seconds)

    def close(self) -> None:
        """End the engine, and write what is left to be kept."""
        self._engine.stop()
        if self._keeper is not None:
            self._keeper.close()
        give_back()

    @property
    def frame(self) -> int:
        """The number of the latest frame that was sent."""
        return self._screen.number

    @property
    def crashes(self) -> int:
        """Errors of the engine that nobody thought of; each is in the log."""
        return self._engine.crashes

    # step by step ----------------------------------------------------------------------------

    def _change(self, command: Change) -> None:
        before = Snapshot.of(self._document)
        try:
            self._document.notes, self._document.renamed, self._document.text = [], {}, None
            posture = self._document.scene.q
            command.change(self._document)
            self._choose(command, posture)
            if not isinstance(command, Rest):
                self._document.has_moved()
            prepare(self._document.scene)  # what makes no sense together is said now
            self._rebuild()
        except Exception:
            self._document = before.restored()
            self._rebuild()
            raise
        self._record(command.title, before)
        if command.presents:
            self._tabs.send("present", {"type": "present"})
        solves = command.solves and not (command.stays and self._is_met())
        if solves:
            self._document.pending = command.held(self._document)
            self._document.is_dragged = False
        elif command.stays:
            self._document.pending = None
        self._changed(*command.told)
        if self._document.notes:
            message = "\n".join(self._document.notes)
            self._tabs.send("notice", {"type": "notice", "message": message})

    def _choose(self, command: Change, before: Values) -> None:
        """Remember the posture that a command has set, which before was another (n,)."""
        document = self._document
        now = document.scene.q
        if now.size != before.size:  # of a figure with other joints, in the same posture
            document.chosen = None if document.chosen is None else now.copy()
        elif not np.array_equal(now, before):
            document.chosen = now.copy()

    def _record(self, title: str, before: Snapshot) -> None:
        """Remember a step, and what was before it."""
        self.history.record(title, before)
        self._note("did", title, before)

    def _note(self, deed: Deed, title: str, other_side: Snapshot) -> None:
        if self._keeper is not None:
            self._keeper.note(deed, title, other_side.document)

    def _travel(self, deed: Deed, way: Callable[[Snapshot], tuple[str, Document]]) -> None:
        """Undo, or do again."""
        now = Snapshot.of(self._document)
        title, self._document = way(now)
        self._note(deed, title, now)
        self._rebuild()
        self._changed("tasks", "figure")

    def _changed(self, *told: Event, only_posture: bool = False) -> None:
        """Show what has changed, keep it, and find the posture where that is still to be done."""
        self._version += 1
        if not only_posture:
            self._tabs.check(self._document)
        if self._document.pending is not None:
            self._engine.solve()
        else:
            self._engine.forget()
            self._assess()
            self._screen.publish(self._document.scene.q)
            self._engine.refresh()
        self._keep()  # before it is solved, too, which may take long or fail
        self._subscribers.tell(*told, "history", "posture")

    def _rebuild(self) -> None:
        if self._screen.rebuild(self._document):
            self._subscribers.tell("figure")

    def _keep(self) -> None:
        """Write the document soon; a drag works on a copy, so in mid-drag it is as before."""
        if self._keeper is not None:
            kept = self._document.copy()
            if kept.text is None:
                kept.text = self._document.text = Text(kept.scene)
            self._keeper.keep(kept, self._tabs.shown.model_dump())

    def _fail(self, message: str) -> None:
        self.last_error = message
        self._tabs.send("error", {"type": "error", "message": message})
        self._subscribers.tell("error")

    # how the tasks stand -----------------------------------------------------------------------

    def _assess(self) -> None:
        """See how the tasks stand, without moving anything."""
        try:
            self._solution = self._document.scene.assess()
        except PoiseError as error:
            self._solution = None
            self._fail(said(error))

    def _is_met(self) -> bool:
        """Whether the posture meets all tasks as it is."""
        self._assess()
        return self._solution is not None and self._solution.met

    # the engine's part -------------------------------------------------------------------------

    def _settle(self) -> None:
        """Solve the document; what has changed meanwhile is solved next."""
        with self._lock:
            version, held = self._version, self._document.pending
            leaps = not self._document.is_dragged
            scene, computed = self._document.scene.copy(), self._document.contact_forces
            chosen = self._document.chosen
        if held is None:
            return  # it is there already
        try:
            solution = settled(
                scene, held, contact_forces=computed, leaps=leaps, lock=self._lock, chosen=chosen
            )
        except Exception:
            with self._lock:
                if version == self._version:
                    self._document.pending = None
                    self._assess()  # how the tasks stand where the figure stays
            raise
        with self._lock:
            if version != self._version:
                return
            if scene.forces.borne != self._document.scene.forces.borne:
                self._document.scene.forces.use(scene.forces.borne)
                self._document.text = None
            if self._drag is None:  # a drag has begun from where the figure was, and brings its own
                self._document.scene.q = scene.q
                self._document.pending = None
                self._solution = solution
                self._screen.publish(scene.q)
            self._keep()
        self._subscribers.tell("posture", "tasks")

    def _show(self, drag: Drag, settled: bool) -> None:
        """Send what a drag has come to, and tell so."""
        if drag is self._drag:
            self._screen.follow(drag)
            self._subscribers.tell("posture")

    def _draw(self) -> None:
        """Send each tab what lies over the figure."""
        if not len(self._tabs):
            return
        with self._lock:  # a drag must not end while it is looked at
            drag, number = self._drag, self._screen.number
            if drag is not None:
                self._solution = drag.solution()
            scene = self._scene_now()
            solution, statics = self._solution, self._statics_of(scene)
        self._screen.draw(scene, solution, statics, drag, number)
