"""Two lists of results of the same problems."""

from comparing import changes, counts, order, orders, words


def test_the_most_important_level_that_differs_decides() -> None:
    assert order([0.0, 0.1, 0.5], [0.0, 0.05, 0.9]) == -1
    assert order([0.0, 0.1, 0.5], [0.002, 0.05, 0.1]) == 1


def test_a_thousandth_and_the_tolerance_are_no_difference() -> None:
    assert order([1.0], [1.001]) == 0
    assert order([1.0], [0.999]) == 0
    assert order([1.0], [1.0012]) == 1
    assert order([0.0], [0.9e-4]) == 0
    assert order([0.0], [1.1e-4]) == 1
    assert order([0.0], [0.9e-4], tolerance=1e-6) == 1


def test_problems_are_counted_each_way() -> None:
    assert orders([[1.0], [1.0], [1.0]], [[2.0], [0.5], [1.0]]) == (1, 1, 1)
    before, after = ["solved", "stalled", "time"], ["stationary", "solved", "time"]
    assert changes(before, after) == (1, 1)


def test_statuses_are_counted() -> None:
    assert words(["stalled", "solved", "solved"]) == "2 solved, 1 stalled"
    assert counts(["solved", "time", "iterations", "stalled", "solved"]) == "2 0 1 2"
