"""The module `warpup`: PyTorch's names over candle.

What is here behaves and prints as in PyTorch 2. What is not fails by name.
"""

import builtins
import sys
from math import prod as _prod

# RustPython's native class prints as in 3.12 and takes no other `__repr__`. Without it, `collections` has one in Python.
import _collections
del _collections.OrderedDict

import _cuda
import _warpup
from warpup import _names
from _warpup import (
    Tensor, arange, device, dtype, empty, empty_like, eye, full, is_grad_enabled, is_inference_mode_enabled, linspace,
    matmul, ones, ones_like, rand, rand_like, randint, randn, randn_like, randperm, tensor, zeros,
    zeros_like,
)

# The release of PyTorch that warpup follows, and its own version.
__version__ = "2.15.0+warpup0.1.0"
from math import e, inf, nan, pi  # noqa: E402

newaxis = None


class Size(tuple):
    """The shape of a tensor."""

    __module__ = "torch"

    def __repr__(self):
        return "torch.Size(" + repr(list(self)) + ")"

    __getitem__ = _warpup.size_item

    def __add__(self, other):
        return Size(tuple.__add__(self, other))

    def __radd__(self, other):
        return Size(tuple.__add__(other, self))

    def __mul__(self, count):
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__

    def numel(self):
        return _prod(self)


class ValuesIndices(tuple):
    """torch.return_types: the result of max(dim), sort() and the like."""

    def __new__(cls, values, indices, name):
        pair = tuple.__new__(cls, (values, indices))
        pair._name = name
        return pair

    values = property(lambda self: self[0])
    indices = property(lambda self: self[1])

    def __repr__(self):
        return "torch.return_types." + self._name + "(\nvalues=" + repr(self[0]) + ",\nindices=" + repr(self[1]) + ")"


class OutOfMemoryError(RuntimeError):
    """The card has too little free memory."""

    __module__ = "torch"


class AcceleratorError(RuntimeError):
    """An error of CUDA, perhaps of a kernel that was launched some lines before."""

    __module__ = "torch"


_warpup.register(Size, OutOfMemoryError, AcceleratorError, ValuesIndices)

from warpup._functions import *  # noqa: E402, F403
from warpup._shapes import *  # noqa: E402, F403
import warpup._functions as functional  # noqa: E402
from warpup._einsum import einsum  # noqa: E402

concat = concatenate = cat

globals().update(_warpup.dtypes())
float, double, half = (globals()[it] for it in ("float32", "float64", "float16"))
long, int, short = (globals()[it] for it in ("int64", "int32", "int16"))


def get_default_dtype():
    return _warpup.default_float()


def manual_seed(seed):
    from warpup import _generator

    return _generator.manual_seed(seed)


def is_floating_point(input):
    return input.is_floating_point()


def numel(input):
    return input.numel()


class _Grad:
    """Switches gradients on or off for a `with` block or a function."""

    def __init__(self, enabled):
        self.enabled = enabled

    def __enter__(self):
        self.before = _warpup.set_grad_enabled(self.enabled)

    def __exit__(self, kind, value, traceback):
        _warpup.set_grad_enabled(self.before)
        return False

    def __call__(self, function):
        def wrapped(*args, **kwargs):
            with _Grad(self.enabled):
                return function(*args, **kwargs)

        return wrapped


def no_grad(orig_func=None):
    return _Grad(False) if orig_func is None else _Grad(False)(orig_func)


class _Inference(_Grad):
    """Switches gradients off, and lets what is made inside never have any."""

    def __enter__(self):
        super().__enter__()
        self.outside = _warpup.set_inference_mode(not self.enabled)

    def __exit__(self, kind, value, traceback):
        _warpup.set_inference_mode(self.outside)
        return super().__exit__(kind, value, traceback)

    def __call__(self, function):
        def wrapped(*args, **kwargs):
            with _Inference(self.enabled):
                return function(*args, **kwargs)

        return wrapped


def inference_mode(mode=True):
    return _Inference(not mode) if isinstance(mode, builtins.bool) else _Inference(False)(mode)


def enable_grad(orig_func=None):
    return _Grad(True) if orig_func is None else _Grad(True)(orig_func)


class set_grad_enabled(_Grad):
    """Switches gradients on or off at once, and back at the end of a `with` block."""

    __module__ = "torch.autograd.grad_mode"

    def __init__(self, mode):
        super().__init__(mode)
        self.before = _warpup.set_grad_enabled(mode)

    def __enter__(self):
        pass

    def __repr__(self):
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.enabled})"


def is_tensor(obj):
    return isinstance(obj, Tensor)


def as_tensor(data, dtype=None, device=None):
    if type(data).__module__ == "numpy" and hasattr(data, "_t"):
        data = data._t.detach()
    if isinstance(data, Tensor):
        return data.to(device=device, dtype=dtype)
    return tensor(data, dtype=dtype, device=device)


class version:
    """Versions that programs ask for."""

    __version__ = __version__
    cuda = "12.8" if _cuda.run_has_card() else None
    hip = git_version = None
    debug = False


_warpup.bind(globals())

from warpup import autograd, cuda, linalg, nn, optim  # noqa: E402


# Names that few labs use are loaded on first use, so that the other labs start sooner.
_LATER = {
    "warpup._C": "_C",
    "warpup.accelerator": "accelerator",
    "warpup.amp": "GradScaler amp autocast get_autocast_dtype is_autocast_enabled",
    "warpup.backends": "backends",
    "warpup._complex": "cdouble cfloat complex complex64 complex128 imag polar real view_as_complex view_as_real",
    "warpup.fft": "fft",
    "warpup._generator": "Generator default_generator get_rng_state initial_seed seed set_rng_state",
    "warpup._legacy":
        "BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor",
    "warpup._layouts":
        "channels_last channels_last_3d contiguous_format jagged layout legacy_contiguous_format memory_format preserve_format "
        "sparse_bsc sparse_bsr sparse_coo sparse_csc sparse_csr strided",
    "warpup._limits": "finfo iinfo",
    "warpup._numpy": "from_numpy",
    "warpup._pointwise": "arcsinh arctan2 arctanh fix",
    "warpup._choosing": "moveaxis swapdims",
    "warpup._in_place":
        "abs_ acos_ asin_ atan_ ceil_ clamp_ clamp_max_ clamp_min_ cos_ cosh_ detach_ erf_ exp_ exp2_ expm1_ fill_ floor_ frac_ "
        "log_ log10_ log1p_ log2_ neg_ reciprocal_ relu_ round_ rsqrt_ sigmoid_ sin_ sinh_ sqrt_ square_ tan_ tanh_ "
        "trunc_ zero_",
    "warpup.sparse": "sparse",
    "warpup.special": "special",
    "warpup._storage": "TypedStorage UntypedStorage",
    "warpup.testing": "testing",
    "warpup.nn.functional":
        "adaptive_avg_pool1d avg_pool1d batch_norm conv1d conv2d conv3d conv_transpose1d conv_transpose2d "
        "conv_transpose3d dropout embedding group_norm instance_norm layer_norm max_pool1d max_pool2d max_pool3d "
        "pixel_shuffle prelu rms_norm selu celu",
    "warpup._settings":
        "_assert can_cast compile get_default_device get_float32_matmul_precision get_num_interop_threads get_num_threads promote_types result_type "
        "set_default_device set_default_dtype set_default_tensor_type set_float32_matmul_precision "
        "set_num_interop_threads set_num_threads set_printoptions set_flush_denormal typename "
        "use_deterministic_algorithms are_deterministic_algorithms_enabled",
    "warpup.distributed": "distributed",
    "warpup._dynamo": "_dynamo",
    "warpup._inductor": "_inductor",
    "warpup._logging": "_logging",
    "warpup.fx": "fx",
    "warpup.compiler": "compiler",
    "warpup.distributions": "distributions",
    "warpup.func": "func",
    "warpup.func._batches": "vmap",
    "warpup.hub": "hub",
    "warpup.mps": "mps",
    "warpup.xpu": "xpu",
    "warpup.types": "types",
    "warpup.jit": "jit",
    "warpup.multiprocessing": "multiprocessing",
    "warpup.profiler": "profiler",
    "warpup.random": "random",
    "warpup.serialization": "load save serialization",
    "warpup.utils": "utils",
}
_LATER["warpup.foreach"] = "foreach " + " ".join(
    f"_foreach_{it} _foreach_{it}_"
    for it in (
        "abs add addcdiv addcmul clamp_max clamp_min copy div exp lerp log max maximum minimum mul neg norm pow reciprocal round "
        "rsqrt sigmoid sign sqrt sub tanh zero"
    ).split()
)
for _module, _more, _ in _warpup.registered():
    _LATER[_module] = f"{_LATER.get(_module, '')} {_more}"
del _module, _more, _
torch = sys.modules[__name__]

__getattr__ = _names.getter("torch", globals(), _LATER)
