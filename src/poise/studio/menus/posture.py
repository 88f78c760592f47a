"""The posture menu: rest, mirror, symmetry, copy and paste, and the pose library."""

from __future__ import annotations

from nicegui import ui

from poise.studio.menus.items import check, entry
from poise.studio.menus.poses import PoseLibrary
from poise.studio.menus.solving import SolvingDialog
from poise.studio.panels.desk import Desk


class PostureMenu:
    """What is done to the whole posture."""

    def __init__(self, desk: Desk) -> None:
        """Build the library's dialog, where the page is being built."""
        self._desk = desk
        self.library = PoseLibrary(desk)
        self._solving = SolvingDialog(desk)

    def fill(self) -> None:
        """Make the entries."""
        desk = self._desk
        entry("To rest", "accessibility_new", lambda: desk.do("rest"), "R", marker="posture-rest")
        entry("Mirror", "flip", lambda: desk.do("mirror"), "M", marker="posture-mirror")
        self._symmetry = check(
            "Live symmetry",
            desk.session.document.symmetric,
            lambda on: on != desk.session.document.symmetric and desk.do("symmetry", on=on),
            "posture-symmetry",
        )
        ui.separator()
        entry(
            "Copy", "content_copy", lambda: desk.do("copy_posture"), "Ctrl+C", marker="posture-copy"
        )
        entry(
            "Paste",
            "content_paste",
            lambda: desk.do("paste_posture"),
            "Ctrl+V",
            marker="posture-paste",
        )
        ui.separator()
        entry("Pose library …", "collections_bookmark", self.library.open, marker="posture-library")
        ui.separator()
        entry("Solve again", "refresh", lambda: desk.do("solve"), marker="posture-solve")
        entry("How it is solved …", "tune", self._solving.open, marker="posture-solving")
        desk.on(
            ("settings", "history"),
            lambda: self._symmetry.set_value(desk.session.document.symmetric),
        )
