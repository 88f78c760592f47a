"""A short walk of random people; `python -m tests.studio.soak` takes a long one."""

import sys

import pytest
from tests.studio import soak


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_random_actions_break_nothing() -> None:
    walked = soak.walk(120, 3, told=lambda line: None)
    assert walked.done["move"] > 50
    assert sum(walked.refused.values()) > 5
