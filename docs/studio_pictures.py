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

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.studio.browser.conftest import FLAGS, found, served  # noqa: E402
from tests.studio.browser.driving import Studio  # noqa: E402

FOLDER = Path(__file__).parent / "studio"
EXAMPLES = ROOT / "examples"
SIZE = {"width": 1360, "height": 820}


def look(studio: Studio, azimuth: float, elevation: float, closer: float = 1.0) -> None:
    """Turn the camera (radians), and go closer to the figure."""
    studio.still()
    studio.tell(
        "(v.frame(), Object.assign(v.look.wanted, {azimuth: a[0], elevation: a[1],"
        " distance: v.look.wanted.distance * a[2]}), v.invalidate(), 0)",
        [azimuth, elevation, closer],
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


PICTURES: dict[str, Callable[[Studio], None]] = {
    "main": main_page,
    "limits": limits,
    "forces": forces,
}


def main(names: list[str]) -> None:
    program = found()
    if program is None:
        sys.exit("there is no Chromium here")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        for address in served(Path(folder)):
            studio = Studio(browser, address)
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
