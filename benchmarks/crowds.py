"""Many figures in one problem: what Ho, Komura & Lau 2005 published beside what comes out here.

Persons of 63 coordinates (20 segments, all joints balls). In the ring of section 4 each holds the
next by the hand, feet are on the floor and torsos move sinusoidally: four constraints of three rows
for each person. In the pair two push each other, gripping at more and more points.

A *step* is one linear problem with everything about it: kinematics, Jacobian, limits, the solve,
and the look at where it led. Times are medians over the frames of a motion, after the first two,
each frame's time, the least of three runs, divided by its steps; "PI" is `numpy.linalg.pinv` of the
Jacobian, alone, the fastest of three. All are times of the processor, on one thread, so that what
else the machine does counts little.

python benchmarks/crowds.py [FOLDER]    with a folder: pictures are written there
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from timing import show

import poise
from poise.models.published import person_of_63
from poise.scene.animate import Animation
from poise.solvers import cascade, descent, lex
from poise.solvers.linear import Linear
from poise.tasks import Loop, Position, Task

Values = NDArray[np.float64]

FPS = 60.0
PUBLISHED_1 = {8: (6.60, 3.67, 21.93), 13: (9.95, 4.04, 24.92), 18: (13.14, 4.53, 32.92)}
"""Table 1: by constraints, ms of LPIK, LM and PI."""
PUBLISHED_2 = {
    2: (6.17, 4.76, 36.87),
    4: (15.48, 7.35, 379.32),
    20: (157.86, 168.36, 58623.0),
    40: (407.11, 757.52, 571500.0),
}
"""Table 2: by persons, ms of LPIK, LM and PI."""


class Claim(NamedTuple):
    """One statement of the paper, or a mark of ours, beside what came out."""

    text: str
    published: str
    ours: str
    holds: bool


# scenes ------------------------------------------------------------------------------------


def ring(count: int) -> poise.Scene:
    """Persons in a circle that face its middle, hand in hand, feet on the floor."""
    person = person_of_63()
    scene = poise.Scene({f"p{i}": person for i in range(count)})
    radius = max(0.45, 0.75 * count / (2 * np.pi))
    for i in range(count):
        turn = 2 * np.pi * i / count
        at = (radius * np.cos(turn), radius * np.sin(turn), 0.0)
        scene.stand(f"p{i}", at, turn + np.pi)
    for i in range(count):
        for foot in ("left_foot", "right_foot"):
            scene.add(Position(f"p{i}/{foot}"))
        scene.add(Loop(f"p{i}/right_hand", f"p{(i + 1) % count}/left_hand"), name=f"hands {i}")
    return scene


def swaying(scene: poise.Scene, frames: int) -> dict[str, Values]:
    """Paths of all torsos: to the middle and back in 2 s, dipping twice."""
    phase = 2 * np.pi * np.arange(frames) / (2 * FPS)
    paths: dict[str, Values] = {}
    for name in scene.figures:
        at = scene.places[f"{name}/upper_back"].position
        inward = -at * [1.0, 1.0, 0.0] / np.linalg.norm(at[:2])
        dip = -0.05 + 0.03 * np.sin(2 * phase)
        paths[f"{name}/upper_back"] = (
            at + 0.06 * np.sin(phase)[:, None] * inward + dip[:, None] * [0.0, 0.0, 1.0]
        )
    return paths


GRIPS = (
    ("a/left_hand", "b/right_upper_arm"),
    ("a/right_hand", "b/left_upper_arm"),
    ("b/right_hand", "a/left_upper_arm"),
    ("b/left_hand", "a/right_upper_arm"),
    ("a/left_elbow", "b/right_forearm"),
    ("a/right_elbow", "b/left_forearm"),
    ("a/left_fingertip", "b/upper_back"),
    ("a/right_fingertip", "b/upper_back"),
    ("b/right_fingertip", "a/upper_back"),
    ("b/left_fingertip", "a/upper_back"),
    ("b/right_elbow", "a/left_forearm"),
    ("b/left_elbow", "a/right_forearm"),
)
"""Where the pair touch, in the order in which contacts are added: a point, and what it stays on."""


def pair(constraints: int) -> poise.Scene:
    """Two who push each other: feet, pelvis and grips, so many constraints in all."""
    person = person_of_63()
    scene = poise.Scene({"a": person, "b": person})
    scene.stand("b", (0.55, 0.0, 0.0), np.pi)
    for name in scene.figures:
        for foot in ("left_foot", "right_foot"):
            scene.add(Position(f"{name}/{foot}"))
    reach = [
        scene.add(Loop(hand, elbow), name=f"reach {hand}")
        for hand, elbow in (
            ("a/left_hand", "b/right_elbow"),
            ("a/right_hand", "b/left_elbow"),
            ("b/left_fingertip", "a/right_elbow"),
            ("b/right_fingertip", "a/left_elbow"),
        )
    ]
    for name in scene.figures:
        low = scene.places[f"{name}/pelvis"].position - [0.0, 0.0, 0.02]
        scene.add(Position(f"{name}/pelvis", low))
    scene.postures = scene.solve().postures
    for handle in reach:
        handle.remove()
    for point, ground in GRIPS[: constraints - 6]:
        place = scene.places[ground].inverse() @ scene.places[point]
        scene.add(Position(point, place.position, frame=ground), name=f"{point} on {ground}")
    return scene


def pushing(scene: poise.Scene, frames: int) -> dict[str, Values]:
    """Paths of both pelvises: to and fro together, 10 cm in 2 s."""
    phase = 2 * np.pi * np.arange(frames) / (2 * FPS)
    sway = 0.05 * np.sin(phase)[:, None] * [1.0, 0.0, 0.0]
    return {f"{name}/pelvis": scene.places[f"{name}/pelvis"].position + sway for name in "ab"}


# measures ----------------------------------------------------------------------------------


def timed(
    scene: poise.Scene, paths: dict[str, Values], method: str, **own: Any
) -> tuple[Animation, float]:
    """A motion, and the median time of its steps (ms), each frame the fastest of three."""
    with ExitStack() as clocks:
        for module in (cascade, descent, lex):
            clocks.enter_context(patch.object(module, "perf_counter", time.thread_time))
        runs = [scene.animate(paths, method, **own) for _ in range(3)]
    seconds = np.min([moves.solutions.seconds for moves in runs], axis=0)
    steps = np.maximum(runs[0].solutions.iterations, 1)
    return runs[0], 1e3 * float(np.median((seconds / steps)[2:]))


def pseudo_inverse_milliseconds(scene: poise.Scene, paths: dict[str, Values]) -> float:
    """The dense pseudo-inverse of the scene's Jacobian times a residual, the fastest of three."""
    handles = [scene.add(_at(name, path[1]), name=name) for name, path in _new(scene, paths)]
    problem, q = scene.prepared()[1:3]
    for handle in handles:
        handle.remove()
    at = Linear(problem)
    at.look(q)
    J = at.sparse(np.arange(at.rows), at.contacts.group_of_row).toarray()
    least = np.inf
    for _ in range(3):
        begun = time.thread_time()
        _ = np.linalg.pinv(J) @ at.residual
        least = min(least, time.thread_time() - begun)
    return 1e3 * least


def _at(site: str, target: Values) -> Task:
    return Position(site, target)


def _new(scene: poise.Scene, paths: dict[str, Values]) -> list[tuple[str, Values]]:
    return [(name, path) for name, path in paths.items() if name not in scene.handles]


def exponent(sizes: Iterable[float], times: Iterable[float]) -> float:
    """The power with which times grow, by least squares of logarithms."""
    return float(np.polyfit(np.log(list(sizes)), np.log(list(times)), 1)[0])


def within_limits(scene: poise.Scene, moves: Animation) -> float:
    """The greatest violation of a limit in any frame (rad)."""
    figure = next(iter(scene.figures.values()))
    low = np.tile(figure.lower, len(scene.figures))
    high = np.tile(figure.upper, len(scene.figures))
    q = moves.solutions.q
    return float(np.maximum(low - q, q - high).max(initial=0.0))


# the paper ---------------------------------------------------------------------------------


def table_1(frames: int = 60) -> tuple[list[list[str]], list[Claim]]:
    """Two who push each other, with 8, 13 and 18 constraints."""
    rows: list[list[str]] = []
    ours: dict[int, tuple[float, float, float]] = {}
    worst, met = 0.0, True
    for constraints, published in PUBLISHED_1.items():
        scene = pair(constraints)
        paths = pushing(scene, frames)
        lp, by_lp = timed(scene, paths, "lp")
        _, by_superlu = timed(scene, paths, "lagrange", elimination="superlu")
        blocks, by_blocks = timed(scene, paths, "lagrange")
        ours[constraints] = by_lp, by_superlu, pseudo_inverse_milliseconds(scene, paths)
        met &= bool(lp.solutions.met.all() and blocks.solutions.met.all())
        worst = max(worst, lp.solutions.errors.max(), blocks.solutions.errors.max())
        rows.append(
            [
                str(constraints),
                *(f"{a:.2f} ({b:.2f})" for a, b in zip(ours[constraints], published, strict=True)),
                f"{by_blocks:.2f}",
            ]
        )
    power = exponent(ours, [each[0] for each in ours.values()])
    published_power = exponent(PUBLISHED_1, [each[0] for each in PUBLISHED_1.values()])
    return rows, [
        Claim(
            "With two persons the time of LPIK grows no faster than linearly with the constraints",
            f"power {published_power:.2f}",
            f"power {power:.2f}",
            power < 1.3,
        ),
        Claim(
            "LPIK is faster than the pseudo-inverse with two persons",
            "2.5 to 3.3 times",
            " ".join(f"{each[2] / each[0]:.2f}" for each in ours.values()) + " times",
            all(each[0] < each[2] for each in ours.values()),
        ),
        Claim(
            "Multipliers by SuperLU are faster than LPIK with two persons",
            "1.8 to 2.9 times",
            " ".join(f"{each[0] / each[1]:.2f}" for each in ours.values()) + " times",
            all(each[1] < each[0] for each in ours.values()),
        ),
        Claim(
            "Contacts hold through the motion",
            "not stated",
            f"all met: {met}, at most {1e3 * worst:.3f} mm off",
            met,
        ),
    ]


def table_2(frames: int = 60, sizes: Sequence[int] = (2, 4, 20, 40)) -> tuple[Any, list[Claim]]:
    """The ring of 2 to 40; Fig. 3 is the same numbers."""
    rows: list[list[str]] = []
    ours: dict[int, tuple[float, float, float, float]] = {}
    for count in sizes:
        scene = ring(count)
        paths = swaying(scene, frames)
        lp = timed(scene, paths, "lp")[1]
        superlu = timed(scene, paths, "lagrange", elimination="superlu")[1]
        blocks = timed(scene, paths, "lagrange")[1]
        inverse = pseudo_inverse_milliseconds(scene, paths)
        ours[count] = lp, superlu, inverse, blocks
        published = PUBLISHED_2.get(count, (np.nan,) * 3)
        rows.append(
            [
                str(count),
                str(4 * count),
                str(63 * count),
                *(f"{a:.2f} ({b:g})" for a, b in zip(ours[count], published, strict=False)),
                f"{blocks:.2f}",
                f"{inverse / lp:.1f}",
                f"{inverse / blocks:.0f}",
            ]
        )
    most = max(sizes)
    lp, superlu, inverse, blocks = ours[most]
    powers = [exponent(ours, [each[k] for each in ours.values()]) for k in range(4)]
    published_powers = [
        exponent(PUBLISHED_2, [each[k] for each in PUBLISHED_2.values()]) for k in range(3)
    ]
    return rows, [
        Claim(
            "LPIK is faster than multipliers by SuperLU above twenty persons",
            "407 against 758 ms at 40",
            f"{lp:.1f} against {superlu:.1f} ms at {most}",
            lp < superlu,
        ),
        Claim(
            "LPIK is far faster than the pseudo-inverse in a ring",
            "6 to 1404 times",
            " ".join(f"{each[2] / each[0]:.1f}" for each in ours.values()) + " times",
            all(each[0] < each[2] for each in ours.values()),
        ),
        Claim(
            "The time of LPIK grows with no more than the square of the persons",
            f"power {published_powers[0]:.2f}",
            f"power {powers[0]:.2f}",
            powers[0] <= 2.0,
        ),
        Claim(
            "The time of the pseudo-inverse grows with about the cube of the persons",
            f"power {published_powers[2]:.2f}",
            f"power {powers[2]:.2f}",
            powers[2] > 2.0,
        ),
        Claim(
            f"Multipliers by blocks take at most 2 ms a step at {most} (ours)",
            "–",
            f"{blocks:.2f} ms, power {powers[3]:.2f}",
            blocks <= 2.0,
        ),
        Claim(
            f"LPIK with a kept basis takes at most 25 ms a step at {most} (ours)",
            "–",
            f"{lp:.1f} ms",
            lp <= 25.0,
        ),
    ]


def section_5(frames: int = 40) -> tuple[list[list[str]], list[Claim]]:
    """Growth with the constraints at constant n, and with n at constant constraints."""
    rows: list[list[str]] = []

    def taken(count: int, wanted: int) -> float:
        scene = ring(count)
        paths = swaying(scene, frames)
        # Torsos stay driven; feet and hands are let go, spread evenly, until so many are left.
        free = list(scene.handles.values())
        keep = max(wanted - len(paths), 0)
        chosen = {int(i) for i in np.linspace(0, len(free) - 1, keep)} if keep else set[int]()
        for i, handle in enumerate(free):
            if i not in chosen:
                handle.remove()
        paths = dict(list(paths.items())[: min(len(paths), wanted)])
        milliseconds = timed(scene, paths, "lp")[1]
        rows.append([str(63 * count), str(wanted), f"{milliseconds:.2f}"])
        return milliseconds

    by_rows = {m: taken(20, m) for m in (20, 40, 60, 80)}
    by_columns = {63 * k: taken(k, 16) for k in (4, 8, 16, 32)}
    a, b = exponent(by_rows, by_rows.values()), exponent(by_columns, by_columns.values())
    return rows, [
        Claim(
            "At constant n the time of LPIK grows no faster than linearly with the constraints",
            "linear",
            f"power {a:.2f}",
            a <= 1.3,
        ),
        Claim(
            "At constant constraints the time of LPIK grows no faster than linearly with n",
            "linear",
            f"power {b:.2f}",
            b <= 1.3,
        ),
        Claim(
            "n matters more than the number of constraints",
            "stated",
            f"powers {b:.2f} and {a:.2f}",
            b > a,
        ),
    ]


@cache
def pulls(frames: int = 100) -> dict[str, Values]:
    """Fig. 4: a hand is pulled to the front; steps of the chest's flexion (rad)."""
    person = person_of_63()
    scene = poise.Scene(person)
    for name in ("left_foot", "right_foot", "pelvis"):
        scene.add(Position(name))
    ease = 0.5 - 0.5 * np.cos(np.linspace(0, np.pi, frames))
    path = scene.places["right_hand"].position + 0.6 * ease[:, None] * [1.0, 0.1, 0.35]
    chest = person.index("upper_back.swing_y")
    methods: dict[str, tuple[str, dict[str, Any]]] = {
        "eq. 7": ("lp", {"alpha": 0.0}),
        "eq. 8": ("lp", {"alpha": 1.0}),
        "PI": ("pinv", {"limits": "added"}),
    }
    return {
        name: np.diff(
            scene.animate({"right_hand": path}, method, tolerance=1e-5, **own).solutions.q[:, chest]
        )
        for name, (method, own) in methods.items()
    }


def figure_4() -> tuple[list[list[str]], list[Claim]]:
    """How jagged the flexion of the chest is."""
    rough = {name: float(np.abs(np.diff(steps, 2)).sum()) for name, steps in pulls().items()}
    most = {name: float(np.abs(steps).max()) for name, steps in pulls().items()}
    share = {name: rough[name] / most[name] for name in rough}
    rows = [
        [name, f"{1e3 * most[name]:.2f}", f"{1e3 * rough[name]:.2f}", f"{share[name]:.2f}"]
        for name in rough
    ]
    return rows, [
        Claim(
            "With eq. 7 the flexion of the chest is jagged",
            "Fig. 4",
            f"{share['eq. 7'] / share['PI']:.2f} times PI, in absolute terms "
            f"{rough['eq. 7'] / rough['PI']:.2f}",
            share["eq. 7"] > 1.2 * share["PI"],
        ),
        Claim(
            "With eq. 7 the chest moves a lot at the beginning",
            "Fig. 4",
            f"greatest step {most['eq. 7'] / most['PI']:.2f} times that of PI",
            most["eq. 7"] > 1.2 * most["PI"],
        ),
        Claim(
            "With eq. 8 it is as smooth as with PI, for its size (at most 1.2 times)",
            "Fig. 4",
            f"{share['eq. 8'] / share['PI']:.2f} times PI",
            share["eq. 8"] <= 1.2 * share["PI"],
        ),
        Claim(
            "With eq. 8 it is as smooth as with PI in absolute terms (at most 1.2 times)",
            "Fig. 4",
            f"{rough['eq. 8'] / rough['PI']:.2f} times PI; it moves "
            f"{most['eq. 8'] / most['PI']:.2f} times as fast",
            rough["eq. 8"] <= 1.2 * rough["PI"],
        ),
    ]


# ours --------------------------------------------------------------------------------------


def held(frames: int = 100, sizes: Sequence[int] = (2, 4, 20, 40)) -> tuple[Any, list[Claim]]:
    """Contacts and limits through 100 frames of the ring."""
    rows: list[list[str]] = []
    claims: list[Claim] = []
    for method in ("lex", "lagrange", "lp"):
        worst, broken = 0.0, 0.0
        for count in sizes:
            scene = ring(count)
            moves = scene.animate(swaying(scene, frames), method)
            off, out = float(moves.solutions.errors.max()), within_limits(scene, moves)
            worst, broken = max(worst, off), max(broken, out)
            rows.append([method, str(count), f"{1e3 * off:.4f}", f"{out:.1e}"])
        claims.append(
            Claim(
                f"{method} holds contacts to 0.1 mm over {frames} frames, within limits (ours)",
                "–",
                f"{1e3 * worst:.4f} mm, {broken:.0e} rad",
                worst <= 1e-4 and broken <= 1e-9,
            )
        )
    return rows, claims


def growth(
    sizes: Sequence[int] = (5, 10, 20, 40, 100, 200), frames: int = 20
) -> tuple[Any, list[Claim]]:
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
    claims: list[Claim] = []
    for name, most in (("lex", 1.3), ("lagrange", 1.2)):
        whole = exponent(times[name], times[name].values())
        late = {count: each for count, each in times[name].items() if count >= 40}
        power = exponent(late, late.values()) if len(late) > 1 else np.nan
        claims.append(
            Claim(
                f"{name} grows with a power of at most {most} up to {max(sizes)} persons (ours)",
                "–",
                f"power {whole:.2f}, from 40 on {power:.2f}",
                whole <= most and power <= most,
            )
        )
    power = exponent(times["dense"], times["dense"].values())
    claims.append(
        Claim(
            "lex that sees no contacts grows faster (ours)", "–", f"power {power:.2f}", power > 1.3
        )
    )
    if 40 in times["lex"]:
        claims.append(
            Claim(
                "lex takes at most 5 ms a step at 40 persons, 2520 coordinates (ours)",
                "–",
                f"{times['lex'][40]:.2f} ms",
                times["lex"][40] <= 5.0,
            )
        )
    return rows, claims


def draw(folder: Path) -> None:
    """The pair pushing, the ring of forty, and Fig. 4."""
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    for name, scene, paths in (
        ("pair", pair(18), pushing),
        ("ring", ring(40), swaying),
    ):
        moves = scene.animate(paths(scene, 31), "lagrange")
        poise.picture(moves.solutions[30], folder / f"crowd-{name}.png")
    _, axes = plt.subplots(figsize=(7, 4))
    for (name, steps), style in zip(pulls().items(), ("--", "-", ":"), strict=True):
        axes.plot(np.degrees(steps), style, label=name)
    axes.set_xlabel("frame")
    axes.set_ylabel("step of the chest's flexion (°)")
    axes.legend()
    plt.savefig(folder / "crowd-flexion.png", dpi=120, bbox_inches="tight")


TABLES: tuple[tuple[str, tuple[str, ...], Callable[[], tuple[Any, list[Claim]]]], ...] = (
    (
        "Table 1, two who push each other: ms a step (published)",
        ("constraints", "LPIK", "LM, SuperLU", "PI", "LM, blocks"),
        table_1,
    ),
    (
        "Table 2, a ring: ms a step (published)",
        ("persons", "constraints", "n", "LPIK", "LM, SuperLU", "PI", "LM, blocks", "PI / LPIK",
         "PI / blocks"),
        table_2,
    ),
    ("Section 5: LPIK, ms a step", ("n", "constraints", "ms"), section_5),
    (
        "Fig. 4: the flexion of the chest when the hand is pulled to the front",
        ("", "greatest step (mrad)", "variation of 2nd differences (mrad)", "the same / step"),
        figure_4,
    ),
    ("Contacts over 100 frames", ("method", "persons", "worst mm", "limits broken rad"), held),
    (
        "Up to 200 persons: ms a step",
        ("persons", "n", "lex", "lagrange", "dense lex", "lex µs each", "lagrange µs each"),
        growth,
    ),
)  # fmt: skip


def main(folder: str | None = None) -> None:
    """Print all tables and claims."""
    claims: list[Claim] = []
    for title, head, run in TABLES:
        rows, found = run()
        show(title, head, rows)
        claims += found
    show(
        "Claim by claim",
        ("claim", "published", "ours", "holds"),
        [[each.text, each.published, each.ours, "yes" if each.holds else "NO"] for each in claims],
    )
    if folder:
        draw(Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
