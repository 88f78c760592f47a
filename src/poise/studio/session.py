"""The session: one document, any number of tabs, and one way to change anything."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.scene import Scene
from poise.studio import poses
from poise.studio.answers import Answers
from poise.studio.beginning import begun
from poise.studio.commands import (
    Cancel,
    Change,
    Command,
    CopyPosture,
    Event,
    Grab,
    Move,
    Open,
    PastePosture,
    Redo,
    Release,
    Select,
    Selection,
    Settings,
    Shown,
    Undo,
    UseFigure,
    parsed,
)
from poise.studio.dragging import Drag, Motion
from poise.studio.engine import Engine, Latency, advance
from poise.studio.history import History, Snapshot
from poise.studio.keeping import Keeper
from poise.studio.screen import Screen
from poise.studio.settling import settled
from poise.studio.subscribers import Callback, Subscribers
from poise.studio.tabs import Sender, Tabs
from poise.studio.uploads import read_upload, suffix_of

_log = logging.getLogger(__name__)

Values = NDArray[np.float64]

_PATIENCE = 0.5
"""So long (s) a command waits for its posture before it goes on without."""


class Session(Answers):
    """A document in the hands of people.

    `apply` is the one way to change it. What is asked here may be asked from any thread.
    """

    def __init__(self, scene: Scene | None = None, *, keep: Path | None = None) -> None:
        """Begin with a scene, or where the last session left off, or with a standing human.

        Args:
            scene: what to begin with; it is copied.
            keep: the folder in which the document is kept; None keeps nothing.
        """
        self._keeper = Keeper(keep) if keep is not None else None
        document, shown = begun(scene, self._keeper)
        super().__init__(document)
        self.history = History()
        """What can be undone."""
        self.latency = Latency()
        """From drag events to postures, where a stream measures them."""
        self.last_error = ""
        """The last thing that went wrong while solving."""
        self._subscribers = Subscribers()
        self._tabs = Tabs(shown)
        self._uploading = asyncio.Lock()
        self._dragging_tab: str | None = None
        self._before_drag: Snapshot | None = None
        self._clipboard: Mapping[str, float] | None = None
        self._held: tuple[str, ...] = ()
        self._structure_version = 0
        self._screen = Screen(self._tabs, document)
        self._assess()
        self._engine = Engine(
            settle=self._settle, show=self._show, rest=self._draw, fail=self._fail
        )
        self._engine.start()
        if scene is not None and not self._is_met():
            self._engine.solve()
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

    # changing ------------------------------------------------------------------------------

    def apply(self, command: Command | dict[str, Any], tab: str | None = None) -> None:
        """Do what a person asks for; a `PoiseError` says why it cannot be done, and nothing is."""
        given = parsed(command)
        if isinstance(given, Move):
            self._move(given, tab)
            return
        try:
            with self._lock:
                self._act(given, tab)
        except PoiseError:
            raise
        except Exception as error:
            # What was asked for made no sense in a way that nobody thought of.
            _log.exception("the command %r", given.do)
            raise PoiseError(f"{given.do}: {type(error).__name__}: {error}") from error
        self._engine.wait(_PATIENCE)

    def _act(self, command: Command, tab: str | None) -> None:
        match command:
            case Grab():
                self._grab(command, tab)
            case Release():
                self._check_owner(tab)
                self._release()
            case Cancel():
                self._check_owner(tab)
                self._cancel()
            case Undo():
                self._travel(self.history.undo)
            case Redo():
                self._travel(self.history.redo)
            case Select():
                self._tabs.select(command, tab, self._document)
                self._engine.refresh()
                self._subscribers.tell("selection")
            case Settings():
                self._tabs.show(command, tab)
                self._engine.refresh()
                self._keep()
                self._subscribers.tell("settings")
            case CopyPosture():
                self._clipboard = poses.kept(self._document)
            case PastePosture() if command.values is None and self._clipboard is not None:
                self._change(command.model_copy(update={"values": self._clipboard}))
            case Change():
                self._change(command)
            case _:
                raise PoiseError(f"the command {command.do!r} cannot be done here")

    def _change(self, command: Change) -> None:
        if self._drag is not None:
            self._release()  # what someone drags meanwhile stays where it is
        before = Snapshot.of(self._document)
        try:
            self._document.notes = []
            command.change(self._document)
            self._document.scene.prepared()  # what makes no sense together is said now
            self._rebuild()
        except Exception:
            self._document = before.restored()
            self._rebuild()
            raise
        self.history.record(command.title, before)
        solves = command.solves and not (command.stays and self._is_met())
        held = command.held
        if not (solves or command.stays) and self._engine.is_solving:
            solves, held = True, self._held  # for the change before, whose posture is not there yet
        self._changed(*command.told, solves=solves, held=held)
        if self._document.notes:
            self._fail("; ".join(self._document.notes))

    def _changed(
        self,
        *told: Event,
        solves: bool = False,
        held: tuple[str, ...] = (),
        only_posture: bool = False,
    ) -> None:
        """Show what has changed, keep it, and find the posture where that is wanted."""
        self._version += 1
        if not only_posture:
            self._structure_version += 1
            self._tabs.check(self._document)
        if solves:
            self._held = held
            self._engine.solve()
        else:
            self._engine.forget()
            self._assess()
            self._screen.publish(self._document.scene.q)
            self._engine.refresh()
        self._keep()  # before it is solved, too, which may take long or fail
        self._subscribers.tell(*told, "history", "posture")

    def _travel(self, way: Callable[[Snapshot], tuple[str, Snapshot]]) -> None:
        if self._drag is not None:
            self._release()
        _, there = way(Snapshot.of(self._document))
        self._document = there.restored()
        self._rebuild()
        self._changed("tasks", "figure")

    # dragging --------------------------------------------------------------------------------

    def _grab(self, command: Grab, tab: str | None) -> None:
        if self._drag is not None:
            self._check_owner(tab)
            self._release()
        drag = command.drag(self._document)
        self._before_drag = Snapshot.of(self._document)
        self._drag, self._dragging_tab = drag, tab
        self._engine.begin(drag)

    def _move(self, command: Move, tab: str | None) -> None:
        if self._drag is None:
            raise PoiseError("nothing is being dragged: grab something first")
        self._check_owner(tab)
        motion = Motion(command.point, command.rotation, command.sequence)
        self._engine.move(motion, command.recruit)

    def _check_owner(self, tab: str | None) -> None:
        if self._drag is not None and self._dragging_tab != tab:
            raise PoiseError("someone else is dragging")

    def _release(self) -> None:
        drag, before = self._drag, self._before_drag
        if drag is None or before is None:
            return
        motion, recruit = self._let_go()
        if motion is None and not drag.has_moved:
            self._engine.refresh()
            return  # a mere click
        try:
            if motion is not None:
                advance(drag, motion, recruit)
            drag.finish(self._document)
            self._rebuild()
        except Exception:
            self._document = before.restored()
            self._rebuild()
            self._changed("tasks")
            raise
        self.history.record(drag.title, before)
        # What was not solved yet when the drag began is solved now.
        solves = self._engine.is_solving
        self._changed("tasks", only_posture=drag.only_posture, solves=solves, held=self._held)

    def _cancel(self) -> None:
        before = self._before_drag
        if before is None:
            return
        self._let_go()
        self._document = before.restored()
        self._rebuild()
        self._changed("tasks", solves=self._engine.is_solving, held=self._held)

    def _let_go(self) -> tuple[Motion | None, list[int]]:
        """End the drag; what was asked of it last and is not done yet."""
        left = self._engine.end()
        self._drag = self._before_drag = self._dragging_tab = None
        return left

    # tabs ------------------------------------------------------------------------------------

    def join(self, tab: str, send: Sender) -> Callable[[], None]:
        """Let a tab look: `send` gets all that it must draw, from any thread, the stage first.

        Returns:
            What to call when it has gone. What it was dragging then stays where it is.
        """
        with self._lock:
            joined = self._tabs.join(tab, send)
            self._tabs.check(self._document)
            self._screen.greet(joined)
        self._engine.refresh()

        def depart() -> None:
            with self._lock:
                if self._tabs.leave(tab, joined) and self._dragging_tab == tab:
                    try:
                        self._release()
                    except Exception:
                        _log.exception("what %s was dragging is as before", tab)

        return depart

    def settings(self, tab: str | None = None) -> Shown:
        """What a tab shows; a new one shows what was last chosen."""
        return self._tabs.settings(tab)

    def selection(self, tab: str | None = None) -> Selection:
        """What a tab has selected."""
        return self._tabs.selection(tab)

    # uploads ---------------------------------------------------------------------------------

    async def upload(self, name: str, content: bytes, tab: str | None = None) -> None:
        """Take a figure or a scene from a file that a person has brought."""
        async with self._uploading:  # one at a time: each may take much memory
            read = await asyncio.to_thread(read_upload, name, content)
        if isinstance(read, str):
            await asyncio.to_thread(self.apply, Open(text=read), tab)
            return
        kept = ""
        if read.skin is not None and self._keeper is not None:
            kept = await asyncio.to_thread(self._keeper.store, content, suffix_of(name))
        await asyncio.to_thread(self.apply, UseFigure(reading=read, kept=kept), tab)

    # being told --------------------------------------------------------------------------------

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Be told of changes, on the event loop where there is one; returns how to stop it."""
        return self._subscribers.add(callback)

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Tell subscribers on an event loop from now on."""
        self._subscribers.loop = loop

    @property
    def crashes(self) -> int:
        """Errors of the engine that nobody thought of; each is in the log."""
        return self._engine.crashes

    def _fail(self, message: str) -> None:
        self.last_error = message
        self._tabs.send("error", {"type": "error", "message": message})
        self._subscribers.tell("error")

    # the engine's part -------------------------------------------------------------------------

    def _settle(self) -> None:
        """Solve the document; what has changed meanwhile is solved next."""
        with self._lock:
            version, held = self._version, self._held
            scene, computed = self._document.scene.copy(), self._document.contact_forces
            scene.prepared()  # packs; figures must not change while it does
        try:
            # To hold joints locks them, in figures that all share: nobody may look meanwhile.
            with self._lock if held else nullcontext():
                solution = settled(scene, held, contact_forces=computed)
        except Exception:
            with self._lock:
                if version == self._version:
                    self._assess()  # how the tasks stand where the figure stays
            raise
        with self._lock:
            if version != self._version:
                return
            if scene.forces.borne != self._document.scene.forces.borne:
                self._document.scene.forces.use(scene.forces.borne)
            if self._drag is None:  # a drag has begun from where the figure was, and brings its own
                self._document.scene.q = scene.q
                self._solution = solution
                self._screen.publish(scene.q)
            self._keep()
        self._subscribers.tell("posture", "tasks")

    def _assess(self) -> None:
        """See how the tasks stand, without moving anything."""
        try:
            self._solution = self._document.scene.assess()
        except PoiseError as error:
            self._solution = None
            self._fail(str(error))

    def _is_met(self) -> bool:
        """Whether the posture meets all tasks as it is."""
        self._assess()
        return self._solution is not None and self._solution.met

    def _show(self, drag: Drag, settled: bool) -> None:
        if drag is self._drag:
            self._screen.follow(drag)
            self._subscribers.tell("posture")

    def _rebuild(self) -> None:
        if self._screen.rebuild(self._document):
            self._subscribers.tell("figure")

    def _draw(self) -> None:
        """Send each tab what lies over the figure."""
        if not len(self._tabs):
            return
        with self._lock:  # a drag must not end while it is looked at
            drag = self._drag
            if drag is not None:
                self._solution = drag.solution()
            scene = self._document.scene.copy() if drag is None else drag.scene.copy()
            q = scene.q if drag is None else drag.q
            solution, statics = self._solution, self._statics_of(scene, q)
        self._screen.draw(scene, q, solution, statics, drag)

    def _keep(self) -> None:
        """Write the document soon; a drag works on a copy, so in mid-drag it is as before."""
        if self._keeper is not None:
            shown = self._tabs.shown.model_dump()
            self._keeper.keep(self._document.copy(), self._structure_version, shown)
