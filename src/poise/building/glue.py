"""A C function for each entry, in LLVM's language, and what little of numba's runtime is needed.

numba's functions take an array as seven numbers or more, and a place for the result and for what is
raised. The C function takes an array as its address and shape, a record as the address of its
table, numbers as they are, and makes the rest.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from poise.kernel.layouts import ARRAYS, exported_name, signature

_NUMBERS = {float: "double", int: "i64"}


class _Code:
    """Lines of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, text: str) -> str:
        """A line that computes something; the name of what it computes."""
        name = f"%t{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name


def glue(function: FunctionType, symbol: str) -> str:
    """The C function of an entry, which calls the compiled one by its symbol."""
    code = _Code()
    taken, given = ["ptr %ret", "ptr %exc"], ["ptr %ret", "ptr %exc"]
    for number, annotation in enumerate(signature(function).parameters.values()):
        name = f"%a{number}"
        if annotation in _NUMBERS:
            taken.append(f"{_NUMBERS[annotation]} {name}")
            given.append(f"{_NUMBERS[annotation]} {name}")
        elif annotation is bool:
            taken.append(f"i8 {name}")
            given.append(f"i8 {name}")
        elif annotation in ARRAYS:
            shape = [f"{name}_{d}" for d in range(ARRAYS[annotation].dimensions)]
            taken += [f"ptr {name}", *(f"i64 {each}" for each in shape)]
            given += _array(code, name, shape)
        else:
            taken.append(f"ptr {name}")
            given.append(f"ptr {name}")
    kinds = ", ".join(each.split()[0] for each in given)
    return "\n".join(
        [
            f'declare i32 @"{symbol}"({kinds})',
            f"define i32 @{exported_name(function)}({', '.join(taken)}) {{",
            *code.lines,
            f'  %status = call i32 @"{symbol}"({", ".join(given)})',
            "  ret i32 %status",
            "}\n",
        ]
    )


def _array(code: _Code, data: str, shape: list[str]) -> list[str]:
    """numba's numbers of an array: owner, parent, items, item size, data, shape and strides."""
    items = shape[0]
    for length in shape[1:]:
        items = code.add(f"mul i64 {items}, {length}")
    strides: list[Any] = ["8"]
    for length in reversed(shape[1:]):
        strides.insert(0, code.add(f"mul i64 {strides[0]}, {length}"))
    numbers = [f"i64 {each}" for each in [*shape, *strides]]
    return ["ptr null", "ptr null", f"i64 {items}", "i64 8", f"ptr {data}", *numbers]


RUNTIME = """
declare ptr @malloc(i64)
declare void @free(ptr)
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %a = zext i32 %align to i64
  %b = add i64 %size, %a
  %c = add i64 %b, 64
  %m = call ptr @malloc(i64 %c)
  %none = icmp eq ptr %m, null
  br i1 %none, label %failed, label %made
failed:
  ret ptr null
made:
  %i = ptrtoint ptr %m to i64
  %d = add i64 %i, 64
  %e = add i64 %d, %a
  %f = sub i64 %e, 1
  %n = sub i64 0, %a
  %g = and i64 %f, %n
  %p = inttoptr i64 %g to ptr
  store i64 1, ptr %m
  %q1 = getelementptr i64, ptr %m, i64 1
  store ptr null, ptr %q1
  %q3 = getelementptr i64, ptr %m, i64 3
  store ptr %p, ptr %q3
  %q4 = getelementptr i64, ptr %m, i64 4
  store i64 %size, ptr %q4
  ret ptr %m
}
define void @NRT_MemInfo_call_dtor(ptr %m) {
  call void @free(ptr %m)
  ret void
}
define ptr @NRT_MemInfo_data_fast(ptr %m) {
  %p = getelementptr i64, ptr %m, i64 3
  %d = load ptr, ptr %p
  ret ptr %d
}
define void @NRT_incref(ptr %m) {
  %none = icmp eq ptr %m, null
  br i1 %none, label %end, label %some
some:
  %n = atomicrmw add ptr %m, i64 1 monotonic
  br label %end
end:
  ret void
}
define void @NRT_decref(ptr %m) {
  %none = icmp eq ptr %m, null
  br i1 %none, label %end, label %some
some:
  %n = atomicrmw sub ptr %m, i64 1 acq_rel
  %last = icmp eq i64 %n, 1
  br i1 %last, label %release, label %end
release:
  call void @NRT_MemInfo_call_dtor(ptr %m)
  br label %end
end:
  ret void
}
"""
"""What counts references for the few kernels that make arrays. Of numba's {count, destructor, its
argument, data, size, allocator} only count, data and size are used; the data follow, aligned."""
