"""That a soak reads as many files as it should, and that it does not overlook a failure."""

import pytest
from tests import soak


@pytest.mark.parametrize("count", [1, 7, 2_503, 200_000])
def test_the_pieces_of_a_soak_add_up_and_no_two_are_the_same(count: int) -> None:
    pieces = list(soak.pieces(count, 5))
    assert sum(some for _, some, _ in pieces) == count
    assert all(0 < some <= soak.PIECE for _, some, _ in pieces)
    assert [seed for *_, seed in pieces] == list(range(5, 5 + len(pieces)))
    if count >= len(soak.FORMATS):
        assert {name for name, *_ in pieces} == set(soak.FORMATS)


@pytest.mark.parametrize("arguments", [["many"], ["0"], ["-5"], ["1", "-1"], ["1", "2", "3"]])
def test_a_soak_of_nonsense_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert soak.main(arguments) == 2
    assert "usage" in capsys.readouterr().err


def test_a_soak_ends_with_an_error_where_a_reader_fails_otherwise_than_it_may(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(soak, "data_folder", lambda: None)
    monkeypatch.setattr(soak, "FORMATS", {"URDF": "urdf"})
    assert soak.main(["4"]) == 0
    # Processes of their own know nothing of this one, and look it up in vain.
    monkeypatch.setattr(soak, "FORMATS", {"URDF": "urdf", "papyrus": "papyrus"})
    assert soak.main(["4"]) == 1
    assert "papyrus, seed " in capsys.readouterr().err
