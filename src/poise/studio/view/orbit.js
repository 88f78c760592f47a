// Cameras that a person turns about a point, and cameras that look straight from a side.
import { THREE } from "./three.js";

const STEEPEST = 0.495 * Math.PI;
const QUICK = 14; // a second; how fast a camera comes to where it is wanted
const NOTCH = 1.12; // how much nearer or farther a notch of the wheel goes
const FAR = 2; // so many times as far away as it might be, a thing is seen too small

/** Where the eye is: figures face along x and have their left hands towards y, which is up in the view from the top. */
export const SIDES = {
  front: { azimuth: 0, elevation: 0 },
  back: { azimuth: Math.PI, elevation: 0 },
  left: { azimuth: 0.5 * Math.PI, elevation: 0 },
  right: { azimuth: -0.5 * Math.PI, elevation: 0 },
  top: { azimuth: -0.5 * Math.PI, elevation: STEEPEST },
};

/** The main camera: turned by azimuth and elevation about a target, moved closer and away. */
export class Orbit {
  constructor() {
    this.camera = new THREE.PerspectiveCamera(34, 1, 0.02, 200);
    this.camera.up.set(0, 0, 1);
    this.now = { azimuth: -0.72, elevation: 0.2, distance: 4.6, target: new THREE.Vector3(0, 0, 0.9) };
    this.wanted = { ...this.now, target: this.now.target.clone() };
    this.floor = 0;
    this.#apply();
  }

  /** @param {number} dx pixels @param {number} dy @param {number} height of the view */
  turn(dx, dy, height) {
    this.wanted.azimuth -= (dx / height) * 3.4;
    this.wanted.elevation = clamp(this.wanted.elevation + (dy / height) * 3.0, -0.3, STEEPEST);
  }

  pan(dx, dy, height) {
    const metres = (2 * this.wanted.distance * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
    slide(this.wanted.target, this.camera, dx, dy, metres);
  }

  /** @param {number} notches of a wheel; positive is away */
  zoom(notches) {
    this.magnify(NOTCH ** -notches);
  }

  /** @param {number} factor by which things are to be seen larger */
  magnify(factor) {
    this.wanted.distance = clamp(this.wanted.distance / factor, 0.1, 40);
  }

  /** Look from a side, at what is looked at now and from as far away. @param {string} side of `SIDES` */
  face(side) {
    const { azimuth, elevation } = SIDES[side];
    // The short way round.
    const turns = Math.round((this.wanted.azimuth - azimuth) / (2 * Math.PI));
    Object.assign(this.wanted, { azimuth: azimuth + 2 * Math.PI * turns, elevation });
  }

  /** How far away the eye should be to show all of a sphere. */
  #distanceTo(sphere, aspect) {
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * aspect));
    return clamp((1.12 * sphere.radius) / Math.sin(narrow), 0.1, 40);
  }

  /** Whether all of a box is seen, and is not small. @param {THREE.Box3} box @param {number} aspect */
  shows(box, aspect) {
    this.fit(aspect);
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    if (this.camera.position.distanceTo(sphere.center) > FAR * this.#distanceTo(sphere, aspect)) return false;
    const ends = [box.min, box.max];
    for (let i = 0; i < 8; i++) {
      const corner = new THREE.Vector3(ends[i & 1].x, ends[(i >> 1) & 1].y, ends[i >> 2].z).project(this.camera);
      if (corner.z > 1 || Math.max(Math.abs(corner.x), Math.abs(corner.y)) > 1) return false;
    }
    return true;
  }

  /** Show all of a box. @param {THREE.Box3} box @param {number} aspect @param {boolean} atOnce */
  frame(box, aspect, atOnce = false) {
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    // A little more room below, where the page has its tools.
    this.wanted.target.copy(sphere.center).setZ(sphere.center.z - 0.06 * sphere.radius);
    this.wanted.distance = this.#distanceTo(sphere, aspect);
    if (atOnce) {
      Object.assign(this.now, this.wanted, { target: this.wanted.target.clone() });
      this.#apply();
    }
  }

  /** @param {number} seconds since the last time @returns {boolean} whether it still moves */
  update(seconds) {
    const share = 1 - Math.exp(-QUICK * Math.min(seconds, 0.1));
    const { now, wanted } = this;
    const off = this.#off();
    if (off === 0) return false;
    const rest = off < 2e-4;
    now.azimuth = rest ? wanted.azimuth : mix(now.azimuth, wanted.azimuth, share);
    now.elevation = rest ? wanted.elevation : mix(now.elevation, wanted.elevation, share);
    now.distance = rest ? wanted.distance : mix(now.distance, wanted.distance, share);
    if (rest) now.target.copy(wanted.target);
    else now.target.lerp(wanted.target, share);
    this.#apply();
    return true;
  }

  /** Whether it is where it is wanted. */
  get rests() {
    return this.#off() === 0;
  }

  #off() {
    const { now, wanted } = this;
    return (
      Math.abs(wanted.azimuth - now.azimuth) +
      Math.abs(wanted.elevation - now.elevation) +
      Math.abs(Math.log(wanted.distance / now.distance)) +
      wanted.target.distanceTo(now.target) / now.distance
    );
  }

  #apply() {
    const { azimuth, distance, target } = this.now;
    // The eye stays above the floor.
    const lowest = Math.asin(clamp((this.floor + 0.02 * distance - target.z) / distance, -1, 0.3));
    const elevation = Math.max(this.now.elevation, lowest);
    const flatly = Math.cos(elevation);
    this.camera.position
      .set(flatly * Math.cos(azimuth), flatly * Math.sin(azimuth), Math.sin(elevation))
      .multiplyScalar(distance)
      .add(target);
    this.camera.near = Math.max(0.01, 0.02 * distance);
    this.camera.lookAt(target);
    this.camera.updateMatrixWorld();
  }

  /** @param {number} aspect width to height */
  fit(aspect) {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }
}

/** A camera without perspective that looks along an axis and follows the figure. */
export class Elevation {
  /** @param {number[]} from where it looks from, as a direction @param {number[]} up */
  constructor(from, up) {
    this.from = new THREE.Vector3(...from);
    this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, 60);
    this.camera.up.set(...up);
    this.shift = new THREE.Vector3();
    this.scale = 1;
    this.size = 2;
    this.middle = new THREE.Vector3();
  }

  /** @param {THREE.Box3} box of the figure */
  follow(box) {
    const sides = box.getSize(new THREE.Vector3());
    // What is seen of the box: not its depth.
    const seen = [0, 1, 2].filter((k) => !this.from.getComponent(k));
    const size = 1.25 * Math.max(...seen.map((k) => sides.getComponent(k)));
    const middle = box.getCenter(new THREE.Vector3());
    // It follows only when the figure has gone some way: a view that always moves shows no motion.
    if (this.size < 0.85 * size || this.size > 1.6 * size || !this.placed) this.size = size;
    if (this.middle.distanceTo(middle) > 0.12 * this.size || !this.placed) this.middle.copy(middle);
    this.placed = true;
  }

  pan(dx, dy, height) {
    slide(this.shift, this.camera, dx, dy, (this.size * this.scale) / height);
  }

  turn(dx, dy, height) {
    this.pan(dx, dy, height);
  }

  zoom(notches) {
    this.magnify(NOTCH ** -notches);
  }

  magnify(factor) {
    this.scale = clamp(this.scale / factor, 0.05, 20);
  }

  frame(box) {
    this.placed = false;
    this.follow(box);
    this.shift.set(0, 0, 0);
    this.scale = 1;
  }

  update() {
    return false;
  }

  get rests() {
    return true;
  }

  fit(aspect, inset = false) {
    const half = (this.size * (inset ? 1 : this.scale)) / 2;
    const wide = aspect < 1 ? half / aspect : half;
    Object.assign(this.camera, { top: wide, bottom: -wide, left: -wide * aspect, right: wide * aspect });
    const target = this.middle.clone();
    if (!inset) target.add(this.shift);
    this.camera.position.copy(target).addScaledVector(this.from, 20);
    this.camera.lookAt(target);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const mix = (a, b, share) => a + share * (b - a);

/** Move a point with the pointer, in the plane of a camera. */
function slide(point, camera, dx, dy, metres) {
  const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
  const up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
  point.addScaledVector(right, -dx * metres).addScaledVector(up, dy * metres);
}
