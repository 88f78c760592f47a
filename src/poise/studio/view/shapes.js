// Geometry of the shapes that segments carry, in the axes of their node.
import { THREE, flat, quaternion, vector } from "./three.js";

const UP = new THREE.Vector3(0, 1, 0); // three.js turns its profiles about y

/**
 * @param {object} shape as the stage message has it
 * @param {number} sides how many sides a round thing has
 * @returns {THREE.BufferGeometry}
 */
export function geometryOf(shape, sides) {
  switch (shape.kind) {
    case "sphere":
      return new THREE.SphereGeometry(shape.radius, sides, sides / 2).translate(...shape.center);
    case "ellipsoid":
      return turned(new THREE.SphereGeometry(1, sides, Math.ceil(0.6 * sides)).scale(...shape.radii), shape);
    case "box":
      return turned(new THREE.BoxGeometry(...shape.size), shape);
    case "cylinder": {
      const length = vector(shape.end).sub(vector(shape.start)).length();
      const upright = new THREE.CylinderGeometry(shape.radius, shape.radius, length, sides);
      return between(upright.translate(0, length / 2, 0), shape);
    }
    case "capsule":
      return capsule(shape, shape.radius, shape.radius, sides);
    case "tapered_capsule":
      return capsule(shape, shape.start_radius, shape.end_radius, sides);
    case "mesh":
      return triangles(flat(shape.vertices), flat(shape.triangles));
    default:
      throw new Error(`a shape of unknown kind ${shape.kind}`);
  }
}

/** The hull of two balls: two caps and the cone that touches both, turned on a lathe. */
function capsule(shape, first, second, sides) {
  const length = vector(shape.end).sub(vector(shape.start)).length();
  // The cone leaves both balls at the same angle above their equators.
  const edge = Math.asin((first - second) / length);
  const steps = Math.max(4, Math.round(sides / 3));
  const profile = [];
  for (let i = 0; i <= steps; i++) {
    const angle = -Math.PI / 2 + ((edge + Math.PI / 2) * i) / steps;
    profile.push(new THREE.Vector2(Math.max(first * Math.cos(angle), 0), first * Math.sin(angle)));
  }
  for (let i = 0; i <= steps; i++) {
    const angle = edge + ((Math.PI / 2 - edge) * i) / steps;
    profile.push(new THREE.Vector2(Math.max(second * Math.cos(angle), 0), length + second * Math.sin(angle)));
  }
  return between(new THREE.LatheGeometry(profile, sides), shape);
}

/** Triangles as they are given, with smooth normals. */
export function triangles(points, corners) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(corners);
  geometry.computeVertexNormals();
  return geometry;
}

function turned(geometry, shape) {
  if (shape.rotation) geometry.applyQuaternion(quaternion(shape.rotation));
  return geometry.translate(...shape.center);
}

function between(geometry, shape) {
  const way = vector(shape.end).sub(vector(shape.start)).normalize();
  const turn = new THREE.Quaternion().setFromUnitVectors(UP, way);
  return geometry.applyQuaternion(turn).translate(...shape.start);
}

/** Several geometries as one, so that a segment is drawn at once. @param {THREE.BufferGeometry[]} parts */
export function merged(parts) {
  const positions = [];
  const normals = [];
  const corners = [];
  for (const part of parts) {
    const offset = positions.length / 3;
    const index = part.index?.array ?? Uint32Array.from({ length: part.attributes.position.count }, (_, i) => i);
    for (const corner of index) corners.push(corner + offset);
    for (const value of part.attributes.position.array) positions.push(value);
    for (const value of part.attributes.normal.array) normals.push(value);
    part.dispose();
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  geometry.setIndex(corners);
  return geometry;
}

/** Points of a shape's skeleton in its node, for stick figures. @returns {THREE.Vector3[]} */
export function endsOf(shape) {
  if (shape.start) return [vector(shape.start), vector(shape.end)];
  if (shape.center) return [vector(shape.center)];
  return [];
}
