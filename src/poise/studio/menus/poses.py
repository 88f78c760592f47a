"""The pose library: postures that were kept, with small drawings, and a way between them."""

from __future__ import annotations

from collections.abc import Mapping

from nicegui import ui

from poise.figure import Posture
from poise.studio.markup import with_props
from poise.studio.menus.thumbnails import thumbnail
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import FIELD, icon_button


class PoseLibrary:
    """All poses of the document; one that is chosen is taken wholly or in part."""

    def __init__(self, desk: Desk) -> None:
        """Build it closed."""
        self._desk = desk
        self._chosen: str | None = None
        with (
            ui.dialog().props("position=left seamless") as self._dialog,
            ui.card()
            .classes("card")
            .style("width:430px;height:calc(100vh - 120px);margin:0 0 0 14px"),
        ):
            with ui.row().classes("card-title"):
                ui.label("Pose library").classes("title")
                ui.space()
                icon_button("close", "close", self._dialog.close)
            with ui.row().classes("card-title"):
                self._name = ui.input(placeholder="name of this pose")
                self._name.props(FIELD).props('aria-label="name of this pose"').classes(
                    "field grow"
                )
                self._name.mark("pose-name").on("keydown.enter", self._keep)
                ui.button("Keep", icon="add", on_click=self._keep).props(
                    "unelevated dense no-caps"
                ).mark("pose-keep")
            self._grid = ui.column().classes("card-body grow")
            with ui.row().classes("card-foot"):
                ui.label("blend").classes("quiet")
                self._share = (
                    ui.slider(min=0, max=100, value=100, step=1)
                    .props('dense label aria-label="share of the pose"')
                    .classes("grow")
                    .mark("pose-share")
                )
                ui.label().bind_text_from(
                    self._share, "value", lambda each: f"{each:.0f} %"
                ).classes("number").style("width:44px;text-align:right")
                ui.button("Apply", on_click=self._apply).props("unelevated dense no-caps").mark(
                    "pose-apply"
                )
        self._dialog.on_value_change(lambda event: desk.make_room(452 if event.value else 0))
        self._shown: tuple[object, ...] | None = None
        desk.on(("history", "figure", "settings"), self._build)

    def open(self) -> None:
        """Show it."""
        self._dialog.open()

    def _build(self) -> None:
        poses = self._desk.session.document.poses
        shown = (*((name, id(values)) for name, values in poses.items()), self._chosen)
        if shown == self._shown:
            return
        self._shown = shown
        if self._chosen not in poses:
            self._chosen = None
        self._grid.clear()
        with self._grid:
            if not poses:
                ui.label(
                    "No poses yet. Bring the figure into a posture, give it a name, and keep it."
                ).classes("empty")
            with ui.element("div").classes("poses"):
                for name, values in poses.items():
                    self._pose(name, values)

    def _pose(self, name: str, values: Mapping[str, float]) -> None:
        card = ui.column().classes("pose chosen" if name == self._chosen else "pose")
        with_props(card.props("tabindex=0 role=button"), aria_label=name)
        card.mark(f"pose-{name}").on("click", lambda: self._choose(name))
        card.on("keydown.enter.self", lambda: self._choose(name)).on("dblclick", self._apply)
        with card:
            ui.html(thumbnail(self._posture(values), self._desk.session.scene.props), sanitize=True)
            with ui.row().classes("no-wrap full-width items-center").style("gap:2px"):
                ui.label(name).classes("grow ellipsis small")
                icon_button(
                    "close",
                    f"remove {name}",
                    lambda: self._desk.do("remove_pose", name=name),
                    f"pose-remove-{name}",
                ).on("click.stop", js_handler="() => {}")

    def _posture(self, values: Mapping[str, float]) -> Posture:
        """The pose on the present figures; coordinates that they have not are left out."""
        whole = self._desk.session.scene.context().posture.copy()
        for name, value in values.items():
            if name in whole.figure.coordinates:
                whole.q[whole.figure.index(name)] = value
        return whole

    def _choose(self, name: str) -> None:
        self._chosen = name
        self._build()

    def _keep(self) -> None:
        name = str(self._name.value or "").strip()
        if not name:
            taken = self._desk.session.document.poses
            name = next(f"pose {n}" for n in range(1, len(taken) + 2) if f"pose {n}" not in taken)
        if self._desk.do("keep_pose", name=name):
            self._name.set_value("")

    def _apply(self) -> None:
        if self._chosen is None:
            self._desk.complain("choose a pose first")
        else:
            self._desk.do("apply_pose", name=self._chosen, fraction=(self._share.value or 0) / 100)
