"""A document that one person at a time may take hold of."""

from __future__ import annotations

from pathlib import Path

from poise.errors import PoiseError
from poise.scene import Scene
from poise.scene.solving import prepare
from poise.studio.changing import Changing
from poise.studio.commands import Change, Command, Grab, Move, Redo
from poise.studio.commands.base import FARTHEST, HARDEST
from poise.studio.dragging import Drag, ForceDrag, Motion
from poise.studio.engine import catch_up
from poise.studio.history import NoStepError, Snapshot

_ANOTHER = "someone else is dragging"


class Grabbing(Changing):
    """What is being dragged, by whom, and the document before it."""

    def __init__(self, scene: Scene | None, keep: Path | None) -> None:
        """Begin with nothing in anyone's hand."""
        self._dragging_tab: str | None = None
        self._before_drag: Snapshot | None = None
        self._let_down = set[str | None]()
        """Those out of whose hands something was taken: they move it until they let go."""
        super().__init__(scene, keep)

    def _grab(self, command: Grab, tab: str | None) -> None:
        drag = command.drag(self._document)  # what cannot be grabbed ends no other drag
        if self._drag is not None:
            self._check_owner(tab)
            self._release()
            drag = command.drag(self._document)
        self._let_down.discard(tab)
        self._before_drag = Snapshot.of(self._document)
        self._drag, self._dragging_tab = drag, tab
        self._engine.begin(drag)

    def _move(self, command: Move, tab: str | None) -> None:
        drag, owner = self._drag, self._dragging_tab
        if tab in self._let_down:
            return
        if drag is None:
            raise PoiseError("nothing is being dragged: grab something first")
        if owner != tab:
            raise PoiseError(_ANOTHER)
        most = HARDEST if isinstance(drag, ForceDrag) else FARTHEST
        if any(abs(each) > most for each in command.point or ()):
            raise PoiseError(f"what is dragged goes no farther than {most:g}, not {command.point}")
        motion = Motion(command.point, command.rotation, command.sequence, command.value)
        self._engine.move(drag, motion, command.recruit)

    def _check_owner(self, tab: str | None) -> None:
        if self._drag is not None and self._dragging_tab != tab:
            raise PoiseError(_ANOTHER)

    def _make_way(self, command: Command) -> None:
        """Let go of what anyone drags, if anything is, for a command that makes sense."""
        drag, tab = self._drag, self._dragging_tab
        if drag is None:
            return
        if isinstance(command, Redo):
            raise NoStepError("there is nothing to do again while something is dragged")
        if isinstance(command, Change):
            self._try(command, drag)
        self._release()
        self._let_down.add(tab)

    def _try(self, command: Change, drag: Drag) -> None:
        """Do something to a copy, for nothing: an error then ends no drag.

        The drag stands still meanwhile, as figures are shared, and their locks may change.
        """
        motion, recruit = self._engine.end()
        before = Snapshot.of(self._document)
        try:
            copy = self._document.copy()
            drag.finish(copy)
            command.change(copy)
            prepare(copy.scene)
        finally:
            before.restored()
            self._engine.begin(drag)
            if motion is not None:
                self._engine.move(drag, motion, recruit[-1] if recruit else None)

    def _release(self) -> None:
        """Let go of what is dragged, if anything is: what came of it stays."""
        drag, before = self._drag, self._before_drag
        if drag is None or before is None:
            return
        motion, recruit = self._let_go()
        if motion is None and not drag.has_moved:  # a mere click
            self._go_on()
            return
        try:
            if motion is not None:
                catch_up(drag, motion, recruit)
            drag.finish(self._document)
            self._document.has_moved()
            if not drag.only_posture:
                self._document.text = None
            if drag.goes_on and not drag.is_there:
                self._document.pending = drag.held()
                self._document.is_dragged = True
            elif not self._engine.is_solving:  # else that is not done yet, and is done from here
                self._document.pending = None
            self._rebuild()
        except Exception:
            self._document = before.restored()
            self._rebuild()
            self._changed("tasks")
            raise
        self._record(drag.title, before)
        self._changed("tasks", only_posture=drag.only_posture)

    def _cancel(self) -> None:
        """Let go, and be as before."""
        before = self._before_drag
        if before is None:
            return
        self._let_go()
        self._document = before.restored()
        self._rebuild()
        self._changed("tasks")

    def _go_on(self) -> None:
        """Draw anew, and find the posture if that came to an end in mid-drag, for nothing."""
        self._engine.refresh()
        if self._document.pending is not None:
            self._engine.solve()

    def _let_go(self) -> tuple[Motion | None, list[int]]:
        """End the drag; what was asked of it last and is not done yet."""
        left = self._engine.end()
        self._drag = self._before_drag = self._dragging_tab = None
        return left
