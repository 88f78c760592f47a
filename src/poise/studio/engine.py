"""The solving thread: the latest goal wins, the latest frame is sent."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from time import perf_counter

from poise.errors import PoiseError
from poise.studio.dragging import Drag, Motion
from poise.studio.saying import said

_log = logging.getLogger(__name__)

_SETTLING = 0.008
"""Between two steps (s) towards a goal that stands still and is not reached."""
_NEXT = 0.02
"""So long (s) it first waits for another event, which a hand that moves sends 60 times a second: a
step between two of them would only make the second one wait."""


_LAST = 30
"""Steps at most in which a drag that has ended comes to its last goal."""

_PAUSE = 0.05
"""At least so long (s) passes between two drawings of what lies over the figure."""


class Latency:
    """How long it took from drag events to the postures that were sent, in seconds."""

    def __init__(self) -> None:
        """Begin with nothing measured."""
        self._seconds: deque[float] = deque(maxlen=5000)

    def add(self, seconds: float) -> None:
        """Take a measurement."""
        self._seconds.append(seconds)

    def clear(self) -> None:
        """Forget what was measured."""
        self._seconds.clear()

    def __len__(self) -> int:
        """How many there are."""
        return len(self._seconds)

    def percentile(self, share: float) -> float:
        """The latency that a share (0 to 1) of the events did not exceed; 0 without any."""
        ordered = sorted(self._seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Engine:
    """One thread that solves: drags event by event, and the document when it has changed."""

    def __init__(
        self,
        *,
        settle: Callable[[], None],
        show: Callable[[Drag, bool], None],
        rest: Callable[[], None],
        fail: Callable[[str], None],
    ) -> None:
        """Say what is to be done, all of it on the engine's thread.

        Args:
            settle: solve the document.
            show: publish the posture of a drag; True where it has come to rest.
            rest: called when there is nothing else to do: what is drawn over the figure.
            fail: tell an error.
        """
        self._settle, self._show, self._rest, self._fail = settle, show, rest, fail
        self._wake = threading.Condition()
        self._drag: Drag | None = None
        self._motion: Motion | None = None
        self._recruit: list[int] = []
        self._unsettled = self._stale = False
        self._settling = self._following = self._drawing = self._ended = False
        self.crashes = 0
        """Errors that nobody thought of; each is in the log."""
        self._drawn = 0.0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to work; once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="poise-engine", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread and wait for it."""
        with self._wake:
            self._ended = True
            self._wake.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=10.0)

    # what it is asked --------------------------------------------------------------------

    def solve(self) -> None:
        """The document has changed: find its posture."""
        with self._wake:
            self._unsettled = self._stale = True
            self._wake.notify_all()

    @property
    def is_solving(self) -> bool:
        """Whether the document's posture is being found, or is to be."""
        with self._wake:
            return self._unsettled or self._settling

    def forget(self) -> None:
        """The document's posture is the one that is wanted: it need not be found any more."""
        with self._wake:
            self._unsettled = False
            self._wake.notify_all()

    def refresh(self) -> None:
        """Something is to be drawn anew, though nothing moves."""
        with self._wake:
            self._stale = True
            self._wake.notify_all()

    def begin(self, drag: Drag) -> None:
        """Follow a drag from now on."""
        with self._wake:
            self._drag, self._motion, self._recruit = drag, None, []
            self._stale = True
            self._wake.notify_all()

    def move(self, drag: Drag, motion: Motion, recruit: int | None) -> None:
        """The drag has a new goal; one that has not been looked at yet is forgotten.

        Nothing happens where another drag, or none, has taken its place.
        """
        with self._wake:
            if drag is not self._drag:
                return
            self._motion = motion
            if recruit is not None:
                self._recruit = [recruit]
            self._wake.notify_all()

    def follow(self, seconds: float) -> bool:
        """Wait until the last goal has been followed; False where the time was not enough."""
        with self._wake:
            return self._wake.wait_for(
                lambda: (self._motion is None and not self._following) or self._ended, seconds
            )

    def end(self) -> tuple[Motion | None, list[int]]:
        """Follow no longer; returns when the drag is let go, with what was not followed yet.

        A lock may be held that solving and drawing need: only a step of the drag is waited for.
        """
        with self._wake:
            left = self._motion, self._recruit
            self._drag, self._motion, self._recruit = None, None, []
            self._wake.wait_for(lambda: not self._following or self._ended)
            return left

    def wait(self, seconds: float, *, drawn: bool = False) -> bool:
        """Wait until the document is solved; False where the time was not enough.

        Args:
            seconds: how long to wait.
            drawn: whether to wait for what lies over the figure as well.
        """
        with self._wake:
            return self._wake.wait_for(
                lambda: (
                    not (
                        self._unsettled
                        or self._settling
                        or (drawn and (self._stale or self._drawing))
                    )
                    or self._ended
                ),
                seconds,
            )

    # the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        onward: float | None = None
        """When to go on with a goal that is not reached; None where nothing is on its way."""
        followed: Drag | None = None
        while True:
            with self._wake:
                self._settling = self._following = self._drawing = False
                self._wake.notify_all()
                self._wait(onward)
                if self._ended:
                    return
                self._settling, self._unsettled = self._unsettled, False
                drag, motion, recruit = self._drag, None, list[int]()
                if drag is not followed:
                    followed, onward = drag, None
                if not self._settling:  # a drag waits while the document is solved
                    motion, recruit = self._motion, self._recruit
                    self._motion, self._recruit = None, []
                    is_time = onward is not None and perf_counter() >= onward
                    self._following = drag is not None and bool(motion or recruit or is_time)
                draws = self._stale and not (motion or recruit or self._settling) and self._is_due()
                self._stale, self._drawing = self._stale and not draws, draws
            try:
                if self._settling:
                    self._settle()
                if drag is not None and self._following:
                    is_there = self._follow(drag, motion, recruit)
                    pause = _SETTLING if motion is None else _NEXT
                    onward = None if is_there else perf_counter() + pause
                    with self._wake:
                        self._following = False
                        self._wake.notify_all()
                elif drag is None:
                    onward = None
                if draws:
                    self._drawn = perf_counter()
                    self._rest()
            except PoiseError as error:
                onward = None
                self._fail(said(error))
            except Exception:
                # The thread must go on, whatever a scene has brought it.
                onward = None
                self.crashes += 1
                _log.exception("the studio's engine")
                self._fail("something went wrong while solving; the log has more")

    def _wait(self, onward: float | None) -> None:
        """Wait for something to do, or until what is half done is to go on."""
        was_stale = self._stale
        until = [onward] if onward is not None and self._drag is not None else []
        if was_stale:
            until.append(self._drawn + _PAUSE)
        self._wake.wait_for(
            lambda: self._has_work() or self._ended or self._stale != was_stale,
            max(0.0, min(until) - perf_counter()) if until else None,
        )

    def _is_due(self) -> bool:
        return perf_counter() >= self._drawn + _PAUSE

    def _has_work(self) -> bool:
        return self._motion is not None or bool(self._recruit) or self._unsettled

    def _follow(self, drag: Drag, motion: Motion | None, recruit: list[int]) -> bool:
        """Solve for the latest goal and show it; whether the figure has come to rest."""
        settled = advance(drag, motion, recruit)
        self._show(drag, settled)
        with self._wake:
            self._stale = True
        return settled


def catch_up(drag: Drag, motion: Motion, recruit: list[int]) -> None:
    """Let a drag that ends follow its last goal, as far as it comes in a moment."""
    if advance(drag, motion, recruit):
        return
    for _ in range(_LAST):
        if drag.step():
            return


def advance(drag: Drag, motion: Motion | None, recruit: list[int]) -> bool:
    """Let a drag take what was asked of it, and solve; True when nothing moves any more."""
    for count in recruit:
        drag.recruit(count)
    if motion is not None:
        drag.aim(motion)
    return drag.step()
