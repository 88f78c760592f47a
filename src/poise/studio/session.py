"""The session: one document, any number of tabs, and one way to change anything."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.scene import Scene, Solution
from poise.studio.commands import (
    Cancel,
    Change,
    Command,
    Event,
    Grab,
    Move,
    Redo,
    Release,
    Select,
    Selection,
    Settings,
    Shown,
    Undo,
    parsed,
)
from poise.studio.document import Document
from poise.studio.dragging import DRAG, Drag, Motion
from poise.studio.engine import Engine, Latency
from poise.studio.frames import DRAGGING, Framer
from poise.studio.history import History, Snapshot
from poise.studio.overlays import Sight, overlays_of
from poise.studio.reports import Lamp, TaskReport, lamp_of, reports_of
from poise.studio.stage import stage_of

Values = NDArray[np.float64]
Callback = Callable[[Event], object]
Sender = Callable[[str, Any], object]
"""Takes what a tab is to be sent: "frame" with bytes, or a message's type with a mapping."""

_PATIENCE = 0.5
"""So long (s) a command waits for its posture before it goes on without."""


class Session:
    """A document in the hands of people.

    `apply` is the one way to change it. What is asked here may be asked from any thread.
    """

    def __init__(self, scene: Scene | None = None) -> None:
        """Begin with a scene, or with a standing human; the engine starts with the first need."""
        self._lock = threading.RLock()
        self._document = Document.new() if scene is None else Document(scene.copy())
        self.history = History()
        """What can be undone."""
        self.latency = Latency()
        """From drag events to postures, where a stream measures them."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._callbacks: dict[int, Callback] = {}
        self._tabs: dict[str, _Tab] = {}
        self._usual = Shown()
        self._selected = Selection()
        self._drag: Drag | None = None
        self._dragging_tab: str | None = None
        self._before_drag: Snapshot | None = None
        self._held: tuple[str, ...] = ()
        self._version = 0
        self._revision = 0
        self._rebuild()
        self._solution: Solution | None = None
        self.engine = Engine(
            settle=self._settle, show=self._show, rest=self._draw, fail=self._tell_error
        )
        self._assess()
        self.engine.start()

    def close(self) -> None:
        """End the engine; the document stays as it is."""
        self.engine.stop()

    # changing ------------------------------------------------------------------------------

    def apply(self, command: Command | dict[str, Any], tab: str | None = None) -> None:
        """Do what a person asks for; a `PoiseError` says why it cannot be done, and nothing is."""
        given = parsed(command)
        if isinstance(given, Move):
            self._move(given, tab)
            return
        with self._lock:
            self._act(given, tab)
        self.engine.wait(_PATIENCE)

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
                self._select(command, tab)
            case Settings():
                self._set(command, tab)
            case Change():
                self._change(command)
            case _:
                raise PoiseError(f"the command {command.do!r} cannot be done here")

    def _change(self, command: Change) -> None:
        if self._drag is not None:
            self._release()  # what someone drags meanwhile stays where it is
        before = Snapshot.of(self._document)
        try:
            command.change(self._document)
        except BaseException as error:
            self._document = before.restored()
            if isinstance(error, (PoiseError, KeyboardInterrupt)):
                raise
            # What was asked for made no sense in a way that nobody thought of.
            raise PoiseError(f"{command.do}: {type(error).__name__}: {error}") from error
        self.history.record(command.title, before)
        self._document_changed(*command.told, solves=command.solves, held=command.held)

    def _document_changed(self, *told: Event, solves: bool, held: tuple[str, ...] = ()) -> None:
        """Show what has changed, and find the posture where that is wanted."""
        self._version += 1
        self._rebuild()
        if solves:
            self._held = held
            self.engine.solve()
        else:
            self._assess()
            self._publish(self._document.scene.q, 0)
        self._tell(*told, "history", "posture")

    def _travel(self, way: Callable[[Snapshot], tuple[str, Snapshot]]) -> None:
        if self._drag is not None:
            self._release()
        _, there = way(Snapshot.of(self._document))
        self._document = there.restored()
        self._document_changed("tasks", "figure", solves=False)

    # dragging --------------------------------------------------------------------------------

    def _grab(self, command: Grab, tab: str | None) -> None:
        if self._drag is not None:
            if self._dragging_tab != tab:
                raise PoiseError("someone else is dragging")
            self._release()
        drag = command.drag(self._document)
        self._before_drag = Snapshot.of(self._document)
        self._drag, self._dragging_tab = drag, tab
        self.engine.begin(drag)

    def _move(self, command: Move, tab: str | None) -> None:
        if self._drag is None:
            raise PoiseError("nothing is being dragged: grab something first")
        self._check_owner(tab)
        motion = Motion(command.point, command.rotation, command.sequence)
        self.engine.move(motion, command.recruit)

    def _check_owner(self, tab: str | None) -> None:
        if self._drag is not None and self._dragging_tab != tab:
            raise PoiseError("someone else is dragging")

    def _release(self) -> None:
        drag, before = self._drag, self._before_drag
        if drag is None or before is None:
            return
        self.engine.end()
        self._drag = self._before_drag = self._dragging_tab = None
        if drag.sequence == 0 and np.array_equal(drag.q, self._document.scene.q):
            self.engine.refresh()
            return  # a mere click
        drag.finish(self._document)
        self.history.record(drag.title, before)
        self._document_changed("tasks", solves=False)

    def _cancel(self) -> None:
        before = self._before_drag
        if before is None:
            return
        self.engine.end()
        self._drag = self._before_drag = self._dragging_tab = None
        self._document = before.restored()
        self._document_changed("tasks", solves=False)

    def leave(self, tab: str) -> None:
        """A tab has gone; what it was dragging stays where it is."""
        with self._lock:
            if self._dragging_tab == tab:
                self._release()
            self._tabs.pop(tab, None)

    # tabs ------------------------------------------------------------------------------------

    def _select(self, command: Select, tab: str | None) -> None:
        chosen = Selection(kind=command.kind, name=command.name if command.kind else None)
        if chosen.kind is not None:
            if chosen.name is None:
                raise PoiseError("to select something needs its name")
            if chosen.name not in self._names(chosen.kind):
                raise PoiseError(f"there is no {chosen.kind} named {chosen.name!r}")
        self._selected = chosen
        for each in self._addressed(tab):
            each.selection = chosen
            each.send("selection", {"type": "selection", **chosen.model_dump()})
        self.engine.refresh()
        self._tell("selection")

    def _names(self, kind: str) -> Any:
        scene, whole = self._document.scene, self._document.whole
        return {
            "joint": {**whole.groups, **whole.joints},
            "site": whole.sites,
            "segment": whole.segments,
            "task": scene.handles,
            "force": {**scene.forces.supports, **scene.forces.applied},
            "prop": scene.props,
        }[kind]

    def _set(self, command: Settings, tab: str | None) -> None:
        changes = command.changes()
        self._usual = self._usual.model_copy(update=changes)
        for each in self._addressed(tab):
            each.shown = each.shown.model_copy(update=changes)
            each.send("settings", {"type": "settings", **each.shown.model_dump()})
        self.engine.refresh()
        self._tell("settings")

    def _addressed(self, tab: str | None) -> list[_Tab]:
        if tab is None:
            return list(self._tabs.values())
        return [self._tabs[tab]] if tab in self._tabs else []

    def settings(self, tab: str | None = None) -> Shown:
        """What a tab shows; a new one shows what was last chosen."""
        return self._tabs[tab].shown if tab in self._tabs else self._usual

    def selection(self, tab: str | None = None) -> Selection:
        """What a tab has selected, if it is still there."""
        chosen = self._tabs[tab].selection if tab in self._tabs else self._selected
        with self._lock:
            if chosen.kind is not None and chosen.name not in self._names(chosen.kind):
                return Selection()
        return chosen

    def join(self, tab: str, send: Sender) -> Callable[[], None]:
        """Let a tab look: `send` gets all that it must draw, from any thread, the stage first."""
        with self._lock:
            joined = _Tab(send, self.settings(tab), self.selection(tab))
            self._tabs[tab] = joined
            send("stage", self._stage)
            send("settings", {"type": "settings", **joined.shown.model_dump()})
            send("selection", {"type": "selection", **joined.selection.model_dump()})
            send("frame", self._frame)
        self.engine.refresh()

        def depart() -> None:
            if self._tabs.get(tab) is joined:
                self.leave(tab)

        return depart

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
    def solution(self) -> Solution | None:
        """How the tasks stand; None where they make no sense together, as an error has told."""
        return self._solution

    @property
    def reports(self) -> list[TaskReport]:
        """All tasks and criteria as they stand."""
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
    def dragging(self) -> bool:
        """Whether someone is dragging."""
        return self._drag is not None

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Be told of changes, on the event loop where there is one; returns how to stop it."""
        key = id(callback)
        self._callbacks[key] = callback
        return lambda: self._callbacks.pop(key, None) and None

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Tell subscribers on an event loop from now on."""
        self._loop = loop

    # the engine's part -------------------------------------------------------------------------

    def _settle(self) -> None:
        """Solve the document; what has changed meanwhile is solved next."""
        with self._lock:
            version, held, self._held = self._version, self._held, ()
            scene = self._document.scene.copy()
            scene.prepared()  # packs; figures must not change while it does
        slow = None if scene.options.method == "lex" else 5.0
        solution = solved(scene, held, max_seconds=slow)
        with self._lock:
            if version != self._version:
                return
            scene.postures = solution.postures
            self._document.scene.q = scene.q
            self._solution = solution
            self._publish(self._document.scene.q, 0)
        self._tell("posture", "tasks")

    def _assess(self) -> None:
        """See how the tasks stand, without moving anything."""
        try:
            self._solution = self._document.scene.assess()
        except PoiseError as error:
            self._solution = None
            self._tell_error(str(error))

    def _show(self, drag: Drag, settled: bool) -> None:
        if drag is self._drag:
            self._publish(drag.q, drag.sequence)
            self._tell("posture")

    def _publish(self, q: Values, sequence: int) -> None:
        flags = DRAGGING if self._drag is not None else 0
        self._frame = self._framer.frame(q, sequence, flags)
        for tab in list(self._tabs.values()):
            tab.send("frame", self._frame)

    def _rebuild(self) -> None:
        """Make the stage anew where the structure has changed."""
        whole = self._document.whole
        key = structure_of(self._document)
        if self._revision == 0 or key != self._structure:
            self._structure = key
            self._revision += 1
            self._stage = stage_of(self._document, self._revision)
            for tab in list(self._tabs.values()):
                tab.send("stage", self._stage)
            self._tell("figure")
        self._framer = Framer(self._document.scene, self._revision)
        self._frame = self._framer.frame(self._document.scene.q, 0, 0)
        assert len(whole.segments) == len(self._framer.names)

    def _draw(self) -> None:
        """Send each tab what lies over the figure."""
        drag = self._drag
        if drag is not None:
            solution, scene, q = drag.solution(), drag.scene(), drag.q
            recruited, trace = drag.recruited, list(drag.trace)
            with self._lock:
                if drag is self._drag:
                    self._solution = solution
        else:
            with self._lock:
                solution, scene = self._solution, self._document.scene.copy()
                q, recruited, trace = scene.q, [], self._trace
        self._trace = trace
        reports = [each for each in reports_of(scene, solution) if not each.name.startswith(DRAG)]
        for name, tab in list(self._tabs.items()):
            sight = Sight(scene, q, solution, reports, self.settings(name), self.selection(name))
            sent = overlays_of(sight)
            sent |= {"recruited": recruited, "trace": trace if tab.shown.trace else []}
            lamp = lamp_of(reports)
            sent["lamp"] = {"color": lamp.color, "sentence": lamp.sentence}
            tab.send("overlays", sent)

    _trace: list[Any] = []  # noqa: RUF012  # replaced, never changed

    # telling -----------------------------------------------------------------------------------

    def _tell(self, *events: Event) -> None:
        for event in events:
            for callback in list(self._callbacks.values()):
                if self._loop is not None:
                    self._loop.call_soon_threadsafe(callback, event)
                else:
                    callback(event)

    def _tell_error(self, message: str) -> None:
        for tab in list(self._tabs.values()):
            tab.send("error", {"type": "error", "message": message})
        self.last_error = message
        self._tell("error")

    last_error: str = ""
    """The last thing that went wrong while solving."""


class _Tab:
    """A tab that looks at the session."""

    def __init__(self, send: Sender, shown: Shown, selection: Selection) -> None:
        self.send, self.shown, self.selection = send, shown, selection


def solved(scene: Scene, held: tuple[str, ...], *, max_seconds: float | None) -> Solution:
    """Solve a scene; coordinates that are held stay where they are, this once."""
    if not held:
        return scene.solve(max_seconds=max_seconds)
    figures = scene.given
    before = {name: figure.locked_names for name, figure in figures.items()}
    try:
        for name in held:
            figure, _, own = name.rpartition("/")
            (figures[figure] if figure else next(iter(figures.values()))).lock(own)
        return scene.solve(max_seconds=max_seconds)
    finally:
        for name, figure in figures.items():
            figure.unlock()
            figure.lock(before[name])


def structure_of(document: Document) -> tuple[Any, ...]:
    """What the stage depends on, for comparison."""
    whole = document.whole
    return (
        tuple(whole.segments.values()),
        tuple(whole.joints.values()),
        tuple(whole.sites.values()),
        tuple((name, thing.is_held) for name, thing in document.scene.props.items()),
        tuple((name, id(skin)) for name, skin in document.skins.items()),
    )
