"""Warnings that reading gives are tested where they are meant, and no news elsewhere."""

from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "ignore::poise.errors.PoiseWarning")


@pytest.fixture(scope="session")
def data(data: Path) -> Path:
    """The folder of data, if there is anything in it."""
    if not any(data.iterdir()):
        pytest.skip(f"needs the data folder; {data} is empty (POISE_DATA names another)")
    return data
