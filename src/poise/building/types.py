"""numba's types of what kernels take: arrays, numbers, and records as one pointer to a table.

A record, a named tuple of arrays, goes from kernel to kernel as a pointer to its table
(`kernel.layouts`). `tree.parent` is a load from there that LLVM may move as it likes, since no
table changes while compiled code runs. By value it would be some seven numbers for every array, at
every call. A record of numbers (`kernel.records`) goes as a pointer to its block; `state.radius` is
a load from there, and `state.radius = 0.1` a store.
"""

from __future__ import annotations

import hashlib
from types import FunctionType
from typing import Any, get_args, get_origin

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature as numba_signature
from numba.core.typing.templates import AttributeTemplate, ConcreteTemplate, infer_global
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
)
from numba.np import arrayobj

from poise.building.kernels import full_name
from poise.errors import PoiseError
from poise.kernel.layouts import ARRAYS, ArrayKind, described, is_numbers, layout, signature
from poise.kernel.records import fields
from poise.kernel.residuals.custom import call_at

_WORD = ir.IntType(64)
_SIZE = 8  # bytes, of a float64 and of an int64
_SCALARS: dict[Any, types.Type] = {float: types.float64, int: types.int64, bool: types.boolean}


class Record(types.Type):
    """A named tuple of arrays, by the address of its table."""

    def __init__(self, record: type) -> None:
        """The type of a class of records, another one if its fields become others."""
        self.record = record
        digest = hashlib.sha256(described(record).encode()).hexdigest()[:12]
        name = f"{record.__module__}.{record.__qualname__}"
        super().__init__(f"{type(self).__name__}({name} {digest})")


class NumbersRecord(Record):
    """A record of numbers, by the address of its block."""


def type_of(annotation: Any) -> types.Type:
    """numba's type of an entry's parameter, or of a record's field, by its annotation."""
    if annotation in ARRAYS:
        return _array(ARRAYS[annotation])
    if is_numbers(annotation):
        return NumbersRecord(annotation)
    return _SCALARS.get(annotation) or Record(annotation)


def check_result(function: FunctionType, found: types.Type | None) -> None:
    """Raise where an entry returns something else than its annotation says."""
    said = signature(function).returned
    if said is type(None):
        wanted: types.Type = types.none
    elif get_origin(said) is tuple:
        wanted = types.Tuple(tuple(_SCALARS[each] for each in get_args(said)))
    else:
        wanted = _SCALARS[said]
    if found != wanted:
        raise PoiseError(f"{full_name(function)} returns {found}, but its annotation says {wanted}")


def _array(kind: ArrayKind) -> types.Array:
    return types.Array(getattr(types, kind.dtype), kind.dimensions, "C")


@register_model(Record)
@register_model(NumbersRecord)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Record) -> None:
        super().__init__(manager, kind, _WORD.as_pointer())


@infer_getattr
class _RecordFields(AttributeTemplate):
    key = Record

    def generic_resolve(self, record: Record, name: str) -> types.Type | None:
        field = layout(record.record)[0].get(name)
        if field is None:
            return None
        return type_of(field.kind) if isinstance(field.kind, type) else _array(field.kind)


@infer_getattr
class _NumbersFields(AttributeTemplate):
    key = NumbersRecord

    def generic_resolve(self, record: NumbersRecord, name: str) -> types.Type | None:
        return _SCALARS.get(fields(record.record).get(name))


@lower_getattr_generic(Record)
def _load(context: Any, builder: Any, record: Record, value: Any, name: str) -> Any:
    """Code that gets a field: another table inside this one, or an array from its numbers."""
    field = layout(record.record)[0][name]
    if isinstance(field.kind, type) and not is_numbers(field.kind):
        return cgutils.gep_inbounds(builder, value, field.at)

    def number(at: int) -> Any:
        loaded = builder.load(cgutils.gep_inbounds(builder, value, at))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if isinstance(field.kind, type):
        return builder.inttoptr(number(field.at), _WORD.as_pointer())
    array = arrayobj.make_array(_array(field.kind))(context, builder)
    shape = [number(field.at + 1 + d) for d in range(field.kind.dimensions)]
    strides: list[Any] = [ir.Constant(_WORD, _SIZE)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    arrayobj.populate_array(
        array,
        data=builder.inttoptr(number(field.at), array.data.type),
        shape=shape,
        strides=strides,
        itemsize=ir.Constant(_WORD, _SIZE),
        meminfo=None,
    )
    return array._getvalue()


def _word(builder: Any, record: NumbersRecord, value: Any, name: str) -> tuple[Any, type]:
    """The address of a field in a block of numbers, and what it is."""
    at = list(fields(record.record)).index(name)
    return cgutils.gep_inbounds(builder, value, at), fields(record.record)[name]


@lower_getattr_generic(NumbersRecord)
def _load_number(context: Any, builder: Any, record: NumbersRecord, value: Any, name: str) -> Any:
    """Code that gets a number."""
    word, kind = _word(builder, record, value, name)
    if kind is float:
        word = builder.bitcast(word, ir.DoubleType().as_pointer())
    loaded = builder.load(word)
    return builder.icmp_signed("!=", loaded, ir.Constant(_WORD, 0)) if kind is bool else loaded


@lower_setattr_generic(NumbersRecord)
def _store_number(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    """Code that sets a number."""
    value, given = args
    word, kind = _word(builder, sig.args[0], value, name)
    if kind is float:
        word = builder.bitcast(word, ir.DoubleType().as_pointer())
    builder.store(builder.zext(given, _WORD) if kind is bool else given, word)


# A call of a Python function by its address, instead of what stands in `kernel.residuals.custom`.
_CALL_AT = (types.int64, *(types.uintp,) * 5, types.int64)


@infer_global(call_at)  # pyright: ignore[reportOptionalCall]
class _CallAt(ConcreteTemplate):
    cases = (numba_signature(types.int64, *_CALL_AT),)


@lower_builtin(call_at, *_CALL_AT)
def _call_at(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    function = ir.FunctionType(_WORD, [_WORD] * 6)
    pointer = builder.inttoptr(arguments[0], function.as_pointer())
    return builder.call(pointer, arguments[1:])
