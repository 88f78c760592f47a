// The way that a dragged point has gone, the line from it to the floor, and recruited joints.
import { THREE, triples, vector } from "../three.js";
import { Lines } from "../lines.js";
import { RECRUITED, TRACE } from "../palette.js";
import { Pool, arc, lengthText, plain } from "./marks.js";

const UP = new THREE.Vector3(0, 0, 1);
const X = new THREE.Vector3(1, 0, 0);

export class Traces {
  constructor(top, labels) {
    this.labels = labels;
    this.trace = new Lines({ width: 2.4, opacity: 0.85 });
    this.drop = new Lines({ width: 1.5, opacity: 0.8, dash: [1.1, 0.7] });
    this.landing = new Lines({ width: 2 });
    this.lead = new Lines({ width: 1.6, front: true, dash: [0.6, 0.5] });
    this.knobs = new Pool(top, () => {
      const material = plain(RECRUITED, { front: true, opacity: 0.92 });
      const knob = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), material);
      knob.renderOrder = 7;
      return knob;
    });
    top.add(this.trace, this.drop, this.landing, this.lead);
  }

  update(overlays, { settings, grain, stage, recruited }) {
    this.trace.set(settings.trace ? [{ points: triples(overlays.trace).map(vector), color: TRACE }] : []);
    const lit = stage.jointsOf(recruited);
    this.knobs.show(settings.joints ? stage.joints : lit, (knob, joint) => {
      const isRecruited = lit.includes(joint);
      knob.position.copy(stage.jointAt(joint));
      knob.scale.setScalar((isRecruited ? 0.8 : 0.45) * grain);
      knob.material.color.set(isRecruited ? RECRUITED : "#38424e");
    });
  }

  /**
   * The drop line of what is being moved, and the line from it to where the pointer wants it.
   * @param {THREE.Vector3|null} held @param {THREE.Vector3|null} wanted
   */
  hold(held, wanted, { grain, floor: level }, ink) {
    const away = held && wanted && held.distanceTo(wanted) > 0.8 * grain;
    this.lead.set(away ? [{ points: [held, wanted], color: TRACE }] : []);
    const floor = held ? new THREE.Vector3(held.x, held.y, level + 0.1 * grain) : null;
    const high = floor && held.z > level + 0.5 * grain;
    this.drop.set(high ? [{ points: [held, floor], color: ink }] : []);
    this.landing.set(high ? [{ points: arc(floor, UP, X, 1.1 * grain, 2 * Math.PI), color: ink }] : []);
    this.labels.spare([...(away ? [[held, wanted]] : []), ...(high ? [[held, floor]] : [])]);
    this.labels.set("drop", high ? [{ text: `height ${lengthText(held.z)}`, at: floor, color: ink, rank: 2 }] : []);
  }
}
