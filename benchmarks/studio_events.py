"""Drag events a second in a real Chromium, with the drawing left out.

A hand of the standard human, its feet pinned and balance kept, is led round a circle for some
seconds by events of a pointer, 250 a second. Counted: the moves that the page sent (one an
animation frame at most), and the postures that came back to it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

SECONDS = 5.0
AIM = 50
CIRCLE = """new Promise(done => {
  const [x, y, seconds] = a, start = performance.now(), before = {...v.counts};
  const timer = setInterval(() => {
    const passed = (performance.now() - start) / 1000, turn = 2 * Math.PI * passed;
    const at = {clientX: x + 60 * Math.sin(turn), clientY: y - 60 + 60 * Math.cos(turn)};
    v.canvas.dispatchEvent(new PointerEvent('pointermove', {...at, bubbles: true, buttons: 1}));
    if (passed < seconds) return;
    clearInterval(timer);
    done([v.counts.moves - before.moves, v.counts.frames - before.frames, passed]);
  }, 4);
})"""


def main() -> None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("studio_events: skipped, playwright is not installed")
        return
    from tests.studio.browser.conftest import FLAGS, PROGRAM, found
    from tests.studio.browser.driving import Studio
    from tests.studio.servers import Server

    program = found()
    if program is None:
        print("studio_events: skipped, there is no Chromium here")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS)).new_context()
        with Server(PROGRAM, Path(folder)) as server:
            studio = Studio(browser, server.address)
            for foot in ("left_foot", "right_foot"):
                studio.apply(do="pin", site=foot, kind="both")
            studio.apply(do="keep_balance", on=True)
            studio.open("/view?drawing=off")
            _lead(studio)
            studio.close()
        browser.close()


def _lead(studio: object) -> None:
    from tests.studio.browser.driving import Studio

    assert isinstance(studio, Studio)
    x, y = studio.grab("left_hand")
    studio.pull((x, y), (8, -8))
    sent, postures, passed = studio.tell(CIRCLE, [x, y, SECONDS])
    studio.page.mouse.up()
    print("drags in Chromium, drawing left out (a second)")
    print(f"  moves sent by the page   {sent / passed:7.1f}   aim: {AIM} or more")
    print(f"  postures that came back  {postures / passed:7.1f}")


if __name__ == "__main__":
    main()
