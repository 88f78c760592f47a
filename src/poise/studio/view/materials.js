// What bodies are made of, for high and for low quality, and how parts of a skin are lit up.
import { THREE } from "./three.js";

/**
 * @param {string} color
 * @param {"high"|"low"} quality
 */
export function bodyMaterial(color, quality, options = {}) {
  if (quality === "low") return new THREE.MeshLambertMaterial({ color, ...options });
  return new THREE.MeshStandardMaterial({ color, roughness: 0.62, metalness: 0.0, ...options });
}

/**
 * Let a material mix a colour of each point over its own: attribute `tint`, red green blue and how
 * much. A skin has one material for many segments, of which some may be lit up.
 * @param {THREE.Material} material
 */
export function tintable(material) {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec4 tint;\nvarying vec4 vTint;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvTint = tint;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec4 vTint;")
      .replace(
        "#include <color_fragment>",
        "#include <color_fragment>\ndiffuseColor.rgb = mix(diffuseColor.rgb, vTint.rgb, vTint.a);",
      );
  };
  return material;
}
