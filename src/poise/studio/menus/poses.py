"""The pose library: kept and ready postures with small drawings, and a way between them."""

from __future__ import annotations

from collections.abc import Mapping

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from poise.figure import Figure, Posture
from poise.scene.solving import context_of
from poise.studio.markup import with_props
from poise.studio.menus.thumbnails import thumbnail
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import FIELD, icon_button
from poise.studio.poses import HANDS, is_of_a_hand, ready_names, ready_pose


class PoseLibrary:
    """Poses of the document and ready ones; one that is chosen is taken wholly or in part."""

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
        self._dialog.on_value_change(self._opened)
        self._drawn: dict[str, str] = {}
        self._drawn_of: list[Figure] = []
        self._shown: tuple[object, ...] | None = None
        desk.on(("history", "figure", "settings"), self._build)

    def open(self) -> None:
        """Show it."""
        self._dialog.open()

    def _opened(self, event: ValueChangeEventArguments[bool]) -> None:
        self._desk.make_room(452 if event.value else 0)
        self._build()

    def _build(self) -> None:
        poses = self._desk.session.document.poses
        ready = self._ready()
        kept = ((name, id(values)) for name, values in poses.items())
        shown = (*kept, self._chosen, id(ready), len(ready))
        if shown == self._shown:
            return
        self._shown = shown
        if self._chosen not in poses and self._chosen not in ready:
            self._chosen = None
        self._grid.clear()
        with self._grid:
            if not poses:
                ui.label(
                    "None kept yet. Bring the figure into a posture, give it a name, and keep it."
                ).classes("empty")
            with ui.element("div").classes("poses"):
                for name, values in poses.items():
                    self._pose(name, values)
            if ready:
                ui.label("Ready poses").classes("quiet")
                with ui.element("div").classes("poses"):
                    for name, drawing in ready.items():
                        self._ready_pose(name, drawing)

    def _ready(self) -> dict[str, str]:
        """Drawings of the ready poses by name; they are made when the library is first seen."""
        document = self._desk.session.document
        figures = [document.given(name) for name in document.scene.figures]
        if figures != self._drawn_of:
            self._drawn, self._drawn_of = {}, []
        if self._dialog.value and not self._drawn_of:
            self._drawn = {name: self._drawing(name) for name in ready_names(document)}
            self._drawn_of = figures
        return self._drawn

    def _drawing(self, name: str) -> str:
        """A ready pose on the present figures, or the hand alone of which it is a shape."""
        posture = self._posture(ready_pose(self._desk.session.document, name))
        without = set(self._desk.session.scene.props)
        hand = {each for each in posture.figure.segments if is_of_a_hand(each)}
        if name.startswith(HANDS) and hand:
            without |= posture.figure.segments.keys() - hand
        return thumbnail(posture, without)

    def _ready_pose(self, name: str, drawing: str) -> None:
        card = ui.column().classes("pose chosen" if name == self._chosen else "pose")
        with_props(card.props("tabindex=0 role=button"), aria_label=name)
        card.mark("ready-" + name.replace(" ", "-"))
        card.on("click", lambda: self._choose(name)).on("dblclick", self._apply)
        card.on("keydown.enter.self", lambda: self._choose(name))
        with card:
            ui.html(drawing, sanitize=True)
            ui.label(name).classes("ellipsis small")

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
        whole = context_of(self._desk.session.scene).posture.copy()
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
