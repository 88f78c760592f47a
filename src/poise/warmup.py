"""What `poise warmup` does: use each compiled part once, so that all of it is in the cache.

Whatever brings a new kernel entry adds a line to `EXERCISES`. The published methods are compiled
only if they are asked for: few people need them all, and each takes a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
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
    rest = human.rest()
    return human.center_of_mass(rest), human.center_of_mass_jacobian(rest)


def _inertia() -> object:
    import poise

    human = poise.human()
    return human.inertia(human.rest(), axis=(0.0, 0.0, 1.0))


def _within_limits() -> object:
    import poise

    human = poise.human()
    return human.within_limits(human.rest())


def _clamp() -> object:
    import numpy as np

    import poise

    human = poise.human()
    return human.clamp(np.full(human.n, 4.0))


def _describe_limits() -> object:
    from poise.figure import Angle, Ball, Builder, SphericalEllipse, Twist

    # Limits of several kinds on one joint are checked against each other by compiled code; where
    # the twist interval is empty, here beyond sx = 0.55, the swing is asked whether it is valid.
    crossing = Twist(-0.3, 0.25, (1.0, 0.0))
    regions = (SphericalEllipse(0.6, 0.5), SphericalEllipse(0.5, 0.6))
    build = Builder("limits")
    build.segment("fixed")
    build.segment("moving")
    ball = Ball(swing=regions, swing_x=(-0.5, 0.5), twist=crossing, angle=Angle(0.4))
    build.joint("ball", ball, "fixed", "moving")
    return build.build()


def _draw_limits() -> object:
    from poise.figure import Ball, SphericalEllipse
    from poise.pictures.region import Region, spread, swings_of

    region = Region.of(Ball(swing=(SphericalEllipse(0.6, 0.5),)))
    return region.violation(swings_of(spread(1)))


def _solve(method: str) -> object:
    import poise
    from poise import tasks

    scene = poise.Scene(poise.chain(3))
    scene.add(tasks.Position("tip", (0.2, 0.0, 0.1)))
    return scene.solve(method)


def _ask_what_is_in_the_way() -> object:
    import poise
    from poise import tasks

    scene = poise.Scene(poise.chain(3))
    scene.add(tasks.Position("tip", (2.0, 0.0, 0.1)))
    return scene.solve().tasks[0].blocked_by


def _pose_a_crowd() -> object:
    import poise
    from poise import tasks

    # Long enough that the default method goes along the contacts.
    scene = poise.Scene({name: poise.chain(50, 0.02, "ball") for name in ("one", "two", "three")})
    scene.add(tasks.Loop("one/tip", "two/tip"))
    scene.add(tasks.Position("three/tip", (0.5, 0.1, 0.0)), priority=2)
    return scene.solve()


EXERCISES = [
    Exercise("place a figure", _place),
    Exercise("jacobian", _jacobian),
    Exercise("centre of mass", _center_of_mass),
    Exercise("inertia", _inertia),
    Exercise("within limits", _within_limits),
    Exercise("clamp", _clamp),
    Exercise("describe limits", _describe_limits),
    Exercise("draw limits", _draw_limits),
    Exercise("solve", partial(_solve, "lex")),
    Exercise("what is in the way", _ask_what_is_in_the_way),
    Exercise("pose a crowd", _pose_a_crowd),
]


def exercises(methods: Collection[str] = ()) -> list[Exercise]:
    """What everybody needs, and solves by other methods than lex; "all" stands for all of them."""
    from poise.errors import unknown_name
    from poise.solvers import METHODS

    for name in methods:
        if name not in METHODS and name != "all":
            raise unknown_name("method", name, [*METHODS, "all"])
    wanted = [name for name in METHODS if name != "lex" and {name, "all"} & set(methods)]
    return [*EXERCISES, *(Exercise(f"solve by {name}", partial(_solve, name)) for name in wanted)]


def warm_up(todo: Sequence[Exercise] | None = None) -> Iterator[Outcome]:
    """Do every exercise in turn, each when its outcome is asked for; by default `exercises()`."""
    from poise.kernel.compiling import recorded

    for exercise in exercises() if todo is None else todo:
        started = time.perf_counter()
        with recorded() as compiled:
            exercise.run()
        yield Outcome(exercise.label, time.perf_counter() - started, compiled)
