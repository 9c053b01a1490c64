"""Functions of each element: arithmetic, comparison, exponentials and the like (NumPy's ufuncs)."""

import warpup
from numpy import _dtypes, _scalars
from numpy._array import ndarray
from numpy._convert import as_tensor, cast, into, operand, tensor_of, wrapped
from warpup import Tensor


def _logical(both):
    return lambda a, b: both(a.bool(), b.bool())


def _by_nonzero(divided, a, b):
    """A division of whole numbers gives 0 where the divisor is 0; a tensor's would raise."""
    like = a if isinstance(a, Tensor) else b
    if like.is_floating_point():
        return divided(a, b)
    divisor = as_tensor(b, _dtypes.of_tensor(like))
    is_zero = divisor == 0
    return divided(a, divisor.masked_fill(is_zero, 1)).masked_fill(is_zero, 0)


_NUMBERS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "floor_divide": lambda a, b: _by_nonzero(lambda a, b: a // b, a, b),
    "remainder": lambda a, b: _by_nonzero(lambda a, b: a % b, a, b),
    "power": lambda a, b: a ** b,
    "bitwise_and": lambda a, b: a & b,
    "bitwise_or": lambda a, b: a | b,
    "bitwise_xor": lambda a, b: a ^ b,
    "left_shift": lambda a, b: a << b,
    "right_shift": lambda a, b: a >> b,
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater_equal": lambda a, b: a >= b,
}
_TENSORS = {
    "maximum": lambda a, b: a | b if a.dtype == warpup.bool else warpup.maximum(a, b),
    "minimum": lambda a, b: a & b if a.dtype == warpup.bool else warpup.minimum(a, b),
    "logical_and": _logical(lambda a, b: a & b),
    "logical_or": _logical(lambda a, b: a | b),
    "logical_xor": _logical(lambda a, b: a ^ b),
}
_OF_BOOL = {"add": "bitwise_or", "multiply": "bitwise_and"}
_SCALAR = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "floor_divide": "floordiv",
    "remainder": "mod", "power": "pow", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor",
    "left_shift": "lshift", "right_shift": "rshift", "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le",
    "greater": "gt", "greater_equal": "ge",
}
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


def binary(name, a, b):
    """The result of an operation on two arrays or numbers, as a tensor."""
    a, own = operand(a)
    b, other = operand(b)
    if own and other:
        it = _dtypes.promoted(own, other)
    elif own or other:
        number = b if own else a
        it = own or other
        if name not in COMPARISONS or isinstance(number, float):
            it = _dtypes.with_number(it, number)
    else:
        it = _dtypes.promoted(_dtypes.of_number(a), _dtypes.of_number(b))
    if it.kind == "b":
        if name == "subtract":
            _scalars._subtract(True, True)
        name = _OF_BOOL.get(name, name)
    if name == "divide" and it.kind != "f":
        it = _dtypes.FLOAT
    if name == "power" and it.kind in "iu":
        _check_exponent(b)
    a, b = cast(a, it), cast(b, it)
    try:
        if name in _TENSORS or not (isinstance(a, Tensor) or isinstance(b, Tensor)):
            a, b = as_tensor(a, it), as_tensor(b, it)
        elif it.kind == "b":
            a, b = as_tensor(a, it), as_tensor(b, it)
        return (_TENSORS.get(name) or _NUMBERS[name])(a, b)
    except RuntimeError as error:
        raise _mismatch(a, b) or error from None


def _check_exponent(b):
    lowest = b if not isinstance(b, Tensor) else b.min().item() if b.numel() else 0
    if lowest < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")


def listed(shape):
    """A shape as NumPy's messages have it."""
    return "(" + ",".join(str(size) for size in shape) + ("," if len(shape) == 1 else "") + ")"


def _mismatch(a, b):
    """The error for shapes that cannot be broadcast; None if they can."""
    if not (isinstance(a, Tensor) and isinstance(b, Tensor)):
        return None
    if all(x == y or 1 in (x, y) for x, y in zip(reversed(a.shape), reversed(b.shape))):
        return None
    shapes = f"{listed(a.shape)} {listed(b.shape)} "
    return ValueError("operands could not be broadcast together with shapes " + shapes)


def write(name, array, other):
    """The operation in place, as in `array += other`."""
    try:
        result = binary(name, array, other)
    except ValueError as error:
        if str(error).startswith("operands could not"):
            raise ValueError(f"{error}{listed(array.shape)} ") from None
        raise
    it = _dtypes.of_tensor(result)
    if not _dtypes.fits_kind(it, array.dtype):
        raise _dtypes.UFuncTypeError(
            f"Cannot cast ufunc '{name}' output from {it!r} to {array.dtype!r} with casting rule 'same_kind'"
        )
    if result.shape != array._t.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {listed(array.shape)} doesn't match the broadcast shape "
            + listed(result.shape)
        )
    array._t.copy_(result)
    return array


def function(name):
    """The function of two arrays, such as `numpy.add`."""

    def apply(x1, x2, out=None, dtype=None):
        if not (hasattr(x1, "_t") or hasattr(x2, "_t") or isinstance(x1, (list, tuple)) or isinstance(x2, (list, tuple))):
            if name in _SCALAR and not isinstance(x1, Tensor) and not isinstance(x2, Tensor):
                first = _dtypes.of_number(x1).type(x1)
                return getattr(first, f"__{_SCALAR[name]}__")(_dtypes.of_number(x2).type(x2))
        result = binary(name, x1, x2)
        if dtype is not None:
            result = cast(result, _dtypes.of(dtype))
        return into(out, wrapped(result))

    apply.__name__ = apply.__qualname__ = name
    return apply


for _name in (*_NUMBERS, *_TENSORS):
    globals()[_name] = function(_name)
true_divide, mod = divide, remainder  # noqa: F821


def _unary(name, apply, of_float, result=None):
    def call(x, out=None, dtype=None):
        tensor = tensor_of(x)
        it = _dtypes.of_tensor(tensor)
        if dtype is not None:
            tensor = cast(tensor, _dtypes.of(dtype))
        elif of_float:
            tensor = cast(tensor, _dtypes.as_float(it))
        elif it.kind != "f" and result is not None:
            return into(out, wrapped(result(tensor)))
        return into(out, wrapped(apply(tensor)))

    call.__name__ = call.__qualname__ = name
    return call


_OF_FLOATS = {
    "sqrt": "sqrt", "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log", "log2": "log2", "log10": "log10",
    "log1p": "log1p", "sin": "sin", "cos": "cos", "tan": "tan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan",
}
for _name, _method in _OF_FLOATS.items():
    if hasattr(Tensor, _method):
        globals()[_name] = _unary(_name, lambda it, method=_method: getattr(it, method)(), True)


def _same(tensor):
    return tensor.clone()


def _never(tensor):
    return warpup.zeros_like(tensor, dtype=warpup.bool)


def _absolute(tensor):
    return tensor.clone() if tensor.dtype == warpup.bool else tensor.abs()


absolute = _unary("absolute", Tensor.abs, False, _absolute)
floor = _unary("floor", Tensor.floor, False, _same)
ceil = _unary("ceil", Tensor.ceil, False, _same)
trunc = _unary("trunc", lambda it: warpup.where(it < 0, it.ceil(), it.floor()), False, _same)
fix = trunc
rint = _unary("rint", Tensor.round, True)
negative = _unary("negative", lambda it: -it, False)
positive = _unary("positive", _same, False)
square = _unary("square", lambda it: it * it, False)
reciprocal = _unary("reciprocal", lambda it: 1 / it, True)
sign = _unary("sign", lambda it: warpup.where(it.isnan(), it, it.sign()), False, Tensor.sign)
cbrt = _unary("cbrt", lambda it: it.sign() * it.abs() ** (1 / 3), True)
deg2rad = radians = _unary("deg2rad", lambda it: it * (3.141592653589793 / 180), True)
rad2deg = degrees = _unary("rad2deg", lambda it: it * (180 / 3.141592653589793), True)
isnan = _unary("isnan", lambda it: it != it, False, _never)
isinf = _unary("isinf", lambda it: it.abs() == float("inf"), False, _never)
isfinite = _unary("isfinite", lambda it: it.abs() < float("inf"), False, lambda it: ~_never(it))
signbit = _unary("signbit", lambda it: (it < 0) | ((it == 0) & (1 / it < 0)), False, lambda it: it < 0)
logical_not = _unary("logical_not", lambda it: it == 0, False, lambda it: ~it.bool())
bitwise_not = invert = _unary("invert", lambda it: ~it, False)
fabs = _unary("fabs", Tensor.abs, True)


def round(a, decimals=0, out=None):
    """Rounds to decimals; halves go to the even number."""
    tensor = tensor_of(a)
    it = _dtypes.of_tensor(tensor)
    if it.kind != "f" and decimals >= 0:
        return into(out, wrapped(tensor.clone()))
    scale = 10.0 ** abs(decimals)
    wide = cast(tensor, _dtypes.as_float(it))
    if decimals == 0:
        rounded = wide.round()
    elif decimals > 0:
        rounded = (wide * scale).round() / scale
    else:
        rounded = (wide / scale).round() * scale
    return into(out, wrapped(cast(rounded, it)))


around = round


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    """Limits elements to a range."""
    low, high = min if a_min is None else a_min, max if a_max is None else a_max
    tensor = tensor_of(a)
    for name, bound in (("maximum", low), ("minimum", high)):
        if bound is not None:
            tensor = binary(name, wrapped(tensor), bound)
    return into(out, wrapped(tensor.clone() if low is None and high is None else tensor))


def hypot(x1, x2):
    return sqrt(square(x1) + square(x2))  # noqa: F821


def nonzero(a):
    tensor = tensor_of(a)
    hits = (tensor != 0).reshape(-1)
    places = warpup.arange(hits.numel(), device="cpu")[hits]
    found = []
    for size in reversed(tensor.shape):
        found.append(ndarray._of(places % size))
        places = places // size
    return tuple(reversed(found))


def where(condition, x=None, y=None):
    """Elements of `x` where the condition holds, else of `y`; the positions where it holds if neither is given."""
    if x is None and y is None:
        return nonzero(condition)
    truth = tensor_of(condition).bool()
    it = _dtypes.result_type(*(given if type(given) in (bool, int, float) else _typed(given) for given in (x, y)))
    x, y = (as_tensor(operand(given)[0], it) for given in (x, y))
    try:
        return wrapped(warpup.where(truth, x, y))
    except RuntimeError:
        shapes = " ".join(listed(given.shape) for given in (truth, x, y))
        raise ValueError(f"operands could not be broadcast together with shapes {shapes} ") from None


def _typed(given):
    return _dtypes.of_tensor(tensor_of(given))


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Replaces what is not finite by numbers."""
    tensor = tensor_of(x)
    if not tensor.is_floating_point():
        return wrapped(tensor.clone())
    largest = warpup.finfo(tensor.dtype).max
    result = warpup.where(tensor != tensor, float(nan), tensor).to(tensor.dtype)
    result = warpup.where(tensor == float("inf"), largest if posinf is None else float(posinf), result).to(tensor.dtype)
    result = warpup.where(tensor == -float("inf"), -largest if neginf is None else float(neginf), result)
    return wrapped(result.to(tensor.dtype))


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether elements differ by at most `atol + rtol * abs(b)`."""
    a, b = (wrapped(cast(tensor_of(it), _dtypes.FLOAT)) for it in (a, b))
    near = (absolute(a - b) <= atol + rtol * absolute(b)) & isfinite(b) | (a == b)
    return near | (isnan(a) & isnan(b)) if equal_nan else near


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(tensor_of(isclose(a, b, rtol, atol, equal_nan)).all())


def array_equal(a1, a2, equal_nan=False):
    a, b = tensor_of(a1), tensor_of(a2)
    if a.shape != b.shape:
        return False
    return bool((binary("equal", wrapped(a), wrapped(b))).all())
