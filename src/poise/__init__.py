"""Postures for articulated figures, by tasks in strict order of importance.

The names below are imported when they are first used, so that `import poise` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from poise.errors import PoiseError, PoiseWarning

if TYPE_CHECKING:
    from poise import figure as figure
    from poise import formats as formats
    from poise import models as models
    from poise import motion as motion
    from poise import pictures as pictures
    from poise import scene as scene
    from poise import solvers as solvers
    from poise import statics as statics
    from poise import tasks as tasks
    from poise.figure import Builder, Figure, Posture
    from poise.figure.props import Prop, box, cylinder, sphere
    from poise.formats.loading import export, load, load_clip
    from poise.formats.meshes import mesh
    from poise.models import chain, hand, human
    from poise.motion import Clip
    from poise.pictures import picture
    from poise.scene import Scene
    from poise.scene.comparing import compare

__version__ = "0.1.0"

_HOMES = {
    "Builder": "poise.figure",
    "Clip": "poise.motion",
    "Figure": "poise.figure",
    "Posture": "poise.figure",
    "Prop": "poise.figure.props",
    "Scene": "poise.scene",
    "box": "poise.figure.props",
    "chain": "poise.models",
    "compare": "poise.scene.comparing",
    "cylinder": "poise.figure.props",
    "export": "poise.formats.loading",
    "hand": "poise.models",
    "human": "poise.models",
    "load": "poise.formats.loading",
    "load_clip": "poise.formats.loading",
    "mesh": "poise.formats.meshes",
    "picture": "poise.pictures",
    "sphere": "poise.figure.props",
}

# Parts of the package that are imported when they are first used: `poise.tasks.Position`.
_PARTS = (
    "figure",
    "formats",
    "models",
    "motion",
    "pictures",
    "scene",
    "solvers",
    "statics",
    "tasks",
)

__all__ = [
    "Builder",
    "Clip",
    "Figure",
    "PoiseError",
    "PoiseWarning",
    "Posture",
    "Prop",
    "Scene",
    "__version__",
    "box",
    "chain",
    "compare",
    "cylinder",
    "export",
    "hand",
    "human",
    "load",
    "load_clip",
    "mesh",
    "picture",
    "sphere",
]

# The other ready figures that `poise figures` lists.
_READY = (
    "arms_of_16",
    "bird",
    "box_carrier_of_10",
    "catalogue",
    "person_of_63",
    "person_of_71",
    "planar_person",
    "quadruped",
    "shoulder_complex",
    "torso_arm_of_22",
    "torso_arms_of_31",
    "upper_body_of_22",
    "upper_body_of_70",
)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name in _PARTS:
        return importlib.import_module(f"poise.{name}")
    home = "poise.models" if name in _READY else _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'poise' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    """All public names, imported or not."""
    return sorted([*__all__, *_READY, *_PARTS])
