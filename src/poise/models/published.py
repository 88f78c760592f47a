"""Figures of the sizes that the five papers report, for comparisons with them.

The papers give counts, seldom the joints behind them. Each function says what its paper states
and what is chosen here. All are whole persons to look at: what a paper does not move is stiff.
They stand on z = 0 at rest and face +x. Every limit is an interval of one coordinate.
"""

from __future__ import annotations

import numpy as np

from poise.figure import Box, Elbow, Figure, Monomial
from poise.figure.kinds import JointKind
from poise.figure.recipes import ready
from poise.models import person_joints as joints
from poise.models.person import STIFF, Person, palm
from poise.models.sketch import SIDES, interval
from poise.models.tables import table

_FIVE = ("torso_1", "torso_2", "torso_3", "torso_4", "torso_5")


@ready
def person_of_63(*, stature: float = 1.75, mass: float = 75.0) -> Figure:
    """20 segments and 63 coordinates: 6 of the free root and 19 balls of 3.

    Ho, Komura & Lau 2005, section 4, state "20 segments with 63 DOFs", which just this makes.
    Chosen: pelvis, three segments of the back, neck and head; on each side clavicle, upper
    arm, forearm and hand, thigh, shank and foot. Knees and elbows are balls with narrow ranges
    to the sides.

    Args:
        stature: in metres.
        mass: in kilograms.
    """
    person = Person(
        "person_of_63", "20 segments, all joints balls (Ho et al. 2005)", stature=stature, mass=mass
    )
    back = ("lower_back", "middle_back", "upper_back")
    person.trunk({name: (name, joints.trunk(3)) for name in back}, root="free")
    person.neck({"neck": ("neck", joints.neck())}, joints.head_ball())
    for name, side in SIDES:
        person.arm(
            name,
            clavicle=joints.clavicle_ball(side),
            shoulder=joints.shoulder(side),
            elbow=joints.elbow_ball(side),
            wrist=joints.wrist_ball(side, pronates=False),
        )
        person.leg(
            name,
            hip=joints.hip(side),
            knee=joints.knee_ball(side),
            ankle=joints.ankle_ball(side),
        )
    _hang_arms(person, turning="elbow")
    return person.build()


@ready
def person_of_71(*, stature: float = 1.75, mass: float = 75.0) -> Figure:
    """71 coordinates, with arms of 2 + 3 + 1 + 3 + 2.

    Engell-Nørregård & Erleben 2011 state 71, and for an arm 2 in the collar bone, 3 in the
    shoulder, 1 in the elbow, 3 in the wrist and 2 in the hand: 22 for both. Chosen for the
    other 49: the free root 6; six joints of the back, two of the neck and the head, 27; for each
    leg hip 3, knee 1, ankle 3 and toes 1, 16. The hand's 2 are knuckles and thumb. The paper
    counts 71 limits either way; here the root has none, all 65 others have both.

    Args:
        stature: in metres.
        mass: in kilograms.
    """
    person = Person(
        "person_of_71",
        "arms of 2+3+1+3+2 (Engell-Nørregård & Erleben 2011)",
        stature=stature,
        mass=mass,
    )
    back = [f"back_{i}" for i in range(1, 7)]
    person.trunk({name: (name, joints.trunk(6)) for name in back}, root="free")
    necks = ("lower_neck", "upper_neck")
    person.neck({name: (name, joints.neck(2)) for name in necks}, joints.head_ball())
    for name, side in SIDES:
        person.arm(
            name,
            clavicle=joints.clavicle(side),
            shoulder=joints.shoulder(side),
            elbow=joints.elbow(),
            wrist=joints.wrist_ball(side),
            knuckles=joints.knuckles(),
            thumb=joints.thumb(side),
        )
        leg_of_8(person, name, side)
    _hang_arms(person)
    return person.build()


@ready
def upper_body_of_22(*, stature: float = 1.75, mass: float = 75.0) -> Figure:
    """An upper body with a grouped spine: 22 coordinates.

    Zhao & Badler 1994, Fig. 3 (left), state all of them: 17 vertebral joints grouped, 3; each
    shoulder complex grouped (elevation, abduction and twist), 6; elbows 2; wrists 6; neck 3;
    head 2. Chosen: how a shoulder's three parameters drive clavicle and upper arm, linearly,
    with elevation forward and abduction to the side, of which the clavicle takes a sixth.

    Args:
        stature: in metres.
        mass: in kilograms.
    """
    return _upper_body("upper_body_of_22", "grouped", stature, mass)


@ready
def upper_body_of_70(*, stature: float = 1.75, mass: float = 75.0) -> Figure:
    """An upper body with independent vertebrae: 70 coordinates.

    Zhao & Badler 1994, Fig. 3 (right): as `upper_body_of_22`, but all 17 · 3 coordinates of the
    spine are free, 48 more. The shoulders stay grouped.

    Args:
        stature: in metres.
        mass: in kilograms.
    """
    return _upper_body("upper_body_of_70", "independent", stature, mass)


@ready
def torso_arm_of_22(*, stature: float = 1.75, mass: float = 75.0) -> Figure:
    """A torso of five segments with a right arm: 22 coordinates.

    Zhao & Badler 1994, Figs. 6–8, state five segments for the torso and 22 from the waist to
    the hand. Chosen: five balls, 15, and an arm like that of their Fig. 3, shoulder 3, elbow 1,
    wrist 3. Bend and rotation of the torso are given a stiffness of 0.5 there for Fig. 8; here
    that is left to the user.

    Args:
        stature: in metres.
        mass: in kilograms.
    """
    person = Person(
        "torso_arm_of_22",
        "a torso of five segments and an arm (Zhao & Badler 1994, Figs. 6–8)",
        stature=stature,
        mass=mass,
    )
    person.trunk({each: (each, joints.trunk(5)) for each in _FIVE})
    _keep_stiff(person)
    person.arm("left")
    person.arm(
        "right",
        shoulder=joints.shoulder(-1.0),
        elbow=joints.elbow(),
        wrist=joints.wrist_ball(-1.0),
    )
    _hang_arms(person, "right")
    return person.build()


@ready
def arms_of_16(*, stature: float = 1.75, mass: float = 75.0) -> Figure:
    """Two arms of 8: 16 coordinates.

    Zhao & Badler 1989, Fig. 4, state 16 from the shoulders to the hands. Chosen for an arm:
    clavicle 1 (elevation), shoulder 3, elbow 1, wrist 3.

    Args:
        stature: in metres.
        mass: in kilograms.
    """
    description = "two arms of 8 (Zhao & Badler 1989, Fig. 4)"
    return _two_arms("arms_of_16", description, stature, mass, torso=STIFF)


@ready
def torso_arms_of_31(*, stature: float = 1.75, mass: float = 75.0) -> Figure:
    """A torso of five segments with two arms of 8: 31 coordinates.

    Zhao & Badler 1989, Fig. 5, state 31 for two hands that reach for a bar. Chosen: the arms of
    `arms_of_16` on five balls, the torso of `torso_arm_of_22`.

    Args:
        stature: in metres.
        mass: in kilograms.
    """
    description = "a torso of five segments and two arms of 8 (Zhao & Badler 1989, Fig. 5)"
    return _two_arms("torso_arms_of_31", description, stature, mass, torso=joints.trunk(5))


@ready
def box_carrier_of_10(*, stature: float = 1.75, mass: float = 75.0) -> Figure:
    """A person with a box in the right hand: 10 coordinates.

    Zhao & Badler 1989, Figs. 6–7, state 10 for one goal of position and orientation on a box
    that is held. Chosen: an arm of 8 as in `arms_of_16`, and flexion and rotation of the waist.
    The site `box` is in the box's middle.

    Args:
        stature: in metres.
        mass: in kilograms, the box's 2 kg not counted.
    """
    person = Person(
        "box_carrier_of_10",
        "an arm of 8 and a waist of 2, with a box (Zhao & Badler 1989, Figs. 6–7)",
        stature=stature,
        mass=mass,
    )
    waist = Elbow(
        flexion_limits=interval(-27.0, 80.0),
        twist_limits=interval(-45.0, 45.0),
        coordinates=("flexion", "rotation"),
    )
    person.trunk({"torso": ("waist", waist)})
    _keep_stiff(person)
    person.arm("left")
    _arm_of_8(person, "right", -1.0)
    person.sketch.rest("right_shoulder", abduction=5.0)
    person.sketch.rest("right_elbow", flexion=90.0)
    size = 0.11  # of stature; the box lies on the palm, which looks forward as it is drawn
    x, y, z = palm(-1.0)
    middle = (x + 0.5 * size, y, z)
    person.sketch.bone(
        "box",
        middle,
        [Box(middle, (size, size, size))],
        joint=("grip", STIFF, "right_hand"),
        mass=2.0 / person.mass,
        color="#9c7b4a",
    )
    person.sketch.site("box", "box", middle)
    return person.build()


def _upper_body(name: str, spine: str, stature: float, mass: float) -> Figure:
    description = f"an upper body with {spine} vertebrae (Zhao & Badler 1994, Fig. 3)"
    person = Person(name, description, stature=stature, mass=mass)
    levels = table("spine")["levels"]
    vertebrae = {
        level.split("_")[0]: (level, joints.vertebra(level))  # l5_s1 carries l5
        for level in levels
    }
    person.trunk(vertebrae, heights=[level["height"] for level in levels.values()])
    if spine == "grouped":
        _group_spine(person, list(levels))
    person.neck({"neck": ("neck", joints.neck())}, joints.head())
    for side, sign in SIDES:
        person.arm(
            side,
            clavicle=joints.clavicle(sign),
            shoulder=joints.shoulder(sign),
            elbow=joints.elbow(),
            wrist=joints.wrist_ball(sign),
            names=("sternoclavicular", "glenohumeral"),
        )
        person.leg(side)
        _group_shoulder(person, side, sign)
    _hang_arms(person, shoulders=False)
    rest = table("joints")["rest"]["arm"]
    for side, _ in SIDES:
        angles = {"elevation": rest["flexion"], "abduction": rest["abduction"]}
        person.sketch.rest(f"{side}_shoulder", **angles, twist=rest["internal"])
    return person.build()


def _group_spine(person: Person, levels: list[str]) -> None:
    """Three parameters, shared by range, so that all vertebrae reach their stops together."""
    ranges = [joints.vertebral_range(level) for level in levels]
    total = {name: sum(each[name] for each in ranges) for name in ranges[0]}
    members: dict[str, dict[str, float]] = {}
    for level, each in zip(levels, ranges, strict=True):
        members[f"{level}.swing_x"] = {"bend": each["lateral"] / total["lateral"]}
        members[f"{level}.swing_y"] = {"flexion": each["flexion"] / total["flexion"]}
        members[f"{level}.twist"] = {"rotation": each["axial"] / total["axial"]}
    parameters = {
        "flexion": interval(-total["extension"], total["flexion"]),
        "bend": interval(-total["lateral"], total["lateral"]),
        "rotation": interval(-total["axial"], total["axial"]),
    }
    person.sketch.group("spine", parameters, members)


def _group_shoulder(person: Person, side: str, sign: float) -> None:
    """Elevation, abduction and twist, from the anatomical position."""
    up, forward = table("shoulder")["clavicle"]["share_of_elevation"], 0.14
    start = -float(np.deg2rad(joints.SHOULDER_MIDDLE))  # of the chart, where the arm hangs
    clavicle, arm = f"{side}_sternoclavicular", f"{side}_glenohumeral"
    members = {
        f"{clavicle}.swing_x": {"abduction": sign * up},
        f"{clavicle}.swing_y": {"elevation": forward},
        f"{arm}.swing_x": (Monomial(sign * start, {}), _linear(sign * (1 - up), "abduction")),
        f"{arm}.swing_y": (Monomial(start, {}), _linear(1 - forward, "elevation")),
        f"{arm}.twist": {"twist": sign},
    }
    parameters = {
        "elevation": interval(-45.0, 145.0),
        "abduction": interval(-20.0, 145.0),
        "twist": interval(-70.0, 90.0),
    }
    person.sketch.group(f"{side}_shoulder", parameters, members)


def _linear(factor: float, parameter: str) -> Monomial:
    return Monomial(factor, {parameter: 1})


def _two_arms(
    name: str, description: str, stature: float, mass: float, *, torso: JointKind
) -> Figure:
    person = Person(name, description, stature=stature, mass=mass)
    person.trunk({each: (each, torso) for each in _FIVE})
    _keep_stiff(person)
    for side, sign in SIDES:
        _arm_of_8(person, side, sign)
    _hang_arms(person)
    return person.build()


def _arm_of_8(person: Person, side: str, sign: float) -> None:
    person.arm(
        side,
        clavicle=joints.clavicle_hinge(sign),
        shoulder=joints.shoulder(sign),
        elbow=joints.elbow(),
        wrist=joints.wrist_ball(sign),
    )


def _keep_stiff(person: Person) -> None:
    """Neck, head and legs as parts of the body."""
    person.neck({"neck": ("neck", STIFF)}, STIFF)
    for side, _ in SIDES:
        person.leg(side)


def leg_of_8(person: Person, name: str, side: float) -> None:
    """A leg of 3+1+3+1 coordinates: hip, knee, ankle and toes.

    Args:
        person: whose.
        name: "left" or "right".
        side: 1 for the left, −1 for the right.
    """
    person.leg(
        name,
        hip=joints.hip(side),
        knee=joints.knee(),
        ankle=joints.ankle_ball(side),
        toes=joints.toes(),
    )


def _hang_arms(person: Person, *sides: str, shoulders: bool = True, turning: str = "wrist") -> None:
    """Let arms hang at ease, the palms towards the thighs by the joint that turns them."""
    rest = table("joints")["rest"]
    arm, elbow = rest["arm"], rest["elbow"]
    for side in sides or ("left", "right"):
        if shoulders:
            angles = {"flexion": arm["flexion"], "abduction": arm["abduction"]}
            person.sketch.rest(f"{side}_shoulder", **angles, rotation=arm["internal"])
        person.sketch.rest(f"{side}_elbow", flexion=elbow["flexion"])
        person.sketch.rest(f"{side}_{turning}", rotation=elbow["pronation"])
