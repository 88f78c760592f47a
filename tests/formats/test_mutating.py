"""That spoiling files finds what it is meant to find."""

import random
import time
from pathlib import Path

import pytest
from tests.formats import fuzzing_figure, mutating
from tests.formats.fuzzing_mjcf import SEVERAL
from tests.formats.mutating import Files, TookTooLong, fuzz, spoilt_set

import poise
from poise import PoiseError
from poise.formats import mjcf
from poise.formats.reading import Reading


def make(rng: random.Random) -> Files:
    return {"a.urdf": rng.randbytes(4)}


def test_spoilt_figure_files_are_read_or_refused() -> None:
    readable, refused = fuzzing_figure.fuzz(150, 1)
    assert readable > 20
    assert refused > 20


def test_a_reader_that_goes_on_and_on_is_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(mutating, "SECONDS", 0.05)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))

    def forever(path: Path) -> Reading:
        ends = time.process_time() + 60
        while time.process_time() < ends:
            pass
        raise PoiseError(f"{path} cannot be read")

    with pytest.raises(TookTooLong, match=r"not read within 0\.05 s") as caught:
        fuzz(forever, [], make, 1, 3)
    assert caught.value.__notes__ == [f"number 0 of seed 3, kept in {tmp_path / 'spoilt_3_0'}"]
    assert (tmp_path / "spoilt_3_0" / "a.urdf").is_file()


@pytest.mark.parametrize("error", [ValueError("x"), MemoryError(), PoiseError("")])
def test_any_other_error_comes_out_and_so_does_one_without_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))

    def failing(path: Path) -> Reading:
        raise error

    with pytest.raises(type(error)):
        fuzz(failing, [], make, 1, 3)


def test_files_are_counted_as_read_or_refused() -> None:
    def by_chance(path: Path) -> Reading:
        if path.read_bytes()[0] % 2:
            raise PoiseError("odd")
        return Reading(poise.chain(1))

    readable, refused = fuzz(by_chance, [], make, 40, 3)
    assert readable + refused == 40
    assert min(readable, refused) > 5


def test_things_are_replaced_anywhere_in_a_large_file() -> None:
    content = b" ".join(b"%d" % number for number in range(100_000))
    change, rng = mutating._one_of(mutating._WORD, [b"x"]), random.Random(1)
    found = [change(content, rng).find(b"x") for _ in range(200)]
    places = [at for at in found if at >= 0]  # the others have another number instead
    assert min(places) < 0.05 * len(content)
    assert max(places) > 0.95 * len(content)


def test_one_in_fifty_files_is_made_from_a_whole_one() -> None:
    rng = random.Random(1)
    made = [mutating.partly_whole(["part"], ["whole"], rng) for _ in range(5_000)]
    assert 60 < made.count("whole") < 140
    assert {mutating.partly_whole(["part"], [], rng) for _ in range(200)} == {"part"}


def test_second_files_are_spoilt_or_missing_too(tmp_path: Path) -> None:
    for name, content in SEVERAL.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert "right_grip" in mjcf.read(tmp_path / "spoilt.xml").figure.joints
    rng = random.Random(1)
    changed: set[str] = set()
    missing: set[str] = set()
    for _ in range(1_000):
        files = spoilt_set(SEVERAL, rng)
        missing |= SEVERAL.keys() - files.keys()
        changed |= {name for name, content in files.items() if content != SEVERAL[name]}
    assert changed == set(SEVERAL)
    assert missing == set(SEVERAL) - {"spoilt.xml"}
