"""torch.utils.checkpoint: parts of a network whose activations are computed again in backward, not kept.

Without `use_reentrant`, what the function saves is replaced by holders. The first holder that backward opens runs the
function once more, which fills the others. This is PyTorch's way, so that the same tensors live at the same time.
"""

import warpup
from warpup import Tensor, _generator, _names
from warpup._warn import warn
from warpup.autograd import backward
from warpup.autograd.function import Function
from warpup.autograd.graph import saved_tensors_hooks


class CheckpointError(RuntimeError):
    """The function did something else when it ran again."""


class _NoContext:
    def __enter__(self):
        pass

    def __exit__(self, *args):
        return False


def noop_context_fn():
    return _NoContext(), _NoContext()


class _Modes:
    """The state of autocast and of the random numbers, to be as it was when the function runs again."""

    def __init__(self, preserve_rng_state):
        self.random = _generator.states() if preserve_rng_state else None
        amp = warpup.amp
        self.autocast = [
            (device, warpup.is_autocast_enabled(device), warpup.get_autocast_dtype(device)) for device in ("cpu", "cuda")
        ] if amp.is_autocast_available("cpu") else []

    def again(self, function):
        """Runs it in these modes, and puts back the present ones."""
        blocks = [warpup.amp.autocast(device, dtype=dtype) for device, enabled, dtype in self.autocast if enabled]
        now = _generator.states() if self.random is not None else None
        try:
            if self.random is not None:
                _generator.restore(self.random)
            for it in blocks:
                it.__enter__()
            return function()
        finally:
            for it in reversed(blocks):
                it.__exit__(None, None, None)
            if now is not None:
                _generator.restore(now)


def detach_variable(inputs):
    if not isinstance(inputs, tuple):
        raise RuntimeError("Only tuple of tensors is supported. Got Unsupported input type: ", type(inputs).__name__)
    detached = []
    for it in inputs:
        if isinstance(it, Tensor):
            own = it.detach()
            own.requires_grad = it.requires_grad
            it = own
        detached.append(it)
    return tuple(detached)


class CheckpointFunction(Function):
    """`use_reentrant=True`: the function runs without gradients; backward runs it again and goes back through it."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        if not any(isinstance(it, Tensor) and it.requires_grad for it in args):
            warn("None of the inputs have requires_grad=True. Gradients will be None")
        ctx.run_function = run_function
        ctx.modes = _Modes(preserve_rng_state)
        ctx.inputs = [None if isinstance(it, Tensor) else it for it in args]
        ctx.places = [at for at, it in enumerate(args) if isinstance(it, Tensor)]
        ctx.save_for_backward(*(args[at] for at in ctx.places))
        return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        inputs = list(ctx.inputs)
        for at, it in zip(ctx.places, ctx.saved_tensors):
            inputs[at] = it
        inputs = detach_variable(tuple(inputs))
        with warpup.enable_grad():
            outputs = ctx.modes.again(lambda: ctx.run_function(*inputs))
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        pairs = [(it, own) for it, own in zip(outputs, grads) if isinstance(it, Tensor) and it.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([it for it, _ in pairs], [own for _, own in pairs])
        return (None, None, *(it.grad if isinstance(it, Tensor) else None for it in inputs))


class _Holder:
    """Stands for a saved tensor; its number in the order of saving finds the tensor that is computed again."""

    def __init__(self, number):
        self.number = number


class _Inputs(Function):
    """Holds the arguments as saved tensors, so that a checkpoint inside another keeps nothing either."""

    @staticmethod
    def forward(ctx, *tensors):
        ctx.save_for_backward(*tensors)
        return warpup.empty(0)

    @staticmethod
    def backward(ctx, *grads):
        raise AssertionError("Did not expect to backward on this graph")


class _Enough(Exception):
    """Everything that backward needs has been computed again."""


class _Frame:
    """One call of a function under a checkpoint."""

    def __init__(self, run, early_stop, modes):
        self.run, self.early_stop, self.modes = run, early_stop, modes
        self.holders = 0
        self.facts = []
        self.again = None

    def pack(self, tensor):
        self.holders += 1
        self.facts.append((tuple(tensor.shape), tensor.dtype, tensor.device))
        return _Holder(self.holders - 1)

    def unpack(self, holder):
        if self.again is None or holder.number not in self.again:
            self._compute()
        if holder.number not in self.again:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. If you "
                "are calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an "
                "issue with details on your use case."
            )
        return self.again.pop(holder.number)

    def _compute(self):
        """Runs the function again, and keeps what it saves."""
        found, count = {}, 0

        def pack(tensor):
            nonlocal count
            if count < self.holders:
                self._check(count, tensor)
                found[count] = tensor.detach() if tensor.requires_grad else tensor
            count += 1
            if count == self.holders and self.early_stop:
                raise _Enough
            return tensor

        try:
            with warpup.enable_grad(), saved_tensors_hooks(pack, lambda it: it):
                self.modes.again(self.run)
        except _Enough:
            pass
        if count != self.holders and not (self.early_stop and count >= self.holders):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {self.holders}\nNumber of tensors saved "
                f"during recomputation: {count}.\n"
            )
        self.again = found

    def _check(self, number, tensor):
        kept = self.facts[number]
        now = (tuple(tensor.shape), tensor.dtype, tensor.device)
        if kept != now:
            names = ("shape", "dtype", "device")
            shown = [dict(zip(names, (warpup.Size(it[0]), *it[1:]))) for it in (kept, now)]
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during "
                f"the forward pass.\ntensor at position {number}:\nsaved metadata: {shown[0]}\n"
                f"recomputed metadata: {shown[1]}\n"
            )


def _without_reentrant(function, args, kwargs, preserve_rng_state, context_fn, early_stop):
    if not warpup.is_grad_enabled():
        return function(*args, **kwargs)
    before, again = context_fn()
    places = [at for at, it in enumerate(args) if isinstance(it, Tensor)]
    rest = [None if at in places else it for at, it in enumerate(args)]
    keeper = warpup.empty(0, requires_grad=True)
    dummy = _Inputs.apply(keeper, *(args[at] for at in places))

    def run():
        own = list(rest)
        for at, it in zip(places, _saved(dummy)[1:]):
            own[at] = it
        with again:
            function(*own, **kwargs)

    frame = _Frame(run, early_stop, _Modes(preserve_rng_state))
    with saved_tensors_hooks(frame.pack, frame.unpack), before:
        return function(*args, **kwargs)


def _saved(tensor):
    import _warpup

    return _warpup.saved_by(tensor.grad_fn)


def checkpoint(
    function, *args, use_reentrant=None, context_fn=noop_context_fn, determinism_check="default", debug=False,
    early_stop=True, preserve_rng_state=True, **kwargs
):
    """Runs a function, whose activations are computed again in backward."""
    if use_reentrant is None:
        warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. In a future "
            "release, we will raise an exception if use_reentrant is not passed. use_reentrant=False is recommended."
        )
        use_reentrant = True
    if not use_reentrant:
        return _without_reentrant(function, args, kwargs, preserve_rng_state, context_fn, early_stop)
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    return CheckpointFunction.apply(function, preserve_rng_state, *args)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Runs the parts of a `Sequential` in so many segments, each under a checkpoint but the last."""
    if use_reentrant is None:
        warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed "
            "explicitly. use_reentrant=False is recommended."
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))

    def run(start, end):
        def forward(input):
            for it in functions[start:end]:
                input = it(input)
            return input

        return forward

    functions = list(functions.children() if isinstance(functions, warpup.nn.Sequential) else functions)
    size = len(functions) // segments
    start = 0
    for _ in range(segments - 1):
        input = checkpoint(
            run(start, start + size), input, use_reentrant=use_reentrant, preserve_rng_state=preserve
        )
        start += size
    return run(start, len(functions))(input)


def get_device_states(*args):
    """The cards of these tensors, and the states of their random numbers."""
    cards = sorted({it.get_device() for it in args if isinstance(it, warpup.Tensor) and it.is_cuda})
    return cards, [warpup.cuda.get_rng_state(it) for it in cards]


def set_device_states(devices, states, *, device_type=None):
    for device, state in zip(devices, states):
        warpup.cuda.set_rng_state(state, device)


__getattr__ = _names.getter("torch.utils.checkpoint", globals())
