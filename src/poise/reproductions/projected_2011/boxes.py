"""Figs. 8–10: how the errors of three methods are distributed, at three lengths of step in time."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import BLUE, GREY, ORANGE, plot
from poise.reproductions.measures import has_coordinates, keeps_limits, seconds
from poise.reproductions.projected_2011.motion import Exercise, exercise
from poise.reproductions.projected_2011.protocol import (
    CUTOFF,
    FRAMES,
    METHODS,
    SLOT,
    STEP,
    UNIT,
    Method,
    Track,
    cycles_of,
    follow,
    outliers,
    spread,
)

OTHER_STEPS, OTHER_CUTOFFS = (0.001, 0.0025, 0.005), (0.01, 0.1)
"""What else the transpose and the inverse are tried with, to see whether our choice decides."""
PAPERS_STEP = 0.005
"""Of the transpose, in the paper's units."""


def fig_8(
    folder: Path | None, report: Report, motion: Exercise | None = None, share: float = 1.0
) -> Result:
    """28 frames a cycle."""
    motion = motion or exercise()
    found, claims = _compared("2011-fig-8", report, motion, share)
    quote = "the Projected line-search has much lower Median as well as a more compact distribution"
    claims += [
        _lower_median(found, "inverse", quote, much=True),
        _lower_median(found, "transpose", quote, much=True),
        _more_compact(found, "inverse", quote),
        _more_compact(found, "transpose", quote),
    ]
    return _drawn(folder, report, "2011-fig-8", found, claims, motion)


def fig_9(
    folder: Path | None, report: Report, motion: Exercise | None = None, share: float = 1.0
) -> Result:
    """7 frames a cycle."""
    motion = motion or exercise()
    found, claims = _compared("2011-fig-9", report, motion, share)
    claims += _superior(found)
    return _drawn(folder, report, "2011-fig-9", found, claims, motion)


def fig_10(
    folder: Path | None, report: Report, motion: Exercise | None = None, share: float = 1.0
) -> Result:
    """5 frames a cycle."""
    motion = motion or exercise()
    found, claims = _compared("2011-fig-10", report, motion, share)
    report("the transpose at all settings", 0.7)
    medians = [
        float(np.median(_track(motion, METHODS["transpose"], frames, share).errors))
        for frames in FRAMES.values()
    ]
    worst = float(found["transpose"].errors.max())
    beyond, count = outliers(found["transpose"].errors), len(found["transpose"].errors)
    theirs = float(_track(motion, stepping(PAPERS_STEP), 5, share).errors.max())
    claims += [
        *_superior(found),
        Claim.words(
            "the Jacobian transpose begins to have problems as coherence is lost: at 5 frames its "
            "median is at least twice that at 28, and its worst frame is worse than that of the "
            "projected line search",
            "beginning to have problems in this case due to the lack of coherence",
            f"medians {medians[0]:.2g}, {medians[1]:.2g}, {medians[2]:.2g} units² at 28, 7, 5 "
            f"frames; worst {worst:.3g} against {float(found['projected'].errors.max()):.3g}",
            medians[2] >= 2.0 * medians[0] and worst > found["projected"].errors.max(),
        ),
        Claim.number(
            "the transpose has significant outliers, the greatest of 60 to 100 units²",
            "values of around 80",
            f"{beyond} of {count} frames are outliers, the greatest {worst:.3g}; with the paper's "
            f"step of {PAPERS_STEP:g} the greatest error is {theirs:.3g}",
            beyond > 0 and 60.0 <= worst <= 100.0,
        ),
    ]
    return _drawn(folder, report, "2011-fig-10", found, claims, motion)


def stepping(step: float) -> Method:
    """The transpose with another step, in the paper's units."""
    method = METHODS["transpose"]
    return replace(method, options={**method.options, "step": step / UNIT**2})


def cutting(cutoff: float) -> Method:
    """The inverse with another cutoff."""
    method = METHODS["inverse"]
    return replace(method, options={**method.options, "cutoff": cutoff})


def _track(motion: Exercise, method: Method, frames: int, share: float) -> Track:
    """What a method makes of the motion, once for each setting."""
    known = _tracks(motion, frames, cycles_of(frames, share))
    key = (method.method, *sorted((name, str(value)) for name, value in method.options.items()))
    if key not in known:
        known[key] = follow(motion, method, frames, cycles_of(frames, share))
    return known[key]


@cache
def _tracks(_motion: Exercise, _frames: int, _cycles: int) -> dict[tuple[object, ...], Track]:
    """Room for what is computed at one setting."""
    return {}


def _compared(
    name: str, report: Report, motion: Exercise, share: float
) -> tuple[dict[str, Track], list[Claim]]:
    """All methods, and what is said at every setting."""
    frames = FRAMES[name]
    report(f"following it at {frames} frames a cycle", 0.1)
    found = {key: _track(motion, each, frames, share) for key, each in METHODS.items()}
    report("other steps and cutoffs", 0.4)
    others = [*map(stepping, OTHER_STEPS), *map(cutting, OTHER_CUTOFFS)]
    tried = [_track(motion, each, frames, share).errors for each in others]
    ours = found["projected"].errors
    better = sum(
        bool(np.median(ours) < np.median(each) and spread(ours) < spread(each)) for each in tried
    )
    used = {key: METHODS[key].iterations * track.cost for key, track in found.items()}
    told = ", ".join(
        f"{METHODS[key].method} {METHODS[key].iterations} × {1e6 * found[key].cost:.0f} µs = "
        f"{seconds(each)}"
        for key, each in used.items()
    )
    return found, [
        has_coordinates(motion.clip.figure, 71),
        keeps_limits(*found["projected"].postures),
        Claim.time(
            "the iterations that each method is given fit into the slot, at the pace of its "
            "fastest frame",
            "approximately 0.015 s or less",
            told,
            max(used.values()) <= SLOT,
        ),
        Claim.check(
            "the projected line search has the lower median and the smaller box whatever the "
            f"transpose steps by ({_listed(OTHER_STEPS)} rather than {STEP:g}) and the inverse "
            f"cuts off ({_listed(OTHER_CUTOFFS)} rather than {CUTOFF:g})",
            f"in {better} of {len(others)} such comparisons, of {len(ours)} frames each",
            better == len(others),
        ),
    ]


def _superior(found: dict[str, Track]) -> list[Claim]:
    """What the paper sees in all three plots."""
    return [
        _lower_median(
            found,
            "inverse",
            "superior results to what is being computed by the SVD based Jacobian Inverse",
        ),
        _more_compact(found, "inverse", "the tight distributions of the values"),
    ]


def _lower_median(found: dict[str, Track], other: str, quote: str, *, much: bool = False) -> Claim:
    """That the median is lower; "much lower" is taken for half at most, and said to be."""
    ours, theirs = (float(np.median(found[name].errors)) for name in ("projected", other))
    lower = "much lower median (at most half)" if much else "lower median"
    return Claim.words(
        f"the projected line search has a {lower} than the Jacobian {other}",
        quote,
        f"{ours:.2g} against {theirs:.2g} units²",
        ours <= 0.5 * theirs if much else ours < theirs,
    )


def _more_compact(found: dict[str, Track], other: str, quote: str) -> Claim:
    ours, theirs = (spread(found[name].errors) for name in ("projected", other))
    return Claim.words(
        f"the projected line search has a more compact distribution than the Jacobian {other}",
        quote,
        f"quartiles {ours:.2g} against {theirs:.2g} units² apart",
        ours < theirs,
    )


def _listed(values: tuple[float, ...]) -> str:
    return ", ".join(f"{each:g}" for each in values)


def _drawn(
    folder: Path | None,
    report: Report,
    name: str,
    found: dict[str, Track],
    claims: list[Claim],
    motion: Exercise,
) -> Result:
    if folder is None:
        return Result(tuple(claims), source=motion.source)
    report("drawing", 0.9)
    with plot(folder, name, columns=2, size=(9.0, 3.8)) as (path, axes):
        labels = [METHODS[each].label for each in found]
        for each, scale in zip(axes, ("linear", "log"), strict=True):
            boxes = each.boxplot(
                [np.maximum(track.errors, 1e-6) for track in found.values()],
                tick_labels=labels,
                widths=0.5,
                patch_artist=True,
                flierprops={"marker": "+", "markeredgecolor": "#d1242f"},
                medianprops={"color": "#2b3440"},
            )
            for box, color in zip(boxes["boxes"], (GREY, ORANGE, BLUE), strict=True):
                box.set(facecolor=color, alpha=0.5)
            each.set_yscale(scale)
            each.tick_params(axis="x", labelsize=8)
        upper = max(float(np.percentile(track.errors, 95)) for track in found.values())
        axes[0].set(ylim=(-0.03 * upper, 1.2 * upper), ylabel="sum of squared errors (units²)")
        axes[0].set_title(f"{FRAMES[name]} frames a cycle")
        axes[1].set_title("the same, logarithmic, all outliers")
    return Result(tuple(claims), (path,), motion.source)
