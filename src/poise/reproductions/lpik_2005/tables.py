"""Tables 1 and 2 with Fig. 3: what a step of three methods takes, as ratios within one run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poise.models.published import person_of_63
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import BLUE, GREEN, GREY, ORANGE, plot, write
from poise.reproductions.lpik_2005.pace import exponent, pseudo_inverse, timed
from poise.reproductions.lpik_2005.scenes import Paths, pair, pushing, ring, swaying
from poise.reproductions.measures import millimetres
from poise.scene import Scene

FRAMES = 60
TABLE_1 = {8: (6.60, 3.67, 21.93), 13: (9.95, 4.04, 24.92), 18: (13.14, 4.53, 32.92)}
"""By constraints, ms of LPIK, LM and PI, as published."""
TABLE_2 = {
    2: (6.17, 4.76, 36.87),
    4: (15.48, 7.35, 379.32),
    20: (157.86, 168.36, 58623.0),
    40: (407.11, 757.52, 571500.0),
}
"""By persons, ms of LPIK, LM and PI, as published."""
ONLY_LINEARLY = 1.25
"""What "only linearly" is taken for: the power of growth is at most this."""
BAND = 0.25
"""How far a power may be from one that is claimed."""
HELD = 1e-4
"""Contacts hold within this (m)."""


@dataclass(frozen=True)
class Taken:
    """What a step takes (ms), and how far contacts were off at most (m).

    Attributes:
        lpik: by linear programming.
        lm: by multipliers and SuperLU.
        pi: the pseudo-inverse alone.
        blocks: by multipliers, block by block, which is ours.
        lex: by our own method.
        off: in the motions by `lp`, by blocks and by `lex`.
    """

    lpik: float
    lm: float
    pi: float
    blocks: float
    lex: float
    off: float

    @classmethod
    def of(cls, scene: Scene, paths: Paths) -> Taken:
        """Measure all methods on one motion."""
        programs, lpik = timed(scene, paths, "lp")
        _, lm = timed(scene, paths, "lagrange", elimination="superlu")
        eliminated, blocks = timed(scene, paths, "lagrange")
        ranked, lex = timed(scene, paths, "lex")
        moves = programs, eliminated, ranked
        off = max(float(each.solutions.errors.max()) for each in moves)
        return cls(lpik, lm, pseudo_inverse(scene, paths), blocks, lex, off)


# Table 1 -----------------------------------------------------------------------------------------


def table_1(
    folder: Path | None,
    report: Report,
    constraints: Sequence[int] = tuple(TABLE_1),
    frames: int = FRAMES,
) -> Result:
    """Two who push each other, with 8, 13 and 18 constraints."""
    found: dict[int, Taken] = {}
    for i, count in enumerate(constraints):
        report(f"{count} constraints", i / len(constraints))
        scene = pair(count)
        found[count] = Taken.of(scene, pushing(scene, frames))
    power = exponent(found, [each.lpik for each in found.values()])
    published = exponent(TABLE_1, [each[0] for each in TABLE_1.values()])
    claims = (
        *_persons(),
        Claim.number(
            "the time of LPIK grows only linearly with the constraints (a power of at most "
            f"{ONLY_LINEARLY:g})",
            f"“increases roughly linearly”; in its table a power of {published:.2f}",
            f"a power of {power:.2f}",
            power <= ONLY_LINEARLY,
        ),
        Claim.number(
            "LPIK takes less time than the pseudo-inverse",
            f"PI takes {_ratios(TABLE_1, 2, 0)} times as long",
            f"{_listed(each.pi / each.lpik for each in found.values())} times as long",
            all(each.lpik < each.pi for each in found.values()),
        ),
        Claim.number(
            "LPIK takes more time than multipliers (SuperLU)",
            f"LPIK takes {_ratios(TABLE_1, 0, 1)} times as long",
            f"{_listed(each.lpik / each.lm for each in found.values())} times as long",
            all(each.lpik > each.lm for each in found.values()),
        ),
        _contacts_hold(found),
    )
    if folder is None:
        return Result(claims)
    from poise.pictures import picture

    report("drawing", 0.9)
    scene = pair(max(constraints))
    moves = scene.animate(pushing(scene, FRAMES), "lagrange")
    drawn = write(picture(moves.solutions[FRAMES // 2], size=(900, 800)), folder, "2005-table-1")
    times = _plotted(folder, "2005-table-1-times", "constraints", found, TABLE_1)
    return Result(claims, (drawn, times))


# Table 2 -----------------------------------------------------------------------------------------


def table_2(
    folder: Path | None,
    report: Report,
    persons: Sequence[int] = tuple(TABLE_2),
    frames: int = FRAMES,
) -> Result:
    """The ring of 2 to 40; Fig. 3 has the same numbers."""
    found: dict[int, Taken] = {}
    for i, count in enumerate(persons):
        report(f"{count} persons", 0.9 * i / len(persons))
        scene = ring(count)
        found[count] = Taken.of(scene, swaying(scene, frames))
    most = found[max(persons)]
    powers = {
        name: exponent(found, [getattr(each, name) for each in found.values()])
        for name in ("lpik", "lm", "pi", "blocks", "lex")
    }
    published = [exponent(TABLE_2, [each[k] for each in TABLE_2.values()]) for k in range(3)]
    claims = (
        *_persons(),
        Claim.number(
            "LPIK is faster than multipliers (SuperLU) when there are more than twenty",
            f"LM takes {TABLE_2[40][1] / TABLE_2[40][0]:.2f} times as long at 40",
            f"{most.lm / most.lpik:.2f} times as long at {max(persons)}",
            most.lpik < most.lm,
        ),
        _less_than_pi("with less than twenty persons", found, few=True),
        _less_than_pi("with twenty persons or more", found, few=False),
        Claim.number(
            f"the time of LPIK grows with the square of the persons (a power of 2 ± {BAND:g})",
            f"“increases square proportional”; in its table a power of {published[0]:.2f}",
            f"a power of {powers['lpik']:.2f}",
            abs(powers["lpik"] - 2.0) <= BAND,
        ),
        Claim.number(
            "the time of the pseudo-inverse grows with the cube of the constraints (a power of "
            f"3 ± {BAND:g})",
            f"“increases cubically”; in its table a power of {published[2]:.2f}",
            f"a power of {powers['pi']:.2f}",
            abs(powers["pi"] - 3.0) <= BAND,
        ),
        Claim.number(
            "the time of multipliers (SuperLU) grows with the cube of the constraints (a power of "
            f"3 ± {BAND:g})",
            f"“increases cubically”; in its table a power of {published[1]:.2f}",
            f"a power of {powers['lm']:.2f}",
            abs(powers["lm"] - 3.0) <= BAND,
        ),
        Claim.check(
            "multipliers by blocks, which are ours, grow with a power of at most 1.2",
            f"a power of {powers['blocks']:.2f}; PI takes "
            f"{_listed(each.pi / each.blocks for each in found.values())} times as long",
            powers["blocks"] <= 1.2,
        ),
        Claim.check(
            "`lex`, our own method, grows with a power of at most 1.3",
            f"a power of {powers['lex']:.2f}; PI takes "
            f"{_listed(each.pi / each.lex for each in found.values())} times as long",
            powers["lex"] <= 1.3,
        ),
        _contacts_hold(found),
    )
    if folder is None:
        return Result(claims)
    from poise.pictures import View, picture

    report("drawing", 0.9)
    scene = ring(max(persons))
    moves = scene.animate(swaying(scene, FRAMES), "lagrange")
    view = View(np.deg2rad(-60.0), np.deg2rad(28.0))
    image = picture(moves.solutions[FRAMES // 2], views=view, size=(1200, 700), goals=False)
    drawn = write(image, folder, "2005-table-2")
    times = _plotted(folder, "2005-table-2-times", "persons", found, TABLE_2)
    return Result(claims, (drawn, times))


def _less_than_pi(when: str, found: Mapping[int, Taken], *, few: bool) -> Claim:
    """That LPIK takes less time than the pseudo-inverse, in some of the rings."""
    theirs = {n: each[2] / each[0] for n, each in TABLE_2.items() if (n < 20) is few}
    ours = {n: each.pi / each.lpik for n, each in found.items() if (n < 20) is few}
    return Claim.number(
        f"{when} LPIK takes less time than the pseudo-inverse",
        f"PI takes {_listed(theirs.values())} times as long at {', '.join(map(str, theirs))}",
        f"{_listed(ours.values())} times as long at {', '.join(map(str, ours))}",
        all(ratio > 1 for ratio in ours.values()),
    )


# what both have ----------------------------------------------------------------------------------


def _persons() -> tuple[Claim, Claim]:
    """The model that both tables are about."""
    figure = person_of_63()
    count = len(figure.segments)
    return (
        Claim.setup("a person has so many degrees of freedom", "63", str(figure.n), figure.n == 63),
        Claim.setup("a person has so many segments", "20", str(count), count == 20),
    )


def _contacts_hold(found: Mapping[int, Taken]) -> Claim:
    off = max(each.off for each in found.values())
    text = f"contacts hold to {millimetres(HELD)} through the motion, by `lp`, `lagrange` and `lex`"
    return Claim.check(text, f"at most {millimetres(off)} off", off <= HELD)


def _ratios(table: Mapping[int, Sequence[float]], over: int, under: int) -> str:
    return _listed(each[over] / each[under] for each in table.values())


def _listed(ratios: Iterable[float]) -> str:
    return ", ".join(f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}" for ratio in ratios)


def _plotted(
    folder: Path,
    name: str,
    what: str,
    found: Mapping[int, Taken],
    published: Mapping[int, Sequence[float]],
) -> Path:
    """Times of all methods, dashed those of the paper."""
    with plot(folder, name, size=(7.0, 4.2)) as (path, (axes,)):
        lines = (("LPIK", "lpik", BLUE, 0), ("LM, SuperLU", "lm", ORANGE, 1), ("PI", "pi", GREY, 2))
        for label, field, color, column in lines:
            axes.loglog(
                list(found), [getattr(t, field) for t in found.values()], "o-", color=color,
                label=label,
            )  # fmt: skip
            theirs = [each[column] for each in published.values()]
            axes.loglog(list(published), theirs, "x--", color=color, alpha=0.6)
        blocks = [each.blocks for each in found.values()]
        axes.loglog(list(found), blocks, "s-", color=GREEN, label="LM, blocks (ours)")
        axes.loglog([], [], "x--", color=GREY, label="dashed: as published")
        axes.set_xticks(list(found), [str(each) for each in found])
        axes.minorticks_off()
        axes.set(xlabel=what, ylabel="ms a step")
        axes.legend(frameon=False, fontsize=8)
    return path
