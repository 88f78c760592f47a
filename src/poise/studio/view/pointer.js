// Mouse, pen and finger: what is pressed, dragged, clicked, hovered.
import { Drag } from "./dragging.js";
import { Pinch } from "./pinching.js";

const STILL = 4; // pixels; less is a click
const QUICK = 160; // milliseconds; a quick click may slip …
const SLIP = 9; // … by this much

export class Pointer {
  /** @param {import("./viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.press = null;
    this.drag = null;
    this.last = null;
    this.pinch = new Pinch(viewer);
    const element = viewer.element;
    const on = (name, handle, options) => element.addEventListener(name, handle, options);
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", (event) => {
      this.pinch.up(event);
      this.cancel();
    });
    on("pointerleave", () => this.#leave());
    on("wheel", (event) => this.#wheel(event), { passive: false });
    on("contextmenu", (event) => event.preventDefault());
  }

  /** Whether an event is about the picture and not about a button on it. */
  #ours(event) {
    return event.target === this.viewer.canvas;
  }

  #down(event) {
    const { viewer } = this;
    if (!this.#ours(event)) return;
    viewer.canvas.focus({ preventScroll: true });
    viewer.pinning.close();
    if (this.pinch.down(event)) {
      this.cancel(); // what the first finger had begun to drag stays where it was
      return;
    }
    if (this.press) return;
    try {
      viewer.canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that scripts invent cannot be captured; it works without.
    }
    const hit = event.button === 0 ? viewer.picker.under(event) : null;
    const { button, clientX: x, clientY: y, timeStamp: since } = event;
    this.press = { button, hit, x, y, since, moved: false };
    this.last = event;
  }

  #move(event) {
    const { viewer, press } = this;
    if (this.pinch.move(event)) return;
    if (!press) {
      this.hovering = this.#ours(event) ? event : null;
      viewer.invalidate();
      return;
    }
    const [dx, dy] = [event.clientX - this.last.clientX, event.clientY - this.last.clientY];
    const slack = event.timeStamp - press.since < QUICK ? SLIP : STILL;
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < slack) return;
    this.last = event;
    if (!press.moved) {
      press.moved = true;
      const grabs = press.hit && press.hit.kind !== "thing" && !viewer.choosing.picking && viewer.isOpen;
      if (grabs) this.#begin(press.hit);
    }
    if (this.drag) this.drag.move(viewer.picker.aim(event), event.shiftKey);
    else if (press.button === 0) viewer.look.turn(dx, dy, viewer.height);
    else viewer.look.pan(dx, dy, viewer.height);
    viewer.invalidate();
  }

  #begin(hit) {
    this.drag = new Drag(this.viewer, hit);
    this.viewer.canvas.style.cursor = "grabbing";
    this.viewer.hover(null);
    this.viewer.dragging(true);
  }

  #up(event) {
    const { press, viewer } = this;
    if (this.pinch.up(event)) return;
    if (!press || event.button !== press.button) return;
    this.press = null;
    if (this.drag) this.#finish("release");
    else if (!press.moved && press.button === 0) viewer.choosing.click(press.hit);
    else if (!press.moved && press.button === 2) viewer.pinning.open(viewer.picker.under(event), event);
    this.hovering = this.#ours(event) ? event : null;
    viewer.invalidate();
  }

  /** @param {"release"|"cancel"|"abandon"} how */
  #finish(how) {
    const { drag } = this;
    this.drag = null;
    drag.end(how);
    this.viewer.canvas.style.cursor = "";
    this.viewer.dragging(false);
  }

  /** Give up what is being dragged. @returns {boolean} whether something was */
  cancel() {
    const had = Boolean(this.drag);
    if (had) this.#finish("cancel");
    this.press = null;
    this.viewer.invalidate();
    return had;
  }

  /** Let go of what the studio would not give. */
  abandon() {
    this.#finish("abandon");
    this.press = null;
  }

  #wheel(event) {
    if (!this.#ours(event)) return;
    event.preventDefault();
    if (event.ctrlKey) {
      // A pinch on a trackpad comes as a wheel with Ctrl; 70 pixels of it double what is seen.
      this.viewer.look.magnify(Math.exp(-Math.min(Math.max(event.deltaY, -50), 50) / 100));
      this.viewer.invalidate();
      return;
    }
    const lines = event.deltaMode === 1 ? 3 : event.deltaMode === 2 ? 1 : 100;
    const notches = Math.min(Math.max(event.deltaY / lines, -3), 3);
    if (this.drag) this.drag.wheel(notches);
    else this.viewer.look.zoom(notches);
    this.viewer.invalidate();
  }

  /** What lies under a pointer that rests may have moved. */
  lookAgain() {
    this.hovering ??= this.at ?? null;
  }

  #leave() {
    this.hovering = this.at = null;
    if (!this.press) this.viewer.hover(null);
  }

  /** Once an animation frame: what is hovered is looked for only then. */
  update() {
    if (this.press || !this.hovering) return;
    const { viewer } = this;
    const hit = viewer.picker.under(this.hovering);
    viewer.gizmo.light(hit?.kind === "gizmo" ? hit.picked : null);
    viewer.hover(hit);
    const grabs = hit && hit.kind !== "thing";
    viewer.canvas.style.cursor = viewer.choosing.picking ? "crosshair" : grabs ? "grab" : "";
    this.at = this.hovering;
    this.hovering = null;
  }
}
