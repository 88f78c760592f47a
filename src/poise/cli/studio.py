"""`poise studio`."""

from __future__ import annotations

import importlib.util
import ipaddress
import socket
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import poise
from poise import kernel
from poise.cli.printing import say
from poise.errors import PoiseError

_TRIED = 50
"""Ports beyond the one that is taken, among which a free one is looked for."""


def studio(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="SCENE",
            help="A scene file (.yaml, top key `scene`); without, what was last worked on.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where the page is served.")] = 8080,
    host: Annotated[
        str,
        typer.Option(help="By whom it can be reached; the default is this computer only."),
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="A name by which others call this computer, beside its own; may be repeated.",
            show_default=False,
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the work is kept; a second studio needs a folder of its own.",
            show_default=False,
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
) -> None:
    """Pose a figure by hand, in the browser.

    Drag any part of the body and the whole figure follows, with tasks, limits and balance kept.
    The page says what else it can do: press ? there. Ctrl+C ends it; nothing is lost, the next
    start goes on from there.
    """
    if importlib.util.find_spec("nicegui") is None:
        raise PoiseError("the studio needs NiceGUI; install it with: pip install 'poise[studio]'")
    scene = None if file is None else poise.Scene.load(file)
    check_free(host, port)

    from poise.studio import serve
    from poise.studio.claims import Claim
    from poise.studio.keeping import folder

    where = keep or folder()
    Claim(where).let_go()  # another studio there is told before anything takes long
    if not kernel.compiling.is_interpreted():
        kernel.library.ready()  # built before the page opens, if need be
    console = Console()
    say(console, f"studio: http://{_in_address(host)}:{port}  (Ctrl+C ends it)")
    if not _is_own(host):
        say(console, "note: whoever can reach this computer can now use and change the scene")
    serve(scene, host=host, port=port, show=browser, names=name or (), keep=where)


def check_free(host: str, port: int) -> None:
    """Raise where a page cannot be served there, and say what to do instead."""
    trouble = _trouble(host, port)
    if trouble is None:
        return
    if isinstance(trouble, socket.gaierror):
        raise PoiseError(f"there is no host {host!r}: give an address of this computer")
    last = min(65535, port + _TRIED)
    free = next((each for each in range(port + 1, last + 1) if not _trouble(host, each)), None)
    if isinstance(trouble, PermissionError):
        raise PoiseError(f"port {port} is kept for the system; take one from 1024 on, such as 8080")
    if free is None:
        raise PoiseError(f"cannot serve on {host}: {trouble.strerror or trouble}")
    raise PoiseError(
        f"port {port} of {host} is in use, perhaps by another studio "
        f"(http://{_in_address(host)}:{port}); take another one: poise studio --port {free}"
    )


def _trouble(host: str, port: int) -> OSError | None:
    """What is wrong with an address to serve on; None if it is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(1)
    except OSError as error:
        return error
    return None


def _is_own(host: str) -> bool:
    """Whether only this computer can reach it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _in_address(host: str) -> str:
    """A host as addresses have it: IPv6 in brackets, and this computer for all of its addresses."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
