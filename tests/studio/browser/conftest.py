"""A studio in a process of its own and a real Chromium that looks at it.

Skipped with a reason where there is no Chromium, or playwright is not installed. With
POISE_PICTURES set to a folder every test leaves a picture of its page there.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.studio.browser.driving import PATIENCE, Studio
from tests.studio.servers import Server

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


PROGRAM = ("-m", "tests.studio.browser.served")


def found() -> str | None:
    """A Chromium of the system, if there is one."""
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The windows of a browser, open for all tests."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    program = found()
    if program is None:
        pytest.skip(f"needs a Chromium; none of {', '.join(CHROMIUMS)} is here")
    with playwright.sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(
                executable_path=program, args=list(FLAGS), timeout=PATIENCE
            )
        except playwright.Error as error:
            # Ubuntu has a program of that name that only tells one to install another.
            pytest.skip(f"needs a Chromium that starts; {program} says: {error.message[:300]}")
        # One for all tests: what a page loads is then there for the next.
        yield browser.new_context()
        browser.close()


@pytest.fixture(scope="session")
def address(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a studio with a standing human is served."""
    folder = tmp_path_factory.mktemp("studio")
    with Server(PROGRAM, folder) as server:
        yield server.address


@pytest.fixture
def tab(chromium: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Studio]:
    """An empty tab before a new document."""
    studio = Studio(chromium, address)
    studio.apply(do="new")
    studio.apply(do="settings", mode="body", gizmo="move", quality="auto")
    studio.apply(do="select")
    yield studio
    keep = os.environ.get("POISE_PICTURES")
    if keep:
        studio.page.screenshot(path=Path(keep) / f"{request.node.name}.png")
    studio.close()
    assert studio.errors == [], "the page has said that something went wrong"


@pytest.fixture
def studio(tab: Studio) -> Studio:
    """A page with the 3D view alone, on a new document."""
    tab.open()
    return tab


@pytest.fixture
def page(studio: Studio) -> Any:
    """The tab of `studio`, as the browser's driver has it."""
    return studio.page
