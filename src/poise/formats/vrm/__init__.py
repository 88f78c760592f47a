"""VRM 0.x and 1.0: people as glTF files that say which node is which part of the body.

They come with our names and with the limits of our human figure.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from poise.errors import PoiseError
from poise.figure import Site, Transform
from poise.formats.conventions import Convention
from poise.formats.gltf.container import Asset
from poise.formats.gltf.reading import Knowledge, read_asset
from poise.formats.gltf.skeleton import Wishes
from poise.formats.gltf.tree import Tree
from poise.formats.human.limits import Limits
from poise.formats.placing import parted
from poise.formats.reading import Reading
from poise.formats.renaming import joint_of
from poise.formats.vrm.humanoid import Humanoid, humanoid_of

__all__ = ["read"]

_EYES_FROM_HEAD = np.array([0.055, 0.0, 0.023])
"""From the joint of the head to between the eyes, as a share of its height over the lowest bone: as
in our human figure, whose skull turns 1.53 m above its ankles."""


def read(
    path: str | Path,
    *,
    limits: bool | Literal["human"] = True,
    unit: str | float = "m",
    fps: float | None = None,
) -> Reading:
    """Read a .vrm file.

    Bones have the names of our human figure (`left_knee` moves `left_shank`), and so do their
    angles; nodes that are no bones, such as hair, keep theirs. A site `eyes` looks ahead.

    Args:
        path: the file.
        limits: whether joints are those of our human figure, knees as hinges and so on, with its
            limits and couplings ("human" says the same); if not, every bone is a ball that turns
            without limits, and any animation in the file can be followed exactly.
        unit: what one of the file's units is; metres, as VRM has it.
        fps: frames per second of all clips; without it, those of each animation's keys.
    """
    if not isinstance(limits, bool) and limits != "human":
        raise PoiseError(f"limits must be True, False or 'human', not {limits!r}")

    def knowledge(asset: Asset) -> tuple[str, Knowledge]:
        humanoid = humanoid_of(asset)

        def wishes(tree: Tree, convention: Convention) -> tuple[Wishes, list[str]]:
            notes = list(humanoid.notes)
            return _wishes(humanoid, tree, convention, bool(limits), notes), notes

        return humanoid.forward, wishes

    return read_asset(path, unit=unit, fps=fps, knowledge=knowledge)


def _wishes(
    humanoid: Humanoid, tree: Tree, convention: Convention, limits: bool, notes: list[str]
) -> Wishes:
    for node, segment in humanoid.segments.items():
        if node not in tree.parents:
            raise tree.asset.error(f"the bone {segment!r}, node {node}, is in no scene")
    joints = {node: joint_of(segment) for node, segment in humanoid.segments.items()}
    frames = {
        node: Transform(turns[0], places[0])
        for node, (turns, places) in tree.frames(set(humanoid.segments), {}, 1, convention).items()
    }
    sites = _eyes(humanoid, frames, tree, convention, notes)
    if not limits:
        return Wishes(humanoid.segments, joints, sites=sites)
    found = Limits({joints[node]: frame.position for node, frame in frames.items()})
    articulations = found.all()
    return Wishes(
        humanoid.segments,
        joints,
        {node: articulations[name] for node, name in joints.items() if name in articulations},
        sites,
        found.couplings(),
    )


def _eyes(
    humanoid: Humanoid,
    frames: dict[int, Transform],
    tree: Tree,
    convention: Convention,
    notes: list[str],
) -> tuple[Site, ...]:
    """The site between the eyes, x ahead: by their bones, where the file says, or a guess."""
    by_segment = {name: node for node, name in humanoid.segments.items()}
    if "head" not in by_segment:
        return ()
    head = frames[by_segment["head"]]
    if "left_eye" in by_segment and "right_eye" in by_segment:
        both = [frames[by_segment[f"{side}_eye"]].position for side in ("left", "right")]
        between = np.mean(both, axis=0)
    elif humanoid.eyes is not None and humanoid.eyes.any():
        matrix = tree.rest[by_segment["head"]]
        between = convention.places(matrix[:3, :3] @ humanoid.eyes + matrix[:3, 3])
    else:
        notes.append("guessed where the eyes are: the file does not say")
        height = head.position[2] - min(frame.position[2] for frame in frames.values())
        between = head.position + height * _EYES_FROM_HEAD
    position, rotation = parted(head.inverse() @ Transform(np.eye(3), between))
    return (Site("eyes", "head", position, rotation),)
