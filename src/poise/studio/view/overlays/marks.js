// Small things that overlays are made of.
import { THREE } from "../three.js";

const Z = new THREE.Vector3(0, 0, 1);

/** A plain material for marks: no light, no shade. */
export function plain(color, { opacity = 1, front = false, side = THREE.FrontSide } = {}) {
  return new THREE.MeshBasicMaterial({
    color,
    opacity,
    side,
    transparent: opacity < 1 || front,
    depthTest: !front,
    depthWrite: opacity === 1 && !front,
    toneMapped: false,
    fog: false,
  });
}

const SHAFT = new THREE.CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const HEAD = new THREE.ConeGeometry(1, 1, 22).rotateX(Math.PI / 2).translate(0, 0, -0.5);

/** An arrow from a point along a vector. */
export class Arrow extends THREE.Group {
  constructor({ front = false } = {}) {
    super();
    this.material = plain("#000000", { front });
    this.shaft = new THREE.Mesh(SHAFT, this.material);
    this.head = new THREE.Mesh(HEAD, this.material);
    this.shaft.renderOrder = this.head.renderOrder = 6;
    this.add(this.shaft, this.head);
  }

  /** @param {THREE.Vector3} start @param {THREE.Vector3} way with its length @param {number} radius of the shaft */
  set(start, way, radius, color) {
    const length = way.length();
    this.visible = length > 1e-6;
    if (!this.visible) return;
    const tip = Math.min(8 * radius, 0.6 * length);
    this.material.color.set(color);
    this.position.copy(start);
    this.quaternion.setFromUnitVectors(Z, way.clone().divideScalar(length));
    this.shaft.scale.set(radius, radius, Math.max(length - tip, 1e-5));
    this.head.scale.set(2.6 * radius, 2.6 * radius, tip);
    this.head.position.z = length;
  }
}

/** As many things as a list has entries; those that are not needed are hidden, not thrown away. */
export class Pool {
  /** @param {THREE.Object3D} top @param {() => THREE.Object3D} make */
  constructor(top, make) {
    this.top = top;
    this.make = make;
    this.things = [];
  }

  /** @template T @param {T[]} list @param {(thing: THREE.Object3D, entry: T) => void} set */
  show(list, set) {
    while (this.things.length < list.length) {
      const thing = this.make();
      this.things.push(thing);
      this.top.add(thing);
    }
    this.things.forEach((thing, i) => {
      thing.visible = i < list.length;
      if (i < list.length) set(thing, list[i]);
    });
  }
}

/** Points of an arc about an axis. @returns {THREE.Vector3[]} */
export function arc(center, axis, across, radius, angle) {
  const side = new THREE.Vector3().crossVectors(axis, across);
  const count = Math.max(8, Math.ceil(Math.abs(angle) * 14));
  return Array.from({ length: count + 1 }, (_, i) => {
    const turn = (angle * i) / count;
    return center
      .clone()
      .addScaledVector(across, radius * Math.cos(turn))
      .addScaledVector(side, radius * Math.sin(turn));
  });
}

/** A unit vector at right angles to a unit axis, as near as can be to a wish. */
export function across(axis, wish) {
  const result = wish.clone().addScaledVector(axis, -wish.dot(axis));
  if (result.lengthSq() < 1e-12) {
    const least = [0, 1, 2].reduce((a, b) => (Math.abs(axis.getComponent(b)) < Math.abs(axis.getComponent(a)) ? b : a));
    result.set(0, 0, 0).setComponent(least, 1).addScaledVector(axis, -axis.getComponent(least));
  }
  return result.normalize();
}

/** A length in the unit that suits it. @param {number} metres */
export function lengthText(metres) {
  const millimetres = 1000 * metres;
  if (Math.abs(millimetres) >= 1000) return `${metres.toFixed(2)} m`;
  return `${millimetres.toFixed(Math.abs(millimetres) < 10 ? 1 : 0)} mm`;
}

/** Three digits, as a person would write them. @param {number} value */
export function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** An error with the unit it came in: metres as millimetres, radians as degrees. */
export function errorText(error, unit) {
  if (unit === "m") return lengthText(error);
  if (unit === "rad") return `${((error * 180) / Math.PI).toFixed(1)}°`;
  return `${digits(error)} ${unit ?? ""}`.trim();
}
