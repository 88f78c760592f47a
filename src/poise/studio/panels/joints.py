"""Which joints a task may move: a picker by limb."""

from __future__ import annotations

from collections.abc import Mapping

from nicegui import ui

from poise.studio.panels.desk import Desk
from poise.studio.panels.names import joints_by_limb, named_limbs
from poise.studio.panels.widgets import text_button, words_of


class JointsDialog:
    """All joints that can be moved, with a box to tick for each, and one for each limb.

    Beside a limb stands how readily it moves. Where its joints have different shares nothing stands
    there but from where to where they go; they stay as they are unless a number is put there.
    """

    def __init__(self, desk: Desk, task: str) -> None:
        """Build it closed."""
        self._desk, self._task = desk, task
        self._boxes: dict[str, ui.checkbox] = {}
        self._wholes: list[ui.checkbox] = []
        self._shares: dict[str, ui.number] = {}
        self._limbs = joints_by_limb(desk.session)
        self._named = named_limbs(desk.session)
        given = desk.session.scene.handles[task].joints
        self._given = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given or (), 1.0)
        """By the names with which the task was given them."""
        self._before: dict[str, float] = {}
        """By joint; of several shares that one gets the greatest counts."""
        for name, share in self._given.items():
            for joint in self._own(name):
                self._before[joint] = max(share, self._before.get(joint, 0.0))
        chosen = None if given is None else tuple(self._before)
        with (
            ui.dialog() as self._dialog,
            ui.card().classes("card").style("width:520px;max-height:82vh"),
        ):
            with ui.row().classes("card-title"):
                ui.label(f"Joints that {task} may move").classes("title")
            with ui.column().classes("card-body"):
                ui.label(
                    "The task is achieved by these; others move only as far as tasks above it "
                    "need. The number says how readily a limb moves: 1 like any other, 0.2 "
                    "where it is only to help. A joint that no task may move stays where it is."
                ).classes("quiet")
                for limb, joints in self._limbs.items():
                    self._limb(limb, joints, chosen)
            with ui.row().classes("card-foot"):
                text_button("All", lambda: self._tick(True), marker="joints-all")
                text_button("None", lambda: self._tick(False), marker="joints-none")
                ui.space()
                ui.button("Cancel", on_click=self._dialog.close).props("flat no-caps")
                ui.button("Use these", on_click=self._use).props("unelevated no-caps").mark(
                    "joints-use"
                )

    def open(self) -> None:
        """Show it."""
        self._dialog.open()

    def _limb(self, limb: str, joints: list[str], chosen: tuple[str, ...] | None) -> None:
        with ui.column().classes("full-width").style("gap:0"):
            with ui.row().classes("full-width items-center no-wrap"):
                is_chosen = chosen is None or set(joints) <= set(chosen)
                whole = ui.checkbox(words_of(limb), value=is_chosen)
                whole.props("dense").classes("title").mark(f"limb-{limb}")
                ui.space()
                shares = self._shares_of(joints)
                share = shares[0] if len(shares) == 1 else None
                number = ui.number(value=share, min=0.01, max=1.0, step=0.1)
                number.props("dense").style("width:70px").mark(f"share-{limb}")
                if len(shares) > 1:
                    number.props(f'placeholder="{shares[0]:g} – {shares[-1]:g}"')
                    with number:
                        ui.tooltip("its joints have different shares; a number is for all of them")
                self._shares[limb] = number
            with ui.row().style("gap:2px 14px;padding-left:26px"):
                for joint in joints:
                    box = ui.checkbox(joint, value=chosen is None or joint in chosen)
                    self._boxes[joint] = (
                        box.props("dense size=sm").classes("small").mark(f"joint-{joint}")
                    )
            self._wholes.append(whole)
            whole.on_value_change(
                lambda event: [self._boxes[each].set_value(bool(event.value)) for each in joints]
            )

    def _tick(self, on: bool) -> None:
        for box in (*self._wholes, *self._boxes.values()):
            box.set_value(on)

    def _own(self, name: str) -> list[str]:
        """The joints of a limb, or the joint itself; of a coordinate, its joint."""
        return self._named.get(name, [name.partition(".")[0]])

    def _shares_of(self, joints: list[str]) -> list[float]:
        """The shares of those that the task may move, the least first; 1 where there are none."""
        return sorted({self._before[each] for each in joints if each in self._before}) or [1.0]

    def _as_given(self, joints: list[str], ticked: list[str]) -> dict[str, float] | None:
        """The shares of a limb by the names that the task has, where just its joints are ticked.

        None where others are, and where a name means joints of other limbs, too.
        """
        found = {n: s for n, s in self._given.items() if not set(joints).isdisjoint(self._own(n))}
        own = {joint for name in found for joint in self._own(name)}
        return found if own == set(ticked) else None

    def _use(self) -> None:
        ticked = {name for name, box in self._boxes.items() if box.value}
        if not ticked:
            self._desk.complain("tick at least one joint; to use the task no longer, switch it off")
            return
        shares: dict[str, float] = {}
        for limb, joints in self._limbs.items():
            own = [each for each in joints if each in ticked]
            share, given = self._shares[limb].value, self._shares_of(joints)
            if own and share is None and len(given) == 1:
                self._desk.complain(f"say how readily {words_of(limb)} moves: a number up to 1")
                return
            kept = self._as_given(joints, own) if share is None or [share] == given else None
            if kept is None:
                whole = len(own) == len(joints) and self._named.get(limb) == joints
                names = [limb] if whole and share is not None else own
                kept = {name: share or self._before.get(name, 1.0) for name in names}
            shares |= kept
        is_plain = set(shares.values()) == {1.0}
        names = [] if len(ticked) == len(self._boxes) else list(shares)  # none stands for all
        joints = names if is_plain else shares
        if self._desk.do("edit_task", name=self._task, joints=joints):
            self._dialog.close()
