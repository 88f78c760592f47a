// The drawings of the four ways to pin, on a square of 24.

const POINT = "M12 8.6 a3.4 3.4 0 1 0 0.001 0 M12 4.5 V7 M12 17 V19.5 M4.5 12 H7 M17 12 H19.5";
const TURN = "M6.4 14.6 A6.2 6.2 0 1 1 12 18.2 M6.2 10.8 L6.4 14.7 L10 13.4";

const PATHS = {
  free: "M6 6 L18 18 M18 6 L6 18",
  position: POINT,
  rotation: TURN,
  both: "M6.8 11 H17.2 V17.8 H6.8 Z M8.6 11 V8.6 a3.4 3.4 0 0 1 6.8 0 V11",
};

/** @param {"free"|"position"|"rotation"|"both"} kind @returns {string} an SVG path */
export const pinPath = (kind) => PATHS[kind] ?? PATHS.position;
