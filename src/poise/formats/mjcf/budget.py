"""What an MJCF file and all that belongs to it may come to together.

Each file by itself is bounded already. But a small one can name a large one again and again, so
what is read, and what MuJoCo is handed, is counted over all files, once for every time.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from poise.formats.hostile import LARGEST_FILE, MOST_ELEMENTS, Element, parse_xml, read_bytes

if TYPE_CHECKING:
    from poise.formats.mjcf.prepass import Cleaned

LARGEST_MESH = 50_000_000
"""Bytes of the largest mesh that is read."""
MOST_ASSETS = 200
"""Models and meshes that a file may refer to, with all that these do."""


@dataclass
class Sum:
    """Files, elements and bytes, added up as far as is allowed."""

    models: int = 0
    elements: int = 0
    size: int = 0
    """In bytes."""

    def add(self, where: Element, *, models: int = 0, elements: int = 0, size: int = 0) -> None:
        """Add to it; an error at this element if that is too much."""
        self.models += models
        self.elements += elements
        self.size += size
        if self.models > MOST_ASSETS:
            raise where.error(f"there are more than {MOST_ASSETS} models and meshes")
        if self.elements > MOST_ELEMENTS:
            raise where.error(
                f"with this, all files together have more than {MOST_ELEMENTS:,} elements"
            )
        if self.size > LARGEST_FILE:
            raise where.error(
                f"with this, all files together are larger than {LARGEST_FILE / 1e6:g} MB"
            )

    def add_all(self, where: Element, other: Sum, *, times: int = 1) -> None:
        """Add another sum, as often as it is needed."""
        self.add(
            where,
            models=times * other.models,
            elements=times * other.elements,
            size=times * other.size,
        )


@dataclass
class Budget:
    """What has been read for one file, shared by all that belongs to it."""

    read: Sum = field(default_factory=Sum)
    assets: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """What MuJoCo may open, by the names that it gets."""
    _meshes: dict[str, str] = field(default_factory=dict[str, str])
    _models: dict[str, tuple[str, Cleaned]] = field(default_factory=lambda: {})

    def xml(self, path: Path, where: Element | None = None) -> Element:
        """The root of an XML file, which another may name at an element."""
        content = read_bytes(path)
        root = parse_xml(content, str(path))
        self.read.add(where or root, elements=sum(1 for _ in root.walk()), size=len(content))
        return root

    def mesh(self, path: Path, where: Element) -> str:
        """What MuJoCo knows a mesh by; its file is read once."""
        real = os.path.realpath(path)
        if real not in self._meshes:
            content = read_bytes(path, largest=LARGEST_MESH)
            self.read.add(where, models=1, size=len(content))
            self._meshes[real] = f"mesh_{len(self.assets)}{path.suffix.lower()}"
            self.assets[self._meshes[real]] = content
        return self._meshes[real]

    def model(self, path: Path) -> tuple[str, Cleaned] | None:
        """What MuJoCo knows a model by, and the model, if it has been read."""
        return self._models.get(os.path.realpath(path))

    def keep_model(self, path: Path, model: Cleaned, where: Element) -> tuple[str, Cleaned]:
        """Hand over a model that has been read."""
        self.read.add(where, models=1)
        name = f"model_{len(self.assets)}.xml"
        self.assets[name] = model.text.encode()
        self._models[os.path.realpath(path)] = name, model
        return name, model
