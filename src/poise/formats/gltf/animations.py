"""The motions of a glTF file: channels sampled at even steps of time.

glTF 2.0 specification, sections 3.11 and Appendix C.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.formats.gltf.accessors import Accessors
from poise.formats.gltf.extras import ours
from poise.formats.gltf.schema import Animation, Sampler
from poise.formats.gltf.tree import Local, Tree, local_rest, unit_quaternions
from poise.formats.hostile import MOST_NUMBERS

Floats = NDArray[np.float64]

USUAL_FPS = 30.0
"""Frames per second of an animation whose keys do not lie on even steps."""

_KINDS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
_SHORTEST_STEP = 1e-4  # seconds; keys that are nearer to each other tell nothing of a rate
_NEAR = 0.01  # of a step: how far from it a key may lie
_SPARSE = 10.0  # keys per second below which frames are put between them
_LEAST = 50  # frames as which a shorter animation counts: each costs something by itself
_BLOCK = 1_000_000  # matrices that are held at once


@dataclass(frozen=True, eq=False)
class Curve:
    """What one channel says: values (k, width) at ascending times (k,)."""

    node: int
    path: str
    times: Floats
    values: Floats
    interpolation: str

    def at(self, when: Floats) -> Floats:
        """The values at some times; before the first key and after the last those of the key."""
        when = np.clip(when, self.times[0], self.times[-1])
        last = len(self.times) - 1
        before = np.clip(np.searchsorted(self.times, when, side="right") - 1, 0, max(last - 1, 0))
        after = np.minimum(before + 1, last)
        step = self.times[after] - self.times[before]
        share = np.where(step > 0, (when - self.times[before]) / np.where(step > 0, step, 1), 0.0)
        if self.interpolation == "STEP":
            return self.values[np.where(share >= 1.0, after, before)]
        if self.interpolation == "CUBICSPLINE":
            return self._spline(before, after, share[:, None], step[:, None])
        start, end, share = self.values[before], self.values[after], share[:, None]
        if self.path != "rotation":
            return start + share * (end - start)
        first = Rotation.from_quat(start)
        turn = (first.inv() * Rotation.from_quat(end)).as_rotvec()
        return (first * Rotation.from_rotvec(share * turn)).as_quat()

    def _spline(
        self, before: NDArray[np.int64], after: NDArray[np.int64], t: Floats, step: Floats
    ) -> Floats:
        """Cubic Hermite; values (k, 3, width) are in-tangent, value and out-tangent."""
        start, leaving = self.values[before, 1], step * self.values[before, 2]
        end, arriving = self.values[after, 1], step * self.values[after, 0]
        square, cube = t * t, t * t * t
        result = (
            (2 * cube - 3 * square + 1) * start
            + (cube - 2 * square + t) * leaving
            + (3 * square - 2 * cube) * end
            + (cube - square) * arriving
        )
        if self.path != "rotation":
            return result
        length = np.linalg.norm(result, axis=1, keepdims=True)
        return np.where(length > 1e-9, result / np.where(length > 1e-9, length, 1.0), start)


@dataclass(frozen=True, eq=False)
class Motion:
    """An animation: its curves, and the times at which it is sampled."""

    name: str
    curves: tuple[Curve, ...]
    times: Floats
    fps: float

    @property
    def is_pose(self) -> bool:
        """Whether it has one key only, and so is a posture rather than a motion."""
        return len(self.times) == 1

    def blocks(self, tree: Tree) -> Iterator[tuple[dict[int, Local], int]]:
        """How the nodes that move stand in their parents, some frames at a time; and how many."""
        size = max(1, _BLOCK // len(tree.order))
        for start in range(0, len(self.times), size):
            when = self.times[start : start + size]
            parts: dict[int, dict[str, Floats]] = {}
            for curve in self.curves:
                parts.setdefault(curve.node, {})[curve.path] = curve.at(when)
            moved: dict[int, Local] = {}
            for node, found in parts.items():
                rest = local_rest(tree.asset, node)
                moved[node] = Local(
                    found.get("translation", rest.translation),
                    found.get("rotation", rest.rotation),
                    found.get("scale", rest.scale),
                )
            yield moved, len(when)


def motions_of(
    tree: Tree, accessors: Accessors, fps: float | None
) -> tuple[list[Motion], list[str]]:
    """All animations of a file, and notes; `fps` None is guessed from the keys of each."""
    notes: list[str] = []
    result: list[Motion] = []
    skipped: set[str] = set()
    reckoned = 0.0
    for number, animation in enumerate(tree.asset.gltf.animations):
        name = animation.name or f"animation_{number}"
        curves = tuple(_curves(tree, accessors, number, animation, skipped))
        if not curves:
            notes.append(f"the animation {name!r} moves no node that is shown: left out")
            continue
        keys = np.unique(np.concatenate([curve.times for curve in curves]))
        rate, guess = (fps, None) if fps else _written_rate(animation) or _rate(keys, name)
        seconds = float(keys[-1] - keys[0])
        reckoned += max(seconds * rate, _LEAST) * len(tree.order)
        if reckoned > MOST_NUMBERS:
            raise tree.asset.error(
                f"its animations have more than {MOST_NUMBERS:,} frames times nodes; "
                "take a smaller fps"
            )
        # Times are single floats: the last key may come out a little before its frame.
        frames = int(seconds * rate + _NEAR) + 1
        result.append(Motion(name, curves, keys[0] + np.arange(frames) / rate, rate))
        if guess:
            notes.append(guess)
    if skipped:
        notes.append(f"animations of {', '.join(sorted(skipped))} are left out")
    return result, notes


def _curves(
    tree: Tree, accessors: Accessors, number: int, animation: Animation, skipped: set[str]
) -> Iterator[Curve]:
    taken: set[tuple[int, str]] = set()
    nodes = tree.asset.gltf.nodes
    for place, channel in enumerate(animation.channels):
        where = f"animations[{number}].channels[{place}]"
        node, path = channel.target.node, channel.target.path
        if channel.sampler >= len(animation.samplers):
            raise tree.asset.error(f"{where}: there is no sampler {channel.sampler}")
        if node is None or path not in _KINDS:
            skipped.add("morph targets" if path == "weights" else "things other than nodes")
            continue
        if node >= len(nodes):
            raise tree.asset.error(f"{where}: there is no node {node}")
        if (node, path) in taken:
            raise tree.asset.error(f"{where} moves the {path} of nodes[{node}] a second time")
        taken.add((node, path))
        if node not in tree.parents:
            skipped.add("nodes that are not shown")
            continue
        if nodes[node].matrix is not None:
            raise tree.asset.error(f"{where} moves nodes[{node}], which has a matrix and so cannot")
        yield _curve(tree, accessors, where, animation.samplers[channel.sampler], node, path)


def _curve(
    tree: Tree, accessors: Accessors, where: str, sampler: Sampler, node: int, path: str
) -> Curve:
    times = accessors.floats(sampler.input, "SCALAR", f"{where}: its times")[:, 0]
    values = accessors.floats(sampler.output, _KINDS[path], f"{where}: its values")
    if not len(times) or (np.diff(times) <= 0).any():
        raise tree.asset.error(f"{where}: its times must be one or more ascending numbers")
    if sampler.interpolation == "CUBICSPLINE":
        if len(values) != 3 * len(times):
            raise tree.asset.error(
                f"{where}: {len(times)} times of a cubic spline need {3 * len(times)} values, "
                f"not {len(values)}"
            )
        values = values.reshape(len(times), 3, -1)
    elif len(values) != len(times):
        raise tree.asset.error(
            f"{where}: {len(times)} times need as many values, not {len(values)}"
        )
    elif path == "rotation":
        unit = unit_quaternions(values)
        if unit is None:
            raise tree.asset.error(f"{where}: its rotations must be unit quaternions")
        values = unit
    return Curve(node, path, times, values, sampler.interpolation)


def _written_rate(animation: Animation) -> tuple[float, None] | None:
    """The frames per second of an animation that poise wrote."""
    rate = ours(animation.extras).get("fps")
    return (float(rate), None) if isinstance(rate, (int, float)) and 0 < rate <= 1e6 else None


def _rate(keys: Floats, name: str) -> tuple[float, str | None]:
    """Frames per second at which keys lie, to a hundredth of a step, and a note if there is none.

    Keys that are left out between others do not matter.
    """
    steps = np.diff(keys)
    steps = steps[steps > _SHORTEST_STEP]
    if not len(steps):
        return USUAL_FPS, None
    step = float(steps.min())
    # Most keys are one step apart: their mean is better than the shortest.
    step = float(steps[steps < 1.5 * step].mean())
    places = (keys - keys[0]) / step
    if np.abs(places - np.round(places)).max() > _NEAR * max(1.0, np.sqrt(places[-1])):
        return USUAL_FPS, (
            f"the keys of the animation {name!r} do not lie on even steps: it is sampled "
            f"{USUAL_FPS:g} times per second (say otherwise with fps=…)"
        )
    rate = np.round(places[-1]) / float(keys[-1] - keys[0])
    whole = round(rate)
    rate = float(whole) if whole and abs(rate - whole) < 1e-4 * whole else float(rate)
    # Few keys are far apart: frames between them, and every key a frame.
    return (rate * np.ceil(USUAL_FPS / rate) if rate < _SPARSE else rate), None
