// Goals: where tasks want their sites, tied to these by a line while they are not met.
import { THREE, quaternion, vector } from "../three.js";
import { Lines } from "../lines.js";
import { AXES, SELECTED, STATES } from "../palette.js";
import { Pool, errorText, plain } from "./marks.js";

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
    this.ties = new Lines({ width: 2, front: true, dash: [0.018, 0.012] });
    top.add(this.spokes, this.frames, this.ties);
  }

  update(overlays, { settings, grain, selection }) {
    const goals = settings.goals === false ? [] : (overlays.goals ?? []).filter((goal) => goal.position);
    this.shown = goals;
    const colorOf = (goal) => STATES[goal.state] ?? STATES.off;
    const chosen = (goal) => goal.selected || (selection.kind === "task" && selection.name === goal.task);
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
        if (goal.rotation) {
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
      if (site && site.distanceTo(at) > 0.3 * grain) ties.push({ points: [site, at], color: colorOf(goal) });
      const middle = site ? site.clone().add(at).multiplyScalar(0.5) : at;
      labels.push({ text: errorText(goal.error, goal.unit), at: middle, color: colorOf(goal), rank: 8, strong: true });
    }
    this.spokes.set(spokes);
    this.frames.set(frames);
    this.ties.set(ties);
    this.labels.set("goals", labels);
  }
}
