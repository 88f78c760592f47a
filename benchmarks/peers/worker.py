"""What a solver does in a process of its own; its environment has numpy but not poise.

Postures cross as vectors of x y z, a quaternion w x y z, and the angles of hinges in an order that
the problem gives; places and goals as matrices of 4 by 4. Arrays with many rows are .npy files.

Requests:
    take: a problem, which becomes the one that is solved. The answer may be `{"refused": …}`.
    place: where the frames are in a posture.
    run: solve all goals once; the answer has the seconds of each.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import lines
import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


class RefusedError(RuntimeError):
    """A solver cannot do a problem of this kind; the message is one line."""


@dataclass(frozen=True)
class Asked:
    """A problem without poise; `asked.Problem` has the words."""

    folder: Path
    frames: Sequence[str]
    first: Sequence[str]
    turns: bool
    warm: bool
    cap: int
    joints: Sequence[str]
    """The hinges, in the order of postures."""

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Asked:
        """From what `document` made of it."""
        values = dict(document)
        return cls(folder=Path(values.pop("folder")), **values)

    def document(self) -> dict[str, Any]:
        """As JSON can have it."""
        return {
            "folder": str(self.folder),
            "frames": list(self.frames),
            "first": list(self.first),
            "turns": self.turns,
            "warm": self.warm,
            "cap": self.cap,
            "joints": list(self.joints),
        }


class Peer(Protocol):
    """A solver with one problem."""

    def start(self, posture: Values) -> None:
        """Take a posture as that from which the next solve starts."""
        ...

    def solve(self, goals: Values) -> None:
        """Go from the posture that there is towards goals (frames, 4, 4)."""
        ...

    def posture(self) -> Values:
        """The posture that there is."""
        ...

    def places(self) -> Values:
        """(frames, 4, 4) by the solver's own forward kinematics."""
        ...


class Desk:
    """Answers requests with a solver that it makes."""

    def __init__(self, make: Callable[[Asked], Peer]) -> None:
        self._make = make
        self._peer: Peer | None = None
        self._warm = True

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request."""
        if request["do"] == "take":
            asked = Asked.read(request["problem"])
            try:
                self._peer, self._warm = self._make(asked), asked.warm
            except RefusedError as reason:
                return {"refused": str(reason)}
            return {}
        if self._peer is None:
            raise ValueError("no problem has been given")
        if request["do"] == "place":
            self._peer.start(np.array(request["posture"]))
            return {"places": self._peer.places().tolist()}
        if request["do"] == "run":
            return {"seconds": run(self._peer, request, warm=self._warm)}
        raise ValueError(f"there is no request {request['do']!r}")


def run(peer: Peer, request: Mapping[str, Any], *, warm: bool) -> list[float]:
    """Solve all goals once, each from the posture before or each from its start."""
    goals, starts = np.load(request["goals"]), np.load(request["starts"])
    postures: list[Values] = []
    seconds: list[float] = []
    for i, goal in enumerate(goals):
        if i == 0 or not warm:
            peer.start(starts[i])
        before = time.perf_counter()
        peer.solve(goal)
        seconds.append(time.perf_counter() - before)
        postures.append(peer.posture())
    np.save(request["postures"], np.array(postures))
    return seconds


def serve(make: Callable[[Asked], Peer]) -> None:
    """Answer requests until there are no more."""
    lines.serve(Desk(make).reply)
