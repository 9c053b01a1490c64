"""torch.foreach, and `torch._foreach_add` and the like: an operation on each tensor of a list. Loaded on first use.

On a card, the operations on a list are one batch of kernels, as in the steps of optimizers.
"""

from warpup import Tensor, _names
from warpup.optim import _together

# Functions of one list and of several, which also have forms in place, and those that have one form.
NAMES = (
    "abs acos add addcdiv addcmul asin atan ceil clamp_max clamp_min cos cosh div erf erfc exp expm1 floor frac lerp lgamma "
    "log log10 log1p log2 maximum minimum mul neg pow reciprocal round rsqrt sigmoid sign sin sinh sqrt sub tan tanh trunc"
)
_FORMS = {*NAMES.split(), *(it + "_" for it in NAMES.split()), "clone", "copy_", "max", "mm", "norm", "zero_"}
# The methods that do the same for one tensor, and also take a number.
_METHODS = {"maximum": "clamp_min", "maximum_": "clamp_min_", "minimum": "clamp_max", "minimum_": "clamp_max_"}


def _checked(inputs, others):
    """The operands of each tensor: a tensor or a number is the same for all."""
    if not inputs:
        raise RuntimeError("Tensor list must have at least one tensor.")
    for other in others:
        if isinstance(other, (list, tuple)) and len(other) != len(inputs):
            if isinstance(other[0], Tensor):
                raise RuntimeError(f"Tensor lists must have the same number of tensors, got {len(inputs)} and {len(other)}")
            raise RuntimeError("Tensor list must have same number of elements as scalar list.")
    return [other if isinstance(other, (list, tuple)) else [other] * len(inputs) for other in others]


def _of_lists(name):
    def function(inputs, /, *others, **options):
        method = _METHODS.get(name, name)
        if name == "pow" and not isinstance(inputs, (list, tuple)):
            inputs, others, method = *others, [inputs], "__rpow__"
        if not isinstance(inputs, (list, tuple)):
            raise TypeError(f"{name}() takes a list of tensors first, not {type(inputs).__name__}")
        if name == "norm":
            others = [options.pop("ord", *(others or [2]))]
        rows = _checked(inputs, others)
        if method.startswith("addc") and len(rows) == 2:
            rows += _checked(inputs, [options.pop("value", 1)])

        def one(it, *row):
            if len(row) == 3:
                return getattr(it, method)(*row[:2], value=row[2])
            return getattr(it, method)(*row, **options)

        lists = 1 + sum(isinstance(it[0], Tensor) for it in rows) + (not name.endswith("_"))
        found = _together.each(name, lists, one, inputs, *rows)
        return inputs if name.endswith("_") else tuple(found)

    function.__name__ = function.__qualname__ = name
    return function


def __getattr__(name):
    form = name.removeprefix("_foreach_")
    if form not in _FORMS:
        return _missing(name)
    made = globals()[name] = _of_lists(form)
    return made


_missing = _names.getter("torch.foreach", globals())
