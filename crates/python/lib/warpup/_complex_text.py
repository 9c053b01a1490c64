"""How complex tensors print. Loaded on first use."""

import warpup

_WIDTH = 80


def _flat(values):
    """Each number as a real tensor prints it, all of one width."""
    text = repr(values.detach().cpu().reshape(-1))
    inside = text[text.index("[") + 1:text.rindex("]")]
    words = [it.strip() for it in inside.replace("\n", " ").split(",") if it.strip()]
    width = max((len(it) for it in words), default=0)
    return [it.rjust(width) for it in words]


def _elements(tensor):
    whole, parts = _flat(tensor.real), _flat(tensor.imag)
    found = []
    for a, b in zip(whole, parts):
        b = (b + "j").lstrip()
        found.append(a + (b if b[0] in "+-" else "+" + b))
    width = len(whole[0]) + len(parts[0]) + 1 + 2 if whole else 2
    return found, width


def _rows(words, shape, indent, width):
    if len(shape) == 1:
        count = max(1, int((_WIDTH - indent) / width))
        lines = [words[at:at + count] for at in range(0, len(words), count)]
        return "[" + (",\n" + " " * (indent + 1)).join(", ".join(it) for it in lines) + "]"
    size = len(words) // shape[0] if shape[0] else 0
    parts = [_rows(words[at * size:(at + 1) * size], shape[1:], indent + 1, width) for at in range(shape[0])]
    return "[" + ("," + "\n" * (len(shape) - 1) + " " * (indent + 1)).join(parts) + "]"


def shown(tensor):
    if tensor.numel() > 1000:
        raise NotImplementedError("printing more than 1000 complex numbers is not part of warpup; print a part of them")
    begin = "tensor("
    if tensor.numel() == 0:
        text = "[]"
    elif tensor.dim() == 0:
        real, imag = (repr(it.detach().cpu()) for it in (tensor.real, tensor.imag))
        cut = lambda it: it[len("tensor("):].split(",")[0].rstrip(")")
        b = cut(imag) + "j"
        text = cut(real) + (b if b[0] in "+-" else "+" + b)
    else:
        words, width = _elements(tensor)
        text = _rows(words, tuple(tensor.shape), len(begin), width)
    ends = []
    if tensor.is_cuda:
        ends.append(f"device='{tensor.device}'")
    if tensor.dtype is not warpup.complex64:
        ends.append(f"dtype={tensor.dtype!r}")
    if tensor.requires_grad:
        ends.append("requires_grad=True" if tensor.is_leaf else f"grad_fn=<{type(tensor._pair.grad_fn).__name__}>")
    return begin + ", ".join([text, *ends]) + ")"
