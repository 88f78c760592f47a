// The main view and two small ones, from the side and from above, that change places on a click.
import { Elevation, Orbit } from "./orbit.js";

const GAP = 12;

export class Insets {
  /** @param {import("./viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.views = {
      free: new Orbit(),
      side: new Elevation([0, -1, 0], [0, 0, 1]),
      top: new Elevation([0, 0, 1], [0, 1, 0]),
    };
    this.order = ["free", "side", "top"];
    this.shown = true;
    this.frames = [1, 2].map((place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "poise-inset";
      button.append(document.createElement("span"));
      button.addEventListener("click", () => this.swap(place));
      viewer.layer.append(button);
      return button;
    });
    this.#name();
  }

  /** The view that fills the page. */
  get main() {
    return this.views[this.order[0]];
  }

  get mainName() {
    return this.order[0];
  }

  /** Enlarge a small view; the others keep their order. @param {number} place 1 or 2 */
  swap(place) {
    this.viewer.pointer.cancel();
    const main = this.order[place];
    this.order = [main, ...Object.keys(this.views).filter((name) => name !== main)];
    this.#name();
    this.viewer.invalidate();
  }

  /** Look from a side, in perspective. @param {string} side */
  face(side) {
    const place = this.order.indexOf("free");
    if (place > 0) this.swap(place);
    this.views.free.face(side);
    this.viewer.invalidate();
  }

  #name() {
    this.frames.forEach((button, i) => {
      const name = this.order[i + 1];
      button.firstChild.textContent = name === "free" ? "perspective" : name;
      button.title = `Enlarge the ${name === "free" ? "perspective" : name} view`;
      button.setAttribute("aria-label", button.title);
    });
  }

  show(on) {
    this.shown = on;
    this.layOut(this.viewer.width, this.viewer.height);
  }

  layOut(width, height) {
    const size = Math.round(Math.min(Math.max(0.17 * width, 120), 220, (height - 3 * GAP) / 3.4));
    const visible = this.shown && width > 480 && height > 320;
    this.rectangles = this.frames.map((button, i) => {
      const box = { left: GAP, top: height - (2 - i) * (size + GAP), width: size, height: size };
      button.hidden = !visible;
      for (const [name, value] of Object.entries(box)) button.style[name] = `${value}px`;
      return box;
    });
    this.visible = visible;
  }

  /** Where the small views are. @returns {{left: number, top: number, width: number, height: number}[]} */
  boxes() {
    return this.visible ? this.rectangles : [];
  }

  /** @param {import("three").Box3} box of the figures */
  follow(box) {
    this.views.side.follow(box);
    this.views.top.follow(box);
  }

  /** Whether the perspective view shows all of a box, and not from afar. @param {import("three").Box3} box */
  shows(box) {
    return this.views.free.shows(box, this.viewer.width / this.viewer.height);
  }

  frame(box, atOnce = false) {
    const { width, height } = this.viewer;
    this.views.side.frame(box);
    this.views.top.frame(box);
    this.views.free.frame(box, width / height, atOnce);
  }
}
