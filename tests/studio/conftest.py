"""What the studio's tests share."""

from collections.abc import Iterator

import pytest
from tests.studio.pages import Page

from poise.studio.session import Session


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Build, or load, what the studio uses, however long that takes on a new machine.

    All that waits for a studio later, here or in a process of its own, then waits for no build.
    """
    session = Session()
    page = Page(session)
    for foot in ("left_foot", "right_foot"):
        page.do("add_support", site=foot)
    page.do("use_contact_forces", on=True)
    page.do("settings", torques=True)
    page.do("grab", segment="left_hand", point=[0, 0, 0])
    page.drag([[0.3, 0.4, 1.2], [2.0, 0.4, 1.2]])
    page.do("release")
    session.close()


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session()
    yield made
    made.close()


@pytest.fixture
def page(session: Session) -> Page:
    return Page(session)
