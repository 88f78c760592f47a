// A figure as sticks: a rod from every joint to those that its segment carries, a knob at each.
import { THREE, vector } from "./three.js";
import { bodyMaterial } from "./materials.js";
import { endsOf } from "./shapes.js";

const ALONG = new THREE.Vector3(0, 0, 1);

export class Sticks {
  /** @param {object} stage the message @param {THREE.Object3D[]} groups the nodes */
  constructor(stage, groups, quality, thickness) {
    this.top = new THREE.Group();
    this.groups = groups;
    this.rods = [];
    this.knobs = [];
    const starts = new Map(stage.joints.map((joint) => [joint.node, vector(joint.position)]));
    const rod = new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const ball = new THREE.SphereGeometry(1, 16, 12);
    const dark = bodyMaterial("#38424e", quality);
    stage.nodes.forEach((node, i) => {
      if (!node.segment) return;
      const start = starts.get(i) ?? new THREE.Vector3(); // what is fixed to the ground has no joint
      const material = bodyMaterial(node.color, quality);
      const ends = stage.joints
        .filter((joint) => joint.parent === i)
        .map((joint) => ({ node: joint.node, point: vector(joint.position) }));
      if (!ends.length) ends.push(...this.#tip(stage, node, i));
      for (const end of ends) {
        const mesh = new THREE.Mesh(rod, material);
        mesh.userData.node = i;
        mesh.scale.set(thickness, thickness, 1);
        this.rods.push({ mesh, node: i, start, end, isShown: true });
        this.top.add(mesh);
      }
      const knob = new THREE.Mesh(ball, dark);
      knob.userData.node = i;
      // A vertebra is shorter than a knob is thick: a row of them shall still be seen as a row.
      const lengths = ends.map((end) => this.#at(end.node, end.point).distanceTo(this.#at(i, start)));
      knob.scale.setScalar(Math.min(Math.max(0.4 * Math.min(...lengths, Infinity), 1.1 * thickness), 1.9 * thickness));
      this.knobs.push({ mesh: knob, node: i, point: start });
      this.top.add(knob);
    });
    this.top.traverse((each) => (each.castShadow = true));
  }

  /** Where a segment that carries no joint ends: its farthest site, else the end of its shapes. */
  #tip(stage, node, number) {
    const sites = stage.sites.filter((site) => site.node === number).map((site) => vector(site.position));
    const found = sites.length ? sites : node.shapes.flatMap(endsOf);
    if (!found.length) return [];
    return [{ node: number, point: found.reduce((a, b) => (b.length() > a.length() ? b : a)) }];
  }

  #at(node, point) {
    return point.clone().applyMatrix4(this.groups[node].matrix);
  }

  /** Show the sticks of some nodes only. @param {(node: number) => boolean} isShown */
  show(isShown) {
    for (const rod of this.rods) rod.isShown = isShown(rod.node);
    for (const { mesh, node } of this.knobs) mesh.visible = isShown(node);
    this.top.visible = this.knobs.some(({ mesh }) => mesh.visible);
    if (this.top.visible) this.place();
  }

  /** What is shown now, for rays. @returns {THREE.Mesh[]} */
  shown() {
    return [...this.rods, ...this.knobs].map(({ mesh }) => mesh).filter((mesh) => this.top.visible && mesh.visible);
  }

  place() {
    const from = new THREE.Vector3();
    const to = new THREE.Vector3();
    for (const { mesh, node, start, end, isShown } of this.rods) {
      from.copy(start).applyMatrix4(this.groups[node].matrix);
      to.copy(end.point).applyMatrix4(this.groups[end.node].matrix).sub(from);
      const length = to.length();
      mesh.visible = isShown && length > 1e-6;
      mesh.position.copy(from);
      mesh.scale.z = length;
      if (mesh.visible) mesh.quaternion.setFromUnitVectors(ALONG, to.divideScalar(length));
    }
    for (const { mesh, node, point } of this.knobs) mesh.position.copy(point).applyMatrix4(this.groups[node].matrix);
  }

  /** @param {(node: number) => {color: THREE.Color, amount: number}|null} tintOf */
  tint(tintOf, colorOf) {
    for (const { mesh, node } of this.rods) {
      const tint = tintOf(node);
      mesh.material.color.set(colorOf(node));
      if (tint) mesh.material.color.lerp(tint.color, tint.amount);
    }
  }
}
