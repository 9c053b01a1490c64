"""torch.func: functions made of functions. Loaded on first use.

`vmap` calls its function once for each sample, and `jacrev` and `jacfwd` go backward once for each number of the result: the
values are those of PyTorch, which makes one batch of it; times and memory are not.
"""

from warpup import _names

# Each part is loaded on first use.
_LATER = {
    "warpup.func._grads": "grad grad_and_value vjp jvp jacrev jacfwd hessian",
    "warpup.func._batches": "vmap",
    "warpup.func._calls": "functional_call stack_module_state",
}
__getattr__ = _names.getter("torch.func", globals(), _LATER)
