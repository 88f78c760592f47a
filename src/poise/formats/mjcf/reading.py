"""A figure from an MJCF file, by way of MuJoCo's compiled model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import Figure, Posture
from poise.figure.parts import Segment
from poise.formats.mjcf.bodies import Tree
from poise.formats.mjcf.compiling import compiled
from poise.formats.mjcf.joining import Bindings
from poise.formats.mjcf.prepass import Cleaned, cleaned
from poise.formats.reading import SHOWN, Reading
from poise.formats.within import is_within, within

Values = NDArray[np.float64]


def read(path: str | Path, *, balls: bool = False) -> Reading:
    """Read an MJCF file.

    Every body is a segment. A body with several joints gets segments between them that weigh
    nothing; coordinates are MuJoCo's, with rotation vectors for its quaternions. Joints that
    equalities bind, and fixed tendons that are limited, become couplings; what holds bodies
    together, loops. Key frames are named postures, "rest" the one that the file shows. Shapes are
    the geoms that collide, or, of a body without any, the others; meshes give mass, no shapes.

    Args:
        path: of the file. What it includes must be in its folder or below.
        balls: whether three hinges of one body that meet in a point become a ball. Placements
            stay the same; the box of limits becomes one of swing and twist.
    """
    path = Path(path)
    clean = cleaned(path)
    model = compiled(path, clean)
    _check_keys(clean, model)
    try:
        return _reading(model, path.stem, balls, clean.notes)
    except PoiseError as error:
        raise PoiseError(f"{path}: {error}") from None


def _reading(model: Any, stem: str, balls: bool, notes: list[str]) -> Reading:
    tree = Tree(model, balls=balls)
    bindings = Bindings(model, tree)
    notes = [*notes, *tree.notes, *bindings.notes]
    segments = [segment for body in tree.bodies for segment in body.segments]
    joints = [joint for body in tree.bodies for joint in body.joints]
    if tree.uses_ground:
        segments.append(Segment(tree.name(0)))
        joints.append(tree.ground_joint())
    if not segments:
        raise PoiseError("there are no bodies in it, so it makes no figure")
    name = model.names[: model.names.find(b"\0")].decode("utf-8", "replace")
    figure = Figure(
        name if name not in ("", "MuJoCo Model") else stem,
        segments,
        joints,
        sites=tree.sites,
        couplings=bindings.couplings,
    )
    shown = _q(figure, tree, model.qpos0)
    postures: dict[str, Posture] = {}
    for i in range(model.nkey):
        key = model.key(i).name or f"key_{i + 1}"
        postures[key] = figure.posture(_q(figure, tree, model.key_qpos[i]))
    if SHOWN in postures:
        key = postures.pop(SHOWN).q
        # Our own files have a `rest` beside it; in others the name may mean something else.
        if "rest" not in postures and not np.allclose(key, shown, rtol=0.0, atol=1e-12):
            notes.append(f"the key frame {SHOWN!r} is taken for the posture that the file shows")
        shown = key
    notes += _name_postures(figure, shown, postures)
    return Reading(
        figure,
        posture=figure.posture(shown),
        postures=postures,
        loops=tuple(bindings.loops),
        notes=tuple(notes),
    )


def _check_keys(clean: Cleaned, model: Any) -> None:
    """Refuse key frames with too few or too many numbers, which MuJoCo cuts or fills up."""
    if any(element.tag == "attach" for element in clean.root.walk()):
        return  # the numbers are those of each model by itself
    for section in clean.root.all("keyframe"):
        for key in section.all("key"):
            count = len(key.attributes.get("qpos", "").split())
            if count not in (0, model.nq):
                raise key.error(f"qpos must be {model.nq} numbers, not {count}")


def _q(figure: Figure, tree: Tree, qpos: Values) -> Values:
    """Our coordinates for MuJoCo's."""
    q = np.zeros(figure.n)
    for body in tree.bodies:
        for joint, values in body.values(qpos):
            q[figure.span(joint)] = values
    return q


def _name_postures(figure: Figure, shown: Values, postures: dict[str, Posture]) -> list[str]:
    """Give the figure the postures that break no limit, and a rest posture within limits."""
    notes: list[str] = []
    for name, posture in postures.items():
        if name == "rest":
            continue
        if is_within(figure, posture.q):
            figure.postures[name] = posture.q
        else:
            notes.append(f"key frame {name} breaks limits: it is no posture of the figure itself")
    given = postures["rest"].q if "rest" in postures else shown
    rest = within(figure, given)
    if rest is None:
        notes.append("no posture within all limits is near the one that the file shows")
        return notes
    if rest is not given:
        notes.append("the posture that the file shows breaks limits; the rest posture is clamped")
    figure.postures["rest"] = rest
    return notes
