"""A motion: postures of one figure at even steps of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.calls import public
from poise.checking import FASTEST, number
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Figure, Posture
from poise.figure.naming import driver
from poise.figure.placements import counted

Values = NDArray[np.float64]

LONGEST = 10_000_000
"""The most numbers in a clip that is resampled."""


@closed
@public
@dataclass(frozen=True, eq=False)
class Clip(Sequence[Posture]):
    """Postures of a figure at even steps of time, the first at zero.

    `clip[i]` is a posture, `clip[10:50]` a clip. `clip[::2]` has every other frame at half the
    rate, so that it moves as fast as before; `clip[::-1]` runs backwards.

    Attributes:
        figure: what moves.
        q: the coordinates (k, n) of its k ≥ 1 frames, radians and metres; not to be written.
        fps: frames for each second.
        name: what it is called.
    """

    figure: Figure
    q: Values
    fps: float
    name: str = ""

    def __post_init__(self) -> None:
        """Check the numbers and keep a copy."""
        object.__setattr__(self, "q", _checked(self.figure, self.q))
        fps = number(self.fps, "the frames per second of a clip", above=0, most=FASTEST)
        object.__setattr__(self, "fps", fps)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """As it was; numpy forgets which arrays cannot be written."""
        vars(self).update(state)
        self.q.flags.writeable = False

    def __repr__(self) -> str:
        """The figure's name and the size."""
        name = f" {self.name!r}" if self.name else ""
        return (
            f"<Clip{name} of {self.figure.name!r}: {counted(self.frames, 'frame')} at "
            f"{self.fps:.6g} fps, {self.seconds:.3f} s>"
        )

    @property
    def frames(self) -> int:
        """How many postures there are."""
        return len(self.q)

    @property
    def seconds(self) -> float:
        """The time from the first frame to the last."""
        return (self.frames - 1) / self.fps

    def __len__(self) -> int:
        """How many postures there are."""
        return self.frames

    @overload
    def __getitem__(self, index: int) -> Posture: ...

    @overload
    def __getitem__(self, index: slice) -> Clip: ...

    def __getitem__(self, index: int | slice) -> Posture | Clip:
        """A frame, from the end if negative, or a stretch of frames."""
        if isinstance(index, slice):
            _check_slice(index)
            chosen = self.q[index]
            if not len(chosen):
                raise PoiseError(
                    f"there is no frame in [{_text(index)}] of a clip of {self.frames} frames"
                )
            return replace(self, q=chosen, fps=self.fps / abs(index.step or 1))
        if not isinstance(index, (int, np.integer)) or isinstance(index, bool):
            raise PoiseError(f"a frame goes by its number, not {index!r}")
        if not -self.frames <= index < self.frames:
            raise IndexError(  # what Python's own loops over sequences end by
                f"there is no frame {index} in a clip of {self.frames} frames"
            )
        return Posture(self.figure, self.q[index])

    def __iter__(self) -> Iterator[Posture]:
        """The postures in order."""
        return (Posture(self.figure, q) for q in self.q)

    def resampled(self, fps: float) -> Clip:
        """The same motion with other steps of time.

        Balls and free roots turn between two frames by the shortest way at constant speed, other
        coordinates go straight, as in `Posture.blend`. The last frame stays only if a step ends
        on it; no time is added.
        """
        fps = number(fps, "the frames per second of a clip", above=0, most=FASTEST)
        # Rounding must not lose the last frame.
        frames = int(self.seconds * fps * (1 + 1e-12) + 1e-9) + 1
        if frames * self.figure.n > LONGEST:
            raise PoiseError(
                f"{frames} frames of {self.figure.n} coordinates are more than {LONGEST} numbers; "
                f"take fewer than {fps:g} frames per second"
            )
        return replace(
            self, q=self._at(np.arange(frames, dtype=np.float64) * (self.fps / fps)), fps=fps
        )

    def _at(self, places: Values) -> Values:
        """Coordinates at places counted in frames, from 0 to the last."""
        before = np.minimum(places.astype(np.int64), max(self.frames - 2, 0))
        after = np.minimum(before + 1, self.frames - 1)
        share = np.clip(places - before, 0.0, 1.0)[:, None]
        q = self.q[before] + share * (self.q[after] - self.q[before])
        for name, joint in self.figure.joints.items():
            if joint.kind.turns_freely and driver(self.figure, name) is None:
                span = self.figure.span(name)
                ends = self.q[before, span], self.q[after, span]
                q[:, span] = joint.kind.between(*ends, share)
        return q

    def save(self, path: str | Path, **options: Any) -> tuple[str, ...]:
        """Write the motion to a file, as `poise.export` does: .bvh, .glb and so on.

        Returns:
            Notes about what the file cannot hold.
        """
        import poise

        return poise.export(self, path, **options)


def _checked(figure: Figure, q: ArrayLike) -> Values:
    """A copy of q that cannot be written: a finite value for each coordinate in each frame."""
    what = f"the frames of a clip of {figure.name!r}"
    try:
        values = np.array(q, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise PoiseError(f"{what} must be numbers, not {q!r}") from None
    if values.ndim != 2 or values.shape[1] != figure.n or not len(values):
        raise PoiseError(
            f"{what} must be an array of frames × {figure.n} numbers with at least one frame, "
            f"not {' × '.join(map(str, values.shape)) or 'one number'}"
        )
    if not np.isfinite(values).all():
        frame, i = np.argwhere(~np.isfinite(values))[0].tolist()
        raise PoiseError(
            f"{what} must be finite: {figure.coordinates[i]} is {values[frame, i]} in frame {frame}"
        )
    values.flags.writeable = False
    return values


def _check_slice(index: slice) -> None:
    """Refuse ends and steps that are no whole numbers, and a step of zero."""
    for value in (index.start, index.stop, index.step):
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if value is not None and not whole:
            raise PoiseError(f"frames go by their numbers, not {value!r} in [{_text(index)}]")
    if index.step is not None and not index.step:
        raise PoiseError(f"the step of [{_text(index)}] must not be 0")


def _text(index: slice) -> str:
    ends = [index.start, index.stop, *([] if index.step is None else [index.step])]
    return ":".join("" if end is None else str(end) for end in ends)
