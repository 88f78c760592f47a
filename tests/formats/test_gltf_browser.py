"""An exported GLB in a real browser, drawn by three.js.

Needs a Chromium and the three.js that NiceGUI ships; where either is missing these are skipped.
With POISE_PICTURES set to a folder the picture is kept there, to be looked at.
"""

import base64
import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poise
from poise.formats import gltf
from poise.formats.reading import Reading
from poise.motion import Clip
from poise.motion.links import placed
from poise.tasks import Position

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 120
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
PAGE = """<!doctype html>
<script type="module">
  const tell = what => fetch("/result", {method: "POST", body: JSON.stringify(what)});
  try {
    const {THREE, GLTFLoader} = await import("/three.js");
    const gltf = await new GLTFLoader().loadAsync("/figure.glb");
    const time = TIME;
    const mixer = new THREE.AnimationMixer(gltf.scene);
    if (time !== null) {
      mixer.clipAction(gltf.animations[0]).play();
      mixer.setTime(time);
    }
    gltf.scene.updateMatrixWorld(true);
    const places = {}, points = {}, props = {};
    gltf.scene.traverse(each => {
      const ours = each.userData.poise;
      if (ours?.segment)
        places[ours.segment] = each.getWorldPosition(new THREE.Vector3()).toArray();
      if (ours?.prop) {
        const box = new THREE.Box3().setFromObject(each, true);
        props[ours.prop] = {
          low: box.min.toArray(), high: box.max.toArray(),
          color: each.material.color.getHexString(),
        };
      }
      if (each.isSkinnedMesh) {
        const point = new THREE.Vector3();
        const count = each.geometry.attributes.position.count;
        points[each.name] = [];
        for (let i = 0; i < count; i += 50) {
          each.getVertexPosition(i, point);
          points[each.name].push(point.applyMatrix4(each.matrixWorld).toArray());
        }
      }
    });
    const box = new THREE.Box3().setFromObject(gltf.scene, true);
    const size = box.getSize(new THREE.Vector3()), middle = box.getCenter(new THREE.Vector3());
    const scene = new THREE.Scene();
    scene.background = new THREE.Color("#ffffff");
    scene.add(gltf.scene, new THREE.HemisphereLight("#ffffff", "#667788", 2.0));
    const sun = new THREE.DirectionalLight("#ffffff", 2.0);
    sun.position.set(1, 2, 3);
    scene.add(sun);
    const camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
    const far = 1.9 * size.length();
    camera.position.copy(middle).add(new THREE.Vector3(0.45, 0.25, 0.85).multiplyScalar(far));
    camera.lookAt(middle);
    const renderer = new THREE.WebGLRenderer({antialias: true, preserveDrawingBuffer: true});
    renderer.setSize(600, 600);
    document.body.append(renderer.domElement);
    renderer.render(scene, camera);
    const context = renderer.getContext();
    const pixels = new Uint8Array(4 * 600 * 600);
    context.readPixels(0, 0, 600, 600, context.RGBA, context.UNSIGNED_BYTE, pixels);
    let drawn = 0;
    for (let i = 0; i < pixels.length; i += 4)
      if (pixels[i] + pixels[i + 1] + pixels[i + 2] < 740) drawn++;
    await tell({
      places, points, props, drawn: drawn / 360000, size: size.toArray(),
      animations: gltf.animations.map(each => each.name),
      picture: renderer.domElement.toDataURL("image/png"),
    });
  } catch (error) { await tell({error: String(error) + error.stack}); }
</script>"""


def chromium() -> str:
    for name in CHROMIUMS:
        found = shutil.which(name)
        if found:
            return found
    pytest.skip(f"needs a Chromium; none of {', '.join(CHROMIUMS)} is here")


def three() -> bytes:
    spec = importlib.util.find_spec("nicegui")
    for folder in spec.submodule_search_locations or () if spec else ():
        file = Path(folder) / "elements" / "scene" / "dist" / "index.js"
        if file.is_file():
            return file.read_bytes()
    pytest.skip("needs the three.js that NiceGUI ships; NiceGUI is not installed")


def shown(file: Path, time: float | None = None) -> dict[str, Any]:
    """What three.js says of a file, at a time of its first animation."""
    program, script = chromium(), three()
    replies = {
        "/": ("text/html", PAGE.replace("TIME", json.dumps(time)).encode()),
        "/three.js": ("text/javascript", script),
        "/figure.glb": ("model/gltf-binary", file.read_bytes()),
    }
    found: dict[str, Any] = {}
    done = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, content = replies.get(self.path, ("text/plain", b""))
            self.send_response(200 if self.path in replies else 404)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            found.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()
            done.set()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [
                program,
                *FLAGS,
                f"--user-data-dir={profile}",
                "--remote-debugging-port=0",  # keeps it open until it is ended
                f"http://127.0.0.1:{server.server_port}/",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            answered = done.wait(SECONDS)
        finally:
            browser.terminate()
            browser.wait(20)
            server.shutdown()
            server.server_close()
    assert answered, f"the page did not answer within {SECONDS} s"
    assert "error" not in found, found["error"]
    keep = os.environ.get("POISE_PICTURES")
    if keep:
        picture = base64.b64decode(found["picture"].partition(",")[2])
        (Path(keep) / f"{file.stem}.png").write_bytes(picture)
    return found


def ours(place: list[float]) -> list[float]:
    """glTF's axes in ours."""
    x, y, z = place
    return [z, x, y]


def test_three_js_shows_the_human_where_it_stands(tmp_path: Path) -> None:
    human = poise.human()
    file = tmp_path / "human.glb"
    gltf.write(Reading(human, posture=human.rest()), file)
    found = shown(file)
    where = human.place(human.rest())
    for name, place in found["places"].items():
        np.testing.assert_allclose(ours(place), where.segment(name).position, atol=1e-6)
    assert len(found["places"]) == len(human.segments)
    assert 1.70 < found["size"][1] < 1.80, "he is 1.75 m tall, and up is y"
    assert found["drawn"] > 0.02, "a person fills more of the picture than that"


def test_three_js_moves_a_figure_as_its_clip_has_it(tmp_path: Path) -> None:
    human = poise.human()
    rest = human.rest()
    raised = rest.copy()
    raised["left_knee"] = 1.0
    raised["left_shoulder_complex"] = [1.2, 0.2, 0.1]
    raised.q[:3] += [0.3, 0.1, 0.05]
    frames = np.array([rest.blend(raised, share).q for share in np.linspace(0, 1, 11)])
    clip = Clip(human, frames, 10.0)
    file = tmp_path / "moving.glb"
    gltf.write(Reading(human, posture=rest, clips={"lift": clip}), file)
    found = shown(file, time=0.7)
    assert found["animations"] == ["lift"]
    wanted = placed(human, clip.q[7:8])
    for name, place in found["places"].items():
        np.testing.assert_allclose(ours(place), wanted[name][1][0], atol=1e-5)


def test_three_js_bends_the_skin_as_we_do(tmp_path: Path, data: Path) -> None:
    reading = gltf.read(data / "meshes" / "CesiumMan.glb")
    clip = reading.clips["animation_0"]
    file = tmp_path / "skin.glb"
    gltf.write(Reading(reading.figure, posture=clip[20], skin=reading.skin), file)
    found = shown(file)
    assert reading.skin is not None
    surface = reading.skin.surfaces[0]
    wanted = surface.placed(reading.figure.place(clip[20]))[::50]
    (points,) = found["points"].values()
    np.testing.assert_allclose([ours(point) for point in points], wanted, atol=1e-5)
    assert found["drawn"] > 0.02


def test_three_js_shows_props_where_they_stand_and_where_they_are_held(tmp_path: Path) -> None:
    scene = poise.Scene(poise.human())
    table = poise.box(0.6, 1.0, 0.7, name="table", color="#336699")
    scene.place(table, (0.7, 0.1, 0.35))
    scene.hold(poise.box(0.2, 0.1, 0.1, name="parcel"), "right_hand")
    scene.add(Position("right_hand", (0.5, -0.1, 0.9)), name="reach")
    path = [(0.5, -0.1, 0.9), (0.5, 0.1, 1.1), (0.4, 0.1, 1.1)]
    moves = scene.animate({"reach": path}, fps=1)
    moves.save(tmp_path / "table.glb")
    found = shown(tmp_path / "table.glb", time=1.0)
    prop = found["props"]["table"]
    np.testing.assert_allclose(ours(prop["low"]), [0.4, -0.4, 0.0], atol=1e-6)
    np.testing.assert_allclose(ours(prop["high"]), [1.0, 0.6, 0.7], atol=1e-6)
    assert prop["color"] == "336699"
    held = moves.clip.figure.place(moves.clip[1]).segment("parcel").position
    np.testing.assert_allclose(ours(found["places"]["parcel"]), held, atol=1e-5)
