"""Section 5: how the time of LPIK grows with the constraints, and with the coordinates, alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import BLUE, plot
from poise.reproductions.lpik_2005.pace import exponent, timed
from poise.reproductions.lpik_2005.scenes import ring, swaying, thinned
from poise.reproductions.lpik_2005.tables import ONLY_LINEARLY

_PERSONS, _CONSTRAINTS = 20, 16
"""How many persons there are while constraints change, and constraints while persons do."""


def one_at_a_time(
    folder: Path | None,
    report: Report,
    persons: Sequence[int] = (4, 8, 16, 32),
    constraints: Sequence[int] = (20, 40, 60, 80),
    frames: int = 40,
) -> Result:
    """A ring of which constraints are let go, and rings of more and more with as many left."""
    report("more constraints", 0.0)
    by_rows = {m: _taken(_PERSONS, m, frames) for m in constraints}
    report("more persons", 0.5)
    by_columns = {63 * k: _taken(k, _CONSTRAINTS, frames) for k in persons}
    rows = exponent(by_rows, by_rows.values())
    columns = exponent(by_columns, by_columns.values())
    quote = "the computational cost of LPIK increases linearly"
    claims = (
        Claim.words(
            f"at constant n LPIK grows only linearly with the constraints (a power of at most "
            f"{ONLY_LINEARLY:g})",
            f"{quote} … as the number of constraints increases while keeping the DOFs constant",
            f"a power of {rows:.2f}, n = {63 * _PERSONS}",
            rows <= ONLY_LINEARLY,
        ),
        Claim.words(
            f"at constant constraints LPIK grows only linearly with n (a power of at most "
            f"{ONLY_LINEARLY:g})",
            f"{quote} … as the DOFs increase while keeping the number of constraints constant",
            f"a power of {columns:.2f}, {_CONSTRAINTS} constraints",
            columns <= ONLY_LINEARLY,
        ),
        Claim.words(
            "n matters more than the number of constraints",
            "the change in the DOFs affects the computation time more significantly",
            f"powers of {columns:.2f} and {rows:.2f}",
            columns > rows,
        ),
    )
    if folder is None:
        return Result(claims)
    report("drawing", 0.9)
    with plot(folder, "2005-section-5", columns=2, size=(8.0, 3.4)) as (path, axes):
        for each, times, power, what in (
            (axes[0], by_rows, rows, f"constraints, n = {63 * _PERSONS}"),
            (axes[1], by_columns, columns, f"n, {_CONSTRAINTS} constraints"),
        ):
            each.plot(list(times), list(times.values()), "o-", color=BLUE)
            each.set(xlabel=what, ylabel="ms a step of LPIK", title=f"a power of {power:.2f}")
            each.set_ylim(bottom=0.0)
    return Result(claims, (path,))


def _taken(persons: int, constraints: int, frames: int) -> float:
    """What a step of LPIK takes (ms) in a ring of which so many constraints are left."""
    scene = ring(persons)
    return timed(scene, thinned(scene, swaying(scene, frames), constraints), "lp")[1]
