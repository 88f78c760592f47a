"""A scene from a scene file, part by part, with errors that say which line is meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import poise
from poise.documents import Document, KeyPath, validated
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Segment, Site, Transform
from poise.figure.files import figure_from
from poise.figure.files.units import DEGREE
from poise.figure.holding import with_sites
from poise.figure.props import Prop, box, cylinder, sphere
from poise.figure.shapes import SHAPES
from poise.scene.files import parts
from poise.scene.files.kinds import classes
from poise.scene.files.postures import SharedPostures, read_posture
from poise.scene.files.values import described, read_rotation
from poise.scene.files.versions import with_first_defaults
from poise.scene.options import Options
from poise.scene.origins import Origin
from poise.scene.scene import Scene
from poise.statics.loads import Load
from poise.tasks.avoid import Avoid, AvoidSelf
from poise.tasks.task import Criterion, Task

_SHAPES = {name.replace(" ", "_"): shape for name, shape in SHAPES.items()}
ANGLES = {("chain", "limit")}
"""Arguments of ready figures that are angles."""
_COMMON = frozenset(parts.RankedPart.model_fields)


@dataclass(frozen=True)
class _Inline(Document):
    """A figure within another document, as if it were one of its own."""

    prefix: KeyPath = field(default=())

    @classmethod
    def of(cls, document: Document, prefix: KeyPath) -> _Inline:
        """The value at a key path, under the key `figure`."""
        data = document.data
        for key in prefix:
            data = data[key]
        whole = {"figure": data}
        return cls(document.name, whole, document._root, document._first_line, prefix)

    def _outer(self, path: KeyPath) -> KeyPath:
        return (*self.prefix, *path[1:])

    def line(self, path: KeyPath = ()) -> int:
        return super().line(self._outer(path))

    def where(self, path: KeyPath = ()) -> str:
        return Document(self.name, self.data, self._root, self._first_line).where(self._outer(path))


def scene_from(document: Document, folder: Path) -> Scene:
    """The scene that a document describes; files that it names are seen from a folder."""
    if (
        isinstance(document.data, dict)
        and "scene" not in document.data
        and "figure" in document.data
    ):
        raise document.error(
            ("figure",), "this is a figure, not a scene; a scene names it: figure: {file: …}"
        )
    part = validated(document, parts.SceneFile).scene
    if (part.figure is None) == (part.figures is None):
        raise document.error(("scene",), "needs one of the keys 'figure' and 'figures'")
    if part.figure is not None:
        sources: dict[str, Any] = {"figure": part.figure}
        paths: dict[str, KeyPath] = {"figure": ("scene", "figure")}
    else:
        sources = dict(part.figures or {})
        paths = {name: ("scene", "figures", name) for name in sources}
    figures: dict[str, Figure] = {}
    origins: dict[str, Origin] = {}
    for name, source in sources.items():
        figure, origin = _figure(document, paths[name], _full(source), folder)
        figures[name] = figure
        if origin:
            origins[name] = origin
    with document.at("scene", "figures" if part.figures is not None else "figure"):
        given: Any = figures if part.figures is not None else figures["figure"]
        scene = Scene(given, metres_per_radian=part.metres_per_radian, description=part.description)
    with document.at("scene", "natural"):
        if part.natural is not None or part.version == 1:
            scene.natural = bool(part.natural)
    for name, own in zip(sources, scene.figures, strict=True):
        _start(document, paths[name], scene, own, _full(sources[name]))
        if name in origins:
            scene.origins[own] = origins[name]
    for name, prop in part.props.items():
        _put(document, scene, name, prop, folder)
    _push(document, scene, part.forces)
    postures = SharedPostures(scene.figures, part.figures is not None, folder)
    _add_tasks(document, scene, part.tasks, postures)
    if part.avoid:
        with document.at("scene", "avoid"):
            scene.add(Avoid(), priority=1)
            scene.add(AvoidSelf(), priority=1)
    _add_criteria(document, scene, part.criteria, postures)
    with document.at("scene", "solve"):
        options = Options(**dict(part.solve))
        if part.version == 1 and "restarts" not in part.solve.model_fields_set:
            options = replace(options, restarts=0)
        scene.options = options
    return scene


def _full(source: Any) -> parts.SourcePart:
    """What a figure's name alone stands for."""
    return parts.SourcePart(ready=source) if isinstance(source, str) else source


# figures -------------------------------------------------------------------------------------


def _figure(
    document: Document, here: KeyPath, part: parts.SourcePart, folder: Path
) -> tuple[Figure, Origin | None]:
    given = [each for each in ("ready", "file", "inline") if getattr(part, each) is not None]
    if len(given) != 1:
        found = f", not {' and '.join(given)}" if given else ""
        raise document.error(here, f"needs one of the keys 'ready', 'file' and 'inline'{found}")
    if part.arguments and part.ready is None:
        raise document.error((*here, "arguments"), "arguments are for `ready`")
    origin: Origin | None = None
    if part.inline is not None:
        figure = figure_from(_Inline.of(document, (*here, "inline")))
    else:
        if part.ready is not None:
            origin = Origin(part.ready, _arguments(document, here, part))
        else:
            origin = Origin(file=folder / str(part.file))
        key = "arguments" if part.arguments else given[0]
        with document.at(*here, *(() if _is_word(document, here) else (key,))):
            figure = origin.build()
    sites: list[Site] = []
    for name, site in part.sites.items():
        if site.segment not in figure.segments:
            where = document.where((*here, "sites", name, "segment"))
            raise unknown_name("segment", site.segment, figure.segments, where)
        with document.at(*here, "sites", name):
            sites.append(Site(name, site.segment, site.position, site.rotation, site.outline))
    if sites:
        with document.at(*here, "sites"):
            figure = with_sites(figure, sites)
    if part.locked is not None:
        figure.unlock()
        for i, name in enumerate(part.locked):
            with document.at(*here, "locked", i):
                figure.lock(name)
    if part.stiffness is not None:
        figure.stiffness.values[:] = 0.0
        for name, value in part.stiffness.items():
            with document.at(*here, "stiffness", name):
                figure.stiffness[name] = value
    for name, values in part.postures.items():
        figure.postures[name] = _posture(document, (*here, "postures", name), figure, values)
    return figure, origin


def _is_word(document: Document, here: KeyPath) -> bool:
    """Whether a figure is given by its name alone."""
    data = document.data
    for key in here:
        data = data[key]
    return isinstance(data, str)


def _arguments(document: Document, here: KeyPath, part: parts.SourcePart) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, value in part.arguments.items():
        if isinstance(value, (list, dict)):
            path = (*here, "arguments", name)
            raise document.error(path, "an argument must be a number, a text, or true or false")
        angle = (part.ready, name) in ANGLES and isinstance(value, (int, float))
        result[name] = value * DEGREE if angle else value
    return result


def _posture(
    document: Document, here: KeyPath, figure: Figure, values: Mapping[str, Any]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    for name, value in values.items():  # one by one, for the line of what is wrong
        with document.at(*here, name):
            read_posture(figure, {name: value})
    return read_posture(figure, values).q


def _start(
    document: Document, here: KeyPath, scene: Scene, name: str, part: parts.SourcePart
) -> None:
    """Bring a figure to where it starts: rest, then where it stands, then its posture."""
    figure = scene.figures[name]
    if part.position is not None or part.heading is not None:
        with document.at(*here, "position" if part.position is not None else "heading"):
            scene.stand(name, part.position or (0.0, 0.0, 0.0), part.heading or 0.0)
    if part.posture is None:
        return
    if isinstance(part.posture, str):
        with document.at(*here, "posture"):
            q = figure.posture(part.posture).q
        named = [True] * figure.n
    else:
        q = _posture(document, (*here, "posture"), figure, part.posture)
        named = [value != rest for value, rest in zip(q, figure.rest().q, strict=True)]
        spans = [figure.span(each) for each in part.posture if _has_span(figure, each)]
        for span in spans:
            named[span] = [True] * (span.stop - span.start)
    # The posture's own word about the root counts more than where the figure stands.
    present = scene.postures[name].q
    scene.postures = {name: figure.posture(np.where(named, q, present))}


def _has_span(figure: Figure, name: str) -> bool:
    try:
        figure.span(name)
    except PoiseError:  # a joint that a group drives
        return False
    return True


# props ---------------------------------------------------------------------------------------


def _put(document: Document, scene: Scene, name: str, part: parts.PropPart, folder: Path) -> None:
    here = ("scene", "props", name)
    prop = _prop(document, here, part, folder)
    place = _place(document, here, part)
    if part.held is None:
        if part.at is not None:
            raise document.error((*here, "at"), "this is for a prop that is held")
        with document.at(*here):
            scene.place(prop, place)
        return
    at: str | Transform | None = place
    if part.at is not None:
        given = {"position", "rotation", "quaternion", "matrix"} & part.model_fields_set
        if given:
            raise document.error((*here, "at"), f"give this or {min(given)}, not both")
        with document.at(*here, "at"):
            prop.site(part.at)
        at = part.at
    with document.at(*here, "held"):
        scene.hold(prop, part.held, at=at)


def _place(document: Document, here: KeyPath, part: parts.PlacePart) -> Transform:
    given = [key for key in ("rotation", "quaternion", "matrix") if getattr(part, key) is not None]
    if len(given) > 1:
        raise document.error((*here, given[1]), f"give this or {given[0]}, not both")
    rotation = np.eye(3)
    for key in given:
        with document.at(*here, key):
            rotation = read_rotation(key, getattr(part, key))
    return Transform(rotation, np.array(part.position or (0.0, 0.0, 0.0)))


def _prop(document: Document, here: KeyPath, part: parts.PropPart, folder: Path) -> Prop:
    name = str(here[-1])
    ready = ("box", "sphere", "cylinder", "mesh")
    given = [key for key in ready if getattr(part, key) is not None]
    if part.shapes:
        given.append("shapes")
    if len(given) > 1:
        raise document.error((*here, given[1]), f"give this or {given[0]}, not both")
    if given and given[0] != "shapes":
        for key in ("density", "center", "inertia"):
            if getattr(part, key) is not None:
                raise document.error((*here, key), f"this is for shapes, not for a {given[0]}")
    settings: dict[str, Any] = {"name": name, "solid": part.solid}
    for key in ("mass", "color"):
        if getattr(part, key) is not None:
            settings[key] = getattr(part, key)
    with document.at(*here, *(("mesh",) if part.mesh is not None else ())):
        if part.box is not None:
            prop = box(*part.box, **settings)
        elif part.sphere is not None:
            prop = sphere(part.sphere, **settings)
        elif part.cylinder is not None:
            prop = cylinder(part.cylinder.radius, part.cylinder.height, **settings)
        elif part.mesh is not None:
            told = dict(part.mesh)
            prop = poise.mesh(folder / told.pop("file"), **told, **settings)
        else:
            shapes = [
                _SHAPES[key](**dict(values)) for key, values in (s.chosen for s in part.shapes)
            ]
            inertia: Any = part.inertia
            if inertia is not None and not isinstance(inertia[0], tuple):
                inertia = np.diag(inertia)
            prop = Prop(
                Segment(
                    name, part.mass, part.center, inertia, tuple(shapes), part.density, part.color
                ),
                solid=part.solid,
            )
    for site, value in part.sites.items():
        with document.at(*here, "sites", site):
            place = _place(document, (*here, "sites", site), value)
            prop = prop.with_site(site, place, outline=value.outline)
    return prop


# forces --------------------------------------------------------------------------------------


def _push(document: Document, scene: Scene, part: parts.ForcesPart) -> None:
    here = ("scene", "forces")
    for site, given in part.supports.items():
        support = given if isinstance(given, parts.SupportPart) else parts.SupportPart(ratio=given)
        with document.at(*here, "supports", site):
            scene.forces.support(site, ratio=support.ratio, friction=support.friction)
    for name, load in part.applied.items():
        with document.at(*here, "applied", name):
            told = _load(load.site or name, load)
            scene.forces.apply(
                told.site, force=told.force, torque=told.torque, point=told.point, name=name
            )
    if part.borne:
        with document.at(*here, "borne"):
            scene.forces.use([_load(each.site, each) for each in part.borne])
    person = {key: value for key, value in dict(part.person).items() if value is not None}
    if person:
        with document.at(*here, "person"):
            scene.forces.set_person(**person)
    if part.strength:
        for name, value in part.strength.items():  # one by one, for the line of what is wrong
            with document.at(*here, "strength", name):
                scene.forces.set_strength({name: value})
        scene.forces.set_strength(part.strength)


def _load(site: str, part: parts.LoadPart | parts.BornePart) -> Load:
    told = {key: getattr(part, key) for key in ("force", "torque", "point")}
    return Load(site, **{key: tuple(value) for key, value in told.items() if value is not None})


# tasks ---------------------------------------------------------------------------------------


def _add_tasks(
    document: Document, scene: Scene, items: list[Any], postures: SharedPostures
) -> None:
    last = 0
    for i, item in enumerate(items):
        here = ("scene", "tasks", i)
        key, thing = _described(document, here, item, classes(Task), "task", postures)
        settings = _settings(item)
        last = settings.pop("priority", None) or last + 1
        enabled = settings.pop("enabled", True)
        joints = settings.get("joints")
        with document.at(*here, "joints"):
            if joints is not None and not joints:
                raise PoiseError(
                    "there is no joint; name one at least, or leave the key out for all"
                )
            for name in _each(joints):
                scene._checked_joints([name], key)
        with document.at(*here, key):
            handle = scene.add(thing, priority=last, **settings)
        handle.enabled, handle._where = enabled, document.where((*here, key))


def _add_criteria(
    document: Document, scene: Scene, items: list[Any], postures: SharedPostures
) -> None:
    for i, item in enumerate(items):
        here = ("scene", "criteria", i)
        key, thing = _described(document, here, item, classes(Criterion), "criterion", postures)
        settings = _settings(item)
        enabled = settings.pop("enabled", True)
        with document.at(*here, key):
            scene.add(thing, **settings).enabled = enabled


def _each(joints: Any) -> list[str]:
    return [joints] if isinstance(joints, str) else [*(joints or ())]


def _settings(item: Any) -> dict[str, Any]:
    """What is said of a task besides what it is."""
    if isinstance(item, str):
        return {}
    return {key: getattr(item, key) for key in item.model_fields_set & _COMMON}


def _described(
    document: Document,
    here: KeyPath,
    item: Any,
    known: Mapping[str, type],
    word: str,
    postures: SharedPostures,
) -> tuple[str, Any]:
    """The kind of a task or criterion, and the task."""
    if isinstance(item, str):
        if item not in known:
            raise unknown_name(word, item, known, document.where(here))
        key, given = item, None
    else:
        kinds = [key for key in known if key in item.model_fields_set]
        if len(kinds) != 1:
            found = f"{' and '.join(kinds)} at once" if kinds else "none of them"
            allowed = ", ".join(known)
            raise document.error(here, f"a {word} has one key of: {allowed}; found {found}")
        (key,) = kinds
        given = document.data
        for step in (*here, key):
            given = given[step]
    if document.data["scene"].get("version", 1) == 1:
        given = with_first_defaults(key, given)
    with document.at(*here, key):
        return key, described(key, given, postures)
