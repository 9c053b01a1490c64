"""torch.compile on modelled cards. Loaded on first use.

A compiled function runs as it is written, so its values are those of eager mode. Its kernels and its host time are those
of the kernels that Inductor would make of it: see `engine/compiled`. Here is what is compiled when: once for each kind of
arguments, and again for other sizes.
"""

import _compile
import _host

import warpup
from warpup import Tensor, _compile_state
from warpup.nn import Module


class _Code:
    """What was compiled for arguments of one kind: their sizes, None for one that may be any."""

    def __init__(self, sizes):
        self.sizes = sizes
        self.calls = 0

    def fits(self, sizes):
        # 0 and 1 are always compiled on their own.
        return all(mine == it or mine is None and it > 1 for mine, it in zip(self.sizes, sizes))


class Compiled:
    """A function that was given to `torch.compile`."""

    def __init__(self, function, name, *, fullgraph=False, dynamic=None, mode=None):
        self.function = function
        self.name = name
        self.fullgraph = fullgraph
        self.dynamic = dynamic
        self.has_graphs = mode in ("reduce-overhead", "max-autotune")
        self.generation = _compile_state.Stance.generation
        self.codes = {}

    def __call__(self, *args, **kwargs):
        if _compile_state.Stance.name != "default" or _compile.is_active():
            return self.function(*args, **kwargs)
        code = self._code(args, kwargs)
        if code is None:
            return self.function(*args, **kwargs)
        code.calls += 1
        # As in PyTorch, the first call warms up and the second captures.
        _compile.begin(self.has_graphs and code.calls > 2)
        try:
            result = self.function(*args, **kwargs)
        except BaseException:
            _compile.end([], 0)
            raise
        outputs = list(_tensors(result))
        is_first = code.calls == 1
        # Backward is compiled with it, and has about twice as many operations.
        times = 3 if any(it.requires_grad for it in outputs) else 1
        _, _, breaks = _compile.end(outputs, times if is_first else 0)
        if is_first and breaks:
            self._broken(breaks)
        return result

    def _code(self, args, kwargs):
        """What was compiled for these arguments; None where there were too many kinds."""
        if self.generation != _compile_state.Stance.generation:
            self.generation = _compile_state.Stance.generation
            self.codes = {}
        kinds, sizes = [], []
        _see(args, kinds, sizes)
        _see(kwargs, kinds, sizes)
        owner = getattr(self.function, "__self__", None)
        if isinstance(owner, Module):
            kinds.append(owner.training)
        kinds.append((warpup.is_grad_enabled(), warpup.is_inference_mode_enabled(), warpup.is_autocast_enabled()))
        sizes = tuple(sizes)
        known = self.codes.setdefault(tuple(kinds), [])
        for code in known:
            if code.fits(sizes):
                return code
        if sum(map(len, self.codes.values())) >= _compile_state.config.recompile_limit:
            _host.note(
                f"torch.compile has compiled {self.name} {_compile_state.config.recompile_limit} times "
                "(torch._dynamo.config.recompile_limit); arguments of another kind run without it"
            )
            return None
        code = _Code(self._sizes(known, sizes))
        if known:
            dynamic = [str(it) for mine, it in zip(code.sizes, sizes) if mine is None]
            now = f"the new code takes any size in place of {', '.join(dynamic)}" if dynamic else "for these sizes only"
            _host.note(f"torch.compile compiles {self.name} again, since a size has changed: {now}")
        elif len(self.codes) > 1:
            _host.note(
                f"torch.compile compiles {self.name} again, since its arguments are of another kind "
                "(type, dtype, requires_grad, train or eval, no_grad)"
            )
        known.append(code)
        return code

    def _sizes(self, known, sizes):
        """The sizes to compile for: those that have changed may be any from then on (automatic dynamic shapes)."""
        if self.dynamic:
            return tuple(None if it > 1 else it for it in sizes)
        if self.dynamic is False or not known:
            return sizes
        before = known[-1].sizes
        return tuple(None if mine != it and it > 1 else it for mine, it in zip(before, sizes))

    def _broken(self, breaks):
        why, line = breaks[0]
        if self.fullgraph:
            raise _compile_state.exc.Unsupported(
                f"Graph break: {why}\n  Explanation: {self.name} was compiled with fullgraph=True, and cannot be one graph: "
                f"the compiler does not go on after {why}.\n  Hint: move it out of the compiled function, or compile without "
                f"fullgraph=True.\n\nfrom user code:\n  line {line}"
            )
        for why, line in breaks:
            _host.note(
                f"torch.compile: the graph of {self.name} breaks on line {line} ({why}); "
                "what comes before and after is compiled on its own"
            )


def _see(it, kinds, sizes):
    """The kind of an argument, and the sizes in it."""
    if isinstance(it, Tensor):
        kinds.append((str(it.dtype), str(it.device), it.requires_grad, it.dim()))
        sizes.extend(it.shape)
    elif isinstance(it, (list, tuple)):
        kinds.append((type(it), len(it)))
        for part in it:
            _see(part, kinds, sizes)
    elif isinstance(it, dict):
        kinds.append((dict, tuple(it)))
        for part in it.values():
            _see(part, kinds, sizes)
    elif type(it) is int:
        kinds.append(int)
        sizes.append(it)
    elif it is None or isinstance(it, (bool, float, str)):
        kinds.append((type(it), it))
    else:
        kinds.append(id(it))


def _tensors(it):
    if isinstance(it, Tensor):
        yield it
    elif isinstance(it, (list, tuple)):
        for part in it:
            yield from _tensors(part)
    elif isinstance(it, dict):
        yield from _tensors(list(it.values()))
    elif hasattr(it, "__dict__") and not isinstance(it, type):
        yield from _tensors(list(vars(it).values()))


class OptimizedModule(Module):
    """A module whose `forward` is compiled. Its state has the names of the module within, with `_orig_mod.` before them."""

    _own = ("training", "_orig_mod")

    def __init__(self, mod, **options):
        super().__init__()
        self.__dict__["_compiled"] = Compiled(mod.__call__, type(mod).__name__, **options)
        super().__setattr__("_orig_mod", mod)
        self.training = mod.training

    def forward(self, *args, **kwargs):
        return self._compiled(*args, **kwargs)

    def __getattr__(self, name):
        own = self.__dict__
        if name in own or "_orig_mod" not in own:
            return super().__getattr__(name)
        return getattr(own["_orig_mod"], name)

    def __setattr__(self, name, value):
        if name in self._own or name in self.__dict__ or "_orig_mod" not in self.__dict__:
            super().__setattr__(name, value)
        else:
            setattr(self._orig_mod, name, value)


OptimizedModule.__module__ = "torch._dynamo.eval_frame"


def compiled(model, **options):
    """A compiled module or function."""
    if isinstance(model, Module):
        return OptimizedModule(model, **options)
    code = Compiled(model, getattr(model, "__qualname__", type(model).__name__), **options)

    def compiled_function(*args, **kwargs):
        return code(*args, **kwargs)

    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        if hasattr(model, name):
            setattr(compiled_function, name, getattr(model, name))
    compiled_function.__wrapped__ = model
    compiled_function._torchdynamo_orig_callable = model
    return compiled_function
