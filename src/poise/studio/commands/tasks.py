"""Pins, tasks and criteria."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from poise.errors import PoiseError, unknown_name
from poise.figure.holding import with_sites
from poise.figure.parts import Site
from poise.scene import Handle, Scene
from poise.scene.files.kinds import classes
from poise.scene.files.values import described
from poise.scene.solving import context_of
from poise.studio.commands.base import (
    Change,
    Name,
    Names,
    Parameters,
    Point,
    Priority,
    Shares,
    Weight,
)
from poise.studio.commands.editing import (
    PIN,
    edited,
    free_name,
    handle_of,
    prefix_of,
    shared_postures,
    stem_of,
)
from poise.studio.document import Document
from poise.studio.refitting import refitted
from poise.tasks import Balance, Frame, Orientation, Position
from poise.tasks.task import Criterion, Task

_PINS: dict[str, type[Any]] = {"position": Position, "rotation": Orientation, "both": Frame}


class Pin(Change):
    """Hold a site, or a point of a segment, where it is now: a task of priority 1."""

    do: Literal["pin"] = "pin"
    site: Name | None = None
    segment: Name | None = None
    point: Point | None = None
    """In the segment's axes."""
    kind: Literal["free", "position", "rotation", "both"] = "both"

    @property
    def title(self) -> str:
        """Whether it is pinned or freed, and what."""
        what = self.site or self.segment or ""
        return f"free {what}" if self.kind == "free" else f"pin {what}"

    def change(self, document: Document) -> None:
        """Put the pin, another in its place, or take it away."""
        site = self.site
        if site is None:
            if self.segment is None or self.point is None:
                raise PoiseError("a pin needs the field 'site', or 'segment' and 'point'")
            if self.kind == "free":
                raise PoiseError("only a site can be freed: give its name")
            site = site_at(document, self.segment, self.point)
        elif site not in document.scene.places:
            raise unknown_name("site", site, document.scene.places)
        scene, name = document.scene, PIN + site
        old = scene.handles.get(name)
        if old is None:
            old = next((each for each in scene.handles.values() if _is_pin(each, site)), None)
        if self.kind == "free":
            if old is None:
                raise PoiseError(f"{site!r} is not pinned")
            old.remove()
            let_fall(document)
            return
        task = _PINS[self.kind](site)
        if old is None:
            scene.add(task, priority=1, name=name)
        else:
            old.wanted = task
            old.enabled = True
            let_fall(document)


def _is_pin(handle: Handle, site: str) -> bool:
    """Whether a task of another name does what a pin of that site would."""
    is_kind = any(type(handle.wanted) is kind for kind in _PINS.values())
    return is_kind and handle.priority == 1 and getattr(handle.wanted, "site", None) == site


def site_at(document: Document, segment: str, point: Point) -> str:
    """A site at a point of a segment (m, its axes); a new one unless there is one already."""
    figure, own = document.figure_of(segment)
    given = document.given(figure)
    if own not in given.segments:
        raise unknown_name("segment", segment, document.whole.segments)
    first = segment.removesuffix(own)
    for site in given.sites.values():
        near = max(abs(a - b) for a, b in zip(site.position, point, strict=True)) < 1e-9
        if site.segment == own and near:
            return first + site.name
    count = 1
    taken = {*given.sites, *given.segments, *given.joints}
    while f"{own}_point_{count}" in taken:
        count += 1
    name = f"{own}_point_{count}"
    figures = dict(document.scene.given)
    figures[figure] = with_sites(given, [Site(name, own, point)])
    refitted(document, figures)
    return first + name


class AddTask(Change):
    """Add a task of any type; its parameters are as in a scene file."""

    do: Literal["add_task"] = "add_task"
    type: Name
    parameters: Parameters = Field(default_factory=dict)
    priority: Priority | None = None
    weight: Weight = 1.0
    name: Name | None = None
    joints: Names | Shares | None = None
    segment: Name | None = None
    point: Point | None = None
    """With a segment, instead of the parameter `site`: a point of it, in its axes."""

    @property
    def title(self) -> str:
        """Which type."""
        return f"add {self.type.replace('_', ' ')}"

    def change(self, document: Document) -> None:
        """Add it at the end of its priority; without one, after all others."""
        known = classes(Task)
        if self.type not in known:
            raise unknown_name("task", self.type, known)
        parameters = dict(self.parameters)
        if self.segment is not None and self.point is not None:
            parameters["site"] = site_at(document, self.segment, self.point)
        scene = document.scene
        priority = self.priority or _last(scene) + 1
        task = described(self.type, parameters, shared_postures(scene))
        scene.add(
            task, priority=priority, weight=self.weight, name=self.name, joints=self.joints or None
        )


class AddCriterion(Change):
    """Add a criterion of any type."""

    do: Literal["add_criterion"] = "add_criterion"
    type: Name
    parameters: Parameters = Field(default_factory=dict)
    weight: Weight = 1.0
    name: Name | None = None

    @property
    def title(self) -> str:
        """Which type."""
        return f"add {self.type.replace('_', ' ')}"

    def change(self, document: Document) -> None:
        """Add it."""
        known = classes(Criterion)
        if self.type not in known:
            raise unknown_name("criterion", self.type, known)
        wanted = described(self.type, self.parameters, shared_postures(document.scene))
        document.scene.add(wanted, weight=self.weight, name=self.name)


class EditTask(Change):
    """Change a task or criterion; what is not given stays. Of parameters, too: None resets one."""

    do: Literal["edit_task"] = "edit_task"
    name: Name
    new_name: Name | None = None
    type: Name | None = None
    """Another type; parameters that both have are kept."""
    parameters: Parameters | None = None
    priority: Priority | None = None
    weight: Weight | None = None
    enabled: bool | None = None
    joints: Names | Shares | None = None
    """An empty list lets it use all joints."""

    @property
    def title(self) -> str:
        """Which one."""
        return f"change {self.name}"

    def change(self, document: Document) -> None:
        """Change what is given."""
        handle = handle_of(document.scene, self.name)
        prefix = prefix_of(handle)
        if self.parameters is not None or self.type is not None:
            handle.wanted = edited(document.scene, handle, self.parameters or {}, self.type)
        if self.priority is not None:
            handle.priority = self.priority
        if self.weight is not None:
            handle.weight = self.weight
        if self.enabled is not None:
            handle.enabled = self.enabled
        if self.joints is not None:
            handle.joints = self.joints or None
        if self.new_name is not None:
            handle.name = self.new_name
        elif prefix is not None and prefix_of(handle) is None:
            handle.name = free_name(document.scene, prefix + stem_of(handle))
        if handle.name != self.name:
            document.renamed["task", self.name] = handle.name
        let_fall(document)


class OrderTask(Change):
    """Put a task before another, or last, and give it another priority if wanted."""

    do: Literal["order_task"] = "order_task"
    name: Name
    before: Name | None = None
    priority: Priority | None = None

    @property
    def title(self) -> str:
        """Which one."""
        return f"move {self.name}"

    def change(self, document: Document) -> None:
        """Change its place in the list."""
        scene = document.scene
        handle = handle_of(scene, self.name)
        if self.priority is not None:
            handle.priority = self.priority
        names = [name for name in scene.handles if name != self.name]
        if self.before is not None and self.before != self.name:
            handle_of(scene, self.before)
            names.insert(names.index(self.before), self.name)
        else:
            names.append(self.name)
        scene.arrange(names)


class RemoveTask(Change):
    """Take a task or criterion away."""

    do: Literal["remove_task"] = "remove_task"
    name: Name

    @property
    def title(self) -> str:
        """Which one."""
        return f"remove {self.name}"

    def change(self, document: Document) -> None:
        """Remove it."""
        handle_of(document.scene, self.name).remove()
        let_fall(document)


class KeepBalance(Change):
    """Keep the figures in balance, or no longer: the tasks `Balance` are added or switched."""

    do: Literal["keep_balance"] = "keep_balance"
    on: bool

    @property
    def title(self) -> str:
        """Which way."""
        return "keep balance" if self.on else "give up balance"

    def change(self, document: Document) -> None:
        """Switch the tasks that there are; where there is none, add one after the pins."""
        scene = document.scene
        found = [each for each in scene.handles.values() if isinstance(each.wanted, Balance)]
        for handle in found:
            handle.enabled = self.on
        if self.on and not found:
            scene.add(Balance(), priority=2)


def let_fall(document: Document) -> None:
    """Give up balance where nothing is left to stand on, and tell so."""
    scene = document.scene
    for handle in scene.handles.values():
        if not handle.enabled or not isinstance(handle.wanted, Balance):
            continue
        held = [
            name
            for each in scene.handles.values()
            if each.enabled and isinstance(each.wanted, Task)
            for name in each.wanted.held()
        ]
        if not handle.wanted.standing(replace(context_of(scene), supports=held)):
            handle.enabled = False
            document.notes.append(f"{handle.name} is off: nothing is left to stand on")


def _last(scene: Scene) -> int:
    return max((each.priority or 0 for each in scene.handles.values()), default=0)
