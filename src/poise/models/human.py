"""A person, from tables of anthropometry, masses and joint ranges."""

from __future__ import annotations

from typing import Literal

import numpy as np

from poise.checking import number
from poise.errors import PoiseError
from poise.figure import Builder, Figure
from poise.figure.recipes import ready
from poise.models.assembly import SIDES, Assembly
from poise.models.proportions import Proportions, Sex, usual_mass
from poise.models.shoulder import group_shoulder
from poise.models.spine import group_spine
from poise.models.standing import rest_posture, standing_height

USUAL_STATURE: dict[Sex, float] = {"male": 1.75, "female": 1.63}
"""Heights (m) of a person for whom none is given."""

_STATURES = (1.2, 2.2)
_MASSES = (25.0, 250.0)


@ready
def human(
    stature: float | None = None,
    sex: Sex = "male",
    *,
    mass: float | None = None,
    spine: Literal["grouped", "independent"] = "grouped",
    shoulders: Literal["grouped", "independent"] = "grouped",
    hands: bool = False,
    root: Literal["free", "fixed"] = "free",
) -> Figure:
    """A person, standing at ease: feet flat on z = 0, facing +x.

    Lengths are those of ANSUR II for the stature, thicknesses also for the mass; masses and
    inertias are de Leva's. Every segment's frame is in its proximal joint and aligned with the
    world in the anatomical position: upright, arms hanging, palms forward.

    Args:
        stature: height in metres, 1.2 to 2.2; by default 1.75 for a man and 1.63 for a woman,
            about the means of ANSUR II.
        sex: "male" or "female", whose proportions and masses are taken.
        mass: in kg, 25 to 250; by default that of the sex's mean body mass index (ANSUR II).
        spine: "grouped", 17 vertebral joints driven by `spine.flexion`, `spine.lateral` and
            `spine.axial`; or "independent", three coordinates for each.
        shoulders: "grouped", clavicle and upper arm driven by the `elevation`, `abduction` and
            `twist` of `left_shoulder_complex` (see `models.shoulder`); or "independent".
        hands: whether the fingers move; if not, they are drawn but stiff.
        root: "free", or the pelvis "fixed" where it is when standing.
    """
    _check_choice("sex", sex, "male", "female")
    _check_choice("spine", spine, "grouped", "independent")
    _check_choice("shoulders", shoulders, "grouped", "independent")
    _check_choice("root", root, "free", "fixed")
    if not isinstance(hands, (bool, np.bool_)):
        raise PoiseError(f"hands must be True or False, not {hands!r}")
    tall = USUAL_STATURE[sex] if stature is None else _stature(stature)
    person = Proportions(tall, sex, usual_mass(tall, sex) if mass is None else _mass(mass))

    word = "man" if sex == "male" else "woman"
    builder = Builder("human", f"a {word} of {person.stature:g} m and {person.mass:.1f} kg")
    height = standing_height(person)
    assembly = Assembly(person, builder)
    builder.root("pelvis", root, (0.0, 0.0, height if root == "fixed" else 0.0))
    assembly.add_trunk()
    for side, sign in SIDES:
        assembly.add_arm(side, sign, fingers=bool(hands))
        assembly.add_leg(side, sign)
    if spine == "grouped":
        group_spine(builder)
    if shoulders == "grouped":
        for side, sign in SIDES:
            group_shoulder(builder, f"{side}_shoulder_complex", sign)
    figure = builder.build()
    figure.postures["rest"] = rest_posture(figure, height).q
    figure.vouch_for("rest")
    return figure


def _stature(value: float) -> float:
    tall = number(value, "stature (m)")
    low, high = _STATURES
    if not low <= tall <= high:
        hint = ""
        if low <= 0.01 * tall <= high:
            hint = f"; {tall:g} cm would be {0.01 * tall:g}"
        elif low <= 0.001 * tall <= high:
            hint = f"; {tall:g} mm would be {0.001 * tall:g}"
        raise PoiseError(f"stature must be between {low:g} and {high:g} metres, not {tall:g}{hint}")
    return tall


def _mass(value: float) -> float:
    kilograms = number(value, "mass (kg)")
    low, high = _MASSES
    if not low <= kilograms <= high:
        raise PoiseError(f"mass must be between {low:g} and {high:g} kg, not {kilograms:g}")
    return kilograms


def _check_choice(what: str, value: object, *allowed: str) -> None:
    if value not in allowed:
        raise PoiseError(f"{what} must be {' or '.join(map(repr, allowed))}, not {value!r}")
