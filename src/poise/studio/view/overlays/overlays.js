// All that is drawn over the bodies, as the overlays message tells it.
import { THREE, vector } from "../three.js";
import { Balance } from "./balance.js";
import { Forces } from "./forces.js";
import { Goals } from "./goals.js";
import { Limits } from "./limits.js";
import { Pins } from "./pins.js";
import { Sites } from "./sites.js";
import { Torques } from "./torques.js";
import { Traces } from "./traces.js";

export class Overlays {
  /** @param {THREE.Scene} scene @param {import("../labels.js").Labels} labels */
  constructor(scene, labels) {
    this.top = new THREE.Group();
    scene.add(this.top);
    this.balance = new Balance(this.top, labels);
    this.goals = new Goals(this.top, labels);
    this.forces = new Forces(this.top, labels);
    this.torques = new Torques(this.top, labels);
    this.limits = new Limits(this.top, labels);
    this.pins = new Pins(this.top);
    this.traces = new Traces(this.top, labels);
    this.sites = new Sites(this.top, labels);
    this.message = {};
  }

  /**
   * @param {object} message
   * @param {ReturnType<import("../viewer.js").Viewer["context"]>} context
   */
  update(message, context) {
    this.message = message;
    for (const part of [this.balance, this.goals, this.forces, this.torques, this.limits, this.pins, this.traces]) {
      part.update(message, context);
    }
  }

  /** A new frame moves the centre of mass and recruited joints before overlays come again. */
  follow(frame, context) {
    const shown = context.settings.balance !== false && Number.isFinite(frame[4]);
    this.balance.follow(shown ? vector([frame[4], frame[5], frame[6]]) : null, context.grain);
    this.traces.update(this.message, context);
  }
}
