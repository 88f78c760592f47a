// Sites as dots: those of the segment under the pointer, the selected one, or all of them.
import { THREE } from "../three.js";
import { HOVER, SELECTED } from "../palette.js";
import { Pool, plain } from "./marks.js";

export class Sites {
  constructor(top, labels) {
    this.labels = labels;
    this.shown = [];
    this.dots = new Pool(top, () => {
      const dot = new THREE.Mesh(new THREE.SphereGeometry(1, 14, 10), plain("#ffffff", { front: true, opacity: 0.95 }));
      const dark = plain("#1f2937", { front: true, opacity: 0.6 });
      const rim = new THREE.Mesh(new THREE.SphereGeometry(1.45, 14, 10), dark);
      dot.renderOrder = 11;
      rim.renderOrder = 10;
      dot.add(rim);
      return dot;
    });
  }

  /** Sites go with the body. */
  place(stage) {
    this.shown.forEach((site, i) => this.dots.things[i].position.copy(stage.siteAt(site)));
  }

  /**
   * @param {import("../picking.js").Hit|null} hit what is hovered
   * @param {string|null} title what to call it
   */
  show(hit, title, { stage, settings, selection, grain, picking }) {
    const all = settings.sites || picking === "site";
    const node = hit?.node === undefined ? null : stage.nodes[hit.node];
    const chosen = (site) => selection.kind === "site" && selection.name === site.name;
    this.shown = stage.sites.filter((site) => all || chosen(site) || (node?.segment && site.node === hit.node));
    this.dots.show(this.shown, (dot, site) => {
      const near = site === hit?.site;
      dot.position.copy(stage.siteAt(site));
      dot.scale.setScalar((near || chosen(site) ? 0.55 : 0.36) * grain);
      dot.material.color.set(chosen(site) ? SELECTED : near ? HOVER : "#ffffff");
    });
    this.labels.set("hover", title ? [{ text: title, at: hit.point, color: "#ffffff", rank: 20, title: true }] : []);
  }
}
