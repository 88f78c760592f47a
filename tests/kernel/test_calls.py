"""Calls of compiled kernels: what is taken and refused, and what stays alive meanwhile."""

from __future__ import annotations

import ctypes
import gc
import importlib
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.building.toys import WAIT, forget_toys, run, write_toys

from poise.errors import PoiseError
from poise.kernel import calls, library
from poise.kernel.calls import Entry, prepared


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The toys' entries, compiled."""
    parent = tmp_path_factory.mktemp("calls")
    write_toys(parent)
    done = run(parent, parent / "cache")
    assert done.returncode == 0, done.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POISE_CACHE_DIR", str(parent / "cache"))
        patch.delenv("POISE_INTERPRET", raising=False)
        patch.setattr(sys, "path", [str(parent), *sys.path])
        found = importlib.import_module("toys.top")
        assert isinstance(found.split, Entry)
        assert library.ready("toys")[1].how == "kept"
        yield found
        forget_toys()
        library._ready.cache_clear()


@pytest.fixture(scope="module")
def shapes(toys: Any) -> Any:
    return importlib.import_module("toys.shapes")


Outer = Callable[..., Any]


@pytest.fixture
def outer(shapes: Any) -> Outer:
    """Makes a named tuple of arrays."""

    def make(value: float = 1.0, columns: int = 5) -> Any:
        inner = shapes.Inner(np.full((3, columns), value), np.array([2, 0, 1]))
        return shapes.Outer(np.ones(3), inner)

    return make


def plain(entry: Entry) -> Callable[..., Any]:
    """The Python function of an entry."""
    return entry.__wrapped__  # pyright: ignore


# numbers ------------------------------------------------------------------------------------------


def test_numbers_are_taken_from_numpy_and_integers_for_floats(toys: Any, outer: Outer) -> None:
    start = np.zeros(3)
    for count in (2, np.int64(2), np.int32(2), np.uint8(2)):
        for negative in (True, np.True_, 1):
            assert toys.weigh(outer(), start, count, negative) == -10.0
        for negative in (False, np.False_, 0):
            assert toys.weigh(outer(), start, count, negative) == 10.0
    for x in (4, 4.0, np.float64(4.0), np.float32(4.0), np.int64(4)):
        assert toys.split(x) == (True, 6.0, 4.0)
    assert [type(each) for each in toys.split(4)] == [bool, float, float]


@pytest.mark.parametrize("count", [2.0, np.float64(2.0), "2", None])
def test_only_integers_are_taken_for_integers(count: Any, toys: Any, outer: Outer) -> None:
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        toys.weigh(outer(), np.zeros(3), count, False)


@pytest.mark.parametrize("x", ["4.0", None, [4.0]])
def test_only_numbers_are_taken_for_numbers(x: Any, toys: Any) -> None:
    with pytest.raises(TypeError, match=r"toys\.top\.split: argument"):
        toys.split(x)


def test_too_few_or_too_many_arguments_are_refused(toys: Any) -> None:
    for given in ((), (1.0, 2.0)):
        with pytest.raises(TypeError, match=f"split takes 1 arguments, not {len(given)}"):
            toys.split(*given)
    with pytest.raises(TypeError):
        toys.split(x=1.0)


# arrays -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.zeros(3), "wants float64 in 2 dimensions and C order, not float64 in 1"),
        (np.zeros((3, 3, 3)), "not float64 in 3"),
        (np.zeros((3, 3), np.int64), "not int64 in 2"),
        (np.zeros((3, 3), np.float32), "not float32 in 2"),
        (np.zeros((3, 3), ">f8"), "not >f8 in 2"),
        (np.zeros((3, 4)).T, "not float64 in 2 in another order"),
        (np.zeros((3, 4))[:, ::2], "not float64 in 2 in another order"),
        ([[1.0, 2.0]], "wants an array, not list"),
        (2.0, "wants an array, not float"),
        (None, "wants an array, not NoneType"),
    ],
)
def test_an_array_of_another_kind_is_refused(given: Any, words: str, toys: Any) -> None:
    with pytest.raises(PoiseError, match=rf"^toys\.top\.double .*{words}$|{words} "):
        toys.double(given)


def test_an_array_that_is_not_aligned_is_refused(toys: Any) -> None:
    odd = np.zeros(17, np.uint8)[1:].view(np.float64)
    with pytest.raises(PoiseError, match="last_index wants"):
        toys.last_index(odd)


def test_a_read_only_array_is_refused_and_stays_as_it_is(toys: Any) -> None:
    values = np.ones((2, 2))
    values.flags.writeable = False
    with pytest.raises(PoiseError, match="double may write into its arrays"):
        toys.double(values)
    assert (values == 1.0).all()


def test_empty_arrays_are_taken(toys: Any) -> None:
    assert toys.last_index(np.zeros(0)) == -1
    assert toys.double(np.zeros((0, 3))) is None


def test_an_array_in_a_named_tuple_is_checked_too(toys: Any, shapes: Any, outer: Outer) -> None:
    good = outer()
    for bad in (
        good._replace(scale=np.ones(3, np.float32)),
        good._replace(scale=[1.0, 1.0, 1.0]),
        good._replace(inner=good.inner._replace(order=np.array([0.0, 1.0]))),
        good._replace(inner=good.inner._replace(rows=good.inner.rows.T)),
    ):
        with pytest.raises(PoiseError, match="Outer wants"):
            toys.weigh(bad, np.zeros(3), 1, False)


def test_a_named_tuple_of_another_class_is_refused(toys: Any, outer: Outer) -> None:
    good = outer()
    for bad in (good.inner, tuple(good), good.scale):
        with pytest.raises(PoiseError, match=r"weigh wants Outer, not (Inner|tuple|ndarray)"):
            toys.weigh(bad, np.zeros(3), 1, False)
        with pytest.raises(PoiseError, match=r"weigh wants Outer, not (Inner|tuple|ndarray)"):
            prepared(toys.weigh, bad, np.zeros(3))


# exceptions ---------------------------------------------------------------------------------------


def test_what_a_kernel_raises_is_raised(toys: Any) -> None:
    assert toys.checked(1.5) == 1.5
    with pytest.raises(toys.TooSmall, match=r"^less than nothing$"):
        toys.checked(-1.0)
    ready = prepared(toys.checked)
    with pytest.raises(toys.TooSmall, match=r"^less than nothing$"):
        ready(-1.0)
    assert ready(1.5) == 1.5


# threads ------------------------------------------------------------------------------------------


def test_eight_threads_at_once_get_what_each_asked_for(toys: Any, outer: Outer) -> None:
    def sums(seed: int) -> list[float]:
        numbers = np.random.default_rng(seed).integers(1, 100, 200)
        # More tuples than are remembered, and new ones where old ones were.
        return [toys.weigh(outer(float(n)), np.zeros(3), 3, False) / 15 - n for n in numbers]

    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(sums, range(8)):
            assert found == [0.0] * 200


def test_other_threads_run_while_a_kernel_does(toys: Any) -> None:
    """The kernel calls a C function until another thread, which runs Python, sets the flag."""
    function = ctypes.CDLL(None).sched_yield
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    most = 200_000_000  # which take a minute or so
    flags = np.zeros(2)  # that the kernel may end, and that it has begun
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(toys.calls_until(flags, address, most)))
    thread.start()
    while flags[1] == 0.0 and thread.is_alive():
        time.sleep(0.001)
    flags[0] = 1.0
    thread.join(WAIT)
    assert 0 < found[0] < most


# what stays alive ---------------------------------------------------------------------------------


def test_large_named_tuples_are_not_kept_alive(toys: Any, outer: Outer) -> None:
    large = outer(columns=50_000)
    assert calls._bytes(large) > 1 << 20
    assert toys.weigh(large, np.zeros(3), 3, False) == 150_000.0
    array = weakref.ref(large.inner.rows)
    del large
    gc.collect()
    assert array() is None


def test_only_the_last_few_small_named_tuples_are_kept_alive(toys: Any, outer: Outer) -> None:
    arrays: list[weakref.ref[Any]] = []
    for _ in range(100):
        small = outer()
        toys.weigh(small, np.zeros(3), 3, False)
        arrays.append(weakref.ref(small.scale))
        del small
    gc.collect()
    assert sum(each() is not None for each in arrays) <= 32


@pytest.mark.parametrize("columns", [5, 50_000])
def test_a_named_tuple_is_not_taken_for_one_that_had_its_place(
    columns: int, toys: Any, outer: Outer
) -> None:
    places: set[int] = set()
    again = 0
    for value in range(1, 200):
        record = outer(float(value), columns)
        again += id(record) in places
        places.add(id(record))
        assert toys.weigh(record, np.zeros(3), 3, False) == 3.0 * columns * value
        del record
    assert again  # or nothing was shown


# prepared -----------------------------------------------------------------------------------------


@pytest.fixture(params=["compiled", "interpreted"])
def weigh(request: pytest.FixtureRequest, toys: Any) -> Callable[..., float]:
    if request.param == "compiled":
        return toys.weigh
    return plain(toys.weigh)


def test_a_prepared_kernel_gives_what_a_plain_call_does(
    weigh: Callable[..., float], toys: Any, outer: Outer
) -> None:
    record, start = outer(2.5), np.arange(3.0)
    ready = prepared(weigh, record, start)
    for count in (0, 1, 3, np.int64(2)):
        for negative in (False, np.True_):
            assert ready(count, negative) == toys.weigh(record, start, count, negative)
    assert prepared(weigh, record, start, np.int64(2))(False) == ready(2, False)
    assert prepared(weigh, record, start, 2, True)() == ready(2, True)
    start[:] = 7.0  # the arrays are read when it is called
    assert ready(3, False) == toys.weigh(record, start, 3, False)


def test_with_poise_interpret_entries_and_prepared_ones_are_python(toys: Any) -> None:
    parent = Path(toys.__file__).parents[1]
    program = """
import numpy as np
from poise.kernel.calls import prepared
from toys import top
x = np.arange(3.0)
print(type(top.product).__name__, top.product(x, x), prepared(top.product, x, x)())
"""
    done = run(parent, parent / "none", program, POISE_INTERPRET="1")
    assert (done.stdout, done.stderr) == ("function 5.0 5.0\n", "")
    assert not (parent / "none").exists()


def test_a_prepared_kernel_keeps_its_arrays_alive(
    weigh: Callable[..., float], outer: Outer
) -> None:
    record, start = outer(columns=50_000), np.zeros(3)
    arrays = [weakref.ref(record.inner.rows), weakref.ref(start)]
    ready = prepared(weigh, record, start)
    del record, start
    gc.collect()
    assert ready(3, False) == 150_000.0
    assert all(each() is not None for each in arrays)
    del ready
    gc.collect()
    assert all(each() is None for each in arrays)


def test_a_prepared_kernel_refuses_what_a_plain_call_does(toys: Any, outer: Outer) -> None:
    record, start = outer(), np.zeros(3)
    with pytest.raises(PoiseError, match="weigh wants float64 in 1 dimensions"):
        prepared(toys.weigh, record, start.astype(np.float32))
    with pytest.raises(TypeError, match="weigh takes 4 arguments, not 5"):
        prepared(toys.weigh, record, start, 3, False, 1)
    with pytest.raises(TypeError, match="only numbers may be left"):
        prepared(toys.weigh, record)
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        prepared(toys.weigh, record, start, 3.0)
    ready = prepared(toys.weigh, record, start)
    for numbers in ((3,), (3, False, 1)):
        with pytest.raises(TypeError, match=f"takes 4 arguments, not {2 + len(numbers)}"):
            ready(*numbers)
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        ready(3.0, False)
    assert ready(3, False) == 15.0


# functions by address -----------------------------------------------------------------------------

_Numbers = ctypes.POINTER(ctypes.c_double)


@ctypes.CFUNCTYPE(ctypes.c_int64, *[_Numbers] * 5, ctypes.c_int64)
def asked(x: Any, _1: Any, _2: Any, _3: Any, y: Any, flag: int) -> int:
    """Writes where the kernel says, as a task of one's own does."""
    for i in range(3):
        y[i] = flag * x[i]
    return flag + 1


def test_a_function_called_by_address_does_the_same_interpreted_and_compiled(toys: Any) -> None:
    address = ctypes.cast(asked, ctypes.c_void_p).value
    x = np.arange(3.0)
    for function in (toys.asked, plain(toys.asked)):
        y = np.zeros(3)
        assert function(address, x, y, 5) == 6
        np.testing.assert_array_equal(y, 5 * x)
