"""What `poise show` says of a scene."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from poise.cli.printing import say
from poise.cli.printing import table as new_table

if TYPE_CHECKING:
    from poise.scene import Handle, Scene
    from poise.solvers.recruiting import Joints


def show_scene(file: Path, scene: Scene) -> None:
    """Its figures, props, tasks and criteria, and what persons do by themselves."""
    from poise.figure.placements import counted

    console = Console()
    say(console, f"{file.name}: {scene.description or 'a scene'}")
    console.print()
    table = new_table("figure or prop", "what it is")
    for name, figure in scene.given.items():
        table.add_row(name, f"{counted(figure.n, 'coordinate')}, {figure.mass:.2f} kg")
    for name, thing in scene.props.items():
        x, y, z = thing.place.position.tolist()
        where = f"held by {thing.site}" if thing.is_held else f"at ({x:.3g}, {y:.3g}, {z:.3g})"
        table.add_row(name, f"{thing.prop.mass:.3g} kg, {where}")
    console.print(table)
    table = new_table("priority", "task", "what it wants", "target", "weight")
    table.columns[0].justify = table.columns[4].justify = "right"
    for handle in sorted(scene.handles.values(), key=lambda each: each.priority or math.inf):
        what, target = _wanted(scene, handle)
        rank = "–" if handle.priority is None else str(handle.priority)
        table.add_row(rank, Text(handle.name), Text(what), Text(target), f"{handle.weight:g}")
    console.print()
    console.print(table)
    line = _natural(scene)
    if line:
        console.print()
        say(console, line)


def _natural(scene: Scene) -> str:
    """What the scene adds for its persons; empty where there are none."""
    from poise.scene.priors import NATURAL_WEIGHT, priors_of
    from poise.tasks import Balance, Natural

    priors = priors_of(scene.given)
    if not priors:
        return ""
    active = [handle for handle in scene.handles.values() if handle.enabled]
    added = [handle.name for handle in active if isinstance(handle.wanted, Natural)]
    if not scene.natural:
        drawn = f"only by {', '.join(added)}" if added else "not"
        return f"natural: no, persons are {drawn} drawn to postures that people take"
    if added:
        told = f"natural: yes, by {', '.join(added)} among the criteria"
    else:
        stances = list(dict.fromkeys(s.name for prior in priors.values() for s in prior.stances))
        told = (
            f"natural: yes, {', '.join(priors)} drawn to postures that people take by the prior "
            f"that comes with poise ({', '.join(stances)}), weight {NATURAL_WEIGHT:g}"
        )
    balanced = any(isinstance(handle.wanted, Balance) for handle in active)
    return f"{told}; balanced persons also to the middle of their support" if balanced else told


def _wanted(scene: Scene, handle: Handle) -> tuple[str, str]:
    """What a task or criterion is about, and its target, in the words of scene files."""
    from poise.scene.files.kinds import first_field
    from poise.scene.files.postures import SharedPostures
    from poise.scene.files.values import written
    from poise.tasks.task import length_text, words

    wanted = handle.wanted
    fields = written(wanted, SharedPostures(scene.given, scene.has_several))
    margin = getattr(wanted, "margin", 0.0)
    if margin or "margin" in fields:  # files leave out one that is the default
        fields["margin"] = length_text(margin)
    target = fields.pop("target", None)
    first = first_field(type(wanted))
    told = [_told(fields.pop(first))] if first in fields else []
    told += [f"{name.replace('_', ' ')} {_told(value)}" for name, value in fields.items()]
    if handle.joints is not None:
        told.append(f"by {', '.join(_joints(handle.joints))}")
    if not handle.enabled:
        told.append("disabled")
    what = words(type(wanted).__name__).replace("_", " ")
    return f"{what}: {', '.join(told)}" if told else what, "" if target is None else _told(target)


def _joints(joints: Joints) -> list[str]:
    """Names, with their shares where they have some."""
    if isinstance(joints, Mapping):
        return [f"{name} × {_told(share)}" for name, share in joints.items()]
    return list(joints)


def _told(value: Any) -> str:
    """A value of a scene file in a line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return f"{round(value, 6) + 0.0:.4g}"  # what rounding has left of 0 is 0
    if isinstance(value, list):
        return f"({', '.join(map(_told, value))})"  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        parts: dict[str, Any] = value
        if set(parts) == {"position", "rotation"} and not any(parts["rotation"]):
            return _told(parts["position"])
        return ", ".join(f"{name} {_told(each)}" for name, each in parts.items())
    return str(value)
