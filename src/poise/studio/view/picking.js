// What lies under the pointer.
import { THREE, vector } from "./three.js";

const NEAR_GOAL = 13; // pixels
const NEAR_SITE = 10;
const NEAR_PIN = 13;

/**
 * @typedef {object} Hit
 * @property {"gizmo"|"goal"|"force"|"body"|"prop"|"thing"} kind
 * @property {THREE.Vector3} point in the world
 * @property {number} [node]
 * @property {object|null} [site] the site beside the point, if there is one
 */

export class Picker {
  /** @param {import("./viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.raycaster = new THREE.Raycaster();
  }

  /** @param {{clientX: number, clientY: number}} event */
  aim(event) {
    const { left, top, width, height } = this.viewer.element.getBoundingClientRect();
    // A view that has just become the large one may not have been drawn yet.
    this.viewer.look.fit(width / height);
    this.x = event.clientX - left;
    this.y = event.clientY - top;
    const place = new THREE.Vector2((2 * this.x) / width - 1, 1 - (2 * this.y) / height);
    this.raycaster.setFromCamera(place, this.viewer.camera);
    return this.raycaster;
  }

  /** How far (pixels) a point of the world is from where the pointer was aimed last. */
  apart(point) {
    const [x, y] = this.viewer.onScreen(point);
    return Math.hypot(x - this.x, y - this.y);
  }

  /** @returns {Hit|null} */
  under(event) {
    const { gizmo, overlays, stage, camera, height } = this.viewer;
    this.aim(event);
    gizmo.fit(camera, height);
    const handle = gizmo.pick(this.raycaster);
    if (handle) return { kind: "gizmo", point: handle.point, picked: handle };
    const movable = overlays.goals.shown.filter((each) => each.movable !== false);
    const goal = this.#nearest(movable, (each) => vector(each.position), NEAR_GOAL);
    if (goal) return { kind: "goal", point: vector(goal.position), goal };
    const loads = overlays.forces.shown.filter((force) => force.kind === "load");
    const force = this.#nearest(loads, (each) => each.head, NEAR_GOAL);
    if (force) return { kind: "force", point: force.head.clone(), force };
    const hit = this.raycaster.intersectObjects(stage.targets(), false)[0];
    if (!hit) return null;
    const number = stage.nodeOf(hit);
    const node = stage.nodes[number];
    const kind = node.segment ? "body" : node.prop ? "prop" : "thing";
    return { kind, point: hit.point, node: number, site: node.segment ? this.#site(number) : null };
  }

  #site(node) {
    const { stage } = this.viewer;
    const own = stage.sites.filter((site) => site.node === node);
    return this.#nearest(own, (site) => stage.siteAt(site), NEAR_SITE);
  }

  /** The pin whose icon is under the pointer. */
  pin() {
    return this.#nearest(this.viewer.overlays.pins.shown, (pin) => vector(pin.position), NEAR_PIN);
  }

  #nearest(list, placeOf, within) {
    let best = null;
    let least = within;
    for (const each of list) {
      const apart = this.apart(placeOf(each));
      if (apart < least) [best, least] = [each, apart];
    }
    return best;
  }
}
