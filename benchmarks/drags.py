"""Twelve drags of a standing person, as the studio makes them: there, and back again.

python benchmarks/drags.py [DRAG …] [--strips FOLDER] [--step 0.01]

A person of 1.75 m stands at rest with both feet pinned and in balance. A part is dragged along a
straight way, or by way points, by events that move the pointer by 1 cm each; at the far end the
pointer stands still until nothing moves, and then goes back the same way. For "foot up" and "knee
up" the pin of that foot is taken out first, and the posture found, as on the page; "foot back"
drags the pin.

- events: with those in which the pointer stands still;
- most: how far the part of the body that moves most moves in one event: all joint centres, and all
  sites (hands, feet, the top of the head);
- > 5 cm: events in which some part moves farther than that; each is printed below with the smallest
  eigenvalue of the reduced Hessian before it;
- off: how far the dragged point is from the pointer at the far end;
- head, pelvis, hand: how far these have moved there; the hand is the left one, which is free;
- back: how far any part is from where it was, when the pointer is back at the start;
- ms: time of an event, median and 95th percentile.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from timing import show

from poise.figure import Figure
from poise.scene import Scene
from poise.solvers.lex import measured
from poise.studio.document import Document
from poise.studio.dragging import Drag, Motion, PinDrag, PointDrag, held_by
from poise.studio.settling import settled

Values = NDArray[np.float64]

STEP = 0.01
"""Metres that the pointer moves in one event."""
FAR = 0.05
"""No part of the body should move farther (m) in one event."""
STILL_EVENTS = 120
"""So many events at most the pointer stands still at each end."""
PICTURES = 6
"""Postures of a strip."""


class Way(NamedTuple):
    """What is dragged, and where."""

    site: str
    """The point that is taken hold of."""
    to: tuple[tuple[float, float, float], ...]
    """Way points of the pointer (m), as offsets from where it begins."""
    free: str | None = None
    """The foot whose pin is taken out first."""


DRAGS: dict[str, Way] = {
    "hand to floor": Way("right_fingertip", ((0.40, 0.10, -0.60),)),
    "hand to chin": Way("right_fingertip", ((0.30, 0.0, 0.45), (0.09, 0.19, 0.86))),
    "hand to belly": Way("right_palm", ((0.12, 0.19, 0.28),)),
    "hand behind back": Way("right_hand", ((-0.20, -0.05, 0.1), (-0.17, 0.18, 0.25))),
    "hand overhead": Way("right_fingertip", ((0.45, 0.0, 0.7), (0.12, 0.05, 1.40))),
    "hand across": Way("right_hand", ((0.40, 0.60, 0.35),)),
    "pelvis down": Way("pelvis", ((-0.30, 0.0, -0.45),)),
    "pelvis forward": Way("pelvis", ((0.20, 0.0, 0.0),)),
    "head down": Way("head_top", ((0.35, 0.0, -0.60),)),
    "foot up": Way("right_foot", ((0.15, 0.0, 0.35),), free="right_foot"),
    "foot back": Way("right_foot", ((-0.35, 0.0, 0.0),)),
    "knee up": Way("right_knee", ((0.30, 0.0, 0.15), (0.40, 0.0, 0.40)), free="right_foot"),
}


class Followed(NamedTuple):
    """A drag, event by event."""

    document: Document
    postures: Values
    """(k + 1, n) coordinates, the first before any event."""
    seconds: Values
    """(k,) time of each event."""
    far: int
    """The event after which the pointer begins to go back."""
    pointer: Values
    """(k, 3) where the pointer was."""
    point: tuple[str, tuple[float, float, float]]
    """What was dragged: a segment, and a point (m) in its frame."""
    eigenvalues: dict[int, float]
    """Of events in which some part moves too far, the smallest one of the reduced Hessian."""

    def moved(self) -> Values:
        """(k,) how far the part that moves most moves in each event (m)."""
        places = parts(self.document.whole, self.postures)
        return np.linalg.norm(np.diff(places, axis=0), axis=2).max(axis=1)


def standing(free: str | None = None) -> Document:
    """The document that the studio begins with; with one foot free, found as the page does it."""
    document = Document.new()
    if free is not None:
        document.scene.handles[f"pin {free}"].remove()
        solution = settled(
            document.scene, (), contact_forces=False, lock=threading.RLock(), leaps=True
        )
        document.scene.postures = solution.postures
    return document


def parts(whole: Figure, postures: Values) -> Values:
    """Where all joint centres and sites are: (k, parts, 3)."""
    names = [*whole.sites]
    result = []
    for q in postures:
        places = whole.place(q)
        segments = [places.segment(name).position for name in whole.segments]
        result.append([*segments, *(places[name].position for name in names)])
    return np.array(result)


def path(points: Sequence[Sequence[float]], step: float) -> Values:
    """Offsets (k, 3) from the origin along way points, as far apart as a step."""
    ways, at = [], np.zeros(3)
    for to in np.array(points, float):
        count = max(1, round(float(np.linalg.norm(to - at)) / step))
        ways.append(at + np.linspace(0.0, 1.0, count + 1)[1:, None] * (to - at))
        at = to
    return np.concatenate(ways)


def begun(document: Document, way: Way) -> tuple[Drag, str, tuple[float, float, float]]:
    """Take hold of a site, as the page does."""
    whole = document.whole
    places, segment = document.scene.places, whole.segment_of(way.site)
    x, y, z = places.segment(segment).inverse().apply(places[way.site].position).tolist()
    pins = held_by(document, segment)
    if pins:
        return PinDrag(document, segment, (x, y, z), pins), segment, (x, y, z)
    return PointDrag(document, segment, (x, y, z)), segment, (x, y, z)


def followed(way: Way, step: float = STEP, document: Document | None = None) -> Followed:
    """Drag there and back."""
    document = document or standing(way.free)
    drag, segment, point = begun(document, way)
    start = document.scene.places.segment(segment).apply(point)
    there = path(way.to, step)
    back = np.concatenate([there[-2::-1], np.zeros((1, 3))])
    postures, seconds, pointer = [drag.q.copy()], list[float](), list[Values]()
    eigenvalues: dict[int, float] = {}

    def event(offset: Values) -> bool:
        x, y, z = (start + offset).tolist()
        begun = perf_counter()
        drag.aim(Motion((x, y, z), None, len(postures)))
        is_there = drag.step()
        seconds.append(perf_counter() - begun)
        before = postures[-1]
        postures.append(drag.q.copy())
        pointer.append(start + offset)
        two = parts(document.whole, np.array(postures[-2:]))
        if np.linalg.norm(two[1] - two[0], axis=1).max() > FAR:
            eigenvalues[len(seconds) - 1] = smallest_eigenvalue(drag, before)
        return is_there

    for offset in there:
        event(offset)
    for _ in range(STILL_EVENTS):
        if event(there[-1]):
            break
    far = len(seconds)
    for offset in back:
        event(offset)
    for _ in range(STILL_EVENTS):
        if event(np.zeros(3)):
            break
    return Followed(
        document,
        np.array(postures),
        np.array(seconds),
        far,
        np.array(pointer),
        (segment, point),
        eigenvalues,
    )


def smallest_eigenvalue(drag: Drag, q: Values, h: float = 1e-4) -> float:
    """The smallest eigenvalue of the reduced Hessian of a drag's problem at a posture (n,).

    Of L = ½|e|² + c − λ·r by central differences: e the rows of the last level of tasks, which is
    what is dragged; c the criteria; r the rows above with the multipliers λ that come nearest to a
    stationary L. In the null space of these rows, of coordinates that are at no stop and may move.
    One-sided rows count where they are at their bound. Small or negative values say that a little
    of the goal's way is worth a great motion.
    """
    problem = drag.problem.twin()
    level, one_sided = problem.blocks.level, problem.blocks.inequality == 1
    tasks = len(problem.priorities)
    first, last = int(level[tasks - 1]), int(level[tasks])
    lower, upper = problem.figure.bounds.box
    free = np.flatnonzero((problem.metric > 0) & (q > lower + 1e-6) & (q < upper - 1e-6))

    def rows(x: Values) -> Values:
        return measured(problem, x, tolerance=1e-7).residual

    now = rows(q)
    above = np.flatnonzero((np.arange(now.size) < first) & (~one_sided | (now < 1e-6)))
    counted = np.concatenate([np.arange(first, last), np.arange(last, now.size)])

    def lagrangian(x: Values, multipliers: Values) -> float:
        e = rows(x)
        return 0.5 * float(e[counted] @ e[counted]) - float(multipliers @ e[above])

    def shifted(i: int, by: float, x: Values = q) -> Values:
        other = x.copy()
        other[free[i]] += by
        return other

    m = free.size
    jacobian = np.array(
        [(rows(shifted(i, h)) - rows(shifted(i, -h))) / (2 * h) for i in range(m)]
    ).T
    gradient = jacobian[counted].T @ now[counted]
    multipliers: Values = np.linalg.lstsq(jacobian[above].T, gradient, rcond=1e-9)[0].astype(float)
    hessian = np.zeros((m, m))
    for i in range(m):
        for j in range(i, m):
            ends = [
                a * b * lagrangian(shifted(j, b * h, shifted(i, a * h)), multipliers)
                for a in (1, -1)
                for b in (1, -1)
            ]
            hessian[i, j] = hessian[j, i] = sum(ends) / (4 * h * h)
    _, sizes, basis = np.linalg.svd(jacobian[above], full_matrices=True)
    rank = int((sizes > 1e-6 * max(sizes.max(initial=0.0), 1e-12)).sum())
    null = basis[rank:].T
    return float(np.linalg.eigvalsh(null.T @ hessian @ null).min())


def row(name: str, found: Followed) -> list[str]:
    """The numbers of a drag."""
    whole, moved = found.document.whole, found.moved()
    start, far = whole.place(found.postures[0]), whole.place(found.postures[found.far])
    segment, point = found.point
    off = np.linalg.norm(far.segment(segment).apply(point) - found.pointer[found.far - 1])
    gone = [
        float(np.linalg.norm(far[site].position - start[site].position))
        for site in ("head_top", "pelvis", "left_hand")
    ]
    ends = parts(whole, found.postures[[0, -1]])
    back = float(np.linalg.norm(ends[1] - ends[0], axis=1).max())
    return [
        name,
        str(moved.size),
        f"{1e2 * moved.max():.1f}",
        str(int((moved > FAR).sum())),
        f"{1e3 * off:.1f}",
        *(f"{1e2 * each:.1f}" for each in gone),
        f"{1e3 * back:.1f}",
        f"{1e3 * float(np.median(found.seconds)):.1f}",
        f"{1e3 * float(np.percentile(found.seconds, 95)):.1f}",
    ]


def strip(name: str, found: Followed, size: tuple[int, int] = (260, 230)) -> NDArray[np.uint8]:
    """The way there in some pictures, from the left to the right."""
    from poise.pictures import View, picture
    from poise.pictures.lettering import captioned

    angle = -142.0 if "behind" in name else -38.0
    views = (View(np.deg2rad(angle), np.deg2rad(14.0), np.deg2rad(24.0)), "side")
    images = []
    for share in np.linspace(0.0, 1.0, PICTURES):
        scene: Scene = found.document.scene.copy()
        event = round(share * found.far)
        scene.q = found.postures[event]
        images.append(picture(scene, views=views, size=size, goals=False))
    return captioned(np.concatenate(images, axis=1), name)


def drags(names: Sequence[str] = (), strips: Path | None = None, step: float = STEP) -> int:
    """Measure and print drags by name, or all; how many events moved a part too far."""
    rows: list[list[str]] = []
    found: dict[str, Followed] = {}
    for name in names or DRAGS:
        found[name] = each = followed(DRAGS[name], step)
        rows.append(row(name, each))
        if strips is not None:
            from PIL import Image

            strips.mkdir(parents=True, exist_ok=True)
            Image.fromarray(strip(name, each)).save(strips / f"{name.replace(' ', '-')}.png")
    columns = ("drag", "events", "most, cm", "> 5 cm", "off, mm", "head, cm", "pelvis, cm")
    columns += ("hand, cm", "back, mm", "ms", "p95")
    show(f"drags by {1e2 * step:g} cm an event, there and back", columns, rows)
    for name, each in found.items():
        whole = each.document.whole
        names_of = [*whole.segments, *whole.sites]
        for event, smallest in each.eigenvalues.items():
            ends = parts(whole, each.postures[event : event + 2])
            far = np.linalg.norm(ends[1] - ends[0], axis=1)
            print(
                f"{name}, event {event + 1}: {names_of[int(far.argmax())]} by "
                f"{1e2 * far.max():.1f} cm; smallest eigenvalue {smallest:.2e}"
            )
    events = sum(each.seconds.size for each in found.values())
    over = sum(len(each.eigenvalues) for each in found.values())
    print(f"{over} of {events} events moved a part by more than {1e2 * FAR:g} cm")
    return over


def main(arguments: Sequence[str]) -> int:
    """Print the drags that are named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("drags", nargs="*", metavar="DRAG", help=", ".join(DRAGS))
    parser.add_argument("--strips", type=Path, metavar="FOLDER", help="draw the ways there")
    parser.add_argument("--step", type=float, default=STEP, help="of the pointer, m an event")
    given = parser.parse_args(arguments)
    for name in given.drags:
        if name not in DRAGS:
            parser.error(f"there is no drag {name!r}; there are: {', '.join(DRAGS)}")
    drags(given.drags, given.strips, given.step)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
