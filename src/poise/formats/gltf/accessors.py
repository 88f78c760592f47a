"""The numbers in a glTF file's buffers, as arrays. glTF 2.0 specification, section 3.6.2."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.formats.gltf.container import Asset
from poise.formats.gltf.schema import Accessor
from poise.formats.hostile import MOST_NUMBERS

MOST_READ = 3 * MOST_NUMBERS
"""Numbers that are read from one file; accessors may share their bytes without measure."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_DTYPES: dict[int, str] = {
    5120: "<i1",
    5121: "<u1",
    5122: "<i2",
    5123: "<u2",
    5125: "<u4",
    5126: "<f4",
}
_FLOAT = 5126
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


@dataclass(eq=False)
class Accessors:
    """Reads the accessors of a file; what was read once is kept."""

    asset: Asset
    _floats: dict[int, Floats] = field(default_factory=dict[int, Floats], init=False)
    _read: int = field(default=0, init=False)

    def floats(self, index: int, kind: str, where: str) -> Floats:
        """The numbers (count, width) of an accessor of one kind, such as "VEC3".

        Whole numbers are shares of the largest where the file says so; all are finite.
        """
        accessor = self._accessor(index, kind, where)
        if index not in self._floats:
            raw = self._raw(index, accessor)
            with np.errstate(invalid="ignore"):  # NaN is told of below
                values = raw.astype(np.float64)
            if accessor.normalized and accessor.component_type != _FLOAT:
                largest = np.iinfo(_DTYPES[accessor.component_type]).max
                values = np.maximum(values / largest, -1.0)
            if not np.isfinite(values).all():
                element = int(np.argwhere(~np.isfinite(values))[0, 0])
                raise self.asset.error(
                    f"{where}: accessors[{index}] holds {values[element].tolist()} in place "
                    f"{element}; numbers must be finite"
                )
            values.flags.writeable = False
            self._floats[index] = values
        return self._floats[index]

    def whole(self, index: int, kind: str, where: str) -> Ints:
        """The whole numbers (count, width) of an accessor of one kind."""
        accessor = self._accessor(index, kind, where)
        if accessor.component_type == _FLOAT:
            raise self.asset.error(f"{where}: accessors[{index}] must hold whole numbers")
        return self._raw(index, accessor).astype(np.int64)

    def count(self, index: int, where: str) -> int:
        """How many elements an accessor has."""
        return self._accessor(index, None, where).count

    def _accessor(self, index: int, kind: str | None, where: str) -> Accessor:
        there = self.asset.gltf.accessors
        if index >= len(there):
            raise self.asset.error(
                f"{where}: there is no accessor {index}; there are {len(there)}, counted from 0"
            )
        accessor = there[index]
        if kind is not None and accessor.type != kind:
            raise self.asset.error(
                f"{where}: accessors[{index}] must be of the type {kind}, not {accessor.type}"
            )
        return accessor

    def _raw(self, index: int, accessor: Accessor) -> NDArray[np.generic]:
        width = _WIDTHS[accessor.type]
        if accessor.count * width > MOST_NUMBERS:
            raise self.asset.error(
                f"accessors[{index}] holds more than {MOST_NUMBERS:,} numbers, which is too many"
            )
        where = f"accessors[{index}]"
        self._read += accessor.count * width
        if self._read > MOST_READ:
            raise self.asset.error(f"it holds more than {MOST_READ:,} numbers, which is too many")
        if accessor.buffer_view is None:
            values = np.zeros((accessor.count, width), _DTYPES[accessor.component_type])
        else:
            values = self._elements(
                accessor.buffer_view,
                accessor.byte_offset,
                accessor.count,
                _DTYPES[accessor.component_type],
                width,
                where,
            )
        if accessor.sparse is not None and accessor.sparse.count:
            sparse = accessor.sparse
            if sparse.count > accessor.count:
                raise self.asset.error(
                    f"{where}.sparse.count must be at most {accessor.count}, not {sparse.count}"
                )
            places = self._elements(
                sparse.indices.buffer_view,
                sparse.indices.byte_offset,
                sparse.count,
                _DTYPES[sparse.indices.component_type],
                1,
                f"{where}.sparse.indices",
            ).astype(np.int64)[:, 0]
            if places.max() >= accessor.count:
                raise self.asset.error(
                    f"{where}.sparse.indices: {places.max()} is no place in an accessor of "
                    f"{accessor.count}"
                )
            values = values.copy()
            values[places] = self._elements(
                sparse.values.buffer_view,
                sparse.values.byte_offset,
                sparse.count,
                _DTYPES[accessor.component_type],
                width,
                f"{where}.sparse.values",
            )
        return values

    def _elements(
        self, view: int, offset: int, count: int, dtype: str, width: int, where: str
    ) -> NDArray[np.generic]:
        content = self.asset.view(view, where)
        size = np.dtype(dtype).itemsize * width
        stride = self.asset.gltf.buffer_views[view].byte_stride or size
        if stride < size:
            raise self.asset.error(
                f"bufferViews[{view}].byteStride must be at least {size} for {where}, not {stride}"
            )
        end = offset + stride * (count - 1) + size if count else offset
        if end > len(content):
            raise self.asset.error(
                f"{where} ends at byte {end} of bufferViews[{view}], which has {len(content)}"
            )
        if not count:
            return np.zeros((0, width), dtype)
        return np.ndarray(
            (count, width), dtype, content, offset, (stride, np.dtype(dtype).itemsize)
        )
