"""The example scenes that come with poise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

import poise


@dataclass(frozen=True)
class Example:
    """A scene file: what it shows, in one line, and its text."""

    title: str
    text: str


@cache
def examples() -> dict[str, Example]:
    """By name; empty where poise was installed without them."""
    package = Path(poise.__file__).parent
    # In an installed package they lie beside the studio, in a checkout where people look for them.
    folders = (package / "studio" / "examples", package.parents[1] / "examples")
    found: dict[str, Example] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            text = path.read_text(encoding="utf-8")
            scene = yaml.safe_load(text).get("scene", {})
            found.setdefault(path.stem, Example(scene.get("description") or path.stem, text))
    return found
