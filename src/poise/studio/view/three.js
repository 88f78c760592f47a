// The three.js that NiceGUI ships; everything else of the view takes it from here.
import { THREE } from "nicegui-scene";

export { THREE };

/** A vector from a list of three numbers. @param {number[]} list */
export const vector = (list) => new THREE.Vector3(list[0], list[1], list[2]);

/** A quaternion from the studio's order w x y z. @param {number[]} list */
export const quaternion = (list) => new THREE.Quaternion(list[1], list[2], list[3], list[0]);

/** An array of numbers that came as base64 of its bytes, or as a list. @param {string|number[]|null} given */
export function unpacked(given, Kind) {
  if (typeof given !== "string") return Kind.from(flat(given ?? []));
  return new Kind(Uint8Array.from(atob(given), (each) => each.charCodeAt(0)).buffer);
}

/** Numbers that may come nested, as one flat list. @param {Array} list @returns {number[]} */
export const flat = (list) => (Array.isArray(list?.[0]) ? list.flat(Infinity) : list ?? []);

/** Lists of three from a list that may be flat or nested. @returns {number[][]} */
export function triples(list) {
  if (Array.isArray(list?.[0])) return list;
  const result = [];
  for (let i = 0; i + 2 < (list?.length ?? 0); i += 3) result.push([list[i], list[i + 1], list[i + 2]]);
  return result;
}

/** Give back what a thing and all below it hold on the graphics card. @param {THREE.Object3D} top */
export function dispose(top) {
  top.traverse((each) => {
    each.geometry?.dispose();
    for (const material of [each.material].flat()) {
      material?.map?.dispose();
      material?.dispose();
    }
    each.skeleton?.dispose();
  });
  top.removeFromParent();
}
