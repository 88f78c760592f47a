"""What all tests share."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Compiling and a busy machine make any deadline a coin toss; the same examples every time make a
# failure one that can be looked at.
settings.register_profile(
    "poise",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("poise")

os.environ.setdefault("MPLBACKEND", "agg")
if sys.platform == "linux" and not os.environ.get("DISPLAY"):
    # Otherwise VTK tries for a screen first and complains.
    os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of data that is too big for the repository: POISE_DATA, or ../shared/data."""
    given = os.environ.get("POISE_DATA")
    folder = Path(given) if given else Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir() or not any(folder.iterdir()):
        pytest.skip(f"needs the data folder; {folder} is not there (POISE_DATA names another)")
    return folder


LONGEST = ("studio/browser/", "campaign/", "reproductions/", "building/", "kernel/test_")
"""Folders whose files take longest. They begin first, so that no process waits for one at the end
(`make test` deals out whole files, in this order)."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the longest files to the front."""
    here = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        name = item.path.relative_to(here).as_posix()
        return next((i for i, each in enumerate(LONGEST) if name.startswith(each)), len(LONGEST))

    items.sort(key=rank)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the numbers that tests have recorded (`record_property`) without judging them."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            terminalreporter.write_line(f"{name}: {value}")
