"""What browsers are told of every response."""

from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest
from tests.studio.loops import run
from tests.studio.servers import Server

pytest.importorskip("nicegui", reason="needs the studio extra")

import httpx
from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from poise.studio.headers import Headers, policy, with_headers

PROGRAM = """
import sys
from nicegui import ui
from poise.studio import serve

ui.add_body_html("<script id=stranger>1</script>", shared=True)

@ui.page("/fails")
def fails():
    raise ValueError("on purpose")

serve(port=int(sys.argv[1]), show=False)
"""
"""The studio, with a script in every page that did not come there by the studio's own code."""
ALWAYS = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
CLOSED = {
    "default-src": {"'none'"},
    "script-src-attr": {"'none'"},
    "object-src": {"'none'"},
    "base-uri": {"'none'"},
    "form-action": {"'none'"},
    "frame-ancestors": {"'none'"},
    "img-src": {"'self'", "data:", "blob:"},
    "font-src": {"'self'"},
    "style-src": {"'self'", "'unsafe-inline'"},
}


def read(told: str) -> dict[str, set[str]]:
    """What a policy allows."""
    return {name: set(sources) for name, *sources in (each.split() for each in told.split(";"))}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(["-c", PROGRAM], tmp_path_factory.mktemp("headers")) as made:
        yield made


def asked(
    server: Server, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], str]:
    """The status, the headers and the text of an answer."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    found = {name.lower(): value for name, value in answer.getheaders()}
    text = answer.read().decode("utf-8", "replace")
    connection.close()
    return answer.status, found, text


@pytest.mark.parametrize(
    ("path", "method", "headers", "status"),
    [
        ("/", "GET", {"Accept": "text/html"}, 200),
        ("/", "GET", {"Accept": "text/html", "Accept-Encoding": "gzip"}, 200),
        ("/", "DELETE", {}, 405),
        ("/nowhere", "GET", {"Accept": "text/html"}, 404),
        ("/_nicegui/nowhere.js", "GET", {}, 404),
        ("/poise/stream", "GET", {}, 404),
        ("/", "GET", {"Host": "evil.example"}, 403),
        ("/", "GET", {"Origin": "http://evil.example"}, 403),
    ],
)
def test_every_answer_has_them(
    server: Server, path: str, method: str, headers: dict[str, str], status: int
) -> None:
    got, found, _ = asked(server, path, method, **headers)
    assert got == status
    assert ALWAYS.items() <= found.items()
    told = read(found["content-security-policy"])
    assert CLOSED.items() <= told.items()


def test_the_pages_own_scripts_and_files_are_let_through(server: Server) -> None:
    _, found, text = asked(server, "/", Accept="text/html")
    told = read(found["content-security-policy"])
    (nonce,) = [each[7:-1] for each in told["script-src"] if each.startswith("'nonce-")]
    assert told["script-src"] == {"'self'", f"'nonce-{nonce}'", "'unsafe-eval'"}
    address = f"127.0.0.1:{server.port}"
    assert told["connect-src"] == {"'self'", f"ws://{address}", f"wss://{address}"}
    tags = [each.partition(">")[0] for each in text.split("<script")[1:]]
    scripts = [each for each in tags if each != " id=stranger"]
    assert 5 < len(scripts) == len(tags) - 1
    for each in scripts:
        assert ("src=" in each) != (f'nonce="{nonce}"' in each), each
    assert int(found["content-length"]) == len(text.encode())
    (file,) = [each for each in scripts if "nicegui.js" in each]
    status, headers, _ = asked(server, file.partition('src="')[2].partition('"')[0])
    assert status == 200
    assert ALWAYS.items() <= headers.items()


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nowhere", 404, "there is nothing at this address; the studio is at /"),
        ("/fails", 500, "something failed in the studio; its log says what"),
    ],
)
def test_an_error_is_told_without_scripts_and_none_may_run(
    server: Server, path: str, status: int, words: str
) -> None:
    got, found, text = asked(server, path, Accept="text/html")
    assert (got, text) == (status, words)
    assert read(found["content-security-policy"])["script-src"] == {"'self'", "'unsafe-eval'"}


def test_each_page_has_a_nonce_of_its_own(server: Server) -> None:
    pages = {asked(server, "/", Accept="text/html")[1]["content-security-policy"] for _ in "ab"}
    assert len(pages) == 2


def answers(app: FastAPI, *paths: str, host: str = "localhost") -> list[httpx.Response]:
    """What an application answers, without a server."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return [await client.get(path, headers={"host": host}) for path in paths]

    return run(ask())


def test_what_a_server_says_when_it_fails_has_them_too() -> None:
    app = FastAPI()
    with_headers(app)

    @app.get("/fails")
    def fails() -> None:
        raise ValueError("on purpose")

    @app.get("/page")
    def page() -> HTMLResponse:
        return HTMLResponse("<script>1</script>")

    failed, found = answers(app, "/fails", "/page")
    assert failed.status_code == 500
    for each in (failed, found):
        assert ALWAYS.items() <= dict(each.headers).items()
        assert "nonce" not in each.headers["content-security-policy"]
    assert found.text == "<script>1</script>"


def test_who_asks_for_them_twice_gets_them_once() -> None:
    app = FastAPI()
    with_headers(app)
    with_headers(app)
    stack = app.build_middleware_stack()
    assert isinstance(stack, Headers)
    assert not isinstance(stack._app, Headers)


def said_by(app: Any, method: str = "GET") -> list[Any]:
    """All that an application says to a request for the page, with its headers."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {"type": "http", "method": method, "path": "/", "headers": []}
    run(Headers(app)(scope, receive, send))
    return sent


def test_an_answer_that_comes_without_headers_gets_them() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204})
        await send({"type": "http.response.body"})

    start, _ = said_by(app)
    names = {name.decode() for name, _ in start["headers"]}
    assert names == {*ALWAYS, "content-security-policy"}


def test_the_length_of_a_page_of_which_only_the_head_is_asked_is_left_alone() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        head = [(b"content-type", b"text/html"), (b"content-length", b"1234")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body"})

    start, _ = said_by(app, "HEAD")
    assert dict(start["headers"])[b"content-length"] == b"1234"


@pytest.mark.parametrize("host", ["evil.example; script-src *", "a b", "*", "evil,example", ""])
def test_a_name_by_which_it_is_called_adds_nothing_to_what_is_allowed(host: str) -> None:
    app = FastAPI()
    with_headers(app)
    (found,) = answers(app, "/", host=host)
    told = read(found.headers["content-security-policy"])
    assert told["connect-src"] == {"'self'"}
    assert told.keys() == read(policy("", "")).keys()
