"""What the view needs of the three.js that NiceGUI ships, and of NiceGUI's way to serve it."""

import re
from pathlib import Path

from tests.studio.browser.driving import Studio

FOLDER = Path(__file__).parents[3] / "src" / "poise" / "studio" / "view"


def test_every_name_that_the_view_takes_from_three_is_there(studio: Studio) -> None:
    used: set[str] = set()
    for file in FOLDER.rglob("*.js"):
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read_text(encoding="utf-8"), flags=re.S)
        used |= set(re.findall(r"\bTHREE\.([A-Z]\w+)", code))
    assert len(used) > 30
    missing = studio.page.evaluate(
        "async names => { const {THREE} = await import('nicegui-scene');"
        " return names.filter(name => !(name in THREE)); }",
        sorted(used),
    )
    assert missing == []


def test_the_revision_of_three_is_the_one_that_the_view_was_written_for(studio: Studio) -> None:
    revision = studio.page.evaluate("async () => (await import('nicegui-scene')).THREE.REVISION")
    assert revision == "180", "look at the view in high and low quality, then change this number"


def test_no_file_of_the_view_is_long_or_minified() -> None:
    for file in FOLDER.rglob("*.js"):
        lines = file.read_text(encoding="utf-8").splitlines()
        assert len(lines) < 400, file.name
        assert max(map(len, lines)) <= 120, file.name
