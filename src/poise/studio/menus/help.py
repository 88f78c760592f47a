"""The help on "?", and the hint that is shown the first time."""

from __future__ import annotations

from nicegui import html, ui

from poise.studio.markup import add_script
from poise.studio.menus.keys import PAGE, VIEW, Key
from poise.studio.panels.widgets import icon_button

_SCRIPT = """addEventListener('load', () => setTimeout(() => {
  const hint = document.querySelector('.hint');
  if (hint && !localStorage.getItem('poise-hint-seen')) hint.style.display = '';
}, 600));"""


class HelpDialog:
    """All keys and gestures."""

    def __init__(self) -> None:
        """Build it closed."""
        with ui.dialog() as self._dialog, ui.card().classes("card").style("width:760px"):
            with ui.row().classes("card-title"):
                ui.label("Keys and gestures").classes("title")
                ui.space()
                icon_button("close", "close", self._dialog.close)
            with ui.row().classes("card-body no-wrap").style("gap:34px;align-items:flex-start"):
                _keys("in the view", VIEW)
                _keys("anywhere", PAGE)
            with ui.row().classes("card-foot"):
                ui.label(
                    "The lamp: green, all tasks are met; orange, those of the first priority; "
                    "red, not even those."
                ).classes("quiet grow")

    def open(self) -> None:
        """Show it."""
        self._dialog.open()


def _keys(title: str, keys: tuple[Key, ...]) -> None:
    with ui.column().classes("grow").style("gap:10px"):
        ui.label(title).classes("faint")
        with ui.element("div").classes("keys"):
            for each in keys:
                with ui.element("div"):
                    html.kbd(each.shown)
                ui.label(each.text)


def first_hint() -> None:
    """Three lines for who is here for the first time; the browser remembers that it has seen them.

    It is hidden until the page's script finds that this browser has not.
    """
    with ui.column().classes("hint over-view").style("display:none").mark("hint") as hint:
        ui.html("<b>Drag</b> any part of the body: the whole figure follows.", sanitize=False)
        ui.html(
            "<b>Pin</b> with <kbd>P</kbd> or a right click, and it stays; "
            "<kbd>Ctrl+Z</kbd> takes anything back.",
            sanitize=False,
        )
        ui.html(
            "<b>Look around</b> by dragging beside the figure; <kbd>?</kbd> shows all keys.",
            sanitize=False,
        )
        button = icon_button("close", "close this hint", hint.delete, "hint-close")
        button.classes("absolute-top-right q-ma-xs")
    button.on("click", js_handler="() => localStorage.setItem('poise-hint-seen', '1')")
    add_script(_SCRIPT)
