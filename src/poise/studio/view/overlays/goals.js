// Goals: where tasks want their sites, tied to these by a line while they are not met.
import { THREE, quaternion, vector } from "../three.js";
import { Lines } from "../lines.js";
import { AXES, SELECTED, STATES } from "../palette.js";
import { Pool, errorText, plain } from "./marks.js";
import { outline, pathOf } from "./spaces.js";

/** Whether a task wants its site turned, so that the goal's axes say something. @param {object} goal */
export const isTurned = (goal) => Boolean(goal.rotation) && ["frame", "orientation"].includes(goal.kind);

export class Goals {
  constructor(top, labels) {
    this.labels = labels;
    this.shown = [];
    this.balls = new Pool(top, () => {
      const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), plain("#000000", { front: true, opacity: 0.9 }));
      ball.renderOrder = 7;
      return ball;
    });
    this.spokes = new Lines({ width: 2, front: true });
    this.frames = new Lines({ width: 2.4, front: true });
    this.ties = new Lines({ width: 2, front: true, dash: [0.9, 0.6] });
    this.spaces = new Lines({ width: 1.6, opacity: 0.75 });
    this.patches = new Pool(top, () => {
      const glass = plain("#000000", { opacity: 0.14, side: THREE.DoubleSide });
      const patch = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), glass);
      patch.renderOrder = 3;
      return patch;
    });
    top.add(this.spokes, this.frames, this.ties, this.spaces);
  }

  update(overlays, { settings, grain, selection }) {
    const colorOf = (goal) => STATES[goal.state] ?? STATES.off;
    const chosen = (goal) => selection.kind === "task" && selection.name === goal.task;
    const pinned = new Set((overlays.pins ?? []).map((pin) => pin.task));
    // A pin that holds is shown by its icon.
    const quiet = (goal) => pinned.has(goal.task) && goal.state === "met" && !chosen(goal) && settings.pins !== false;
    const all = settings.goals === false ? [] : overlays.goals ?? [];
    const goals = all.filter((goal) => goal.position && !quiet(goal));
    this.shown = goals;
    this.balls.show(goals, (ball, goal) => {
      ball.position.copy(vector(goal.position));
      ball.scale.setScalar((chosen(goal) ? 1.1 : 0.75) * grain);
      ball.material.color.set(chosen(goal) ? SELECTED : colorOf(goal));
    });
    const spokes = [];
    const frames = [];
    const ties = [];
    const labels = [];
    for (const goal of goals) {
      const at = vector(goal.position);
      for (let k = 0; k < 3; k++) {
        const axis = new THREE.Vector3().setComponent(k, 1);
        if (isTurned(goal)) {
          axis.applyQuaternion(quaternion(goal.rotation));
          frames.push({ points: [at, at.clone().addScaledVector(axis, 4.2 * grain)], color: AXES[k] });
          continue;
        }
        for (const sign of [-1, 1]) {
          const points = [1.2, 2.4].map((r) => at.clone().addScaledVector(axis, sign * r * grain));
          spokes.push({ points, color: colorOf(goal) });
        }
      }
      const site = goal.site_position ? vector(goal.site_position) : null;
      const unmet = goal.state === "partly" || goal.state === "failed";
      if (!unmet) continue;
      const color = colorOf(goal);
      const apart = site && site.distanceTo(at) > 0.3 * grain;
      if (apart && goal.space?.kind !== "plane") ties.push({ points: [site, at], color });
      const middle = site ? site.clone().add(at).multiplyScalar(0.5) : at;
      const text = goal.text || errorText(goal.error, goal.unit);
      labels.push({ text, at: middle, color, rank: 8, strong: true });
    }
    const planes = goals.map((goal) => outline(goal, grain)).filter(Boolean);
    this.patches.show(planes, (patch, { center, rotation, size, goal }) => {
      patch.position.copy(center);
      patch.quaternion.copy(rotation);
      patch.scale.setScalar(size);
      patch.material.color.set(colorOf(goal));
    });
    this.spaces.set(goals.flatMap((goal) => pathOf(goal, grain).map((points) => ({ points, color: colorOf(goal) }))));
    this.spokes.set(spokes);
    this.frames.set(frames);
    this.ties.set(ties);
    this.labels.set("goals", labels);
  }
}
