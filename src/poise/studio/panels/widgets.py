"""Small parts that panels are made of: sections, lines, numbers with units, axes, bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from nicegui import ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from poise.studio.markup import with_class, with_props

FIELD = "outlined dense hide-bottom-space"
"""The properties of every field in which something is typed or chosen."""
ALONG = {"x": "length, along x", "y": "width, along y", "z": "height, along z"}
"""The sizes of a box, in words."""
_LIVELY = 0.03
"""Between two values of a bar that is pulled (s)."""


def tipped(element: ui.element, tip: str) -> None:
    """Let an element say something when it is pointed at.

    The words stand in it. NiceGUI's own way looks for it on the page, in vain where both are built
    at once.
    """
    with element:
        ui.tooltip(tip)


@contextmanager
def section(title: str, marker: str = "", *, chip: str = "") -> Generator[ui.row]:
    """A part of a panel with a heading; what it gives is the heading's row, for buttons.

    A chip says in a word what kind of thing the title names.
    """
    with ui.column().classes("section").mark(marker):
        with ui.row().classes("heading") as heading:
            ui.label(title).classes("title")
            ui.space()
            if chip:
                ui.label(chip).classes("chip")
        yield heading


@contextmanager
def line(what: str, tip: str = "") -> Generator[ui.row]:
    """A line that says what it is about at the left, and has its fields at the right."""
    with ui.row().classes("line") as row:
        label = ui.label(what).classes("what ellipsis")
        if tip:
            tipped(label, tip)
        yield row


def icon_button(icon: str, tip: str, press: Callable[..., Any], marker: str = "") -> ui.button:
    """A flat, round button; the tip is what readers of the screen are told."""
    button = ui.button(icon=icon, on_click=press, color=None).props("flat round dense size=sm")
    tipped(with_props(button, aria_label=tip), tip)
    return button.mark(marker) if marker else button


def text_button(
    text: str, press: Callable[..., Any], icon: str = "", marker: str = ""
) -> ui.button:
    """A flat button with a word."""
    button = ui.button(text, icon=icon or None, on_click=press).props(
        "flat dense no-caps size=12px"
    )
    return button.mark(marker) if marker else button


class NumberField:
    """A number with its unit. What is typed counts when the field is left, or Enter is pressed."""

    def __init__(
        self,
        value: float | None,
        commit: Callable[[float], Any],
        *,
        unit: str = "",
        digits: int = 3,
        step: float | None = None,
        prefix: str = "",
        marker: str = "",
        width: str = "96px",
        name: str = "",
        least: float | None = None,
        most: float | None = None,
    ) -> None:
        """Show a value; `commit` is called with another one."""
        self._digits, self._commit = digits, commit
        self._shown = self._rounded(value)
        self.field = (
            ui.number(value=self._shown, step=step, min=least, max=most)
            .props(FIELD)
            .props("no-error-icon")
            .classes("field")
            .on("change", self._left)
            .on("keydown.enter", self._left)
        )
        self.field.style["width"] = width
        given = {"aria_label": name or prefix, "suffix": unit, "prefix": prefix}
        with_props(self.field, **{key: text for key, text in given.items() if text})
        if marker:
            self.field.mark(marker)

    def show(self, value: float | None) -> None:
        """Show another value, unless the user has typed one that was not yet taken."""
        rounded = self._rounded(value)
        if rounded != self._shown and self.field.value == self._shown:
            self._shown = rounded
            self.field.value = rounded

    def _left(self) -> None:
        value = self.field.value
        if value is None:
            self.field.value = self._shown
        elif value != self._shown:
            self._shown = value
            self._commit(float(value))

    def _rounded(self, value: float | None) -> float | None:
        if value is None or not math.isfinite(value):
            return None
        return round(float(value), self._digits) + 0.0  # no −0


class VectorField:
    """Three numbers x, y and z."""

    def __init__(
        self,
        values: Sequence[float],
        commit: Callable[[list[float]], Any],
        *,
        unit: str = "m",
        digits: int = 3,
        step: float | None = None,
        marker: str = "",
        names: str = "xyz",
    ) -> None:
        """Show a vector; `commit` is called with another one."""
        self._values = [float(each) for each in values]
        self._commit = commit
        self._fields: list[NumberField] = []
        with ui.element("div").classes("vector"):
            for index, axis in enumerate(names):
                self._fields.append(
                    NumberField(
                        self._values[index],
                        lambda value, index=index: self._changed(index, value),
                        unit=unit,
                        digits=digits,
                        step=step,
                        prefix=axis,
                        marker=f"{marker}-{axis}" if marker else "",
                        width="100%",
                    )
                )

    def show(self, values: Sequence[float]) -> None:
        """Show another vector."""
        self._values = [float(each) for each in values]
        for field, value in zip(self._fields, self._values, strict=True):
            field.show(value)

    def _changed(self, index: int, value: float) -> None:
        self._values[index] = value
        self._commit(list(self._values))


class AxesField:
    """Which of x, y and z count, as three buttons in the colours of the axes."""

    def __init__(self, axes: str, commit: Callable[[str], Any], marker: str = "axes") -> None:
        """Show which count; `commit` is called with others, in order, never with none."""
        self._axes, self._commit = axes, commit
        self._buttons: dict[str, ui.button] = {}
        with ui.row().classes("no-wrap").style("gap:4px"):
            for axis in "xyz":
                button = ui.button(axis.upper(), on_click=lambda _, axis=axis: self._press(axis))
                with_props(button.props("flat dense"), aria_label=f"axis {axis}")
                with_class(button.classes("axis"), "x y z", axis)
                self._buttons[axis] = button.mark(f"{marker}-{axis}")
        self.show(axes)

    def show(self, axes: str) -> None:
        """Show which count now."""
        self._axes = axes
        for axis, button in self._buttons.items():
            with_class(button, "on", "on" if axis in axes else "")
            with_props(button, aria_pressed="true" if axis in axes else "false")

    def _press(self, axis: str) -> None:
        wanted = "".join(a for a in "xyz" if (a in self._axes) != (a == axis))
        if wanted:
            self.show(wanted)
            self._commit(wanted)


class WeightField:
    """A weight as a slider over powers of ten, and as a number."""

    def __init__(
        self, value: float, commit: Callable[[float], Any], marker: str = "weight"
    ) -> None:
        """Show a weight; `commit` is called with another one, once a pull of the slider."""
        self._commit = commit
        with ui.row().classes("line"):
            self._slider = (
                ui.slider(min=-4, max=2, step=0.05, value=self._power(value))
                .props('dense aria-label="weight"')
                .classes("grow")
                .mark(f"{marker}-slider")
                .on("change", lambda: self._take(float(f"{10 ** (self._slider.value or 0):.2g}")))
            )
            self._number = NumberField(
                value, self._take, digits=4, marker=marker, width="74px", name="weight", least=1e-9
            )

    def show(self, value: float) -> None:
        """Show another weight."""
        self._number.show(value)
        self._slider.set_value(self._power(value))

    def _take(self, value: float) -> None:
        self.show(value)
        self._commit(value)

    @staticmethod
    def _power(value: float) -> float:
        return round(min(2.0, max(-4.0, math.log10(value))), 2) if value > 0 else -4.0


class Pull(Protocol):
    """Who hears of a bar that is pulled: of its first value, of each, and when it is let go."""

    def begin(self) -> bool:
        """Somebody takes hold; False where that cannot be."""
        ...

    def move(self, value: float) -> object:
        """It is here now."""
        ...

    def end(self) -> object:
        """It is let go."""
        ...


class RangeBar:
    """Where a value stands between its limits, to be pulled along: amber near a stop, red at it."""

    def __init__(self, low: float, high: float, pull: Pull, name: str, marker: str = "") -> None:
        """Make a bar from stop to stop, which tells of each pull as it goes on."""
        self._low, self._high, self._pull = low, high, pull
        self._is_pulled = False
        self.slider = (
            ui.slider(min=low, max=high, step=0, value=low)
            .props("dense")
            .classes("range")
            # None may come after the last one: it would begin a pull that nobody ends.
            .on("update:model-value", self._pulled, throttle=_LIVELY, trailing_events=False)
            .on("change", self._left)
        )
        with_props(self.slider, aria_label=name)
        if marker:
            self.slider.mark(marker)

    def _pulled(self, event: GenericEventArguments) -> None:
        if not self._is_pulled:
            self._is_pulled = self._pull.begin()
        if self._is_pulled:
            self._pull.move(float(event.args))

    def _left(self, event: GenericEventArguments) -> None:
        """The last value counts, though nothing was pulled on the way to it."""
        told = event.args if isinstance(event.args, (int, float)) else self.slider.value
        if self._is_pulled or self._pull.begin():
            self._pull.move(float(told or 0.0))
            self._is_pulled = False
            self._pull.end()

    def show(self, value: float) -> str:
        """Show a value; gives back how it stands: "free", "near" or "stop"."""
        state = standing(value, self._low, self._high)
        if not self._is_pulled:  # else the hand says where it is
            self.slider.set_value(min(self._high, max(self._low, value)))
        with_class(self.slider, "free near stop", state)
        return state


def standing(value: float, low: float, high: float) -> str:
    """How a value stands between its limits: "free", "near" within a tenth of one, "stop" at it."""
    wide = high - low
    if not math.isfinite(wide) or wide <= 0:
        return "free"
    left = min(value - low, high - value)
    return "stop" if left <= 1e-6 + 1e-3 * wide else "near" if left < 0.1 * wide else "free"


_NO_OPTION = "<q-item><q-item-section class=quiet>nothing of that name</q-item-section></q-item>"
"""What a list says that has nothing to choose from."""


def choice(
    options: dict[Any, str] | list[str],
    value: Any,
    commit: Callable[[Any], Any],
    *,
    marker: str = "",
    searchable: bool = False,
    width: str = "150px",
    name: str = "",
) -> ui.select:
    """A field in which one of several is chosen; a long list is searched by typing."""

    def changed(event: ValueChangeEventArguments[Any]) -> None:
        commit(event.value)

    # Every property that is set sends the options anew: they come last, and who listens after.
    field = ui.select({}, with_input=searchable).classes("field")
    field.style["width"] = width
    field.props(FIELD).props("options-dense popup-content-class=small")
    if name:
        with_props(field, aria_label=name)
    if marker:
        field.mark(marker)
    field.set_options(options, value=value)
    field.add_slot("no-option", _NO_OPTION)
    if searchable:
        _choose_by_typing(field)
    return field.on_value_change(changed)


def _choose_by_typing(field: ui.select) -> None:
    """Let Enter choose what was typed: the name itself, or the first that has it in it."""
    typed = ""

    def heard(event: GenericEventArguments) -> None:
        nonlocal typed
        typed = str(event.args or "")

    def entered() -> None:
        names = field.options if isinstance(field.options, dict) else {o: o for o in field.options}
        found = [each for each, shown in names.items() if typed.lower() in str(shown).lower()]
        exact = [each for each in found if str(names[each]).lower() == typed.lower()]
        if typed and found:
            field.set_value((exact or found)[0])

    field.on("input-value", heard).on("keydown.enter", entered)


class ShareBar:
    """How much of something is used; amber from three quarters on, red from all of it on."""

    def __init__(self) -> None:
        """Make an empty bar."""
        with ui.element("div").classes("share"):
            self._part = ui.element("div")

    def show(self, share: float | None) -> None:
        """Show a share; None where it is not known."""
        part = 0.0 if share is None else min(1.0, share)
        state = "" if share is None or share < 0.75 else "partly" if share < 1 else "failed"
        with_class(self._part.style(f"width:{100 * part:.1f}%"), "partly failed", state)


def words_of(name: str) -> str:
    """A name of a file or class as people say it: `center_of_mass` as "centre of mass"."""
    return name.replace("_", " ").replace("center", "centre")
