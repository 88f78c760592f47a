"""Figures that poise itself wrote into a glTF file, with all that glTF has no words for.

The file's `extras.poise.figure` is the text of a figure file, and the extras of a node name the
segment that it is. So joints, limits, groups, couplings, masses, shapes and sites come back; where
things are is still read from the nodes. If another program has since changed which nodes there are
or who carries whom, the text no longer fits and is left aside.
"""

from __future__ import annotations

from typing import Any

from poise.documents import parse
from poise.errors import PoiseError
from poise.figure import WORLD, Figure
from poise.figure.files import figure_from, figure_text
from poise.figure.packing import crossings
from poise.formats.gltf.extras import KEY, ours
from poise.formats.gltf.skeleton import Bones
from poise.formats.gltf.tree import Tree


def embedded_figure(tree: Tree, notes: list[str]) -> tuple[Figure, Bones] | None:
    """The figure that the file's extras hold, and its nodes; None where there is none that fits.

    Args:
        tree: the file's nodes.
        notes: where it is told why one does not fit.
    """
    text = ours(tree.asset.gltf.extras).get("figure")
    if not isinstance(text, str):
        return None
    nodes: dict[str, int] = {}
    for node in tree.order:
        segment = ours(tree.asset.gltf.nodes[node].extras).get("segment")
        if isinstance(segment, str):
            nodes.setdefault(segment, node)
    try:
        figure = figure_from(parse(text, f"{tree.asset.name}: extras.{KEY}.figure"))
    except PoiseError as error:
        notes.append(f"the figure in its extras cannot be read and is left aside: {error}")
        return None
    changed = "the figure in its extras has other segments than the file has nodes: left aside"
    if set(nodes) != set(figure.segments):
        notes.append(changed)
        return None
    parents: dict[int, int] = {}
    for joint, backwards in crossings(list(figure.joints.values())):
        outer, inner = (joint.child, joint.parent) if backwards else (joint.parent, joint.child)
        parents[nodes[inner]] = -1 if outer == WORLD else nodes[outer]
        if tree.parents[nodes[inner]] != parents[nodes[inner]]:
            notes.append(changed)
            return None
    return figure, Bones(tuple(parents), parents, {node: name for name, node in nodes.items()})


def figure_extras(figure: Figure) -> dict[str, Any]:
    """The extras that hold a figure."""
    return {KEY: {"figure": figure_text(figure)}}
