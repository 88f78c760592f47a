"""Words of MJCF: which elements and attributes MuJoCo gets to see, and which are left out.

A word that is in none of these lists is misspelt, or in the wrong place. MuJoCo says so of what it
sees, and poise of the rest.
"""

from __future__ import annotations

_PLACED = ("body", "joint", "freejoint", "geom", "site", "inertial", "frame", "replicate", "attach")
KEPT: dict[str, tuple[str, ...]] = {
    "mujoco": ("compiler", "default", "asset", "worldbody", "equality", "tendon", "keyframe"),
    "default": ("default", "geom", "joint", "site", "mesh", "material", "equality", "tendon"),
    "asset": ("mesh", "material", "model"),
    "worldbody": _PLACED,
    "body": _PLACED,
    "frame": _PLACED,
    "replicate": _PLACED,
    "equality": ("connect", "weld", "joint", "tendon"),
    "tendon": ("fixed",),
    "fixed": ("joint",),
    "keyframe": ("key",),
}
"""What is passed on within each element."""

GENERATORS = {"composite", "flexcomp"}
"""What would have made bodies and coordinates of its own."""

_MOTORS = (
    *("general", "motor", "position", "velocity", "intvelocity", "orientation", "pid", "damper"),
    *("cylinder", "muscle", "adhesion", "dcmotor"),
)
_BESIDE = ("camera", "light", "plugin", *GENERATORS)
LEFT: dict[str, tuple[str, ...]] = {
    "mujoco": (
        *("option", "size", "visual", "statistic", "custom", "extension", "contact"),
        *("deformable", "actuator", "sensor"),
    ),
    "compiler": ("lengthrange",),
    "default": ("camera", "light", "texture", "pair", *_MOTORS),
    "asset": ("texture", "hfield", "skin"),
    "material": ("layer",),
    "mesh": ("plugin",),
    "geom": ("plugin",),
    "worldbody": _BESIDE,
    "body": _BESIDE,
    "frame": _BESIDE,
    "replicate": _BESIDE,
    "equality": ("distance", "flex", "flexvert", "flexstrain"),
    "tendon": ("spatial",),
}
"""What is left out within each element, with all that is in it, as MuJoCo 2 to 4 know it."""

UNSPOKEN = {
    *("option", "size", "visual", "statistic", "custom", "contact", "actuator", "sensor"),
    *("camera", "light", "texture", "lengthrange", "layer", "pair", *_MOTORS),
}
"""What is no part of a figure; leaving it out goes without saying."""

REMOVED: dict[str, tuple[str, ...]] = {
    # The first two make MuJoCo leave bodies and geoms out. The last is for files that it opens.
    "compiler": ("fusestatic", "discardvisual", "usethread", "meshdir", "texturedir", "assetdir"),
    "key": ("ctrl", "act", "qvel", "time"),
    "material": ("texture",),
}
"""Attributes that are left out."""

NAMING = {
    *("name", "class", "childclass", "model", "file", "mesh", "material", "prefix", "body"),
    *("body1", "body2", "joint", "joint1", "joint2", "site1", "site2", "tendon1", "tendon2"),
}
"""Attributes that hold names and not numbers."""
