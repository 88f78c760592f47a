// The choice of a pin, as a row of icons at the place.
import { pinPath } from "./pin_icons.js";

const KINDS = [
  ["free", "Free"],
  ["position", "Keep the position"],
  ["rotation", "Keep the rotation"],
  ["both", "Keep both"],
];

/** @param {string} kind of a pin @returns {SVGElement} its drawing */
const icon = (kind) => {
  const [svg, path] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  const given = { viewBox: "0 0 24 24", width: "22", height: "22" };
  for (const [name, value] of Object.entries(given)) svg.setAttribute(name, value);
  path.setAttribute("d", pinPath(kind));
  svg.append(path);
  return svg;
};

export class PinMenu {
  /** @param {HTMLElement} layer @param {(place: object, kind: string) => void} choose */
  constructor(layer, choose) {
    this.choose = choose;
    this.element = document.createElement("div");
    this.element.className = "poise-pins";
    this.element.setAttribute("role", "menu");
    this.element.hidden = true;
    this.title = document.createElement("span");
    this.element.append(this.title);
    this.buttons = KINDS.map(([kind, words]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.title = words;
      button.setAttribute("role", "menuitemradio");
      button.setAttribute("aria-label", words);
      button.dataset.kind = kind;
      button.append(icon(kind));
      button.addEventListener("click", () => this.#take(kind));
      this.element.append(button);
      return button;
    });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    layer.append(this.element);
  }

  /**
   * @param {{site?: string, segment?: string, point?: number[], title: string}} place
   * @param {string} kind how it is pinned now
   */
  open(place, kind, x, y, width, height) {
    this.place = place;
    this.now = kind;
    this.title.textContent = place.title;
    this.element.hidden = false;
    for (const button of this.buttons) {
      const now = button.dataset.kind === kind;
      button.hidden = button.dataset.kind === "free" && !place.site;
      button.classList.toggle("now", now);
      button.setAttribute("aria-checked", String(now));
    }
    const [wide, high] = [this.element.offsetWidth, this.element.offsetHeight];
    const left = Math.min(Math.max(x - wide / 2, 6), width - wide - 6);
    const top = y - high - 14 < 6 ? y + 14 : y - high - 14;
    this.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    const shown = this.buttons.filter((button) => !button.hidden);
    const first = shown.find((button) => button.dataset.kind === kind) ?? shown[0];
    first.focus({ preventScroll: true });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  close() {
    this.element.hidden = true;
  }

  #take(kind) {
    this.close();
    if (kind !== this.now) this.choose(this.place, kind);
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") this.close();
    else if (step) {
      const shown = this.buttons.filter((button) => !button.hidden);
      const now = shown.indexOf(document.activeElement);
      shown[(now + step + shown.length) % shown.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
