"""Who may talk to the studio: its own pages, and nobody else's.

Any page that a person has open can reach a server on that person's machine. A browser says from
where a page came, and that must be where the studio is served; on a machine's own address the
studio must also have been called by such a name, or a stranger's name that leads here would do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The names by which a machine calls itself."""


def is_own(headers: MutableMapping[str, str], host: str, *, required: bool) -> bool:
    """Whether a request comes from the studio's own pages.

    Args:
        headers: the request's, with small letters.
        host: what the studio is bound to.
        required: whether a request must say where it comes from, as browsers do for sockets.
    """
    called, origin = headers.get("host", ""), headers.get("origin")
    if host in LOOPBACK and urlsplit(f"//{called}").hostname not in LOOPBACK:
        return False
    if origin is None:
        return not required
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == called.lower()


class SameOrigin:
    """Lets through what comes from the studio's own pages, its sockets and NiceGUI's included."""

    def __init__(self, app: App, host: str) -> None:
        """Guard an application that is bound to a host."""
        self._app, self._host = app, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        if is_own(headers, self._host, required=scope["type"] == "websocket"):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "another origin"})
        else:
            body = b"this request comes from another page"
            head = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(body))]
            await send({"type": "http.response.start", "status": 403, "headers": head})
            await send({"type": "http.response.body", "body": body})
