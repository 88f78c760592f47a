"""A page of the studio, as a person's hands and eyes."""

import json
import urllib.request
from typing import Any

import numpy as np
from numpy.typing import NDArray

VIEW = "document.querySelector('.poise-view').viewer"
PATIENCE = 60_000
"""So long (ms) a page may take; a busy machine without a graphics card is slow."""

WIDE, HIGH = 1280, 720
"""Of the window in which the whole page is looked at."""


class Studio:
    """One tab of a studio."""

    def __init__(self, context: Any, address: str) -> None:
        """Open a tab among others of one browser, which share what it has loaded."""
        self.address = address
        self.errors: list[str] = []
        self.page = context.new_page()
        self.page.set_viewport_size({"width": 1100, "height": 700})
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

    def open_whole(self) -> None:
        """Load the page as people see it who have been there before, without drawing."""
        self.page.set_viewport_size({"width": WIDE, "height": HIGH})
        self.page.add_init_script("localStorage.setItem('poise-hint-seen', '1')")
        self.open("/?drawing=off")

    def ready(self) -> None:
        """Wait until the figure stands on the page."""
        self.page.wait_for_function(
            "document.querySelector('.poise-view')?.viewer?.placed", timeout=PATIENCE
        )
        self.still()

    def close(self) -> None:
        self.page.close()

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
        """Where a site is seen on the page (pixels), when nothing moves any more."""
        return self.seen_at("v.state().screen[a]", name)

    def seen_at(self, expression: str, argument: Any = None) -> tuple[float, float]:
        """Where something is seen on the page whose place in the view an expression tells."""
        self.still()
        x, y = self.tell(expression, argument)
        return self.on_page(x, y)

    def on_page(self, x: float, y: float) -> tuple[float, float]:
        """Pixels of the view as pixels of the page."""
        box = self.page.locator(".poise-view").bounding_box()
        return box["x"] + x, box["y"] + y

    def still(self) -> None:
        """Wait until the page shows what the session knows: all is answered, solved and drawn.

        Not what was shown last is compared with what is shown now: a slow studio is no still one.
        """
        self.until("v.rests")
        with urllib.request.urlopen(f"{self.address}/rest", timeout=PATIENCE / 1000) as reply:
            frame = json.load(reply)
        self.until("v.rests && v.placed?.[7] >= a && v.overlays.message.frame >= a", frame)

    # what hands do --------------------------------------------------------------------------

    def grab(self, site: str, *, beside: tuple[float, float] = (0, 0)) -> tuple[float, float]:
        """Press the left button at a site, or some pixels beside it, when nothing moves."""
        x, y = self.seen(site)
        return self.press((x + beside[0], y + beside[1]))

    def press(self, at: tuple[float, float]) -> tuple[float, float]:
        """Press the left button at a place on the page."""
        self.page.mouse.move(*at)
        self.page.mouse.down()
        return at

    def pull(self, start: tuple[float, float], by: tuple[float, float], steps: int = 12) -> None:
        """Move what is held, and wait until the studio has heeded the last event."""
        self.page.mouse.move(start[0] + by[0], start[1] + by[1], steps=steps)
        # Something must have been there to be taken hold of.
        self.page.wait_for_function(f"{VIEW}.pointer.drag", timeout=PATIENCE / 6)
        self.until("v.pointer.drag && !v.waiting && v.handled === v.sequence && v.sequence > 0")

    def let_go(self) -> None:
        """Let go of what is held, and wait until the studio has heeded that."""
        self.page.mouse.up()
        self.until("!v.pointer.drag")
        self.still()
