"""torch.vmap: a function of one sample, for a batch of them. Loaded on first use.

The function is called once for each sample, so the values are PyTorch's; the times of a card are those of the single calls.
"""

import functools

import warpup
from warpup import Tensor, _generator
from warpup.func import _trees


def _name(func):
    if hasattr(func, "__name__"):
        return func.__name__
    if isinstance(func, functools.partial):
        return f"functools.partial({_name(func.func)}, ...)"
    return repr(func)


def _check_options(randomness, chunk_size):
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}"
        )
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")


def _dims(in_dims, args, func):
    """The dimension of the batch in each leaf of the arguments; None where all samples share it."""
    name = _name(func)
    begin = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{begin}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, got: "
            f"{type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a "
            "function with no inputs. The latter is unsupported."
        )
    dims = _trees.spread(in_dims, args)
    if dims is None:
        raise ValueError(
            f"{begin}: in_dims is not compatible with the structure of `inputs`. in_dims has structure "
            f"{_trees.shown(in_dims)} but inputs has structure {_trees.shown(args)}."
        )
    for at, (it, dim) in enumerate(zip(_trees.leaves(args), dims)):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(
                f"{begin}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if not isinstance(it, Tensor):
            raise ValueError(
                f"{begin}: Got in_dim={dim} for an input but the input is of type {type(it)}. We cannot vmap over non-Tensor "
                "arguments, please use None as the respective in_dim"
            )
        if not -it.dim() <= dim < it.dim():
            raise ValueError(
                f"{begin}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {it.dim()} so "
                f"expected in_dim to satisfy -{it.dim()} <= in_dim < {it.dim()}."
            )
        dims[at] = dim % it.dim()
    return dims


def _size(dims, flat):
    sizes = [it.shape[dim] for it, dim in zip(flat, dims) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(it != sizes[0] for it in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return sizes[0]


def _joined(results, out_dims, func):
    """The results of all samples as one tree of tensors."""
    name, first = _name(func), results[0]
    is_one = isinstance(first, Tensor)
    wanted = out_dims[0] if is_one and isinstance(out_dims, tuple) and len(out_dims) == 1 else out_dims
    dims = _trees.spread(wanted, first)
    if dims is None:
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of `outputs`. "
            f"out_dims has structure {_trees.shown(out_dims)} but outputs has structure {_trees.shown(first)}."
        )
    made = []
    for dim, *values in zip(dims, *(_trees.leaves(it) for it in results)):
        if dim is None:
            made.append(values[0])
            continue
        if not isinstance(values[0], Tensor):
            raise ValueError(
                f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(values[0])}. Did you mean to set "
                "out_dims= to None for output?"
            )
        made.append(warpup.stack(values, dim))
    return _trees.filled(first, made)


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    _check_options(randomness, chunk_size)

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        for it in _trees.leaves(out_dims):
            if not isinstance(it, int) and it is not None:
                raise ValueError(
                    f"vmap({_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python collection "
                    "of ints representing where in the outputs the vmapped dimension should appear."
                )
        dims = _dims(in_dims, args, func)
        flat = _trees.leaves(args)
        size = _size(dims, flat)
        samples = [[it] * size if dim is None else it.unbind(dim) for it, dim in zip(flat, dims)]
        # Keywords have the batch in their first dimension.
        named = {
            name: _trees.mapped(lambda it: it.unbind(0) if isinstance(it, Tensor) else it, it)
            for name, it in kwargs.items()
        }
        state = _generator.states() if randomness == "same" else None
        results = []
        for at in range(size):
            if state is not None:
                _generator.restore(state)
            own = {
                name: it[at] if isinstance(kwargs[name], Tensor) else kwargs[name] for name, it in named.items()
            }
            results.append(func(*_trees.filled(args, [it[at] for it in samples]), **own))
        return _joined(results, out_dims, func)

    return wrapped
