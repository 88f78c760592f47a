"""AMC: motions of the Acclaim format, each on the skeleton of an ASF file."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.checking import number as checked_number
from poise.errors import PoiseError
from poise.formats.asf import Acclaim, build
from poise.formats.asf.parsing import GREATEST, ROOT, lines_of
from poise.formats.conventions import AUTO
from poise.formats.hostile import MOST_NUMBERS, decode, number, read_bytes, short
from poise.formats.reading import Reading
from poise.motion import Clip

Values = NDArray[np.float64]

USUAL_RATE = 120.0
"""Frames per second of a file that does not say: what the CMU database has."""


def read(
    path: Path,
    *,
    asf: str | Path | None = None,
    fps: float | None = None,
    up: str = AUTO,
    forward: str = AUTO,
    unit: str | float = AUTO,
    limits: bool = True,
    bones: bool = True,
) -> Reading:
    """Read an AMC file, with the skeleton beside it.

    Args:
        path: the file.
        asf: its skeleton; by default the .asf file beside it that has its name, or the part of its
            name before "_" (88.asf for 88_01.amc), or that is the only one there.
        fps: frames per second; by default what the file says, or 120.
        up: as for ASF files, like the arguments that follow.
        forward: the axis that points to where the figure looks.
        unit: the unit of length.
        limits: whether the figure keeps its limits; the motion is read as it is.
        bones: whether to draw bones.
    """
    path = Path(path)
    content = decode(read_bytes(path), str(path), fallback="latin-1")
    skeleton = Path(asf) if asf is not None else _skeleton_of(path)
    acclaim = build(skeleton, up=up, forward=forward, unit=unit, limits=limits, bones=bones)
    frames, stated = _frames(content, str(path), acclaim)
    notes = [f"the skeleton is {skeleton.name}", *acclaim.notes]
    if fps is not None:
        stated = checked_number(fps, "the frames per second", above=0)
    elif stated is None:
        stated = USUAL_RATE
        notes.append(f"assumed {USUAL_RATE:g} frames per second (say so with fps={USUAL_RATE:g})")
    figure = acclaim.figure
    parsed = acclaim.parsed
    q = [acclaim.root_coordinates(frames[ROOT])]
    q += [acclaim.coordinates(bone, frames[bone.name]) for bone in parsed.bones if bone.dof]
    clip = Clip(figure, np.hstack(q), stated, path.stem)
    return Reading(figure, clip[0], clips={clip.name: clip}, notes=tuple(notes))


def _skeleton_of(path: Path) -> Path:
    """The .asf file that belongs to a motion."""
    try:
        beside = sorted(each for each in path.parent.iterdir() if each.suffix.lower() == ".asf")
    except OSError as error:
        raise PoiseError(f"cannot list {str(path.parent)!r}: {error.strerror}") from None
    for stem in (path.stem, path.stem.partition("_")[0]):
        for each in beside:
            if each.stem.lower() == stem.lower():
                return each
    if len(beside) == 1:
        return beside[0]
    there = ", ".join(each.name for each in beside[:12]) or "none"
    raise PoiseError(
        f"{path}: a motion needs the skeleton of an .asf file; none beside it is named "
        f"{path.stem.partition('_')[0]}.asf (there: {there}); name it with asf=…"
    )


def _frames(text: str, name: str, acclaim: Acclaim) -> tuple[dict[str, Values], float | None]:
    """The numbers (k, width) of the root and of each bone, angles in radians; and the rate."""
    parsed = acclaim.parsed
    widths = {ROOT: len(parsed.order)}
    widths |= {bone.name: len(bone.dof) for bone in parsed.bones if bone.dof}
    numbers = {bone: array("d") for bone in widths}
    degrees, rate, count, total, given = parsed.degrees, None, 0, 0, set[str]()
    last = 1
    for line, words in lines_of(text, name):
        where = f"{name}, line {line}"
        if words[0].startswith(":"):
            match words[0].lower():
                case ":degrees":
                    degrees = True
                case ":radians":
                    degrees = False
                case ":samples-per-second":
                    rate = number(" ".join(words[1:]), f"{where}: samples per second")
                case _:
                    pass  # :FULLY-SPECIFIED and remarks of programs
            continue
        if len(words) == 1 and words[0].isascii() and words[0].isdigit():
            _check_frame(given, widths, count, f"{name}, line {last}")
            given = set[str]()
            count, last = count + 1, line
            continue
        bone = words[0]
        if bone not in widths:
            what = "there is no bone" if not _is_still(acclaim, bone) else "nothing moves the bone"
            raise PoiseError(f"{where}: {what} {short(bone)!r} in {acclaim.figure.name}.asf")
        if not count:
            raise PoiseError(f"{where}: expected the number of a frame before {short(bone)!r}")
        if bone in given:
            raise PoiseError(f"{where}: {short(bone)!r} is there twice in frame {count}")
        if len(words) - 1 != widths[bone]:
            raise PoiseError(
                f"{where}: {short(bone)!r} needs {widths[bone]} numbers, not {len(words) - 1}"
            )
        total += len(words)
        if total > MOST_NUMBERS:
            raise PoiseError(f"{where}: there are more than {MOST_NUMBERS:,} numbers")
        given.add(bone)
        try:
            if not all(word.isascii() and "_" not in word for word in words[1:]):
                raise ValueError
            numbers[bone].extend(map(float, words[1:]))
        except ValueError:
            for word in words[1:]:
                number(word, f"{where}: {short(bone)!r}")
            raise PoiseError(f"{where}: {short(bone)!r} needs numbers") from None
    _check_frame(given, widths, count, f"{name}, line {last}")
    if not count:
        raise PoiseError(f"{name}: there is no frame in this file")
    if rate is not None and not 1e-6 <= rate <= 1e6:
        raise PoiseError(f"{name}: {rate:g} samples per second cannot be")
    scale = np.pi / 180 if degrees else 1.0
    return {
        bone: _scaled(parsed.order if bone == ROOT else None, each, widths[bone], scale, name, bone)
        for bone, each in numbers.items()
    }, rate


def _scaled(
    order: list[str] | None, values: array[float], width: int, scale: float, name: str, bone: str
) -> Values:
    """Numbers of a bone as (k, width), angles in radians."""
    result = np.array(values).reshape(-1, width)
    wrong = ~(np.abs(result) <= GREATEST)
    if wrong.any():
        frame, i = np.argwhere(wrong)[0].tolist()
        raise PoiseError(
            f"{name}: {short(bone)!r} in frame {frame + 1} must be within ±{GREATEST:g}, not "
            f"{result[frame, i]:g}"
        )
    scales = [scale] * width if order is None else [scale if c[0] == "r" else 1.0 for c in order]
    return result * np.array(scales)


def _check_frame(given: set[str], widths: dict[str, int], frame: int, where: str) -> None:
    """Every bone that moves must be there in every frame."""
    if not frame:
        return
    missing = [bone for bone in widths if bone not in given]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise PoiseError(f"{where}: frame {frame} lacks {short(missing[0])!r}{more}")


def _is_still(acclaim: Acclaim, bone: str) -> bool:
    return any(each.name == bone for each in acclaim.parsed.bones)
