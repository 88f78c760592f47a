"""The text of an ASF file as plain parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from poise.errors import PoiseError
from poise.formats.hostile import DEEPEST, number, short
from poise.formats.lines import numbered, unified

MOST_BONES = 10_000
"""Bones of the largest skeleton that is read."""
GREATEST = 1e9
"""The greatest number, whatever its unit."""

ROOT = "root"
"""The name of the root in every ASF file."""

DOFS = ("rx", "ry", "rz")
_SECTIONS = ("version", "name", "units", "documentation", "root", "bonedata", "hierarchy", "skin")
_ORDER = re.compile("[xyz]{3}")

Line = tuple[int, list[str]]


@dataclass
class Bone:
    """A bone, in the file's units.

    Attributes:
        name: as written.
        line: where it begins.
        direction: where it points while nothing is turned.
        length: how far its end is.
        axis: three angles that turn its joint's axes.
        order: of these angles, the innermost first, as "xyz".
        dof: what moves it, the innermost first, as ["rx", "rz"].
        limits: (lower, upper) for each of these; empty where there are none.
        parent: the bone whose end it sits on.
    """

    name: str = ""
    line: int = 0
    direction: tuple[float, float, float] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, float, float] = (0.0, 0.0, 0.0)
    order: str = "xyz"
    dof: list[str] = field(default_factory=list[str])
    limits: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    parent: str = ""


@dataclass
class Parsed:
    """A whole file: its root, its bones with parents before children, and its units."""

    name: str = ""
    length_unit: float = 1.0
    degrees: bool = True
    order: list[str] = field(default_factory=list[str])
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    orientation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    axis: str = "xyz"
    bones: list[Bone] = field(default_factory=list[Bone])


def lines_of(text: str, name: str) -> Iterator[Line]:
    """Numbered lines as words; comments and empty lines are left out."""
    for line, content in numbered(unified(text), name):
        words = content.partition("#")[0].split()
        if words:
            yield line, words


def parse(text: str, name: str) -> Parsed:
    """Take a file apart.

    Args:
        text: what is in it.
        name: what messages call it.
    """
    sections: dict[str, list[Line]] = {}
    current: list[Line] | None = None
    for line, words in lines_of(text, name):
        if words[0].startswith(":"):
            section = words[0][1:].lower()
            if section not in _SECTIONS:
                listed = ", ".join(f":{each}" for each in _SECTIONS)
                raise PoiseError(
                    f"{name}, line {line}: there is no section {short(words[0])!r}. There are: "
                    f"{listed}"
                )
            if section in sections:
                raise PoiseError(f"{name}, line {line}: a second section :{section}")
            current = sections[section] = []
            words = words[1:]
        elif current is None:
            raise PoiseError(
                f"{name}, line {line}: an ASF file begins with a section such as :version, not "
                f"{short(words[0])!r}"
            )
        if words:
            current.append((line, words))
    for section in ("root", "bonedata", "hierarchy"):
        if section not in sections:
            raise PoiseError(f"{name}: an ASF file needs a section :{section}, and there is none")
    parsed = Parsed(" ".join(word for _, words in sections.get("name", ()) for word in words))
    reader = _Reader(name)
    reader.units(sections.get("units", []), parsed)
    reader.root(sections["root"], parsed)
    bones = reader.bones(sections["bonedata"])
    parsed.bones = reader.hierarchy(sections["hierarchy"], bones)
    return parsed


class _Reader:
    """Reads sections; knows the file's name for messages."""

    def __init__(self, name: str) -> None:
        self.name = name

    def error(self, line: int, message: str) -> PoiseError:
        return PoiseError(f"{self.name}, line {line}: {message}")

    def number(self, word: str, line: int, what: str) -> float:
        value = number(word, f"{self.name}, line {line}: {what}")
        if abs(value) > GREATEST:
            raise self.error(line, f"{what} must be within ±{GREATEST:g}, not {value:g}")
        return value

    def three(self, words: list[str], line: int, what: str) -> tuple[float, float, float]:
        if len(words) < 3:
            raise self.error(line, f"{what} needs three numbers, not {short(' '.join(words))!r}")
        x, y, z = (self.number(word, line, what) for word in words[:3])
        return (x, y, z)

    def order(self, word: str, line: int, what: str) -> str:
        if not _ORDER.fullmatch(word.lower()) or len(set(word.lower())) < 3:
            raise self.error(line, f"{what} must be an order such as XYZ, not {short(word)!r}")
        return word.lower()

    def units(self, lines: list[Line], parsed: Parsed) -> None:
        for line, words in lines:
            key, value = words[0].lower(), words[1] if len(words) > 1 else ""
            if key == "length":
                parsed.length_unit = self.number(value, line, "the unit of length")
                if not 1e-6 <= parsed.length_unit <= 1e6:
                    raise self.error(line, f"the unit of length cannot be {value}")
            elif key == "angle":
                if value.lower() not in ("deg", "rad"):
                    raise self.error(line, f"angles must be deg or rad, not {short(value)!r}")
                parsed.degrees = value.lower() == "deg"

    def root(self, lines: list[Line], parsed: Parsed) -> None:
        for line, words in lines:
            match words[0].lower():
                case "order":
                    parsed.order = [word.lower() for word in words[1:]]
                    known = {"tx", "ty", "tz", *DOFS}
                    if not set(parsed.order) <= known or len(set(parsed.order)) < len(words) - 1:
                        given = short(" ".join(words[1:]))
                        raise self.error(
                            line, f"the order of the root must be of TX … RZ, not {given!r}"
                        )
                case "axis":
                    parsed.axis = self.order(" ".join(words[1:]), line, "the axis of the root")
                case "position":
                    parsed.position = self.three(words[1:], line, "the position of the root")
                case "orientation":
                    parsed.orientation = self.three(words[1:], line, "the orientation of the root")
                case other:
                    raise self.error(
                        line,
                        "expected order, axis, position or orientation of the root, not "
                        f"{short(other)!r}",
                    )
        if not parsed.order:
            parsed.order = ["tx", "ty", "tz", "rx", "ry", "rz"]

    def bones(self, lines: list[Line]) -> dict[str, Bone]:
        bones: dict[str, Bone] = {}
        bone: Bone | None = None
        expecting = 0  # limits of the present bone that are still to come
        for line, words in lines:
            key = words[0].lower()
            if bone is None:
                if key != "begin":
                    raise self.error(line, f"expected begin of a bone, not {short(words[0])!r}")
                bone, expecting = Bone(line=line), 0
            elif key == "end":
                self.finish(bone, bones, line)
                bone = None
            elif expecting and key.startswith(("(", "-", "+", ".", *"0123456789")):
                expecting -= self.limits(bone, words, line)
            elif key == "limits":
                expecting = len(bone.dof)
                expecting -= self.limits(bone, words[1:], line)
            else:
                self.entry(bone, key, words[1:], line)
        if bone is not None:
            raise self.error(bone.line, "a bone begins here, and there is no end to it")
        return bones

    def entry(self, bone: Bone, key: str, words: list[str], line: int) -> None:
        match key:
            case "id" | "bodymass" | "cofmass":
                pass
            case "name":
                if not words:
                    raise self.error(line, "a bone needs a name")
                bone.name = words[0]
            case "direction":
                bone.direction = self.three(words, line, "the direction of a bone")
            case "length":
                bone.length = self.number(" ".join(words), line, "the length of a bone")
            case "axis":
                bone.axis = self.three(words, line, "the axis of a bone")
                bone.order = self.order(" ".join(words[3:]), line, "the axis of a bone")
            case "dof":
                bone.dof = [word.lower() for word in words]
                for each in bone.dof:
                    if each not in DOFS:
                        raise self.error(
                            line,
                            f"bones turn by rx, ry and rz; {short(each)!r} (a bone that slides or "
                            "stretches) is not read",
                        )
                if len(set(bone.dof)) < len(bone.dof):
                    raise self.error(line, f"a bone turns about one axis twice: {' '.join(words)}")
            case _:
                raise self.error(
                    line,
                    "expected id, name, direction, length, axis, dof, limits or end of a bone, "
                    f"not {short(key)!r}",
                )

    def limits(self, bone: Bone, words: list[str], line: int) -> int:
        """Take the limits on one line, and say how many there were."""
        found = re.findall(r"\(([^()]*)\)", " ".join(words))
        for each in found:
            ends = each.replace(",", " ").split()
            if len(ends) != 2:
                raise self.error(line, f"limits must be (lower upper), not {short(each)!r}")
            low, high = (
                float(end) if end.lower() in ("inf", "-inf") else self.number(end, line, "a limit")
                for end in ends
            )
            bone.limits.append((min(low, high), max(low, high)))
        if not found and words:
            given = short(" ".join(words))
            raise self.error(line, f"limits must be (lower upper), not {given!r}")
        return len(found)

    def finish(self, bone: Bone, bones: dict[str, Bone], line: int) -> None:
        if not bone.name:
            raise self.error(bone.line, "a bone needs a name")
        if bone.name in bones or bone.name == ROOT:
            raise self.error(bone.line, f"there are two bones named {short(bone.name)!r}")
        if bone.limits and len(bone.limits) != len(bone.dof):
            raise self.error(
                line,
                f"bone {short(bone.name)!r} has {len(bone.dof)} degrees of freedom, and "
                f"{len(bone.limits)} limits",
            )
        if len(bones) >= MOST_BONES:
            raise self.error(line, f"there are more than {MOST_BONES:,} bones")
        bones[bone.name] = bone

    def hierarchy(self, lines: list[Line], bones: dict[str, Bone]) -> list[Bone]:
        """The bones that hang on the root, parents before children."""
        ordered: list[Bone] = []
        depth = {ROOT: 0}
        waiting: list[tuple[int, str, str]] = []
        for line, words in lines:
            if words[0].lower() in ("begin", "end") and len(words) == 1:
                continue
            for child in words[1:]:
                if child not in bones:
                    raise self.error(line, f"there is no bone {short(child)!r} to hang somewhere")
                waiting.append((line, words[0], child))
        below: dict[str, list[tuple[int, str]]] = {}
        for line, parent, child in waiting:
            if parent != ROOT and parent not in bones:
                raise self.error(line, f"there is no bone {short(parent)!r} to hang others on")
            if bones[child].parent:
                raise self.error(line, f"bone {short(child)!r} hangs on two others")
            bones[child].parent = parent
            below.setdefault(parent, []).append((line, child))
        stack = [ROOT]
        while stack:
            parent = stack.pop()
            for line, child in below.get(parent, ()):
                depth[child] = depth[parent] + 1
                if depth[child] > DEEPEST:
                    raise self.error(line, f"bones hang more than {DEEPEST} deep")
                ordered.append(bones[child])
            stack += [child for _, child in reversed(below.get(parent, []))]
        for bone in bones.values():
            if bone.name not in depth:
                raise self.error(bone.line, f"bone {short(bone.name)!r} does not hang on the root")
        return ordered
