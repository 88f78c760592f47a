// What joints hold: arcs as long as the moment is great, coloured by share of strength.
import { THREE, vector } from "../three.js";
import { Lines } from "../lines.js";
import { effort } from "../palette.js";
import { Pool, across, arc, digits, plain } from "./marks.js";

const RADIUS = 4.0; // of an arc, in grains
const MOST = (300 * Math.PI) / 180; // how far round the greatest moment goes
const SLIGHT = 0.03; // below this share of the greatest there is no arc
const WORDS = 7; // arcs with numbers
const Z = new THREE.Vector3(0, 0, 1);

export class Torques {
  constructor(top, labels) {
    this.labels = labels;
    this.arcs = new Lines({ width: 4, front: true, opacity: 0.95 });
    this.heads = new Pool(top, () => {
      const tip = new THREE.ConeGeometry(1, 1, 18).rotateX(Math.PI / 2).translate(0, 0, 0.5);
      const head = new THREE.Mesh(tip, plain("#000000", { front: true }));
      head.renderOrder = 9;
      return head;
    });
    top.add(this.arcs);
  }

  update(overlays, { settings, grain, middle, selection }) {
    const torques = settings.torques ? overlays.torques ?? [] : [];
    const most = Math.max(...torques.map((each) => Math.abs(each.moment)), 1e-9);
    const drawn = torques
      .filter((each) => Math.abs(each.moment) > SLIGHT * most)
      .map((each) => {
        const axis = vector(each.axis).normalize().multiplyScalar(Math.sign(each.moment));
        const at = vector(each.at);
        // From the side that is away from the figure's middle, where there is room.
        const out = across(axis, at.clone().sub(middle));
        const angle = Math.max((MOST * Math.abs(each.moment)) / most, 0.25);
        const points = arc(at, axis, out, RADIUS * grain, angle);
        return { ...each, color: effort(each.share), points };
      });
    this.arcs.set(drawn.map(({ points, color }) => ({ points, color })));
    this.heads.show(drawn, (head, { points, color }) => {
      const tip = points[points.length - 1];
      const way = tip.clone().sub(points[points.length - 2]).normalize();
      head.position.copy(tip);
      head.quaternion.setFromUnitVectors(Z, way);
      head.scale.set(0.75 * grain, 0.75 * grain, 1.7 * grain);
      head.material.color.set(color);
    });
    const told = settings.labels === false ? [] : wholes(drawn, selection).slice(0, WORDS);
    this.labels.set(
      "torques",
      told.map((each) => ({
        text: `${digits(each.whole)} N·m` + (each.share == null ? "" : ` · ${Math.round(100 * each.share)} %`),
        at: each.points[Math.floor(each.points.length / 2)],
        color: each.color,
        rank: 3 + (each.share ?? 0),
      })),
    );
  }
}

/** Of the arcs of each joint the longest, with what all of them make together; the hardest first. */
function wholes(drawn, selection) {
  const joints = new Map();
  for (const each of drawn) {
    const known = joints.get(each.joint);
    const whole = Math.hypot(known?.whole ?? 0, each.moment);
    const longest = known && Math.abs(known.moment) > Math.abs(each.moment) ? known : each;
    joints.set(each.joint, { ...longest, whole });
  }
  const weight = (each) => (each.share ?? 0) + (selection.kind === "joint" && selection.name === each.joint ? 10 : 0);
  return [...joints.values()].sort((a, b) => weight(b) - weight(a) || b.whole - a.whole);
}
