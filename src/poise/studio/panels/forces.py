"""The forces on the figure: what supports it, what pushes it, and what its joints hold."""

from __future__ import annotations

import time
from itertools import zip_longest
from typing import Any

import numpy as np
from nicegui import ui

from poise.errors import PoiseError
from poise.scene.solving import context_of
from poise.statics.torques import JointTorque, Torques
from poise.studio.markup import with_class, with_props
from poise.studio.panels.bearing import LoadFields, SupportFields
from poise.studio.panels.desk import Desk
from poise.studio.panels.names import places
from poise.studio.panels.widgets import (
    NumberField,
    ShareBar,
    choice,
    icon_button,
    line,
    section,
    text_button,
    words_of,
)
from poise.studio.saying import said
from poise.tasks.task import Task

_MOST = 14
"""Joints in the table of torques, until all are asked for."""
_PAUSE = 0.5
"""Between two tables in mid-drag (s): the torques of all joints take longer than a solve."""


class ForcesPanel:
    """Supports, applied forces, the person whose strength counts, and torques."""

    def __init__(self, desk: Desk) -> None:
        """Build it, and keep it as the scene is."""
        self._desk = desk
        self._shown: tuple[Any, ...] | None = None
        self._all = False
        self._shown_at = 0.0
        self._rows: list[_TorqueRow] = []
        self._reactions: dict[str, ui.label] = {}
        self._loads: dict[str, LoadFields] = {}
        self._said = ui.column().classes("full-width").style("gap:0")
        with section("torques"):
            self._verdict = ui.label().classes("quiet small")
            self._table = ui.column().classes("full-width").style("gap:0").mark("torques")
            self._more = text_button("", self._turn)
            self._more.set_visibility(False)
        self._whose = ui.column().classes("full-width").style("gap:0")
        desk.on(("tasks", "figure", "history"), self._build)
        desk.on(("posture", "tasks", "figure"), self._follow, "Forces")

    # what is said ------------------------------------------------------------------------

    def _build(self) -> None:
        forces = self._desk.session.scene.forces
        shown = (
            tuple(forces.supports.values()),
            tuple((name, load.site) for name, load in forces.applied.items()),
            tuple(forces.person.items()),
            self._desk.session.document.contact_forces,
            tuple(self._desk.session.scene.figures),
        )
        if shown != self._shown:
            self._shown = shown
            self._reactions, self._loads = {}, {}
            self._said.clear()
            with self._said:
                self._supports()
                self._applied()
            self._whose.clear()
            with self._whose:
                self._person()
        for name, fields in self._loads.items():
            fields.show(forces.applied[name])

    def _supports(self) -> None:
        desk, forces = self._desk, self._desk.session.scene.forces
        with section("supports", "supports") as heading:
            with heading:
                self._chooser("Add support", self._add_support, "support", outlined=True)
            for site, support in forces.supports.items():
                with ui.row().classes("line").style("gap:5px"):
                    name = ui.label(words_of(site)).classes("grow ellipsis cursor-pointer")
                    name.on("click", lambda site=site: desk.do("select", kind="force", name=site))
                    SupportFields(desk, site, support)
                    icon_button(
                        "close",
                        f"remove the support {site}",
                        lambda site=site: desk.do("remove_force", name=site),
                        f"remove-{site}",
                    )
                self._reactions[site] = ui.label().classes("faint number").mark(f"reaction-{site}")
            if not forces.supports:
                ui.label("Nothing bears the weight: add what the figure stands on.").classes(
                    "quiet"
                )
            else:
                with ui.row().classes("line"):
                    total = sum(support.ratio for support in forces.supports.values())
                    good = abs(total - 1) < 1e-9
                    text = "ratios add up to 1" if good else f"ratios add up to {total:g}, not to 1"
                    ui.label(text).classes("faint" if good else "failed small")
                    ui.space()
                    text_button("Share equally", self._share, "balance", "share-equally")
                with line(
                    "compute contact forces", "at the corners of soles and palms, with least effort"
                ):
                    ui.switch(
                        value=desk.session.document.contact_forces,
                        on_change=lambda event: desk.do("use_contact_forces", on=bool(event.value)),
                    ).props('dense aria-label="compute contact forces"').mark("contact-forces")

    def _applied(self) -> None:
        desk, forces = self._desk, self._desk.session.scene.forces
        with section("applied forces", "loads") as heading:
            with heading:
                self._chooser("Add force", self._add_load, "load")
            for name, load in forces.applied.items():
                with ui.row().classes("line"):
                    label = ui.label(words_of(name)).classes("grow ellipsis cursor-pointer")
                    label.on("click", lambda name=name: desk.do("select", kind="force", name=name))
                    if load.site != name:
                        ui.label(f"on {words_of(load.site)}").classes("faint ellipsis")
                    icon_button(
                        "close",
                        f"remove the force {name}",
                        lambda name=name: desk.do("remove_force", name=name),
                        f"remove-{name}",
                    )
                self._loads[name] = LoadFields(desk, name, load)
            if not forces.applied:
                ui.label("Only the weight acts.").classes("quiet")

    def _person(self) -> None:
        desk, person = self._desk, self._desk.session.scene.forces.person
        with section("strength of", "person"):
            with line("sex"):
                choice(
                    {None: "as the figure", "male": "male", "female": "female"},
                    person.get("sex"),
                    lambda value: self._set_person(sex=value),
                    marker="person-sex",
                    name="sex",
                )
            for name, unit, step in (
                ("age", "years", 1),
                ("mass", "kg", 1),
                ("stature", "m", 0.01),
            ):
                with line(name):
                    value = person.get(name)
                    NumberField(
                        float(value) if isinstance(value, (int, float)) else None,
                        lambda value, name=name: self._set_person(**{name: value}),
                        unit=unit,
                        digits=2,
                        step=step,
                        width="150px",
                        marker=f"person-{name}",
                        name=name,
                    )
            if person:
                text_button("As the figure", lambda: desk.do("set_person"), "restart_alt")

    def _chooser(self, text: str, add: Any, marker: str, *, outlined: bool = False) -> None:
        """A button that opens a list of sites, those with an outline only where that is asked.

        Those that tasks are about come first: who stands on pinned feet is likely to mean these.
        """
        figure = context_of(self._desk.session.scene).figure
        names = [name for name in places(self._desk.session) if name is not None]
        if outlined:
            taken = self._desk.session.scene.forces.supports
            names = [name for name in figure.sites if figure.sites[name].outline] or names
            names = [name for name in names if name not in taken]
        wanted = [handle.wanted for handle in self._desk.session.scene.handles.values()]
        known = {site for each in wanted if isinstance(each, Task) for site in each.sites()}
        names.sort(key=lambda name: name not in known)
        with (
            text_button(text, lambda: None, "add", f"add-{marker}"),
            ui.menu() as menu,
            ui.column().style("padding:10px;gap:6px;width:250px"),
        ):
            if not names:
                ui.label("All that the figure could stand on bears it already.").classes("quiet")
                return
            field = choice(
                {name: name for name in names},
                None,
                lambda name: (menu.close(), add(name)),
                marker=f"site-{marker}",
                searchable=True,
                width="100%",
                name=f"site of the {marker}",
            )
            with_props(field.props("autofocus"), placeholder=f"where? {names[0]}, …")

    # changing ----------------------------------------------------------------------------

    def _add_support(self, site: str) -> None:
        self._desk.do("add_support", site=site)

    def _add_load(self, site: str) -> None:
        self._desk.do("add_load", site=site, force=[0.0, 0.0, -50.0])

    def _share(self) -> None:
        sites = list(self._desk.session.scene.forces.supports)
        if len(sites) == 2:  # the other one takes what is left
            self._desk.do("edit_support", site=sites[0], ratio=0.5)
            return
        for site in sites:
            self._desk.do("edit_support", site=site, ratio=1 / len(sites), balance=False)

    def _set_person(self, **known: Any) -> None:
        person = {**self._desk.session.scene.forces.person, **known}
        self._desk.do(
            "set_person", **{key: value for key, value in person.items() if value is not None}
        )

    # what follows from it ----------------------------------------------------------------

    def _follow(self) -> None:
        """Show what follows from the posture of now; in mid-drag twice a second is enough."""
        now = time.monotonic()
        if not self._desk.session.dragging or now - self._shown_at > _PAUSE:
            self._shown_at = now
            self._refresh()

    def _refresh(self) -> None:
        if not self._desk.session.scene.forces.supports:
            self._despair("Add what the figure stands on, and see what its joints hold.")
            return
        try:
            statics = self._desk.session.statics
            reactions, torques, sentence = statics.reactions, statics.torques, statics.sentence
        except PoiseError as error:
            self._despair(said(error))
            return
        for site, label in self._reactions.items():
            if site in reactions:
                reaction = reactions[site]
                size = float(np.linalg.norm(reaction.force))
                verdict = "holds" if reaction.holds else "pulls" if reaction.normal < 0 else "slips"
                label.set_text(f"{size:.0f} N, needs μ {reaction.needed:.2f}: {verdict}")
                with_class(label, "faint failed", "faint" if reaction.holds else "failed")
        self._verdict.set_text(words_of(sentence))
        self._list(torques)

    def _despair(self, why: str) -> None:
        """Say why there are no torques to show."""
        self._verdict.set_text(why)
        self._more.set_visibility(False)
        for row in self._rows:
            row.show(None)

    def _list(self, torques: Torques) -> None:
        joints = [each for each in torques.values() if each.components]
        shown = joints if self._all else joints[:_MOST]
        while len(self._rows) < len(shown):
            with self._table:
                self._rows.append(_TorqueRow(self._desk, len(self._rows)))
        for row, each in zip_longest(self._rows, shown):
            row.show(each)
        text = "the weakest only" if self._all else f"all {len(joints)} joints"
        self._more.set_text(text)
        self._more.set_visibility(len(joints) > _MOST)

    def _turn(self) -> None:
        self._all = not self._all
        self._refresh()


class _TorqueRow:
    """What one joint holds: the moment, and a bar for the share of its strength."""

    def __init__(self, desk: Desk, rank: int) -> None:
        self._joint = ""
        with ui.element("div").classes("torque").props("tabindex=0 role=button") as self._row:
            self._name = ui.label().classes("ellipsis small")
            self._moment = ui.label().classes("number small").style("text-align:right")
            self._share = ui.label().classes("number small quiet").style("text-align:right")
            with ui.element("div").style("grid-column:1/4"):
                self._bar = ShareBar()
        self._row.mark(f"torque-{rank}")
        for event in ("click", "keydown.enter"):
            self._row.on(event, lambda: desk.do("select", kind="joint", name=self._joint))

    def show(self, torque: JointTorque | None) -> None:
        """Show a joint; None where there are fewer than rows."""
        self._row.set_visibility(torque is not None)
        if torque is not None:
            self._joint = torque.joint
            self._name.set_text(words_of(torque.joint))
            self._moment.set_text(f"{torque.moment:.1f} {torque.weakest.unit}")
            share = torque.share
            self._share.set_text("–" if share is None else f"{100 * share:.0f} %")
            self._bar.show(share)
