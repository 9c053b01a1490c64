"""torch.amp: mixed precision. The engine decides which operation runs in which dtype."""

import _cuda
import _precision
import _warpup

import warpup
from warpup import _names

_DEFAULTS = {"cpu": warpup.bfloat16, "cuda": warpup.float16}
_depth = 0


class autocast:
    """For a block or function: matrix products in a 16-bit dtype, operations that need range or precision in float32."""

    __module__ = "torch.amp.autocast_mode"

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        warpup.device(device_type)
        if device_type not in _DEFAULTS:
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.device = device_type
        self.fast_dtype = _DEFAULTS[device_type] if dtype is None else dtype
        half = self.fast_dtype in (warpup.float16, warpup.bfloat16)
        there = device_type == "cpu" or _cuda.has_card()
        # Without such a card or with another dtype nothing changes. PyTorch also warns.
        self._enabled = bool(enabled) and half and there
        self._cache = True if cache_enabled is None else cache_enabled

    def __enter__(self):
        global _depth
        _depth += 1
        self._before = _precision.set_autocast(self.device, self.fast_dtype if self._enabled else None)
        self._cached = _precision.cache_casts(self._cache)
        return self

    def __exit__(self, kind, value, traceback):
        global _depth
        _depth -= 1
        if _depth == 0:
            _precision.forget_casts()
        _precision.set_autocast(self.device, self._before)
        _precision.cache_casts(self._cached)
        return False

    def __call__(self, function):
        def decorated(*args, **kwargs):
            with autocast(self.device, self.fast_dtype, self._enabled, self._cache):
                return function(*args, **kwargs)

        return decorated


def is_autocast_available(device_type):
    return device_type in _DEFAULTS


def is_autocast_enabled(device_type="cuda"):
    return _precision.autocast(device_type) is not None


def get_autocast_dtype(device_type):
    return _precision.autocast(device_type) or _DEFAULTS[device_type]


def _unscale(grads, factor):
    """Multiplies gradients of one device and type, in one launch; whether one was infinite or no number, as a tensor there."""
    on_card = grads[0].is_cuda
    if on_card:
        _warpup.begin_together(False)
    try:
        found = _precision.found_inf(grads)
        for grad in grads:
            grad.mul_(factor)
    finally:
        if on_card:
            moved = sum(2 * it.nbytes for it in grads)
            _warpup.end_together("_amp_foreach_non_finite_check_and_unscale_", 1, grads, moved)
    return found


# The state of a scaler, and the attributes that hold it.
_STATE = {
    "scale": "_scale", "growth_factor": "_growth_factor", "backoff_factor": "_backoff_factor",
    "growth_interval": "_growth_interval", "_growth_tracker": "_tracker",
}


class GradScaler:
    """Scales the loss up, so that small gradients are not lost in float16, and the gradients down again."""

    __module__ = "torch.amp.grad_scaler"

    def __init__(
        self, device="cuda", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
        enabled=True,
    ):
        self._device = device
        self._enabled = enabled and (device == "cpu" or _cuda.has_card())
        if self._enabled:
            assert growth_factor > 1.0, "The growth factor must be > 1.0."
            assert backoff_factor < 1.0, "The backoff factor must be < 1.0."
        self._scale = init_scale
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._tracker = 0
        self._reset()

    def _reset(self):
        self._found = {}
        self._stepped = set()

    def is_enabled(self):
        return self._enabled

    def get_scale(self):
        return float(self._scale) if self._enabled else 1.0

    def get_growth_factor(self):
        return self._growth_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def get_growth_interval(self):
        return self._growth_interval

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        if isinstance(outputs, warpup.Tensor):
            return outputs * self._scale
        return type(outputs)(self.scale(it) for it in outputs)

    def unscale_(self, optimizer):
        if not self._enabled:
            return
        if id(optimizer) in self._stepped:
            raise RuntimeError("unscale_() is being called after step().")
        if id(optimizer) in self._found:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        grads = [it.grad for group in optimizer.param_groups for it in group["params"] if it.grad is not None]
        if any(it.dtype == warpup.float16 for it in grads):
            raise ValueError("Attempting to unscale FP16 gradients.")
        kinds = {}
        for grad in grads:
            kinds.setdefault((grad.device, str(grad.dtype)), []).append(grad)
        with warpup.no_grad():
            self._found[id(optimizer)] = [_unscale(it, 1.0 / self._scale) for it in kinds.values()]

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        if id(optimizer) in self._stepped:
            raise RuntimeError("step() has already been called since the last update().")
        if id(optimizer) not in self._found:
            self.unscale_(optimizer)
        found = self._found[id(optimizer)]
        assert found, "No inf checks were recorded for this optimizer."
        self._stepped.add(id(optimizer))
        # The kernel of a fused step reads it on the card.
        fused = getattr(optimizer, "defaults", {}).get("fused")
        read = _precision.known_inf if fused else _precision.read_inf
        self._found[id(optimizer)] = found = [any([read(it) for it in found])]
        if found[0]:
            optimizer._skipped_by_scaler = True
            return None
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = float(new_scale)
        else:
            found = [it for own in self._found.values() for it in own]
            assert found, "No inf checks were recorded prior to update."
            # PyTorch's kernel reads on the card what no step has read.
            if any(it if isinstance(it, bool) else _precision.known_inf(it) for it in found):
                self._scale *= self._backoff_factor
                self._tracker = 0
            else:
                self._tracker += 1
                if self._tracker == self._growth_interval:
                    self._scale *= self._growth_factor
                    self._tracker = 0
        self._reset()

    def state_dict(self):
        if not self._enabled:
            return {}
        return {name: getattr(self, own) for name, own in _STATE.items()} | {"scale": self.get_scale()}

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if len(state_dict) == 0:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        for name, own in _STATE.items():
            setattr(self, own, state_dict[name])


__getattr__ = _names.getter("torch.amp", globals(), {"warpup._autocast_functions": "custom_bwd custom_fwd"})
