"""numpy.testing: the checks that programs make of their results. Messages have NumPy's first lines."""

import numpy
from numpy._convert import asarray


def assert_(val, msg=""):
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True):
    _compared(
        actual, desired, lambda a, b: numpy.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan),
        f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", err_msg,
    )


def assert_array_equal(actual, desired, err_msg="", verbose=True):
    _compared(actual, desired, _same, "Arrays are not equal", err_msg)


def assert_equal(actual, desired, err_msg="", verbose=True):
    if isinstance(desired, dict) and isinstance(actual, dict):
        assert_equal(len(actual), len(desired), err_msg)
        for key, value in desired.items():
            if key not in actual:
                raise AssertionError(repr(key))
            assert_equal(actual[key], value, f"key={key!r}\n{err_msg}")
    elif isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg)
        for at, value in enumerate(desired):
            assert_equal(actual[at], value, f"item={at!r}\n{err_msg}")
    elif hasattr(actual, "shape") or hasattr(desired, "shape"):
        assert_array_equal(actual, desired, err_msg)
    elif not (actual == desired or actual != actual and desired != desired):
        raise AssertionError(f"\nItems are not equal:{_note(err_msg)}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    head = f"Arrays are not almost equal to {decimal} decimals"
    _compared(actual, desired, lambda a, b: abs(a - b) < 1.5 * 10.0 ** -decimal, head, err_msg)


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    if hasattr(actual, "shape") or hasattr(desired, "shape"):
        assert_array_almost_equal(actual, desired, decimal, err_msg)
    elif abs(desired - actual) >= 1.5 * 10.0 ** -decimal:
        head = f"Arrays are not almost equal to {decimal} decimals{_note(err_msg)}"
        raise AssertionError(f"\n{head}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


class assert_raises:
    """Checks that a `with` block, or a call, raises an exception."""

    def __new__(cls, exception, function=None, *args, **kwargs):
        made = object.__new__(cls)
        made.wanted = exception
        if function is None:
            return made
        with made:
            function(*args, **kwargs)
        return None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            raise AssertionError(f"{self.wanted.__name__} not raised")
        self.exception = value
        return issubclass(kind, self.wanted)


def _note(err_msg):
    """The program's own words after the head: on its line if they are one line."""
    return err_msg and ("\n" if "\n" in err_msg else " ") + err_msg


def _same(a, b):
    same = a == b
    if a.dtype.kind == "f" and b.dtype.kind == "f":
        same = same | numpy.isnan(a) & numpy.isnan(b)
    return same


def _places(a, b, close):
    """Where the first five values differ."""
    if not close.shape:
        return ""
    places = numpy.argwhere(~close).tolist()
    one, some = "Mismatch at index:", "Mismatch at indices:" if len(places) <= 5 else "First 5 mismatches are at indices:"
    lines = [one if len(places) == 1 else some]
    for at in places[:5]:
        own = a[tuple(at)] if a.shape else a.item()
        other = b[tuple(at)] if b.shape else b.item()
        lines.append(f" {at}: {own} (ACTUAL), {other} (DESIRED)")
    return "\n".join(lines) + "\n"


def _compared(actual, desired, near, head, err_msg):
    a, b = asarray(actual), asarray(desired)
    head = f"\n{head}\n{err_msg}\n"
    if a.shape != b.shape and a.shape and b.shape:
        raise AssertionError(f"{head}(shapes {a.shape}, {b.shape} mismatch)\n ACTUAL: {a!r}\n DESIRED: {b!r}")
    close = asarray(near(a, b))
    wrong = int((~close).sum())
    if wrong == 0:
        return
    apart = f"Mismatched elements: {wrong} / {close.size} ({100 * wrong / close.size:.3g}%)\n"
    apart += _places(a, b, close)
    if a.dtype.kind in "fiu" and b.dtype.kind in "fiu":
        far = numpy.abs(a - b)
        apart += f"Max absolute difference among violations: {numpy.array2string(asarray(far.max()))}\n"
        known = asarray(b != 0)
        if bool(known.any()):
            share = (far / numpy.abs(b))[known] if b.shape else far / numpy.abs(b)
            apart += f"Max relative difference among violations: {numpy.array2string(asarray(asarray(share).max()))}\n"
    raise AssertionError(f"{head}{apart} ACTUAL: {a!r}\n DESIRED: {b!r}")
