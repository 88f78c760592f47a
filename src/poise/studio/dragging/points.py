"""Dragging the body by any of its points."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3, vector
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.studio.document import Document
from poise.studio.dragging.drag import Drag
from poise.studio.dragging.following import BRISK, CALM, STILL
from poise.studio.dragging.grabbed import DRAG, Grabbed
from poise.studio.dragging.motion import Motion
from poise.studio.frames import Placed
from poise.studio.limbs import chain_of, limb_chain, limb_of
from poise.studio.sides import other_side
from poise.studio.symmetry import Mirror, image_on

Values = NDArray[np.float64]

_LEAD = 0.08
"""How far (m) the goal of a solve may run ahead of the point that follows."""
_BUDGET = 0.006
"""So long (s) one event may go on solving before its posture is sent."""

_FOLLOWS = 0.25
"""How readily the rest of the body moves, when the limb by which it is dragged moves with 1: a hand
is raised with the arm, and the back bends for what the arm cannot reach."""

_FLICK = 0.05
"""What a goal that moves farther (m) in one event leaves of the way is gone in the next ones as
briskly; what a slower hand leaves is gone calmly."""

_SWINGS = 0.2
"""A body swings to and fro when a coordinate goes back by this share of the farthest motion."""
_ARRIVED = 0.002
"""A point that is no farther (m) from the pointer has come there."""
_SLOWEST = 0.05
"""The least share of its usual pace at which a body follows that swings to and fro."""


class PointDrag(Drag):
    """A point of the body in someone's hand: the temporary task of the lowest priority.

    The goal of a solve runs ahead of the point by a little only. Where the hand cannot reach, that
    changes nothing of where it comes to rest (the pull has the same direction), but the body turns
    towards a goal far away as calmly as towards a near one.
    """

    only_posture = True
    goes_on = False

    def __init__(
        self,
        document: Document,
        segment: str,
        point: Vec3,
        *,
        mode: str = "body",
        recruit: int | None = None,
    ) -> None:
        """Take hold of a point (m, in the segment's frame)."""
        whole = document.whole
        if segment not in whole.segments:
            raise unknown_name("segment", segment, whole.segments)
        self._whole = whole
        self._chain = chain_of(whole, segment)
        if not self._chain:
            raise PoiseError(f"{segment!r} does not move: no joint carries it")
        limb = limb_chain(whole, segment)
        self._usual = {"joint": 1, "limb": len(limb), "body": None}[mode]
        self._limb = limb if limb_of(whole, segment) else []
        start = document.scene.places.segment(segment).apply(point)
        scene = document.scene.copy()
        last = max((each.priority or 0 for each in scene.handles.values()), default=0) + 1
        self._mirror: Mirror | None = None
        self._tasks = {DRAG: Grabbed(segment, point, vector(start, "the goal"))}
        partner = other_side(segment)
        if document.symmetric and partner != segment and partner in whole.segments:
            self._mirror = Mirror.of(document, segment)
            own = vector(image_on(document, segment, point), "the point")
            goal = vector(self._mirror.point(start), "the goal")
            self._tasks[f"{DRAG}, other side"] = Grabbed(partner, own, goal)
        for name, task in self._tasks.items():
            scene.add(task, priority=last, name=name)
        super().__init__(f"drag {segment}", scene)
        self._goals = {name: np.array(task.target) for name, task in self._tasks.items()}
        self._placed = Placed(whole)
        self._held = {name: _held(whole, task) for name, task in self._tasks.items()}
        self._pace, self._way = 1.0, np.zeros(whole.n)
        self._owed = 0.0
        """What is left of a flick's way (rad), for which the time of its event was too short."""
        self.trace.append(vector(start, "the point"))
        self.recruit(recruit)

    def recruit(self, count: int | None) -> None:
        """Let so many joints up the chain move; None for what the mode says."""
        chosen = self._usual if count is None else count
        if chosen is None or chosen > len(self._chain):
            self.recruited = list(self._chain)
            self._work.let_move(self._moving(self._limb, others=_FOLLOWS) if self._limb else None)
            return
        self.recruited = self._chain[:chosen]
        self._work.let_move(self._moving(self.recruited))

    def _moving(self, names: list[str], others: float = 0.0) -> Values:
        """How readily each coordinate moves (n,): those of some joints, and of all others."""
        whole = self._whole
        moving = np.full(whole.n, others)
        for name in names:
            moving[whole.span(name)] = 1.0
            partner = other_side(name)
            if self._mirror is not None and (partner in whole.joints or partner in whole.groups):
                moving[whole.span(partner)] = 1.0
        return moving

    def _aim(self, motion: Motion) -> None:
        if motion.point is None:
            return
        goal = np.array(motion.point)
        self._moved += float(np.linalg.norm(goal - self._goals[DRAG]))
        self._goals[DRAG] = goal
        for name in self._tasks:
            if name != DRAG and self._mirror is not None:
                self._goals[name] = self._mirror.point(goal)

    def _step(self) -> bool:
        """Solve until the point has come as near as it can, or the time of one event is over."""
        begun, before = perf_counter(), self._work.q
        flick = self._moved if self._moved > _FLICK else 0.0
        left = self._owed + self._pace * (CALM + BRISK * self._moved)
        owed, self._moved = self._owed + BRISK * flick, 0.0
        while True:
            self._lead()
            moved = self._work.solve(left, about=list(self._tasks))
            settled, left = moved < STILL, left - moved
            if settled or left <= STILL or perf_counter() - begun > _BUDGET:
                break
        self._owed = 0.0 if settled else max(0.0, min(left, owed))
        self._calm_down(self._work.q - before)
        x, y, z = self._points()[DRAG].tolist()
        self.trace.append((x, y, z))
        return settled

    def _calm_down(self, way: Values) -> None:
        """Go slower as long as the body goes back at each event where it came from at the last.

        At the end of a reach a limb that only helps the balance may have two places that are about
        as good, and would swing between them at the pace of the hand. As long as the point comes to
        where it is dragged there is no reason to let it lag behind.
        """
        points = self._points()
        off = max(float(np.linalg.norm(self._goals[name] - points[name])) for name in self._tasks)
        back = np.where(way * self._way < 0.0, np.minimum(np.abs(way), np.abs(self._way)), 0.0)
        swings = back.max(initial=0.0) > _SWINGS * np.abs(way).max(initial=0.0)
        swings = swings and off > _ARRIVED
        self._pace = max(_SLOWEST, 0.5 * self._pace) if swings else min(1.0, 1.15 * self._pace)
        self._way = way

    def _lead(self) -> None:
        """Set the goals of the next solve, a little ahead of where the points are."""
        points = self._points()
        for name, task in self._tasks.items():
            at = points[name]
            away = self._goals[name] - at
            share = min(1.0, _LEAD / max(float(np.linalg.norm(away)), 1e-12))
            x, y, z = (at + share * away).tolist()
            self._work.aim(name, task.at((x, y, z)))

    def _points(self) -> dict[str, Values]:
        """Where the points are that are dragged."""
        rotation, position = self._placed.place(self._work.q)
        turns = rotation.reshape(-1, 3, 3)
        return {
            name: turns[node] @ point + position[node] for name, (node, point) in self._held.items()
        }

    def finish(self, document: Document) -> None:
        """The posture stays."""
        document.scene.q = self.q
        document.chosen = self.q.copy()


def _held(whole: Figure, task: Grabbed) -> tuple[int, Values]:
    """The node that carries a point, and where the point is in its frame."""
    node, place = whole.packed.segments[task.segment]
    return node, np.asarray(place.apply(task.point))
