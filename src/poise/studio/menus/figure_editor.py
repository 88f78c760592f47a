"""The figure editor: a tree of segments, their lengths, their joints with kinds and limits."""

from __future__ import annotations

from typing import Any

import numpy as np
from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from poise.checking import AXES
from poise.errors import PoiseError
from poise.figure import WORLD, Figure
from poise.figure.clinical import unit_of
from poise.figure.kinds import KINDS
from poise.figure.limits import SphericalEllipse
from poise.figure.parts import Joint
from poise.studio.figures import inner_kinds, length_of
from poise.studio.markup import with_props
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import (
    FIELD,
    NumberField,
    choice,
    icon_button,
    line,
    section,
    text_button,
    tipped,
    words_of,
)


class FigureEditor:
    """A dialog at the left, so that the figure is seen as it changes; every edit can be undone."""

    def __init__(self, desk: Desk) -> None:
        """Build it closed."""
        self._desk = desk
        self._figure, self._segment = "", ""
        self._is_open = False
        with ui.dialog().props("position=left seamless") as self._dialog:
            card = (
                ui.card()
                .classes("card")
                .style("width:548px;height:calc(100vh - 120px);max-height:none;margin:0 0 0 12px")
            )
            with card:
                with ui.row().classes("card-title"):
                    ui.label("Figure editor").classes("title")
                    ui.space()
                    self._chooser = ui.row()
                    icon_button("close", "close", self._dialog.close, "editor-close")
                with ui.row().classes("full-width no-wrap grow").style("gap:0;min-height:0"):
                    with ui.column().classes("kinds").style("padding:8px 10px;width:196px"):
                        self._filter = (
                            ui.input(placeholder="search").props(FIELD).props("clearable")
                        )
                        self._filter.classes("field full-width")
                        self._branch = ui.column().classes("full-width").style("gap:0")
                    self._sheet = (
                        ui.column().classes("card-body grow").style("height:100%;padding:0")
                    )
                with ui.row().classes("card-foot"):
                    ui.label("Each edit is a step that can be undone.").classes("quiet grow")
                    ui.button("Save as file", icon="save", on_click=self._save).props(
                        "unelevated no-caps"
                    ).mark("editor-save")
        self._dialog.on_value_change(lambda event: self._turned(bool(event.value)))
        desk.on(("figure", "history"), self._refresh)

    def open(self) -> None:
        """Show the first figure, or the one that was shown last."""
        self._dialog.open()

    def _turned(self, is_open: bool) -> None:
        self._is_open = is_open
        self._desk.make_room(568 if is_open else 0)
        self._refresh()

    # building ----------------------------------------------------------------------------

    def _refresh(self) -> None:
        if not self._is_open:
            return
        given = self._desk.session.scene.given
        if self._figure not in given:
            self._figure = next(iter(given))
        figure = given[self._figure]
        if self._segment not in figure.segments:
            self._segment = next(iter(figure.segments))
        self._chooser.clear()
        if len(given) > 1:
            with self._chooser:
                choice(list(given), self._figure, self._turn, marker="editor-figure", name="figure")
        self._branch.clear()
        with self._branch:
            tree = ui.tree(_branches(figure), label_key="label", on_select=self._chosen)
            tree.props("dense no-connectors selected-color=primary")
            with_props(tree, selected=self._segment)
            tree.expand()
            tree.mark("segments")
            self._filter.bind_value_to(tree, "filter")
        self._sheet.clear()
        with self._sheet:
            self._show(figure, self._segment)

    def _turn(self, figure: str) -> None:
        if figure != self._figure:
            self._figure = figure
            self._refresh()

    def _chosen(self, event: ValueChangeEventArguments[Any]) -> None:
        self.choose(event.value)

    def choose(self, segment: str | None) -> None:
        """Show a segment."""
        if segment and segment != self._segment:
            self._segment = segment
            self._refresh()

    def _show(self, figure: Figure, name: str) -> None:
        segment = figure.segments[name]
        joint = next(each for each in figure.joints.values() if each.child == name)
        with section(words_of(name)) as heading:
            with heading:
                ui.label(f"{segment.mass_properties()[0]:.2f} kg").classes("chip")
            with line("name"):
                field = ui.input(value=name).props(FIELD).props("aria-label=name").classes("field")
                field.style("width:168px").mark("segment-name")
                field.on("change", lambda: self._rename(name, str(field.value or "")))
            with line("length", "what hangs on it moves along"):
                NumberField(
                    length_of(figure, name),
                    lambda value: self._edit("length", segment=name, length=value),
                    unit="m",
                    digits=4,
                    step=0.01,
                    least=0.001,
                    marker="segment-length",
                    name="length",
                )
        self._joint(figure, joint)
        self._more(figure, name)

    def _joint(self, figure: Figure, joint: Joint) -> None:
        title = "root" if joint.parent == WORLD else f"joint {words_of(joint.name)}"
        with section(title):
            axis = joint.kind.main_axis
            with line("kind"):
                choice(
                    list(KINDS),
                    joint.kind.kind,
                    lambda kind: self._kind(joint, kind, None),
                    marker="joint-kind",
                    name="kind of joint",
                )
            if axis is not None and len(joint.kind.steps) == 1:
                shown = next((name for name, numbers in AXES.items() if numbers == axis), axis)
                with line("axis", "in the joint's own frame"):
                    choice(
                        {**{name: name for name in AXES}, shown: str(shown)},
                        shown,
                        lambda new: self._kind(joint, joint.kind.kind, new),
                        marker="joint-axis",
                        name="axis",
                    )
            names = joint.kind.limit_names
            for coordinate, (low, high) in zip(joint.kind.coordinates, joint.kind.box, strict=True):
                if coordinate in names:
                    self._limits(figure, joint, coordinate, low, high)
            if joint.kind.spherical is not None and "swing" in names:
                swing = joint.kind.spherical.swing
                ellipses = [each for each in swing if isinstance(each, SphericalEllipse)]
                self._ellipse(joint, ellipses[0] if ellipses else None, len(swing))

    def _limits(self, figure: Figure, joint: Joint, name: str, low: float, high: float) -> None:
        is_length = unit_of(joint, name, figure.joints) == "m"
        scale = 1.0 if is_length else float(np.rad2deg(1.0))
        ends = [low, high]

        def put(index: int, value: float) -> None:
            ends[index] = value / scale
            limits = {name: [each if np.isfinite(each) else None for each in ends]}
            self._edit("limits", joint=joint.name, limits=limits)

        def free() -> None:
            self._edit("limits", joint=joint.name, limits={name: [None, None]})

        with line(words_of(name)):
            for index, (word, end) in enumerate((("from", low), ("to", high))):
                NumberField(
                    scale * end if np.isfinite(end) else None,
                    lambda value, index=index: put(index, value),
                    unit="m" if is_length else "°",
                    digits=3 if is_length else 2,
                    prefix=word,
                    width="98px",
                    marker=f"limit-{name}-{word}",
                    name=f"{name} {word}",
                )
            icon_button("all_inclusive", f"no limits of {words_of(name)}", free)

    def _ellipse(self, joint: Joint, ellipse: SphericalEllipse | None, count: int) -> None:
        radii = [ellipse.rx, ellipse.ry] if ellipse else [1.0, 1.0]

        def put(index: int, degrees: float) -> None:
            radii[index] = float(np.deg2rad(degrees))
            self._edit("limits", joint=joint.name, swing={"ellipse": radii})

        with line("swing cone", "half angles of an ellipse on the sphere"):
            for index, word in enumerate("xy"):
                NumberField(
                    float(np.rad2deg(radii[index])) if ellipse else None,
                    lambda value, index=index: put(index, value),
                    unit="°",
                    digits=1,
                    prefix=word,
                    width="98px",
                    marker=f"cone-{word}",
                    name=f"cone about {word}",
                )
            icon_button(
                "all_inclusive",
                "no cone",
                lambda: self._edit("limits", joint=joint.name, swing=None),
            )
        if count and ellipse is None:
            ui.label("limited by a polygon; a cone takes its place").classes("faint")

    def _more(self, figure: Figure, name: str) -> None:
        with section("what hangs on it"):
            new = ui.input(placeholder="name of a new segment").props(FIELD)
            new.props('aria-label="new segment"').classes("field full-width").mark("new-segment")
            values: dict[str, Any] = {"length": 0.2, "kind": "hinge"}
            with line("its length"):
                NumberField(
                    0.2,
                    lambda value: values.update(length=value),
                    unit="m",
                    width="96px",
                    marker="new-length",
                    name="length of the new segment",
                )
            with line("its joint"):
                choice(
                    inner_kinds(),
                    "hinge",
                    lambda kind: values.update(kind=kind),
                    width="104px",
                    marker="new-kind",
                    name="its joint",
                )

            def add() -> None:
                text = str(new.value or "").strip()
                if not text:
                    self._desk.complain("give the new segment a name")
                elif self._edit("add", parent=name, name=text, **values):
                    self.choose(text)

            with ui.row().classes("line"):
                text_button("Add segment", add, "add", "segment-add")
                ui.space()
                count = len(_below(figure, name))
                tip = f"with {count - 1} that hang on it" if count > 1 else "nothing hangs on it"
                remove = text_button(
                    "Remove this one",
                    lambda: self._edit("remove", segment=name),
                    "delete_outline",
                    "segment-remove",
                )
                tipped(remove, tip)

    # changing ----------------------------------------------------------------------------

    def _edit(self, operation: str, **fields: Any) -> bool:
        several = self._desk.session.scene.has_several
        figure = self._figure if several else None
        return self._desk.do("edit_figure", operation=operation, figure=figure, **fields)

    def _kind(self, joint: Joint, kind: str, axis: Any) -> None:
        if kind != joint.kind.kind or axis is not None:
            self._edit("kind", joint=joint.name, kind=kind, axis=axis)

    def _rename(self, name: str, new: str) -> None:
        if new and new != name and self._edit("rename", segment=name, new_name=new):
            self.choose(new)

    def _save(self) -> None:
        try:
            text = self._desk.session.figure_text(self._figure)
        except PoiseError as error:
            self._desk.complain(error)
        else:
            ui.download.content(text.encode(), f"{self._figure or 'figure'}.yaml")


def _branches(figure: Figure, parent: str = WORLD) -> list[dict[str, Any]]:
    """The segments that hang on one, for the tree; only where it branches a new level begins.

    Each vertebra inside the one below it would leave no room for the names.
    """
    found: list[dict[str, Any]] = []
    joints = [joint for joint in figure.joints.values() if joint.parent == parent]
    for joint in joints:
        below = _branches(figure, joint.child)
        only = sum(each.parent == joint.child for each in figure.joints.values()) == 1
        node = {"id": joint.child, "label": words_of(joint.child)}
        found.append(node if only else {**node, "children": below})
        found += below if only else []
    return found


def _below(figure: Figure, segment: str) -> list[str]:
    """A segment with all that hangs on it."""
    found = [segment]
    for joint in figure.joints.values():
        if joint.parent == segment:
            found += _below(figure, joint.child)
    return found
