"""What all tabs see: the stage, the latest frame, and what lies over the figure."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.scene import Scene, Solution
from poise.studio.document import Document
from poise.studio.dragging import Drag
from poise.studio.frames import DRAGGING, NUMBERS, Framer
from poise.studio.overlays import Sight, overlays_of
from poise.studio.reports import lamp_of, reports_of
from poise.studio.stage import stage_of, structure_of
from poise.studio.statics import Statics
from poise.studio.tabs import Tab, Tabs, selection_message, settings_message

Values = NDArray[np.float64]


class Screen:
    """Sends tabs what they draw, and knows what a new one must be sent."""

    def __init__(self, tabs: Tabs, document: Document) -> None:
        """Begin with a document."""
        self._tabs = tabs
        self._structure: Any = None
        self._revision = 0
        self._trace: list[Vec3] = []
        self.number = 0
        """That of the latest frame."""
        self.rebuild(document)

    def rebuild(self, document: Document) -> bool:
        """Make the stage anew where the structure has changed, which is then True."""
        key = structure_of(document)
        is_new = self._revision == 0 or key != self._structure
        if is_new:
            self._structure = key
            self._revision += 1
            self._stage = stage_of(document, self._revision)
            self._tabs.send("stage", self._stage)
        self._framer = Framer(document.scene, self._revision)
        if is_new:
            # A stage without a posture shows nothing, and solving may take its time.
            self.publish(document.scene.q)
        return is_new

    def greet(self, tab: Tab) -> None:
        """Send a tab that has just come all there is, the stage first."""
        tab.send("stage", self._stage)
        tab.send("settings", settings_message(tab))
        tab.send("selection", selection_message(tab))
        tab.send("frame", self._frame)

    def publish(self, q: Values, sequence: int = 0, *, dragging: bool = False) -> None:
        """Send a posture: all coordinates, and the drag event that it answers."""
        self.number = (self.number + 1) % NUMBERS
        flags = DRAGGING if dragging else 0
        self._frame = self._framer.frame(q, sequence, flags, self.number)
        self._tabs.send("frame", self._frame)

    def follow(self, drag: Drag) -> None:
        """Send what a drag has come to."""
        if drag.moves_props:
            self._framer = Framer(drag.scene, self._revision)
        self.publish(drag.q, drag.sequence, dragging=True)

    def draw(
        self,
        scene: Scene,
        solution: Solution | None,
        statics: Statics,
        drag: Drag | None,
        number: int,
    ) -> None:
        """Send each tab what lies over the figure in a frame; after a drag its trace stays."""
        if drag is not None:
            self._trace = list(drag.trace)
        reports = reports_of(scene, solution)
        lamp = lamp_of(reports)
        for tab in self._tabs:
            sight = Sight(scene, solution, reports, tab.shown, tab.selection, statics)
            sent = overlays_of(sight)
            sent["frame"] = number
            sent["recruited"] = drag.recruited if drag is not None else []
            sent["moves"] = drag.moves if drag is not None else []
            sent["trace"] = self._trace if tab.shown.trace else []
            sent["lamp"] = {"color": lamp.color, "sentence": lamp.sentence}
            tab.send("overlays", sent)
