"""A scene with other figures: what still fits is kept, what does not is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from poise.errors import PoiseError
from poise.figure import Figure, Posture
from poise.figure.naming import driver
from poise.scene import Scene
from poise.scene.priors import is_natural_by_itself, priors_of
from poise.scene.solving import prepare
from poise.scene.things import Thing
from poise.studio.document import Document
from poise.studio.resizing import following, name_of_now


def refitted(
    document: Document,
    figures: Mapping[str, Figure],
    *,
    keep_all: bool = True,
    props: Mapping[str, Thing] | None = None,
) -> list[str]:
    """Give the document's scene other figures, or props, in the places of those that it has.

    Postures go over by the names of coordinates; tasks, forces and props as they are.

    Args:
        document: it gets a new scene.
        figures: all of them, in the order of the old ones, by the same names.
        keep_all: whether it is an error when something does not fit the new figures; else it is
            left out.
        props: those that take others' places, by the others' names; what names these follows.

    Returns:
        What was left out, in words.
    """
    old = document.scene
    new = Scene(dict(figures) if old.has_several else next(iter(figures.values())))
    new.metres_per_radian, new.description = old.metres_per_radian, old.description
    if old.natural != is_natural_by_itself(old.given):
        new.natural = old.natural and bool(priors_of(new.given))
    new.options = old.options
    names = dict(zip(old.figures, new.figures, strict=True))
    for was, name in names.items():
        new.postures = {name: carried_over(old.postures[was], new.figures[name])}
    moved = _Moved(old, new, keep_all, props or {})
    moved.props()
    moved.forces()
    moved.tasks()
    new.origins = {names[name]: each for name, each in old.origins.items() if name in names}
    document.skins = {names[name]: skin for name, skin in document.skins.items()}
    document.skin_files = {names[name]: file for name, file in document.skin_files.items()}
    document.scene = new
    return moved.lost


def carried_over(posture: Posture, figure: Figure) -> Posture:
    """A posture for another figure: values by the names of coordinates, the rest as at rest.

    A joint that has another kind now stays where it is as far as that can move there.
    """
    old = posture.figure
    result = figure.rest()
    known = dict(zip(old.coordinates, posture.q.tolist(), strict=True))
    for i, name in enumerate(figure.coordinates):
        if name in known:
            result.q[i] = known[name]
    for name, joint in figure.joints.items():
        before = old.joints.get(name)
        if before is None or not {*before.coordinates, *joint.coordinates} - {*known}:
            continue
        if driver(old, name) is None and driver(figure, name) is None:
            motion = before.kind.motion(posture.q[old.span(name)])
            result.q[figure.span(name)] = joint.kind.values(motion)
    return figure.clamp(result)


class _Moved:
    """What goes from one scene to another."""

    def __init__(self, old: Scene, new: Scene, keep_all: bool, props: Mapping[str, Thing]) -> None:
        self._old, self._new, self._keep_all = old, new, keep_all
        self._things = {**old.props, **props}
        self._names = {was: thing.prop.name for was, thing in props.items()}
        self._unfit: list[str] = []
        self._off: list[str] = []

    @property
    def lost(self) -> list[str]:
        """What was left out, and what was switched off and why."""
        unfit = ", ".join(self._unfit)
        return [f"left out, as the figure has no place for it: {unfit}"] * bool(unfit) + self._off

    def _fits(self, what: str, act: Callable[..., Any], *args: Any, **settings: Any) -> bool:
        try:
            act(*args, **settings)
        except PoiseError:
            if self._keep_all:
                raise
            self._unfit.append(what)
            return False
        return True

    def props(self) -> None:
        for name, thing in self._things.items():
            if thing.figure is None or thing.site is None:
                self._fits(f"the prop {name!r}", self._new.place, thing.prop, thing.place)
            else:
                several = self._old.has_several
                site = f"{thing.figure}/{thing.site}" if several else thing.site
                self._fits(f"the prop {name!r}", self._new.hold, thing.prop, site, at=thing.place)

    def forces(self) -> None:
        old, new = self._old.forces, self._new.forces
        for was, each in old.supports.items():
            site = name_of_now(was, self._names)
            settings: dict[str, Any] = {"ratio": each.ratio, "friction": each.friction}
            self._fits(f"the support {site!r}", new.support, site, **settings)
        for name, load in old.applied.items():
            settings = {"force": load.force, "torque": load.torque, "point": load.point}
            site = name_of_now(load.site, self._names)
            self._fits(f"the force {name!r}", new.apply, site, name=name, **settings)
        if old.person:
            self._fits("the person", new.set_person, **old.person)
        if old.strength:
            self._fits("the strengths", new.set_strength, old.strength)
        if old.borne:
            self._fits("what supports bear", new.use, old.borne)

    def tasks(self) -> None:
        for name, handle in self._old.handles.items():
            settings: dict[str, Any] = {"weight": handle.weight, "name": name}
            if handle.priority is not None:
                settings |= {"priority": handle.priority, "joints": handle.joints}
            wanted = following(handle.wanted, self._names)
            if self._fits(f"the task {name!r}", self._new.add, wanted, **settings):
                self._new.handles[name].enabled = handle.enabled
        try:
            prepare(self._new)
        except PoiseError as error:
            # Each fits, but not all together: balance without a sole to stand on.
            if self._keep_all:
                raise
            self._switch_off(error)

    def _switch_off(self, error: PoiseError) -> None:
        """Switch tasks off, the last first, until the rest makes sense."""
        for name, handle in reversed(list(self._new.handles.items())):
            handle.enabled = False
            self._off.append(f"{name} is off: {error.plain}")
            try:
                prepare(self._new)
            except PoiseError:
                continue
            return
