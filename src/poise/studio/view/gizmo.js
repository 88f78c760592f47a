// Handles to move and turn a goal, a prop or the head of a force's arrow.
import { THREE } from "./three.js";
import { AXES, HOVER } from "./palette.js";
import { across, plain } from "./overlays/marks.js";

const PIXELS = 92; // how long an arm is on the screen
const STEP = 0.05; // metres, with Shift
const TURN = Math.PI / 12; // 15 degrees, with Shift
const UNITS = [0, 1, 2].map((k) => new THREE.Vector3().setComponent(k, 1));

/**
 * @typedef {object} Target
 * @property {"goal"|"prop"|"force"} what
 * @property {string} name
 * @property {THREE.Vector3} position
 * @property {THREE.Quaternion|null} rotation
 * @property {boolean} turns whether it can be turned
 */
/** @typedef {{kind: "axis"|"plane"|"ring"|"free", axis: number}} Handle */

export class Gizmo {
  /** @param {THREE.Object3D} top */
  constructor(top) {
    this.top = new THREE.Group();
    this.mode = "move";
    this.target = null;
    this.drag = null;
    this.moving = new THREE.Group();
    this.turning = new THREE.Group();
    this.handles = [];
    for (let axis = 0; axis < 3; axis++) {
      this.#arm(axis);
      this.#square(axis);
      this.#ring(axis);
    }
    const white = plain("#ffffff", { front: true, opacity: 0.95 });
    const ball = new THREE.Mesh(new THREE.SphereGeometry(0.085, 20, 14), white);
    this.#handle(this.moving, ball, { kind: "free", axis: -1 }, 14);
    this.top.add(this.moving, this.turning);
    this.top.visible = false;
    top.add(this.top);
  }

  #handle(parent, mesh, handle, order = 13) {
    mesh.renderOrder = order;
    mesh.userData.handle = handle;
    this.handles.push(mesh);
    parent.add(mesh);
  }

  #arm(axis) {
    const turn = new THREE.Quaternion().setFromUnitVectors(UNITS[1], UNITS[axis]);
    const material = plain(AXES[axis], { front: true });
    const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.016, 0.016, 0.72, 10).translate(0, 0.5, 0), material);
    const head = new THREE.Mesh(new THREE.ConeGeometry(0.062, 0.2, 18).translate(0, 0.95, 0), material);
    const thick = new THREE.CylinderGeometry(0.075, 0.075, 0.9, 8).translate(0, 0.62, 0);
    const reach = new THREE.Mesh(thick, plain("#000000"));
    reach.visible = false; // what the pointer can take is thicker than what is seen
    for (const mesh of [shaft, head]) {
      mesh.quaternion.copy(turn);
      mesh.renderOrder = 13;
      this.moving.add(mesh);
    }
    reach.quaternion.copy(turn);
    reach.userData.looks = [shaft, head];
    this.#handle(this.moving, reach, { kind: "axis", axis });
  }

  #square(axis) {
    const [u, v] = [UNITS[(axis + 1) % 3], UNITS[(axis + 2) % 3]];
    const material = plain(AXES[axis], { front: true, opacity: 0.5, side: THREE.DoubleSide });
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(0.2, 0.2), material);
    mesh.position.copy(u).add(v).multiplyScalar(0.34);
    mesh.quaternion.setFromUnitVectors(UNITS[2], UNITS[axis]);
    mesh.userData.looks = [mesh];
    this.#handle(this.moving, mesh, { kind: "plane", axis });
  }

  #ring(axis) {
    const turn = new THREE.Quaternion().setFromUnitVectors(UNITS[2], UNITS[axis]);
    const seen = new THREE.Mesh(new THREE.TorusGeometry(0.9, 0.016, 8, 72), plain(AXES[axis], { front: true }));
    const reach = new THREE.Mesh(new THREE.TorusGeometry(0.9, 0.07, 6, 48), plain("#000000"));
    reach.visible = false;
    seen.quaternion.copy(turn);
    reach.quaternion.copy(turn);
    seen.renderOrder = 13;
    reach.userData.looks = [seen];
    this.turning.add(seen);
    this.#handle(this.turning, reach, { kind: "ring", axis });
  }

  /**
   * Put the gizmo on something, or away.
   * @param {Target|null} target
   */
  attach(target) {
    if (this.drag) return;
    this.target = target;
    this.top.visible = Boolean(target);
    if (target) this.top.position.copy(target.position);
  }

  /** Before it is drawn or picked: the same size on the screen from anywhere. */
  fit(camera, height) {
    if (!this.target) return;
    const turns = this.mode === "rotate" && this.target.turns;
    this.moving.visible = !turns;
    this.turning.visible = turns;
    const depth = camera.isPerspectiveCamera
      ? this.top.position.clone().applyMatrix4(camera.matrixWorldInverse).z * -1
      : 1;
    const size = (2 * PIXELS * Math.max(depth, 0.01)) / camera.projectionMatrix.elements[5] / height;
    this.top.scale.setScalar(size);
    const rotation = this.drag?.rotation ?? this.target.rotation;
    this.turning.quaternion.copy(turns && rotation ? rotation : new THREE.Quaternion());
    this.top.updateMatrixWorld(true);
  }

  /**
   * The handle that a ray meets.
   * @param {THREE.Raycaster} raycaster
   * @returns {{handle: Handle, point: THREE.Vector3, mesh: THREE.Mesh}|null}
   */
  pick(raycaster) {
    if (!this.target) return null;
    const group = this.turning.visible ? this.turning : this.moving;
    const hits = raycaster.intersectObjects(this.handles.filter((mesh) => mesh.parent === group), false);
    if (!hits.length) return null;
    const free = hits.find((hit) => hit.object.userData.handle.kind === "free");
    const hit = free ?? hits[0];
    return { handle: hit.object.userData.handle, point: hit.point, mesh: hit.object };
  }

  /** @param {{mesh: THREE.Mesh}|null} picked */
  light(picked) {
    for (const mesh of this.handles) {
      const { axis } = mesh.userData.handle;
      for (const look of mesh.userData.looks ?? [mesh]) {
        look.material.color.set(mesh === picked?.mesh ? HOVER : axis < 0 ? "#ffffff" : AXES[axis]);
      }
    }
  }

  /** @param {{handle: Handle, point: THREE.Vector3}} picked @param {THREE.Camera} camera */
  begin(picked, camera) {
    const { handle, point } = picked;
    const start = this.target.position.clone();
    const rotation = this.target.rotation?.clone() ?? null;
    const axis = handle.axis < 0 ? null : UNITS[handle.axis].clone();
    const normal = camera.getWorldDirection(new THREE.Vector3());
    if (handle.kind === "plane") normal.copy(axis);
    if (handle.kind === "ring") normal.copy(axis.applyQuaternion(rotation ?? new THREE.Quaternion()));
    if (handle.kind === "axis") normal.copy(across(axis, normal));
    const origin = handle.kind === "ring" ? start : point;
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, origin);
    this.drag = { handle, start, rotation, startRotation: rotation?.clone() ?? null, axis, plane, from: point.clone() };
  }

  /**
   * Where the pointer has moved or turned it.
   * @param {THREE.Raycaster} raycaster
   * @param {boolean} snaps
   * @returns {{point: THREE.Vector3, rotation: THREE.Quaternion|null}|null}
   */
  move(raycaster, snaps) {
    const { handle, start, startRotation, axis, plane, from } = this.drag;
    const at = raycaster.ray.intersectPlane(plane, new THREE.Vector3());
    if (!at) return null;
    if (handle.kind === "ring") {
      const [a, b] = [from.clone().sub(start), at.sub(start)];
      a.addScaledVector(axis, -a.dot(axis));
      let angle = Math.atan2(new THREE.Vector3().crossVectors(a, b).dot(axis), a.dot(b));
      if (snaps) angle = Math.round(angle / TURN) * TURN;
      const turn = new THREE.Quaternion().setFromAxisAngle(axis, angle);
      this.drag.rotation = turn.multiply(startRotation ?? new THREE.Quaternion());
      return { point: start.clone(), rotation: this.drag.rotation };
    }
    const shift = at.sub(from);
    if (handle.kind === "axis") shift.projectOnVector(axis);
    const place = start.clone().add(shift);
    if (snaps) {
      for (let k = 0; k < 3; k++) {
        const held = (handle.kind === "axis" && k !== handle.axis) || (handle.kind === "plane" && k === handle.axis);
        if (!held) place.setComponent(k, Math.round(place.getComponent(k) / STEP) * STEP);
      }
    }
    this.top.position.copy(place);
    return { point: place, rotation: null };
  }

  end() {
    this.drag = null;
  }
}
