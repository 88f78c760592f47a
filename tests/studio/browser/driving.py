"""A page of the studio, as a person's hands and eyes."""

import json
import urllib.request
from typing import Any

import numpy as np
from numpy.typing import NDArray

VIEW = "document.querySelector('.poise-view').viewer"
PATIENCE = 180_000
"""So long (ms) a page may take; a busy machine without a graphics card is slow."""


class Studio:
    """One tab of a studio."""

    def __init__(self, browser: Any, address: str) -> None:
        self.address = address
        self.errors: list[str] = []
        self.context = browser.new_context(viewport={"width": 1100, "height": 700})
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)

    def _heard(self, message: Any) -> None:
        # A connection that a test cuts is an error to Chromium, not to us.
        if message.type == "error" and "WebSocket" not in message.text:
            self.errors.append(message.text)

    def open(self, path: str = "/view?drawing=off") -> None:
        """Load a page; without drawing, which a machine without a graphics card does slowly."""
        self.page.goto(self.address + path)
        self.ready()

    def ready(self) -> None:
        """Wait until the figure stands on the page."""
        self.page.wait_for_function(
            "document.querySelector('.poise-view')?.viewer?.placed", timeout=PATIENCE
        )
        self.until("v.overlays.message.type === 'overlays'")

    def close(self) -> None:
        self.context.close()

    # what the session knows ---------------------------------------------------------------

    def apply(self, **command: Any) -> None:
        """A command to the session, from no tab."""
        request = urllib.request.Request(
            f"{self.address}/apply",
            data=json.dumps(command).encode(),
            headers={"Content-Type": "application/json"},
        )
        urllib.request.urlopen(request, timeout=PATIENCE / 1000).close()

    @property
    def session(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}/state", timeout=PATIENCE / 1000) as reply:
            return json.load(reply)

    # what the page knows ------------------------------------------------------------------

    def tell(self, expression: str, argument: Any = None) -> Any:
        """The value of an expression of the viewer `v` and the argument `a`."""
        return self.page.evaluate(f"a => {{ const v = {VIEW}; return {expression}; }}", argument)

    def until(self, expression: str, argument: Any = None) -> None:
        """Wait until an expression of the viewer `v` and the argument `a` is true."""
        self.page.wait_for_function(
            f"a => {{ const v = {VIEW}; return {expression}; }}", arg=argument, timeout=PATIENCE
        )

    def site(self, name: str) -> NDArray[np.float64]:
        """Where a site is drawn, in the world (m)."""
        return np.array(self.tell("v.state().sites[a]", name))

    def seen(self, name: str) -> tuple[float, float]:
        """Where a site is seen on the page (pixels)."""
        x, y = self.tell("v.state().screen[a]", name)
        return self.on_page(x, y)

    def on_page(self, x: float, y: float) -> tuple[float, float]:
        """Pixels of the view as pixels of the page."""
        box = self.page.locator(".poise-view").bounding_box()
        return box["x"] + x, box["y"] + y

    def still(self) -> None:
        """Wait until the camera and the figure have come to rest."""
        self.until(
            "(() => { const now = JSON.stringify([v.state().sites, v.camera.matrixWorld.elements]);"
            " const same = now === v.lastSeen; v.lastSeen = now;"
            " return same && !v.waiting && !v.dirty; })()"
        )

    # what hands do --------------------------------------------------------------------------

    def grab(self, site: str, *, beside: tuple[float, float] = (0, 0)) -> tuple[float, float]:
        """Press the left button at a site, or some pixels beside it, when nothing moves."""
        self.still()
        x, y = self.seen(site)
        x, y = x + beside[0], y + beside[1]
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        return x, y

    def pull(self, start: tuple[float, float], by: tuple[float, float], steps: int = 12) -> None:
        """Move what is held, and wait until the studio has heeded the last event."""
        self.page.mouse.move(start[0] + by[0], start[1] + by[1], steps=steps)
        self.until("v.pointer.drag && !v.waiting && v.handled === v.sequence && v.sequence > 0")
