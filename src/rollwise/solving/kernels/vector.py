"""SIMD vectors of float64 or float32 for compiled kernels.

``WIDTH`` consecutive lanes are one LLVM vector. LLVM maps it to the registers of the processor, so
a kernel is vector code on every processor. Each operation is the IEEE operation in every lane, in
program order. So results do not depend on the processor, the width, or the number of threads.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

WIDTH = 16
"""The number of lanes of a vector: 1024 bits of float64, which share each load of an index."""

ALL = (1 << WIDTH) - 1
"""The set of all lanes, one bit per lane."""

CACHE_LINE = 64
"""The length of a cache line, in bytes."""

Floats = NDArray[np.float64]
Vector = NDArray[np.float64]
"""``WIDTH`` numbers. Compiled code holds them in registers."""


def aligned(size: int, kind: type[np.floating[Any]] = np.float64) -> NDArray[Any]:
    """Return an uninitialized array that is aligned to cache lines."""
    bytes_each = np.dtype(kind).itemsize
    buffer = np.empty(size + CACHE_LINE // bytes_each, kind)
    start = -buffer.ctypes.data % CACHE_LINE // bytes_each
    return buffer[start : start + size]


class VectorType(types.Type):
    """The Numba type of a vector of float64 or float32."""

    def __init__(self, number: Any) -> None:
        self.number = number
        llvm_number = ir.FloatType() if number == types.float32 else ir.DoubleType()
        self.llvm = ir.VectorType(llvm_number, WIDTH)
        super().__init__(name=f"{number}x{WIDTH}")


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, numba_type: VectorType) -> None:
        super().__init__(manager, numba_type, numba_type.llvm)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    vector = VectorType(array_type.dtype).llvm
    return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())


def _spread(context: Any, builder: Any, vector: VectorType, scalar: Any, kind: Any) -> Any:
    """Return the vector with ``scalar``, a number of type ``kind``, in every lane."""
    number, lane = context.cast(builder, scalar, kind, vector.number), ir.IntType(32)(0)
    undefined = ir.Constant(vector.llvm, ir.Undefined)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(builder.insert_element(undefined, number, lane), undefined, mask)


@intrinsic
def load(typing: Any, array: Any, index: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the vector that begins at ``array[index]``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *args), align=8)

    return VectorType(array.dtype)(array, types.intp), generate


CERTAIN = 65534.0
"""The number that stands for a probability of 1 in an array of :func:`load_between`.

It is even, so that a tie, which counts as half a win, is an integer too.
"""


def _lanes_below(builder: Any, number: Any) -> Any:
    """Return the vector of whether each lane is below ``number``."""
    i16, i64 = ir.IntType(16), ir.IntType(64)
    lanes = ir.VectorType(i16, WIDTH)
    number = _clipped(builder, number, i64(0), i64(WIDTH))
    lane = builder.insert_element(
        ir.Constant(lanes, ir.Undefined), builder.trunc(number, i16), ir.IntType(32)(0)
    )
    mask = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    spread = builder.shuffle_vector(lane, ir.Constant(lanes, ir.Undefined), mask)
    return builder.icmp_signed("<", ir.Constant(lanes, list(range(WIDTH))), spread)


def _clipped(builder: Any, number: Any, low: Any, high: Any) -> Any:
    number = builder.select(builder.icmp_signed("<", number, low), low, number)
    return builder.select(builder.icmp_signed(">", number, high), high, number)


def _load_narrow(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """Return the float32 vector that begins at an index of a uint16 or float32 array."""
    kind, vector = array_type.dtype, VectorType(types.float32)
    narrow = ir.VectorType(context.get_value_type(kind), WIDTH)
    data = context.make_array(array_type)(context, builder, array).data
    pointer = builder.bitcast(builder.gep(data, [index]), narrow.as_pointer())
    value = builder.load(pointer, align=kind.bitwidth // 8)
    if kind == types.uint16:
        value = builder.zext(value, ir.VectorType(ir.IntType(32), WIDTH))
        value = builder.sitofp(value, vector.llvm)
    return value


@intrinsic
def load_inside(typing: Any, array: Any, index: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the float32 vector that begins at ``array[index]`` of a uint16 or float32 array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _load_narrow(context, builder, signature.args[0], *args)

    return VectorType(types.float32)(array, types.intp), generate


@intrinsic
def load_between(
    typing: Any, array: Any, index: Any, first: Any, last: Any
) -> tuple[Any, Callable[..., Any]]:
    """Return the float32 vector that begins at ``array[index]`` of a uint16 or float32 array.

    Lanes before ``array[first]`` are 0, and lanes from ``array[last]`` are ``CERTAIN``. The array
    must have ``WIDTH`` elements before ``first`` and from ``last``.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values, index, first, last = args
        before = builder.sub(first, ir.IntType(64)(WIDTH))
        begin = _clipped(builder, index, before, last)
        value = _load_narrow(context, builder, signature.args[0], values, begin)
        below = _lanes_below(builder, builder.sub(first, begin))
        value = builder.select(below, ir.Constant(vector.llvm, [0.0] * WIDTH), value)
        within = _lanes_below(builder, builder.sub(last, begin))
        return builder.select(within, value, ir.Constant(vector.llvm, [CERTAIN] * WIDTH))

    vector = VectorType(types.float32)
    return vector(array, types.intp, types.intp, types.intp), generate


@intrinsic
def write(typing: Any, array: Any, index: Any, number: Any) -> tuple[Any, Callable[..., Any]]:
    """Write a number to ``array[index]`` of a uint16 or float32 array, rounded."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values, index, number = args
        kind = signature.args[0].dtype
        data = context.make_array(signature.args[0])(context, builder, values).data
        if kind == types.uint16:
            number = builder.fptoui(builder.fadd(number, number.type(0.5)), ir.IntType(16))
        else:
            number = builder.fptrunc(number, ir.FloatType())
        builder.store(number, builder.gep(data, [index]), align=kind.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.float64), generate


def _place(context: Any, builder: Any, array_type: Any, args: Any) -> Any:
    """Return a pointer to a lane of a row of an array in C order."""
    array, row, lane = args
    width = builder.extract_value(context.make_array(array_type)(context, builder, array).shape, 1)
    index = builder.add(builder.mul(row, width), lane)
    return _pointer(context, builder, array_type, array, index)


@intrinsic
def load_at(typing: Any, array: Any, row: Any, lane: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the vector that begins at ``array[row, lane]``, in C order."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, signature.args[0], args), align=8)

    return VectorType(array.dtype)(array, types.intp, types.intp), generate


@intrinsic
def store_at(
    typing: Any, array: Any, row: Any, lane: Any, vector: Any
) -> tuple[Any, Callable[..., Any]]:
    """Write a vector to the elements that begin at ``array[row, lane]``, in C order."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _place(context, builder, signature.args[0], args[:3])
        builder.store(args[3], pointer, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp, vector), generate


def _offset(context: Any, builder: Any, offsets_type: Any, offsets: Any, index: Any) -> Any:
    data = context.make_array(offsets_type)(context, builder, offsets).data
    return builder.zext(builder.load(builder.gep(data, [index])), ir.IntType(64))


@intrinsic
def follow(typing: Any, array: Any, offsets: Any, index: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the vector that begins at ``array[offsets[index]]``."""

    # In load(array, offsets[index]), numba would check whether the offset is negative.
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        offset = _offset(context, builder, signature.args[1], args[1], args[2])
        return builder.load(_pointer(context, builder, signature.args[0], args[0], offset), align=8)

    return VectorType(array.dtype)(array, offsets, types.intp), generate


@intrinsic
def store(typing: Any, array: Any, index: Any, vector: Any) -> tuple[Any, Callable[..., Any]]:
    """Write a vector to the elements that begin at ``array[index]``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], args[0], args[1])
        builder.store(args[2], pointer, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), generate


@intrinsic
def put(
    typing: Any, array: Any, offsets: Any, index: Any, vector: Any
) -> tuple[Any, Callable[..., Any]]:
    """Write a vector to the elements that begin at ``array[offsets[index]]``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        offset = _offset(context, builder, signature.args[1], args[1], args[2])
        pointer = _pointer(context, builder, signature.args[0], args[0], offset)
        builder.store(args[3], pointer, align=8)
        return context.get_dummy_value()

    return types.void(array, offsets, types.intp, vector), generate


@intrinsic
def fill(typing: Any, scalar: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the vector with ``scalar`` in every lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _spread(context, builder, signature.return_type, args[0], scalar)

    return VectorType(scalar)(scalar), generate


@intrinsic
def widen(typing: Any, vector: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the vector as float64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0] if vector == wide else builder.fpext(args[0], wide.llvm)

    wide = VectorType(types.float64)
    return wide(vector), generate


@intrinsic
def reverse(typing: Any, vector: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the vector with its lanes in the opposite order."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        order = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), list(range(WIDTH))[::-1])
        return builder.shuffle_vector(args[0], args[0], order)

    return vector(vector), generate


@intrinsic
def even_lanes(typing: Any, left: Any, right: Any) -> tuple[Any, Callable[..., Any]]:
    """Return every second lane of two consecutive vectors."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        order = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), list(range(0, 2 * WIDTH, 2)))
        return builder.shuffle_vector(args[0], args[1], order)

    return left(left, right), generate


def _elementwise(emit: Callable[[Any, Any, Any], Any]) -> Any:
    """Return an operation of two vectors, or of a vector and a number."""

    @intrinsic
    def operation(typing: Any, left: Any, right: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            other = args[1]
            if right != left:
                other = _spread(context, builder, left, other, right)
            return emit(builder, args[0], other)

        return left(left, right), generate

    return operation


def _select(comparison: str) -> Callable[[Any, Any, Any], Any]:
    def emit(builder: Any, left: Any, right: Any) -> Any:
        return builder.select(builder.fcmp_ordered(comparison, left, right), left, right)

    return emit


@intrinsic
def where_reaches(
    typing: Any, left: Any, right: Any, chosen: Any, otherwise: Any
) -> tuple[Any, Callable[..., Any]]:
    """Return ``chosen`` in lanes where ``left >= right``, and ``otherwise`` in other lanes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">=", args[0], args[1]), args[2], args[3])

    return chosen(left, right, chosen, otherwise), generate


_BITS = ir.IntType(WIDTH)
_LLVM_BOOLEANS = ir.VectorType(ir.IntType(1), WIDTH)


@intrinsic
def reaches(typing: Any, left: Any, right: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the set of lanes where ``left >= right``, one bit per lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.bitcast(builder.fcmp_ordered(">=", *args), _BITS)
        return builder.zext(bits, ir.IntType(64))

    return types.int64(left, right), generate


@intrinsic
def only(typing: Any, lanes: Any, vector: Any) -> tuple[Any, Callable[..., Any]]:
    """Return ``vector`` with zeros in all lanes whose bit in ``lanes`` is not set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.trunc(args[0], _BITS)
        zero = ir.Constant(vector.llvm, [0.0] * WIDTH)
        return builder.select(builder.bitcast(bits, _LLVM_BOOLEANS), args[1], zero)

    return vector(types.int64, vector), generate


@intrinsic
def scale(typing: Any, vector: Any, number: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the product of a vector and a number.

    A float32 product is as accurate as if the number had not been rounded to float32. Otherwise,
    1/6 would increase all means over the faces of a die by 3e-8.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        high = _spread(context, builder, vector, args[1], types.float64)
        if vector.number == types.float64:
            return builder.fmul(args[0], high)
        rounded = context.cast(builder, args[1], types.float64, types.float32)
        rounded = context.cast(builder, rounded, types.float32, types.float64)
        low = _spread(context, builder, vector, builder.fsub(args[1], rounded), types.float64)
        multiply_add = builder.module.declare_intrinsic(
            f"llvm.fma.v{WIDTH}f32", (), ir.FunctionType(vector.llvm, [vector.llvm] * 3)
        )
        return builder.call(multiply_add, [args[0], high, builder.fmul(args[0], low)])

    return vector(vector, types.float64), generate


add = _elementwise(lambda builder, left, right: builder.fadd(left, right))
sub = _elementwise(lambda builder, left, right: builder.fsub(left, right))
mul = _elementwise(lambda builder, left, right: builder.fmul(left, right))
maximum = _elementwise(_select(">"))
minimum = _elementwise(_select("<"))
