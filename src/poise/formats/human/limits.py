"""How far the joints of a person's skeleton go: as far as those of our human figure.

Skeletons mostly stand in a T-pose: legs straight, arms out to the sides, palms down; or with arms
that hang from there. Our human's joints are described from the anatomical position, arms hanging
and palms forward. So every segment gets anatomical axes, those that it would share with the world
if it stood so, and joints are those of the human figure between these axes. How upper arms, thighs,
forearms and shanks really lie is measured; fingers count as straight and feet as flat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.figure import (
    Ball,
    Builder,
    Coupling,
    Elbow,
    Fixed,
    Hinge,
    Swing,
    Transform,
)
from poise.figure.kinds import JointKind
from poise.figure.parts import Terms
from poise.figure.transform import Matrix, rotation_matrix
from poise.formats.articulation import Articulation
from poise.models import limbs, person_joints
from poise.models.hand import FINGERS, HandSize
from poise.models.shoulder import clavicle_angles, clavicle_joint, shoulder_joint
from poise.models.sketch import SIDES, boxed_swing, hinge
from poise.models.tables import table

Floats = NDArray[np.float64]

TRUNK = ("spine", "chest", "upper_chest")
"""The joints that share what the trunk can do."""

_QUARTER = 0.5 * np.pi
_DOWN = np.array([0.0, 0.0, -1.0])
_UPRIGHT = {"flexion": "y", "lateral": "-x", "axial": "z"}
_EYES = {"aside": 35.0, "up": 25.0, "down": 30.0}
"""Degrees that eyes turn easily before the head follows; an estimate."""
_JAW = 25.0
"""Degrees that a jaw opens; an estimate."""


@dataclass(eq=False)
class Limits:
    """Finds joints for the bones that a figure has.

    Attributes:
        places: where each joint is at rest, (3,) in our world, by our joint's name.
        palms_forward: whether the figure stands in the anatomical position and not in a T-pose.
        flexion_axes: (3,) in our world, about which elbows and knees bend at rest, where known.
        found: the joints; filled while looking.
    """

    places: Mapping[str, Floats]
    palms_forward: bool = False
    flexion_axes: Mapping[str, Floats] = field(default_factory=dict[str, Floats])
    found: dict[str, Articulation] = field(default_factory=dict[str, Articulation])

    def all(self) -> dict[str, Articulation]:
        """A joint for every bone that carries something of a person."""
        self._trunk()
        for side, sign in SIDES:
            self._leg(side, sign)
            hand = self._arm(side, sign)
            self._fingers(side, sign, hand)
        return {name: each for name, each in self.found.items() if name in self.places}

    def couplings(self) -> tuple[Coupling, ...]:
        """The muscles and tendons that span two joints, where both are there."""
        builder = _Couplings("couplings")
        share = table("hand")["ranges"]["dip_of_pip"]
        for side, _ in SIDES:
            if all(f"{side}_{each}" in self.places for each in ("hip", "knee", "ankle")):
                limbs.couple_leg(builder, side)
            for finger in FINGERS:
                pip, dip = f"{side}_{finger}_pip", f"{side}_{finger}_dip"
                if pip in self.places and dip in self.places:
                    terms = {f"{dip}.flexion": 1.0, f"{pip}.flexion": -share}
                    builder.couple(f"{side}_{finger}_tendon", terms, lower=0.0, upper=0.0)
        return tuple(builder.found)

    def _trunk(self) -> None:
        joints = [name for name in TRUNK if name in self.places]
        for name in joints:
            self._add(name, person_joints.trunk(len(joints)), np.eye(3), np.eye(3), _UPRIGHT)
        for level in table("spine")["levels"]:
            if level in self.places:
                self._add(level, person_joints.vertebra(level), np.eye(3), np.eye(3), _UPRIGHT)
        self._add("neck", limbs.neck(), np.eye(3), np.eye(3), _UPRIGHT)
        if "neck" in self.places:
            nods = {each: _UPRIGHT[each] for each in ("flexion", "lateral")}
            self._add("head", limbs.head(), np.eye(3), np.eye(3), nods)
        else:
            self._add("head", limbs.neck(), np.eye(3), np.eye(3), _UPRIGHT)
        self._add("jaw", hinge("y", 0.0, _JAW, "opening"), np.eye(3), np.eye(3))
        # Along x, the chart's x axis is the body's down and its y axis the body's left.
        aside, up, down = _EYES["aside"], _EYES["up"], _EYES["down"]
        for side, _ in SIDES:
            eye = boxed_swing("x", (-aside, aside), (-up, down))
            self._add(f"{side}_eye", eye, np.eye(3), np.eye(3))

    def _leg(self, side: str, sign: float) -> None:
        self._add(f"{side}_hip_bone", Fixed(), np.eye(3), np.eye(3))
        thigh = self._aligned(np.eye(3), f"{side}_hip", f"{side}_knee")
        thigh = self._rolled(thigh, f"{side}_knee")
        angles = limbs.clinical(sign, "flexion", "abduction", "rotation")
        thigh = self._add(f"{side}_hip", limbs.hip(sign), np.eye(3), thigh, angles)
        along = thigh.T @ self._direction(f"{side}_knee", f"{side}_ankle", thigh @ _DOWN)
        bend = float(np.arctan2(-along[0], -along[2]))
        shank = thigh @ rotation_matrix([0.0, bend, 0.0])
        shank = self._add(f"{side}_knee", limbs.knee(), thigh, shank)
        angles = limbs.clinical(sign, "dorsiflexion", "eversion")
        # With legs astride a flat foot may be more than an ankle can do.
        flat = _contains(limbs.ankle(sign), shank.T)
        stands = np.eye(3) if flat else shank
        foot = self._add(f"{side}_ankle", limbs.ankle(sign), shank, stands, angles)
        self._add(f"{side}_toes", limbs.toes(), foot, foot)

    def _arm(self, side: str, sign: float) -> Matrix:
        """The joints of an arm; gives the anatomical axes of the hand."""
        clavicle, angles = clavicle_joint(sign), clavicle_angles(sign)
        self._add(f"{side}_clavicle", clavicle, np.eye(3), np.eye(3), angles)
        aside = 0.0 if self.palms_forward else sign * _QUARTER
        out = rotation_matrix([aside, 0.0, 0.0])
        upper = self._aligned(out, f"{side}_shoulder", f"{side}_elbow")
        if not _contains(shoulder_joint(sign), upper):
            upper = out
        # Where the palm looks does not hang on how the upper arm is rolled.
        palm = self._bent(upper, side) @ rotation_matrix([0.0, 0.0, -aside])
        upper = self._rolled(upper, f"{side}_elbow")
        angles = limbs.clinical(sign, "flexion", "abduction", "rotation")
        upper = self._add(f"{side}_shoulder", shoulder_joint(sign), np.eye(3), upper, angles)
        forearm = self._forearm(side, limbs.elbow(sign), upper, palm)
        angles = limbs.clinical(sign, "flexion", "radial_deviation")
        return self._add(f"{side}_wrist", limbs.wrist(sign), forearm, forearm, angles)

    def _bent(self, upper: Matrix, side: str) -> Matrix:
        """The axes of an upper arm, bent in the elbow as the forearm lies."""
        along = upper.T @ self._direction(f"{side}_elbow", f"{side}_wrist", upper @ _DOWN)
        bend = float(np.arctan2(along[0], -along[2]))
        return upper @ rotation_matrix([0.0, -bend, 0.0])

    def _forearm(self, side: str, kind: Elbow, upper: Matrix, stands: Matrix) -> Matrix:
        """The elbow; where a part of its own turns the hand, that has the pronation."""
        elbow, lower = f"{side}_elbow", f"{side}_lower_forearm"
        if lower not in self.places:
            return self._add(elbow, kind, upper, stands)
        flexion, pronation = kind.coordinates
        bending = Hinge(kind.flexion_axis, kind.flexion_limits, flexion)
        bent = self._add(elbow, bending, upper, self._bent(upper, side))
        turning = Hinge(kind.twist_axis, kind.twist_limits, pronation)
        return self._add(lower, turning, bent, stands)

    def _fingers(self, side: str, sign: float, hand: Matrix) -> None:
        ranges = table("hand")["ranges"]
        size = HandSize(sign, 0.19, 0.19 * table("hand")["breadth_of_length"])
        for finger in (*FINGERS, "thumb"):
            thumb = finger == "thumb"
            names = ("cmc", "mcp", "ip") if thumb else ("mcp", "pip", "dip")
            first, second, third = (f"{side}_{finger}_{each}" for each in names)
            axes = self._aligned(hand @ size.root(finger).rotation, first, second)
            row = ranges["thumb_cmc" if thumb else "mcp"]
            away = (-row.get("adduction", row["abduction"]), row["abduction"])
            away = away if sign > 0 else (-away[1], -away[0])
            base = boxed_swing("-z", away, (-row["extension"], row["flexion"]))
            outward = (sign > 0) != (finger in ("ring", "little"))
            angles = {"flexion": "-y", "abduction": "x" if outward else "-x"}
            self._add(first, base, axes, axes, angles)
            bends = ("thumb_mcp", "thumb_ip") if thumb else ("pip", "pip")
            shares = (1.0, 1.0) if thumb else (1.0, ranges["dip_of_pip"])
            for name, bend, share in zip((second, third), bends, shares, strict=True):
                row = ranges[bend]
                kind = hinge("-y", -share * row["extension"], share * row["flexion"])
                self._add(name, kind, axes, axes)

    def _add(
        self,
        name: str,
        kind: JointKind,
        axes: Matrix,
        stands: Matrix,
        clinical: Mapping[str, str] | None = None,
    ) -> Matrix:
        """Note a joint; gives its segment's anatomical axes, as near as the joint can have them.

        Args:
            name: the joint.
            kind: what it can do.
            axes: the anatomical axes of the segment that carries it.
            stands: those of its own segment.
            clinical: names of its angles.
        """
        values = kind.values(Transform.turn(axes.T @ stands))
        if not self.palms_forward:  # that position is known, all others are a guess
            ends = np.array(kind.box, dtype=np.float64).reshape(-1, 2)
            values = np.clip(values, ends[:, 0], ends[:, 1])
        self.found[name] = Articulation(kind, axes, values, clinical or {})
        return axes @ kind.motion(values).rotation

    def _direction(self, start: str, end: str, default: Floats) -> Floats:
        """The unit vector from one joint to another, where both are there and apart."""
        if start not in self.places or end not in self.places:
            return default
        along = self.places[end] - self.places[start]
        length = float(np.linalg.norm(along))
        return along / length if length > 1e-6 else default

    def _aligned(self, axes: Matrix, start: str, end: str) -> Matrix:
        """Axes turned by the shortest way so that their −z goes from one joint to another."""
        usual = axes @ _DOWN
        along = self._direction(start, end, usual)
        across = np.cross(usual, along)
        sine, cosine = float(np.linalg.norm(across)), float(usual @ along)
        if sine < 1e-9:
            return axes
        return rotation_matrix(across * (np.arctan2(sine, cosine) / sine)) @ axes

    def _rolled(self, axes: Matrix, joint: str) -> Matrix:
        """Axes turned about their z so that their y lies along that about which a joint bends."""
        if joint not in self.flexion_axes:
            return axes
        _, y, z = axes.T
        axis = self.flexion_axes[joint]
        across = axis - z * (axis @ z)
        size = float(np.linalg.norm(across))
        if size < 1e-6:
            return axes
        y = across / (size if across @ y >= 0 else -size)
        return np.column_stack([np.cross(y, z), y, z])


class _Couplings(Builder):
    """Takes the couplings of a figure that is not there."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.found: list[Coupling] = []

    def couple(
        self, name: str, terms: Terms, *, lower: float = -np.inf, upper: float = np.inf
    ) -> None:
        self.found.append(Coupling(name, terms, lower, upper))


def _contains(kind: Ball | Swing, stands: Matrix) -> bool:
    """Whether a segment that stands so is within the swing limits of its joint."""
    sx, sy = kind.values(Transform.turn(stands))[:2]
    return all(_winds(limit.boundary() - [sx, sy]) for limit in kind.swing)


def _winds(points: Floats) -> bool:
    """Whether a closed line of points (k, 2) goes round the origin."""
    ends = np.roll(points, -1, axis=0)
    turns = np.arctan2(
        points[:, 0] * ends[:, 1] - points[:, 1] * ends[:, 0], (points * ends).sum(axis=1)
    )
    return bool(abs(turns.sum()) > np.pi)
