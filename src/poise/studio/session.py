"""The session: one document, any number of tabs, and one way to change anything."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import Posture
from poise.figure.files import figure_text
from poise.scene import Scene, Solution
from poise.studio import leaving, poses
from poise.studio.code import python_of
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
from poise.studio.commands.tasks import handle_of, parameters_of
from poise.studio.document import Document
from poise.studio.dragging import Drag, Motion
from poise.studio.engine import Engine, Latency, advance
from poise.studio.frames import DRAGGING, Framer
from poise.studio.history import History, Snapshot
from poise.studio.keeping import Keeper
from poise.studio.opening import text_of
from poise.studio.overlays import Sight, overlays_of
from poise.studio.reports import Lamp, TaskReport, lamp_of, reports_of
from poise.studio.settling import settled
from poise.studio.stage import stage_of, structure_of
from poise.studio.statics import Statics
from poise.studio.tabs import Sender, Tabs, selection_message, settings_message
from poise.studio.task_types import TaskType, task_types
from poise.studio.uploads import read_upload, suffix_of
from poise.tasks import Balance

_log = logging.getLogger(__name__)

Values = NDArray[np.float64]
Callback = Callable[[Event], object]

_PATIENCE = 0.5
"""So long (s) a command waits for its posture before it goes on without."""


class Session:
    """A document in the hands of people.

    `apply` is the one way to change it. What is asked here may be asked from any thread.
    """

    def __init__(self, scene: Scene | None = None, *, keep: Path | None = None) -> None:
        """Begin with a scene, or where the last session left off, or with a standing human.

        Args:
            scene: what to begin with; it is copied.
            keep: the folder in which the document is kept; None keeps nothing.
        """
        self._lock = threading.RLock()
        self.history = History()
        """What can be undone."""
        self.latency = Latency()
        """From drag events to postures, where a stream measures them."""
        self.last_error = ""
        """The last thing that went wrong while solving."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._uploading = asyncio.Lock()
        self._callbacks: dict[int, Callback] = {}
        self._tabs = Tabs()
        self._keeper = Keeper(keep) if keep is not None else None
        self._document = self._begun(scene)
        self._drag: Drag | None = None
        self._dragging_tab: str | None = None
        self._before_drag: Snapshot | None = None
        self._clipboard: Mapping[str, float] | None = None
        self._held: tuple[str, ...] = ()
        self._trace: list[Any] = []
        self._version = self._structure_version = self._revision = 0
        self._solution: Solution | None = None
        self._statics: tuple[bytes, Statics] | None = None
        self._rebuild()
        self._assess()
        self._engine = Engine(
            settle=self._settle, show=self._show, rest=self._draw, fail=self._fail
        )
        self._engine.start()
        if scene is not None and not self._is_met():
            self._engine.solve()
        self._keep()

    def _begun(self, scene: Scene | None) -> Document:
        if scene is not None:
            if self._keeper is not None:
                self._keeper.begin_anew()
            return Document(scene.copy())
        kept = self._keeper.kept() if self._keeper is not None else None
        if kept is None:
            return Document.new()
        document, shown = kept
        try:
            self._tabs.shown = Shown.model_validate(shown)
        except ValueError:
            _log.warning("what was shown cannot be read, and is as usual")
        self._wear(document)
        return document

    def _wear(self, document: Document) -> None:
        """Read the skins of a document that was kept."""
        assert self._keeper is not None
        for name, file in list(document.skin_files.items()):
            content = self._keeper.stored(file)
            try:
                read = read_upload(file, content) if content is not None else ""
            except PoiseError as error:
                read = str(error)
            if isinstance(read, str) or read.skin is None or name not in document.scene.figures:
                del document.skin_files[name]
            else:
                document.skins[name] = read.skin

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
                self._tell("selection")
            case Settings():
                self._tabs.show(command, tab)
                self._engine.refresh()
                self._keep()
                self._tell("settings")
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
            self._publish(self._document.scene.q, 0)
            self._engine.refresh()
        self._keep()  # before it is solved, too, which may take long or fail
        self._tell(*told, "history", "posture")

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
            send("stage", self._stage)
            send("settings", settings_message(joined))
            send("selection", selection_message(joined))
            send("frame", self._frame)
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

    # asking ----------------------------------------------------------------------------------

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
        drag = self._drag
        with self._lock:
            whole = self._document.whole
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

    def blocked_by(self, task: str) -> str:
        """What keeps a task from being met, in words; empty where it is met. This takes a while."""
        solution = self._solution
        found = [each for each in solution.tasks if each.name == task] if solution else []
        return found[0].remarks if found else ""

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
            scene = self._drag.scene if self._drag is not None else self._document.scene
            q = self._drag.q if self._drag is not None else scene.q
            return self._statics_of(scene, q)

    def _statics_of(self, scene: Scene, q: Values) -> Statics:
        key = b"%d " % self._version + q.tobytes()
        if self._statics is None or self._statics[0] != key:
            alone = scene.copy()
            alone.q = q
            self._statics = key, Statics(alone, self._document.contact_forces)
        return self._statics[1]

    @property
    def crashes(self) -> int:
        """Errors of the engine that nobody thought of; each is in the log."""
        return self._engine.crashes

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
        key = id(callback)
        self._callbacks[key] = callback

        def stop() -> None:
            self._callbacks.pop(key, None)

        return stop

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Tell subscribers on an event loop from now on."""
        self._loop = loop

    def _tell(self, *events: Event) -> None:
        for event in dict.fromkeys(events):
            for callback in list(self._callbacks.values()):
                if self._loop is None:
                    callback(event)
                else:
                    with suppress(RuntimeError):  # the loop has ended, and so have the pages
                        self._loop.call_soon_threadsafe(callback, event)

    def _fail(self, message: str) -> None:
        self.last_error = message
        self._tabs.send("error", {"type": "error", "message": message})
        self._tell("error")

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
                self._publish(scene.q, 0)
            self._keep()
        self._tell("posture", "tasks")

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
            if drag.moves_props:
                self._framer = Framer(drag.scene, self._revision)
            self._publish(drag.q, drag.sequence)
            self._tell("posture")

    def _publish(self, q: Values, sequence: int) -> None:
        flags = DRAGGING if self._drag is not None else 0
        self._frame = self._framer.frame(q, sequence, flags)
        self._tabs.send("frame", self._frame)

    def _rebuild(self) -> None:
        """Make the stage anew where the structure has changed."""
        key = structure_of(self._document)
        if self._revision == 0 or key != self._structure:
            self._structure = key
            self._revision += 1
            self._stage = stage_of(self._document, self._revision)
            self._tabs.send("stage", self._stage)
            self._tell("figure")
        self._framer = Framer(self._document.scene, self._revision)
        self._frame = self._framer.frame(self._document.scene.q, 0, 0)

    def _draw(self) -> None:
        """Send each tab what lies over the figure."""
        if not len(self._tabs):
            return
        drag = self._drag
        if drag is not None:
            solution, scene, q = drag.solution(), drag.scene, drag.q
            self._trace = list(drag.trace)
            with self._lock:
                if drag is self._drag:
                    self._solution = solution
                statics = self._statics_of(scene, q)
        else:
            with self._lock:
                solution, scene = self._solution, self._document.scene.copy()
                q = scene.q
                statics = self._statics_of(scene, q)
        reports = reports_of(scene, solution)
        lamp = lamp_of(reports)
        for tab in self._tabs:
            sight = Sight(scene, q, solution, reports, tab.shown, tab.selection, statics)
            sent = overlays_of(sight)
            sent["recruited"] = drag.recruited if drag is not None else []
            sent["trace"] = self._trace if tab.shown.trace else []
            sent["lamp"] = {"color": lamp.color, "sentence": lamp.sentence}
            tab.send("overlays", sent)

    def _keep(self) -> None:
        """Write the document soon; a drag works on a copy, so in mid-drag it is as before."""
        if self._keeper is not None:
            shown = self._tabs.shown.model_dump()
            self._keeper.keep(self._document.copy(), self._structure_version, shown)
