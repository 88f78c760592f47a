"""Records of numbers, as kernels that are interpreted and whoever prepares them see them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from poise.errors import PoiseError
from poise.kernel.records import Numbers, fields

PLAIN = """
from poise.kernel.records import Numbers
class Counts(Numbers):
    iterations: int
    longest: float = 0.5
class More(Numbers):
    pass
"""


class Counts(Numbers):
    iterations: int
    longest: float = 0.5
    is_done: bool = False


def test_fields_are_found_whether_or_not_annotations_are_texts() -> None:
    made: dict[str, Any] = {"__name__": __name__}
    exec(compile(PLAIN, "plain", "exec", dont_inherit=True), made)
    assert fields(made["Counts"]) == {"iterations": int, "longest": float}
    assert fields(Counts) == {"iterations": int, "longest": float, "is_done": bool}
    assert fields(made["More"]) == {}
    assert made["Counts"]().longest == 0.5


def test_a_field_may_only_be_a_number() -> None:
    with pytest.raises(PoiseError, match=r"_Wrong\.name must be a float, an int or a bool"):

        class _Wrong(Numbers):  # pyright: ignore[reportUnusedClass]
            name: str


def test_a_record_is_closed() -> None:
    counts = Counts()
    with pytest.raises(PoiseError, match=r"no field of Counts 'iteration'; did you mean 'iter"):
        counts.iteration = 3  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        counts.phase = 3  # type: ignore[attr-defined]
    counts.iterations += 3
    assert counts.iterations == 3
    assert counts.integers[0] == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("iterations", each) for each in (2.7, np.float64(2.0), "2", None, np.array([2]))],
        *[("longest", each) for each in ("2", None, 1j, np.array([2.0]))],
        *[("is_done", each) for each in (1, 0.0, None, "yes")],
    ],
)
def test_a_field_takes_numbers_of_its_type_alone(name: str, value: object) -> None:
    counts = Counts()
    with pytest.raises(PoiseError, match=rf"^Counts\.{name} is a number of the type "):
        setattr(counts, name, value)
    assert not counts.integers[0]


def test_a_field_takes_all_numbers_that_fit() -> None:
    counts = Counts()
    for value in (2, np.int64(2), np.int32(2)):
        counts.iterations = value  # type: ignore[assignment]
        assert counts.iterations == 2
        counts.longest = value
        assert counts.longest == 2.0
    for true in (True, np.bool_(True)):
        counts.is_done = true  # type: ignore[assignment]
        assert counts.is_done is True
        counts.iterations = true  # type: ignore[assignment]
        assert counts.iterations == 1


class Longer(Counts):
    least: float = -1.0
    longest: float = 0.75


def test_a_record_may_derive_from_another() -> None:
    assert list(fields(Longer)) == ["iterations", "longest", "is_done", "least"]
    record = Longer()
    assert (record.iterations, record.longest, record.least) == (0, 0.75, -1.0)
    record.is_done, record.iterations = True, 5
    assert record.words.size == 4
    assert record.integers[0] == 5
    assert Counts().longest == 0.5
