"""A figure from a URDF file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

from poise.checking import Vec3, direction
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.figure.kinds import EVERYTHING, Fixed, Free, Hinge, Interval, JointKind, Slider
from poise.figure.parts import WORLD, Coupling, Joint, Segment
from poise.figure.transform import IDENTITY, Transform, rotation_to
from poise.formats.hostile import MOST_JOINTS, Element, Names, read_xml, short
from poise.formats.placing import parted, unless_endless
from poise.formats.reading import Reading
from poise.formats.urdf.links import Links, origin
from poise.formats.urdf.srdf import Robot, limbs_beside

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
"""The types of joint that URDF knows."""

_DEFAULT_AXIS = (1.0, 0.0, 0.0)
_KNOWN = ("link", "joint", "material")


def read(path: str | Path, *, root: Literal["fixed", "free"] = "fixed") -> Reading:
    """Read a URDF file.

    Every link is a segment and every joint a joint; a planar joint becomes two sliders and a
    hinge. A joint that mimics another is bound to it by a coupling; one that mimics a fixed joint
    stays at its offset, and what a fixed one mimics is left out, both with a note. Shapes are the
    primitives among the collision shapes, or, of a link without any, among the visual ones; meshes
    are not opened. A root link named "world" that holds nothing is the ground. The groups of an
    SRDF file of the same name beside it are limbs, besides those that names tell.

    Args:
        path: of the file.
        root: what holds the root link to the ground, which URDF does not say unless that link is
            the ground itself.
    """
    if root not in ("fixed", "free"):
        raise PoiseError(f"root must be 'fixed' or 'free', not {root!r}")
    top = read_xml(path)
    if top.tag != "robot":
        raise top.error("a URDF file must have the root element <robot>")
    _refuse_xacro(top)
    return _Reader(top, Path(path), root).reading()


def _refuse_xacro(top: Element) -> None:
    for element in top.walk():
        if element.tag.startswith("xacro:"):
            raise element.error("this file must be expanded first: xacro FILE > FILE.urdf")


class _Reader:
    """Turns the elements into parts of a figure."""

    def __init__(self, top: Element, path: Path, root: str) -> None:
        self.top = top
        self.path = path
        self.root = root
        self.name = top.attributes.get("name", "").strip() or path.stem or "robot"
        self.notes: list[str] = []
        self.joint_names = Names()
        self.elements: dict[str, Element] = {}
        """The joints by the file's name."""
        self.joints: list[Joint] = []
        self.ours: dict[str, list[str]] = {}
        """Our joints by the file's name."""
        self.between: list[Segment] = []
        """Segments inside joints that we must take apart."""
        self.coordinates: dict[str, str] = {}
        """The one coordinate of a joint by the file's name."""
        self.couplings: list[Coupling] = []

    def reading(self) -> Reading:
        links = [*self.top.all("link")]
        for joint in self.top.all("joint"):
            name = joint.text("name")
            if name in self.elements:
                raise joint.error(
                    f"another joint has this name, in line {self.elements[name].line}"
                )
            self.elements[name] = joint
        for found, what in ((links, "links"), (self.elements, "joints")):
            if len(found) > MOST_JOINTS:
                raise self.top.error(f"there are {len(found)} {what}, more than {MOST_JOINTS:,}")
        children: dict[str, Element] = {}
        for joint in self.elements.values():
            child = self._end(joint, "child")
            if child in children:
                raise joint.error(
                    f"the link {short(child)!r} is the child of another joint already, in line "
                    f"{children[child].line}; a robot is a tree"
                )
            children[child] = joint
        self.links = Links(self.top, links, children)
        self._hold_root(children)
        for name, element in self.elements.items():
            before = len(self.joints)
            with element.explained():
                self._joint(name, element)
            self.ours[name] = [joint.name for joint in self.joints[before:]]
        for name, element in self.elements.items():
            mimic = element.one("mimic")
            if mimic is not None:
                with mimic.explained():
                    self._couple(name, mimic)
        self._tell()
        with self.top.explained():
            figure = Figure(
                self.name,
                [*self.links.segments.values(), *self.between],
                self.joints,
                couplings=self.couplings,
            )
        figure = self._with_limbs(figure, children)
        return Reading(figure, notes=tuple(self.notes))

    def _with_limbs(self, figure: Figure, children: Mapping[str, Element]) -> Figure:
        """The figure with the groups of an SRDF file beside the URDF file as limbs."""
        carriers = {
            child: (joint.text("name"), self._end(joint, "parent"))
            for child, joint in children.items()
        }
        links = {name: carriers.get(name) for name in self.links.elements}
        groups = limbs_beside(self.path, Robot(self.ours, links), self.notes)
        moving = {joint.name for joint in figure.joints.values() if joint.coordinates}
        limbs = {name: each for name, each in groups.items() if not moving.isdisjoint(each)}
        return figure.with_limbs(limbs) if limbs else figure

    def _end(self, joint: Element, end: Literal["parent", "child"]) -> str:
        return joint.need(end).text("link")

    def _hold_root(self, children: Collection[str]) -> None:
        """Join each link that is no joint's child to the ground."""
        roots = [name for name in self.links.segments if name not in children]
        if len(roots) > 1 or (roots and self.links.has_ground):
            element = self.links.elements[roots[-1]]
            others = [WORLD] if self.links.has_ground else roots[:-1]
            listed = ", ".join(repr(short(each)) for each in others[:5])
            raise element.error(f"no joint has it as its child; the root is {listed}")
        for each in roots:
            # A file may call one of its own joints so.
            name = self.joint_names.fresh("root" if "root" not in self.elements else "ground")
            kind = Free() if self.root == "free" else Fixed()
            self.joints.append(Joint(name, kind, WORLD, self.links.segments[each].name))

    def _joint(self, given: str, element: Element) -> None:
        kind = element.text("type")
        if kind not in TYPES:
            raise unknown_name("type of joint", kind, TYPES)
        parent = self.links.end(self._end(element, "parent"), element, is_parent=True)
        child = self.links.end(self._end(element, "child"), element)
        place = origin(element)
        name = self.joint_names.fresh(given)
        if kind == "planar":
            self._planar(name, parent, child, place, _axis(element))
            return
        joint = Joint(name, self._kind(kind, element), parent, child, *parted(place))
        self.joints.append(joint)
        if kind in ("revolute", "continuous", "prismatic"):
            self.coordinates[given] = joint.coordinates[0]

    def _kind(self, kind: str, element: Element) -> JointKind:
        if kind == "fixed":
            return Fixed()
        if kind == "floating":
            return Free()
        if kind == "continuous":
            return Hinge(_axis(element), EVERYTHING)
        limits = self._limits(element)
        return (
            Hinge(_axis(element), limits) if kind == "revolute" else Slider(_axis(element), limits)
        )

    def _limits(self, element: Element) -> Interval:
        limit = element.one("limit")
        if limit is None:
            name = short(element.text("name"))
            self.notes.append(
                f"joint {name} has no <limit>, which its type needs: it has none here"
            )
            return EVERYTHING
        low, high = limit.number("lower", 0.0), limit.number("upper", 0.0)
        if low > high:
            raise limit.error(f"lower must not be above upper, but they are {low:g} and {high:g}")
        return unless_endless(low, high)

    def _planar(self, name: str, parent: str, child: str, place: Transform, axis: Vec3) -> None:
        """Two sliders in the plane, then a hinge about its normal."""
        frame = Transform.turn(rotation_to(axis))
        steps: list[tuple[str, JointKind]] = [
            (self.joint_names.fresh(f"{name}_x"), Slider("x")),
            (self.joint_names.fresh(f"{name}_y"), Slider("y")),
            (name, Hinge("z")),
        ]
        before = place @ frame
        for each, kind in steps[:-1]:
            between = self.links.names.fresh(each)
            self.between.append(Segment(between))
            self.joints.append(Joint(each, kind, parent, between, *parted(before)))
            parent, before = between, IDENTITY
        last, kind = steps[-1]
        self.joints.append(
            Joint(last, kind, parent, child, *parted(before), *parted(frame.inverse()))
        )
        self.notes.append(f"joint {short(name)} is planar: it is two sliders and a hinge here")

    def _couple(self, given: str, mimic: Element) -> None:
        other = mimic.text("joint")
        if other not in self.elements:
            raise unknown_name("joint", short(other), self.elements)
        if given == other:
            raise mimic.error("a joint cannot mimic itself")
        fixed = [each for each in (given, other) if self.elements[each].text("type") == "fixed"]
        movable = [each for each in (given, other) if each in self.coordinates]
        if len(fixed) + len(movable) < 2:
            raise mimic.error("only revolute, continuous and prismatic joints mimic each other")
        offset = mimic.number("offset", 0.0)
        factor = -mimic.number("multiplier", 1.0)
        if given in fixed:
            self.notes.append(
                f"joint {short(given)} is fixed: that it mimics {short(other)} is left out"
            )
            return
        terms = {self.coordinates[given]: 1.0}
        if other in fixed:
            who = f"joint {short(given)} mimics {short(other)}"
            self.notes.append(f"{who}, which is fixed: it stays at {offset:g}")
        else:
            terms[self.coordinates[other]] = factor
        name = self.coordinates[given].partition(".")[0]
        self.couplings.append(Coupling(name, terms, offset, offset))

    def _tell(self) -> None:
        """Note what was renamed and left out."""
        self.notes += self.links.notes
        self.notes += self.links.names.notes("links")
        self.notes += self.joint_names.notes("joints")
        ignored = Counter(child.tag for child in self.top.children if child.tag not in _KNOWN)
        if ignored:
            listed = ", ".join(f"<{short(tag)}> ({n})" for tag, n in ignored.most_common(8))
            self.notes.append(f"left out: {listed}")


def _axis(element: Element) -> Vec3:
    found = element.one("axis")
    if found is None:
        return _DEFAULT_AXIS
    with found.explained():
        return direction(found.numbers("xyz", _DEFAULT_AXIS), "xyz")
