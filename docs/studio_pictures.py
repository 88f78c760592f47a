"""Photograph the studio for docs/studio.md in a real Chromium: all pictures, or those named.

Usage: `python docs/studio_pictures.py [NAME …]`; needs the extras `studio` and `test` and a
Chromium. Without a graphics card every picture takes some seconds.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.studio.browser.conftest import FLAGS, PROGRAM, found  # noqa: E402
from tests.studio.browser.driving import Studio  # noqa: E402
from tests.studio.servers import Server  # noqa: E402

FOLDER = Path(__file__).parent / "studio"
EXAMPLES = ROOT / "examples"
SIZE = {"width": 1360, "height": 820}


def look(
    studio: Studio, azimuth: float, elevation: float, away: float = 1.0, higher: float = 0.0
) -> None:
    """Turn the camera (radians) to the figure, so many times as far away, and higher (m)."""
    studio.still()
    studio.tell(
        "(v.frame(), Object.assign(v.look.wanted, {azimuth: a[0], elevation: a[1],"
        " distance: v.look.wanted.distance * a[2]}), v.look.wanted.target.z += a[3],"
        " v.invalidate(), 0)",
        [azimuth, elevation, away, higher],
    )


def open_scene(studio: Studio, name: str) -> None:
    studio.apply(do="open", text=(EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8"))
    studio.apply(do="solve")


def tab(studio: Studio, name: str) -> None:
    studio.page.get_by_role("tab", name=name).click()


def main_page(studio: Studio) -> None:
    """The fly on the beam with its list of tasks."""
    open_scene(studio, "fly_on_the_beam")
    studio.apply(do="settings", theme="light")
    look(studio, -0.95, 0.24, 1.12)


def limits(studio: Studio) -> None:
    """The limits of a shoulder, and its angles."""
    studio.apply(do="new")
    studio.apply(do="settings", theme="light", trace=False)
    studio.apply(do="set_coordinates", values={"left_shoulder_complex.abduction": 1.0})
    studio.apply(do="select", kind="joint", name="left_shoulder")
    tab(studio, "Selected")
    look(studio, 0.15, 0.16, 0.9)


def forces(studio: Studio) -> None:
    """What a lifted box asks of feet and joints."""
    open_scene(studio, "lift_a_box")
    studio.apply(do="select")
    studio.apply(do="settings", theme="dark", torques=True)
    for foot in ("left_foot", "right_foot"):
        studio.apply(do="add_support", site=foot, ratio=0.5, friction=0.6)
    studio.apply(do="set_person", sex="male")
    tab(studio, "Forces")
    look(studio, -0.95, 0.18, 1.0)


def tasks(studio: Studio) -> None:
    """A task opened that cannot be met, with what is in its way."""
    open_scene(studio, "reach_a_shelf")
    studio.apply(do="settings", theme="dark", torques=False)
    studio.apply(
        do="add_task",
        type="position",
        parameters={"site": "left_hand", "target": [0.4, 0.5, 2.3]},
        name="too high",
    )
    tab(studio, "Tasks")
    studio.page.locator(".task-row", has_text="too high").click()
    studio.page.get_by_role("button", name="What is in its way?").click()
    look(studio, -0.8, 0.2, 1.25, higher=0.2)


_POSES: dict[str, dict[str, list[float]]] = {
    "standing": {},
    "wave": {"right_hand": [0.2, -0.42, 1.72]},
    "reach": {"left_hand": [0.7, 0.1, 1.3]},
    "arms wide": {"left_hand": [0.0, 0.85, 1.4], "right_hand": [0.0, -0.85, 1.4]},
    "crouch": {"pelvis": [-0.05, 0.0, 0.55]},
}
"""By name: which sites are dragged, and where to (m)."""


def drag(studio: Studio, segment: str, target: list[float], steps: int = 40) -> None:
    """Drag a part of the body, as a hand does."""
    studio.still()
    start = studio.site(segment)
    studio.apply(do="grab", what="point", segment=segment, point=[0.0, 0.0, 0.0])
    for i in range(1, steps + 1):
        point = (start + (np.array(target) - start) * i / steps).tolist()
        studio.apply(do="move", point=point, sequence=i)
        studio.page.wait_for_timeout(20)
    studio.apply(do="release")
    studio.still()


def poses(studio: Studio) -> None:
    """The pose library with some poses."""
    studio.apply(do="new")
    studio.apply(do="select")
    for name, wanted in _POSES.items():
        studio.apply(do="rest")
        for segment, target in wanted.items():
            drag(studio, segment, target)
        studio.apply(do="keep_pose", name=name)
    studio.page.get_by_role("button", name="Posture", exact=True).click()
    studio.page.locator(".q-menu .q-item", has_text="Pose library").click()
    studio.page.get_by_role("button", name="wave", exact=True).click()
    studio.page.get_by_role("button", name="Apply").click()
    look(studio, -0.6, 0.2, 1.0)


def figure_editor(studio: Studio) -> None:
    """The figure editor at a shank."""
    studio.page.get_by_role("button", name="close", exact=True).locator(
        "visible=true"
    ).first.click()
    studio.apply(do="new")
    studio.page.get_by_role("button", name="Figure", exact=True).click()
    studio.page.locator(".q-menu .q-item", has_text="Edit the figure").click()
    studio.page.locator(".q-tree__node-header", has_text="left shank").click()
    look(studio, -0.6, 0.2, 1.0)


PICTURES: dict[str, Callable[[Studio], None]] = {
    "main": main_page,
    "limits": limits,
    "forces": forces,
    "tasks": tasks,
    "poses": poses,
    "figure-editor": figure_editor,
}


def main(names: list[str]) -> None:
    program = found()
    if program is None:
        sys.exit("there is no Chromium here")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS)).new_context()
        with Server(PROGRAM, Path(folder)) as server:
            studio = Studio(browser, server.address)
            studio.page.set_viewport_size(SIZE)
            studio.page.set_default_timeout(120_000)
            studio.apply(do="settings", quality="high", sites=False)
            studio.open("/")
            for name in names or PICTURES:
                PICTURES[name](studio)
                studio.page.wait_for_timeout(9_000)  # software rendering takes its time
                hint = studio.page.get_by_role("button", name="close this hint")
                if hint.is_visible():
                    hint.click()
                    studio.page.wait_for_timeout(2_000)
                keep(studio.page.screenshot(), FOLDER / f"{name}.png")
            studio.close()
        browser.close()


def keep(content: bytes, path: Path) -> None:
    """Write a picture as small as it gets without a loss."""
    Image.open(io.BytesIO(content)).convert("RGB").save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
