"""Our names for the parts of other people's skeletons.

Ready maps are for the CMU database ("cmu", "cmu_asf"), Mixamo and its like ("mixamo"), VRM ("vrm",
"vrm_0"), Rokoko ("rokoko"), H-Anim ("hanim"), Biovision ("biovision") and Daz or Poser ("daz");
"poise" knows our own names, for files that poise wrote.
A map of one's own is a YAML file:

```yaml
names:
  sides: {left: L, right: R}          # what stands for {side} in their names; ours has left, right
  prefixes: ["Character1_"]           # left away before a name is looked up
  map:
    Pelvis: pelvis
    "{side}_Thigh": "{side}_thigh"
```
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import Field

from poise.checking import name as checked_name
from poise.documents import Document, Part, parse, validated
from poise.documents import read as read_document
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.formats import name_maps
from poise.formats.conventions import AUTO

READY = (
    *("mixamo", "cmu", "cmu_asf", "vrm", "vrm_0", "rokoko", "hanim", "biovision", "daz", "poise"),
)
"""The maps that come with poise; where several know as many names, the first is taken."""

FEWEST = 8
"""How many names a map must know before a skeleton is taken for one of its kind."""


class _MapPart(Part):
    """A map of names."""

    description: str = Field(default="", description="one line about it")
    prefixes: list[str] = Field(default=[], description="left away before a name is looked up")
    sides: dict[str, str] = Field(
        default={"left": "left", "right": "right"},
        description="what stands for {side} in their names, by left and right",
    )
    map: dict[str, str] = Field(description="our names by theirs")


class _MapFile(Part):
    """A file with a map of names."""

    names: _MapPart


@dataclass(frozen=True)
class NameMap:
    """Which of our segments another skeleton's parts are.

    Attributes:
        name: what the map is called.
        ours: our names by theirs.
        prefixes: what may stand before their names; the first that fits is left away.
        description: one line about it.
    """

    name: str
    ours: Mapping[str, str]
    prefixes: tuple[str, ...] = ()
    description: str = ""

    def known(self, names: Iterable[str]) -> dict[str, str]:
        """Our names by theirs, of those that the map knows; each of ours is given once.

        Of several that mean the same the first is taken.
        """
        result: dict[str, str] = {}
        taken: set[str] = set()
        for name in names:
            ours = self.ours.get(self._bare(name))
            if ours is not None and ours not in taken:
                taken.add(ours)
                result[name] = ours
        return result

    def _bare(self, name: str) -> str:
        for prefix in self.prefixes:
            if name.startswith(prefix) and name != prefix:
                return name.removeprefix(prefix)
        return name


def name_map(given: str | Path) -> NameMap:
    """A ready map by its name, or one from a file."""
    if isinstance(given, str) and given in READY:
        return _ready(given)
    if isinstance(given, str) and not given.lower().endswith((".yaml", ".yml")):
        raise unknown_name("map of names", given, [*READY, AUTO, "a .yaml file"])
    if not isinstance(given, (str, Path)):
        raise PoiseError(f"a map of names goes by its name or its file, not {given!r}")
    return _map_from(read_document(given), Path(given).stem)


@cache
def _ready(name: str) -> NameMap:
    file = resources.files(name_maps).joinpath(f"{name}.yaml")
    return _map_from(parse(file.read_text(encoding="utf-8"), f"{name}.yaml"), name)


def _map_from(document: Document, name: str) -> NameMap:
    part = validated(document, _MapFile).names
    if part.sides.keys() != {"left", "right"}:
        raise document.error(("names", "sides"), "must be {left: …, right: …}")
    ours: dict[str, str] = {}
    for theirs, our in part.map.items():
        with document.at("names", "map", theirs):
            if ("{side}" in theirs) != ("{side}" in our):
                raise PoiseError("{side} must stand in both names or in none")
            for side, word in part.sides.items():
                ours[theirs.replace("{side}", word)] = checked_name(
                    our.replace("{side}", side), "segment"
                )
    return NameMap(name, ours, tuple(part.prefixes), part.description)


def recognised(names: Iterable[str]) -> NameMap | None:
    """The ready map that knows most of some names; None where none knows enough of them."""
    listed = list(names)
    counts = {each: len(_ready(each).known(listed)) for each in READY}
    best = max(READY, key=lambda each: counts[each])
    return _ready(best) if counts[best] >= FEWEST else None


def correspondence(figure: Figure, names: str | Path = AUTO) -> dict[str, str]:
    """Segments of a figure by our names for them; empty where nothing is known of it.

    Args:
        figure: any figure; of one with our own names every segment stands for itself.
        names: a map's name or file, or "auto" for the ready map that fits best.
    """
    chosen = recognised(figure.segments) if names == AUTO else name_map(names)
    known = chosen.known(figure.segments) if chosen else {}
    same = {} if known else _ready("poise").known(figure.segments)
    return {our: theirs for theirs, our in known.items()} | same
