// The 3D view: it holds the scene, listens to the studio and to the person, and draws.
import { THREE } from "./three.js";
import { Connection, streamAddress } from "./connection.js";
import { Gizmo } from "./gizmo.js";
import { Insets } from "./insets.js";
import { listen } from "./keyboard.js";
import { Labels } from "./labels.js";
import { Notices } from "./notices.js";
import { Overlays } from "./overlays/overlays.js";
import { Painter } from "./painter.js";
import { Picker } from "./picking.js";
import { PinMenu } from "./pin_menu.js";
import { Pointer } from "./pointer.js";
import { Scenery } from "./scenery.js";
import { Stage } from "./stage.js";
import { gizmoTarget, titleOf } from "./selection.js";

const SETTINGS = { style: "solid", quality: "auto", theme: "light", mode: "body", gizmo: "move", insets: true };

export class Viewer {
  /**
   * @param {HTMLElement} element that it fills
   * @param {{path: string, tab: string, emit: (name: string, value: object) => void}} options
   */
  constructor(element, { path, tab, emit }) {
    this.element = element;
    this.emit = emit;
    this.settings = { ...SETTINGS };
    this.selection = { kind: null, name: null };
    this.recruited = [];
    this.sequence = 0;
    this.picking = null;
    this.moved = 0;
    this.counts = { frames: 0, drawn: 0, moves: 0 };
    this.scene = new THREE.Scene();
    this.scenery = new Scenery(this.scene);
    this.stage = new Stage(this.scene);
    this.layer = document.createElement("div");
    this.layer.className = "poise-layer";
    element.append(this.layer);
    this.labels = new Labels(this.layer);
    this.notices = new Notices(this.layer);
    this.overlays = new Overlays(this.scene, this.labels);
    this.gizmo = new Gizmo(this.scene);
    this.insets = new Insets(this);
    this.painter = new Painter(this);
    this.picker = new Picker(this);
    this.pinMenu = new PinMenu(this.layer, (place, kind) => this.#pin(place, kind));
    this.pointer = new Pointer(this);
    this.forget = listen(this);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
    this.resize();
    this.applySettings();
    this.connection = new Connection(streamAddress(path, tab), {
      frame: (numbers) => this.receiveFrame(numbers),
      message: (message) => this.receive(message),
      status: (open) => this.#status(open),
    });
    this.clock = performance.now();
    this.loop();
  }

  destroy() {
    this.ended = true;
    cancelAnimationFrame(this.request);
    this.forget();
    this.observer.disconnect();
    this.connection.close();
    this.painter.dispose();
  }

  // --- what the studio says ---------------------------------------------------------------------

  /** @param {object} message */
  receive(message) {
    if (message.type === "stage") this.#build(message);
    else if (message.type === "overlays") this.#overlay(message);
    else if (message.type === "settings") {
      Object.assign(this.settings, message.settings ?? message);
      this.applySettings();
    } else if (message.type === "selection") {
      this.selection = { kind: message.kind ?? null, name: message.name ?? null };
      this.#select();
    } else if (message.type === "error") {
      this.notices.pass(message.message, "error", 4 + 0.06 * message.message.length);
      // What could not be grabbed, perhaps because someone else holds it, is let go.
      if (this.pointer.drag && !this.pointer.drag.isHeeded) this.pointer.abandon();
    }
    this.invalidate();
  }

  #build(message) {
    this.pointer.cancel();
    this.stage.build(message, this.painter.quality);
    this.painter.unstaged();
    this.overlays.sites.shown = [];
    this.latest = null;
    this.placed = null;
    this.fresh = true;
  }

  /** @param {Float32Array} numbers */
  receiveFrame(numbers) {
    this.latest = numbers;
    this.moved = performance.now();
    this.counts.frames++;
    this.invalidate();
  }

  /** Only the latest frame is put on the stage, once before drawing. */
  #place() {
    const frame = this.latest;
    if (!frame || frame === this.placed) return;
    if (!this.stage.place(frame)) return;
    this.placed = frame;
    this.handled = frame[1];
    this.pointer.drag?.heed(frame[1]);
    const box = this.stage.box();
    this.scenery.follow(box);
    this.insets.follow(box);
    if (this.fresh) {
      this.fresh = false;
      this.painter.staged();
      this.stage.show(this.settings);
      this.#select();
      this.#present(box);
      this.#overlay(this.overlays.message);
    }
    this.overlays.follow(frame, this.context());
    this.overlays.sites.place(this.stage);
    this.#attach();
  }

  /** Another figure is brought into sight; what else changes leaves the camera where it is. */
  #present(box) {
    const who = this.stage.nodes.filter((node) => node.segment).map((node) => `${node.figure}/${node.name}`).join();
    if (who === this.presented) return;
    this.insets.frame(box, this.presented === undefined);
    this.presented = who;
  }

  #overlay(message) {
    if (!this.stage.grain) {
      this.overlays.message = message;
      return;
    }
    this.recruited = message.recruited ?? [];
    this.overlays.update(message, this.context());
    const lit = this.#recruited();
    this.stage.light("recruited", this.stage.jointsOf(lit).map((joint) => joint.node));
    this.#attach();
    this.#tell();
  }

  /** Joints that are lit up: those of a drag that does not use the whole body. */
  #recruited() {
    const { drag } = this.pointer;
    const chosen = drag && (drag.recruit !== null || this.settings.mode !== "body");
    return new Set(chosen ? this.recruited : []);
  }

  /** What overlays need to know. */
  context() {
    return {
      settings: this.settings,
      selection: this.selection,
      stage: this.stage,
      grain: this.stage.grain ?? 0.02,
      middle: this.stage.box().getCenter(new THREE.Vector3()),
      picking: this.picking,
      recruited: this.#recruited(),
    };
  }

  applySettings() {
    const { settings } = this;
    this.painter.choose(settings.quality);
    this.isDark = settings.theme === "dark" || (settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
    this.theme = this.scenery.theme(this.isDark ? "dark" : "light");
    this.element.classList.toggle("dark", this.isDark);
    this.scenery.grid.visible = settings.grid !== false;
    this.painter.restyle(this.theme);
    this.stage.show(settings);
    this.gizmo.mode = settings.gizmo ?? "move";
    this.insets.show(settings.insets !== false);
    this.overlays.update(this.overlays.message, this.context());
    this.invalidate();
  }

  #select() {
    const { stage, selection } = this;
    const nodes = [];
    if (selection.kind === "joint") nodes.push(...stage.jointsOf(new Set([selection.name])).map((joint) => joint.node));
    if (selection.kind === "segment") nodes.push(stage.numbers.get(selection.name));
    if (selection.kind === "prop") stage.nodes.forEach((node, i) => node.prop === selection.name && nodes.push(i));
    stage.light("selected", nodes.filter((each) => each !== undefined));
    if (stage.grain) this.overlays.update(this.overlays.message, this.context());
    this.hover(this.hovered ?? null);
    this.#attach();
  }

  #attach() {
    this.gizmo.attach(gizmoTarget(this));
  }

  #status(open) {
    if (!open) this.pointer.cancel();
    if (!open && !this.lost) this.notices.keep("connection", "Connection lost. Trying again …", "error");
    if (open && this.lost) {
      this.notices.keep("connection", null);
      this.notices.pass("Connected again", "good", 2.5);
    }
    this.lost = !open;
    this.invalidate();
  }

  // --- what the person does ---------------------------------------------------------------------

  get isOpen() {
    return this.connection.isOpen;
  }

  send(command) {
    this.connection.send(command);
  }

  /** A move waits for the next animation frame; a later one replaces it. @param {object|null} command */
  queue(command) {
    this.waiting = command;
  }

  flush() {
    if (!this.waiting) return;
    this.send({ ...this.waiting, sequence: ++this.sequence });
    this.counts.moves++;
    this.waiting = null;
  }

  /** Change what is shown, here and in the studio. @param {object} settings */
  change(settings) {
    Object.assign(this.settings, settings);
    this.applySettings();
    this.send({ do: "settings", ...settings });
    this.#tell(settings);
  }

  /** @param {import("./picking.js").Hit|null} hit */
  hover(hit) {
    this.hovered = hit;
    const nodes = hit && ["body", "prop"].includes(hit.kind) ? [hit.node] : [];
    this.stage.light("hover", nodes);
    if (this.stage.grain) this.overlays.sites.show(hit, this.pointer?.drag ? null : titleOf(hit, this.stage), this.context());
  }

  dragging(on) {
    if (!on) {
      this.stage.light("recruited", []);
      this.overlays.traces.hold(null, null, this.stage.grain, this.theme.ink);
      this.#attach();
    }
    this.#tell();
    this.invalidate();
  }

  /** @param {import("./picking.js").Hit|null} hit */
  click(hit) {
    if (this.picking) return this.#picked(hit);
    const { stage } = this;
    let chosen = { kind: null, name: null };
    if (hit?.site) chosen = { kind: "site", name: hit.site.name };
    else if (hit?.kind === "body") {
      const joint = stage.jointOf(hit.node);
      chosen = joint ? { kind: "joint", name: joint } : { kind: "segment", name: stage.nodes[hit.node].name };
    } else if (hit?.kind === "prop") chosen = { kind: "prop", name: stage.nodes[hit.node].prop };
    else if (hit?.kind === "goal") chosen = { kind: "task", name: hit.goal.task };
    else if (hit?.kind === "force") chosen = { kind: "force", name: hit.force.name };
    else if (hit?.kind === "gizmo") return;
    this.choose(chosen);
  }

  choose(chosen) {
    this.selection = chosen;
    this.#select();
    this.send({ do: "select", ...chosen });
  }

  /** Let the next click choose a site or a point of the body. @param {"site"|"point"|null} kind */
  pick(kind) {
    this.picking = kind;
    this.notices.keep("picking", kind && (kind === "site" ? "Click a site on the body. Escape to leave it." : "Click a point on the body. Escape to leave it."));
    this.hover(this.hovered ?? null);
    this.invalidate();
  }

  #picked(hit) {
    if (!hit || hit.node === undefined) return;
    const node = this.stage.nodes[hit.node];
    const site = hit.site?.name ?? null;
    if (this.picking === "site" && !site) return;
    const inside = this.stage.inside(hit.node, hit.point);
    this.pick(null);
    this.emit("pick", { site, segment: node.segment ?? null, prop: node.prop ?? null, point: inside.toArray(), world: hit.point.toArray() });
  }

  /** @param {import("./picking.js").Hit|null} hit @param {{clientX: number, clientY: number}} event */
  openPins(hit, event) {
    this.picker.aim(event);
    const pin = this.picker.pin();
    const site = pin?.site ?? hit?.site?.name ?? null;
    if (!site && hit?.kind !== "body") return;
    const place = site
      ? { site, title: site }
      : { segment: this.stage.nodes[hit.node].name, point: this.stage.inside(hit.node, hit.point).toArray(), title: this.stage.nodes[hit.node].name };
    const now = this.overlays.pins.shown.find((each) => each.site === site)?.kind ?? "free";
    this.pinMenu.open(place, now, this.picker.x, this.picker.y, this.width, this.height);
  }

  /** The pin menu where the pointer is, or at the selected site. */
  pinHovered() {
    const { stage, selection, hovered } = this;
    const box = this.element.getBoundingClientRect();
    const at = (point) => {
      const [x, y] = this.onScreen(point);
      return { clientX: box.left + x, clientY: box.top + y };
    };
    if (hovered?.kind === "body") return this.openPins(hovered, this.pointer.at ?? at(hovered.point));
    const site = selection.kind === "site" && stage.sites.find((each) => each.name === selection.name);
    if (!site) return this.notices.pass("Point at the body, or select a site, then press P.");
    const point = stage.siteAt(site);
    this.openPins({ kind: "body", site, point, node: site.node }, at(point));
  }

  #pin({ title, ...place }, kind) {
    this.send({ do: "pin", ...place, kind });
    this.canvas.focus({ preventScroll: true });
  }

  escape() {
    if (this.pinMenu.isOpen) this.pinMenu.close();
    else if (this.picking) {
      this.pick(null);
      this.emit("pick", null);
    } else if (this.selection.kind) this.choose({ kind: null, name: null });
  }

  frame() {
    this.insets.frame(this.stage.box());
    this.invalidate();
  }

  /** The line below: what is dragged and how, or what a key has just changed. */
  #tell(changed = null) {
    const { drag } = this.pointer;
    const modes = { body: "whole body", limb: "limb", joint: "single joint" };
    let text = null;
    if (drag) {
      text = titleOf(drag.hit, this.stage) ?? this.gizmo.target?.name ?? drag.hit.kind;
      if (drag.hit.kind === "body") {
        const count = this.recruited.length;
        text += ` · ${modes[this.settings.mode] ?? ""}` + (count ? ` · ${count} ${count === 1 ? "joint" : "joints"}` : "");
      }
      text += "   Esc cancels" + (drag.hit.kind === "body" ? ", wheel recruits" : "");
    } else if (changed?.mode) text = `Drag moves: ${modes[changed.mode]}`;
    else if (changed?.gizmo) text = changed.gizmo === "rotate" ? "Gizmo turns (Shift: 15°)" : "Gizmo moves (Shift: 5 cm)";
    this.notices.say(text);
    clearTimeout(this.telling);
    if (!drag && text) this.telling = setTimeout(() => this.notices.say(null), 1800);
  }

  // --- drawing ----------------------------------------------------------------------------------

  get look() {
    return this.insets.main;
  }

  get camera() {
    return this.insets.main.camera;
  }

  get canvas() {
    return this.painter.canvas;
  }

  resize() {
    this.width = Math.max(this.element.clientWidth, 1);
    this.height = Math.max(this.element.clientHeight, 1);
    this.painter.resize(this.width, this.height);
    this.insets.layOut(this.width, this.height);
    this.invalidate();
  }

  /** Where a point of the world is seen, in pixels of the view. @param {THREE.Vector3} point */
  onScreen(point) {
    const seen = point.clone().project(this.camera);
    return [((seen.x + 1) / 2) * this.width, ((1 - seen.y) / 2) * this.height];
  }

  invalidate() {
    this.dirty = true;
  }

  loop() {
    if (this.ended) return;
    this.request = requestAnimationFrame(() => this.loop());
    const now = performance.now();
    if (this.look.update((now - this.clock) / 1000)) {
      this.dirty = true;
      this.moved = now;
    }
    this.clock = now;
    this.flush();
    this.pointer.update();
    if (!this.dirty) return;
    this.dirty = false;
    this.draw();
  }

  draw() {
    this.#place();
    this.look.fit(this.width / this.height);
    const { drag } = this.pointer;
    if (drag) {
      const wanted = drag.hit.kind === "body" ? drag.wanted : null;
      this.overlays.traces.hold(drag.held(), wanted, this.stage.grain, this.theme.ink);
    }
    this.painter.draw();
    this.labels.place(this.camera, this.width, this.height, this.insets.boxes(), this.settings.labels !== false);
    this.counts.drawn++;
  }

  /** A picture of the main view. @returns {string|null} a data URL */
  snapshot(width = this.width, height = this.height) {
    return this.painter.snapshot(width, height);
  }

  /** Give the picture to the person as a file. @param {string} name */
  download(name, width = 2 * this.width, height = 2 * this.height) {
    const link = document.createElement("a");
    link.href = this.snapshot(width, height);
    link.download = name;
    link.click();
  }

  /** Where things are, for tests and for people who look under the bonnet. */
  state() {
    return {
      open: this.isOpen,
      quality: this.painter.quality,
      handled: this.handled ?? null,
      counts: { ...this.counts },
      selection: this.selection,
      goals: this.overlays.goals.shown,
      pins: this.overlays.pins.shown,
      recruited: this.recruited,
      limits: this.overlays.limits.shown ?? null,
      sites: Object.fromEntries(this.stage.sites.map((site) => [site.name, this.stage.siteAt(site).toArray()])),
      screen: Object.fromEntries(this.stage.sites.map((site) => [site.name, this.onScreen(this.stage.siteAt(site))])),
    };
  }
}

