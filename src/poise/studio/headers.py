"""What a browser may do with the studio's pages: run their own scripts, and talk to nobody else.

Every response says so, of files and of errors, too. Names are never markup on the page
(`poise.studio.markup`); should one ever become it, this is what keeps it from acting.

What NiceGUI forces (3.18):

- Its page has scripts in it. Each is told from others by a number that is used once (a nonce),
  which is written into the page on its way out. What NiceGUI writes of the elements into a script
  has no `<`, so nothing but its template and the studio's code makes a script there.
- 'unsafe-eval': it runs handlers and calls of the server by `eval`, and Vue compiles templates.
- 'unsafe-inline' for styles: Vue, Quasar and Tailwind make style elements and attributes.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import MutableMapping
from typing import Any

from fastapi import FastAPI

from poise.studio.origins import App, Receive, Scope, Send

_HOST = re.compile(rb"[A-Za-z0-9.:\[\]_-]{1,255}")
_INLINE = re.compile(rb"<script(?=[\s>])(?![^>]*\ssrc\s*=)")
"""Where a script begins that stands in the page."""

_ALWAYS = [
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


def policy(nonce: str, host: str = "") -> str:
    """The Content-Security-Policy of a response.

    Args:
        nonce: by which the page's own scripts are known.
        host: by which the browser calls the studio. Older browsers do not take a socket there for
            the page's own.
    """
    allowed = {
        "default-src": "'none'",
        "script-src": f"'self' 'nonce-{nonce}' 'unsafe-eval'",
        "script-src-attr": "'none'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "connect-src": f"'self' ws://{host} wss://{host}" if host else "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in allowed.items())


def with_headers(server: FastAPI) -> None:
    """Give all that a server answers its headers, what it says when something fails as well.

    What is added as a middleware stands behind the one that answers when something fails.
    """
    build = server.build_middleware_stack
    server.build_middleware_stack = lambda: Headers(build())


class Headers:
    """Gives every response of an application its headers, and the scripts of pages their nonce."""

    def __init__(self, app: App) -> None:
        """Stand before an application, and before all that answers in its place."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and what comes back with more headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)
        host = next((value for key, value in scope["headers"] if key == b"host"), b"")
        told = host.decode("ascii") if _HOST.fullmatch(host) else ""
        more = [*_ALWAYS, (b"content-security-policy", policy(nonce, told).encode())]
        if any(key == b"accept" and b"text/html" in value for key, value in scope["headers"]):
            # A page that came packed could not be written into.
            kept = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
            scope = {**scope, "headers": kept}
        await self._app(scope, receive, _Answer(send, more, nonce.encode()))


class _Answer:
    """One response: its beginning, and where it is a page all of it, waits until it is known."""

    def __init__(self, send: Send, more: list[tuple[bytes, bytes]], nonce: bytes) -> None:
        self._send, self._more, self._nonce = send, more, nonce
        self._start: MutableMapping[str, Any] | None = None
        self._body = bytearray()

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            names = {name for name, _ in self._more}
            own = [pair for pair in message["headers"] if pair[0].lower() not in names]
            message = {**message, "headers": own + self._more}
            if _is_page(message["headers"]):
                self._start = message
                return
        elif message["type"] == "http.response.body" and self._start is not None:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish(self._start)
            return
        await self._send(message)

    async def _finish(self, start: MutableMapping[str, Any]) -> None:
        body = _INLINE.sub(b'<script nonce="' + self._nonce + b'"', bytes(self._body))
        headers = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
        length = (b"content-length", b"%d" % len(body))
        await self._send({**start, "headers": [*headers, length]})
        await self._send({"type": "http.response.body", "body": body})


def _is_page(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether it is HTML that can be written into."""
    known = {name.lower(): value for name, value in headers}
    return known.get(b"content-type", b"").startswith(b"text/html") and (
        b"content-encoding" not in known
    )
