// Light, sky, floor with grid, and shadows.
import { THREE } from "./three.js";
import { THEMES } from "./palette.js";

const LIGHT = new THREE.Vector3(0.42, 0.38, 1).normalize(); // towards the sun
const WIDE = 60; // radius (m) of the floor

const SKY_VERTEX = `
varying vec3 vWay;
void main() {
  vWay = position;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const SKY_FRAGMENT = `
uniform vec3 zenith;
uniform vec3 horizon;
varying vec3 vWay;
void main() {
  float height = smoothstep(0.0, 0.55, normalize(vWay).z);
  gl_FragColor = vec4(mix(horizon, zenith, height), 1.0);
  #include <colorspace_fragment>
}`;
const GRID_VERTEX = `
varying vec2 vPlace;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vPlace = world.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;
const GRID_FRAGMENT = `
uniform vec3 tone;
uniform vec2 middle;
uniform float reach;
varying vec2 vPlace;
float ruled(float step, float width) {
  vec2 cell = vPlace / step;
  vec2 blur = max(fwidth(cell), 1e-6);
  vec2 apart = abs(fract(cell - 0.5) - 0.5) / blur;
  // Lines closer than a few pixels run together: they fade instead.
  float fade = 1.0 - smoothstep(0.15, 0.5, max(blur.x, blur.y));
  return (1.0 - min(min(apart.x, apart.y) / width, 1.0)) * fade;
}
void main() {
  float fine = ruled(0.1, 1.0) * 0.16;
  float coarse = ruled(0.5, 1.3) * 0.38;
  float away = 1.0 - smoothstep(0.35 * reach, reach, distance(vPlace, middle));
  gl_FragColor = vec4(tone, max(fine, coarse) * away);
  #include <colorspace_fragment>
}`;

export class Scenery {
  /** @param {THREE.Scene} scene */
  constructor(scene) {
    this.scene = scene;
    scene.fog = new THREE.Fog("#ffffff", 7, 16);
    this.sky = new THREE.Mesh(
      new THREE.SphereGeometry(80, 32, 24),
      new THREE.ShaderMaterial({
        vertexShader: SKY_VERTEX,
        fragmentShader: SKY_FRAGMENT,
        side: THREE.BackSide,
        depthWrite: false,
        uniforms: { zenith: { value: new THREE.Color() }, horizon: { value: new THREE.Color() } },
      }),
    );
    this.sky.renderOrder = -2;
    // Without light of its own colour, so that it is what the theme says; shadows lie on a second one.
    this.floor = new THREE.Mesh(new THREE.CircleGeometry(WIDE, 72), new THREE.MeshBasicMaterial({ toneMapped: false }));
    this.floor.renderOrder = -1;
    this.shade = new THREE.Mesh(this.floor.geometry, new THREE.ShadowMaterial({ depthWrite: false }));
    this.shade.receiveShadow = true;
    this.shade.position.z = 0.0006;
    this.floor.add(this.shade);
    this.grid = new THREE.Mesh(
      new THREE.CircleGeometry(WIDE, 72),
      new THREE.ShaderMaterial({
        vertexShader: GRID_VERTEX,
        fragmentShader: GRID_FRAGMENT,
        transparent: true,
        depthWrite: false,
        uniforms: {
          tone: { value: new THREE.Color() },
          middle: { value: new THREE.Vector2() },
          reach: { value: 7 },
        },
      }),
    );
    this.ambient = new THREE.HemisphereLight("#ffffff", "#b9ada0", 1);
    this.sun = new THREE.DirectionalLight("#fff4e4", 2);
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0003;
    this.sun.shadow.normalBias = 0.012;
    this.sun.shadow.radius = 3.5;
    this.fill = new THREE.DirectionalLight("#dbe9ff", 0.5);
    this.fill.position.set(-2, -3, 1.5);
    this.lay(0);
    scene.add(this.sky, this.floor, this.grid, this.ambient, this.sun, this.sun.target, this.fill);
  }

  /** Put the floor at a height: the ground, or lower where a figure hangs below it. */
  lay(level) {
    this.level = level;
    this.floor.position.z = level;
    this.grid.position.z = level + 0.0012;
  }

  /** A little room of bright panels, so that skin and cloth shine softly. @param {THREE.WebGLRenderer} renderer */
  reflect(renderer) {
    const room = new THREE.Scene();
    room.background = new THREE.Color("#b9c3cd");
    const panel = (x, y, z, size, strength) => {
      const material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
      material.color.setScalar(strength);
      const mesh = new THREE.Mesh(new THREE.PlaneGeometry(size, size), material);
      mesh.position.set(x, y, z);
      mesh.lookAt(0, 0, 0);
      room.add(mesh);
    };
    panel(0, 0, 6, 6, 4.5);
    panel(6, 3, 2, 4, 2.5);
    panel(-6, 2, 2, 4, 1.4);
    panel(0, -6, 1, 5, 0.7);
    const maker = new THREE.PMREMGenerator(renderer);
    this.scene.environment = maker.fromScene(room, 0.04).texture;
    maker.dispose();
  }

  /** @param {"light"|"dark"} name */
  theme(name) {
    const theme = THEMES[name] ?? THEMES.light;
    this.scene.fog.color.set(theme.horizon);
    this.sky.material.uniforms.zenith.value.set(theme.zenith);
    this.sky.material.uniforms.horizon.value.set(theme.horizon);
    this.floor.material.color.set(theme.ground);
    this.shade.material.opacity = theme.shade;
    this.grid.material.uniforms.tone.value.set(theme.grid);
    this.ambient.intensity = theme.sky;
    this.sun.intensity = theme.sun;
    this.scene.environmentIntensity = name === "dark" ? 0.45 : 0.5;
    return theme;
  }

  /** The light follows the figure, so that shadows stay sharp wherever it goes. @param {THREE.Box3} box */
  follow(box) {
    const middle = box.getCenter(new THREE.Vector3());
    const half = Math.max(0.75 * box.getSize(new THREE.Vector3()).length(), 0.3);
    // In steps, or shadows would crawl while the figure moves.
    const step = 0.25 * half;
    middle.divideScalar(step).round().multiplyScalar(step);
    const size = Math.ceil(half / 0.25) * 0.25;
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).addScaledVector(LIGHT, 4 * size);
    const camera = this.sun.shadow.camera;
    if (camera.right !== size) {
      Object.assign(camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 10 * size });
      camera.updateProjectionMatrix();
    }
    this.grid.material.uniforms.middle.value.set(middle.x, middle.y);
    this.grid.material.uniforms.reach.value = Math.max(4 * half, 2);
    this.scene.fog.near = Math.max(6 * half, 5);
    this.scene.fog.far = Math.max(14 * half, 14);
  }
}

/** What flattens a thing onto the floor, along the light: its shadow without a shadow map. */
export function flattening(level) {
  const [x, y] = [LIGHT.x / LIGHT.z, LIGHT.y / LIGHT.z];
  return new THREE.Matrix4().set(
    1, 0, -x, x * level,
    0, 1, -y, y * level,
    0, 0, 0, level + 0.0006,
    0, 0, 0, 1,
  );
}
