"""Spoilt MJCF files, some with others that they name: `python -m tests.soak piece MJCF 50000 1`."""

from __future__ import annotations

import re
from pathlib import Path

from tests.formats.mutating import Files, spoilt_set
from tests.formats.mutating import fuzz as fuzz_files
from tests.formats.robots import MJCF_ROBOT

from poise.formats import mjcf
from poise.formats.mjcf import compiling
from poise.formats.reading import Reading

_SEVERAL = """\
<mujoco model="several">
  <compiler meshdir="meshes"/>
  <include file="parts/defaults.xml"/>
  <asset>
    <mesh name="wedge" file="wedge.obj"/>
    <mesh name="solid" file="solid.stl"/>
    <mesh name="made" builtin="sphere" params="1"/>
    <model name="gripper" file="gripper.xml"/>
  </asset>
  <worldbody>
    <body name="base">
      <joint name="turn" range="-1 1"/>
      <geom type="mesh" mesh="wedge"/>
      <geom type="mesh" mesh="solid" mass="1"/>
      <geom type="mesh" mesh="made" mass="1"/>
      <body name="wrist" pos="0 0 1">
        <joint name="bend" axis="0 1 0" class="small"/>
        <geom size="0.1"/>
        <frame pos="0 0 0.2"><attach model="gripper" body="palm" prefix="right_"/></frame>
      </body>
    </body>
    <include file="parts/post.xml"/>
    <replicate count="3" offset="0.2 0 0"><body pos="0 2 0"><geom size="0.1"/></body></replicate>
  </worldbody>
</mujoco>
"""
_DEFAULTS = """\
<mujoco>
  <default><default class="small"><joint range="-0.5 0.5" damping="1"/></default></default>
</mujoco>
"""
_POST = """\
<mujoco>
  <body name="post" pos="1 0 0"><joint name="sway" axis="1 0 0"/>
    <geom size="0.1 0.2 0.3" type="box"/><site name="top" pos="0 0 0.3"/></body>
</mujoco>
"""
_GRIPPER = """\
<mujoco model="gripper">
  <worldbody>
    <body name="palm"><joint name="roll"/><geom size="0.05"/>
      <body name="finger" pos="0 0 0.1"><joint name="grip" axis="1 0 0" range="0 1"/>
        <geom size="0.02"/></body>
    </body>
  </worldbody>
</mujoco>
"""
_WEDGE = """\
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""
_SOLID = (
    b"\0" * 80
    + (4).to_bytes(4, "little")
    + b"".join(
        b"\0" * 12 + corners + b"\0\0"
        for corners in (
            # Little-endian floats, 0 and 1: the faces of the same wedge.
            bytes.fromhex("".join("0000803f" if each == "1" else "00000000" for each in face))
            for face in ("000010100", "000100001", "000001010", "100010001")
        )
    )
)
SEVERAL: Files = {
    "spoilt.xml": _SEVERAL.encode(),
    "parts/defaults.xml": _DEFAULTS.encode(),
    "parts/post.xml": _POST.encode(),
    "gripper.xml": _GRIPPER.encode(),
    "meshes/wedge.obj": _WEDGE.encode(),
    "meshes/solid.stl": _SOLID,
}
"""A model with two includes, a model that it attaches, and two meshes."""


def fuzz(count: int, seed: int, data: Path | None = None) -> tuple[int, int]:
    """Read `count` spoilt files, made from ours and from real ones if there are any."""
    sources: list[Files] = [{"spoilt.xml": MJCF_ROBOT.encode()}]
    if data is not None:
        sources += [_real(path) for path in sorted((data / "robots").glob("**/*.xml"))]
        sources = [files for files in sources if b"<worldbody" in next(iter(files.values()))]
    sources += [SEVERAL] * max(1, len(sources) // 3)
    return fuzz_files(_read, sources, lambda rng: spoilt_set(rng.choice(sources), rng), count, seed)


def _real(path: Path) -> Files:
    """A real file with those that it includes."""
    content = path.read_bytes()
    named = [each.decode() for each in re.findall(rb'<include file="([^"]+)"', content)]
    beside = {each: (path.parent / each).read_bytes() for each in named}
    return {"spoilt.xml": content, **beside}


def _read(path: Path) -> Reading:
    """As `mjcf.read`, but an accident in MuJoCo is no error that may be."""
    try:
        return mjcf.read(path, balls=True)
    finally:
        if compiling._broken:
            raise RuntimeError("MuJoCo's parser failed")
