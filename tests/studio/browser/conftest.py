"""A studio in a process of its own and a real Chromium that looks at it.

Skipped with a reason where there is no Chromium, or playwright is not installed. With
POISE_PICTURES set to a folder every test leaves a picture of its page there.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.studio.browser.driving import Studio

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
SECONDS = 300  # a cold kernel is compiled first
ROOT = Path(__file__).parents[3]


def found() -> str | None:
    """A Chromium of the system, if there is one."""
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser, open for all tests."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    program = found()
    if program is None:
        pytest.skip(f"needs a Chromium; none of {', '.join(CHROMIUMS)} is here")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


def served(folder: Path, scene: str | None = None) -> Iterator[str]:
    """The address of a studio that is served as long as it is needed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # NiceGUI looks for pytest in the environment and would then serve nothing.
    passed = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "NICEGUI"))}
    passed["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    passed["POISE_STUDIO_DIR"] = str(folder)
    command = [sys.executable, "-m", "tests.studio.browser.served", str(port)]
    log = (folder / "log.txt").open("wb")
    process = subprocess.Popen(
        command + ([scene] if scene else []), cwd=ROOT, env=passed, stdout=log, stderr=log
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _await(address, process, folder / "log.txt")
        yield address
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def _await(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, f"the studio has ended:\n{log.read_text()}"
        try:
            urllib.request.urlopen(f"{address}/state", timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError(f"the studio did not answer within {SECONDS} s:\n{log.read_text()}")


@pytest.fixture(scope="session")
def address(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a studio with a standing human is served."""
    yield from served(tmp_path_factory.mktemp("studio"))


@pytest.fixture
def studio(chromium: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Studio]:
    """A page with the 3D view alone, on a new document."""
    studio = Studio(chromium, address)
    studio.apply(do="new")
    studio.apply(do="settings", mode="body", gizmo="move", quality="auto")
    studio.apply(do="select")
    studio.open()
    yield studio
    keep = os.environ.get("POISE_PICTURES")
    if keep:
        studio.page.screenshot(path=Path(keep) / f"{request.node.name}.png")
    studio.close()
    assert studio.errors == [], "the page has said that something went wrong"
