"""The names that a user chooses from: places, joints by limb, figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.figure.naming import movable
from poise.scene.solving import context_of
from poise.studio.limbs import limb_of

if TYPE_CHECKING:
    from poise.studio.session import Session


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
    """Joints and groups that can be moved, by limb; a limb goes by its first segment.

    Members of a group are moved by the group, and not named.
    """
    figure = context_of(session.scene).figure
    limbs: dict[str, list[str]] = {}
    for name in movable(figure):
        joint = name
        if name in figure.groups:
            joint = next(iter(figure.groups[name].terms)).partition(".")[0]
        limb = limb_of(figure, figure.joints[joint].child) or "trunk"
        limbs.setdefault(limb.replace("_", " "), []).append(name)
    return limbs
