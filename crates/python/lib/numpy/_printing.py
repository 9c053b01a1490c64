"""`repr` and `str` of arrays, by the rules of NumPy's `arrayprint`, and `set_printoptions`."""

import math

import _numpy

_OPTIONS = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 75, "suppress": False, "floatmode": "maxprec"}
_options = dict(_OPTIONS)


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, floatmode=None, **others):
    """Sets how arrays are printed."""
    if floatmode not in (None, "fixed", "unique", "maxprec", "maxprec_equal"):
        raise ValueError("floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", \"maxprec_equal\"")
    given = {"floatmode": floatmode, "precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    given["suppress"] = suppress
    for name in others:
        raise NotImplementedError(f"set_printoptions({name}=…) is not part of warpup; NumPy has it")
    _options.update({name: it for name, it in given.items() if it is not None})


def get_printoptions():
    return dict(_options)


class printoptions:
    """Sets how arrays are printed in a `with` block."""

    def __init__(self, **options):
        self.options = options

    def __enter__(self):
        self.before = dict(_options)
        set_printoptions(**self.options)
        return get_printoptions()

    def __exit__(self, kind, value, trace):
        _options.update(self.before)
        return False


def represented(array):
    """`repr(array)`"""
    size, shape, it = array.size, array.shape, array.dtype
    shown = array2string(array, separator=", ", prefix="array(", suffix=")") if size > 0 or shape == (0,) else "[]"
    extras = []
    if (size == 0 and shape != (0,)) or size > _options["threshold"]:
        extras.append(f"shape={shape}")
    if size == 0 or it.name not in ("bool", "int64", "float64"):
        extras.append(f"dtype={it.name}")
    if not extras:
        return f"array({shown})"
    shown, extra = f"array({shown},", ", ".join(extras) + ")"
    last = len(shown) - (shown.rfind("\n") + 1)
    wraps = last + len(extra) + 1 > _options["linewidth"]
    return shown + ("\n      " if wraps else " ") + extra


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", suffix=""):
    """An array as text."""
    if a.size == 0:
        return "[]"
    given = {"linewidth": max_line_width, "precision": precision, "suppress": suppress_small}
    options = {**_options, **{name: it for name, it in given.items() if it is not None}}
    is_short = a.size > options["threshold"]
    lists = _edges(a._t, options["edgeitems"]) if is_short else a._t.tolist()
    write = _writer(list(_flat(lists, a.ndim)), a.dtype, a.ndim, options)
    layout = _Layout(write, a.shape, separator, options["edgeitems"] if is_short else None)
    indent = " " + " " * len(prefix)
    return layout.text(lists, 0, indent, options["linewidth"] - len(suffix))


def _edges(tensor, edge):
    """Nested lists of the elements that a summary shows."""
    if tensor.ndim == 0:
        return tensor.tolist()
    size = tensor.shape[0]
    rows = range(size) if size <= 2 * edge else [*range(edge), *range(size - edge, size)]
    return [_edges(tensor[row], edge) for row in rows]


def _flat(lists, depth):
    if depth == 0:
        yield lists
    elif depth == 1:
        yield from lists
    else:
        for row in lists:
            yield from _flat(row, depth - 1)


class _Layout:
    """Elements in brackets, over lines of a width."""

    def __init__(self, write, shape, separator, edge):
        self.write, self.shape, self.separator, self.edge = write, shape, separator, edge

    def text(self, lists, axis, indent, width):
        left = len(self.shape) - axis
        if left == 0:
            return self.write(lists)
        words = [self.text(it, axis + 1, indent + " ", width - 1) for it in lists]
        if self.edge is not None and self.shape[axis] > 2 * self.edge:
            words.insert(self.edge, "...")
        if left > 1:
            between = self.separator.rstrip() + "\n" * (left - 1) + indent
            return "[" + between.join(words) + "]"
        width -= max(len(self.separator.rstrip()), 1)
        done, line = "", indent
        for at, word in enumerate(words):
            if len(line) + len(word) > width and len(line) > len(indent):
                done += line.rstrip() + "\n"
                line = indent
            line += word + (self.separator if at + 1 < len(words) else "")
        return "[" + (done + line)[len(indent):] + "]"


def _writer(values, it, ndim, options):
    """The function that writes one element."""
    if it.kind == "b":
        return lambda value: "False" if not value else " True" if ndim else "True"
    if it.kind != "f":
        width = max(len(str(value)) for value in values)
        return lambda value: str(value).rjust(width)
    finite = [value for value in values if math.isfinite(value)]
    scientific = _is_scientific(finite, it.bits, options["suppress"])
    write = _scientific if scientific else _positional
    mode = options["floatmode"]
    precision = 99 if mode == "unique" else options["precision"]
    fill = "0" if mode in ("fixed", "maxprec_equal") else " "
    parts = [write(value, it.bits, precision).partition("e") for value in finite]
    pairs = [number.split(".") for number, _, _ in parts]
    left = max((len(whole) for whole, _ in pairs), default=0)
    right = places = precision if mode == "fixed" else max((len(part) for _, part in pairs), default=0)
    digits = 0
    if scientific:
        digits = max(len(exponent) - 1 for _, _, exponent in parts)
        right = digits + 2 + places
    if len(finite) < len(values):
        left = max(left, 3 + (-math.inf in values) - right - 1)
        if any(value != value for value in values):
            left = max(left, 3 - right - 1)

    def written(value):
        if not math.isfinite(value):
            return str(value).rjust(left + right + 1)
        number, _, exponent = write(value, it.bits, precision).partition("e")
        whole, part = number.split(".")
        if scientific:
            return f"{whole.rjust(left)}.{part.ljust(places, '0')}e{exponent[0]}{exponent[1:].rjust(digits, '0')}"
        return f"{whole.rjust(left)}.{part.ljust(right, fill)}"

    return written


def _is_scientific(finite, bits, suppress):
    sizes = [abs(value) for value in finite if value != 0]
    if not sizes:
        return False
    low, high = min(sizes), max(sizes)
    return high >= 1e8 or not suppress and (low < 0.0001 or _numpy.rounded(high / low, bits) > 1000)


def _positional(value, bits, precision):
    """The shortest digits, as in `-12.5` and `3.`."""
    mantissa, _, exponent = _numpy.shortest(value, bits).partition("e")
    whole, _, part = mantissa.partition(".")
    sign, whole = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    digits, point = whole + part, int(exponent) + 1
    if point <= 0:
        digits, point = "0" * (1 - point) + digits, 1
    digits = digits.ljust(point, "0")
    whole, part = digits[:point], digits[point:].rstrip("0")
    if len(part) > precision:
        whole, _, part = f"{abs(value):.{precision}f}".partition(".")
    return f"{sign}{whole}.{part.rstrip('0')}"


def _scientific(value, bits, precision):
    """The shortest digits, as in `1.5e-05`."""
    shown = _numpy.shortest(value, bits)
    mantissa, _, exponent = shown.partition("e")
    whole, _, part = mantissa.partition(".")
    if len(part) > precision:
        mantissa, _, exponent = f"{value:.{precision}e}".partition("e")
        whole, _, part = mantissa.partition(".")
    power = int(exponent)
    return f"{whole}.{part.rstrip('0')}e{'-' if power < 0 else '+'}{abs(power):02}"
