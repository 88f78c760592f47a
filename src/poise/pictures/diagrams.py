"""The postural stability diagram as a plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from poise.calls import public
from poise.checking import number
from poise.errors import PoiseError
from poise.pictures.panels import checked_path, checked_size
from poise.pictures.stage import Image
from poise.statics.diagrams import StabilityDiagram

_COLORS = {"slips": "#1a7f8e", "tips": "#f0a400", "joint": "#d1242f", "nothing": "#8b949e"}
_WORDS = {"slips": "slips", "tips": "tips", "joint": "a joint gives", "nothing": "nothing gives"}
_NAMES = {
    "xz": ("forward", "up"),
    "yz": ("to the left", "up"),
    "xy": ("forward", "to the left"),
}


@public
def diagram_picture(
    diagram: StabilityDiagram,
    path: str | Path | None = None,
    *,
    size: tuple[int, int] = (900, 900),
    most: float | None = None,
) -> Image:
    """Plot which forces a site can exert, and what gives at the boundary.

    Args:
        diagram: from `scene.forces.diagram`.
        path: where to write the picture, a file ending in .png; None writes none.
        size: width and height, in pixels.
        most: the force (N) at which the plot ends; by default a little beyond the greatest that
            joints allow. What is beyond ends there.

    Returns:
        The image (height, width, 3), bytes from 0 to 255.
    """
    if not isinstance(diagram, StabilityDiagram):
        raise PoiseError(
            f"{diagram!r} is no stability diagram", code="; scene.forces.diagram gives one"
        )
    target, (width, height) = checked_path(path), checked_size(size)
    if most is not None:
        most = number(most, "the force (N) at which a diagram ends", above=0)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Plot

    forces = np.array([each.force for each in diagram.pushes])
    finite = forces[np.isfinite(forces)]
    if not finite.size:
        raise PoiseError(f"there is nothing to plot: {diagram.pushes[0].limit} at {diagram.site!r}")
    end = 1.2 * float(finite.max()) if most is None else most
    plot: Any = Plot(figsize=(width / 100, height / 100), dpi=100)
    canvas: Any = FigureCanvasAgg(plot)
    axes = plot.add_axes((0.12, 0.1, 0.84, 0.82))
    standing, pushes = _shown(diagram, end, joints=False), _shown(diagram, end, joints=True)
    axes.fill(*_closed(standing).T, color="#e6edf3", label="possible with stronger joints")
    axes.plot(*_closed(standing).T, color="#8b949e", lw=1.0)
    axes.fill(*_closed(pushes).T, color="#cfe8d5", label="possible")
    seen: set[str] = set()
    loop = _closed(pushes)
    for i, each in enumerate(diagram.pushes):
        if each.limit not in _COLORS:
            continue
        label = _WORDS[each.limit] if each.limit not in seen else None
        seen.add(each.limit)
        axes.plot(*loop[i : i + 2].T, color=_COLORS[each.limit], lw=3.0, label=label)
    axes.axhline(0, color="#57606a", lw=0.8)
    axes.axvline(0, color="#57606a", lw=0.8)
    first, second = _NAMES[diagram.plane]
    axes.set_xlabel(f"force {first} (N)")
    axes.set_ylabel(f"force {second} (N)")
    axes.set_title(f"what {diagram.site} can push with")
    axes.set_xlim(-end, end)
    axes.set_ylim(-end, end)
    axes.set_aspect("equal")
    axes.legend(loc="lower right", framealpha=0.9)
    canvas.draw()
    image = np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
    if target is not None:
        from poise.pictures.panels import save

        save(image, target)
    return image


def _shown(diagram: StabilityDiagram, end: float, *, joints: bool) -> Any:
    """The boundary, what is beyond the plot moved to its end."""
    points = diagram.boundary(joints=joints)
    ways = diagram.directions
    sizes = np.array([each.force for each in (diagram.pushes if joints else diagram.standing)])
    beyond = ~(sizes <= end)
    points[beyond] = end * ways[beyond]
    points[np.isnan(sizes)] = 0.0
    return points


def _closed(points: Any) -> Any:
    return np.concatenate([points, points[:1]])
