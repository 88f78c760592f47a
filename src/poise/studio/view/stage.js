// The bodies on the stage: built from the stage message, placed by every frame.
import { THREE, dispose, vector } from "./three.js";
import { GRAIN } from "./lines.js";
import { bodyMaterial } from "./materials.js";
import { HOVER, PLAIN, RECRUITED, SELECTED } from "./palette.js";
import { geometryOf, merged } from "./shapes.js";
import { Skin, matrices } from "./skins.js";
import { Sticks } from "./stick.js";
import { blended, sliced, slicesOf } from "./trunk.js";

const HEADER = 8; // numbers before the nodes of a frame
const TINTS = {
  hover: { color: new THREE.Color(HOVER), amount: 0.55 },
  selected: { color: new THREE.Color(SELECTED), amount: 0.85 },
  recruited: { color: new THREE.Color(RECRUITED), amount: 0.62 },
};

export class Stage {
  /** @param {THREE.Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.top = new THREE.Group();
    scene.add(this.top);
    this.clear();
  }

  clear() {
    for (const child of [...this.top.children]) dispose(child);
    this.revision = -1;
    this.nodes = [];
    this.sites = [];
    this.joints = [];
    this.groups = [];
    this.flesh = [];
    this.skins = [];
    this.sticks = null;
    this.numbers = new Map();
    this.states = new Map();
    this.pending = false;
  }

  /** @param {object} message the stage message @param {"high"|"low"} quality */
  build(message, quality) {
    this.clear();
    this.message = message;
    this.quality = quality;
    this.revision = message.revision;
    this.nodes = message.nodes.map((node) => ({ ...node, color: node.color ?? PLAIN }));
    this.sites = message.sites ?? [];
    this.joints = message.joints ?? [];
    this.numbers = new Map(this.nodes.map((node, i) => [node.name, i]));
    const sides = quality === "low" ? 14 : 28;
    this.nodes.forEach((node, i) => {
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.groups.push(group);
      this.top.add(group);
      if (!node.shapes.length) return;
      const geometry = merged(node.shapes.map((shape) => geometryOf(shape, sides)));
      const mesh = new THREE.Mesh(geometry, bodyMaterial(node.color, quality));
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.userData.node = i;
      group.add(mesh);
      this.flesh.push(mesh);
    });
    // Skins over slices and sticks need to know where nodes are: the first frame says so, and until
    // then there is nothing to see.
    this.pending = true;
    this.top.visible = false;
  }

  /**
   * Put everything where a frame says.
   * @param {Float32Array} frame
   * @returns {boolean} whether the frame is of this stage
   */
  place(frame) {
    if (frame[0] !== this.revision || frame[2] !== this.groups.length) return false;
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    for (let i = 0, k = HEADER; i < this.groups.length; i++, k += 7) {
      position.set(frame[k], frame[k + 1], frame[k + 2]);
      turn.set(frame[k + 3], frame[k + 4], frame[k + 5], frame[k + 6]);
      this.groups[i].matrix.compose(position, turn, one);
      this.groups[i].matrixWorldNeedsUpdate = true;
    }
    this.top.updateMatrixWorld();
    if (this.pending) this.#finish();
    if (this.sticks?.top.visible) this.sticks.place();
    return true;
  }

  #finish() {
    this.pending = false;
    this.top.visible = true;
    this.#skin();
    this.#smooth();
    const size = this.box().getSize(new THREE.Vector3()).length();
    this.grain = GRAIN.value = 0.01 * Math.max(size, 1e-3);
    this.sticks = new Sticks({ ...this.message, nodes: this.nodes }, this.groups, this.quality, 0.6 * this.grain);
    this.top.add(this.sticks.top);
    this.sticks.place();
    this.tint();
  }

  /** Skins that came with a figure's file hide the shapes of its segments while they are worn. */
  #skin() {
    for (const data of this.message.skins ?? []) {
      const skin = new Skin(data, data.nodes, matrices(data.binds), this.groups, this.quality);
      skin.isWorn = true;
      this.#add(skin);
      const { figure } = this.nodes[data.nodes[0]];
      for (const mesh of this.flesh) {
        const node = this.nodes[mesh.userData.node];
        if (node.segment && node.figure === figure) mesh.userData.clothed = true;
      }
    }
  }

  /** Slices of a trunk get one skin; what else their segments carry stays as it is. */
  #smooth() {
    const clothed = new Set(this.flesh.filter((mesh) => mesh.userData.clothed).map((mesh) => mesh.userData.node));
    const sides = this.quality === "low" ? 14 : 28;
    for (const body of sliced(this.nodes, this.joints)) {
      if (body.some((i) => clothed.has(i))) continue;
      const world = this.groups.map((group) => group.matrix);
      const binds = body.map((i) => world[i].clone().invert());
      const numbers = new Map(body.map((node, k) => [node, k]));
      for (const piece of blended(slicesOf(body, this.nodes, world))) {
        const influences = piece.influences.map((node) => numbers.get(node) ?? 0);
        const color = [...new THREE.Color(piece.color).toArray(), 1];
        this.#add(new Skin({ ...piece, influences, color }, body, binds, this.groups, this.quality));
      }
      for (const mesh of this.flesh) {
        if (!body.includes(mesh.userData.node)) continue;
        mesh.userData.covered = true;
        const rest = this.nodes[mesh.userData.node].shapes.filter((shape) => shape.kind !== "ellipsoid");
        if (!rest.length) continue;
        const extra = new THREE.Mesh(merged(rest.map((shape) => geometryOf(shape, sides))), mesh.material);
        extra.castShadow = extra.receiveShadow = true;
        extra.userData.solid = true;
        mesh.parent.add(extra);
      }
    }
  }

  #add(skin) {
    skin.mesh.userData.skin = skin;
    this.skins.push(skin);
    this.top.add(skin.mesh);
  }

  /**
   * Solid or as sticks, and whether the skins that came with figures are worn.
   * @param {{style?: "solid"|"stick", skin?: boolean}} settings
   */
  show(settings) {
    const solid = settings.style !== "stick";
    const worn = settings.skin !== false;
    for (const mesh of this.flesh) {
      const isThing = !this.nodes[mesh.userData.node].segment;
      const hidden = mesh.userData.covered || (mesh.userData.clothed && worn);
      mesh.visible = isThing || (solid && !hidden);
    }
    for (const group of this.groups)
      for (const child of group.children) if (child.userData.solid) child.visible = solid;
    for (const skin of this.skins) skin.mesh.visible = solid && (worn || !skin.isWorn);
    // What has neither shapes nor a skin would not be seen at all but for its bones.
    this.sticks?.show((i) => !solid || !(this.nodes[i].shapes.length || (worn && this.#isClothed(i))));
  }

  /** Whether a skin came with the figure of a node. @param {number} number */
  #isClothed(number) {
    const { figure } = this.nodes[number];
    return this.skins.some((skin) => skin.isWorn && this.nodes[skin.nodes[0]].figure === figure);
  }

  /**
   * Say which nodes are lit up, by the word of why.
   * @param {"hover"|"selected"|"recruited"} why
   * @param {Iterable<number>} nodes
   * @returns {boolean} whether anything changed
   */
  light(why, nodes) {
    const wanted = new Set(nodes);
    const now = this.states.get(why) ?? new Set();
    if (wanted.size === now.size && [...wanted].every((each) => now.has(each))) return false;
    this.states.set(why, wanted);
    this.tint();
    return true;
  }

  tint() {
    const tintOf = (node) => {
      const why = ["hover", "selected", "recruited"].find((each) => this.states.get(each)?.has(node));
      return why ? TINTS[why] : null;
    };
    for (const mesh of this.flesh) {
      const tint = tintOf(mesh.userData.node);
      mesh.material.color.set(this.nodes[mesh.userData.node].color);
      if (tint) mesh.material.color.lerp(tint.color, tint.amount);
    }
    for (const skin of this.skins) skin.tint(tintOf);
    this.sticks?.tint(tintOf, (node) => this.nodes[node].color);
  }

  /** What a ray can meet: shapes, seen or not, skins of figures that have no shapes, and bare bones. */
  targets() {
    if (this.pending) return [];
    const bare = this.skins.filter((skin) => !skin.nodes.some((i) => this.nodes[i].shapes.length));
    const bones = this.sticks.shown().filter((mesh) => !this.nodes[mesh.userData.node].shapes.length);
    return [...this.flesh, ...bare.map((skin) => skin.mesh), ...bones];
  }

  /** The number of the node that a ray has met. @param {THREE.Intersection} hit */
  nodeOf(hit) {
    return hit.object.userData.skin ? hit.object.userData.skin.nodeOf(hit.face) : hit.object.userData.node;
  }

  /** Where a site is. @param {{node: number, position: number[]}} site @returns {THREE.Vector3} */
  siteAt(site) {
    return vector(site.position).applyMatrix4(this.groups[site.node].matrix);
  }

  /** A point of the world in the axes of a node. @param {number} node @param {THREE.Vector3} point */
  inside(node, point) {
    return point.clone().applyMatrix4(this.groups[node].matrix.clone().invert());
  }

  /** Where a joint is. @returns {THREE.Vector3} */
  jointAt(joint) {
    return vector(joint.position).applyMatrix4(this.groups[joint.node].matrix);
  }

  /** The name of the joint that moves a node, if one does. @param {number} node */
  jointOf(node) {
    return this.joints.find((each) => each.node === node && each.moves !== false)?.name ?? null;
  }

  /** The joints of some names; a group's name stands for all that it drives. @param {Set<string>} names */
  jointsOf(names) {
    return this.joints.filter((joint) => names.has(joint.name) || names.has(joint.driven_by));
  }

  /** What holds the figures (not things about them) as they stand, in the world. */
  box() {
    const box = new THREE.Box3();
    const own = new THREE.Box3();
    for (const mesh of this.flesh) {
      if (!this.nodes[mesh.userData.node].segment) continue;
      mesh.geometry.boundingBox ?? mesh.geometry.computeBoundingBox();
      box.union(own.copy(mesh.geometry.boundingBox).applyMatrix4(mesh.parent.matrix));
    }
    for (const skin of this.skins.filter((each) => each.isWorn)) {
      for (const [node, part] of skin.boxes()) box.union(own.copy(part).applyMatrix4(this.groups[node].matrix));
    }
    for (const joint of this.joints) box.expandByPoint(this.jointAt(joint));
    if (box.isEmpty()) box.set(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 1));
    return box;
  }
}
