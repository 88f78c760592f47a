// Clicks: they select, or answer the page that has asked for a site or a point.

const NOTHING = { kind: null, name: null };

export class Choosing {
  /** @param {import("./viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** @type {"site"|"point"|null} what the page has asked for */
    this.picking = null;
  }

  /** @param {import("./picking.js").Hit|null} hit */
  click(hit) {
    if (this.picking) this.#answer(hit);
    else if (hit?.kind !== "gizmo") this.viewer.choose(this.#chosen(hit));
  }

  #chosen(hit) {
    const { stage } = this.viewer;
    if (!hit) return NOTHING;
    if (hit.site) return { kind: "site", name: hit.site.name };
    if (hit.kind === "goal") return { kind: "task", name: hit.goal.task };
    if (hit.kind === "force") return { kind: "force", name: hit.force.name };
    const node = stage.nodes[hit.node];
    if (hit.kind === "prop") return { kind: "prop", name: node.prop };
    if (hit.kind !== "body") return NOTHING;
    const joint = stage.jointOf(hit.node);
    return joint ? { kind: "joint", name: joint } : { kind: "segment", name: node.name };
  }

  /** Let the next click choose a site or a point of the body: the page says which. @param {"site"|"point"|null} kind */
  pick(kind) {
    this.picking = kind;
    this.viewer.hover(this.viewer.hovered ?? null);
    this.viewer.invalidate();
  }

  #answer(hit) {
    if (!hit || hit.node === undefined) return;
    const { stage, emit } = this.viewer;
    const { segment = null, prop = null } = stage.nodes[hit.node];
    const site = hit.site?.name ?? (this.picking === "site" ? this.#nearest(hit) : null);
    if (this.picking === "site" && !site) return;
    this.pick(null);
    const point = stage.inside(hit.node, hit.point).toArray();
    emit("pick", { site, segment, prop, point, world: hit.point.toArray() });
  }

  /** The site of a part that is nearest to where it was clicked; dots need not be shown for it. */
  #nearest(hit) {
    const { stage } = this.viewer;
    const at = stage.inside(hit.node, hit.point).toArray();
    const away = ({ position }) => Math.hypot(...position.map((x, i) => x - at[i]));
    const own = stage.sites.filter((site) => site.node === hit.node);
    return own.sort((a, b) => away(a) - away(b))[0]?.name ?? null;
  }

  /** Leave what is open: the menu of pins, a wish of the page, the selection. */
  escape() {
    const { pinning, selection, emit } = this.viewer;
    if (pinning.isOpen) pinning.close();
    else if (this.picking) {
      this.pick(null);
      emit("pick", null);
    } else if (selection.kind) this.viewer.choose(NOTHING);
  }
}
