"""What `poise warmup` does: use each compiled part once, so that all of it is in the cache.

Whatever brings a new kernel entry adds a line to `EXERCISES`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from poise.kernel.compiling import Compilation


class Exercise(NamedTuple):
    """One thing that a user may do first, and the code that does it."""

    label: str
    run: Callable[[], object]


class Outcome(NamedTuple):
    """How long an exercise took in all, in seconds, and which kernels it had compiled."""

    label: str
    seconds: float
    compiled: list[Compilation]


def _place() -> object:
    import poise

    human = poise.human()
    return human.place(human.rest())


def _jacobian() -> object:
    import poise

    human = poise.human()
    return human.jacobian(human.rest(), "right_hand")


def _center_of_mass() -> object:
    import poise

    human = poise.human()
    return human.center_of_mass(human.rest())


def _inertia() -> object:
    import poise

    human = poise.human()
    return human.inertia(human.rest(), axis=(0.0, 0.0, 1.0))


def _clamp() -> object:
    import poise

    human = poise.human()
    return human.clamp(human.rest())


EXERCISES = [
    Exercise("place a figure", _place),
    Exercise("jacobian", _jacobian),
    Exercise("centre of mass", _center_of_mass),
    Exercise("inertia", _inertia),
    Exercise("clamp", _clamp),
]


def warm_up() -> Iterator[Outcome]:
    """Do every exercise in turn, each when its outcome is asked for."""
    from poise.kernel.compiling import recorded

    for exercise in EXERCISES:
        started = time.perf_counter()
        with recorded() as compiled:
            exercise.run()
        yield Outcome(exercise.label, time.perf_counter() - started, compiled)
