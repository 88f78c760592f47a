"""Groups of an SRDF file, which says of a URDF file what belongs together: limbs here.

A group lists joints, links (each for the joint that carries it), chains (the joints from a base
link to a tip link) and other groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from poise.errors import PoiseError, unknown_name
from poise.formats.hostile import MOST_JOINTS, Element, Names, contained, read_xml, short

SUFFIX = ".srdf"
_DEEPEST = 20
"""How deep groups may contain each other."""
_MOST_GROUPS = 1_000
"""Groups of the largest file that is read."""


@dataclass(frozen=True, eq=False)
class Robot:
    """What the groups of an SRDF file may name."""

    joints: Mapping[str, Sequence[str]]
    """Our names of the joints by the file's."""
    links: Mapping[str, tuple[str, str] | None]
    """The joint that carries each link, by the file's name, and its parent; None for the root."""


def limbs_beside(path: Path, robot: Robot, notes: list[str]) -> dict[str, list[str]]:
    """Joints by group, if a file of the same name with the suffix .srdf stands beside a URDF file.

    What cannot be read is told in notes and left out: the robot itself does not need it.
    """
    if not path.with_suffix(SUFFIX).is_file():
        return {}
    try:
        beside = contained(path.parent, path.with_suffix(SUFFIX).name, str(path))
        top = read_xml(beside)
        if top.tag != "robot":
            raise top.error("an SRDF file must have the root element <robot>")
        return _Groups(top, robot, notes).limbs()
    except PoiseError as error:
        notes.append(
            f"limbs are not those of the SRDF file beside it, which cannot be read: {error}"
        )
        return {}


@dataclass(frozen=True, eq=False)
class _Groups:
    top: Element
    robot: Robot
    notes: list[str]
    found: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def limbs(self) -> dict[str, list[str]]:
        names, result = Names(), dict[str, list[str]]()
        if len(list(self.top.all("group"))) > _MOST_GROUPS:
            raise self.top.error(f"there are more than {_MOST_GROUPS:,} groups")
        elements = {each.attributes.get("name", "").strip(): each for each in self.top.all("group")}
        left: dict[str, PoiseError] = {}
        for name, element in elements.items():
            try:
                result[names.fresh(element.text("name"))] = self._joints(name, elements, ())
            except PoiseError as error:
                left[short(name)] = error
        if left:
            why = next(iter(left.values()))
            self.notes.append(f"groups of the SRDF file left out: {', '.join(left)}; {why}")
        self.notes.extend(names.notes("groups"))
        return result

    def _joints(
        self, name: str, elements: Mapping[str, Element], within: tuple[str, ...]
    ) -> list[str]:
        """Our joints of a group; `within` are the groups that ask for it."""
        if name in self.found:
            return self.found[name]
        element = elements[name]
        if name in within:
            raise element.error(f"it contains itself, by way of {', '.join(map(short, within))}")
        if len(within) > _DEEPEST:
            raise element.error(f"groups contain each other more than {_DEEPEST} deep")
        ways: dict[str, Callable[[Element], list[str]]] = {
            "joint": self._joint,
            "link": self._link,
            "chain": self._chain,
        }
        result: list[str] = []
        for child in element.children:
            if child.tag == "group":
                other = child.text("name")
                if other not in elements:
                    raise unknown_name("group", short(other), elements, child.where)
                result += self._joints(other, elements, (*within, name))
            elif child.tag in ways:
                result += ways[child.tag](child)
            if len(result) > MOST_JOINTS:
                raise element.error(f"it lists joints more than {MOST_JOINTS:,} times")
        self.found[name] = list(dict.fromkeys(result))
        return self.found[name]

    def _joint(self, element: Element) -> list[str]:
        name = element.text("name")
        if name not in self.robot.joints:
            raise unknown_name("joint", short(name), self.robot.joints, element.where)
        return [*self.robot.joints[name]]

    def _link(self, element: Element) -> list[str]:
        carrier = self.robot.links[self._known(element, "name")]
        return [] if carrier is None else [*self.robot.joints[carrier[0]]]

    def _chain(self, element: Element) -> list[str]:
        base, link = self._known(element, "base_link"), self._known(element, "tip_link")
        result: list[str] = []
        while link != base:
            carrier = self.robot.links[link]
            if carrier is None:
                raise element.error(f"{short(base)!r} does not carry the tip")
            joint, link = carrier
            result += reversed(self.robot.joints[joint])
        return result[::-1]

    def _known(self, element: Element, attribute: str) -> str:
        """A link that an attribute names."""
        link = element.text(attribute)
        if link not in self.robot.links:
            raise unknown_name("link", short(link), self.robot.links, element.where)
        return link
