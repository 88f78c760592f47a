"""The text of a BVH file as plain parts."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.formats.hostile import DEEPEST, MOST_NUMBERS, number, short
from poise.formats.lines import numbered, unified

Values = NDArray[np.float64]

MOST_JOINTS = 10_000
"""Joints of the largest skeleton that is read."""
GREATEST = 1e9
"""The greatest number, whatever its unit."""

CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")

_BY_FOLDED = {channel.lower(): i for i, channel in enumerate(CHANNELS)}
_MOTION = re.compile(r"^[ \t]*MOTION\b", re.IGNORECASE | re.MULTILINE)
_FRAMES = re.compile(r"\s*Frames\s*(?::\s*)?(\S+)", re.IGNORECASE)
_TIME = re.compile(r"\s*Frame\s*Time\s*(?::\s*)?(\S+)[ \t]*", re.IGNORECASE)


@dataclass
class Bone:
    """A joint of the file, with what it carries.

    Attributes:
        name: as written.
        parent: the place of its parent in the file, −1 for a root.
        line: where it begins.
        offset: from its parent.
        channels: places in `CHANNELS`, in the order of the motion's numbers.
        ends: offsets of its end sites.
    """

    name: str
    parent: int
    line: int
    offset: tuple[float, float, float] | None = None
    channels: tuple[int, ...] | None = None
    ends: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])


@dataclass(frozen=True)
class Parsed:
    """A file's joints, parents before children, and its motion.

    Attributes:
        bones: the joints.
        motion: (frames, channels), in the file's units.
        frame_time: as written, in seconds; empty where there is no motion.
        time_line: where it is written.
    """

    bones: list[Bone]
    motion: Values
    frame_time: str
    time_line: int


def parse(text: str, name: str) -> Parsed:
    """Take a file apart.

    Args:
        text: what is in it.
        name: what messages call it.
    """
    text = unified(text)
    found = _MOTION.search(text)
    head = text[: found.start()] if found else text
    bones = _Hierarchy(head, name).bones
    width = sum(len(bone.channels or ()) for bone in bones)
    if not found:
        return Parsed(bones, np.zeros((0, width)), "", 0)
    line = head.count("\n") + 1
    return _motion(text[found.end() :], name, line, bones, width)


class _Hierarchy:
    """Reads the first half of a file, word by word."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.bones: list[Bone] = []
        self.words: list[tuple[str, int]] = []
        for line, content in numbered(text, name):
            content = content.replace("{", " { ").replace("}", " } ")
            self.words += [(word, line) for word in content.split()]
            if len(self.words) > 100 * MOST_JOINTS:
                raise self.error(line, f"there are more than {MOST_JOINTS:,} joints")
        self.at = self.ends = 0
        self.last = text.count("\n") + 1
        word, line = self.next("HIERARCHY")
        if word.upper() != "HIERARCHY":
            raise self.error(line, f"a BVH file begins with HIERARCHY, not {short(word)!r}")
        while self.at < len(self.words):
            word, line = self.next("ROOT")
            if word.upper() != "ROOT":
                raise self.error(line, f"expected ROOT or MOTION, not {short(word)!r}")
            self.root(line)
        if not self.bones:
            raise self.error(self.last, "expected ROOT, and there is nothing more")

    def error(self, line: int, message: str) -> PoiseError:
        return PoiseError(f"{self.name}, line {line}: {message}")

    def next(self, wanted: str) -> tuple[str, int]:
        if self.at >= len(self.words):
            raise self.error(self.last, f"expected {wanted}, and the file ends")
        self.at += 1
        return self.words[self.at - 1]

    def take(self, wanted: str) -> None:
        word, line = self.next(wanted)
        if word != wanted:
            raise self.error(line, f"expected {wanted!r}, not {short(word)!r}")

    def begin(self, line: int, parent: int, what: str) -> int:
        """A joint's name, which may have blanks in it, and its opening brace."""
        parts: list[str] = []
        while self.at < len(self.words) and self.words[self.at] not in (("{", line), ("}", line)):
            if self.words[self.at][1] != line:
                break
            parts.append(self.words[self.at][0])
            self.at += 1
        if not parts:
            raise self.error(line, f"{what} needs a name")
        if len(self.bones) >= MOST_JOINTS:
            raise self.error(line, f"there are more than {MOST_JOINTS:,} joints")
        self.bones.append(Bone(" ".join(parts), parent, line))
        self.take("{")
        return len(self.bones) - 1

    def root(self, line: int) -> None:
        """A root with all below it; the way down is kept in a list, not on Python's stack."""
        path = [self.begin(line, -1, "ROOT")]
        while path:
            bone = self.bones[path[-1]]
            word, line = self.next(f"'}}' of joint {short(bone.name)!r}")
            match word.upper():
                case "}":
                    if bone.offset is None:
                        raise self.error(bone.line, f"joint {short(bone.name)!r} has no OFFSET")
                    path.pop()
                case "OFFSET":
                    if bone.offset is not None:
                        raise self.error(line, f"a second OFFSET of joint {short(bone.name)!r}")
                    bone.offset = self.offset()
                case "CHANNELS":
                    if bone.channels is not None:
                        raise self.error(line, f"a second CHANNELS of joint {short(bone.name)!r}")
                    bone.channels = self.channels(bone)
                case "JOINT":
                    if len(path) >= DEEPEST:
                        raise self.error(line, f"joints are nested more than {DEEPEST} deep")
                    path.append(self.begin(line, path[-1], "JOINT"))
                case "END":
                    self.end(bone, line)
                case _:
                    raise self.error(
                        line,
                        "expected OFFSET, CHANNELS, JOINT, End Site or '}' in joint "
                        f"{short(bone.name)!r}, not {short(word)!r}",
                    )

    def end(self, bone: Bone, line: int) -> None:
        """An end site; what stands behind `End` is mostly `Site`, and no name."""
        while self.at < len(self.words) and self.words[self.at][1] == line:
            if self.words[self.at][0] == "{":
                break
            self.at += 1
        self.take("{")
        word, line = self.next("OFFSET of an End Site")
        if word.upper() != "OFFSET":
            raise self.error(line, f"expected OFFSET of an End Site, not {short(word)!r}")
        self.ends += 1
        if self.ends > MOST_JOINTS:
            raise self.error(line, f"there are more than {MOST_JOINTS:,} end sites")
        bone.ends.append(self.offset())
        self.take("}")

    def offset(self) -> tuple[float, float, float]:
        x, y, z = (self.number("OFFSET") for _ in range(3))
        return (x, y, z)

    def number(self, what: str) -> float:
        word, line = self.next(f"a number of {what}")
        value = number(word, f"{self.name}, line {line}: {what}")
        if abs(value) > GREATEST:
            raise self.error(line, f"{what} must be within ±{GREATEST:g}, not {value:g}")
        return value

    def channels(self, bone: Bone) -> tuple[int, ...]:
        word, line = self.next("the number of CHANNELS")
        if word not in ("0", "1", "2", "3", "4", "5", "6"):
            raise self.error(line, f"the number of CHANNELS must be 0 to 6, not {short(word)!r}")
        found: list[int] = []
        for _ in range(int(word)):
            channel, line = self.next("a channel")
            index = _BY_FOLDED.get(channel.lower())
            if index is None:
                raise self.error(
                    line,
                    f"there is no channel {short(channel)!r}. There are: {', '.join(CHANNELS)}",
                )
            if index in found:
                where = f"joint {short(bone.name)!r}"
                raise self.error(line, f"{where} has the channel {CHANNELS[index]} twice")
            found.append(index)
        return tuple(found)


def _motion(text: str, name: str, line: int, bones: list[Bone], width: int) -> Parsed:
    """Read the second half of a file, whose first line continues `line`."""

    def error(at: int, message: str) -> PoiseError:
        return PoiseError(f"{name}, line {line + text.count(chr(10), 0, at)}: {message}")

    head = _FRAMES.match(text)
    if not head:
        raise error(0, "expected 'Frames: <number>' after MOTION")
    word = head[1]
    if not word.isascii() or not word.isdigit():
        raise error(head.start(1), f"Frames must be a whole number, not {short(word)!r}")
    frames = int(word) if len(word) < 20 else MOST_NUMBERS + 1
    if frames * max(width, 1) > MOST_NUMBERS:
        raise error(
            head.start(1),
            f"{short(word)} frames of {width} channels are more than {MOST_NUMBERS:,} numbers",
        )
    time = _TIME.match(text, head.end())
    if not time:
        raise error(head.end(), "expected 'Frame Time: <seconds>' after Frames")
    number(time[1], f"{name}, line {line + text.count(chr(10), 0, time.start(1))}: Frame Time")
    first = line + text.count("\n", 0, time.end())
    values, count = array("d"), frames * width
    for at, content in numbered(text[time.end() :], name, first):
        before = len(values)
        try:
            # Python itself would take "1_0" and digits of other scripts.
            if "_" in content or not content.isascii():
                raise ValueError
            values.extend(map(float, content.split()))
        except ValueError:
            for each in content.split():
                number(each, f"{name}, line {at}: the motion")
            raise PoiseError(f"{name}, line {at}: the motion must be numbers") from None
        if len(values) > count:
            extra = f"{len(values) - before} numbers"
            raise PoiseError(
                f"{name}, line {at}: {frames} frames of {width} channels need {count} numbers, "
                f"and with the {extra} of this line there are more"
            )
    if len(values) < count:
        raise PoiseError(
            f"{name}: {frames} frames of {width} channels need {count} numbers, and there are "
            f"only {len(values)} (enough for {len(values) // max(width, 1)} frames)"
        )
    motion = np.array(values).reshape(frames, width)
    wrong = ~(np.abs(motion) <= GREATEST)
    if wrong.any():
        frame, channel = np.argwhere(wrong)[0].tolist()
        raise PoiseError(
            f"{name}: number {channel + 1} of frame {frame + 1} must be within ±{GREATEST:g}, not "
            f"{motion[frame, channel]:g}"
        )
    return Parsed(bones, motion, time[1], line + text.count("\n", 0, time.start(1)))
