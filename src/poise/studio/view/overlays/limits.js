// The limits of the selected joint: patches and borders on a globe, arcs of twist, sectors.
import { THREE, flat, triples, vector } from "../three.js";
import { Lines } from "../lines.js";
import { AMBER, RED } from "../palette.js";
import { Pool } from "./marks.js";

const FILL = "#ffb45e";
const ROLES = { border: "#c2410c", reference: "#64748b", current: "#1d6fd1", amber: AMBER, red: RED };
const STATES = { free: null, near: AMBER, stop: RED };
const WORDS = { near: "near its limit", stop: "at its limit" };

export class Limits {
  constructor(top, labels) {
    this.labels = labels;
    // What the body hides is still seen, faintly.
    this.lines = [new Lines({ width: 3 }), new Lines({ width: 2, front: true, opacity: 0.35 })];
    this.pointers = new Lines({ width: 3.5, front: true });
    this.thin = new Lines({ width: 1.3, front: true, opacity: 0.7 });
    this.patches = new Pool(top, () => {
      const material = new THREE.MeshLambertMaterial({
        transparent: true,
        opacity: 0.42,
        side: THREE.DoubleSide,
        depthWrite: false,
        fog: false,
      });
      const mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
      mesh.renderOrder = 3;
      return mesh;
    });
    top.add(...this.lines, this.pointers, this.thin);
  }

  update(overlays, { settings }) {
    const limits = settings.limits === false ? null : overlays.limits;
    const alarm = STATES[limits?.state] ?? null;
    this.shown = limits ?? null;
    this.patches.show(limits?.patches ?? [], (mesh, patch) => {
      mesh.geometry.dispose();
      mesh.geometry.setAttribute("position", new THREE.Float32BufferAttribute(flat(patch.vertices), 3));
      mesh.geometry.setIndex(flat(patch.triangles));
      mesh.geometry.computeVertexNormals();
      mesh.geometry.computeBoundingSphere();
      mesh.material.color.set(patch.color ?? alarm ?? FILL);
    });
    const paths = (limits?.lines ?? []).map((line) => ({
      points: triples(line.points).map(vector),
      role: line.role,
      color: line.role === "border" && alarm ? alarm : ROLES[line.role] ?? ROLES.border,
    }));
    for (const lines of this.lines) lines.set(paths.filter((path) => path.role === "border"));
    this.pointers.set(paths.filter((path) => !["border", "reference"].includes(path.role)));
    this.thin.set(paths.filter((path) => path.role === "reference"));
    const share = limits?.share == null ? "" : ` · ${Math.round(100 * limits.share)} %`;
    this.labels.set(
      "limits",
      limits?.at
        ? [{
            text: limits.joint + share + (WORDS[limits.state] ? ` · ${WORDS[limits.state]}` : ""),
            at: vector(limits.at),
            color: alarm ?? ROLES.border,
            rank: 9,
            strong: Boolean(alarm),
          }]
        : [],
    );
  }
}
