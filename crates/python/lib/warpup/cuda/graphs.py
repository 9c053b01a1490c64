"""torch.cuda.graphs: CUDA graphs, on modelled cards. Loaded on first use.

While a graph is captured nothing runs: operations get shapes and memory, and a replay computes them from what is in the
memory of their inputs then, into the same memory.
"""

import _cuda
import _graphs

from warpup import Tensor
from warpup.cuda.streams import Stream, StreamContext

# What its classes print as their module.
__name__ = "torch.cuda.graphs"


def is_current_stream_capturing():
    return _graphs.is_capturing()


def graph_pool_handle():
    """A token for a pool of memory that graphs can share."""
    _cuda.needs_card()
    return (0, _graphs.pool())


def _number(pool):
    return None if pool is None else pool[1]


class CUDAGraph:
    """A sequence of operations that the host launches with one call."""

    _graph = None

    def __init__(self, keep_graph=False):
        _cuda.needs_card()

    def capture_begin(self, pool=None, capture_error_mode="global", check_input_liveness=False):
        if self._graph is not None:
            raise RuntimeError(
                "This CUDAGraph instance already owns a captured graph. To capture a new graph, create a new instance."
            )
        _graphs.begin(_number(pool))

    def capture_end(self):
        self._graph, has_kernels = _graphs.end()
        if not has_kernels:
            import warnings

            warnings.warn(
                "The CUDA Graph is empty. This usually means that the graph was attempted to be captured on wrong device or stream.",
                stacklevel=2,
            )

    def instantiate(self):
        """Does nothing: `capture_end` has done it."""

    def replay(self):
        if self._graph is None:
            raise RuntimeError("Called CUDAGraph::replay without a preceding successful capture.")
        _graphs.replay(self._graph)

    def reset(self):
        graph, self._graph = self._graph, None
        if graph is not None:
            _graphs.forget(graph)

    def pool(self):
        if self._graph is None:
            raise RuntimeError("Called CUDAGraph::pool() without a preceding successful capture.")
        return (0, _graphs.pool_of(self._graph))

    def register_generator_state(self, state):
        """Does nothing: the generator of the card is known, and no other one can be captured."""

    def enable_debug_mode(self):
        """Does nothing: there is no graph of CUDA's to keep."""

    def debug_dump(self, debug_path, *, verbose=True):
        """Does nothing: there is no graph of CUDA's to write down."""

    def __del__(self):
        try:
            self.reset()
        except (RuntimeError, TypeError):
            pass  # The run has ended.


class graph:
    """Captures the block on a stream of its own."""

    default_capture_stream = None

    def __init__(self, cuda_graph, pool=None, stream=None, capture_error_mode="global", **options):
        _cuda.needs_card()
        if graph.default_capture_stream is None:
            graph.default_capture_stream = Stream()
        self.pool = pool
        self.capture_stream = graph.default_capture_stream if stream is None else stream
        self.stream_ctx = StreamContext(self.capture_stream)
        self.cuda_graph = cuda_graph
        self.capture_error_mode = capture_error_mode

    def __enter__(self):
        _cuda.synchronize()
        _cuda.empty_cache()
        self.stream_ctx.__enter__()
        try:
            self.cuda_graph.capture_begin(self.pool, self.capture_error_mode)
        except BaseException:
            self.stream_ctx.__exit__(None, None, None)
            raise

    def __exit__(self, kind, value, traceback):
        try:
            self.cuda_graph.capture_end()
        finally:
            self.stream_ctx.__exit__(kind, value, traceback)


def make_graphed_callables(
    callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None, capture_error_mode="global",
    enable_annotations=False,
):
    """Functions or modules whose forward and backward passes are graphs, each one node of autograd."""
    import warpup

    if warpup.is_autocast_enabled() and warpup.is_autocast_cache_enabled():
        raise RuntimeError(
            "make_graphed_callables does not support the autocast caching. Please set `cache_enabled=False`."
        )
    alone = not isinstance(callables, tuple)
    if alone:
        callables, sample_args = (callables,), (sample_args,)
    for args in sample_args:
        if not all(isinstance(it, Tensor) for it in args):
            raise AssertionError(
                "In the beta API, sample_args for each callable must contain only Tensors. Other types are not allowed."
            )
    pool = graph_pool_handle() if pool is None else pool
    _cuda.synchronize()
    stream = Stream()
    surfaces = [tuple(args) + _parameters(it) for it, args in zip(callables, sample_args)]
    with StreamContext(stream):
        for function, args, surface in zip(callables, sample_args, surfaces):
            for _ in range(num_warmup_iters):
                _backward(_outputs(function(*args))[0], surface, allow_unused_input)
    _cuda.synchronize()
    forward = [_captured(lambda: function(*args), stream, pool) for function, args in zip(callables, sample_args)]
    made = []
    # In the reverse order, as they run.
    for (graph_of_it, result), surface in zip(reversed(forward), reversed(surfaces)):
        outputs, structure = _outputs(result)
        seeds = tuple(warpup.empty_like(it) if it.requires_grad else None for it in outputs)
        back, grads = None, None
        if any(it is not None for it in seeds):
            back, grads = _captured(lambda: _backward(outputs, surface, allow_unused_input, seeds), stream, pool)
        made.append((graph_of_it, back, surface, outputs, structure, seeds, grads))
    made.reverse()
    graphed = [
        _replaced(function, _function(it, len(args)), _parameters(function))
        for function, it, args in zip(callables, made, sample_args)
    ]
    return graphed[0] if alone else tuple(graphed)


def _parameters(function):
    from warpup.nn import Module

    return tuple(function.parameters()) if isinstance(function, Module) else ()


def _outputs(result):
    from warpup.utils import _pytree

    return _pytree.tree_flatten(result)


def _captured(call, stream, pool):
    captured = CUDAGraph()
    with graph(captured, pool=pool, stream=stream):
        result = call()
    return captured, result


def _backward(outputs, surface, allow_unused, seeds=None):
    """The gradients of the inputs that want one; nothing where no output has one."""
    import warpup

    wanted = [it for it in outputs if it.requires_grad]
    if not wanted:
        return None
    given = [warpup.empty_like(it) for it in wanted] if seeds is None else [it for it in seeds if it is not None]
    inputs = [it for it in surface if it.requires_grad]
    found = iter(warpup.autograd.grad(wanted, inputs, given, allow_unused=allow_unused))
    return tuple(next(found) if it.requires_grad else None for it in surface)


def _function(captured, count):
    import warpup
    from warpup.utils import _pytree

    forward, back, surface, outputs, structure, seeds, grads = captured

    class Graphed(warpup.autograd.Function):
        @staticmethod
        def forward(ctx, *inputs):
            for static, it in zip(surface[:count], inputs):
                if static.data_ptr() != it.data_ptr():
                    static.copy_(it)
            forward.replay()
            return tuple(it.detach() for it in outputs)

        @staticmethod
        def backward(ctx, *given):
            for seed, it in zip(seeds, given):
                if seed is not None and seed.data_ptr() != it.data_ptr():
                    seed.copy_(it)
            back.replay()
            return tuple(None if it is None else it.detach() for it in grads)

    def call(*args):
        leaves, _ = _pytree.tree_flatten(args)
        return _pytree.tree_unflatten(Graphed.apply(*leaves, *surface[count:]), structure)

    return call


def _replaced(function, call, parameters):
    """A module keeps its class, and its `forward` becomes the graph, as long as it trains or not as when it was captured."""
    from warpup.nn import Module

    if not isinstance(function, Module):
        return call
    was_training, plain = function.training, function.forward
    function.forward = lambda *args: call(*args) if function.training == was_training else plain(*args)
    return function
