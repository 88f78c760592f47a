"""The scene as Python: a script that, run, stands in the same posture."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from poise.documents import parse
from poise.errors import PoiseError
from poise.figure import Box, Cylinder, Ellipsoid, Figure, Posture, Sphere, Transform
from poise.figure.files import figure_from, figure_text
from poise.figure.props import MeshFile, Prop, box, cylinder, sphere
from poise.models.prior import Prior
from poise.scene import Handle, Options, Scene
from poise.scene.origins import origin_of
from poise.scene.priors import is_natural_by_itself
from poise.tasks import Convex
from poise.tasks.task import Criterion, Task

_WIDE = 96


def python_of(scene: Scene) -> str:
    """A script that builds the scene, takes its posture to the last bit, and reports on it.

    It ends with `scene.posture`, or `scene.postures` where there are several figures; to solve
    from there, call `scene.solve()`.
    """
    return _Script(scene).text()


class _Script:
    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._names = {name: f"figure_{i}" for i, name in enumerate(scene.figures, 1)}
        if len(self._names) == 1:
            self._names = dict.fromkeys(self._names, "figure")
        self._imports = {"import poise"}
        self._lines: list[str] = []

    def text(self) -> str:
        for name in self._scene.figures:
            self._figure(name)
        self._begin()
        self._props()
        self._posture()
        self._forces()
        self._tasks()
        self._lines += ["", "print(scene.assess())"]
        plain = sorted(each for each in self._imports if each.startswith("import"))
        chosen = sorted(each for each in self._imports if not each.startswith("import"))
        return "\n".join([*plain, *chosen, "", *self._lines]) + "\n"

    # figures -----------------------------------------------------------------------------

    def _figure(self, name: str) -> None:
        figure, variable = self._scene.given[name], self._names[name]
        told = self._scene.origins.get(name)
        found = origin_of(figure, told if told is not None and told.file is None else None)
        if found is not None and found[0].ready is not None:
            origin, fresh = found
            arguments = [f"{key}={value!r}" for key, value in origin.arguments.items()]
            self._lines.append(f"{variable} = poise.{origin.ready}({', '.join(arguments)})")
        else:
            self._imports |= {
                "from poise.documents import parse",
                "from poise.figure.files import figure_from",
            }
            text = figure_text(figure)
            fresh = figure_from(parse(text, "the figure"))
            text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
            self._lines.append(f'{variable} = figure_from(parse("""\\\n{text}""", "the figure"))')
        self._changes(variable, figure, fresh)

    def _changes(self, variable: str, figure: Figure, fresh: Figure) -> None:
        """What has been changed of a figure since it was made."""
        added = [each for each in figure.sites if each not in fresh.sites]
        if added:
            self._imports |= {
                "from poise.figure.holding import with_sites",
                "from poise.figure.parts import Site",
            }
            sites = [self._value(figure.sites[each]) for each in added]
            self._call(f"{variable} = with_sites", [variable, f"[{', '.join(sites)}]"])
        if fresh.locked_names and fresh.locked_names != figure.locked_names:
            self._lines.append(f"{variable}.unlock()")
        if fresh.locked_names != figure.locked_names:
            self._lines += [f"{variable}.lock({each!r})" for each in figure.locked_names]
        now, then = figure.stiffness.values.tolist(), fresh.stiffness.values.tolist()
        for coordinate, value, before in zip(figure.coordinates, now, then, strict=True):
            if value != before:
                self._lines.append(f"{variable}.stiffness[{coordinate!r}] = {value!r}")
        for name, q in figure.postures.items():
            if not np.array_equal(q, fresh.postures.get(name, ())):
                self._imports.add("import numpy as np")
                self._call(f"{variable}.postures[{name!r}] = np.array", [repr(q.tolist())])

    def _begin(self) -> None:
        scene = self._scene
        given = "figure"
        if scene.has_several:
            pairs = [f"{name!r}: {variable}" for name, variable in self._names.items()]
            given = f"{{{', '.join(pairs)}}}"
        more = [f"metres_per_radian={scene.metres_per_radian!r}"]
        arguments = [given, *(more if scene.metres_per_radian != 0.5 else [])]
        if scene.description:
            arguments.append(f"description={scene.description!r}")
        if scene.natural != is_natural_by_itself(scene.given):
            arguments.append(f"natural={scene.natural}")
        self._lines += ["", f"scene = poise.Scene({', '.join(arguments)})"]
        usual = vars(Options())
        changed = {k: v for k, v in vars(scene.options).items() if v != usual[k]}
        if changed:
            self._imports.add("from poise.scene import Options")
            self._call("scene.options = Options", [f"{k}={v!r}" for k, v in changed.items()])

    def _posture(self) -> None:
        self._lines.append("")
        for name, posture in self._scene.postures.items():
            # To the last bit, and by name, so that a person can read it.
            values = zip(posture.figure.coordinates, posture.q.tolist(), strict=True)
            moved = [f"    {key!r}: {value!r}," for key, value in values if value]
            index = f"[{name!r}]" if self._scene.has_several else ""
            whose = "scene.postures" if self._scene.has_several else "scene.posture"
            self._lines += ["values = {", *moved, "}"]
            start = f"{whose}{index}"
            self._lines.append(f"posture = {start}.with_q([0.0] * len({start}))")
            self._lines.append("for name, value in values.items():")
            self._lines.append("    posture.q[posture.figure.index(name)] = value")
            given = f"{{{name!r}: posture}}" if self._scene.has_several else "posture"
            self._lines.append(f"{whose} = {given}")

    # props and forces ----------------------------------------------------------------------

    def _props(self) -> None:
        for thing in self._scene.props.values():
            prop = self._prop(thing.prop)
            place = self._value(thing.place)
            if thing.figure is None or thing.site is None:
                self._call("scene.place", [prop, place])
            else:
                several = self._scene.has_several
                site = f"{thing.figure}/{thing.site}" if several else thing.site
                self._call("scene.hold", [prop, repr(site), f"at={place}"])

    def _prop(self, prop: Prop) -> str:
        segment, source = prop.segment, prop.source
        if source is not None and prop.is_as_read:
            return self._mesh(prop, source)
        settings: dict[str, Any] = {
            "mass": segment.mass,
            "name": prop.name,
            "color": segment.color,
        }
        if not prop.solid:
            settings["solid"] = False
        if len(segment.shapes) == 1 and segment.mass is not None and segment.color is not None:
            shape = segment.shapes[0]
            sizes: tuple[float, ...] = ()
            if isinstance(shape, Box):
                sizes, make = shape.size, box
            elif isinstance(shape, Sphere):
                sizes, make = (shape.radius,), sphere
            elif isinstance(shape, Cylinder) and shape.end[2] > 0:
                sizes, make = (shape.radius, 2 * shape.end[2]), cylinder
            else:
                make = box
            ready: Any = make
            if sizes and ready(*sizes, **settings) == prop:
                told = [repr(each) for each in sizes]
                told += [f"{key}={value!r}" for key, value in settings.items()]
                return f"poise.{ready.__name__}({', '.join(told)})"
        self._imports.add("from poise.figure.props import Prop")
        sites = "".join(f"{self._value(site)}, " for site in prop.sites)
        more = "" if prop.solid else ", solid=False"
        return f"Prop({self._value(dataclasses.replace(segment, visuals=()))}, ({sites}){more})"

    def _mesh(self, prop: Prop, source: MeshFile) -> str:
        """A prop by the file that it was read from, with sites of its own."""
        told = {
            "name": prop.name,
            "scale": source.scale,
            "up": source.up,
            "mass": prop.segment.mass,
            "color": source.color,
            "solid": prop.solid,
            "pieces": source.pieces,
        }
        given = ", ".join(f"{key}={value!r}" for key, value in told.items())
        result = f"poise.mesh({str(source.path)!r}, {given})"
        for site in prop.sites[len(source.sites) :]:
            place = [site.name, site.position, site.rotation]
            result += f".with_site({', '.join(map(repr, place))}, outline={site.outline!r})"
        return result

    def _forces(self) -> None:
        forces = self._scene.forces
        if forces.supports or forces.applied or forces.person or forces.strength:
            self._lines.append("")
        for site, each in forces.supports.items():
            settings = [f"ratio={each.ratio!r}", f"friction={each.friction!r}"]
            self._call("scene.forces.support", [repr(site), *settings])
        for name, load in forces.applied.items():
            settings = [
                f"{key}={getattr(load, key)!r}"
                for key in ("force", "torque", "point")
                if any(getattr(load, key))
            ]
            self._call("scene.forces.apply", [repr(load.site), *settings, f"name={name!r}"])
        if forces.person:
            self._call("scene.forces.set_person", [f"{k}={v!r}" for k, v in forces.person.items()])
        if forces.strength:
            self._call("scene.forces.set_strength", [repr(dict(forces.strength))])
        if forces.borne:
            self._call("scene.forces.use", [f"[{', '.join(map(self._value, forces.borne))}]"])

    # tasks -----------------------------------------------------------------------------------

    def _tasks(self) -> None:
        if self._scene.handles:
            self._lines.append("")
        for handle in self._scene.handles.values():
            self._task(handle)

    def _task(self, handle: Handle) -> None:
        arguments = [self._value(handle.wanted)]
        if handle.priority is not None:
            arguments.append(f"priority={handle.priority}")
        if handle.weight != 1.0:
            arguments.append(f"weight={handle.weight!r}")
        arguments.append(f"name={handle.name!r}")
        if handle.priority is not None and handle.joints is not None:
            named = handle.joints
            joints = dict(named) if isinstance(named, Mapping) else list(named)
            arguments.append(f"joints={joints!r}")
        self._call("scene.add", arguments, after="" if handle.enabled else ".enabled = False")

    # values ------------------------------------------------------------------------------------

    def _value(self, value: Any) -> str:
        """Something as an expression that gives just that."""
        if isinstance(value, Transform):
            self._imports |= {"import numpy as np", "from poise.figure import Transform"}
            rotation, position = value.rotation.tolist(), value.position.tolist()
            return f"Transform(np.array({rotation!r}), np.array({position!r}))"
        if isinstance(value, Posture):
            return self._named_posture(value)
        if isinstance(value, Prior):
            if value.file is None:
                raise PoiseError("a prior that is of no file cannot be written as Python")
            return repr(str(value.file))
        if isinstance(value, (np.ndarray, np.generic)):
            return repr(value.tolist())
        if isinstance(value, Mapping):
            pairs = [f"{self._value(key)}: {self._value(each)}" for key, each in value.items()]
            return f"{{{', '.join(pairs)}}}"
        if isinstance(value, tuple):
            inner = ", ".join(map(self._value, value))
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._described(value)
        if value is None or isinstance(value, (str, bool, int, float)):
            return repr(value)
        raise PoiseError(f"{value!r} cannot be written as Python")

    def _described(self, value: Any) -> str:
        name = type(value).__name__
        if isinstance(value, (Task, Criterion, Convex)):
            self._imports.add("from poise import tasks as t")
            name = f"t.{name}"
        elif isinstance(value, Ellipsoid):
            self._imports.add("from poise.figure import Ellipsoid")
        else:
            self._imports.add(f"from {type(value).__module__} import {name}")
        arguments: list[str] = []
        for field in dataclasses.fields(value):
            given = getattr(value, field.name)
            if not field.init or _is_usual(field, given):
                continue
            arguments.append(f"{field.name}={self._value(given)}")
        return f"{name}({', '.join(arguments)})"

    def _named_posture(self, posture: Posture) -> str:
        """A posture of one of the figures, from its values."""
        for name, figure in self._scene.given.items():
            if posture.figure is figure or posture.figure is self._scene.figures[name]:
                return f"{self._names[name]}.posture({posture.q.tolist()!r})"
        if not self._scene.has_several:
            return f"figure.posture({posture.q.tolist()!r})"
        raise PoiseError(f"the posture of {posture.figure.name!r} is of no figure of the scene")

    def _call(self, function: str, arguments: Iterable[str], after: str = "") -> None:
        given = list(arguments)
        line = f"{function}({', '.join(given)}){after}"
        if len(line) <= _WIDE:
            self._lines.append(line)
        else:
            self._lines += [f"{function}(", *(f"    {each}," for each in given), f"){after}"]


def _is_usual(field: dataclasses.Field[Any], value: Any) -> bool:
    default = field.default
    if isinstance(value, (Transform, Posture, np.ndarray)):
        return False
    return type(value) is type(default) and bool(value == default)
