"""How tasks stand, in the words and colours of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from poise.scene import Report, Scene, Solution
from poise.solvers.recruiting import Joints
from poise.studio.dragging import DRAG
from poise.tasks.task import Error, Task, words

State = Literal["met", "partly", "failed", "off"]

_NEARLY = {"m": 0.01, "rad": 0.0175, "N·m": 1.0}
"""An error up to this (1 cm, 1°, 1 N·m) is met in part."""


@dataclass(frozen=True)
class TaskReport:
    """A task or criterion as the page lists it."""

    name: str
    type: str
    """As in scene files."""
    priority: int | None
    """None for a criterion."""
    weight: float
    enabled: bool
    joints: Joints | None
    error: float | None
    """In `unit`; None where it is off, and for criteria."""
    unit: str
    text: str
    """All parts of the error, for people."""
    state: State
    """Met; partly: one part of it is met, or it lacks no more than 1 cm, 1° or 1 N·m; failed."""
    note: str = ""


@dataclass(frozen=True)
class Lamp:
    """How all tasks stand, at a glance."""

    color: Literal["green", "orange", "red"]
    """Green: all are met. Orange: those of the first priority are. Red: not even those."""
    sentence: str


def reports_of(scene: Scene, solution: Solution | None) -> list[TaskReport]:
    """All tasks by priority, then all criteria, each in the order of the scene."""
    found = {each.name: each for each in solution.tasks} if solution is not None else {}
    tolerance = scene.options.tolerance
    result: list[TaskReport] = []
    for name, handle in scene.handles.items():
        if name.startswith(DRAG):
            continue
        report = found.get(name) if handle.enabled else None
        is_task = isinstance(handle.wanted, Task)
        state: State = "off"
        if handle.enabled:
            state = "met" if report is None or report.met else _partly(report, tolerance)
        result.append(
            TaskReport(
                name,
                words(type(handle.wanted).__name__),
                handle.priority,
                handle.weight,
                handle.enabled,
                handle.joints,
                report.error if report else None,
                report.unit if report else "",
                report.sizes if report else "",
                state,
                report.note if report and is_task else "",
            )
        )
    return sorted(result, key=lambda each: (each.priority is None, each.priority or 0))


def lamp_of(reports: list[TaskReport]) -> Lamp:
    """The lamp, and a sentence about it."""
    ranked = [each for each in reports if each.priority is not None and each.enabled]
    if not ranked:
        return Lamp("green", "nothing is asked for")
    unmet = unmet_of(ranked)
    if not unmet:
        count = len(ranked)
        return Lamp("green", "the task is met" if count == 1 else f"all {count} tasks are met")
    first = min(each.priority or 0 for each in ranked)
    worst = unmet[0]
    others = f" and {len(unmet) - 1} more" if len(unmet) > 1 else ""
    sentence = f"{worst.name} lacks {worst.text}{others}"
    return Lamp("red" if worst.priority == first else "orange", sentence)


def unmet_of(reports: list[TaskReport]) -> list[TaskReport]:
    """The tasks that are not met, the most important first."""
    return [
        each for each in reports if each.priority is not None and each.state not in ("met", "off")
    ]


def told(report: Report) -> list[str]:
    """What keeps a task from being met: its note, all that is in its way, or why nothing is."""
    found = [report.note] if report.note else []
    found += [str(blocker) for blocker in report.blockers]
    if report.out_of_reach:
        found.append(f"out of reach by {report.sizes}, with nothing in its way")
    if report.obstruction.is_unfinished:
        found.append("the solver stopped on its way")
    if not found and not report.met:
        found.append("nothing: it is not solved yet")
    return found


def _partly(report: Report, tolerance: float) -> State:
    small = [_is_small(error) for error in report.errors]
    part = len(report.errors) > 1 and any(each.value <= tolerance for each in report.errors)
    return "partly" if all(small) or part else "failed"


def _is_small(error: Error) -> bool:
    return error.value <= _NEARLY.get(error.unit, 0.0)
