// Icons of pins at their sites.
import { THREE, vector } from "../three.js";
import { PIN } from "../palette.js";
import { pinPath } from "../pin_icons.js";
import { Pool } from "./marks.js";

const SIZE = 64;
const PIXELS = 22;
const textures = new Map();

/** The picture of a pin, drawn once. @param {"position"|"rotation"|"both"} kind */
function textureOf(kind) {
  if (!textures.has(kind)) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIZE;
    const context = canvas.getContext("2d");
    context.scale(SIZE / 24, SIZE / 24);
    context.fillStyle = PIN;
    context.beginPath();
    context.arc(12, 12, 11, 0, 2 * Math.PI);
    context.fill();
    context.lineWidth = 1.4;
    context.strokeStyle = "#ffffff";
    context.stroke();
    context.lineWidth = 1.9;
    context.lineCap = context.lineJoin = "round";
    context.stroke(new Path2D(pinPath(kind)));
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    textures.set(kind, texture);
  }
  return textures.get(kind);
}

export class Pins {
  constructor(top) {
    this.shown = [];
    this.sprites = new Pool(top, () => {
      const sprite = new THREE.Sprite(
        new THREE.SpriteMaterial({
          depthTest: false,
          transparent: true,
          sizeAttenuation: false,
          toneMapped: false,
          fog: false,
        }),
      );
      sprite.renderOrder = 12;
      // The same size on the screen however tall the view is, and whatever its lens.
      sprite.onBeforeRender = (renderer, _scene, camera) => {
        const height = renderer.getCurrentViewport(new THREE.Vector4()).w / renderer.getPixelRatio();
        const pixels = height < 260 ? 0.6 * PIXELS : PIXELS;
        const size = (2 * pixels) / height / camera.projectionMatrix.elements[5];
        if (Math.abs(sprite.scale.x - size) < 1e-9) return;
        sprite.scale.setScalar(size);
        sprite.updateMatrixWorld();
        sprite.modelViewMatrix.multiplyMatrices(camera.matrixWorldInverse, sprite.matrixWorld);
      };
      return sprite;
    });
  }

  update(overlays, { settings }) {
    this.shown = settings.pins === false ? [] : (overlays.pins ?? []).filter((pin) => pin.kind !== "free");
    this.sprites.show(this.shown, (sprite, pin) => {
      sprite.position.copy(vector(pin.position));
      const texture = textureOf(pin.kind);
      if (sprite.material.map === texture) return;
      sprite.material.map = texture;
      sprite.material.needsUpdate = true;
    });
  }
}
