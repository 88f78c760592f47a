// Lines of a width in pixels, one draw for all of them; the graphics card's own are one pixel wide.
import { THREE } from "./three.js";

const VERTEX = `
uniform vec2 resolution;
uniform float width;
uniform float lift;
attribute vec3 start;
attribute vec3 end;
attribute vec3 tone;
attribute float along;
varying vec3 vTone;
varying float vAlong;
void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(start, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(end, 1.0);
  // What lies behind the eye is cut off, or its projection would turn over.
  float near = 1e-3;
  if (a.w < near && b.w >= near) a = mix(a, b, (near - a.w) / (b.w - a.w));
  if (b.w < near && a.w >= near) b = mix(b, a, (near - b.w) / (a.w - b.w));
  vec2 first = a.xy / a.w * resolution, second = b.xy / b.w * resolution;
  vec2 way = second - first;
  float span = length(way);
  way = span > 1e-6 ? way / span : vec2(1.0, 0.0);
  vec2 side = vec2(-way.y, way.x);
  vec4 place = position.y < 0.5 ? a : b;
  // Half a width longer at both ends, so that corners close.
  vec2 shift = (side * position.x + way * (position.y - 0.5)) * width;
  place.xy += shift / resolution * place.w * 1.0;
  place.z -= lift * place.w;
  gl_Position = place;
  vTone = tone;
  vAlong = along + (position.y < 0.5 ? 0.0 : distance(start, end));
}`;

const FRAGMENT = `
uniform float opacity;
uniform vec2 dash;
uniform float grain;
varying vec3 vTone;
varying float vAlong;
void main() {
  if (dash.x > 0.0 && mod(vAlong / grain, dash.x + dash.y) > dash.x) discard;
  gl_FragColor = vec4(vTone, opacity);
  #include <colorspace_fragment>
}`;

const QUAD = [-1, 0, 0, 1, 0, 0, 1, 1, 0, -1, 1, 0];

/** The unit of dashes (m), about a hundredth of the figure: a hand's are shorter than a horse's. */
export const GRAIN = { value: 0.02 };

export class Lines extends THREE.Mesh {
  /**
   * @param {{width?: number, opacity?: number, front?: boolean, dash?: [number, number]}} look width
   *   in pixels; `front` is seen through bodies; dash and gap in grains
   */
  constructor({ width = 2, opacity = 1, front = false, dash = [0, 0] } = {}) {
    super(
      new THREE.InstancedBufferGeometry(),
      new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        transparent: true,
        depthTest: !front,
        depthWrite: false,
        side: THREE.DoubleSide,
        uniforms: {
          resolution: { value: new THREE.Vector2(1, 1) },
          width: { value: width },
          lift: { value: front ? 0 : 2e-4 },
          opacity: { value: opacity },
          dash: { value: new THREE.Vector2(...dash) },
          grain: GRAIN,
        },
      }),
    );
    this.geometry.setAttribute("position", new THREE.Float32BufferAttribute(QUAD, 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.frustumCulled = false;
    this.renderOrder = front ? 8 : 4;
    this.set([]);
  }

  onBeforeRender(renderer) {
    const viewport = renderer.getCurrentViewport(new THREE.Vector4());
    const ratio = renderer.getPixelRatio();
    this.material.uniforms.resolution.value.set(viewport.z / ratio, viewport.w / ratio);
  }

  /** @param {{points: THREE.Vector3[], color: string, closed?: boolean}[]} paths */
  set(paths) {
    const [starts, ends, tones, along] = [[], [], [], []];
    const color = new THREE.Color();
    for (const path of paths) {
      const points = path.closed && path.points.length > 2 ? [...path.points, path.points[0]] : path.points;
      color.set(path.color);
      let length = 0;
      for (let i = 0; i + 1 < points.length; i++) {
        starts.push(points[i].x, points[i].y, points[i].z);
        ends.push(points[i + 1].x, points[i + 1].y, points[i + 1].z);
        tones.push(color.r, color.g, color.b);
        along.push(length);
        length += points[i].distanceTo(points[i + 1]);
      }
    }
    const numbers = { start: starts, end: ends, tone: tones };
    for (const [name, list] of Object.entries(numbers)) this.#fill(name, list, 3);
    this.#fill("along", along, 1);
    this.geometry.instanceCount = along.length;
    this.visible = along.length > 0;
  }

  /** Buffers grow by doubling, so that a drag does not make one for every frame. */
  #fill(name, list, size) {
    let attribute = this.geometry.attributes[name];
    if (!attribute || attribute.array.length < list.length) {
      const room = Math.max(16 * size, 2 * list.length);
      attribute = new THREE.InstancedBufferAttribute(new Float32Array(room), size);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
      // The card's buffer of the old size is let go; a geometry that is drawn again is bound anew.
      this.geometry.dispose();
    }
    attribute.array.set(list);
    attribute.needsUpdate = true;
  }
}
