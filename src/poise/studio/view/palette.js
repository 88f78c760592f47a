// The colours of the page. Those of marks are the same as in poise's still pictures.
import { THREE } from "./three.js";

export const THEMES = {
  light: {
    zenith: "#cfdbe6",
    horizon: "#eef1f4",
    ground: "#f1f1ef",
    shadow: "#d3d6d9",
    grid: "#5d6b7a",
    inset: "#f6f8fa",
    ink: "#1f2937",
    shade: 0.2,
    sun: 1.9,
    sky: 0.85,
  },
  dark: {
    zenith: "#1c232b",
    horizon: "#2c353f",
    ground: "#35404b",
    shadow: "#262e37",
    grid: "#9fb0c2",
    inset: "#242c35",
    ink: "#e6edf3",
    shade: 0.45,
    sun: 1.8,
    sky: 0.7,
  },
};

export const PLAIN = "#5b8bb8";
export const HOVER = "#ffd43b";
export const SELECTED = "#ff8c1a";
export const RECRUITED = "#22b8cf";

export const STATES = { met: "#2da44e", partly: "#e08a00", failed: "#d1242f", off: "#8b949e" };
export const AXES = ["#e5484d", "#30a46c", "#3b82f6"];
export const MASS = "#f0a400";
export const PLUMB = "#c2255c";
export const FORCES = { load: "#c2255c", support: "#1a7f8e", contact: "#1a7f8e", weight: "#6b7280" };
export const CONE = "#f59f00";
export const PIN = "#7048e8";
export const TRACE = "#9775fa";
export const AMBER = "#f08c00";
export const RED = "#e03131";

const EASY = new THREE.Color("#2da44e");
const MIDDLE = new THREE.Color("#f0a400");
const HARD = new THREE.Color("#d1242f");

/**
 * The colour of a torque by its share of strength: green, amber at half, red at all of it.
 * @param {number|null} share
 */
export function effort(share) {
  if (share === null || share === undefined) return "#8b949e";
  const amount = Math.min(Math.max(share, 0), 1);
  const mixed = amount < 0.5 ? EASY.clone().lerp(MIDDLE, 2 * amount) : MIDDLE.clone().lerp(HARD, 2 * amount - 1);
  return "#" + mixed.getHexString();
}
