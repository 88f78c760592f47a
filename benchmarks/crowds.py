"""Many figures in one problem: the paper's tables, and marks of our own.

The scenes, how times are taken, and what Ho, Komura & Lau 2005 claim are in
`poise.reproductions.lpik_2005`; `poise reproduce 2005-table-2` and its kin judge that claim by
claim. Here its rows are printed, with what only this library is measured by: contacts over 100
frames, milliseconds, and growth up to 200 persons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from timing import show

from poise.reproductions.claims import silent
from poise.reproductions.lpik_2005 import EXAMPLES
from poise.reproductions.lpik_2005.pace import exponent, timed
from poise.reproductions.lpik_2005.scenes import ring, swaying
from poise.reproductions.lpik_2005.tables import Taken
from poise.scene.animate import Animation
from poise.solvers import lex


class Mark(NamedTuple):
    """Something that this library should reach, beside what came out."""

    text: str
    ours: str
    holds: bool


def broken(moves: Animation) -> float:
    """The greatest violation of any limit in any frame (rad)."""
    return max(
        0.0, *(clip.figure.violation(posture) for clip in moves.values() for posture in clip)
    )


def milliseconds(frames: int = 60, sizes: Sequence[int] = (2, 4, 20, 40)) -> tuple[Any, list[Mark]]:
    """What a step takes in the ring."""
    found: dict[int, Taken] = {}
    for count in sizes:
        scene = ring(count)
        found[count] = Taken.of(scene, swaying(scene, frames))
    rows = [
        [
            str(count),
            str(63 * count),
            *(f"{each:.2f}" for each in (taken.lpik, taken.lm, taken.pi, taken.blocks)),
            f"{taken.pi / taken.lpik:.1f}",
            f"{taken.pi / taken.blocks:.0f}",
        ]
        for count, taken in found.items()
    ]
    most, last = found[max(sizes)], max(sizes)
    return rows, [
        Mark(
            f"blocks take at most 2 ms a step at {last}", f"{most.blocks:.2f} ms", most.blocks <= 2
        ),
        Mark(
            f"LPIK with a kept basis takes at most 25 ms a step at {last}",
            f"{most.lpik:.1f} ms",
            most.lpik <= 25,
        ),
    ]


def held(frames: int = 100, sizes: Sequence[int] = (2, 4, 20, 40)) -> tuple[Any, list[Mark]]:
    """Contacts and limits through 100 frames of the ring."""
    rows: list[list[str]] = []
    marks: list[Mark] = []
    for method in ("lex", "lagrange", "lp"):
        worst, most = 0.0, 0.0
        for count in sizes:
            scene = ring(count)
            moves = scene.animate(swaying(scene, frames), method)
            off, out = float(moves.solutions.errors.max()), broken(moves)
            worst, most = max(worst, off), max(most, out)
            rows.append([method, str(count), f"{1e3 * off:.4f}", f"{out:.1e}"])
        marks.append(
            Mark(
                f"{method} holds contacts to 0.1 mm over {frames} frames, within limits",
                f"{1e3 * worst:.4f} mm, {most:.0e} rad",
                worst <= 1e-4 and most <= 1e-9,
            )
        )
    return rows, marks


def growth(
    sizes: Sequence[int] = (5, 10, 20, 40, 100, 200), frames: int = 20
) -> tuple[Any, list[Mark]]:
    """lex, and multipliers by blocks, up to 200 persons; lex also densely, as far as that goes.

    All of it twice over, one size after the other, and the least of both: what else the machine
    does comes and goes.
    """
    names = ("lex", "lagrange", "dense")
    times: dict[str, dict[int, float]] = {name: {} for name in names}
    for _ in range(2):
        for count in sizes:
            scene = ring(count)
            paths = swaying(scene, frames)
            for name in names:
                if name == "dense" and count > 20:
                    continue
                at_least = 10**9 if name == "dense" else 0
                with patch.object(lex, "CROWD", (at_least, 2)):
                    method = "lagrange" if name == "lagrange" else "lex"
                    took = timed(scene, paths, method)[1]
                times[name][count] = min(took, times[name].get(count, np.inf))
    rows = [
        [
            str(count),
            str(63 * count),
            *(f"{times[name][count]:.3f}" if count in times[name] else "–" for name in names),
            f"{1e3 * times['lex'][count] / count:.1f}",
            f"{1e3 * times['lagrange'][count] / count:.1f}",
        ]
        for count in sizes
    ]
    marks: list[Mark] = []
    for name, most in (("lex", 1.3), ("lagrange", 1.2)):
        whole = exponent(times[name], times[name].values())
        late = {count: each for count, each in times[name].items() if count >= 40}
        power = exponent(late, late.values()) if len(late) > 1 else np.nan
        marks.append(
            Mark(
                f"{name} grows with a power of at most {most} up to {max(sizes)} persons",
                f"power {whole:.2f}, from 40 on {power:.2f}",
                whole <= most and power <= most,
            )
        )
    power = exponent(times["dense"], times["dense"].values())
    marks.append(Mark("lex that sees no contacts grows faster", f"power {power:.2f}", power > 1.3))
    if 40 in times["lex"]:
        marks.append(
            Mark(
                "lex takes at most 5 ms a step at 40 persons, 2520 coordinates",
                f"{times['lex'][40]:.2f} ms",
                times["lex"][40] <= 5.0,
            )
        )
    return rows, marks


TABLES: tuple[tuple[str, tuple[str, ...], Callable[[], tuple[Any, list[Mark]]]], ...] = (
    (
        "A ring: ms a step",
        ("persons", "n", "LPIK", "LM, SuperLU", "PI", "LM, blocks", "PI / LPIK", "PI / blocks"),
        milliseconds,
    ),
    ("Contacts over 100 frames", ("method", "persons", "worst mm", "limits broken rad"), held),
    (
        "Up to 200 persons: ms a step",
        ("persons", "n", "lex", "LM, blocks", "lex, dense", "µs a person, lex", "and blocks"),
        growth,
    ),
)


def main() -> None:
    """Print what the paper claims, and all tables and marks."""
    for example in EXAMPLES:
        result = example.run(None, silent)
        show(
            f"{example.name}: {example.title}; {result.tally} claims hold",
            ("claim", "published", "ours", "holds"),
            [[c.text, c.said, c.ours, "yes" if c.holds else "NO"] for c in result.claims],
        )
    marks: list[Mark] = []
    for title, head, run in TABLES:
        rows, found = run()
        show(title, head, rows)
        marks += found
    show(
        "Marks of ours",
        ("mark", "ours", "holds"),
        [[each.text, each.ours, "yes" if each.holds else "NO"] for each in marks],
    )


if __name__ == "__main__":
    main()
