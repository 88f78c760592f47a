"""The same scene by several methods, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast, overload

from poise.errors import PoiseError, unknown_name
from poise.scene.options import count
from poise.scene.scene import Scene
from poise.scene.solution import Solution
from poise.solvers import METHODS, Method, options_of, solver
from poise.solvers.method import RefusedError

_SHARED = ("tolerance", "max_iterations", "max_seconds", "trace")
"""Options of `Scene.solve` that any method may be given."""
_FIXED = {
    "warm": "every solve begins from nothing",
    "restarts": "every solve is from the scene's posture, and no other starts are tried",
}
"""Options of `Scene.solve` that no method may be given, with the reason."""


class Compared(NamedTuple):
    """What one method made of a scene."""

    method: str
    solution: Solution | None
    """None where the method refuses the scene."""
    refusal: str
    """Why it does; empty where it does not."""
    seconds: float
    """The least time inside the solver of all repeats; nan where it refuses."""

    @property
    def met(self) -> int:
        """How many tasks are met."""
        return 0 if self.solution is None else sum(each.met for each in self.solution.tasks)

    @property
    def errors(self) -> tuple[float, ...]:
        """The size of each priority's errors (m), weights included; what is met to 0 is 0."""
        return () if self.solution is None else self.solution.level_errors

    @property
    def violation(self) -> float:
        """How far the worst limit is broken (rad or m); 0 if none is."""
        if self.solution is None:
            return 0.0
        broken = [
            value
            for posture in self.solution.postures.values()
            for value in posture.figure.broken_limits(posture).values()
        ]
        return max(broken, default=0.0)


class Comparison(Sequence[Compared]):
    """Methods side by side, in the order in which they were asked for; also by name.

    `print(comparison)` gives a table.
    """

    def __init__(self, rows: Sequence[Compared]) -> None:
        """Keep what the methods made of it."""
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, at: int | str) -> Compared: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Compared]: ...
    def __getitem__(self, at: int | str | slice) -> Compared | Sequence[Compared]:
        """One by its number or its method's name, or some of them."""
        if not isinstance(at, str):
            return self._rows[at]
        for row in self._rows:
            if row.method == at:
                return row
        there = ", ".join(row.method for row in self._rows)
        raise PoiseError(f"there is no method {at!r} in this comparison; there are: {there}")

    def __len__(self) -> int:
        """How many methods."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Compared]:
        """One after the other."""
        return iter(self._rows)

    def __repr__(self) -> str:
        """The methods."""
        return f"<Comparison of {', '.join(row.method for row in self._rows)}>"

    def __str__(self) -> str:
        """A table that a person can read: text to the left, numbers to the right."""
        priorities = next((_priorities(each.solution) for each in self._rows if each.solution), ())
        errors = [f"error {priority} (mm)" for priority in priorities]
        lines = [("method", "ended", "met", *errors, "limits", "iterations", "ms")]
        lines += [_cells(row, len(priorities)) for row in self._rows]
        wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
        texts = {lines[0].index(name) for name in ("method", "ended", "limits")}
        told = [
            "  ".join(
                each.ljust(width) if column in texts else each.rjust(width)
                for column, (each, width) in enumerate(zip(line, wide, strict=True))
            )
            for line in lines
        ]
        told += [_refused(row) for row in self._rows if row.refusal]
        return "\n".join(line.rstrip() for line in told)


def _priorities(solution: Solution) -> tuple[int, ...]:
    """Whose errors a solution has, the most important first."""
    return tuple(sorted({report.priority for report in solution.tasks}))


def _cells(row: Compared, priorities: int) -> tuple[str, ...]:
    """A line of the table."""
    if row.solution is None:
        return (row.method, "refused", *[""] * (priorities + 4))
    return (
        row.method,
        row.solution.status,
        f"{row.met}/{len(row.solution.tasks)}",
        *(f"{1e3 * each:.3g}" for each in row.errors),
        "kept" if row.violation <= 1e-9 else f"broken by {row.violation:.2g}",
        str(row.solution.iterations),
        f"{1e3 * row.seconds:.3g}",
    )


def _refused(row: Compared) -> str:
    """Why a method refuses the scene; most say their name themselves."""
    names_itself = row.refusal.split(maxsplit=1)[0] == row.method
    return row.refusal if names_itself else f"{row.method}: {row.refusal}"


def compare(
    scene: Scene,
    methods: Iterable[str] | Mapping[str, Mapping[str, Any]] | Mapping[str, Method],
    *,
    repeats: int = 5,
    **misplaced: Any,
) -> Comparison:
    """Solve a scene by several methods from the same start, and put what they find side by side.

    No other starts are tried. The scene stays as it is. A method that cannot take the scene is
    listed with the reason; all else that is wrong raises.

    Args:
        scene: what is wanted.
        methods: names, each once, or by name the options for each, such as
            `{"lex": {}, "priority": {"formulation": "cascaded"}}`; `poise.solvers.METHODS` for all.
            Options are a method's own, and `tolerance`, `max_iterations`, `max_seconds` and `trace`
            of `Scene.solve`; what is not given is taken from `scene.options`.
        repeats: how often each is solved; the least time counts.
        **misplaced: none; an option that is given for all methods at once is refused.
    """
    for name in misplaced:
        raise _misplaced(name)
    if not isinstance(scene, Scene):
        raise PoiseError(f"compare takes a Scene, not {type(scene).__name__}")
    count(repeats, "repeats", 1)
    wanted = _wanted(methods)
    for name, own in wanted.items():
        _check_options(scene, name, own)
    return Comparison([_compared(scene, name, own, repeats) for name, own in wanted.items()])


def _misplaced(name: str) -> PoiseError:
    """The error for a keyword that is no argument of `compare`."""
    if name in _FIXED:
        return PoiseError(f"compare takes no {name}: {_FIXED[name]}")
    if name not in {*_SHARED, *(option for each in METHODS for option in options_of(each))}:
        return unknown_name("argument", name, ("scene", "methods", "repeats"), "compare")
    return PoiseError(
        f"compare takes no {name} for all methods at once: options are given by method, "
        'in a mapping such as {"priority": {"formulation": "cascaded"}}'
    )


def _check_options(scene: Scene, name: str, own: Mapping[str, Any]) -> None:
    """Raise for a method or an option that is not there, before anything is solved."""
    solver(name)
    allowed = (*options_of(name), *_SHARED)
    for option in own:
        if option in _FIXED:
            raise PoiseError(f"compare takes no {option} for {name!r}: {_FIXED[option]}")
        if option not in allowed:
            raise unknown_name(f"{name} option", option, allowed)
    shared = {option: own[option] for option in _SHARED if option in own}
    trace = shared.pop("trace", False)
    if trace is not True and trace is not False:
        raise PoiseError(f"trace must be True or False, not {trace!r}")
    scene.options.changed(**shared)


def _wanted(methods: Any) -> dict[str, Mapping[str, Any]]:
    """The options of each method by its name, or an error that says what is wrong with them."""
    is_list = isinstance(methods, Iterable) and not isinstance(methods, (str, bytes))
    names = list(cast("Iterable[Any]", methods)) if is_list else []
    if isinstance(methods, str):
        names = [methods]
    if not names:
        raise PoiseError(f"compare takes the names of methods, at least one, not {methods!r}")
    wanted: dict[str, Mapping[str, Any]] = {}
    for name in names:
        if not isinstance(name, str):
            raise PoiseError(f"compare takes the names of methods, such as 'lex', not {name!r}")
        if name in wanted:
            raise PoiseError(f"compare takes each method once, and {name!r} is there twice")
        own = methods[name] if isinstance(methods, Mapping) else {}
        own = {} if isinstance(own, Method) else own
        if not isinstance(own, Mapping) or not all(isinstance(each, str) for each in own):
            raise PoiseError(
                f"compare takes options by name, such as {{}} for none, for {name!r}, not {own!r}"
            )
        wanted[str(name)] = own
    return wanted


def _compared(scene: Scene, name: str, own: Mapping[str, Any], repeats: int) -> Compared:
    try:
        solutions = [scene.solve(name, warm=False, restarts=0, **own) for _ in range(repeats)]
    except RefusedError as error:
        return Compared(name, None, str(error), float("nan"))
    return Compared(name, solutions[0], "", min(each.seconds for each in solutions))
