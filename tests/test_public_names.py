"""The public names, all of them: a new one is a decision, and is told in the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import poise
from poise.closed import Attributes
from poise.scene import Handle, Iteration, Solution, Solutions, Trace
from poise.scene.forces import Forces

NAMES: dict[type, str] = {
    poise.Scene: """
        add animate arrange assess copy description figure figures forces given handles has_several
        hold load metres_per_radian natural options origins place places posture postures props q
        release remove save solve solve_many stand tasks together
    """,
    Handle: "enabled joints name priority remove target wanted weight",
    Solution: """
        contacts iterations level_errors met notes optimality places posture postures props q
        seconds stances status tasks together torques trace wanted
    """,
    Trace: "count index method plot priorities tolerance",
    Iteration: "errors number phase priority radius step",
    Solutions: """
        count errors index iterations met met_tasks names notes optimality q seconds status units
    """,
    Forces: """
        acting applied apply borne clear diagram distribute person reactions remove set_person
        set_strength strength strongest support supports torques use
    """,
    poise.Figure: """
        bounds broken_limits center_of_mass center_of_mass_jacobian clamp coordinates
        couplings description frame ghosts groups index indices inertia inertia_gradient
        jacobian joints limbs lock locked locked_names lower mass members n name overlaps
        packed place posture postures q_of range recipe rest root_coordinates rooted_at save
        segment_of segments sites skin span stated_limbs stiffness twin unlock upper
        violation vouch_for with_limbs with_outline with_site within_limits
    """,
    poise.Posture: "angles blend copy figure keys mirrored q set_angles with_q",
}

POISE = """
    Builder Clip Figure PoiseError PoiseWarning Posture Prop Scene __version__ arms_of_16 bird box
    box_carrier_of_10 catalogue chain compare cylinder export figure formats hand human load
    load_clip mesh models motion person_of_63 person_of_71 picture pictures planar_person quadruped
    scene shoulder_complex solvers sphere statics tasks torso_arm_of_22 torso_arms_of_31
    upper_body_of_22 upper_body_of_70
"""


def public(owner: type) -> set[str]:
    """What a class has that does not begin with an underscore."""
    declared = set[str]().union(*Attributes.of(owner))
    return {name for name in {*dir(owner), *declared} if name[0] != "_"}


@pytest.mark.parametrize("owner", NAMES)
def test_a_class_has_the_public_names_that_were_decided_on(owner: type) -> None:
    assert sorted(public(owner)) == NAMES[owner].split()


def test_poise_has_the_public_names_that_were_decided_on() -> None:
    assert sorted(dir(poise)) == POISE.split()


@pytest.mark.parametrize(
    "owner", [poise.Scene, Handle, Solution, Trace, Iteration, Solutions, Forces]
)
def test_every_public_name_of_a_scene_and_its_results_is_told_in_the_docs(owner: type) -> None:
    root = Path(__file__).parents[1]
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    told = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    inherited = {"count", "index"}  # of every sequence
    left = [name for name in public(owner) if not re.search(rf"[.`]{name}\b", told)]
    assert set(left) <= inherited
