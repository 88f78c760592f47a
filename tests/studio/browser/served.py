"""Serves a studio to a browser under test: `python -m tests.studio.browser.served PORT [SCENE]`.

`/` is the page as people see it; `/view` has nothing but the 3D view, and `/state` tells what the
session knows, so that a test can compare it with what the page shows.
"""

import secrets
import sys
from typing import Any

from nicegui import app, ui

import poise
from poise.studio.component import View
from poise.studio.serving import mount
from poise.studio.session import Session


def main(port: int, scene: str | None) -> None:
    session = Session(poise.Scene.load(scene) if scene else None)
    mount(session)

    @ui.page("/view")
    def view() -> None:
        ui.add_head_html("<style>.nicegui-content { padding: 0 }</style>")
        View(secrets.token_urlsafe(8)).style("width: 100vw; height: 100vh")

    @app.post("/apply")
    def apply(command: dict[str, Any]) -> None:
        session.apply(command)

    @app.get("/rest")
    def rest() -> int:
        """The number of the frame that is shown when all is solved and drawn."""
        session.follow()
        session.wait()
        return session.frame

    @app.get("/state")
    def state() -> dict[str, Any]:
        with session.lock:
            scene = session.scene
            return {
                "q": scene.q.tolist(),
                "tasks": [each.name for each in session.reports],
                "undoes": session.history.undoes,
                "dragging": session.dragging,
            }

    ui.run(
        host="127.0.0.1",
        port=port,
        show=False,
        reload=False,
        reconnect_timeout=60,
        show_welcome_message=False,
    )


if __name__ in {"__main__", "__mp_main__"}:
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
