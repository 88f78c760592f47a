"""A BVH file as a figure and a clip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.errors import PoiseError, unknown_name
from poise.figure import WORLD, Ball, Builder, Elbow, Fixed, Free, Hinge
from poise.figure.kinds import JointKind
from poise.formats.bones import drawn_bones
from poise.formats.bvh.parsing import Bone, Parsed, parse
from poise.formats.conventions import AUTO, Convention, Skeleton, settle
from poise.formats.hostile import Names, decode, read_bytes, short
from poise.formats.reading import Reading
from poise.motion import Clip

Values = NDArray[np.float64]
Positions = Literal["auto", "replace", "add"]

_SAMPLES = 16
"""Frames that guesses look at."""
_STILL = 1e-7
"""A joint whose positions differ by less, in metres, does not slide."""
_SINGLE = 30.0
"""Frames per second of a file that has one frame and no time for it."""


def read(
    path: Path,
    *,
    up: str = AUTO,
    forward: str = AUTO,
    unit: str | float = AUTO,
    positions: Positions = "auto",
    bones: bool = True,
) -> Reading:
    """Read a BVH file.

    A joint with three rotations becomes a ball, with two an elbow, with one a hinge, with none it
    is fixed; one whose position moves is free. Joints, and the segments that they move, keep their
    names; end sites are sites named after their joint, `Head_end`.

    Args:
        path: the file.
        up: the file's axis that points up: "x", "y", "z", or "auto" to guess.
        forward: the file's axis that points to where the figure looks, such as "z" or "-y", or
            "auto" to guess.
        unit: "m", "dm", "cm", "mm", "in", "ft", "cmu", the metres in one unit, or "auto" to guess.
        positions: whether position channels "replace" a joint's OFFSET or "add" to it; files
            differ, and "auto" looks which of the two leaves the bones as long as they are.
        bones: whether to draw bones as capsules, so that the figure can be seen.
    """
    if positions not in ("auto", "replace", "add"):
        raise unknown_name("way of positions", positions, ["auto", "replace", "add"])
    name = str(path)
    parsed = parse(decode(read_bytes(path), name, fallback="latin-1"), name)
    raw = _Motion(parsed)
    adding, notes = _adding(parsed.bones, raw, positions)
    shifts = [
        _shifts(bone, places, add)
        for bone, places, add in zip(parsed.bones, raw.places, adding, strict=True)
    ]
    convention, guesses = settle(_skeleton(parsed, raw, shifts), up, forward, unit)
    fps, note = _rate(parsed, name)
    try:
        notes = [*guesses, *notes, *note]
        return _reading(path, parsed, raw, shifts, convention, notes, bones, fps)
    except PoiseError as error:
        raise PoiseError(f"{name}: {error}") from None


class _Motion:
    """The motion by joints, in the file's axes and unit.

    Attributes:
        places: the position channels (k, 3) of each joint, NaN where it has none; or None.
        turns: the rotation vectors (k, 3) of each joint in the file's axes; or None.
        angles: the angles (k, c) of each joint in radians, in the order of the channels.
        axes: which axis, 0 to 2, each of these turns about.
    """

    def __init__(self, parsed: Parsed) -> None:
        self.frames = len(parsed.motion)
        self.places: list[Values | None] = []
        self.turns: list[Values | None] = []
        self.angles: list[Values] = []
        self.axes: list[tuple[int, ...]] = []
        first = 0
        for bone in parsed.bones:
            channels = bone.channels or ()
            numbers = parsed.motion[:, first : first + len(channels)]
            first += len(channels)
            shifting = [i for i, channel in enumerate(channels) if channel < 3]
            turning = [i for i, channel in enumerate(channels) if channel >= 3]
            places = None
            if shifting:
                places = np.full((self.frames, 3), np.nan)
                places[:, [channels[i] for i in shifting]] = numbers[:, shifting]
            self.places.append(places)
            self.axes.append(tuple(channels[i] - 3 for i in turning))
            self.angles.append(np.deg2rad(numbers[:, turning]))
            self.turns.append(_turns(self.axes[-1], self.angles[-1]))


def _turns(axes: Sequence[int], angles: Values) -> Values | None:
    if not axes or not len(angles):
        return None
    # Capital letters: the first rotation is the outermost.
    order = "".join("XYZ"[axis] for axis in axes)
    return Rotation.from_euler(order, angles).as_rotvec()


def _adding(bones: Sequence[Bone], raw: _Motion, option: Positions) -> tuple[list[bool], list[str]]:
    """Whether each joint's positions add to its OFFSET, and a note where that was a guess.

    Below the root a bone hardly changes its length, so the joints' positions lie about their
    OFFSETs if they replace these, and about zero if they add to them. All joints of a file follow
    one rule. A root goes anywhere: its positions replace the OFFSET unless they are all zero,
    or the other joints' positions add.
    """
    replacing, added = 0.0, 0.0
    moving: list[int] = []
    for i, (bone, places) in enumerate(zip(bones, raw.places, strict=True)):
        offset = np.array(bone.offset)
        if places is None or not offset.any() or not len(places):
            continue
        moving.append(i)
        if bone.parent >= 0:
            replacing += float(np.nansum(np.abs(places - offset)))
            added += float(np.nansum(np.abs(places)))
    if option != "auto" or not moving:
        return [option == "add"] * len(bones), []
    others = added < replacing
    result = [others] * len(bones)
    for i in moving:
        if bones[i].parent < 0:
            places, offset = raw.places[i], np.array(bones[i].offset)
            assert places is not None
            near = 1e-3 * float(np.abs(offset).max())
            still = bool(np.nanmax(np.abs(places)) < near)
            at_offset = bool(np.nanmax(np.abs(places[0] - offset)) < near)
            result[i] = still or (others and not at_offset)
    counts = sum(result[i] for i in moving), len(moving)
    rule = "add" if counts[0] == counts[1] else "replace" if not counts[0] else "differ"
    if rule == "differ":
        what = "of the root add to its OFFSET and others replace theirs"
        if others:
            what = "of the root replace its OFFSET and others add to theirs"
        return result, [f"guessed that positions {what}"]
    verb = "add to" if rule == "add" else "replace"
    return result, [f"guessed that positions {verb} the OFFSET (say so with positions={rule!r})"]


def _shifts(bone: Bone, places: Values | None, add: bool) -> Values | None:
    """How far (k, 3) a joint is from its OFFSET, in the file's axes and unit; None if it stays."""
    if places is None:
        return None
    return np.nan_to_num(places if add else places - np.array(bone.offset), nan=0.0)


def _skeleton(parsed: Parsed, raw: _Motion, shifts: Sequence[Values | None]) -> Skeleton:
    """What guesses are made from, with places in some frames."""
    bones = parsed.bones
    chosen = np.unique(np.linspace(0, max(raw.frames - 1, 0), _SAMPLES).astype(int))
    chosen = chosen[: raw.frames]
    shown = np.zeros((len(chosen), len(bones), 3))
    frames: list[Values] = []
    for i, bone in enumerate(bones):
        offset = np.tile(np.array(bone.offset), (len(chosen), 1))
        shift, turns = shifts[i], raw.turns[i]
        if shift is not None:
            offset = offset + shift[chosen]
        turn = np.tile(np.eye(3), (len(chosen), 1, 1))
        if turns is not None:
            turn = Rotation.from_rotvec(turns[chosen]).as_matrix()
        if bone.parent >= 0:
            shown[:, i] = shown[:, bone.parent]
            offset = np.einsum("kij,kj->ki", frames[bone.parent], offset)
            turn = frames[bone.parent] @ turn
        shown[:, i] += offset
        frames.append(turn)
    return Skeleton(
        [bone.name for bone in bones],
        [bone.parent for bone in bones],
        np.array([bone.offset for bone in bones], np.float64),
        shown,
    )


@dataclass(frozen=True)
class _Moved:
    """A joint's kind, where it is in its parent, and its coordinates (k, width)."""

    kind: JointKind
    position: Values
    values: Values


def _moved(
    convention: Convention, offset: Values, shift: Values | None, raw: _Motion, i: int, root: bool
) -> _Moved:
    """The kind of a joint that moves as its channels say, with one coordinate for each freedom."""
    position = convention.places(offset)
    turns = raw.turns[i]
    vectors = np.zeros((raw.frames, 3)) if turns is None else convention.directions(turns)
    if shift is not None:
        slides = convention.places(shift)
        if root or not raw.frames or np.ptp(slides, axis=0).max() > _STILL:
            return _Moved(Free(), position, np.hstack([slides, vectors]))
        position = position + slides[0]
    axes = [_vector(convention.axes[:, axis]) for axis in raw.axes[i]]
    match len(axes):
        case 0:
            return _Moved(Fixed(), position, np.zeros((raw.frames, 0)))
        case 1:
            return _Moved(Hinge(axes[0]), position, raw.angles[i])
        case 2:
            return _Moved(Elbow(axes[0], axes[1]), position, raw.angles[i])
        case _:
            return _Moved(Ball(), position, vectors)


def _vector(values: Values) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return (x, y, z)


def _reading(
    path: Path,
    parsed: Parsed,
    raw: _Motion,
    shifts: Sequence[Values | None],
    convention: Convention,
    notes: list[str],
    bones: bool,
    fps: float,
) -> Reading:
    names, sites = Names(WORLD), Names()
    called = [names.fresh(bone.name) for bone in parsed.bones]
    offsets = np.array([bone.offset for bone in parsed.bones], np.float64)
    moved = [
        _moved(convention, offsets[i], shifts[i], raw, i, bone.parent < 0)
        for i, bone in enumerate(parsed.bones)
    ]
    reach: list[list[Values]] = [
        [convention.places(np.array(end)) for end in bone.ends] for bone in parsed.bones
    ]
    for bone, each in zip(parsed.bones, moved, strict=True):
        if bone.parent >= 0:
            reach[bone.parent].append(each.position)
    builder = Builder(Path(path).stem or "figure", f"read from {Path(path).name}")
    for i, bone in enumerate(parsed.bones):
        builder.segment(called[i], shapes=drawn_bones(reach[i]) if bones else ())
        parent = called[bone.parent] if bone.parent >= 0 else WORLD
        builder.joint(called[i], moved[i].kind, parent, called[i], moved[i].position)
        for end in bone.ends:
            at = convention.places(np.array(end))
            builder.site(sites.fresh(f"{called[i]}_end"), called[i], at)
    figure = builder.build()
    notes = [*notes, *names.notes("joints")]
    if not raw.frames:
        return Reading(figure, notes=(*notes, "there is no motion, only a skeleton"))
    q = np.hstack([each.values for each in moved])
    clip = Clip(figure, q, fps, figure.name)
    return Reading(figure, clip[0], clips={clip.name: clip}, notes=tuple(notes))


def _rate(parsed: Parsed, name: str) -> tuple[float, list[str]]:
    """Frames per second; a time that was cut short on writing, such as .0083333, is mended."""
    text, frames = parsed.frame_time, len(parsed.motion)
    seconds = float(text or 0)
    if not frames:
        return _SINGLE, []
    if seconds <= 0 and frames == 1:
        return _SINGLE, [f"the one frame has no time; {_SINGLE:g} frames per second are assumed"]
    if not 1e-6 <= seconds <= 1e6:
        raise PoiseError(
            f"{name}, line {parsed.time_line}: Frame Time must be from 1e-6 to 1e6 seconds, not "
            f"{short(text)}"
        )
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    whole = round(1.0 / seconds)
    if whole and abs(1.0 / whole - seconds) <= min(0.51 * 10.0**-decimals, 1e-3 * seconds):
        return float(whole), []
    return 1.0 / seconds, []
