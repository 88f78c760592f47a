"""Warnings that reading gives are tested where they are meant, and no news elsewhere."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "ignore::poise.errors.PoiseWarning")
