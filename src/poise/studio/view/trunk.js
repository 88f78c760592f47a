// One smooth skin over the slices of a trunk.
//
// A spine carries a thick ellipsoid on every vertebra. Drawn one by one they show a band wherever
// two of them meet, so nodes that are joined and carry ellipsoids are drawn as one body: the
// surface on which a smooth least distance to all ellipsoids vanishes, as in poise's pictures. It
// is found once, on a grid by surface nets, and then follows the nodes as a skin does.
import { THREE, quaternion, vector } from "./three.js";

const CELLS = 58; // along the diagonal of what is blended
const FILL = 0.3; // how far grooves are filled

/** @typedef {{center: THREE.Vector3, axes: THREE.Vector3[], radii: number[], node: number, color: string}} Slice */

/**
 * Groups of nodes whose ellipsoids are slices of one body: joined to each other, two or more.
 * @returns {number[][]} numbers of nodes
 */
export function sliced(nodes, joints) {
  const carries = (i) => nodes[i]?.segment && nodes[i].shapes.some((shape) => shape.kind === "ellipsoid");
  const bodies = new Map();
  for (const joint of joints) {
    const { parent, node: child } = joint;
    if (!carries(parent) || !carries(child)) continue;
    const one = bodies.get(parent) ?? [parent];
    const other = bodies.get(child) ?? [child];
    if (one === other) continue;
    one.push(...other);
    for (const each of one) bodies.set(each, one);
  }
  return [...new Set(bodies.values())];
}

/** The ellipsoids of some nodes where they are now. @returns {Slice[]} */
export function slicesOf(indices, nodes, matrices) {
  const slices = [];
  for (const i of indices) {
    for (const shape of nodes[i].shapes) {
      if (shape.kind !== "ellipsoid") continue;
      const turn = new THREE.Quaternion().setFromRotationMatrix(matrices[i]);
      if (shape.rotation) turn.multiply(quaternion(shape.rotation));
      const axes = [0, 1, 2].map((k) => new THREE.Vector3().setComponent(k, 1).applyQuaternion(turn));
      const center = vector(shape.center).applyMatrix4(matrices[i]);
      slices.push({ center, axes, radii: [...shape.radii], node: i, color: nodes[i].color });
    }
  }
  return slices;
}

/**
 * The skin over slices.
 * @param {Slice[]} slices
 * @returns {object[]} pieces by colour: points, normals, triangles, and of each point four influences
 *   (numbers of nodes) with their weights
 */
export function blended(slices) {
  const soft = softness(slices);
  const net = surface(slices, soft);
  const colors = [...new Set(slices.map((each) => each.color))];
  return colors
    .map((color) => {
      let piece = net;
      const own = slices.filter((each) => each.color === color);
      for (const other of colors) {
        if (other === color) continue;
        const others = slices.filter((each) => each.color === other);
        piece = clipped(piece, (x, y, z) => depth(own, soft, x, y, z) - depth(others, soft, x, y, z));
      }
      const normals = normalsOf(slices, soft, piece.points);
      return { color, ...piece, normals, ...followed(slices, soft, piece.points) };
    })
    .filter((piece) => piece.triangles.length);
}

/** The depth (m) over which surfaces blend: the farther apart slices are, the more. */
function softness(slices) {
  const radius = median(slices.map((each) => median(each.radii)));
  const apart = slices.map((a) => Math.min(...slices.filter((b) => b !== a).map((b) => a.center.distanceTo(b.center))));
  return Math.min(Math.max(0.28 * median(apart), 0.05 * radius), 0.3 * radius);
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** About the signed distance to an ellipsoid: exact on the surface, to first order near it. */
function distance(slice, x, y, z) {
  const [dx, dy, dz] = [x - slice.center.x, y - slice.center.y, z - slice.center.z];
  let share = 0;
  let slope = 0;
  for (let k = 0; k < 3; k++) {
    const axis = slice.axes[k];
    const along = (axis.x * dx + axis.y * dy + axis.z * dz) / slice.radii[k];
    share += along * along;
    slope += (along / slice.radii[k]) ** 2;
  }
  share = Math.sqrt(share);
  return (share * (share - 1)) / Math.max(Math.sqrt(slope), 1e-12);
}

/** Σ wᵢdᵢ with wᵢ ∝ exp(−dᵢ/soft), and a share of the usual smooth minimum, which fills grooves. */
function depth(slices, soft, x, y, z) {
  const distances = slices.map((each) => distance(each, x, y, z));
  const least = Math.min(...distances);
  let total = 0;
  let mean = 0;
  for (const each of distances) {
    const weight = Math.exp((least - each) / soft);
    total += weight;
    mean += weight * each;
  }
  return ((1 - FILL) * mean) / total + FILL * (least - soft * Math.log(total));
}

function gradient(slices, soft, x, y, z) {
  const h = 0.01 * soft;
  const slope = [
    depth(slices, soft, x + h, y, z) - depth(slices, soft, x - h, y, z),
    depth(slices, soft, x, y + h, z) - depth(slices, soft, x, y - h, z),
    depth(slices, soft, x, y, z + h) - depth(slices, soft, x, y, z - h),
  ];
  const length = Math.max(Math.hypot(...slope), 1e-15);
  return slope.map((each) => each / length);
}

function normalsOf(slices, soft, points) {
  const normals = [];
  for (let i = 0; i < points.length; i += 3) {
    normals.push(...gradient(slices, soft, points[i], points[i + 1], points[i + 2]));
  }
  return normals;
}

/** Where the depth is zero: a point in every cell of a grid through which it passes. */
function surface(slices, soft) {
  const box = new THREE.Box3();
  for (const { center, axes, radii } of slices) {
    const reach = new THREE.Vector3();
    for (let k = 0; k < 3; k++) {
      reach.setComponent(k, axes.reduce((sum, axis, i) => sum + Math.abs(axis.getComponent(k)) * radii[i], 0));
    }
    box.expandByPoint(center.clone().add(reach)).expandByPoint(center.clone().sub(reach));
  }
  const step = box.min.distanceTo(box.max) / CELLS;
  box.expandByScalar(2 * step);
  const counts = box.getSize(new THREE.Vector3()).divideScalar(step).ceil().addScalar(1).toArray();
  const strides = [1, counts[0], counts[0] * counts[1]];
  const values = new Float32Array(counts[0] * counts[1] * counts[2]);
  const at = (k, i) => box.min.getComponent(k) + i * step;
  for (let z = 0, n = 0; z < counts[2]; z++)
    for (let y = 0; y < counts[1]; y++)
      for (let x = 0; x < counts[0]; x++, n++) values[n] = depth(slices, soft, at(0, x), at(1, y), at(2, z));

  const points = [];
  const numbers = new Map();
  const place = (cell) => {
    if (numbers.has(cell)) return numbers.get(cell);
    const sum = [0, 0, 0];
    let count = 0;
    const corner = [cell % counts[0], Math.floor(cell / counts[0]) % counts[1], Math.floor(cell / strides[2])];
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      for (let side = 0; side < 4; side++) {
        const start = cell + (side & 1 ? strides[u] : 0) + (side & 2 ? strides[v] : 0);
        const [a, b] = [values[start], values[start + strides[axis]]];
        if (a < 0 === b < 0) continue;
        const crossing = [...corner];
        crossing[u] += side & 1 ? 1 : 0;
        crossing[v] += side & 2 ? 1 : 0;
        crossing[axis] += a / (a - b);
        crossing.forEach((value, k) => (sum[k] += value));
        count++;
      }
    }
    let [x, y, z] = sum.map((value, k) => at(k, value / count));
    for (let repeat = 0; repeat < 2; repeat++) {
      const deep = depth(slices, soft, x, y, z);
      const normal = gradient(slices, soft, x, y, z);
      [x, y, z] = [x - deep * normal[0], y - deep * normal[1], z - deep * normal[2]];
    }
    numbers.set(cell, points.length / 3);
    points.push(x, y, z);
    return numbers.get(cell);
  };

  const corners = [];
  for (let z = 1; z < counts[2] - 1; z++)
    for (let y = 1; y < counts[1] - 1; y++)
      for (let x = 1; x < counts[0] - 1; x++) {
        const n = x + y * strides[1] + z * strides[2];
        for (let axis = 0; axis < 3; axis++) {
          const inside = values[n] < 0;
          if (inside === values[n + strides[axis]] < 0) continue;
          const [u, v] = [strides[(axis + 1) % 3], strides[(axis + 2) % 3]];
          // The four cells around an edge that the surface crosses, counter-clockwise from outside.
          const around = [n, n - u, n - u - v, n - v].map(place);
          if (!inside) around.reverse();
          corners.push(around[0], around[1], around[2], around[0], around[2], around[3]);
        }
      }
  return { points, triangles: corners };
}

/** What is left of triangles where a function of the place is not positive. */
function clipped({ points, triangles }, value) {
  const kept = { points: [], triangles: [] };
  const levels = [];
  for (let i = 0; i < points.length; i += 3) levels.push(value(points[i], points[i + 1], points[i + 2]));
  const numbers = new Map();
  const number = (key, make) => {
    if (!numbers.has(key)) {
      numbers.set(key, kept.points.length / 3);
      kept.points.push(...make());
    }
    return numbers.get(key);
  };
  const coordinates = (i) => points.slice(3 * i, 3 * i + 3);
  const cut = (a, b) => {
    const [first, second] = a < b ? [a, b] : [b, a];
    return number(`${first} ${second}`, () => {
      const share = levels[first] / (levels[first] - levels[second]);
      const [p, q] = [coordinates(first), coordinates(second)];
      return p.map((each, k) => each + share * (q[k] - each));
    });
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const polygon = [];
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      if (levels[a] <= 0) polygon.push(number(`${a}`, () => coordinates(a)));
      if (levels[a] <= 0 !== levels[b] <= 0) polygon.push(cut(a, b));
    }
    for (let k = 1; k + 1 < polygon.length; k++) kept.triangles.push(polygon[0], polygon[k], polygon[k + 1]);
  }
  return kept;
}

/** Which nodes each point follows, and how much: the nearest four, blending over a vertebra. */
function followed(slices, soft, points) {
  const influences = [];
  const weights = [];
  const reach = 3 * soft;
  for (let i = 0; i < points.length; i += 3) {
    const shares = new Map();
    const distances = slices.map((each) => distance(each, points[i], points[i + 1], points[i + 2]));
    const least = Math.min(...distances);
    distances.forEach((each, k) => {
      const weight = Math.exp((least - each) / reach);
      shares.set(slices[k].node, (shares.get(slices[k].node) ?? 0) + weight);
    });
    const most = [...shares].sort((a, b) => b[1] - a[1]).slice(0, 4);
    const total = most.reduce((sum, each) => sum + each[1], 0);
    for (let k = 0; k < 4; k++) {
      influences.push(most[k]?.[0] ?? 0);
      weights.push((most[k]?.[1] ?? 0) / total);
    }
  }
  return { influences, weights };
}
