// Centre of mass, its line to the ground, the polygon of support with its margin, gyration rings.
import { THREE, triples, vector } from "../three.js";
import { Lines } from "../lines.js";
import { MASS, PLUMB, STATES } from "../palette.js";
import { Pool, across, arc, lengthText, plain } from "./marks.js";

const UP = new THREE.Vector3(0, 0, 1);

export class Balance {
  constructor(top, labels) {
    this.labels = labels;
    this.ball = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), plain(MASS, { front: true }));
    this.ball.renderOrder = 9;
    this.glint = new THREE.Mesh(new THREE.SphereGeometry(0.45, 16, 12), plain("#fff3c4", { front: true }));
    this.glint.position.set(0.3, -0.3, 0.45);
    this.glint.renderOrder = 10;
    this.ball.add(this.glint);
    this.plumb = new Lines({ width: 1.6, front: true, opacity: 0.85, dash: [1.2, 0.8] });
    this.foot = new Lines({ width: 3, front: true });
    this.area = new THREE.Mesh(new THREE.BufferGeometry(), plain("#000000", { opacity: 0.24, side: THREE.DoubleSide }));
    this.area.renderOrder = 2;
    this.edge = new Lines({ width: 2.2 });
    this.inner = new Lines({ width: 1.4, dash: [0.7, 0.5] });
    this.rings = new Pool(top, () => new Lines({ width: 2.5, opacity: 0.8 }));
    this.top = new THREE.Group();
    this.top.add(this.ball, this.plumb, this.foot, this.area, this.edge, this.inner);
    top.add(this.top);
  }

  update(overlays, { settings, grain, floor }) {
    const shown = settings.balance !== false;
    const support = shown ? overlays.support : null;
    const corners = triples(support?.polygon).map(vector);
    this.height = corners.length ? Math.min(...corners.map((each) => each.z)) : floor;
    this.#polygon(support, corners, grain);
    this.rings.show(shown ? overlays.rings ?? [] : [], (ring, { center, axis, radius, target }) => {
      const direction = vector(axis).normalize();
      const round = (size) => arc(vector(center), direction, across(direction, UP), size, 2 * Math.PI);
      const wanted = target ? [{ points: round(target), color: "#c4b5fd" }] : [];
      ring.set([{ points: round(radius), color: "#845ef7" }, ...wanted]);
    });
    this.follow(shown && overlays.com ? vector(overlays.com) : null, grain);
  }

  /** The centre of mass comes with every frame, not only with overlays. @param {THREE.Vector3|null} center */
  follow(center, grain) {
    this.ball.visible = this.plumb.visible = this.foot.visible = Boolean(center);
    if (!center) return;
    this.ball.position.copy(center);
    this.ball.scale.setScalar(1.15 * grain);
    const below = new THREE.Vector3(center.x, center.y, (this.height ?? 0) + 0.1 * grain);
    this.plumb.set([{ points: [center, below], color: PLUMB }]);
    this.foot.set([{ points: arc(below, UP, new THREE.Vector3(1, 0, 0), 1.3 * grain, 2 * Math.PI), color: PLUMB }]);
  }

  #polygon(support, corners, grain) {
    const has = corners.length > 2;
    this.area.visible = this.edge.visible = this.inner.visible = has;
    this.labels.set("balance", []);
    if (!has) return;
    const margin = support.margin ?? 0;
    const { state = "met", wanted = 0 } = support;
    const raised = corners.map((each) => each.clone().setZ(each.z + 0.12 * grain));
    const positions = raised.flatMap((each) => each.toArray());
    const fan = raised.slice(2).flatMap((_, i) => [0, i + 1, i + 2]);
    this.area.geometry.dispose();
    this.area.geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    this.area.geometry.setIndex(fan);
    this.area.geometry.computeBoundingSphere();
    this.area.material.color.set(STATES[state]);
    this.edge.set([{ points: raised, color: STATES[state], closed: true }]);
    const inset = triples(support.inset).map((each) => vector(each).setZ(raised[0].z));
    this.inner.set(inset.length > 2 ? [{ points: inset, color: STATES[state], closed: true }] : []);
    const front = raised.reduce((a, b) => (b.x > a.x ? b : a));
    const lacks = state === "partly" || state === "failed";
    const inside = `margin ${lengthText(Math.max(margin, 0))}`;
    const short = wanted > 0 ? `${inside} of ${lengthText(wanted)}` : inside;
    const text = !lacks ? inside : margin < 0 ? `${lengthText(-margin)} outside` : short;
    this.labels.set("balance", [{ text, at: front, color: STATES[state], rank: 5 }]);
  }
}
