"""The command `poise`: each of its commands is a module here, and all are named in `app`."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated

import typer

import poise
from poise.cli.convert import convert
from poise.cli.figures import figures
from poise.cli.pose import POSE_HELP, pose
from poise.cli.prior import prior_app
from poise.cli.reproduce import reproduce
from poise.cli.show import show
from poise.cli.streams import UnreadError, flush, prepare
from poise.cli.studio import studio
from poise.cli.telling import tell, telling_warnings
from poise.cli.warmup import warmup
from poise.errors import PoiseError, WriteError

app = typer.Typer(
    name="poise",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line.

    What a caller or a file got wrong ends in one message and status 2, what cannot be written in
    one and status 3; a pipe that nobody reads any more needs no message. A warning is one line on
    standard error.
    """
    prepare()
    try:
        try:
            with telling_warnings():
                app()
        finally:
            flush()
    except UnreadError:
        sys.exit(3)
    except PoiseError as error:
        with suppress(WriteError):
            tell(str(error), "red")
            flush()
        sys.exit(3 if isinstance(error, WriteError) else 2)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"poise {poise.__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """Find postures: joint values that put hands, eyes and feet where they should be.

    Start with `poise pose examples/fly_on_the_beam.yaml`; `poise figures` lists
    what there is to pose.

    The exit status is 0 when all went well, 1 when tasks are not met (or a claim does
    not hold), 2 for a wrong call or file, 3 when the output could not be written,
    which is so, too, where nobody reads it to its end.
    """


app.command(help=POSE_HELP)(pose)
app.command()(studio)
app.command()(warmup)
app.command()(figures)
app.command()(show)
app.command()(convert)
app.command()(reproduce)
app.add_typer(prior_app, name="prior")
