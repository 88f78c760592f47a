// What puts the scene on the canvas: the renderer, its quality, several views, kept pictures.
import { THREE } from "./three.js";
import { Lines } from "./lines.js";
import { drawingIsOff, isSoftware, rendererName } from "./quality.js";
import { FlatShadows } from "./shadows.js";

const SLOW = "There is no graphics card here: drawing in low quality. The view menu changes it.";
const COARSE = 0.6; // of the resolution, for low quality while something moves
const RESTS = 250; // milliseconds without motion until it is drawn sharply again

export class Painter {
  /** @param {import("./viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.name = drawingIsOff() ? null : rendererName();
    this.canvas = document.createElement("canvas");
    this.flat = new FlatShadows(viewer.scene);
    this.ground = new Lines({ width: 1.5, opacity: 0.7 });
    viewer.scene.add(this.ground);
    if (this.name === null && !drawingIsOff()) {
      viewer.notices.keep("drawing", "This browser cannot draw in 3D (it has no WebGL 2).", "error");
    } else if (this.name !== null && isSoftware(this.name)) {
      viewer.notices.pass(SLOW, "info", 9);
    }
    this.#mount();
  }

  #mount() {
    this.canvas.className = "poise-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "The figure in 3D. Drag the body to pose it.");
    this.viewer.element.prepend(this.canvas);
  }

  /** @param {"auto"|"high"|"low"|"off"} wanted */
  choose(wanted) {
    const automatic = this.name === null || isSoftware(this.name) ? "low" : "high";
    const quality = wanted === "high" || wanted === "low" ? wanted : automatic;
    if (quality === this.quality) return;
    const again = this.quality !== undefined;
    this.quality = quality;
    if (this.name !== null) this.#start(again);
    const { stage } = this.viewer;
    if (stage.message) {
      const { states } = stage;
      stage.build(stage.message, quality);
      this.unstaged();
      stage.states = states;
      this.viewer.placed = null;
      this.viewer.fresh = true;
    }
  }

  /** Smoothing of edges is chosen when a canvas is first drawn on, so another quality takes a new one. */
  #start(again) {
    if (again) {
      this.dispose();
      const old = this.canvas;
      this.canvas = document.createElement("canvas");
      this.#mount();
      old.remove();
    }
    const high = this.quality === "high";
    this.renderer = new THREE.WebGLRenderer({
      canvas: this.canvas,
      antialias: high,
      alpha: true, // for pictures without a ground
      powerPreference: "high-performance",
    });
    this.renderer.autoClear = false;
    this.renderer.setScissorTest(true);
    this.renderer.shadowMap.enabled = high;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    // A graphics card may forget everything, as when a laptop wakes up; three.js brings back the rest.
    this.canvas.addEventListener("webglcontextrestored", () => {
      if (this.quality === "high") this.viewer.scenery.reflect(this.renderer);
      this.viewer.invalidate();
    });
    if (high) this.viewer.scenery.reflect(this.renderer);
    else this.viewer.scene.environment = null;
    this.ratio = high ? Math.min(window.devicePixelRatio, 2) : Math.min(window.devicePixelRatio, 1);
    if (this.theme) this.restyle(this.theme);
    this.resize(this.viewer.width ?? 1, this.viewer.height ?? 1);
  }

  resize(width, height) {
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    if (!this.renderer) return;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
  }

  /** @param {object} theme */
  restyle(theme) {
    this.theme = theme;
    this.flat.material.color.set(theme.shadow);
    // Without reflections the sky must give the light that they would.
    if (this.quality === "low") this.viewer.scenery.ambient.intensity = theme.sky + 0.7;
    const ends = [-30, 30].map((x) => new THREE.Vector3(x, 0, 0));
    this.ground.set([{ points: ends, color: theme.grid }]);
  }

  /** The old bodies have gone. */
  unstaged() {
    this.flat.clear();
  }

  /** New bodies stand on the stage. */
  staged() {
    if (this.quality === "low") this.flat.build(this.viewer.stage);
    else this.flat.clear();
  }

  draw() {
    const { insets, width, height } = this.viewer;
    if (this.quality === "low") this.flat.place(this.viewer.scenery.level);
    if (!this.renderer || this.viewer.settings.quality === "off") return;
    this.#sharpen();
    this.#render(insets.mainName, insets.main.camera, { left: 0, top: 0, width, height }, height, true);
    insets.boxes().forEach((box, i) => {
      const name = insets.order[i + 1];
      const view = insets.views[name];
      view.fit(box.width / box.height, true);
      this.#render(name, view.camera, box, height, false);
    });
  }

  /** Without a graphics card what moves is drawn coarsely, and sharply as soon as it rests. */
  #sharpen() {
    if (this.quality !== "low") return;
    const moves = performance.now() - (this.viewer.moved) < RESTS;
    const ratio = moves ? COARSE * this.ratio : this.ratio;
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    clearTimeout(this.resting);
    if (moves) this.resting = setTimeout(() => this.viewer.invalidate(), RESTS + 20);
  }

  /** @param {{ground?: boolean, overlays?: boolean}} shown */
  #render(name, camera, box, height, isMain, { ground = true, overlays = true } = {}) {
    const { renderer, theme } = this;
    const { scene, scenery, gizmo, stage } = this.viewer;
    const free = name === "free";
    const shadows = this.viewer.settings.shadows !== false;
    const bottom = height - box.top - box.height;
    renderer.setViewport(box.left, bottom, box.width, box.height);
    renderer.setScissor(box.left, bottom, box.width, box.height);
    renderer.setClearColor(free ? theme.horizon : theme.inset, ground ? 1 : 0);
    renderer.clear();
    const { fog } = scene;
    const { visible: gridded } = scenery.grid;
    if (!free || !ground) scene.fog = null;
    scenery.sky.visible = ground && free && this.quality === "high";
    scenery.sky.position.copy(camera.position);
    scenery.floor.visible = ground && name !== "side";
    scenery.grid.visible &&= ground;
    this.ground.visible = ground && name === "side";
    this.ground.position.set(0, stage.groups.length ? -5 : 0, scenery.level);
    this.flat.top.visible = ground && this.quality === "low" && shadows && name !== "side";
    scenery.sun.castShadow = this.quality === "high" && shadows;
    gizmo.top.visible = overlays && isMain && Boolean(gizmo.target);
    this.viewer.overlays.top.visible = overlays;
    if (isMain) gizmo.fit(camera, box.height);
    // Shadows are the same in every view: they are cast once.
    renderer.shadowMap.autoUpdate = isMain;
    renderer.render(scene, camera);
    scene.fog = fog;
    scenery.grid.visible = gridded;
  }

  /**
   * The main view as a picture of a size in pixels; by choice without the ground, which is transparent then, and
   * without what lies over the figure: goals, forces, words, and the colour of what is selected.
   * @param {{ground?: boolean, overlays?: boolean}} shown @returns {string|null} a data URL
   */
  snapshot(width, height, shown = {}) {
    const { viewer, renderer } = this;
    if (!renderer) return null;
    const view = viewer.look;
    const { stage } = viewer;
    const { states } = stage;
    if (shown.overlays === false) {
      stage.states = new Map();
      stage.tint();
    }
    const scale = width / viewer.width;
    renderer.setPixelRatio(1);
    renderer.setSize(width, height, false);
    view.fit(width / height);
    if (this.quality === "low") this.flat.place(this.viewer.scenery.level);
    this.#render(viewer.insets.mainName, view.camera, { left: 0, top: 0, width, height }, height, true, shown);
    const picture = document.createElement("canvas");
    Object.assign(picture, { width, height });
    const context = picture.getContext("2d");
    context.drawImage(this.canvas, 0, 0);
    if (shown.overlays !== false) {
      viewer.labels.place(view.camera, width / scale, height / scale, [], viewer.settings.labels !== false);
      viewer.labels.paint(context, scale, viewer.isDark);
    }
    stage.states = states;
    stage.tint();
    this.resize(viewer.width, viewer.height);
    viewer.draw();
    return picture.toDataURL("image/png");
  }

  /** Give a picture to the person as a file, so many times as large as on the screen. @param {string} name */
  download(name, scale, shown) {
    const { width, height } = this.viewer;
    const most = this.renderer ? this.renderer.capabilities.maxTextureSize / Math.max(width, height) : scale;
    const link = document.createElement("a");
    const size = [width, height].map((each) => Math.round(each * Math.min(scale, most)));
    link.href = this.snapshot(...size, shown);
    link.download = name;
    link.click();
  }

  dispose() {
    this.renderer?.dispose();
    this.renderer?.forceContextLoss();
    this.renderer = null;
  }
}
