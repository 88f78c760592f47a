// Shadows without a shadow map, for low quality: every body once more, flattened onto the floor.
import { THREE } from "./three.js";
import { flattening } from "./scenery.js";

export class FlatShadows {
  /** @param {THREE.Scene} scene */
  constructor(scene) {
    this.top = new THREE.Group();
    this.material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, toneMapped: false });
    scene.add(this.top);
  }

  /** @param {import("./stage.js").Stage} stage */
  build(stage) {
    this.top.clear();
    this.pairs = [];
    stage.top.traverse((body) => {
      if (!body.isMesh || !body.castShadow) return;
      const shadow = body.isSkinnedMesh
        ? new THREE.SkinnedMesh(body.geometry, this.material)
        : new THREE.Mesh(body.geometry, this.material);
      if (body.isSkinnedMesh) {
        shadow.bindMode = THREE.DetachedBindMode;
        shadow.bind(body.skeleton, new THREE.Matrix4());
      }
      shadow.matrixAutoUpdate = false;
      shadow.frustumCulled = false;
      this.top.add(shadow);
      this.pairs.push({ body, shadow });
    });
  }

  clear() {
    this.top.clear();
    this.pairs = [];
  }

  /** @param {number} level of the floor */
  place(level) {
    const flat = flattening(level);
    for (const { body, shadow } of this.pairs ?? []) {
      shadow.visible = body.visible && body.parent.visible;
      shadow.matrix.multiplyMatrices(flat, body.matrixWorld);
    }
  }
}
