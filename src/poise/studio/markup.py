"""What the page's elements are given: properties as values, never as text that is parsed.

NiceGUI's `props("…")` takes its string apart as HTML is: a name with a quotation mark in it would
end its property and begin others, event handlers among them. So `props`, `style`, `classes` and
all that takes markup or a script are only given what stands in the code; what a person has named
goes through here. `tests/studio/test_markup.py` sees to it, also of what is given to `add_script`.
"""

from __future__ import annotations

from typing import TypeVar

from nicegui import ui

from poise.studio.headers import NONCE

_E = TypeVar("_E", bound=ui.element)


def with_props(element: _E, **values: str | float | bool) -> _E:
    """Set properties of an element as they are; `aria_label` stands for `aria-label`."""
    for name, value in values.items():
        key = name.replace("_", "-")
        if element.props.get(key) != value:  # each that is set sends the element anew
            element.props[key] = value
    return element


def with_class(element: _E, among: str, now: str) -> _E:
    """Let an element have one class among several, or none of them where `now` is not among them.

    Args:
        element: of the page.
        among: all that it may have, with spaces between.
        now: the one it has from now on; "" for none.
    """
    known = among.split()
    classes = [each for each in element.classes if each not in known]
    classes += [now] if now in known else []
    if element.classes != classes:
        element.classes[:] = classes
    return element


def scroll_to(element: ui.element, after: int, *, smoothly: bool = False) -> None:
    """Bring an element into sight when the page has made it, some milliseconds from now."""
    element.client.run_javascript(
        f"setTimeout(() => getHtmlElement({element.id:d})?.scrollIntoView("
        f"{{block: 'nearest', behavior: '{'smooth' if smoothly else 'instant'}'}}), {after:d})"
    )


def focus(element: ui.element, after: int) -> None:
    """Let the next key be an element's, when the page has made it."""
    element.client.run_javascript(
        f"setTimeout(() => getHtmlElement({element.id:d})?.focus(), {after:d})"
    )


def add_script(code: str) -> None:
    """Let the page run a script when it is loaded, one that stands in the studio's code."""
    nonce = ui.context.client.request.scope.get(NONCE, "")
    ui.add_body_html(f'<script nonce="{nonce}">{code}</script>')
