// Words on small plates over the picture, moved aside where they would cover one another.
import { THREE } from "./three.js";

const HEIGHT = 18;
const GAP = 3;
const EDGE = 24;
const STRIDE = 8;

/**
 * @typedef {object} Label
 * @property {string} text
 * @property {THREE.Vector3} at
 * @property {string} color
 * @property {number} [rank] the higher, the sooner it finds its place
 * @property {boolean} [strong] something is wrong
 * @property {boolean} [title] the name of what is hovered
 */

export class Labels {
  /** @param {HTMLElement} layer */
  constructor(layer) {
    this.layer = layer;
    this.pool = [];
    this.groups = new Map();
    this.lines = [];
    this.placed = [];
    this.widths = new Map();
    this.measure = document.createElement("canvas").getContext("2d");
  }

  /** Replace the words of one kind. @param {string} kind @param {Label[]} labels */
  set(kind, labels) {
    this.groups.set(kind, labels);
  }

  /** Lines that no word may cover: what is being dragged, and where to. @param {THREE.Vector3[][]} lines */
  spare(lines) {
    this.lines = lines;
  }

  /** A line as small boxes along it, in pixels. */
  #boxesAlong([start, end], camera, width, height) {
    const [a, b] = [start, end].map((each) => each.clone().project(camera));
    if (a.z > 1 || b.z > 1) return [];
    const [ax, ay, bx, by] = [(a.x + 1) / 2, (1 - a.y) / 2, (b.x + 1) / 2, (1 - b.y) / 2];
    const count = Math.min(Math.ceil(Math.hypot((bx - ax) * width, (by - ay) * height) / STRIDE), 200);
    return Array.from({ length: count + 1 }, (_, i) => {
      const share = count ? i / count : 0;
      const [x, y] = [(ax + share * (bx - ax)) * width, (ay + share * (by - ay)) * height];
      return { left: x - STRIDE / 2, top: y - STRIDE / 2, width: STRIDE, height: STRIDE };
    });
  }

  /**
   * Put all words where the camera sees their points. The important ones choose first.
   * @param {{left: number, top: number, width: number, height: number}[]} boxes that stay free of words
   * @param {boolean} all whether to say more than what is hovered or wrong
   */
  place(camera, width, height, boxes, all) {
    const wanted = [...this.groups.values()].flat().filter((label) => all || label.strong || label.title);
    const labels = wanted.sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
    const taken = [...boxes, ...this.lines.flatMap((line) => this.#boxesAlong(line, camera, width, height))];
    this.placed = [];
    for (const label of labels) {
      const seen = label.at.clone().project(camera);
      const outside = Math.max(Math.abs(seen.x), Math.abs(seen.y)) > 1.05;
      // What must be known is said at the edge, if its point is beyond it.
      if (seen.z > 1 || (outside && !label.strong)) continue;
      const x = Math.min(Math.max(((seen.x + 1) / 2) * width, EDGE), width - EDGE);
      const y = Math.min(Math.max(((1 - seen.y) / 2) * height, EDGE), height - EDGE);
      const wide = this.#width(label.text) + 12;
      const box = this.#free(x, y, wide, taken, width, height);
      if (!box) continue;
      taken.push(box);
      this.placed.push({ ...box, label });
    }
    this.#show();
  }

  /** The first place beside a point that no other word takes, or none. */
  #free(x, y, wide, taken, width, height) {
    const beside = 9;
    const places = [];
    for (let ring = 0; ring < 4; ring++) {
      const lower = ring * (HEIGHT + GAP);
      for (const side of [beside, -wide - beside]) {
        places.push([x + side, y - HEIGHT / 2 - lower], [x + side, y - HEIGHT / 2 + lower]);
      }
      places.push([x - wide / 2, y - HEIGHT - beside - lower], [x - wide / 2, y + beside + lower]);
    }
    const overlaps = (box) =>
      taken.some(
        (other) =>
          box.left < other.left + other.width + GAP &&
          other.left < box.left + box.width + GAP &&
          box.top < other.top + other.height + GAP &&
          other.top < box.top + HEIGHT + GAP,
      );
    for (const [left, top] of places) {
      const box = { left, top, width: wide, height: HEIGHT };
      const inside = left >= 0 && top >= 0 && left + wide <= width && top + HEIGHT <= height;
      if (inside && !overlaps(box)) return box;
    }
    return null;
  }

  #width(text) {
    if (!this.widths.has(text)) {
      if (this.widths.size > 500) this.widths.clear();
      this.measure.font = "600 11px system-ui, sans-serif";
      this.widths.set(text, Math.ceil(this.measure.measureText(text).width));
    }
    return this.widths.get(text);
  }

  #show() {
    while (this.pool.length < this.placed.length) {
      const plate = document.createElement("div");
      plate.className = "poise-label";
      this.layer.append(plate);
      this.pool.push(plate);
    }
    this.pool.forEach((plate, i) => {
      const entry = this.placed[i];
      plate.style.display = entry ? "" : "none";
      if (!entry) return;
      plate.style.transform = `translate(${Math.round(entry.left)}px, ${Math.round(entry.top)}px)`;
      if (plate.textContent !== entry.label.text) plate.textContent = entry.label.text;
      plate.style.setProperty("--tone", entry.label.color);
      plate.classList.toggle("strong", Boolean(entry.label.strong));
      plate.classList.toggle("title", Boolean(entry.label.title));
    });
  }

  /** The same words on a canvas, for a picture that is kept. @param {CanvasRenderingContext2D} context */
  paint(context, scale, dark) {
    context.save();
    context.scale(scale, scale);
    context.font = "600 11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const { left, top, width, label } of this.placed) {
      context.fillStyle = label.strong ? label.color : dark ? "#1c232bdd" : "#ffffffdd";
      context.beginPath();
      context.roundRect(left, top, width, HEIGHT, 5);
      context.fill();
      context.fillStyle = label.strong ? "#ffffff" : label.color;
      context.fillText(label.text, left + 6, top + HEIGHT / 2 + 0.5);
    }
    context.restore();
  }
}
