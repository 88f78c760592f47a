// The 3D view: it holds the scene, listens to the studio and to the person, and draws.
import { THREE } from "./three.js";
import { Choosing } from "./choosing.js";
import { Connection, streamAddress } from "./connection.js";
import { boxesOf } from "./covers.js";
import { Gizmo } from "./gizmo.js";
import { Insets } from "./insets.js";
import { listen } from "./keyboard.js";
import { Labels } from "./labels.js";
import { Notices } from "./notices.js";
import { Overlays } from "./overlays/overlays.js";
import { Painter } from "./painter.js";
import { Picker } from "./picking.js";
import { Pinning } from "./pinning.js";
import { Pointer } from "./pointer.js";
import { Scenery } from "./scenery.js";
import { gizmoTarget, titleOf, wordsFor } from "./selection.js";
import { Stage } from "./stage.js";
import { stateOf } from "./state.js";

const PATIENCE = 600; // milliseconds; an answer that takes longer is waited for visibly
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
    this.moves = [];
    this.sequence = 0;
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
    this.pinning = new Pinning(this);
    this.choosing = new Choosing(this);
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
    } else if (message.type === "present") {
      this.presented = null;
    } else if (message.type === "notice") {
      this.notices.pass(message.message, "info");
    } else if (message.type === "error") {
      this.notices.pass(message.message, "error");
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
      this.who = this.stage.nodes.filter((node) => node.segment).map((node) => `${node.figure}/${node.name}`).join();
      this.#overlay(this.overlays.message);
    }
    if (this.who !== this.presented) this.#present(box);
    this.overlays.follow(frame, this.context());
    this.overlays.sites.place(this.stage);
    this.#attach();
    this.pointer.lookAgain();
  }

  /**
   * Another scene is brought into sight, and so is another figure unless all of it is well seen already;
   * what else changes leaves the camera where it is.
   */
  #present(box) {
    const level = box.min.z < -0.01 ? box.min.z - 0.1 * (box.max.z - box.min.z) : 0;
    this.scenery.lay(level);
    this.insets.views.free.floor = level;
    const isKnown = typeof this.presented === "string";
    if (!isKnown || !this.insets.shows(box)) this.insets.frame(box, this.presented === undefined);
    this.presented = this.who;
  }

  #overlay(message) {
    if (!this.stage.grain) {
      this.overlays.message = message;
      return;
    }
    this.recruited = message.recruited ?? [];
    this.moves = message.moves ?? [];
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
      picking: this.choosing.picking,
      floor: this.scenery.level,
      recruited: this.#recruited(),
    };
  }

  applySettings() {
    const { settings } = this;
    this.painter.choose(settings.quality);
    const likesDark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.isDark = settings.theme === "dark" || (settings.theme === "auto" && likesDark);
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

  /** Whether Escape is about something in the view: a drag, the choice of a pin, what is to be picked. */
  get isBusy() {
    return Boolean(this.pointer.drag || this.pinning.isOpen || this.choosing.picking);
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
    if (!this.stage.grain) return;
    const title = this.pointer?.drag ? null : titleOf(hit, this.stage);
    this.overlays.sites.show(hit, title, this.context());
  }

  dragging(on) {
    if (!on) {
      this.stage.light("recruited", []);
      this.overlays.traces.hold(null, null, this.context(), this.theme.ink);
      this.#attach();
    }
    this.#tell();
    this.invalidate();
  }

  /** Select something, here and in the studio. @param {{kind: string|null, name: string|null}} chosen */
  choose(chosen) {
    this.selection = chosen;
    this.#select();
    this.send({ do: "select", ...chosen });
  }

  frame() {
    this.insets.frame(this.stage.box());
    this.invalidate();
  }

  /** The line below: what is dragged and how, or for a while what a key has just changed. */
  #tell(changed = {}) {
    const text = wordsFor(this, changed);
    this.notices.say(text);
    clearTimeout(this.telling);
    if (!this.pointer.drag && text) this.telling = setTimeout(() => this.notices.say(null), 1800);
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
    this.#wait(now);
    if (!this.dirty) return;
    this.dirty = false;
    this.draw();
  }

  /** While the studio takes long to answer, the pointer says so. @param {number} now */
  #wait(now) {
    const owing = this.connection.owing;
    this.element.classList.toggle("waiting", owing !== null && now - owing > PATIENCE);
  }

  draw() {
    this.#place();
    this.look.fit(this.width / this.height);
    const { drag } = this.pointer;
    if (drag) {
      const wanted = drag.hit.kind === "body" ? drag.wanted : null;
      this.overlays.traces.hold(drag.held(), wanted, this.context(), this.theme.ink);
    }
    this.painter.draw();
    const covers = [this.notices.line, ...(this.element.parentElement?.querySelectorAll(":scope > .over-view") ?? [])];
    const taken = [...this.insets.boxes(), ...boxesOf(covers, this.element)];
    this.labels.place(this.camera, this.width, this.height, taken, this.settings.labels !== false);
    this.counts.drawn++;
  }

  /** A picture of the main view. @returns {string|null} a data URL */
  snapshot(width = this.width, height = this.height, shown = {}) {
    return this.painter.snapshot(width, height, shown);
  }

  /** Whether all is answered, drawn and where it is wanted. */
  get rests() {
    return this.isOpen && this.connection.owing === null && !this.waiting && !this.dirty && this.look.rests;
  }

  /** Where things are, for tests and for people who look under the bonnet. */
  state() {
    return stateOf(this);
  }
}
