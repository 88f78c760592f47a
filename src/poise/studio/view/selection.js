// What is selected or hovered: its title, and where the gizmo stands for it.
import { THREE, quaternion, vector } from "./three.js";

/** What to call a thing under the pointer. @param {import("./picking.js").Hit|null} hit */
export function titleOf(hit, stage) {
  if (!hit) return null;
  if (hit.kind === "goal") return hit.goal.task;
  if (hit.kind === "force") return hit.force.name;
  if (hit.site) return `${hit.site.name} (site)`;
  if (hit.node === undefined) return null;
  const node = stage.nodes[hit.node];
  return node.segment ? node.name : node.prop ?? node.obstacle ?? node.name;
}

/**
 * Where the gizmo stands: on the goal of the selected task, a selected prop or a load's head.
 * @param {import("./viewer.js").Viewer} viewer
 */
export function gizmoTarget({ selection, overlays, stage }) {
  const { kind, name } = selection;
  if (kind === "task") {
    const goal = overlays.goals.shown.find((each) => each.task === name && each.movable !== false);
    if (!goal) return null;
    const rotation = goal.rotation ? quaternion(goal.rotation) : null;
    return { what: "goal", name, position: vector(goal.position), rotation, turns: Boolean(rotation) };
  }
  if (kind === "prop") {
    const number = stage.nodes.findIndex((node) => node.prop === name);
    if (number < 0) return null;
    const [position, rotation] = [new THREE.Vector3(), new THREE.Quaternion()];
    stage.groups[number].matrix.decompose(position, rotation, new THREE.Vector3());
    return { what: "prop", name, position, rotation, turns: true };
  }
  if (kind === "force") {
    const force = overlays.forces.shown.find((each) => each.name === name && each.kind === "load");
    return force ? { what: "force", name, position: force.head.clone(), rotation: null, turns: false } : null;
  }
  return null;
}
