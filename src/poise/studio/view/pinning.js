// Pinning: the menu of pins where the pointer is, or at the selected site.
import { PinMenu } from "./pin_menu.js";

export class Pinning {
  /** @param {import("./viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.menu = new PinMenu(viewer.layer, (place, kind) => this.#pin(place, kind));
  }

  get isOpen() {
    return this.menu.isOpen;
  }

  close() {
    this.menu.close();
  }

  /**
   * Ask how to pin what lies under the pointer: a pin's icon, a site, else the point of the body.
   * @param {import("./picking.js").Hit|null} hit
   * @param {{clientX: number, clientY: number}} event
   */
  open(hit, event) {
    const { picker, stage, overlays, width, height } = this.viewer;
    picker.aim(event);
    const site = picker.pin()?.site ?? hit?.site?.name ?? null;
    if (!site && hit?.kind !== "body") return;
    const place = site ? { site, title: site } : pointOf(stage, hit);
    const now = overlays.pins.shown.find((each) => each.site === site)?.kind ?? "free";
    this.menu.open(place, now, picker.x, picker.y, width, height);
  }

  /** The same by a key. */
  openHere() {
    const { stage, selection, hovered, pointer, notices } = this.viewer;
    if (hovered?.kind === "body") return this.open(hovered, pointer.at ?? this.#eventAt(hovered.point));
    const site = selection.kind === "site" && stage.sites.find((each) => each.name === selection.name);
    if (!site) return notices.pass("Point at the body, or select a site, then press P.");
    const point = stage.siteAt(site);
    this.open({ kind: "body", site, point, node: site.node }, this.#eventAt(point));
  }

  /** Where the pointer would have to be for a point. */
  #eventAt(point) {
    const box = this.viewer.element.getBoundingClientRect();
    const [x, y] = this.viewer.onScreen(point);
    return { clientX: box.left + x, clientY: box.top + y };
  }

  #pin({ title, ...place }, kind) {
    this.viewer.send({ do: "pin", ...place, kind });
    this.viewer.canvas.focus({ preventScroll: true });
  }
}

/** A point of the body, in the axes of its segment. */
function pointOf(stage, hit) {
  const { name } = stage.nodes[hit.node];
  return { segment: name, point: stage.inside(hit.node, hit.point).toArray(), title: name };
}
