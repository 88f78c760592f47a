"""Putting a person together: segments with their masses and shapes, joints, sites."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.checking import Vec3
from poise.figure import Builder
from poise.figure.kinds import JointKind
from poise.figure.shapes import Shape
from poise.models import limbs, shoulder, spine
from poise.models.body_masses import body_masses
from poise.models.body_shapes import body_shapes, mirrored
from poise.models.hand import (
    HandSize,
    add_fingers,
    add_palm_sites,
    fingers_at_rest,
    hand_volume,
    palm_shapes,
)
from poise.models.proportions import LEVELS, VERTEBRAE, Point, Proportions
from poise.models.tables import table
from poise.models.torso import Torso

SIDES: tuple[tuple[str, float], ...] = (("left", 1.0), ("right", -1.0))
"""Names and signs of y."""

GIRDLE = "t3"
"""The vertebra whose ribs carry the collar bones and the breast bone."""

SOLE: Vec3 = (float(np.pi), 0.0, 0.0)
"""The rotation of a sole's frame: z down, x forward."""


class Assembly:
    """Adds the parts of a person to a builder. Origins are kept in the world, standing."""

    def __init__(self, person: Proportions, builder: Builder) -> None:
        """Measure the person."""
        self._person = person
        self._builder = builder
        self._torso = Torso(person)
        self._shapes = body_shapes(person, self._torso)
        self._masses = body_masses(person)
        self._origins: dict[str, Point] = {}

    def add_trunk(self) -> None:
        """Pelvis, vertebrae, neck and head."""
        person, c = self._person, self._person.centres
        self._segment("pelvis", "pelvis", c["hip"] * np.array([1.0, 0.0, 1.0]), "trousers")
        parent = "pelvis"
        for level, vertebra in zip(LEVELS, VERTEBRAE, strict=True):
            self._segment(vertebra, vertebra, person.spine[level], "shirt")
            self._join(level, spine.vertebral_joint(level), parent, vertebra, spine.CLINICAL)
            parent = vertebra
        self._segment("neck", "neck", person.spine["neck"], "skin")
        self._join("neck", limbs.neck(), parent, "neck", spine.CLINICAL)
        self._segment("head", "head", c["head"], "skin")
        nod = {angle: axis for angle, axis in spine.CLINICAL.items() if axis != "z"}
        self._join("head", limbs.head(), "neck", "head", nod)
        self._site("pelvis", "pelvis", self._origins["pelvis"])
        height = person.length("axilla_height")
        front = self._torso.middle(height) + [self._torso.half_depth(height), 0.0, 0.0]
        self._site("chest", GIRDLE, front)
        self._site("eyes", "head", c["eyes"])
        self._site("head_top", "head", np.array([c["head"][0], 0.0, person.stature]))

    def add_arm(self, side: str, sign: float, *, fingers: bool) -> None:
        """From the clavicle to the hand, or to the fingers."""
        person, c = self._person, self._person.centres
        self._segment(f"{side}_clavicle", "clavicle", c["sternoclavicular"], "shirt", sign)
        self._segment(f"{side}_upper_arm", "upper_arm", c["shoulder"], "shirt", sign)
        self._segment(f"{side}_forearm", "forearm", c["elbow"], "skin", sign)
        size = HandSize(sign, person.length("hand_length"), person.girth("hand_breadth"))
        density = self._add_hand(f"{side}_hand", size, fingers)
        for name, kind, parent, child, angles in (
            (
                "clavicle",
                shoulder.clavicle_joint(sign),
                GIRDLE,
                "clavicle",
                shoulder.clavicle_angles(sign),
            ),
            (
                "shoulder",
                shoulder.shoulder_joint(sign),
                f"{side}_clavicle",
                "upper_arm",
                limbs.clinical(sign, "flexion", "abduction", "rotation"),
            ),
            ("elbow", limbs.elbow(sign), f"{side}_upper_arm", "forearm", {}),
            (
                "wrist",
                limbs.wrist(sign),
                f"{side}_forearm",
                "hand",
                limbs.clinical(sign, "flexion", "radial_deviation"),
            ),
        ):
            self._join(f"{side}_{name}", kind, parent, f"{side}_{child}", angles)
        self._site(f"{side}_shoulder", f"{side}_clavicle", c["shoulder"], sign)
        self._site(f"{side}_elbow", f"{side}_upper_arm", c["elbow"], sign)
        add_palm_sites(self._builder, size)
        if fingers:
            add_fingers(self._builder, size, color=_color("skin"), density=density)
        else:
            self._builder.site(f"{side}_fingertip", f"{side}_hand", size.fingertip())

    def add_leg(self, side: str, sign: float) -> None:
        """From the hip to the toes."""
        c = self._person.centres
        self._segment(f"{side}_thigh", "thigh", c["hip"], "trousers", sign)
        self._segment(f"{side}_shank", "shank", c["knee"], "trousers", sign)
        self._segment(f"{side}_foot", "foot", c["ankle"], "shoes", sign)
        self._segment(f"{side}_toes", "toes", c["ball"], "shoes", sign)
        turning = limbs.clinical(sign, "flexion", "abduction", "rotation")
        lifting = limbs.clinical(sign, "dorsiflexion", "eversion")
        for name, kind, parent, child, angles in (
            ("hip", limbs.hip(sign), "pelvis", "thigh", turning),
            ("knee", limbs.knee(), f"{side}_thigh", "shank", {}),
            ("ankle", limbs.ankle(sign), f"{side}_shank", "foot", lifting),
            ("toes", limbs.toes(), f"{side}_foot", "toes", {}),
        ):
            self._join(f"{side}_{name}", kind, parent, f"{side}_{child}", angles)
        limbs.couple_leg(self._builder, side)
        self._site(f"{side}_hip", "pelvis", c["hip"], sign)
        self._site(f"{side}_knee", f"{side}_thigh", c["knee"], sign)
        self._site(f"{side}_foot", f"{side}_foot", 0.5 * (c["heel"] + c["toe"]), sign, sole=True)
        self._site(f"{side}_heel", f"{side}_foot", c["heel"], sign, rotation=SOLE)
        self._site(f"{side}_toe", f"{side}_toes", c["toe"], sign, rotation=SOLE)

    def _add_hand(self, name: str, size: HandSize, fingers: bool) -> float:
        """The hand's segment; the density that gives hand and fingers the mass of the table."""
        whole = self._masses["hand"].mass
        density = whole / hand_volume(size)
        if not fingers:
            shapes = [*palm_shapes(size), *fingers_at_rest(size)]
            self._segment(name, "hand", self._person.centres["wrist"], "skin", size.side, shapes)
            return density
        self._origins[name] = _sided(self._person.centres["wrist"], size.side)
        self._builder.segment(name, shapes=palm_shapes(size), density=density, color=_color("skin"))
        return density

    def _segment(
        self,
        name: str,
        part: str,
        origin: Point,
        color: str,
        sign: float = 1.0,
        shapes: list[Shape] | None = None,
    ) -> None:
        """A segment with mass and shapes of a body part, mirrored where the sign is −1."""
        body = self._masses[part]
        if shapes is None:
            shapes = self._shapes[part] if sign > 0 else mirrored(self._shapes[part])
        self._origins[name] = _sided(origin, sign)
        self._builder.segment(
            name,
            mass=body.mass,
            center=_sided(body.center - origin, sign),  # type: ignore[arg-type]  # checked there
            inertia=np.diag(body.moments),
            shapes=shapes,
            color=_color(color),
        )

    def _join(
        self, name: str, kind: JointKind, parent: str, child: str, clinical: Mapping[str, str]
    ) -> None:
        offset = self._origins[child] - self._origins[parent]
        self._builder.joint(name, kind, parent, child, offset, clinical=clinical)

    def _site(
        self,
        name: str,
        segment: str,
        place: Point,
        sign: float = 1.0,
        *,
        rotation: Vec3 = (0.0, 0.0, 0.0),
        sole: bool = False,
    ) -> None:
        outline: list[tuple[float, float]] = []
        if sole:
            long, wide = self._person.length("foot_length"), self._person.girth("foot_breadth")
            # The frame is turned over: its y is to the right.
            outline = [(x * long, -sign * y * wide) for x, y in table("look")["sole"]]
            outline = outline if sign > 0 else outline[::-1]
            rotation = SOLE
        local = _sided(place, sign) - self._origins[segment]
        self._builder.site(name, segment, local, rotation=rotation, outline=outline)


def _sided(point: Point, sign: float) -> Point:
    return point * np.array([1.0, sign, 1.0])


def _color(name: str) -> str:
    return table("look")["colors"][name]
