"""What MuJoCo gets to see of an MJCF file: one text, with nothing in it that is not needed.

Includes are put in their place, assets are read here and handed over as bytes, and only what makes
a figure is passed on: bodies, joints, geoms, sites, equalities, fixed tendons, key frames and their
defaults. So MuJoCo opens no file and loads no plugin, and no count in the file makes it large.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from poise.errors import PoiseError, unknown_name
from poise.formats.hostile import Element, contained, number, short, xml_text
from poise.formats.mjcf.budget import Budget, Sum
from poise.formats.mjcf.geoms import Geom, geoms_of
from poise.formats.mjcf.words import GENERATORS, KEPT, LEFT, NAMING, REMOVED, UNSPOKEN

MOST_BODIES = 4_000
"""Bodies of the largest file, copies counted; MuJoCo takes time and memory by their square."""
MOST_PARTS = 20_000
"""Elements of the largest file, copies counted."""
MOST_NUMBER = 1e9
"""The greatest number that is passed on."""
LEAST_MASS = "1e-14"
"""What MuJoCo gets for no mass (kg) and no inertia (kg·m²)."""
DEEPEST_MODELS = 4
"""How deep models may attach models."""
FINEST_MESH = 100
"""The greatest parameter of a mesh that MuJoCo makes itself; its size grows with their product."""

_MESHES = (".stl", ".obj", ".msh")
_STAND_IN = {
    "vertex": "0 0 0 1 0 0 0 1 0 0 0 1",
    "face": "0 2 1 0 1 3 0 3 2 1 2 3",
    "scale": "1 1 1",
}
"""What MuJoCo gets for a mesh that nothing depends on: to read those of a robot takes seconds."""


@dataclass
class Cleaned:
    """A text for MuJoCo, what it may open, and where each of its lines comes from."""

    root: Element
    """The elements that are passed on."""
    text: str = ""
    assets: dict[str, bytes] = field(default_factory=dict[str, bytes])
    sources: list[Element] = field(default_factory=list[Element])
    """For each line of the text, the element that it opens or closes."""
    size: tuple[int, int] = (0, 0)
    """How many bodies and elements there are when all copies are made."""
    handed: Sum = field(default_factory=Sum)
    """What MuJoCo reads for it, everything as often as it is named."""
    depth: int = 0
    """How deep its models attach models."""
    notes: list[str] = field(default_factory=list[str])


def cleaned(path: Path) -> Cleaned:
    """Read an MJCF file and all that it includes, and make the text for MuJoCo."""
    return _Cleaner(path, Budget()).result()


class _Cleaner:
    """Goes through one file; the models that it attaches are files of their own."""

    def __init__(
        self, path: Path, budget: Budget, depth: int = 0, where: Element | None = None
    ) -> None:
        self.path = path
        self.folder = path.parent
        self.budget = budget
        self.depth = depth
        self.where = where
        """The element that names the file, if one does."""
        self.included = {os.path.realpath(path)}
        self.handed = Sum()
        self.left: Counter[str] = Counter()
        self.notes: list[str] = []
        self.missing: dict[str, str] = {}
        """Meshes that are dropped, by name, and why."""
        self.weightless: list[str] = []
        self.models: dict[str, Cleaned] = {}
        """Models that can be attached, by name."""

    def result(self) -> Cleaned:
        top = self.budget.xml(self.path, self.where)
        if top.tag == "robot":
            raise top.error("this is a URDF file; give it the suffix .urdf")
        if top.tag != "mujoco":
            raise top.error("an MJCF file must have the root element <mujoco>")
        self._include(top)
        self._directories(top)
        root = self._kept(top)
        geoms = geoms_of(root)
        self._assets(root, {geom.mesh for geom in geoms if geom.needs_mesh})
        self._drop_geoms(geoms)
        if GENERATORS & self.left.keys() and any(root.all("keyframe")):
            root.children = [each for each in root.children if each.tag != "keyframe"]
            self.notes.append("key frames left out: they count coordinates of what was left out")
        size = _size(root, {name: model.size for name, model in self.models.items()})
        self._count_attached(root)
        for element in root.walk():
            _check_numbers(element)
        _allow_weightless(root)
        text, sources = _written(root)
        self.handed.add(root, elements=sum(1 for _ in root.walk()), size=len(text))
        depth = 1 + max((model.depth for model in self.models.values()), default=-1)
        return Cleaned(
            root, text, self.budget.assets, sources, size, self.handed, depth, self._told()
        )

    # files ---------------------------------------------------------------------------------

    def _include(self, top: Element) -> None:
        """Put the children of each included file in its place; paths start at the main file's."""
        stack = [top]
        while stack:
            element = stack.pop()
            while any(child.tag == "include" for child in element.children):
                children: list[Element] = []
                for child in element.children:
                    children += self._included(child) if child.tag == "include" else [child]
                element.children = children
            stack += element.children

    def _included(self, element: Element) -> list[Element]:
        path = self._named(element, element.text("file"))
        real = os.path.realpath(path)
        if real in self.included:
            raise element.error(f"{short(element.text('file'))!r} is included twice")
        self.included.add(real)
        if len(self.included) > 1_000:
            raise element.error("there are more than 1000 includes")
        with element.explained():
            return self.budget.xml(path, element).children

    def _named(self, element: Element, name: str, folder: str = ".") -> Path:
        """The path of a file that an element names: from the main file's folder, as MuJoCo has it.

        If there is none, the way from there to the included file that names it is put before.
        """
        here = Path(element.file).parent.relative_to(self.folder)
        plain, nested = PurePosixPath(folder, name), PurePosixPath(folder, here, name)
        for each in (plain, nested):
            try:
                path = contained(self.folder, str(each), element.where)
            except PoiseError:  # outside; perhaps not from the other folder
                continue
            if os.path.isfile(path):  # pathlib's raises where a whole path is too long
                return path
        return contained(self.folder, str(plain), element.where)

    def _directories(self, top: Element) -> None:
        """Where meshes are looked for, as <compiler> says."""
        self.mesh_folder, self.strips = ".", False
        for compiler in top.all("compiler"):
            given = compiler.attributes
            self.mesh_folder = given.get("meshdir", given.get("assetdir", self.mesh_folder))
            self.strips = given.get("strippath", str(self.strips)).lower() == "true"

    def _assets(self, root: Element, needed: Collection[str | None]) -> None:
        """Read models, and of meshes those that something depends on."""
        for section in root.all("asset"):
            kept: list[Element] = []
            for element in section.children:
                if element.tag == "model":
                    self._model(element)
                elif element.tag == "mesh" and not self._mesh(element, needed):
                    continue
                kept.append(element)
            section.children = kept

    def _model(self, element: Element) -> None:
        """Clean a model that is attached, and hand it over under another name."""
        path = contained(self.folder, element.text("file"), element.where)
        found = self.budget.model(path)
        if self.depth + (found[1].depth if found else 0) >= DEEPEST_MODELS:
            raise element.error(f"models attach models more than {DEEPEST_MODELS} deep")
        with element.explained():
            if found is None:
                model = _Cleaner(path, self.budget, self.depth + 1, element).result()
                self.notes += model.notes
                found = self.budget.keep_model(path, model, element)
        file, model = found
        self.handed.add(element, models=1)
        self.handed.add_all(element, model.handed)
        element.attributes.setdefault("name", model.root.attributes.get("model", path.stem))
        element.attributes["file"] = file
        self.models[element.attributes["name"]] = model

    def _count_attached(self, root: Element) -> None:
        """Count the copies that MuJoCo makes of a model's meshes when it is attached again."""
        seen: set[str] = set()
        for element in root.walk():
            name = element.attributes.get("model", "")
            if element.tag == "attach" and name in self.models:
                if name in seen:
                    self.handed.add(element, size=self.models[name].handed.size)
                seen.add(name)

    def _mesh(self, element: Element, needed: Collection[str | None]) -> bool:
        """Read a mesh's file, if there is one and something needs it; whether it can be used."""
        given = element.attributes
        if "file" not in given:
            for word in given.get("params", "").split():
                if number(word, f"{element.where}: params") > FINEST_MESH:
                    raise element.error(f"params must be {FINEST_MESH} at most, not {short(word)}")
            return True
        file = given["file"].replace("\\", "/")
        name = given.setdefault("name", PurePosixPath(file).stem)
        place = PurePosixPath(file).name if self.strips else file
        path = self._named(element, place, self.mesh_folder)
        if not os.path.isfile(path):
            self.missing[name] = "missing on disk"
            return False
        if path.suffix.lower() not in _MESHES:
            self.missing[name] = f"not one of {' '.join(_MESHES)}"
            return False
        if name not in needed:
            # Its geoms have a colour, and nothing else that is read.
            element.attributes = {"name": name, **_STAND_IN}
            return True
        with element.explained():
            given["file"] = self.budget.mesh(path, element)
        # Two elements that name one file are two meshes for MuJoCo.
        self.handed.add(element, size=len(self.budget.assets[given["file"]]))
        given.pop("content_type", None)
        return True

    # elements ------------------------------------------------------------------------------

    def _kept(self, top: Element) -> Element:
        """A copy with only the elements and attributes that are passed on."""
        result = Element(top.tag, _attributes(top), top.file, top.line)
        stack = [(top, result, top.tag)]
        while stack:
            source, copy, place = stack.pop()
            kept, left = KEPT.get(place, ()), LEFT.get(place, ())
            for child in source.children:
                if child.tag in kept:
                    copied = Element(child.tag, _attributes(child), child.file, child.line)
                    copy.children.append(copied)
                    # In <default> an <equality> or <tendon> is no section, and has no children.
                    is_section = place != "default" or child.tag not in ("equality", "tendon")
                    stack.append((child, copied, child.tag if is_section else ""))
                elif child.tag in left:
                    self.left[child.tag] += 1
                else:
                    where = f"{child.file}, line {child.line}: in <{source.tag}>"
                    raise unknown_name("element", short(child.tag), (*kept, *left), where)
        return result

    def _drop_geoms(self, geoms: list[Geom]) -> None:
        """Leave out geoms whose meshes or height fields cannot be had."""
        dropped: set[int] = set()
        for geom in geoms:
            if geom.mesh in self.missing:
                dropped.add(id(geom.element))
                if geom.has_weight:
                    given = geom.body.attributes
                    self.weightless.append(given.get("name", f"in line {geom.body.line}"))
            elif "hfield" in geom.said or geom.said.get("type") == "sdf":
                dropped.add(id(geom.element))
                self.left["geom of a height field or plugin"] += 1
            elif geom.mesh is not None:
                # What collides gets a hull, which takes long and is loud when it fails.
                geom.element.attributes |= {"contype": "0", "conaffinity": "0"}
        for holder in {id(geom.holder): geom.holder for geom in geoms}.values():
            holder.children = [each for each in holder.children if id(each) not in dropped]

    def _told(self) -> list[str]:
        """Sentences about what was left out."""
        notes = self.notes
        for why in dict.fromkeys(self.missing.values()):
            named = [name for name, reason in self.missing.items() if reason == why]
            notes.append(f"meshes left out, {why}: {short(', '.join(named), 200)}")
        if self.weightless:
            listed = short(", ".join(dict.fromkeys(self.weightless)), 200)
            notes.append(f"these bodies lack the mass that their meshes would give them: {listed}")
        spoken = {tag: n for tag, n in self.left.items() if tag not in UNSPOKEN}
        if spoken:
            listed = ", ".join(f"<{short(tag)}> ({n})" for tag, n in spoken.items())
            notes.append(f"left out: {short(listed, 300)}")
        return notes


def _attributes(element: Element) -> dict[str, str]:
    """Attributes that are passed on; an empty colour is none, as for MuJoCo."""
    removed = REMOVED.get(element.tag, ())
    return {
        key: value
        for key, value in element.attributes.items()
        if key not in removed and (key != "rgba" or value.strip())
    }


def _check_numbers(element: Element) -> None:
    """Refuse what MuJoCo would take, or trip over, although nothing good comes of it."""
    for key, value in element.attributes.items():
        if key in NAMING:
            continue
        if not value.strip():
            raise element.error(f"the attribute {key!r} is empty")
        for word in value.split():
            try:
                size = abs(float(word))
            except ValueError:
                continue  # a word, or an error that MuJoCo will find
            if not size <= MOST_NUMBER:
                raise element.error(
                    f"{key} must be finite and within ±{MOST_NUMBER:g}, not {short(word)!r}"
                )


def _size(root: Element, models: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """How many bodies and elements there are when all copies are made; too many are refused."""
    bodies = parts = 0
    stack = [(root, 1)]
    while stack:
        element, copies = stack.pop()
        own_bodies, own_parts = (1 if element.tag == "body" else 0), 1
        if element.tag == "attach":
            own_bodies, own_parts = models.get(element.attributes.get("model", ""), (1, 1))
        bodies += copies * own_bodies
        parts += copies * own_parts
        if element.tag == "replicate":
            copies *= max(1, min(MOST_PARTS + 1, int(element.number("count"))))
        if bodies > MOST_BODIES or parts > MOST_PARTS:
            raise element.error(
                f"with all copies made, there are more than {MOST_BODIES:,} bodies or "
                f"{MOST_PARTS:,} elements"
            )
        stack += [(child, copies) for child in element.children]
    return bodies, parts


def _allow_weightless(root: Element) -> None:
    """Let bodies without mass move, which MuJoCo refuses unless a least mass is set."""
    attributes = {"boundmass": LEAST_MASS, "boundinertia": LEAST_MASS}
    compiler = Element("compiler", attributes, root.file, root.line)
    root.children.insert(0, compiler)


def _written(root: Element) -> tuple[str, list[Element]]:
    """The elements as text, a line for each tag, and the element of each line."""
    lines: list[str] = []
    sources: list[Element] = []
    stack: list[tuple[Element, bool]] = [(root, True)]
    while stack:
        element, opens = stack.pop()
        sources.append(element)
        if not opens:
            lines.append(f"</{element.tag}>")
            continue
        with element.explained():
            lines.append(xml_text(element.tag, element.attributes, closed=not element.children))
        if element.children:
            stack.append((element, False))
            stack += [(child, True) for child in reversed(element.children)]
    return "\n".join(lines), sources


def unusable(path: Path, message: str, sources: list[Element]) -> PoiseError:
    """MuJoCo's complaint about the text, as one about the file."""
    found = re.search(r"line(?: number)?[ =](\d+)", message, re.IGNORECASE)
    words = re.sub(r"(XML )?(parse )?[Ee]rror:?|Element (name )?'.*", "", message)
    words = re.sub(r"\s+", " ", words).strip()
    line = int(found[1]) if found else 0
    if 0 < line <= len(sources):
        return sources[line - 1].error(short(words, 300))
    return PoiseError(f"{path}: {short(words, 300)}")
