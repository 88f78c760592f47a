"""Keys: what they do, how the page hears them, and how the help lists them.

The view hears its own keys (those without a function here); they are listed for the help.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from poise.studio.markup import add_script

EVENT = "studio_key"
"""What the page's script calls a key that one of the functions is for."""


@dataclass(frozen=True)
class Key:
    """A key, as people write it and as scripts do, and what it is for."""

    shown: str
    text: str
    key: str = ""


PAGE = (
    Key("Ctrl+Z", "undo", "ctrl+z"),
    Key("Ctrl+Shift+Z", "redo", "ctrl+shift+z"),
    Key("Ctrl+Y", "redo", "ctrl+y"),
    Key("Ctrl+C", "copy the posture", "ctrl+c"),
    Key("Ctrl+V", "paste it", "ctrl+v"),
    Key("Ctrl+S", "save the scene", "ctrl+s"),
    Key("Ctrl+O", "open a scene", "ctrl+o"),
    Key("A", "add a task", "a"),
    Key("B", "keep balance, on or off", "b"),
    Key("M", "mirror the posture", "m"),
    Key("R", "to the rest posture", "r"),
    Key("Delete", "remove what is selected", "Delete"),
    Key("T", "show the panels, or hide them", "t"),
    Key("Esc", "close a dialog or menu", "Escape"),
    Key("?", "this help", "?"),
)
"""Keys that the page hears."""

VIEW = (
    Key("drag a part", "move it; the whole figure follows"),
    Key("Esc", "cancel the drag: all as it was"),
    Key("drag beside it", "turn the view"),
    Key("right drag", "move the view"),
    Key("wheel, pinch", "zoom; the wheel while dragging: how many joints follow"),
    Key("F", "show the whole figure"),
    Key("4 5 6 7 8", "look from the front, back, left, right, top"),
    Key("1 2 3", "drags move the whole body, a limb, a single joint"),
    Key("P", "pin what is under the pointer, or right-click it"),
    Key("W E", "move or turn goals, props and forces by their gizmo"),
    Key("Shift", "in steps of 5 cm and 15°, at a gizmo"),
)
"""Keys and gestures that the view hears."""


_SCRIPT = """
document.addEventListener("focusin", ({ target }) => (target.valueBefore = target.value));
document.addEventListener("keydown", (event) => {
  // Who confirms what was typed is done with the field: from then on keys are the page's.
  const field = event.target.closest?.(".field");
  if (event.key === "Enter" && field && !field.matches(".q-select")) {
    setTimeout(() => event.target.blur());
  }
  const keys = KEYS;
  const command = event.ctrlKey || event.metaKey;
  const key = (command ? "ctrl+" : "") + (command && event.shiftKey ? "shift+" : "") +
    (event.key.length === 1 ? event.key.toLowerCase() : event.key);
  if (!keys.includes(key)) return;
  if (key === "Escape") {
    // Menus and dialogs over the page hear it themselves; what the view is about comes first.
    const isTaken = document.querySelector(".q-menu, .q-dialog--modal");
    const isBeside = document.querySelector(".q-dialog--seamless .q-dialog__inner");
    if (isTaken || !isBeside || document.querySelector(".poise-view")?.viewer?.isBusy) return;
    event.preventDefault();
    emitEvent(EVENT, key);
    return;
  }
  const focus = document.activeElement;
  const fields = ["INPUT", "TEXTAREA", "SELECT"];
  const typing = focus && (fields.includes(focus.tagName) || focus.isContentEditable);
  const everywhere = ["ctrl+s", "ctrl+o"].includes(key);
  // In a field into which nothing was typed there is nothing of its own to take back.
  const isChosen = focus?.closest(".q-select") && focus.getAttribute("aria-expanded") !== "true";
  const isUntouched = isChosen || focus?.value === focus?.valueBefore;
  const travels = ["ctrl+z", "ctrl+shift+z", "ctrl+y"].includes(key);
  if (typing && !everywhere && !(travels && isUntouched)) return;
  // What is behind a dialog does not hear; what stands beside one does.
  if (document.querySelector(".q-dialog--modal")) return;
  if (["ctrl+c", "ctrl+v"].includes(key) && String(window.getSelection())) return;
  event.preventDefault();
  emitEvent(EVENT, key);
});
""".replace("KEYS", json.dumps([each.key for each in PAGE])).replace("EVENT", json.dumps(EVENT))


def listen(actions: Mapping[str, Callable[[], Any]]) -> None:
    """Let the page hear the keys of `actions`, by their names in `PAGE`."""
    add_script(_SCRIPT)

    def pressed(event: GenericEventArguments) -> Any:
        action = actions.get(str(event.args))
        return action() if action else None

    ui.on(EVENT, pressed)
