// Drags of what is under the pointer: points of the body, goals, props, forces, gizmo handles.
import { THREE } from "./three.js";

/** A drag in the plane of the camera, or along a handle of the gizmo. */
export class Drag {
  /**
   * @param {import("./viewer.js").Viewer} viewer
   * @param {import("./picking.js").Hit} hit
   */
  constructor(viewer, hit) {
    this.viewer = viewer;
    this.hit = hit;
    this.recruit = null;
    this.wanted = hit.point.clone();
    this.first = viewer.sequence + 1;
    this.isHeeded = false;
    const normal = viewer.camera.getWorldDirection(new THREE.Vector3());
    this.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, hit.point);
    if (hit.kind === "gizmo") viewer.gizmo.begin(hit.picked, viewer.camera);
    if (hit.kind === "body") {
      this.local = viewer.stage.inside(hit.node, hit.point);
    }
    this.offset = this.#origin().sub(hit.point).negate();
    viewer.send({ do: "grab", ...this.#grabbed() });
  }

  /** Where the thing itself is that is moved: a hit on a prop is not its origin. */
  #origin() {
    const { hit, viewer } = this;
    if (hit.kind === "prop") return new THREE.Vector3().setFromMatrixPosition(viewer.stage.groups[hit.node].matrix);
    return hit.point.clone();
  }

  #grabbed() {
    const { hit, viewer } = this;
    if (hit.kind === "body") {
      const node = viewer.stage.nodes[hit.node];
      return {
        what: "point",
        segment: node.name,
        point: this.local.toArray(),
        mode: viewer.settings.mode ?? "body",
        recruit: null,
      };
    }
    if (hit.kind === "prop") return { what: "prop", prop: viewer.stage.nodes[hit.node].prop };
    if (hit.kind === "goal") return { what: "goal", task: hit.goal.task };
    if (hit.kind === "force") return { what: "force", force: hit.force.name };
    const { what, name } = viewer.gizmo.target;
    return { what, [{ goal: "task", prop: "prop", force: "force" }[what]]: name };
  }

  /** @param {THREE.Raycaster} raycaster @param {boolean} snaps */
  move(raycaster, snaps) {
    if (this.hit.kind === "gizmo") {
      const moved = this.viewer.gizmo.move(raycaster, snaps);
      if (!moved) return;
      this.wanted.copy(moved.point);
      this.#queue(moved.point, moved.rotation);
      return;
    }
    const at = raycaster.ray.intersectPlane(this.plane, new THREE.Vector3());
    if (!at) return;
    this.wanted.copy(at);
    this.#queue(at.sub(this.offset), null);
  }

  /** @param {number} notches of the wheel; up recruits more joints */
  wheel(notches) {
    if (this.hit.kind !== "body") return;
    const { recruited, handled, sequence, waiting, overlays, placed } = this.viewer;
    // When all is answered, more than the chain has were not recruited.
    const isAnswered = handled === sequence && !waiting && overlays.message.frame >= placed?.[7];
    const now = this.recruit === null || isAnswered ? Math.max(recruited.length, 1) : this.recruit;
    this.recruit = Math.max(now - Math.sign(notches), 1);
    this.#queue(this.wanted, null);
  }

  /** A force is told by its vector (N), everything else by where it is to be. */
  #told(point) {
    const force = this.hit.force?.name ?? (this.viewer.gizmo.target?.what === "force" && this.viewer.gizmo.target.name);
    const forces = this.viewer.overlays.forces;
    const found = force && forces.shown.find((each) => each.name === force);
    return found ? point.clone().sub(found.at).divideScalar(forces.scale) : point;
  }

  #queue(point, rotation) {
    const command = { do: "move", point: this.#told(point).toArray() };
    if (rotation) command.rotation = [rotation.w, rotation.x, rotation.y, rotation.z];
    if (this.recruit !== null) command.recruit = this.recruit;
    this.viewer.queue(command);
  }

  /** A frame has come that answers a move. @param {number} sequence */
  heed(sequence) {
    if (sequence >= this.first) this.isHeeded = true;
  }

  /** Where the held point is now, which may not be where the pointer wants it. */
  held() {
    if (this.local) return this.local.clone().applyMatrix4(this.viewer.stage.groups[this.hit.node].matrix);
    return this.wanted.clone();
  }

  /** @param {"release"|"cancel"|"abandon"} how; what is abandoned was never held */
  end(how) {
    if (how === "release") this.viewer.flush();
    else this.viewer.queue(null);
    this.viewer.gizmo.end();
    if (how !== "abandon") this.viewer.send({ do: how });
  }
}
