"""The iterations of a solve as a plot."""

from __future__ import annotations

import warnings
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from poise.calls import public
from poise.errors import PoiseError
from poise.pictures.panels import checked_path, checked_size, save
from poise.pictures.stage import Image
from poise.scene.tracing import Iteration, Trace

_LINES = ("#1f5fa8", "#d1242f", "#0f8a6d", "#8250df", "#c2410c", "#57606a", "#b35900", "#a0368c")
_MARKERS = "osD^vP*X"
_STYLES: tuple[Any, ...] = ("-", "-.", ":", (0, (8, 2)))
"""For the first eight priorities, the next eight, and so on; the tolerance has short dashes."""
_BANDS = ("#dbe9f8", "#fdebd0", "#e2f0d9", "#f6dfea", "#e8e4f5", "#ececec")
_LEAST = 1e-3
"""Errors are drawn down to this share of the tolerance, and smaller ones there, as 0 has no place
on a logarithmic axis."""
_TALLEST = 20  # lines of a legend; more would not stand beside the axes
_FEW = 60  # iterations: with more, markers hide the lines


@public
def trace_picture(
    trace: Trace, path: str | Path | None = None, *, size: tuple[int, int] = (1000, 640)
) -> Image:
    """Plot the errors of every priority over the iterations of a solve; below, radius and steps.

    Args:
        trace: of a solution, from `scene.solve(trace=True)`.
        path: where to write the picture, a file ending in .png; None writes none.
        size: width and height, in pixels; one that leaves no room beside the words is refused.

    Returns:
        The image (height, width, 3), bytes from 0 to 255.
    """
    if not isinstance(trace, Trace):
        raise PoiseError(f"{trace!r} is no trace", code="; scene.solve(trace=True).trace gives one")
    target, (width, height) = checked_path(path), checked_size(size)
    if not len(trace):
        raise PoiseError("there is nothing to plot: the solve took no iteration")
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Plot
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise PoiseError(
            "plots need matplotlib, which is not installed: pip install poise[pictures]"
        ) from None

    plot: Any = Plot(figsize=(width / 100, height / 100), dpi=100, layout="constrained")
    canvas: Any = FigureCanvasAgg(plot)
    above, below = plot.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (3, 1)})
    _draw_errors(above, trace)
    _draw_steps(below, trace)
    for axes in (above, below):
        _draw_phases(axes, trace, is_told=axes is above)
        axes.grid(True, which="major", color="#ffffff", lw=0.8)
        axes.set_axisbelow(True)
        columns = 1 + len(axes.get_legend_handles_labels()[1]) // _TALLEST
        corner = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
        axes.legend(**corner, frameon=False, ncols=columns)
    below.set_xlim(0.5, len(trace) + 0.5)
    below.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    below.set_xlabel("iteration")
    _render(canvas, size=(width, height))
    image = np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
    if target is not None:
        save(image, target)
    return image


def _render(canvas: Any, *, size: tuple[int, int]) -> None:
    """Draw all that is on a canvas, or raise where axes and words do not fit in its size."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "constrained_layout not applied", UserWarning)
        try:
            canvas.draw()
        except UserWarning:
            raise PoiseError(
                f"this plot does not fit in {size[0]} × {size[1]} pixels; give a larger size"
            ) from None


def _draw_errors(axes: Any, trace: Trace) -> None:
    """A line for each priority (mm), and the tolerance."""
    numbers = [each.number for each in trace]
    errors = 1e3 * np.array([each.errors for each in trace])
    tolerance = 1e3 * trace.tolerance
    least = _LEAST * tolerance
    for k, priority in enumerate(trace.priorities):
        axes.plot(
            numbers,
            np.maximum(errors[:, k], least),
            color=_LINES[k % len(_LINES)],
            ls=_STYLES[k // len(_LINES) % len(_STYLES)],
            marker=_MARKERS[k % len(_MARKERS)] if len(trace) <= _FEW else None,
            ms=5,
            lw=1.6,
            clip_on=False,
            zorder=3,
            label=f"priority {priority}",
        )
    axes.axhline(tolerance, color="#24292f", lw=1.2, ls="--", label="tolerance")
    axes.set_yscale("log")
    axes.set_ylim(least, 2 * max(float(errors.max(initial=0.0)), tolerance))
    axes.set_ylabel("error (mm)")
    axes.set_title(f"{trace.method}: errors after each iteration")


def _draw_steps(axes: Any, trace: Trace) -> None:
    """How far each iteration went, and might have gone."""
    numbers = [each.number for each in trace]
    radii = [each.radius for each in trace]
    if np.isfinite(radii).any():
        axes.plot(numbers, radii, color="#57606a", lw=1.4, drawstyle="steps-mid", label="radius")
    axes.plot(numbers, [each.step for each in trace], "o", color="#24292f", ms=3.5, label="step")
    axes.set_ylim(bottom=0.0)
    axes.set_ylabel("rad or m")


def _draw_phases(axes: Any, trace: Trace, *, is_told: bool) -> None:
    """A band behind the iterations of one phase for one priority, told once."""
    colors: dict[str, str] = {}
    for name, group in groupby(trace, _phase):
        run = list(group)
        label = name if is_told and name not in colors else None
        color = colors.setdefault(name, _BANDS[len(colors) % len(_BANDS)])
        ends = run[0].number - 0.5, run[-1].number + 0.5
        axes.axvspan(*ends, color=color, lw=0, zorder=0, label=label)


def _phase(iteration: Iteration) -> str:
    told = "" if iteration.priority is None else f", priority {iteration.priority}"
    return f"{iteration.phase}{told}"
