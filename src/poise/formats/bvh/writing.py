"""A figure with its motion as a BVH file."""

from __future__ import annotations

from pathlib import Path
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.checking import AXES
from poise.documents.writing import write as write_file
from poise.errors import PoiseError, unknown_name
from poise.figure import WORLD, Figure, Posture
from poise.formats.conventions import unit_of
from poise.formats.hostile import Names, short
from poise.formats.leaving import (
    BALL_LIMITS,
    BALLS,
    BARE_COLORS,
    ELBOWS,
    KINDS,
    MOTIONS,
    SHOWN_POSTURE,
    SITES,
    SWINGS,
    TWISTS,
    left_out,
)
from poise.formats.reading import Reading
from poise.motion import Clip
from poise.motion.links import Link, links

Values = NDArray[np.float64]

_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
_SLIDES = 1e-9  # metres; a joint that moves by less needs no position channels
_HOLDS = (
    *(MOTIONS, SHOWN_POSTURE),
    *(BALLS, SWINGS, ELBOWS, BALL_LIMITS, TWISTS, BARE_COLORS),  # told with others
)
_SINGLE = 30.0  # frames per second of a file that shows one posture


def write(
    reading: Reading,
    path: Path,
    *,
    clip: str | None = None,
    up: str = "y",
    forward: str = "z",
    unit: str | float = "cm",
    order: str = "ZXY",
) -> tuple[str, ...]:
    """Write a BVH file: the motion, or the one posture, or the figure at rest.

    Every segment becomes a joint of the file with the segment's own frame, so that placements read
    back as they were. Joints that slide get position channels, all others rotations only. Of sites
    the farthest on each last segment is its end site. A BVH file has no place for anything else of
    a figure: kinds of joints, limits, couplings, masses, shapes.

    Args:
        reading: what to write.
        path: where to.
        clip: which of its clips, where there are several.
        up: the file's axis that points up, "y" or "z".
        forward: the file's axis that points forward, such as "z" or "-y".
        unit: "m", "dm", "cm", "mm", "in", "ft", "cmu", or the metres in one unit.
        order: of the rotations, the outermost first, such as "ZXY".

    Returns:
        Notes about what the file does not hold.
    """
    if up not in ("x", "y", "z"):
        raise unknown_name("axis that points up", up, ["x", "y", "z"])
    if forward not in AXES:
        raise unknown_name("axis that points forward", forward, AXES)
    if forward[-1] == up:
        raise PoiseError(f"forward must be across up, not {forward!r} with {up!r} up")
    if order not in _ORDERS:
        raise unknown_name("order of rotations", order, _ORDERS)
    x, z = np.array(AXES[forward]), np.array(AXES[up])
    axes = np.column_stack([x, np.cross(z, x), z])  # ours to the file's
    motion = motion_of(reading, clip)
    chain = list(links(motion.figure, motion.q))
    text = _Text(motion.figure, chain, axes, 1.0 / unit_of(unit), order)
    time = f"Frames: {motion.frames}\nFrame Time: {1.0 / motion.fps!r}\n"
    rows = np.hstack(text.columns)
    # Signed zeros come from rotations that are none.
    lines = "\n".join(" ".join(f"{value + 0.0:.9f}" for value in row) for row in rows.tolist())
    hierarchy = "\n".join(["HIERARCHY", *text.lines, "MOTION"])
    write_file(path, f"{hierarchy}\n{time}{lines}\n")
    return tuple(_notes(reading, motion, text))


def motion_of(reading: Reading, name: str | None = None) -> Clip:
    """What moves: the clip of that name, or the only one; else a clip of one posture."""
    if name is not None:
        if name not in reading.clips:
            raise unknown_name("clip", name, reading.clips)
        return reading.clips[name]
    if len(reading.clips) > 1:
        listed = ", ".join(reading.clips)
        raise PoiseError(f"a BVH file holds one clip; choose with clip=… from: {listed}")
    for clip in reading.clips.values():
        return clip
    posture = reading.posture or reading.figure.rest()
    return Clip(reading.figure, posture.q[None], _SINGLE)


class _Text:
    """The lines of a hierarchy and the columns of its motion, in the same order."""

    def __init__(
        self, figure: Figure, chain: list[Link], axes: Values, scale: float, order: str
    ) -> None:
        self.figure, self.axes, self.scale, self.order = figure, axes, scale, order
        self.lines: list[str] = []
        self.columns: list[Values] = []
        self.names = Names()
        self.ends: dict[str, str] = {}
        children: dict[str, list[Link]] = {}
        for link in chain:
            children.setdefault(link.parent, []).append(link)
        # Depth first, as the hierarchy is written; None closes a joint.
        stack: list[tuple[Link | None, int]] = [(each, 0) for each in reversed(children[WORLD])]
        while stack:
            link, depth = stack.pop()
            if link is None:
                self.lines.append("\t" * depth + "}")
                continue
            self.joint(link, depth)
            below = children.get(link.segment, [])
            if not below:
                self.end(link.segment, depth + 1)
            stack.append((None, depth))
            stack += [(each, depth + 1) for each in reversed(below)]

    def joint(self, link: Link, depth: int) -> None:
        indent = "\t" * depth
        name = "".join("_" if each.isspace() or each in "{}" else each for each in link.segment)
        word = "ROOT" if link.parent == WORLD else "JOINT"
        slides = link.positions @ self.axes.T * self.scale
        moving = link.parent == WORLD or np.ptp(link.positions, axis=0).max() > _SLIDES
        # About their median positions are least in sum, which tells readers that they replace it.
        offset = np.zeros(3) if link.parent == WORLD else np.median(slides, axis=0)
        channels = [f"{axis}rotation" for axis in self.order]
        if moving:
            channels = ["Xposition", "Yposition", "Zposition", *channels]
            self.columns.append(slides)
        self.columns.append(self.angles(link.rotations))
        self.lines += [
            f"{indent}{word} {self.names.fresh(name)}",
            f"{indent}{{",
            f"{indent}\tOFFSET {_three(offset)}",
            f"{indent}\tCHANNELS {len(channels)} {' '.join(channels)}",
        ]

    def angles(self, rotations: Values) -> Values:
        """Degrees (k, 3) in the file's order, without jumps from frame to frame."""
        with catch_warnings():
            # With the middle angle at ±90° the others are not unique; any will do.
            simplefilter("ignore", UserWarning)
            turned = Rotation.from_matrix(self.axes @ rotations @ self.axes.T)
            return np.rad2deg(np.unwrap(turned.as_euler(self.order), axis=0))

    def end(self, segment: str, depth: int) -> None:
        """The end site of a last segment: the site farthest out, or else its origin."""
        sites = [each for each in self.figure.sites.values() if each.segment == segment]
        ends = {each.name: np.array(each.position) for each in sites}
        at = np.zeros(3)
        if ends:
            farthest = max(ends, key=lambda each: float(np.linalg.norm(ends[each])))
            at = ends[farthest]
            self.ends[farthest] = segment
        indent = "\t" * depth
        self.lines += [
            f"{indent}End Site",
            f"{indent}{{",
            f"{indent}\tOFFSET {_three(self.axes @ at * self.scale)}",
            f"{indent}}}",
        ]


def _three(values: Values) -> str:
    return " ".join(f"{value + 0.0:.9f}" for value in values.tolist())


def _notes(reading: Reading, motion: Clip, text: _Text) -> list[str]:
    instead = {KINDS: "balls, whatever they are"}
    if text.ends:
        instead[SITES] = (
            "end sites, without names and rotations and only the farthest one on each last segment"
        )
    notes = left_out(reading, "a BVH file", _HOLDS, instead)
    others = [name for name, clip in reading.clips.items() if clip is not motion]
    if others:
        notes.append(f"a BVH file holds one motion; left out: {short(', '.join(others), 200)}")
    elif reading.clips and reading.posture is not None and not _starts(motion, reading.posture):
        notes.append("the posture that is shown is left out: the file shows the motion")
    return notes + text.names.notes("segments")


def _starts(motion: Clip, posture: Posture) -> bool:
    return bool(np.array_equal(motion.q[0], posture.q))
