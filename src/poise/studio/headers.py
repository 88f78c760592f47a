"""What a browser may do with the studio's pages: run their own scripts, and talk to nobody else.

Every response says so, of files and of errors, too. Names are never markup on the page
(`poise.studio.markup`); should one ever become it, this is what keeps it from acting.

What NiceGUI forces (3.18):

- Its page has scripts in it. Each is told from others by a number that is used once (a nonce). It
  is written into NiceGUI's template, and into what `markup.add_script` adds: a script that comes
  into the page by any other way has none. Only pages that NiceGUI makes are allowed a nonce, not
  errors, nor any other route.
- 'unsafe-eval': it runs handlers and calls of the server by `eval`, and Vue compiles templates.
- 'unsafe-inline' for styles: Vue, Quasar and Tailwind make style elements and attributes.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, MutableMapping
from typing import Any

from fastapi import FastAPI
from jinja2 import BaseLoader, Environment
from nicegui.client import templates

from poise.studio.origins import App, Receive, Scope, Send

_HOST = re.compile(rb"[A-Za-z0-9.:\[\]_-]{1,255}")
_INLINE = re.compile(r"<script(?=[\s>])(?![^>]*\ssrc\s*=)")
"""Where a script begins that stands in the page."""

_PAGE = (b"x-nicegui-content", b"page")
"""The header of what NiceGUI makes of its template."""
NONCE = "poise.nonce"
"""In the scope of a request: the nonce of its scripts, where a page answers it."""

_ALWAYS = [
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


def policy(nonce: str = "", host: str = "") -> str:
    """The Content-Security-Policy of a response.

    Args:
        nonce: by which the page's own scripts are known; "" where none may stand in it.
        host: by which the browser calls the studio. Older browsers do not take a socket there for
            the page's own.
    """
    own = f" 'nonce-{nonce}'" if nonce else ""
    allowed = {
        "default-src": "'none'",
        "script-src": f"'self'{own} 'unsafe-eval'",
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
    """Give all that a server answers its headers, and the scripts of NiceGUI's template a nonce.

    They stand outside of all else, once: what is added as a middleware stands behind the one that
    answers when something fails, and what that says would have no headers.
    """
    build = server.build_middleware_stack

    def stack() -> App:
        made = build()
        return made if isinstance(made, Headers) else Headers(made)

    server.build_middleware_stack = stack
    loader = templates.env.loader
    if loader is not None and not isinstance(loader, _Marked):
        templates.env.loader = _Marked(loader)


class _Marked(BaseLoader):
    """NiceGUI's templates, with the request's nonce in the scripts that stand in them."""

    def __init__(self, loader: BaseLoader) -> None:
        self._loader = loader

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        source, name, is_fresh = self._loader.get_source(environment, template)
        marked = f"<script nonce=\"{{{{ request.scope.get('{NONCE}', '') }}}}\""
        return _INLINE.sub(marked, source), name, is_fresh


class Headers:
    """Gives every response of an application its headers, and the page a nonce for its scripts."""

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
        called = host.decode("ascii") if _HOST.fullmatch(host) else ""

        async def answer(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = [(name.lower(), value) for name, value in message.get("headers", ())]
                is_page = message["status"] == 200 and _PAGE in given
                told = policy(nonce if is_page else "", called)
                more = [*_ALWAYS, (b"content-security-policy", told.encode())]
                names = {name for name, _ in more}
                own = [pair for pair in given if pair[0] not in names]
                message = {**message, "headers": own + more}
            await send(message)

        await self._app({**scope, NONCE: nonce}, receive, answer)
