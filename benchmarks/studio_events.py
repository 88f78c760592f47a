"""Drag events a second in a real Chromium, with the drawing left out.

A hand of the standard human is led round a circle for some seconds by events of the mouse as the
browser makes them. Counted: the moves that the page sent (one an animation frame at most), and the
postures that came back to it.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

SECONDS = 5.0
AIM = 50


def main() -> None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("studio_events: skipped, playwright is not installed")
        return
    from tests.studio.browser.conftest import FLAGS, found, served
    from tests.studio.browser.driving import Studio

    program = found()
    if program is None:
        print("studio_events: skipped, there is no Chromium here")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        for address in served(Path(folder)):
            studio = Studio(browser, address)
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
    before = studio.tell("v.counts")
    start, events = time.perf_counter(), 0
    while (passed := time.perf_counter() - start) < SECONDS:
        turn = 2 * math.pi * passed
        studio.page.mouse.move(x + 60 * math.sin(turn), y - 60 + 60 * math.cos(turn))
        events += 1
    after = studio.tell("v.counts")
    studio.page.mouse.up()
    sent = (after["moves"] - before["moves"]) / passed
    postures = (after["frames"] - before["frames"]) / passed
    print("drags in Chromium, drawing left out (a second)")
    print(f"  events of the mouse      {events / passed:7.1f}")
    print(f"  moves sent by the page   {sent:7.1f}   aim: {AIM} or more")
    print(f"  postures that came back  {postures:7.1f}")


if __name__ == "__main__":
    main()
