"""warpup's own small NumPy over its tensors. It is not the library of numpy.org, but behaves and prints as NumPy 2 does.

What is missing fails by name.
"""

import math as _m

from numpy import _dtypes, _methods, _scalars
from numpy._array import ndarray
from numpy._convert import array, asanyarray, asarray, ascontiguousarray, copy
from numpy._dtypes import can_cast, dtype, promote_types, result_type
from numpy._scalars import (
    CLASSES as _CLASSES, floating, generic, inexact, integer, number, signedinteger, unsignedinteger,
)

__version__ = "2.4.6+warpup"

pi, e, euler_gamma = _m.pi, _m.e, 0.5772156649015329
inf, nan, newaxis = _m.inf, _m.nan, None
True_, False_ = _scalars.TRUE, _scalars.FALSE
float16, float32, float64 = (_CLASSES[_name] for _name in ("float16", "float32", "float64"))
int8, int16, int32, int64, uint8 = (_CLASSES[_name] for _name in ("int8", "int16", "int32", "int64", "uint8"))
globals().update(_CLASSES)
bool_ = _CLASSES["bool"]
half, single, double = float16, float32, float64
int_ = intp = longlong = long = int64
intc, short, ubyte, byte = int32, int16, uint8, int8

# Where the other names are, which are loaded on first use.
_LATER = {
    "numpy._creation":
        "arange empty empty_like eye fromfunction fromiter full full_like geomspace identity indices linspace logspace "
        "ones ones_like tri zeros zeros_like",
    "numpy._math":
        "absolute add allclose arccos arcsin arctan around array_equal bitwise_and bitwise_not bitwise_or bitwise_xor "
        "cbrt ceil clip cos cosh deg2rad degrees divide equal exp exp2 expm1 fabs fix floor floor_divide greater "
        "greater_equal hypot invert isclose isfinite isinf isnan left_shift less less_equal log log10 log1p log2 "
        "logical_and logical_not logical_or logical_xor maximum minimum mod multiply nan_to_num negative not_equal "
        "positive power rad2deg radians reciprocal remainder right_shift rint round sign signbit sin sinh sqrt square "
        "subtract tan tanh true_divide trunc where",
    "numpy._reductions":
        "all amax amin any argmax argmin average count_nonzero cumprod cumsum diff max mean median min nanmax nanmean "
        "nanmin nanprod nanstd nansum nanvar percentile prod ptp quantile std sum trace var",
    "numpy._joins":
        "append array_split column_stack concat concatenate dstack hsplit hstack repeat row_stack split stack tile vsplit "
        "vstack",
    "numpy._shapes":
        "atleast_1d atleast_2d broadcast_to diag diagonal expand_dims flip fliplr flipud meshgrid moveaxis ndim pad "
        "permute_dims ravel reshape roll shape size squeeze swapaxes transpose tril triu",
    "numpy._sorting":
        "argsort argwhere array_equiv bincount digitize flatnonzero histogram interp intersect1d isin lexsort nonzero "
        "searchsorted setdiff1d sort take take_along_axis union1d unique unravel_index",
    "numpy._more":
        "acos acosh arccosh arcsinh arctan2 arctanh array_str asin asinh atan atan2 atanh base_repr binary_repr conj "
        "conjugate copysign divmod errstate float_power fmax fmin fmod gcd geterr heaviside imag iscomplex iscomplexobj "
        "isdtype isneginf isposinf isreal isrealobj iterable lcm logaddexp real seterr sinc",
    "numpy._places":
        "argpartition atleast_3d broadcast_arrays broadcast_shapes c_ choose compress copyto diag_indices "
        "diag_indices_from diagflat extract fill_diagonal index_exp ix_ mgrid ndenumerate ndindex ogrid partition "
        "piecewise place put putmask r_ ravel_multi_index rollaxis rot90 s_ select tril_indices tril_indices_from "
        "triu_indices triu_indices_from vectorize",
    "numpy._series":
        "apply_along_axis blackman convolve correlate cross cumulative_prod cumulative_sum delete ediff1d gradient "
        "hamming hanning insert kron nanargmax nanargmin nancumsum nanmedian polyfit polyval resize setxor1d trapezoid "
        "trim_zeros vander",
    "numpy._printing": "array2string get_printoptions printoptions set_printoptions",
    "numpy._limits": "finfo iinfo",
    "numpy._files": "frombuffer genfromtxt load loadtxt save savetxt savez savez_compressed",
    "numpy.linalg": "corrcoef cov dot einsum inner linalg matmul outer tensordot vdot",
    "numpy.random": "random",
    "numpy.testing": "testing",
    "numpy.typing": "typing",
}


def __getattr__(name):
    if name == "abs":
        return __getattr__("absolute")
    for place, names in _LATER.items():
        if name in names.split():
            import sys

            __import__(place, globals())
            module = sys.modules[place]
            found = module if place.rpartition(".")[2] == name else getattr(module, name, None)
            if found is not None:
                globals()[name] = found
                return found
    from numpy._names import missing

    raise missing("numpy", name, globals(), _LATER)


def isscalar(element):
    return isinstance(element, (generic, bool, int, float, str, bytes, complex))


def issubdtype(arg1, arg2):
    if arg2 is float:
        arg2 = floating
    return issubclass(_dtypes.of(arg1).type, arg2 if isinstance(arg2, type) and issubclass(arg2, generic)
                      else _dtypes.of(arg2).type)


def array_repr(arr):
    return repr(arr)


def may_share_memory(a, b):
    """Whether two arrays have the same memory, though perhaps other parts of it."""
    return a._t.data_ptr() - a._t.storage_offset() * a.itemsize == b._t.data_ptr() - b._t.storage_offset() * b.itemsize


shares_memory = may_share_memory
