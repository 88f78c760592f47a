// Skins: triangles that follow several nodes at once (linear blend skinning on the graphics card).
import { THREE, flat, unpacked } from "./three.js";
import { bodyMaterial, tintable } from "./materials.js";

export class Skin {
  /**
   * @param {object} data points, triangles, normals, influences and weights (four a point), and its
   *   colour: red, green, blue and opacity, linear
   * @param {number[]} nodes numbers of the nodes that the influences speak of
   * @param {THREE.Matrix4[]} binds for each of them, from where the skin was bound to the node's axes
   * @param {THREE.Object3D[]} groups all nodes
   * @param {"high"|"low"} quality
   */
  constructor(data, nodes, binds, groups, quality) {
    this.nodes = nodes;
    const geometry = new THREE.BufferGeometry();
    const points = unpacked(data.points, Float32Array);
    const count = points.length / 3;
    geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    geometry.setIndex(new THREE.BufferAttribute(unpacked(data.triangles, Uint32Array), 1));
    geometry.setAttribute("normal", new THREE.BufferAttribute(unpacked(data.normals, Float32Array), 3));
    this.influences = unpacked(data.influences, Uint32Array);
    this.weights = unpacked(data.weights, Float32Array);
    geometry.setAttribute("skinIndex", new THREE.BufferAttribute(Uint16Array.from(this.influences), 4));
    geometry.setAttribute("skinWeight", new THREE.BufferAttribute(this.weights, 4));
    this.tints = new THREE.BufferAttribute(new Float32Array(4 * count), 4);
    geometry.setAttribute("tint", this.tints);
    const [red, green, blue, opacity] = data.color;
    const material = tintable(
      bodyMaterial(new THREE.Color(red, green, blue), quality, {
        side: data.double_sided ? THREE.DoubleSide : THREE.FrontSide,
        transparent: data.alpha === "blend",
        alphaTest: data.alpha === "mask" ? data.cutoff : 0,
        opacity,
      }),
    );
    const texture = unpacked(data.texture, Float32Array);
    if (texture.length && data.image) {
      geometry.setAttribute("uv", new THREE.BufferAttribute(texture, 2));
      material.map = new THREE.TextureLoader().load(data.image);
      material.map.colorSpace = THREE.SRGBColorSpace;
      material.map.flipY = false;
      material.map.wrapS = material.map.wrapT = THREE.RepeatWrapping;
    }
    this.mesh = new THREE.SkinnedMesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    const bones = nodes.map((i) => {
      const bone = new THREE.Bone();
      groups[i].add(bone);
      return bone;
    });
    // Detached: bones give places in the world, whatever the mesh itself hangs on.
    this.mesh.bindMode = THREE.DetachedBindMode;
    this.mesh.bind(new THREE.Skeleton(bones, binds), new THREE.Matrix4());
  }

  /**
   * Light up what follows some nodes.
   * @param {(node: number) => {color: THREE.Color, amount: number}|null} tintOf
   */
  tint(tintOf) {
    const found = this.nodes.map(tintOf);
    const array = this.tints.array;
    for (let i = 0; i < array.length; i += 4) {
      array.fill(0, i, i + 4);
      for (let k = 0; k < 4; k++) {
        const tint = found[this.influences[i + k]];
        const share = this.weights[i + k] * (tint?.amount ?? 0);
        if (!share) continue;
        array[i] += share * tint.color.r;
        array[i + 1] += share * tint.color.g;
        array[i + 2] += share * tint.color.b;
        array[i + 3] += share;
      }
      const amount = array[i + 3];
      if (amount > 0) for (let k = 0; k < 3; k++) array[i + k] /= amount;
    }
    this.tints.needsUpdate = true;
  }

  /** The node that a triangle follows most. @param {THREE.Face} face */
  nodeOf(face) {
    return this.nodes[this.#strongest(face.a)];
  }

  /** Which of its nodes a point follows most. @param {number} point */
  #strongest(point) {
    const start = 4 * point;
    let best = 0;
    for (let k = 1; k < 4; k++) if (this.weights[start + k] > this.weights[start + best]) best = k;
    return this.influences[start + best];
  }

  /** For each node the box of what follows it most, in its axes. @returns {Map<number, THREE.Box3>} */
  boxes() {
    if (this.found) return this.found;
    this.found = new Map();
    const { position } = this.mesh.geometry.attributes;
    const point = new THREE.Vector3();
    for (let i = 0; i < position.count; i++) {
      const k = this.#strongest(i);
      const node = this.nodes[k];
      if (!this.found.has(node)) this.found.set(node, new THREE.Box3());
      point.fromBufferAttribute(position, i).applyMatrix4(this.mesh.skeleton.boneInverses[k]);
      this.found.get(node).expandByPoint(point);
    }
    return this.found;
  }
}

/** Matrices from 16 numbers each, rows first. @returns {THREE.Matrix4[]} */
export function matrices(numbers) {
  const list = flat(numbers);
  const result = [];
  for (let i = 0; i + 15 < list.length; i += 16) result.push(new THREE.Matrix4().set(...list.slice(i, i + 16)));
  return result;
}
