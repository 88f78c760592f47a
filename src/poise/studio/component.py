"""The 3D view as an element of the page.

The view itself is JavaScript (the folder `view`) on the three.js that NiceGUI ships. It talks to
the studio through a websocket of its own, `poise.studio.stream`; the page only asks it for
pictures and for what a person picks.
"""

from __future__ import annotations

import base64
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from nicegui import ui
from nicegui.dependencies import register_esm
from nicegui.events import GenericEventArguments

from poise.errors import PoiseError

STREAM = "/poise/stream"
"""Where the websocket listens."""

_FOLDER = Path(__file__).parent / "view"
_LARGEST = 900_000  # characters of base64; the socket takes messages of a million bytes
_PATIENCE = 20.0  # seconds; a processor without a graphics card may need some for a large picture

importlib.import_module("nicegui.elements.scene")  # registers three.js under its import name

# Browsers keep these files for good under their address, which NiceGUI makes from the folder and
# a time: that of the newest file, so that no page runs with half of an older poise.
register_esm(
    "poise-view",
    _FOLDER,
    max_time=max(each.stat().st_mtime for each in _FOLDER.rglob("*") if each.is_file()),
)

Side = Literal["front", "back", "left", "right", "top"]
"""Where a camera can look from."""

Pick = dict[str, Any]
"""What was picked: `site`, `segment` or `prop` by name or None, `point` in the axes of what was
hit and `world` in the world (metres)."""


class View(ui.element, component="view/view.js"):
    """The figure in 3D, for one tab. It fills the space that its parent gives it."""

    def __init__(self, tab: str) -> None:
        """Show what the session shows to a tab."""
        super().__init__()
        self._props["tab"] = tab
        self._props["path"] = STREAM
        self._picked: Callable[[Pick | None], object] | None = None
        self.on("pick", self._hand_over)

    def frame(self) -> None:
        """Bring the whole figure into sight."""
        self.run_method("frame")

    def enlarge(self, view: Literal["free", "side", "top"]) -> None:
        """Make one of the views the large one."""
        self.run_method("enlarge", view)

    def pick(
        self, kind: Literal["site", "point"] | None, then: Callable[[Pick | None], object]
    ) -> None:
        """Let the next click choose a site or a point of a body.

        Args:
            kind: what can be chosen; None gives up an earlier wish.
            then: called with what was picked, or with None if the person gave it up.
        """
        self._picked = then
        self.run_method("pick", kind)

    async def snapshot(self, width: int | None = None, height: int | None = None) -> bytes | None:
        """A PNG of the large view with its labels; as large as on the screen without a size.

        None where the browser draws nothing. It comes through the page's socket, which takes
        messages of a megabyte: what is larger is an error, and `download` the way.
        """
        found = await self.run_method("snapshot", width, height, _LARGEST, timeout=_PATIENCE)
        if isinstance(found, (int, float)):
            raise PoiseError(
                f"a picture of {found * 0.75e-6:.1f} MB is too large for the page's socket, "
                f"which takes {_LARGEST * 0.75e-6:.1f} MB: ask for a smaller one"
            )
        return base64.b64decode(found.partition(",")[2]) if found else None

    def download(
        self, name: str, *, scale: float = 2.0, ground: bool = True, overlays: bool = True
    ) -> None:
        """Give the person a PNG of the large view.

        Args:
            name: of the file.
            scale: so many times as large as on the screen, as far as the graphics card can.
            ground: whether floor and sky are in it; without, it is transparent there.
            overlays: whether goals, forces, labels and the like are in it.
        """
        self.run_method("download", name, scale, {"ground": ground, "overlays": overlays})

    def face(self, side: Side) -> None:
        """Look from a side; figures face along x at rest."""
        self.run_method("face", side)

    def _hand_over(self, event: GenericEventArguments) -> None:
        then, self._picked = self._picked, None
        if then is not None:
            then(event.args)
