"""A scene with other figures: what still fits is kept, what does not is told."""

from __future__ import annotations

from collections.abc import Mapping

from poise.errors import PoiseError
from poise.figure import Figure, Posture
from poise.scene import Scene
from poise.studio.document import Document


def refitted(
    document: Document, figures: Mapping[str, Figure], *, keep_all: bool = True
) -> list[str]:
    """Give the document's scene other figures under the same names.

    Postures go over by the names of coordinates; tasks, forces and props as they are.

    Args:
        document: it gets a new scene.
        figures: all of them, by name.
        keep_all: whether it is an error when something does not fit the new figures; else it is
            left out.

    Returns:
        What was left out, in words.
    """
    old = document.scene
    new = Scene(dict(figures) if old.has_several else next(iter(figures.values())))
    new.metres_per_radian, new.description = old.metres_per_radian, old.description
    new.options = old.options
    names = dict(zip(old.figures, new.figures, strict=False))
    for was, name in names.items():
        new.postures = {name: carried_over(old.postures[was], new.figures[name])}
    lost: list[str] = []

    def fits(what: str, act: object, *args: object, **settings: object) -> object:
        try:
            return act(*args, **settings)  # type: ignore[operator]
        except PoiseError as error:
            if keep_all:
                raise
            lost.append(f"{what}: {error}")
            return None

    for name, thing in old.props.items():
        if thing.figure is None or thing.site is None:
            fits(f"the prop {name!r}", new.place, thing.prop, thing.place)
        else:
            site = f"{thing.figure}/{thing.site}" if old.has_several else thing.site
            fits(f"the prop {name!r}", new.hold, thing.prop, site, at=thing.place)
    _forces(old, new, fits)
    for name, handle in old.handles.items():
        settings = {"priority": handle.priority, "joints": handle.joints}
        if handle.priority is None:
            settings = {}
        added = fits(
            f"the task {name!r}",
            new.add,
            handle.wanted,
            weight=handle.weight,
            name=name,
            **settings,
        )
        if added is not None:
            new.handles[name].enabled = handle.enabled
    new.origins = {names.get(name, name): each for name, each in old.origins.items()}
    document.scene = new
    return lost


def carried_over(posture: Posture, figure: Figure) -> Posture:
    """A posture for another figure: values by the names of coordinates, the rest as at rest."""
    if posture.figure.coordinates == figure.coordinates:
        return figure.posture(posture.q)
    result = figure.rest()
    known = dict(zip(posture.figure.coordinates, posture.q.tolist(), strict=True))
    for i, name in enumerate(figure.coordinates):
        if name in known:
            result.q[i] = known[name]
    return figure.clamp(result)


def _forces(old: Scene, new: Scene, fits: object) -> None:
    forces = old.forces
    call: Any = fits
    for site, each in forces.supports.items():
        call(
            f"the support {site!r}",
            new.forces.support,
            site,
            ratio=each.ratio,
            friction=each.friction,
        )
    for name, load in forces.applied.items():
        call(
            f"the force {name!r}",
            new.forces.apply,
            load.site,
            force=load.force,
            torque=load.torque,
            point=load.point,
            name=name,
        )
    if forces.person:
        call("the person", new.forces.set_person, **forces.person)
    if forces.strength:
        call("strengths", new.forces.set_strength, forces.strength)
    if forces.borne:
        call("what supports bear", new.forces.use, forces.borne)
