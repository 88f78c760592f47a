// Forces as arrows with newtons, and the cones in which friction can hold them.
import { THREE, vector } from "../three.js";
import { CONE, FORCES, RED, SELECTED } from "../palette.js";
import { Arrow, Pool, digits, plain } from "./marks.js";

const Z = new THREE.Vector3(0, 0, 1);
const MANY = 6; // contacts with numbers; more would hide what they stand on

export class Forces {
  constructor(top, labels) {
    this.labels = labels;
    this.shown = [];
    this.arrows = new Pool(top, () => new Arrow({ front: true }));
    this.cones = new Pool(top, () => {
      const material = plain(CONE, { opacity: 0.2, side: THREE.DoubleSide });
      const funnel = new THREE.ConeGeometry(1, 1, 48, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
      const cone = new THREE.Mesh(funnel, material);
      cone.renderOrder = 3;
      return cone;
    });
  }

  update(overlays, { settings, grain, selection }) {
    const forces = settings.forces === false ? [] : overlays.forces ?? [];
    const most = Math.max(...forces.map((force) => vector(force.vector).length()), 1e-9);
    const scale = overlays.forces_scale ?? (45 * grain) / most;
    this.scale = scale;
    const chosen = (force) => selection.kind === "force" && selection.name === force.name;
    this.shown = forces.map((force) => {
      const at = vector(force.at);
      const way = vector(force.vector).multiplyScalar(scale);
      return { ...force, at, way, head: at.clone().add(way) };
    });
    this.arrows.show(this.shown, (arrow, force) => {
      const thin = force.kind === "contact" ? 0.22 : 0.34;
      arrow.set(force.at, force.way, thin * grain, chosen(force) ? SELECTED : FORCES[force.kind] ?? FORCES.load);
    });
    const coned = settings.cones === false ? [] : this.shown.filter((force) => force.cone);
    this.cones.show(coned, (cone, force) => {
      const axis = vector(force.cone.axis).normalize();
      const angle = force.cone.half_angle;
      // No longer than its force calls for: those of many slight contacts would hide what they stand on.
      const slant = Math.min(11 * grain, 1.3 * force.way.length());
      const length = Math.max(slant * Math.cos(angle), 1e-6);
      const radius = Math.max(slant * Math.sin(angle), 1e-6);
      const slips = force.way.length() > 1e-9 && force.way.angleTo(axis) > angle + 1e-6;
      cone.position.copy(force.at);
      cone.quaternion.setFromUnitVectors(Z, axis);
      cone.scale.set(radius, radius, length);
      cone.material.color.set(slips ? RED : CONE);
    });
    const contacts = forces.filter((force) => force.kind === "contact").length;
    this.labels.set(
      "forces",
      settings.labels === false
        ? []
        : this.shown
            .filter((force) => force.way.length() > 0.4 * grain && (force.kind !== "contact" || contacts <= MANY))
            .map((force) => ({
              text: `${digits(force.way.length() / scale)} N`,
              at: force.kind === "weight" ? force.at.clone().lerp(force.head, 0.6) : force.head,
              color: FORCES[force.kind] ?? FORCES.load,
              rank: force.kind === "load" ? 7 : 4,
            })),
    );
  }
}
