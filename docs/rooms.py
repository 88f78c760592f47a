"""The picture of imports between rooms, from the numbers of `tools/house.py`.

Rooms stand above those that they import from. An arrow that others already imply, by way of a room
between, is left out, and so are those to what all rooms may know.
"""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
COMMON = ("documents", "units", "closed", "calls", "checking", "errors")
"""What all rooms may know, the kernel of these only `errors`."""
INK, LINE, ROOM, HEART, FRAME = "#1f2933", "#52606d", "#e4eef8", "#fbe7d3", "#fdf6ee"
WIDTH, HEIGHT, COLUMN, ROW = 1.75, 0.62, 2.1, 1.05
BESIDE = 7.4
"""How far to the right the kernel's rooms stand."""

Imports = dict[str, set[str]]
Sizes = Mapping[str, tuple[int, int]]
"""Files and lines of rooms."""
Places = dict[str, tuple[float, float]]


def drawn() -> NDArray[np.uint8]:
    """The rooms of poise, and beside them those of the kernel."""
    house: Any = runpy.run_path(str(ROOT / "tools" / "house.py"))["House"].at(ROOT / "src")
    sizes: Sizes = house.rooms()
    between: Imports = house.imports()
    figure = Figure(figsize=(12.5, 8.0), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    left_out = {*COMMON, "poise", "__main__"}
    outer = [room for room in sizes if "." not in room and room not in left_out]
    whole = {room: {each.partition(".")[0] for each in between[room]} for room in outer}
    at = _places(_within({**whole, "kernel": set()}, outer), 0.0)
    _draw(axes, _within(whole, outer), at, _together(sizes))
    inner = [room for room in sizes if room.startswith("kernel.")]
    inside = _places(_within(between, inner), BESIDE)
    _frame(axes, inside)
    _draw(axes, _within(between, inner), inside, sizes)
    axes.text(-0.9, -0.75, f"known to all: {', '.join(COMMON)}", fontsize=11, color=LINE)
    axes.set_xlim(-1.2, BESIDE + 5.8)
    axes.set_ylim(-1.0, max(y for _, y in at.values()) + 0.6)
    axes.axis("off")
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _together(sizes: Sizes) -> Sizes:
    """The same with all rooms of the kernel as one."""
    kernel = [size for room, size in sizes.items() if room.partition(".")[0] == "kernel"]
    files, lines = (sum(each) for each in zip(*kernel, strict=True))
    return {**sizes, "kernel": (files, lines)}


def _within(between: Mapping[str, set[str]], rooms: list[str]) -> Imports:
    """The imports among some rooms."""
    return {room: between.get(room, set()) & set(rooms) - {room} for room in rooms}


def _reached(between: Imports, room: str) -> set[str]:
    """All that a room imports, by way of others too."""
    return between[room].union(*(_reached(between, each) for each in between[room]))


def _direct(between: Imports, room: str) -> set[str]:
    """What a room imports, but for what it also reaches by way of others."""
    return between[room].difference(*(_reached(between, each) for each in between[room]))


def _layers(between: Imports) -> dict[str, int]:
    """The layer of each room: right below the lowest that imports it, so that arrows are short."""

    def height(room: str) -> int:
        return 1 + max((height(each) for each in between[room]), default=-1)

    layers = {room: height(room) for room in between}
    for room in sorted(layers, key=lambda room: -layers[room]):
        above = [layers[each] for each, below in between.items() if room in below]
        layers[room] = min(above, default=layers[room] + 1) - 1
    return layers


def _places(between: Imports, left: float) -> Places:
    """Where rooms stand: those that reach most in the left column, others clear of arrows."""
    layers, at, columns = _layers(between), Places(), dict[str, int]()
    for layer in range(max(layers.values()) + 1):
        rooms = [room for room in between if layers[room] == layer]
        rooms.sort(key=lambda room: -len(_reached(between, room)))
        for i, room in enumerate(rooms):
            lowest = min((layers[each] for each in _direct(between, room)), default=layer)
            passed = [each for each in columns if columns[each] and lowest < layers[each] < layer]
            columns[room] = i + len(passed) if i else 0
            at[room] = left + columns[room] * COLUMN, layer * ROW
    return at


def _frame(axes: Axes, at: Places) -> None:
    """A frame around the rooms of the kernel."""
    x, y = np.array(list(at.values())).T
    low, high = x.min() - 0.7 * WIDTH, x.max() + 0.7 * WIDTH
    style = "round,pad=0,rounding_size=0.15"
    size = high - low, y.max() + 2.1 * HEIGHT
    axes.add_patch(FancyBboxPatch((low, -0.8 * HEIGHT), *size, style, fc=FRAME, ec=HEART))
    top = y.max() + 0.85 * HEIGHT
    axes.text((low + high) / 2, top, "inside kernel", ha="center", fontsize=12, color=INK)


def _draw(axes: Axes, between: Imports, at: Places, sizes: Sizes) -> None:
    """Boxes, and arrows between them."""
    arrow = {"arrowstyle": "-|>", "color": LINE, "lw": 1.3, "shrinkA": 0, "shrinkB": 1}
    for room, (x, y) in at.items():
        for to_x, to_y in (at[each] for each in _direct(between, room)):
            ends = (to_x, to_y + HEIGHT / 2), (x, y - HEIGHT / 2)
            axes.annotate("", *ends, arrowprops=arrow)
        color = HEART if room.startswith("kernel") else ROOM
        corner, style = (x - WIDTH / 2, y - HEIGHT / 2), "round,pad=0,rounding_size=0.1"
        axes.add_patch(FancyBboxPatch(corner, WIDTH, HEIGHT, style, fc=color, ec=LINE, zorder=3))
        name, (files, lines) = room.rpartition(".")[2], sizes[room]
        told = f"{files} files, {lines} lines"
        middle: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 4}
        axes.text(x, y + 0.1, name, fontsize=13, color=INK, **middle)
        axes.text(x, y - 0.17, told, fontsize=8.5, color=LINE, **middle)
