// The view's keys. They are not ours while a person writes in a field or a dialog lies over the view.

const MODES = { 1: "body", 2: "limb", 3: "joint" };
const GIZMOS = { w: "move", e: "rotate" };
const SIDES = { 4: "front", 5: "back", 6: "left", 7: "right", 8: "top" };

/** Whether keys belong to something else now. */
function isTaken() {
  const focus = document.activeElement;
  if (focus?.closest?.("input, textarea, select, [contenteditable=true], .cm-editor")) return true;
  return Boolean(document.querySelector(".q-dialog--modal, .q-menu"));
}

/** @param {import("./viewer.js").Viewer} viewer @returns {() => void} what takes the keys away */
export function listen(viewer) {
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    // A drag can always be given up, wherever the focus is.
    if (event.key === "Escape" && viewer.pointer.cancel()) return event.preventDefault();
    if (isTaken()) return;
    const key = event.key.toLowerCase();
    if (MODES[key]) viewer.change({ mode: MODES[key] });
    else if (GIZMOS[key]) viewer.change({ gizmo: GIZMOS[key] });
    else if (SIDES[key]) viewer.insets.face(SIDES[key]);
    else if (key === "f") viewer.frame();
    else if (key === "p") viewer.pinning.openHere();
    else if (key === "escape") viewer.choosing.escape();
    else return;
    event.preventDefault();
  };
  window.addEventListener("keydown", pressed);
  return () => window.removeEventListener("keydown", pressed);
}
