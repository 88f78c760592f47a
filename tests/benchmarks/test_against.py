"""Two commits solve the same scenes by turns; here one of them, once."""

import pytest
from against_worker import Solving
from person_of_71 import GROUPS


def test_a_worker_builds_a_group_and_solves_it_alike_each_round() -> None:
    solving = Solving()
    assert solving.reply({"do": "where"})["folder"].endswith("poise")
    assert solving.reply({"do": "build", "group": GROUPS[0][0], "count": 3}) == {}
    first, second = (solving.reply({"do": "round", "group": GROUPS[0][0]}) for _ in range(2))
    assert first["statuses"] == second["statuses"] == ["solved"] * 3
    assert first["iterations"] == second["iterations"]
    assert all(seconds > 0.0 for seconds in first["seconds"])


def test_a_request_that_is_not_known_is_an_error() -> None:
    with pytest.raises(ValueError, match="there is no request 'dance'"):
        Solving().reply({"do": "dance"})
