// Goals that are not a point: a line, a plane or one side of it, of which a piece is drawn.
import { THREE, vector } from "../three.js";
import { across } from "./marks.js";

const HALF = 11; // of a piece, in grains
const Z = new THREE.Vector3(0, 0, 1);

/** Axes of a plane's piece: level at its foot, as a wall or a shelf is. */
function level(normal) {
  const side = Math.abs(normal.z) > 0.999 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3().crossVectors(Z, normal);
  const first = across(normal, side);
  return [first, new THREE.Vector3().crossVectors(normal, first)];
}

const isPlane = (space) => space?.kind === "plane" || space?.kind === "half_space";

/**
 * The square that shows a plane.
 * @returns {{goal: object, center: THREE.Vector3, rotation: THREE.Quaternion, size: number}|null}
 */
export function outline(goal, grain) {
  if (!isPlane(goal.space)) return null;
  const normal = vector(goal.space.normal).normalize();
  const turn = new THREE.Matrix4().makeBasis(...level(normal), normal);
  return {
    goal,
    center: vector(goal.position),
    rotation: new THREE.Quaternion().setFromRotationMatrix(turn),
    size: 2 * HALF * grain,
  };
}

/** The lines that show where a site may be. @returns {THREE.Vector3[][]} */
export function pathOf(goal, grain) {
  const at = vector(goal.position);
  const far = HALF * grain;
  if (goal.space?.kind === "line") {
    const way = vector(goal.space.direction).normalize();
    return [[at.clone().addScaledVector(way, -2 * far), at.clone().addScaledVector(way, 2 * far)]];
  }
  if (!isPlane(goal.space)) return [];
  const normal = vector(goal.space.normal).normalize();
  const [u, v] = level(normal);
  const corner = (a, b) => at.clone().addScaledVector(u, a * far).addScaledVector(v, b * far);
  const edge = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
  // An arrow shows the side that is allowed.
  const paths = [edge];
  if (goal.space.kind === "half_space") paths.push([at, at.clone().addScaledVector(normal, 0.5 * far)]);
  return paths;
}
