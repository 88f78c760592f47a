"""The server: the page, the stream, and the session behind both."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from nicegui import app, ui
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from poise.scene import Scene
from poise.studio import sockets, stream
from poise.studio.headers import with_headers
from poise.studio.keeping import folder
from poise.studio.memory import hold_little
from poise.studio.origins import SameOrigin
from poise.studio.page import build
from poise.studio.session import Session

SWITCH = 0.0005
"""So long (s) a thread may keep the others waiting: solving must not delay what is sent."""


def serve(
    scene: Scene | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    show: bool = True,
    names: Sequence[str] = (),
    keep: Path | None = None,
) -> None:
    """Open the studio, and serve it until it is ended.

    Args:
        scene: what to begin with; without one, where the last session left off, or a new figure.
        host: the address to listen on; others than the machine's own let others in.
        port: where to listen.
        show: whether to open a browser.
        names: by which the machine is called, besides its addresses and its own name.
        keep: the folder in which the work is kept; by default the user's own.
    """
    hold_little()
    session = Session(scene, keep=keep or folder())
    mount(session, host=host, names=names)
    sys.setswitchinterval(SWITCH)
    ui.run(
        host=host,
        port=port,
        show=show,
        reload=False,
        title="poise studio",
        reconnect_timeout=60,
        show_welcome_message=False,
        ws_per_message_deflate=False,  # to pack a frame takes longer than to send it
        storage_secret=secrets.token_urlsafe(),
    )


def mount(session: Session, *, host: str = "127.0.0.1", names: Sequence[str] = ()) -> None:
    """Put a session's page and stream on NiceGUI's application, for who calls it by its names."""
    sockets.guard()
    app.add_middleware(SameOrigin, host=host, names=names)
    with_headers(app)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(404, _nothing)
    app.add_exception_handler(Exception, _failed)
    stream.register(app, lambda: session)

    @ui.page("/")
    def page() -> None:  # pyright: ignore[reportUnusedFunction]
        build(session, secrets.token_urlsafe(12))

    async def begin() -> None:
        session.attach(asyncio.get_running_loop())

    app.on_startup(begin)
    app.on_shutdown(session.close)


def _gone(request: Request, error: Exception) -> Response:
    """Answer who closed the page in mid-upload, and does not listen: no fault of anyone's."""
    return Response(status_code=400)


# NiceGUI would answer these with a page of its own, which needs scripts.


def _nothing(request: Request, error: Exception) -> Response:
    return PlainTextResponse("there is nothing at this address; the studio is at /", 404)


def _failed(request: Request, error: Exception) -> Response:
    return PlainTextResponse("something failed in the studio; its log says what", 500)
