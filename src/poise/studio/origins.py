"""Who may talk to the studio: its own pages, and nobody else's.

Any page that a person has open can reach a server on that person's machine. A browser says from
where a page came, and that must be where the studio is served. It also says by which name it called
the server, and a stranger may let any name of his own lead here: so that must be an address, or a
name of this machine, or one that was named when the studio was started.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The names by which a machine calls itself."""


def names_of(host: str, more: Collection[str] = ()) -> frozenset[str]:
    """The names by which a studio may be called that is bound to a host; addresses come besides.

    Args:
        host: what it is bound to, an address or a name.
        more: what else the machine is called, as by a proxy before it.
    """
    named = {host, *LOOPBACK, *more}
    if host not in LOOPBACK:
        own = socket.gethostname()
        named |= {own, f"{own}.local", socket.getfqdn()}
    return frozenset(each.lower().rstrip(".") for each in named)


def is_called(name: str | None, host: str, names: Collection[str]) -> bool:
    """Whether a name is one by which a studio on a host may be called."""
    if name is None:
        return False
    if name.rstrip(".") in names:
        return True
    # Nobody can let an address lead elsewhere. On this machine's own there are no others.
    return host not in LOOPBACK and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_own(
    headers: MutableMapping[str, str], host: str, names: Collection[str], *, required: bool
) -> bool:
    """Whether a request comes from the studio's own pages.

    Args:
        headers: the request's, with small letters.
        host: what the studio is bound to.
        names: by which it may be called.
        required: whether a request must say where it comes from, as browsers do for sockets.
    """
    called, origin = headers.get("host", ""), headers.get("origin")
    try:
        name = urlsplit(f"//{called}").hostname
    except ValueError:
        return False
    if not is_called(name, host, names):
        return False
    if origin is None:
        return not required
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == called.lower()


class SameOrigin:
    """Lets through what comes from the studio's own pages, its sockets and NiceGUI's included."""

    def __init__(self, app: App, host: str, names: Collection[str] = ()) -> None:
        """Guard an application that is bound to a host, and may be called by more names."""
        self._app, self._host = app, host
        self._names = names_of(host, names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        if is_own(headers, self._host, self._names, required=scope["type"] == "websocket"):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "another origin"})
        else:
            body = b"this request comes from another page, or calls this studio by a strange name"
            head = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(body))]
            await send({"type": "http.response.start", "status": 403, "headers": head})
            await send({"type": "http.response.body", "body": body})
