// How well to draw: high where there is a graphics card, low where the processor must do it.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** What draws, in its own words, or null where nothing can. @returns {string|null} */
export function rendererName() {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return null;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = names ? context.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return String(name);
}

/** @param {string} name of the renderer */
export const isSoftware = (name) => SOFTWARE.test(name);

/** Whether the address asks for no drawing at all, to measure events alone. */
export const drawingIsOff = () => new URLSearchParams(location.search).get("drawing") === "off";
