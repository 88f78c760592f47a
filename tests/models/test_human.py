from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError
from poise.figure.transform import rotation_matrix
from poise.models.body_masses import body_masses
from poise.models.proportions import LEVELS, VERTEBRAE, Proportions, usual_mass
from poise.models.shoulder import arm_parameters, member_values, shoulder_joint
from poise.models.spine import ranges
from poise.models.tables import table

# The 5th, 50th and 95th percentile of ANSUR II.
PEOPLE = [
    (stature, sex)
    for sex, statures in (("male", (1.648, 1.755, 1.870)), ("female", (1.525, 1.626, 1.740)))
    for stature in statures
]
VARIANTS: list[dict[str, Any]] = [
    {},
    {"spine": "independent"},
    {"shoulders": "independent"},
    {"hands": True},
    {"spine": "independent", "shoulders": "independent", "hands": True, "root": "fixed"},
]
SIDED = (*("hand", "palm", "fingertip", "elbow", "shoulder", "hip", "knee", "foot", "heel", "toe"),)
DEGREES = np.pi / 180


def segments_of(figure, part):
    return [figure.segments[name] for name in (f"left_{part}", f"right_{part}")]


def mass_of(figure, *names):
    return sum(figure.segments[name].mass for name in names)


@pytest.mark.parametrize(("stature", "sex"), PEOPLE)
def test_it_stands_on_flat_feet_as_tall_as_it_was_asked_for(stature, sex):
    figure = poise.human(stature, sex)
    where = figure.place(figure.rest())
    for side in ("left", "right"):
        for site in ("foot", "heel", "toe"):
            frame = where[f"{side}_{site}"]
            assert abs(frame.position[2]) < 1e-9
            assert frame.rotation[:, 2] == pytest.approx([0, 0, -1], abs=1e-12)
    assert where["head_top"].position[2] == pytest.approx(stature, abs=1e-3)
    assert where["eyes"].rotation[:, 0] == pytest.approx([1, 0, 0], abs=1e-12)


@pytest.mark.parametrize(("stature", "sex"), PEOPLE)
def test_the_centre_of_mass_of_a_standing_person_is_at_55_to_57_percent_over_the_feet(stature, sex):
    figure = poise.human(stature, sex)
    rest = figure.rest()
    x, y, z = figure.center_of_mass(rest)
    where = figure.place(rest)
    assert 0.55 <= z / stature <= 0.57
    assert abs(y) < 1e-12
    ankle = where["left_ankle"].position[0]
    assert ankle + 0.01 < x < where["left_toes"].position[0] - 0.05


@pytest.mark.parametrize(("stature", "sex"), PEOPLE)
def test_masses_are_those_of_the_table(stature, sex):
    figure = poise.human(stature, sex, mass=70)
    rows = table("body_segments")["segments"]
    column = 0 if sex == "male" else 1
    share = {name: row["mass"][column] / 100 for name, row in rows.items()}
    assert figure.mass == pytest.approx(70, rel=1e-12)
    trunk = mass_of(figure, "pelvis", *VERTEBRAE, "left_clavicle", "right_clavicle")
    parts = share["upper_trunk"] + share["middle_trunk"] + share["lower_trunk"]
    assert trunk == pytest.approx(70 * parts, rel=2e-4)
    assert mass_of(figure, "head", "neck") == pytest.approx(70 * share["head"], rel=2e-4)
    for part in ("upper_arm", "forearm", "hand", "thigh", "shank"):
        for segment in segments_of(figure, part):
            assert segment.mass == pytest.approx(70 * share[part], rel=2e-4)
    for side in ("left", "right"):
        foot = mass_of(figure, f"{side}_foot", f"{side}_toes")
        assert foot == pytest.approx(70 * share["foot"], rel=2e-4)


@pytest.mark.parametrize("sex", ["male", "female"])
def test_shared_out_parts_keep_their_centre_and_their_moments(sex):
    person = Proportions(1.7, sex, usual_mass(1.7, sex))
    bodies = body_masses(person)
    rows = table("body_segments")["segments"]
    column = 0 if sex == "male" else 1
    head = [bodies["head"], bodies["neck"]]
    length = person.stature - person.length("cervicale_height")
    mass = sum(body.mass for body in head)
    center = np.sum([body.mass * body.center for body in head], axis=0) / mass
    assert (person.stature - center[2]) / length == pytest.approx(
        rows["head"]["centre"][column] / 100
    )
    moments = sum(
        body.moments
        + body.mass * (np.sum((body.center - center) ** 2) - (body.center - center) ** 2)
        for body in head
    )
    gyration = np.sqrt(moments / mass) / length * 100
    assert gyration == pytest.approx(rows["head"]["gyration"][sex])
    trunk = [bodies[name] for name in ("pelvis", *VERTEBRAE)]
    assert all(body.mass > 0 for body in trunk)
    assert all((body.moments > 0).all() for body in bodies.values())


@pytest.mark.parametrize("sex", ["male", "female"])
@pytest.mark.parametrize(("stature", "mass"), [(1.2, 25), (1.2, 250), (2.2, 25), (2.2, 250)])
def test_the_ends_of_the_allowed_sizes_can_be_built(stature, mass, sex):
    figure = poise.human(stature, sex, mass=mass)
    assert figure.mass == pytest.approx(mass)
    assert figure.within_limits(figure.rest())


def test_the_usual_mass_is_that_of_the_mean_body_mass_index():
    for column, sex in enumerate(("male", "female")):
        index = table("anthropometry")["body_mass_index"]["mean"][column]
        assert poise.human(1.8, sex).mass == pytest.approx(index * 1.8**2)


def test_without_a_stature_it_is_an_average_man_or_woman():
    assert poise.human().description == poise.human(1.75).description
    assert poise.human(sex="female").description == "a woman of 1.63 m and 67.8 kg"
    assert poise.human(sex="female").mass == pytest.approx(usual_mass(1.63, "female"))


def test_an_arm_is_set_by_clinical_angles_of_its_shoulder_as_the_independent_one():
    grouped, free = poise.human(), poise.human(shoulders="independent")
    for side in ("left", "right"):
        a, b = grouped.rest(), free.rest()
        wanted = {"flexion": 1.2, "abduction": 0.4, "rotation": 0.3}
        a.set_angles(f"{side}_shoulder", **wanted)
        assert a.angles(f"{side}_shoulder") == pytest.approx(wanted, abs=1e-9)
        b.set_angles(f"{side}_shoulder", **wanted)
        b.set_angles(f"{side}_clavicle", **a.angles(f"{side}_clavicle"))
        hand = grouped.place(a)[f"{side}_hand"].position
        assert hand == pytest.approx(free.place(b)[f"{side}_hand"].position, abs=1e-9)


def test_a_heavier_person_is_thicker_and_not_longer():
    lean, stout = poise.human(mass=60), poise.human(mass=110)
    for part in ("thigh", "upper_arm"):
        a, b = lean.segments[f"left_{part}"], stout.segments[f"left_{part}"]
        assert b.shapes[0].start_radius > 1.2 * a.shapes[0].start_radius
    assert stout.joints["left_knee"].position == pytest.approx(lean.joints["left_knee"].position)


@pytest.mark.parametrize("options", VARIANTS)
def test_rest_is_well_within_limits_and_its_own_mirror_image(options):
    figure = poise.human(**options)
    rest = figure.rest()
    assert figure.within_limits(rest, tolerance=1e-12)
    assert rest.mirrored().q == pytest.approx(rest.q, abs=1e-9)


@pytest.mark.parametrize("options", VARIANTS)
def test_rest_looks_the_same_in_all_variants(options):
    plain, other = poise.human(), poise.human(**options)
    a, b = plain.place(plain.rest()), other.place(other.rest())
    for site in ("head_top", "left_palm", "right_hand", "left_elbow", "right_toe", "chest"):
        assert b[site].position == pytest.approx(a[site].position, abs=1e-9)
        assert b[site].rotation == pytest.approx(a[site].rotation, abs=1e-9)


def test_the_number_of_coordinates_is_that_of_the_joints():
    assert poise.human().n == 6 + 3 + 3 + 2 + 2 * (3 + 2 + 2) + 2 * (3 + 1 + 2 + 1)
    assert poise.human(spine="independent").n == poise.human().n + 17 * 3 - 3
    assert poise.human(shoulders="independent").n == poise.human().n + 2 * 2
    assert poise.human(hands=True).n == poise.human().n + 2 * 20
    assert poise.human(root="fixed").n == poise.human().n - 6


def test_left_and_right_mirror_each_other():
    figure = poise.human(hands=True)
    random = np.random.default_rng(3)
    posture = figure.posture(figure.rest().q + 0.05 * random.standard_normal(figure.n))
    mirrored = posture.mirrored()
    a, b = figure.place(posture), figure.place(mirrored)
    for site in ("hand", "index_tip", "thumb_tip", "toe", "knee"):
        image = a[f"left_{site}"].position * [1, -1, 1]
        assert b[f"right_{site}"].position == pytest.approx(image, abs=1e-9)
    assert figure.center_of_mass(mirrored) == pytest.approx(
        figure.center_of_mass(posture) * [1, -1, 1], abs=1e-9
    )


@pytest.mark.parametrize(
    ("parameter", "share"), [("flexion", 0.8), ("flexion", -1.0), ("axial", 1)]
)
def test_grouped_and_independent_spines_bend_alike(parameter, share):
    grouped, free = poise.human(), poise.human(spine="independent")
    a, b = grouped.rest(), free.rest()
    limits = dict(
        zip(grouped.coordinates, zip(grouped.lower, grouped.upper, strict=True), strict=True)
    )
    low, high = limits[f"spine.{parameter}"]
    a[f"spine.{parameter}"] = share * high if share > 0 else -share * low
    for level, own in ranges().items():
        name, end = {
            "flexion": ("swing_y", own.flexion if share > 0 else own.extension),
            "axial": ("twist", own.axial),
        }[parameter]
        b[f"{level}.{name}"] = share * end
    assert grouped.within_limits(a)
    assert free.within_limits(b)
    for name in ("head_top", "left_hand", *VERTEBRAE):
        p, q = grouped.place(a)[name], free.place(b)[name]
        assert p.position == pytest.approx(q.position, abs=1e-12)
        assert p.rotation == pytest.approx(q.rotation, abs=1e-12)


def test_the_spine_bends_as_far_as_its_table_says_and_no_joint_further():
    figure = poise.human()
    posture = figure.rest()
    high = figure.upper[figure.span("spine")]
    assert high / DEGREES == pytest.approx([81.15, 63.2, 44.5], abs=0.1)
    assert figure.lower[figure.index("spine.flexion")] / DEGREES == pytest.approx(-27.05, abs=0.1)
    for sign in (1, -1):
        posture["spine"] = np.where(sign > 0, high, figure.lower[figure.span("spine")])
        assert figure.within_limits(posture)
        members = figure.members(posture)
        for level, own in ranges().items():
            end = own.flexion if sign > 0 else -own.extension
            assert members[f"{level}.swing_y"] == pytest.approx(end)
            assert members[f"{level}.twist"] == pytest.approx(sign * own.axial)
        posture["spine"] = 1.01 * np.asarray(posture["spine"])
        assert not figure.within_limits(posture)


def test_positive_spine_angles_bend_forward_to_the_left_and_turn_to_the_left():
    figure = poise.human()
    straight = figure.place(figure.rest())["head_top"].position
    for parameter, axis in (("flexion", 0), ("lateral", 1)):
        posture = figure.rest()
        posture[f"spine.{parameter}"] = 0.3
        assert figure.place(posture)["head_top"].position[axis] > straight[axis] + 0.1
    posture = figure.rest()
    posture["spine.axial"] = 0.3
    assert figure.place(posture)["eyes"].rotation[1, 0] == pytest.approx(np.sin(0.3), abs=1e-3)


@pytest.mark.parametrize("elevation", [30, 60, 90])
def test_the_shoulder_complex_raises_the_arm_by_its_elevation(elevation):
    figure = poise.human()
    for side, sign in (("left", 1), ("right", -1)):
        posture = figure.rest()
        posture[f"{side}_shoulder_complex"] = np.deg2rad([elevation, 0, 0])
        arm = -figure.place(posture)[f"{side}_upper_arm"].rotation[:, 2]
        # The clavicle's axes are the body's, not the arm's: the plane is kept within some degrees.
        assert np.arccos(-arm[2]) / DEGREES == pytest.approx(elevation, abs=3)
        azimuth = np.arctan2(sign * arm[1], arm[0]) / DEGREES
        assert azimuth == pytest.approx(table("shoulder")["chart"]["azimuth"], abs=20)


def test_an_arm_can_point_straight_up_ahead_to_the_side_and_back():
    figure = poise.human()
    for swing in ((0, -172), (0, -90), (90, 0), (160, 0), (0, 50), (60, -60)):
        turn = poise.figure.transform.rotation_matrix([swing[0] * DEGREES, swing[1] * DEGREES, 0])
        posture = figure.rest()
        free = arm_parameters(turn)
        assert any(
            _valid(figure, posture, [free[0], free[1], twist])
            for twist in np.linspace(-2.0, 2.5, 60)
        ), swing


def _valid(figure, posture, parameters):
    posture["left_shoulder_complex"] = parameters
    return figure.within_limits(posture)


def test_grouped_shoulders_are_at_zero_in_the_anatomical_position():
    figure = poise.human()
    posture = figure.rest()
    for side in ("left", "right"):
        posture[f"{side}_shoulder_complex"] = 0, 0, 0
        assert figure.place(posture)[f"{side}_upper_arm"].rotation == pytest.approx(
            np.eye(3), abs=1e-12
        )


def test_grouped_shoulders_take_up_the_limits_of_their_joints():
    figure = poise.human()
    posture = figure.rest()
    posture["left_shoulder_complex"] = np.deg2rad([90, 0, 40])
    assert figure.within_limits(posture)
    posture["left_shoulder_complex"] = np.deg2rad([100, 110, 40])
    assert not figure.within_limits(posture)


@pytest.mark.parametrize("degrees", [(100, 110, 40), (0, 0, 150), (150, -80, 0)])
def test_a_grouped_shoulder_beyond_its_limits_can_be_clamped(degrees):
    figure = poise.human()
    posture = figure.rest()
    posture["left_shoulder_complex"] = np.deg2rad(degrees)
    assert figure.within_limits(figure.clamp(posture))


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_the_vertices_of_the_arms_reach_are_on_the_edge_of_its_polygon(side):
    joint = shoulder_joint(side)
    figure = poise.human()
    name = "left" if side > 0 else "right"
    for row in table("shoulder")["reach"]:
        plane, elevation = np.deg2rad([row["plane"], row["elevation"]])
        arm = np.array(
            [
                np.sin(elevation) * np.sin(plane),
                side * np.sin(elevation) * np.cos(plane),
                -np.cos(elevation),
            ]
        )
        swing = np.cross((0, 0, -1), arm)
        swing *= np.arctan2(np.linalg.norm(swing), -arm[2]) / np.linalg.norm(swing)
        left = swing * [side, 1, side]
        parameters = arm_parameters(poise.figure.transform.rotation_matrix(left))
        posture = figure.rest()
        posture[f"{name}_shoulder_complex"] = parameters
        placed = figure.place(posture)
        chest = placed["t3"].rotation
        assert -chest.T @ placed[f"{name}_upper_arm"].rotation[:, 2] == pytest.approx(arm, abs=1e-9)
        sx, sy, _ = member_values(parameters, side)["shoulder"]
        edge = joint.swing[0].boundary()
        assert np.hypot(*(edge - [sx, sy]).T).min() < 1e-6


@pytest.mark.parametrize("side", ["left", "right"])
def test_clinical_angles_move_limbs_as_clinicians_mean(side):
    figure = poise.human(shoulders="independent")
    sign = 1 if side == "left" else -1
    start = figure.place(figure.rest())
    for joint, angle, site, axis, direction in (
        ("shoulder", "flexion", "elbow", 0, 1),
        ("shoulder", "abduction", "elbow", 1, sign),
        ("hip", "flexion", "knee", 0, 1),
        ("hip", "abduction", "knee", 1, sign),
        ("wrist", "flexion", "fingertip", 1, -sign),
        ("wrist", "radial_deviation", "fingertip", 0, 1),
        ("ankle", "dorsiflexion", "toe", 2, 1),
        ("clavicle", "elevation", "shoulder", 2, 1),
        ("clavicle", "protraction", "shoulder", 0, 1),
    ):
        posture = figure.rest()
        before = posture.angles(f"{side}_{joint}")[angle]
        posture.set_angles(f"{side}_{joint}", **{angle: before + 0.2})
        moved = figure.place(posture)[f"{side}_{site}"].position - start[f"{side}_{site}"].position
        assert direction * moved[axis] > 0.01, (joint, angle, moved)
    posture = figure.rest()
    posture.set_angles(f"{side}_hip", rotation=0.3)
    inward = figure.place(posture)[f"{side}_toe"].position - start[f"{side}_toe"].position
    assert sign * inward[1] < -0.02
    posture = figure.rest()
    posture.set_angles(f"{side}_ankle", eversion=0.2)
    outward = figure.place(posture)[f"{side}_foot"].rotation[:, 2]
    assert sign * outward[1] > 0.1


def test_the_palms_face_the_thighs_and_the_elbows_are_a_little_bent():
    figure = poise.human()
    where = figure.place(figure.rest())
    for side, sign in (("left", 1), ("right", -1)):
        assert sign * where[f"{side}_palm"].rotation[1, 2] < -0.9
        assert where[f"{side}_hand"].position[0] > where[f"{side}_elbow"].position[0] + 0.02
        gap = abs(where[f"{side}_hand"].position[1]) - abs(where[f"{side}_hip"].position[1])
        assert 0.1 < gap < 0.25


def test_the_hamstrings_let_a_straight_leg_go_up_by_70_degrees():
    figure = poise.human()
    posture = figure.rest()
    posture["left_knee"] = 0
    posture["left_ankle"] = 0, 0
    posture.set_angles("left_hip", flexion=69 * DEGREES, abduction=0, rotation=0)
    assert figure.within_limits(posture)
    posture.set_angles("left_hip", flexion=71 * DEGREES)
    assert not figure.within_limits(posture)
    posture["left_knee"] = 60 * DEGREES
    posture.set_angles("left_hip", flexion=117 * DEGREES)
    assert figure.within_limits(posture)


def test_the_calf_lets_the_foot_up_further_when_the_knee_is_bent():
    figure = poise.human()
    posture = figure.rest()
    for knee, allowed in ((0, 12), (90, 22)):
        posture["left_knee"] = knee * DEGREES
        posture["left_ankle"] = 0, (allowed - 0.5) * DEGREES
        assert figure.within_limits(posture)
        posture["left_ankle"] = 0, (allowed + 0.5) * DEGREES
        assert not figure.within_limits(posture)


def test_all_sites_are_there_and_soles_and_palms_have_an_outline():
    for hands in (False, True):
        figure = poise.human(hands=hands)
        sided = {f"{side}_{site}" for side in ("left", "right") for site in SIDED}
        assert sided | {"eyes", "head_top", "pelvis", "chest"} <= set(figure.sites)
        for site in ("left_foot", "right_foot", "left_palm", "right_palm"):
            x, y = np.array(figure.sites[site].outline).T
            area = 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
            assert area > 0.003, site


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_sole_reaches_from_heel_to_toe_and_is_wider_inside_at_the_ball(side):
    figure = poise.human()
    where = figure.place(figure.rest())
    sole = where[f"{side}_foot"]
    points = sole.apply([(x, y, 0) for x, y in figure.sites[f"{side}_foot"].outline])
    heel, toe = where[f"{side}_heel"].position, where[f"{side}_toe"].position
    along = (toe - heel) / np.linalg.norm(toe - heel)
    reach = (points - heel) @ along
    assert reach.min() == pytest.approx(0, abs=1e-9)
    assert reach.max() == pytest.approx(np.linalg.norm(toe - heel), abs=1e-9)
    across = np.array([-along[1], along[0], 0]) * (1 if side == "left" else -1)
    foremost = points[np.argmax(reach)] - heel
    assert foremost @ across < 0  # the great toe is on the inner side


@pytest.mark.parametrize(("stature", "sex"), PEOPLE)
def test_the_shapes_stand_on_the_floor_and_reach_the_stature(stature, sex):
    figure = poise.human(stature, sex)
    where = figure.place(figure.rest())
    lowest, highest = np.inf, -np.inf
    for name, segment in figure.segments.items():
        node, place = figure.packed.segments[name]
        frame = place if node == 0 else where[name]
        if name in figure.sites:  # a site of that name comes first in a look-up
            frame = where[name] @ figure.sites[name].place.inverse()
        for shape in segment.shapes:
            if shape.kind == "ellipsoid":
                half = np.linalg.norm(frame.rotation[2] * shape.radii)
                ends = [(shape.center, half)]
            elif shape.kind == "sphere":
                ends = [(shape.center, shape.radius)]
            else:
                ends = [(shape.start, shape.start_radius), (shape.end, shape.end_radius)]
            for center, half in ends:
                height = frame.apply(center)[2]
                lowest, highest = min(lowest, height - half), max(highest, height + half)
    assert lowest == pytest.approx(0, abs=1e-3)
    assert highest == pytest.approx(stature, abs=3e-3)


def test_every_segment_of_the_trunk_touches_the_next():
    figure = poise.human()
    for lower, upper in pairwise(VERTEBRAE):
        a, b = figure.segments[lower].shapes[0], figure.segments[upper].shapes[0]
        joint = next(j for j in figure.joints.values() if j.child == upper)
        apart = np.add(joint.position, b.center)[2] - a.center[2]
        assert apart < 0.8 * (a.radii[2] + b.radii[2])


@pytest.mark.parametrize("sex", ["male", "female"])
def test_the_neck_turns_in_its_collar_which_leaves_the_throat_bare(sex):
    figure = poise.human(sex=sex)
    base = figure.segments["neck"].shapes[0]
    assert np.linalg.norm(base.start) < 0.01  # else a bent neck would rise out of the shirt
    where, collar = figure.place(figure.rest()), figure.segments["t1"].shapes[0]
    turn = where.segment("t1").rotation @ rotation_matrix(collar.rotation)
    middle = where.segment("t1").apply(collar.center)
    front, back = (middle + sign * collar.radii[0] * turn[:, 0] for sign in (1, -1))
    assert front[2] < back[2] - 0.03
    face = figure.segments["head"].shapes
    chin = min(where.segment("head").apply(s.end)[2] - s.end_radius for s in face[2:4])
    assert front[2] < chin - 0.02


@pytest.mark.parametrize("sex", ["male", "female"])
def test_the_sleeve_ends_in_a_clear_edge(sex):
    # Two round surfaces that meet at a small angle are cut into teeth where their facets cross.
    figure = poise.human(sex=sex)
    sleeve = figure.segments["left_upper_arm"].shapes[-1].end_radius
    arm = figure.segments["left_forearm"].shapes[0]
    length = np.linalg.norm(np.subtract(arm.end, arm.start))
    along = np.linspace(0, 1, 1001) * length
    thick = arm.start_radius + (arm.end_radius - arm.start_radius) * along / length
    edge = np.argmax(np.hypot(along, thick) > sleeve)
    between = np.arccos(thick[edge] / sleeve) - np.arcsin((thick[-1] - thick[0]) / length)
    assert np.rad2deg(between) > 15


def test_joint_names_are_those_of_the_levels():
    figure = poise.human()
    assert LEVELS[0] == "l5_s1"
    assert LEVELS[-1] == "t1_t2"
    assert len(LEVELS) == 17
    for level, vertebra in zip(LEVELS, VERTEBRAE, strict=True):
        assert figure.joints[level].child == vertebra


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"stature": 175},
            r"1.2 and 2.2 metres, not 175; 175 cm would be 1.75",
        ),
        ({"stature": 1750}, r"not 1750; 1750 mm would be 1.75"),
        ({"stature": 0.9}, r"stature must be between 1.2 and 2.2 metres, not 0.9$"),
        ({"stature": "tall"}, r"stature \(m\) must be a number, not 'tall'"),
        ({"stature": float("nan")}, r"stature \(m\) must be a finite number"),
        ({"sex": "man"}, r"sex must be 'male' or 'female', not 'man'"),
        ({"mass": 20}, r"mass must be between 25 and 250 kg, not 20"),
        ({"mass": 300}, r"mass must be between 25 and 250 kg, not 300"),
        ({"mass": "heavy"}, r"mass \(kg\) must be a number, not 'heavy'"),
        ({"spine": "stiff"}, r"spine must be 'grouped' or 'independent', not 'stiff'"),
        ({"shoulders": True}, r"shoulders must be 'grouped' or 'independent', not True"),
        ({"hands": "yes"}, r"hands must be True or False, not 'yes'"),
        ({"root": "left_foot"}, r"root must be 'free' or 'fixed', not 'left_foot'"),
    ],
)
def test_wrong_arguments_are_told(arguments, message):
    with pytest.raises(PoiseError, match=message):
        poise.human(**arguments)
