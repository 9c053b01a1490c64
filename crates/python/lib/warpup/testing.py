"""torch.testing: comparison of values with a tolerance."""

import warnings

from warpup import Tensor, _names, isclose, tensor

# The relative and absolute tolerances of each dtype.
_TOLERANCES = {
    "torch.float16": (1e-3, 1e-5), "torch.bfloat16": (1.6e-2, 1e-5), "torch.float32": (1.3e-6, 1e-5),
    "torch.float64": (1e-7, 1e-7),
}


def assert_close(
    actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
    check_dtype=True, check_layout=True, check_stride=False, msg=None,
):
    if (rtol is None) != (atol is None):
        raise ValueError(
            f"Both 'rtol' and 'atol' must be either specified or unspecified, but got no "
            f"{'rtol' if rtol is None else 'atol'}."
        )
    options = (rtol, atol, equal_nan, check_device, check_dtype)
    problem = _problem(actual, expected, options, "")
    if problem is not None:
        raise AssertionError(msg(problem) if callable(msg) else msg or problem)


# Those of `assert_allclose`.
_OLD_TOLERANCES = {
    "torch.float16": (1e-3, 1e-3), "torch.float32": (1e-4, 1e-5), "torch.float64": (1e-5, 1e-8),
}


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """The old `assert_close`: dtypes need not be the same."""
    warnings.warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. Please use "
        "`torch.testing.assert_close()` instead. You can find detailed upgrade instructions in "
        "https://github.com/pytorch/pytorch/issues/61844.", FutureWarning, stacklevel=2,
    )
    actual, expected = (it if isinstance(it, Tensor) else tensor(it) for it in (actual, expected))
    if rtol is None and atol is None:
        both = [_OLD_TOLERANCES.get(str(it.dtype), (0.0, 0.0)) for it in (actual, expected)]
        rtol, atol = (max(pair) for pair in zip(*both))
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)


def _problem(actual, expected, options, where):
    """What is wrong, or None."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        if set(actual) != set(expected):
            missing, added = sorted(set(expected) - set(actual)), sorted(set(actual) - set(expected))
            return (
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {missing}\nAdditional keys in the actual mapping: {added}"
            )
        pairs = [(name, actual[name], expected[name]) for name in actual]
    elif isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        if len(actual) != len(expected):
            return f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
        pairs = [(at, *both) for at, both in enumerate(zip(actual, expected))]
    else:
        problem = _of_tensors(actual, expected, options)
        return problem if problem is None or not where else f"{problem}\n\nThe failure occurred for item {where}"
    for name, a, b in pairs:
        problem = _problem(a, b, options, f"{where}[{name!r}]")
        if problem is not None:
            return problem
    return None


def _of_tensors(actual, expected, options):
    rtol, atol, equal_nan, check_device, check_dtype = options
    is_scalar = not isinstance(actual, Tensor) and not isinstance(expected, Tensor)
    if not is_scalar and type(actual) is not type(expected) and not (
        isinstance(actual, Tensor) and isinstance(expected, Tensor)
    ):
        return f"None of the pairs is able to compare {type(actual)} and {type(expected)}"
    a, b = (it if isinstance(it, Tensor) else tensor(it) for it in (actual, expected))
    if a.shape != b.shape:
        return f"The values for attribute 'shape' do not match: {a.shape} != {b.shape}."
    if check_device and a.device != b.device:
        return f"The values for attribute 'device' do not match: {a.device} != {b.device}."
    if check_dtype and not is_scalar and a.dtype != b.dtype:
        return f"The values for attribute 'dtype' do not match: {a.dtype} != {b.dtype}."
    a, b = a.detach().cpu(), b.detach().cpu()
    if rtol is None:
        both = [_TOLERANCES.get(str(it.dtype), (0.0, 0.0)) for it in (a, b)]
        rtol, atol = (max(pair) for pair in zip(*both))
    if a.dtype != b.dtype:
        a, b = a.double(), b.double()
    close = isclose(a, b, rtol, atol, equal_nan)
    if bool(close.all()):
        return None
    return _mismatch(a, b, close, (rtol, atol), is_scalar)


def _mismatch(a, b, close, tolerances, is_scalar):
    rtol, atol = tolerances
    far = (a - b).abs()
    share = far / b.abs()
    if a.dim() == 0:
        name = "Scalars" if is_scalar else "Tensor-likes"
        if is_scalar:
            head = f"{name} are not close!\n\nExpected {b.item()} but got {a.item()}.\n"
        else:
            head = f"{name} are not close!\n\n"
        if rtol == atol == 0:
            return head.replace("close", "equal")
        return (
            head + f"Absolute difference: {far.item()} (up to {atol} allowed)\n"
            f"Relative difference: {share.item()} (up to {rtol} allowed)"
        )
    wrong = int((~close).sum())
    lines = [
        f"Tensor-likes are not {'equal' if rtol == atol == 0 else 'close'}!\n",
        f"Mismatched elements: {wrong} / {close.numel()} ({100 * wrong / close.numel():.1f}%)",
    ]
    for name, values, allowed in (("absolute", far, atol), ("relative", share, rtol)):
        values = values.masked_fill(close, 0.0)
        most = int(values.argmax())
        place = []
        for size in reversed(values.shape):
            place.insert(0, most % size)
            most //= size
        limit = "" if rtol == atol == 0 else f" (up to {allowed} allowed)"
        lines.append(f"Greatest {name} difference: {values.max().item()} at index {tuple(place)}{limit}")
    return "\n".join(lines)


__getattr__ = _names.getter("torch.testing", globals())
