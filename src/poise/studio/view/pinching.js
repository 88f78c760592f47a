// Two fingers on the view: they zoom by how far apart they are, and shift by where they are.

export class Pinch {
  /** @param {import("./viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.fingers = new Map();
    this.isOn = false;
  }

  /** @param {PointerEvent} event @returns {boolean} whether it belongs to a pinch */
  down(event) {
    if (event.pointerType !== "touch") return false;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    this.isOn ||= this.fingers.size > 1;
    return this.isOn;
  }

  /** @param {PointerEvent} event @returns {boolean} whether it belongs to a pinch */
  move(event) {
    if (!this.fingers.has(event.pointerId)) return false;
    const before = this.#spread();
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const after = this.#spread();
    if (before && after) {
      const { viewer } = this;
      viewer.look.magnify(after.gap / before.gap);
      viewer.look.pan(after.x - before.x, after.y - before.y, viewer.height);
      viewer.invalidate();
    }
    return this.isOn;
  }

  /** A pinch ends with its last finger. @param {PointerEvent} event @returns {boolean} whether it belonged to one */
  up(event) {
    const was = this.fingers.delete(event.pointerId) && this.isOn;
    if (!this.fingers.size) this.isOn = false;
    return was;
  }

  /** How far apart two fingers are, and the middle between them; null where there are not two. */
  #spread() {
    if (this.fingers.size !== 2) return null;
    const [[ax, ay], [bx, by]] = this.fingers.values();
    return { gap: Math.max(Math.hypot(ax - bx, ay - by), 1), x: (ax + bx) / 2, y: (ay + by) / 2 };
  }
}
