"""Plots in the plane: chains as the thesis draws them, goals as crosses, paths, arrows."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poise.documents import write as write_file
from poise.errors import PoiseError
from poise.figure import Posture
from poise.reproductions.balance_2001.chains import Values, lines

INK, GREY, LINK, GOAL, SITE = "#2b3440", "#8a94a0", "#8fb3d9", "#c2410c", "#2563a8"
FIRST, SECOND = "#0f8a6d", "#c2410c"
"""The colours of the two formulations."""

_INCH = 2.9  # of a panel's side


class Sheet:
    """Panels side by side, each with a title, and at last a file."""

    def __init__(
        self, columns: int, rows: int = 1, *, size: tuple[float, float] = (_INCH, _INCH)
    ) -> None:
        """Begin with empty panels of a size in inches."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise PoiseError(
                "plots need matplotlib, which is not installed: pip install poise[pictures]"
            ) from None
        self._sheet = Figure((size[0] * columns, size[1] * rows), dpi=150, layout="constrained")
        grid = self._sheet.subplots(rows, columns, squeeze=False)
        self.panels = [Panel(axes, size[0] / size[1]) for axes in grid.ravel()]

    def save(self, folder: Path, name: str) -> Path:
        """Write NAME.png."""
        path = folder / f"{name}.png"
        content = BytesIO()
        self._sheet.savefig(content, format="png")
        write_file(path, content.getvalue())
        return path


class Panel:
    """One plot."""

    def __init__(self, axes: Any, ratio: float) -> None:
        """Draw on matplotlib's axes, about so many times as wide as high."""
        self.axes = axes
        self._ratio = ratio
        axes.tick_params(labelsize=7, color=GREY, labelcolor=INK)
        for spine in axes.spines.values():
            spine.set_color("#c8ced6")

    def title(self, text: str) -> None:
        """Write what it shows above it."""
        self.axes.set_title(text, fontsize=8.5, color=INK)

    def picture(self, points: ArrayLike, margin: float = 0.12) -> None:
        """Make it a picture of the plane: equal scales, no numbers, all points (k, 2) in sight."""
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        middle, extent = 0.5 * (low + high), high - low
        half = (0.5 + margin) * float(max(extent[0] / self._ratio, extent[1]))
        wide = half * self._ratio
        self.axes.set_aspect("equal")
        self.axes.set_xlim(middle[0] - wide, middle[0] + wide)
        self.axes.set_ylim(middle[1] - half, middle[1] + half)
        self.axes.set_xticks([])
        self.axes.set_yticks([])

    def chain(self, posture: Posture, *, color: str = LINK, faint: bool = False) -> None:
        """Links with round joints, on a dark base."""
        found = lines(posture)
        alpha = 0.3 if faint else 1.0
        for ends in found:
            self.axes.plot(*ends.T, color=INK, lw=5.5, alpha=alpha, solid_capstyle="round")
            self.axes.plot(*ends.T, color=color, lw=4.0, alpha=alpha, solid_capstyle="round")
        starts = np.array([ends[0] for ends in found])
        size = 3.4 if len(found) < 12 else 2.4
        self.axes.plot(
            *starts.T, "o", ms=size, mfc="white", mec=INK, mew=0.8, alpha=alpha, zorder=4
        )
        self.axes.plot(*starts[0], "s", ms=7.5, color=INK, alpha=alpha, zorder=5)

    def goal(self, point: ArrayLike, text: str = "", *, away: ArrayLike = (6.0, 5.0)) -> None:
        """A cross, as in the thesis."""
        x, z = np.asarray(point)
        self.axes.plot(x, z, "x", ms=8, mew=2.0, color=GOAL, zorder=8)
        self.write(point, text, color=GOAL, away=away)

    def point(self, point: ArrayLike, *, color: str = SITE, size: float = 5.5) -> None:
        """A dot: a controlled point, a centre of mass."""
        self.axes.plot(
            *np.asarray(point), "o", ms=size, color=color, mec="white", mew=0.7, zorder=7
        )

    def tie(self, start: ArrayLike, end: ArrayLike, *, color: str = GOAL) -> None:
        """A dashed line between what should be together."""
        self.axes.plot(*np.array([start, end]).T, "--", color=color, lw=1.0, zorder=6)

    def path(self, points: ArrayLike, *, color: str, dots: bool = True, text: str = "") -> None:
        """A way (k, 2) that was taken, a dot for each step."""
        style = "o-" if dots else "-"
        self.axes.plot(
            *np.asarray(points).T, style, ms=1.8, lw=1.2, color=color, label=text or None
        )

    def arrow(self, start: ArrayLike, end: ArrayLike, *, color: str, width: float = 1.8) -> None:
        """An arrow from point to point."""
        style = {"arrowstyle": "-|>", "color": color, "lw": width, "shrinkA": 0, "shrinkB": 0}
        self.axes.annotate("", tuple(np.asarray(end)), tuple(np.asarray(start)), arrowprops=style)

    def ring(self, center: ArrayLike, radius: float, *, color: str, width: float) -> None:
        """A circle: a radius of gyration about a centre of mass, or an edge of reach."""
        turn = np.linspace(0.0, 2.0 * np.pi, 181)
        around = np.asarray(center)[:, None] + radius * np.array([np.cos(turn), np.sin(turn)])
        self.axes.plot(*around, color=color, lw=width, zorder=3)

    def write(
        self, point: ArrayLike, text: str, *, color: str = INK, away: ArrayLike = (6.0, 5.0)
    ) -> None:
        """A word beside a point, so many points away."""
        if text:
            x, y = np.asarray(away).tolist()
            word = self.axes.annotate(
                text,
                tuple(np.asarray(point)),
                (x, y),
                textcoords="offset points",
                fontsize=8,
                color=color,
                ha="left" if x >= 0 else "right",
            )
            word.set_in_layout(False)  # or a word near the edge would push the panels about

    def labels(self, x: str, y: str) -> None:
        """Name both axes, with units."""
        self.axes.set_xlabel(x, fontsize=8, color=INK)
        self.axes.set_ylabel(y, fontsize=8, color=INK)

    def legend(self) -> None:
        """Explain the lines that were given a text."""
        self.axes.legend(fontsize=7, frameon=False)


def framing(postures: Sequence[Posture], *points: ArrayLike) -> Values:
    """All points (k, 2) that pictures of some postures and points must show, for `picture`."""
    found = [end for posture in postures for end in lines(posture)]
    return np.concatenate([*found, *(np.atleast_2d(np.asarray(each)) for each in points)])
