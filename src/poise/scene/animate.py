"""Targets that move: a scene solved frame after frame, each from the posture before."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.checking import FASTEST, number
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.figure.frames import is_frame, is_orientation, shape_of
from poise.scene.many import Aims, Solutions, aims_of
from poise.scene.solving import Prepared, prepare
from poise.solvers import Solver, following
from poise.tasks import Frame, Orientation, Position
from poise.tasks.task import Task

if TYPE_CHECKING:
    from poise.motion.clip import Clip
    from poise.scene.ensemble import Ensemble
    from poise.scene.handle import Handle
    from poise.scene.options import Options
    from poise.scene.scene import Scene
    from poise.scene.things import Thing
    from poise.solvers.outcome import Outcome

Values = NDArray[np.float64]
Progress = Callable[[int, int], object]
"""Called after each frame with its number, from 1 on, and that of all."""


@closed
class Animation(Mapping[str, "Clip"]):
    """A clip for each figure, by name, and how each frame came out."""

    solutions: Final[Solutions]
    """Every frame's solution, and all of them as arrays."""
    fps: Final[float]
    """Frames for each second."""
    notes: Final[tuple[str, ...]]
    """What a person should know, each note once: the start, and what methods say of frames."""

    def __init__(self, ensemble: Ensemble, solutions: Solutions, fps: float, notes: Any) -> None:
        """Made by `Scene.animate`."""
        self._ensemble = ensemble
        self.solutions = solutions
        self.fps = fps
        self.notes = tuple(notes)

    def __repr__(self) -> str:
        """The figures, the frames, and how many of them met everything."""
        met, frames = int(self.solutions.met.sum()), len(self.solutions)
        return f"<Animation of {', '.join(self)}: {frames} frames, of which {met} meet every task>"

    @cached_property
    def _clips(self) -> dict[str, Clip]:
        figures = self._ensemble.figures
        return {
            name: self._clip(figures[name], self.solutions.q[:, span], name)
            for name, (_, span) in self._ensemble.parts.items()
        }

    def _clip(self, figure: Figure, q: Values, name: str) -> Clip:
        # A clip is motion's word, and motion stands above scenes: it goes by its public name.
        import poise

        return poise.Clip(figure, q, self.fps, name)

    def __getitem__(self, name: str) -> Clip:
        """The clip of a figure."""
        if name not in self._clips:
            raise unknown_name("figure", name, self._clips)
        return self._clips[name]

    def __contains__(self, name: object) -> bool:
        """Whether there is a figure of that name."""
        return name in self._clips

    def __iter__(self) -> Iterator[str]:
        """The figures' names."""
        return iter(self._clips)

    def __len__(self) -> int:
        """How many figures there are."""
        return len(self._clips)

    @property
    def clip(self) -> Clip:
        """The clip of the one figure; where there are several, they go by name."""
        return self[self._ensemble.only()]

    @cached_property
    def together(self) -> Clip:
        """All figures as one with what they hold, whose names are `figure/name`; of one its own."""
        return self._clip(self._ensemble.laden, self.solutions.q, " and ".join(self))

    @property
    def props(self) -> Mapping[str, Thing]:
        """The props of the scene, by name: held, or standing in the world."""
        return self._ensemble.things

    def save(self, path: str | Path, **options: Any) -> tuple[str, ...]:
        """Write all figures to one file, as `poise.export` does: .glb, .bvh and so on.

        `moves["anna"].save(path)` writes one of them.

        Returns:
            Notes about what the file cannot hold.
        """
        import poise

        return poise.export(self, path, **options)


CALM = partial(following, calm=True)
"""What makes a method for a motion, from its name and its own options."""


def animate(
    scene: Scene,
    solve: Solver,
    targets: Mapping[str, Any],
    options: Options,
    *,
    fps: float,
    progress: bool | Progress,
) -> Animation:
    """Solve for moving targets; see `Scene.animate`."""
    fps = number(fps, "the frames per second", above=0, most=FASTEST)
    if options.restarts not in ("auto", 0):
        raise PoiseError("restarts would make a motion jump: animate takes none")
    is_offered, options = options.restarts == "auto", options.changed(restarts=0)
    if not isinstance(targets, Mapping) or not targets:
        raise PoiseError(
            f"targets must be given by the names of tasks or sites, not as {targets!r}"
        )
    if not isinstance(progress, bool) and not callable(progress):
        raise PoiseError(f"progress must be True, False or a function, not {progress!r}")
    driven: list[Handle] = []
    with scene._turn:
        try:
            last = max((each.priority or 1 for each in scene.handles.values()), default=1)
            for name, path in targets.items():
                if name not in scene.handles:
                    task = _following(scene, name, path)
                    driven.append(scene.add(task, priority=last, name=name))
            prepared, aims = prepare(scene), aims_of(scene, targets)
        finally:
            for handle in driven:
                handle.remove()
    frames = len(next(iter(aims.values())))
    _require(frames)
    solutions = Solutions(prepared, aims, options.tolerance)
    told = dict.fromkeys(prepared.notes)
    with _shown(progress, frames) as show:
        for i, outcome in enumerate(_outcomes(prepared, solve, aims, options, frames)):
            solutions._put(i, outcome)
            if outcome.note:
                told[outcome.note] = None
            show(i + 1, frames)
    if is_offered and not solutions.met.all():
        told[_not_tried(np.flatnonzero(~solutions.met))] = None
    return Animation(prepared.ensemble, solutions, fps, told)


def _not_tried(missed: NDArray[np.intp]) -> str:
    """The note on frames (k,) that do not meet every task."""
    first, more = int(missed[0]), missed.size - 1
    which = f"frame {first}" + (f" and {more} more" if more else "")
    does = "do" if more else "does"
    return (
        f"{which} {does} not meet every task; other starts were not tried, as the motion would "
        "leap: scene.solve() tries them"
    )


def _outcomes(
    prepared: Prepared,
    solve: Solver,
    aims: Mapping[int, Aims],
    options: Options,
    frames: int,
) -> Iterator[Outcome]:
    """Frame after frame, each from the posture before with what is known of it."""
    q = prepared.start
    for i in range(frames):
        for wish, tasks in aims.items():
            prepared.problem.aim(wish, tasks[i].goals())
        outcome = prepared.solve(solve, options, start=q)
        q = outcome.q
        yield outcome


def _following(scene: Scene, name: str, path: Any) -> Task:
    """A task that lets a site follow a path."""
    places = scene.places
    if name not in places:
        raise unknown_name("task or site", name, [*scene.handles, *places])
    try:
        rows = list(path)
    except TypeError:
        rows = [None]
    _require(len(rows))
    first = rows[0]
    if is_frame(first):
        return Frame(name)
    if is_orientation(first):
        return Orientation(name)
    if shape_of(first) != (3,):
        raise PoiseError(
            f"the path of {name!r} must be points (k, 3), frames (k, 4, 4) or as Transforms or "
            f"pairs, rotation matrices (k, 3, 3) or quaternions (k, 4), not {path!r}"
        )
    return Position(name)


def _require(frames: int) -> None:
    if frames == 0:
        raise PoiseError("an animation needs at least one frame, and there are no targets")


@contextmanager
def _shown(progress: bool | Progress, frames: int) -> Generator[Progress]:
    """What to call after each frame."""
    if not isinstance(progress, bool):
        yield progress
        return
    if not progress:
        yield lambda _, __: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        job = bar.add_task("animating", total=frames)
        yield lambda done, _: bar.update(job, completed=done)
