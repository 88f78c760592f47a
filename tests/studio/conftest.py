"""What the studio's tests share."""

from collections.abc import Iterator

import pytest
from tests.studio.pages import Page

from poise.studio.session import Session


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session()
    yield made
    made.close()


@pytest.fixture
def page(session: Session) -> Page:
    return Page(session)
