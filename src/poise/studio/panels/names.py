"""The names that a user chooses from: places, joints by limb, figures."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from poise.figure.limbs import joints_of_limb
from poise.figure.naming import has_joint, movable
from poise.scene.solving import context_of
from poise.studio.panels.widgets import words_of

if TYPE_CHECKING:
    from poise.studio.session import Session


NO_LIMB = "in no limb"
"""What the joints are listed under that no limb has, as a free root."""


def places(session: Session) -> dict[str | None, str]:
    """All named frames: sites first, then segments, then joints; a name stands for the first."""
    figure = context_of(session.scene).figure
    result: dict[str | None, str] = {name: name for name in figure.sites}
    for names, what in ((figure.segments, "segment"), (figure.joints, "joint")):
        result |= {name: f"{name} ({what})" for name in names if name not in result}
    return result


def figures(session: Session) -> list[str]:
    """The names of the figures, where there are several; else none."""
    scene = session.scene
    return list(scene.figures) if scene.has_several else []


def joints_by_limb(session: Session) -> dict[str, list[str]]:
    """Joints and groups that can be moved, by limb, each in the first that has some of it.

    Members of a group are moved by the group, and not named. What is in no limb comes last.
    """
    figure = context_of(session.scene).figure
    limb_of = {
        coordinate.rpartition(".")[0]: limb
        for limb, own in reversed(list(figure.limbs.items()))
        for coordinate in own
    }
    limbs: dict[str, list[str]] = {limb: [] for limb in figure.limbs}
    for name in movable(figure):
        limbs.setdefault(limb_of.get(name, NO_LIMB), []).append(name)
    return {limb: joints for limb, joints in limbs.items() if joints}


def listed_joints(names: Collection[str]) -> str:
    """Which joints, groups or limbs were chosen, in few words."""
    return words_of(next(iter(names))) if len(names) == 1 else f"{len(names)} joints or limbs"


def named_limbs(session: Session) -> dict[str, list[str]]:
    """The joints of each limb whose name means it, and not a joint or group of the same name."""
    figure = context_of(session.scene).figure
    return {
        limb: joints_of_limb(figure, limb) for limb in figure.limbs if not has_joint(figure, limb)
    }
