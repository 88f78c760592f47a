"""The hand: a palm, four fingers and a thumb, by itself or on an arm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3, number
from poise.errors import PoiseError
from poise.figure import Builder, Figure, Hinge, PlanarPolygon, Swing
from poise.figure.recipes import ready
from poise.figure.shapes import Ellipsoid, Shape, TaperedCapsule, combined
from poise.figure.transform import Transform, rotation_matrix, rotation_vector
from poise.models.body_shapes import capsule
from poise.models.tables import table

DOWN: Vec3 = (0.0, 0.0, -1.0)
FLEXING: Vec3 = (0.0, -1.0, 0.0)
FINGERS = ("index", "middle", "ring", "little")

_DENSITY = 1100.0
_SHORTEST, _LONGEST = 0.08, 0.3


@dataclass(frozen=True)
class HandSize:
    """A hand of one side: +1 left, −1 right; lengths in metres.

    The hand's frame is at the wrist; with the arm hanging and the palm forward it is aligned with
    the world: fingers along −z, palm facing +x, the thumb outwards.
    """

    side: float
    length: float
    breadth: float

    @cached_property
    def name(self) -> str:
        """The side's name."""
        return "left" if self.side > 0 else "right"

    @cached_property
    def unit(self) -> float:
        """What the shares of bones are taken of, so that the third finger's make up the length."""
        return self.length / sum(table("hand")["fingers"]["middle"].values())

    def bones(self, finger: str) -> list[float]:
        """Lengths of the bones that move: three of a finger, or the thumb's three."""
        if finger == "thumb":
            return [share * self.unit for share in table("hand")["thumb"].values()]
        row = table("hand")["fingers"][finger]
        return [row[each] * self.unit for each in ("proximal", "middle", "distal")]

    def radii(self, finger: str) -> list[float]:
        """Radii at the ends of those bones."""
        base, tip = table("hand")["radii"][finger]
        return [(base + (tip - base) * i / 3) * self.breadth for i in range(4)]

    def root(self, finger: str) -> Transform:
        """The frame of a finger's first joint in the hand: −z along the bone, bending to +x."""
        numbers = table("hand")
        mirror = np.diag([1.0, self.side, 1.0])
        if finger == "thumb":
            down, out, palm = (each * self.length for each in numbers["thumb_root"])
            turn = _thumb_frame(numbers["thumb_direction"])
            return Transform(mirror @ turn @ mirror, mirror @ np.array([palm, out, -down]))
        y = numbers["knuckles"][finger] * self.breadth
        long = numbers["fingers"][finger]["metacarpal"] * self.unit
        z = -np.sqrt(long * long - y * y)
        tilt = self.side * np.deg2rad(numbers["spread"][finger])
        return Transform(rotation_matrix([tilt, 0.0, 0.0]), np.array([0.0, self.side * y, z]))

    @cached_property
    def grip(self) -> NDArray[np.float64]:
        """The middle of what a closed hand holds, before the palm."""
        row = table("hand")["grip"]
        return np.array([row["before"] * self.length, 0.0, -row["below"] * self.length])

    def fingertip(self) -> NDArray[np.float64]:
        """The tip of the third finger, stretched."""
        root = self.root("middle")
        return root.apply([0.0, 0.0, -sum(self.bones("middle"))])


@ready
def hand(side: str = "right", *, length: float = 0.19, root: str = "fixed") -> Figure:
    """A hand: four fingers of 4 freedoms each and a thumb of 4.

    It hangs from the wrist in the origin: fingers along −z, the palm facing +x. A finger bends at
    the MCP (which also spreads), PIP and DIP joints, the DIP two thirds of the PIP; the thumb at
    CMC (2 freedoms), MCP and IP. Fingers spread less the more the MCP is bent.

    Args:
        side: "left" or "right".
        length: from the wrist to the tip of the third finger, in metres; 0.08 to 0.3.
        root: "fixed" to the ground, or "free".
    """
    if side not in ("left", "right"):
        raise PoiseError(f"side must be 'left' or 'right', not {side!r}")
    long = number(length, "length")
    if not _SHORTEST <= long <= _LONGEST:
        raise PoiseError(
            f"length must be between {_SHORTEST:g} and {_LONGEST:g} m, from the wrist to the tip "
            f"of the third finger, not {long:g}"
        )
    if root not in ("free", "fixed"):
        raise PoiseError(f"root must be 'free' or 'fixed', not {root!r}")
    breadth = table("hand")["breadth_of_length"] * long
    size = HandSize(1.0 if side == "left" else -1.0, long, breadth)
    builder = Builder(f"{side}_hand", f"a {side} hand of {long:g} m")
    skin = table("look")["colors"]["skin"]
    name = f"{side}_hand"
    builder.segment(name, shapes=palm_shapes(size), density=_DENSITY, color=skin)
    builder.root(name, root)
    add_palm_sites(builder, size)
    add_fingers(builder, size, color=skin)
    builder.posture("rest", finger_rest(size.name))
    return builder.build()


def add_fingers(builder: Builder, size: HandSize, *, color: str, density: float = _DENSITY) -> None:
    """Join the fingers to the segment `…_hand`, with sites at their tips, `…_fingertip` too.

    Args:
        builder: where the segment is already.
        size: the hand's.
        color: of the skin.
        density: of the fingers, in kg/m³.
    """
    side = size.name
    limits = table("hand")["ranges"]
    outward = "x" if size.side > 0 else "-x"
    inward = "-x" if size.side > 0 else "x"
    for finger in (*FINGERS, "thumb"):
        thumb = finger == "thumb"
        bones, root = size.bones(finger), size.root(finger)
        parts = _parts(finger)
        joints = _joints(finger)
        for part, shape in zip(parts, _finger_shapes(size, finger), strict=True):
            name = f"{side}_{finger}_{part}"
            builder.segment(name, shapes=[shape], density=density, color=color)
        away = inward if finger in ("ring", "little") else outward
        builder.joint(
            f"{side}_{finger}_{joints[0]}",
            _thumb_base(limits["thumb_cmc"], size.side) if thumb else _knuckle(limits["mcp"]),
            f"{side}_hand",
            f"{side}_{finger}_{parts[0]}",
            root.position,
            rotation=rotation_vector(root.rotation),
            clinical={"flexion": "-y", "abduction": away},
        )
        for i in (1, 2):
            builder.joint(
                f"{side}_{finger}_{joints[i]}",
                _bending(limits, f"thumb_{joints[i]}" if thumb else joints[i]),
                f"{side}_{finger}_{parts[i - 1]}",
                f"{side}_{finger}_{parts[i]}",
                (0.0, 0.0, -bones[i - 1]),
            )
        if not thumb:
            pip, dip = f"{side}_{finger}_pip", f"{side}_{finger}_dip"
            terms = {f"{dip}.flexion": 1.0, f"{pip}.flexion": -limits["dip_of_pip"]}
            builder.couple(f"{side}_{finger}_tendon", terms, lower=0.0, upper=0.0)
        builder.site(f"{side}_{finger}_tip", f"{side}_{finger}_distal", (0.0, 0.0, -bones[2]))
    builder.site(f"{side}_fingertip", f"{side}_middle_distal", (0.0, 0.0, -size.bones("middle")[2]))


def add_palm_sites(builder: Builder, size: HandSize) -> None:
    """Sites `…_hand` (the grip's centre) and `…_palm` (z out of the palm, x to the fingers)."""
    side = size.name
    builder.site(f"{side}_hand", f"{side}_hand", size.grip)
    palm = table("hand")["palm"]
    builder.site(
        f"{side}_palm",
        f"{side}_hand",
        (palm["thickness"] * size.breadth, 0.0, -palm["middle"] * size.length),
        rotation=(0.0, 0.5 * np.pi, 0.0),
        outline=[(x * size.length, 0.5 * y * size.breadth) for x, y in palm["outline"]],
    )


def palm_shapes(size: HandSize) -> list[Shape]:
    """The palm: from the wrist to each knuckle, along the knuckles, and what fills it."""
    look = table("hand")["palm"]
    thick = look["thickness"] * size.breadth
    knuckles = [size.root(finger).position for finger in FINGERS]
    shapes: list[Shape] = []
    for finger, knuckle in zip(FINGERS, knuckles, strict=True):
        start = knuckle * [1.0, look["wrist_share"], look["wrist_below"]]
        shapes.append(capsule(start, knuckle, thick, size.radii(finger)[0]))
    ends = size.radii("index")[0], size.radii("little")[0]
    shapes.append(capsule(knuckles[0], knuckles[-1], *ends))
    middle = (0.0, 0.0, -look["middle"] * size.length)
    filling = (thick, look["half_breadth"] * size.breadth, look["half_length"] * size.length)
    return [*shapes, Ellipsoid(middle, filling)]


def fingers_at_rest(size: HandSize) -> list[Shape]:
    """The fingers as shapes on the hand, for one without finger joints."""
    angles = finger_rest(size.name)
    shapes: list[Shape] = []
    for finger in (*FINGERS, "thumb"):
        place = size.root(finger)
        for joint, bone, shape in zip(
            _joints(finger), size.bones(finger), _finger_shapes(size, finger), strict=True
        ):
            bend = angles[f"{size.name}_{finger}_{joint}"]["flexion"]
            place = place @ Transform.turn(rotation_matrix([0.0, -bend, 0.0]))
            shapes.append(
                capsule(
                    place.position, place.apply(shape.end), shape.start_radius, shape.end_radius
                )
            )
            place = place @ Transform.make((0.0, 0.0, -bone))
    return shapes


def hand_volume(size: HandSize) -> float:
    """The volume (m³) of palm and fingers."""
    fingers = [each for finger in (*FINGERS, "thumb") for each in _finger_shapes(size, finger)]
    return combined([shape.solid() for shape in [*palm_shapes(size), *fingers]]).volume


def finger_rest(side: str) -> dict[str, dict[str, float]]:
    """Clinical angles (rad) of the finger joints of a relaxed hand."""
    rest, limits = table("joints")["rest"], table("hand")["ranges"]
    angles: dict[str, dict[str, float]] = {}
    for finger in FINGERS:
        mcp, pip = np.deg2rad([rest["fingers"]["mcp"], rest["fingers"]["pip"]]).tolist()
        angles[f"{side}_{finger}_mcp"] = {"flexion": mcp}
        angles[f"{side}_{finger}_pip"] = {"flexion": pip}
        angles[f"{side}_{finger}_dip"] = {"flexion": limits["dip_of_pip"] * pip}
    thumb = {each: float(np.deg2rad(value)) for each, value in rest["thumb"].items()}
    angles[f"{side}_thumb_cmc"] = {"flexion": thumb["flexion"], "abduction": thumb["abduction"]}
    angles[f"{side}_thumb_mcp"] = {"flexion": thumb["mcp"]}
    angles[f"{side}_thumb_ip"] = {"flexion": thumb["ip"]}
    return angles


def _parts(finger: str) -> tuple[str, str, str]:
    """The segments of a finger."""
    if finger == "thumb":
        return ("metacarpal", "proximal", "distal")
    return ("proximal", "middle", "distal")


def _joints(finger: str) -> tuple[str, str, str]:
    """The joints of a finger."""
    return ("cmc", "mcp", "ip") if finger == "thumb" else ("mcp", "pip", "dip")


def _finger_shapes(size: HandSize, finger: str) -> list[TaperedCapsule]:
    """One shape for each bone, in its own frame; the last ends round at the fingertip."""
    bones, radii = size.bones(finger), size.radii(finger)
    ends = [bones[0], bones[1], bones[2] - radii[3]]
    return [
        TaperedCapsule((0.0, 0.0, 0.0), (0.0, 0.0, -end), start_radius, end_radius)
        for end, (start_radius, end_radius) in zip(ends, pairwise(radii), strict=True)
    ]


def _knuckle(row: Mapping[str, float]) -> Swing:
    """An MCP joint: it spreads freely up to straight, then less, and not when bent to its stop."""
    spread, flexion, extension = np.deg2rad(
        [row["abduction"], row["flexion"], row["extension"]]
    ).tolist()
    closed = 0.05 * spread  # a polygon needs an area
    half = [(spread, -extension), (spread, 0.0), (closed, flexion)]
    points = [*half, *((-x, y) for x, y in reversed(half))]
    return Swing(axis=DOWN, swing=(PlanarPolygon(tuple(points)),))


def _thumb_base(row: Mapping[str, float], side: float) -> Swing:
    values = {each: float(np.deg2rad(value)) for each, value in row.items()}
    away = (-values["adduction"], values["abduction"])
    return Swing(
        axis=DOWN,
        swing_x=away if side > 0 else (-away[1], -away[0]),
        swing_y=(-values["extension"], values["flexion"]),
    )


def _bending(limits: Mapping[str, Any], joint: str) -> Hinge:
    row = limits["pip" if joint == "dip" else joint]
    low, high = np.deg2rad([-row["extension"], row["flexion"]]).tolist()
    share = limits["dip_of_pip"] if joint == "dip" else 1.0
    return Hinge(FLEXING, (share * low, share * high), "flexion")


def _thumb_frame(direction: Mapping[str, float]) -> NDArray[np.float64]:
    """The axes of a left thumb: −z along it, +x where its pad looks."""
    away, out, pad = np.deg2rad([direction["away"], direction["out"], direction["pad"]])
    bone = np.array([np.sin(out), np.cos(out) * np.sin(away), -np.cos(out) * np.cos(away)])
    looks = np.array([np.cos(pad), -np.sin(pad), 0.0])
    looks -= bone * (bone @ looks)
    looks /= np.linalg.norm(looks)
    return np.stack([looks, np.cross(-bone, looks), -bone], axis=-1)
