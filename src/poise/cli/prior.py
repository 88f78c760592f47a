"""`poise prior`: the posture prior, fitted again."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import poise
from poise.cli.printing import ReadOptions, options, say, table
from poise.cli.telling import tell
from poise.errors import PoiseError, PoiseWarning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

prior_app = typer.Typer(
    no_args_is_help=True, help="The posture prior: how people's joints go together."
)

_FPS = 8.0
"""Frames a second that are fitted: those between are nearly the same postures."""
_NOT_SAID = "not said"


class _Followed(NamedTuple):
    """A clip on the person."""

    name: str
    q: NDArray[np.float64]
    """(k, n)"""
    errors: NDArray[np.float64]
    """(k, c) m"""


@prior_app.callback()
def prior() -> None:
    """The posture prior: how people's joints go together, fitted to motion capture."""


@prior_app.command()
def fit(
    clips: Annotated[
        list[Path], typer.Argument(metavar="CLIPS…", help="Files .bvh, or folders of them.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT", help="The file to write, .yaml.")
    ],
    fps: Annotated[
        float, typer.Option("--fps", help="Frames a second to take; faster clips are thinned.")
    ] = _FPS,
    skip: Annotated[
        int, typer.Option("--skip", help="Frames to leave out at the start, such as a T-pose.")
    ] = 0,
    source: Annotated[
        str, typer.Option("--source", metavar="TEXT", help="Whose data it is, for the file.")
    ] = _NOT_SAID,
    licence: Annotated[
        str, typer.Option("--licence", metavar="TEXT", help="What allows its use, for the file.")
    ] = _NOT_SAID,
    read: ReadOptions = None,
) -> None:
    """Fit the posture prior to motion capture, and write it to a file.

    Joint centres of each clip are brought to poise.human(), frame by frame;
    every frame and its mirror image is a posture to fit. Skeletons are known
    by the names of their joints: those of CMU's database, and ours. A file
    that cannot be used is told and left out.

    The file is like models/tables/prior.yaml, from which poise has its own
    prior; it says what it was made from.
    """
    import numpy as np

    from poise.documents import check_folder, write
    from poise.figure.placements import counted
    from poise.models.prior import prior_text
    from poise.motion.prior_fitting import fit_prior, provenance

    if not 0 < fps < float("inf") or skip < 0:
        raise PoiseError(f"--fps must be above 0 and --skip at least 0, not {fps:g} and {skip}")
    files = _files(clips)
    check_folder(output)
    followed = list(_followed(files, fps, skip, options(read, "--read")))
    if not followed:
        raise PoiseError(f"none of {len(files)} clips could be used")
    errors = np.concatenate([each.errors for each in followed])
    made = provenance(
        (each.name for each in followed),
        len(errors),
        float(errors.mean()),
        source=source,
        licence=licence,
        command=_command(
            clips, output, fps=fps, skip=skip, source=source, licence=licence, read=read
        ),
        version=poise.__version__,
    )
    fitted = fit_prior([each.q for each in followed], made)
    write(output, prior_text(fitted.prior))
    console = Console()
    left_out = len(files) - len(followed)
    more = f", {left_out} left out" if left_out else ""
    say(console, f"{counted(len(followed), 'clip')}, {counted(fitted.frames, 'frame')}{more}")
    say(console, f"tracked to {1e3 * errors.mean():.1f} mm (median {1e3 * np.median(errors):.1f})")
    rows = table("stance", "share of frames")
    for name, share in fitted.shares.items():
        rows.add_row(name, f"{share:.1%}")
    rows.add_row("none", f"{1 - sum(fitted.shares.values()):.1%}")
    console.print(rows)
    spread = f"{1e3 * fitted.center_spread:.0f} mm"
    say(console, f"on flat feet the centre of mass is {spread} off the middle of the soles, a side")
    say(console, f"written: {output}")


def _command(
    clips: Iterable[Path],
    output: Path,
    *,
    fps: float,
    skip: int,
    source: str,
    licence: str,
    read: Iterable[str] | None,
) -> str:
    """What was called, with all that is not the default, for a shell; of paths only the names."""
    words = ["poise", "prior", "fit", *(path.name for path in clips), "-o", output.name]
    words += ["--fps", f"{fps:g}"] if fps != _FPS else []
    words += ["--skip", str(skip)] if skip else []
    for option, text in (("--source", source), ("--licence", licence)):
        words += [option, text] if text != _NOT_SAID else []
    for each in read or ():
        words += ["--read", each]
    return shlex.join(words)


def _files(given: Iterable[Path]) -> list[Path]:
    """The clips that are meant, each once, whether as a file, by its folder or both."""
    found: dict[Path, Path] = {}
    for path in given:
        within = sorted(path.rglob("*.bvh")) if path.is_dir() else [path]
        if not within:
            raise PoiseError(f"there is no .bvh file in {str(path)!r}")
        for file in within:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _followed(
    files: list[Path], fps: float, skip: int, read: dict[str, Any]
) -> Iterator[_Followed]:
    """Bring clips to the person, with a bar; those that cannot be used are told."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
    with bar:
        job = bar.add_task("tracking", total=len(files))
        for file in files:
            bar.update(job, description=file.name)
            try:
                yield _follow(file, fps, skip, read)
            except PoiseError as error:
                text = str(error)
                tell(f"left out: {text if file.name in text else f'{file.name}: {text}'}", "yellow")
            bar.advance(job)


def _follow(file: Path, fps: float, skip: int, read: dict[str, Any]) -> _Followed:
    from poise.formats import load_clip
    from poise.motion.tracking import track_joints

    with warnings.catch_warnings():
        # What is guessed of hundreds of files alike would be hundreds of lines.
        warnings.simplefilter("ignore", PoiseWarning)
        clip = load_clip(file, **read)
    if skip >= clip.frames:
        raise PoiseError(f"{file.name} has {clip.frames} frames, all of which are skipped")
    tracked = track_joints(clip[skip :: max(1, round(clip.fps / fps))], poise.human())
    return _Followed(file.stem, tracked.clip.q, tracked.errors)
