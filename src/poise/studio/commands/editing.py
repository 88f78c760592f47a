"""Tasks that become others: other parameters, another type, another name."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from poise.errors import unknown_name
from poise.figure import Transform
from poise.scene import Handle, Scene
from poise.scene.files.kinds import classes
from poise.scene.files.postures import SharedPostures
from poise.scene.files.values import described, written
from poise.studio.task_types import task_types
from poise.tasks.task import Criterion, Task, rides, words

PIN = "pin "
"""What the name of a pin begins with; its site follows."""


def handle_of(scene: Scene, name: str) -> Handle:
    """The task or criterion of a name."""
    if name not in scene.handles:
        raise unknown_name("task", name, scene.handles)
    return scene.handles[name]


# names ---------------------------------------------------------------------------------------


def stem_of(handle: Handle) -> str:
    """What a task is called that nobody has named: its site, or its kind."""
    wanted = handle.wanted
    return str(getattr(wanted, "site", words(type(wanted).__name__)))


def prefix_of(handle: Handle) -> str | None:
    """What stands before the stem in a name that nobody has chosen; None where somebody has."""
    for prefix in ("", PIN):
        if re.fullmatch(re.escape(prefix + stem_of(handle)) + r"(_\d+)?", handle.name):
            return prefix
    return None


def free_name(scene: Scene, stem: str) -> str:
    """A name that no task has."""
    name, count = stem, 1
    while name in scene.handles:
        count += 1
        name = f"{stem}_{count}"
    return name


# parameters ----------------------------------------------------------------------------------


def edited(
    scene: Scene, handle: Handle, parameters: Mapping[str, Any], type: str | None = None
) -> Any:
    """A task or criterion with other parameters, as in a scene file; None for the default.

    Of another type it keeps what both have, and of its target what that means to both.
    """
    postures, own = shared_postures(scene), words(handle.wanted.__class__.__name__)
    fields = written(handle.wanted, postures)
    if type is None or type == own:
        return described(own, _with(fields, parameters), postures)
    known = classes(Criterion if isinstance(handle.wanted, Criterion) else Task)
    if type not in known:
        raise unknown_name("type", type, known)
    allowed = {field.name for field in dataclasses.fields(known[type])}
    kept = {name: value for name, value in fields.items() if name in allowed - {"target"}}
    if "target" not in parameters and "target" in allowed:
        kept |= _kept_target(scene, handle.wanted, type, fields, postures)
    return described(type, _with(kept, parameters), postures)


def _with(fields: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    reset = {name for name, value in parameters.items() if value is None}
    return {name: value for name, value in {**fields, **parameters}.items() if name not in reset}


_TARGETS = {"point": {"position"}, "rotation": {"rotation"}, "place": {"position", "rotation"}}
"""What targets of each form say."""


def _kept_target(
    scene: Scene, wanted: Any, type: str, fields: Mapping[str, Any], postures: SharedPostures
) -> dict[str, Any]:
    """The target for a task of another type, as in a scene file; nothing where it means nothing.

    A place has a position and a rotation; what it is not told is as the site is now.
    """
    forms = [_target_form(each) for each in (words(wanted.__class__.__name__), type)]
    had, wants = (_TARGETS.get(each, set[str]()) for each in forms)
    target, site = fields.get("target"), getattr(wanted, "site", None)
    if not had & wants or target is None:
        return {}
    if rides(wanted.target) or forms[0] == forms[1]:
        return {"target": target}
    value: Any = wanted.target
    now = scene.places[site] if site is not None else Transform(np.eye(3), np.zeros(3))
    if forms[0] == "point":
        now = Transform(now.rotation, np.array(value))
    elif forms[0] == "rotation":
        now = Transform(np.array(value), now.position)
    else:
        now = value
    task = described(type, {"site": site}, postures).with_target(now)
    return {"target": written(task, postures)["target"]}


def _target_form(type: str) -> str:
    fields = task_types()[type].fields
    return next((each.form for each in fields if each.name == "target"), "")


def parameters_of(scene: Scene, handle: Handle) -> dict[str, Any]:
    """The parameters of a task or criterion as in a scene file; those with defaults left out."""
    return written(handle.wanted, shared_postures(scene))


def shared_postures(scene: Scene) -> SharedPostures:
    """How postures are named in the parameters of a scene's tasks."""
    return SharedPostures(scene.given if scene.has_several else scene.figures, scene.has_several)
