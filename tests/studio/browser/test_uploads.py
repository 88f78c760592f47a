"""A page, or its dialog, that is closed while a file is on its way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.studio.browser.conftest import PROGRAM
from tests.studio.browser.driving import Studio
from tests.studio.servers import Server

SLOWLY = 200_000
"""Bytes a second that reach the server."""


@pytest.fixture
def server(chromium: Any, tmp_path: Path) -> Iterator[Server]:
    with Server(PROGRAM, tmp_path) as made:
        yield made


@pytest.mark.parametrize("closes", ["dialog", "tab"])
def test_a_page_that_is_closed_in_mid_upload_leaves_no_trace(
    chromium: Any, server: Server, tmp_path: Path, closes: str
) -> None:
    file = tmp_path / "arm.yaml"
    file.write_text("# " + "x" * 15_000_000 + "\nfigure: {name: arm}\n", encoding="utf-8")
    studio = Studio(chromium, server.address)
    page = studio.page
    page.add_init_script("localStorage.setItem('poise-hint-seen', '1')")
    studio.open("/?drawing=off")
    before = studio.session
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": SLOWLY}
    network.send("Network.emulateNetworkConditions", slow)
    page.click(".studio-menu:has-text('Figure')")
    page.click(".q-menu .q-item:has-text('From a file')")
    page.wait_for_selector(".q-dialog input[type=file]", state="attached")
    page.set_input_files(".q-dialog input[type=file]", str(file))
    page.wait_for_selector(
        ".q-uploader .q-spinner, .q-uploader__file--uploading, .q-uploader .q-circular-progress"
    )
    if closes == "dialog":
        page.keyboard.press("Escape")
        page.wait_for_function("!document.querySelector('.q-dialog .card')")
        network.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": -1})
        studio.still()
    else:
        studio.close()
    # Another page is served as ever, and shows what was there before.
    other = Studio(chromium, server.address)
    other.open("/?drawing=off")
    assert other.session == before
    other.close()
    log = server.log.read_text(encoding="utf-8", errors="replace")
    assert "Traceback" not in log, log[-3000:]
    assert "ERROR" not in log, log[-3000:]
