// What is selected, hovered or dragged: what it is called, and where the gizmo stands for it.
import { THREE, quaternion, vector } from "./three.js";
import { isTurned } from "./overlays/goals.js";

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
    return { what: "goal", name, position: vector(goal.position), rotation, turns: isTurned(goal) };
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

const MODES = { body: "whole body", limb: "limb", joint: "single joint" };

/**
 * What is being done, in words: what is dragged and how, or what a key has changed.
 * @param {import("./viewer.js").Viewer} viewer
 * @param {{mode?: string, gizmo?: string}} changed
 * @returns {string|null}
 */
export function wordsFor({ pointer, stage, gizmo, settings, recruited, moves }, changed) {
  const { drag } = pointer;
  if (!drag) {
    if (changed.mode) return `Drag moves: ${MODES[changed.mode]}`;
    if (changed.gizmo) return changed.gizmo === "rotate" ? "Gizmo turns (Shift: 15°)" : "Gizmo moves (Shift: 5 cm)";
    return null;
  }
  const name = titleOf(drag.hit, stage) ?? gizmo.target?.name ?? drag.hit.kind;
  if (drag.hit.kind !== "body") return `${name}   Esc cancels`;
  if (moves.length) return `${name} moves with “${moves.join("”, “")}”, which holds it   Esc cancels`;
  const count = recruited.length;
  const joints = count ? ` · ${count} ${count === 1 ? "joint" : "joints"}` : "";
  return `${name} · ${MODES[settings.mode]}${joints}   Esc cancels, wheel recruits`;
}
