"""Which module reads and writes which files.

To add a format, write a module with one or both of

    read(path: Path, *, option=default, …) -> Reading
    write(reading: Reading, path: Path, *, option=default, …) -> tuple[str, ...]

and name it in `FORMATS`. What `write` gives back are notes, one plain sentence for each thing that
the file cannot hold. Modules are imported when they are first used.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from poise.errors import PoiseError

Verb = Literal["read", "write"]


@dataclass(frozen=True)
class Format:
    """A kind of file: its name, how its files end, and the module that knows it."""

    name: str
    suffixes: tuple[str, ...]
    module: str
    verbs: tuple[Verb, ...] = ("read", "write")
    holds_props: bool = False
    """Whether what stands in the world of a scene is written, too."""
    is_skeletal: bool = False
    """Whether it holds skeletons of people that know nothing of their limits, or little."""

    def function(self, verb: Verb) -> Any:
        """The function of the module that reads or writes."""
        return getattr(importlib.import_module(self.module), verb)


FORMATS = (
    Format("figure file", (".yaml", ".yml"), "poise.formats.figure_file"),
    Format("BVH", (".bvh",), "poise.formats.bvh", is_skeletal=True),
    Format("ASF", (".asf",), "poise.formats.asf", ("read",), is_skeletal=True),
    Format("AMC", (".amc",), "poise.formats.amc", ("read",), is_skeletal=True),
    Format("URDF", (".urdf",), "poise.formats.urdf"),
    Format("MJCF", (".xml", ".mjcf"), "poise.formats.mjcf"),
    Format("glTF", (".glb", ".gltf"), "poise.formats.gltf", holds_props=True, is_skeletal=True),
    Format("VRM", (".vrm",), "poise.formats.vrm", ("read",)),
)
"""Every format, in the order in which messages list them."""


def format_of(path: Path, verb: Verb) -> Format:
    """The format of a file that is to be read or written, by its suffix."""
    suffix = path.suffix.lower()
    known = [each for each in FORMATS if suffix in each.suffixes]
    if known and verb in known[0].verbs:
        return known[0]
    listed = ", ".join(
        f"{each.name} ({' '.join(each.suffixes)})" for each in FORMATS if verb in each.verbs
    )
    what = f"{suffix} files" if suffix else "files without a suffix"
    raise PoiseError(f"cannot {verb} {str(path)!r}: not {what}, only {listed}")
