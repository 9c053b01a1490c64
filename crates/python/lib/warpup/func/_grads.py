"""Derivatives of functions. Loaded on first use."""

import functools

import warpup
from warpup import Tensor, autograd
from warpup.func import _trees

# How many of these functions are at work, one inside the other.
_depth = 0


class _Level:
    """A function of a function: its gradients are recorded for the one outside of it, if there is one."""

    def __init__(self, given):
        self.given = given

    def __enter__(self):
        global _depth
        self.is_inner = _depth > 0 or warpup.is_grad_enabled() and any(it.requires_grad for it in self.given)
        _depth += 1
        self.before = warpup.is_grad_enabled()
        warpup._warpup.set_grad_enabled(True)
        return self

    def __exit__(self, kind, value, traceback):
        global _depth
        _depth -= 1
        warpup._warpup.set_grad_enabled(self.before)
        return False

    def own(self, tensor):
        """The tensor at this level: what is computed from it is seen here."""
        if not isinstance(tensor, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(tensor)}")
        if self.is_inner and tensor.requires_grad:
            return tensor.reshape(tensor.shape)
        made = tensor.detach()
        return made.requires_grad_() if made.is_floating_point() else made

    def left(self, tree):
        """What goes outside."""
        if self.is_inner:
            return tree
        return _trees.mapped(lambda it: it.detach() if isinstance(it, Tensor) else it, tree)

    def gradients(self, outputs, inputs, seeds=None, retain_graph=None):
        outputs, seeds = _needed(outputs, seeds)
        if not outputs:
            return [warpup.zeros_like(it) for it in inputs]
        found = autograd.grad(
            outputs, inputs, seeds, retain_graph=retain_graph or self.is_inner or None, create_graph=self.is_inner,
            allow_unused=True,
        )
        return [warpup.zeros_like(it) if own is None else own for it, own in zip(inputs, found)]


def _needed(outputs, seeds):
    seeds = [None] * len(outputs) if seeds is None else seeds
    kept = [(it, seed) for it, seed in zip(outputs, seeds) if it.requires_grad]
    return [it for it, _ in kept], [seed for _, seed in kept]


def _tensors(tree):
    return [it for it in _trees.leaves(tree) if isinstance(it, Tensor)]


def _number(argnum, count):
    if not isinstance(argnum, int):
        raise RuntimeError(f"argnum must be int, got: {type(argnum)}")
    if not -count <= argnum < count:
        raise RuntimeError(f"Got argnum={argnum}, but only {count} positional inputs")
    return argnum % count


def _numbers(argnums, count):
    if isinstance(argnums, int):
        return [_number(argnums, count)]
    if not isinstance(argnums, tuple):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    if not argnums:
        raise RuntimeError("argnums must be non-empty")
    if len(set(argnums)) != len(argnums):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return [_number(it, count) for it in argnums]


def _at_level(level, args, numbers):
    """The arguments with those that count at this level."""
    args = list(args)
    for at in numbers:
        args[at] = _trees.mapped(level.own, args[at])
    return args


def grad_and_value(func, argnums=0, has_aux=False):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        numbers = _numbers(argnums, len(args))
        with _Level(_tensors(args)) as level:
            args = _at_level(level, args, numbers)
            output = func(*args, **kwargs)
            aux = None
            if has_aux:
                if not (isinstance(output, tuple) and len(output) == 2):
                    raise RuntimeError(
                        "grad_and_value(f)(*args): output of function f should be a tuple: (output, aux) if has_aux is True"
                    )
                output, aux = output
            if not isinstance(output, Tensor):
                raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(output)}")
            if output.dim() != 0:
                raise RuntimeError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
                    f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            inputs = [it for at in numbers for it in _trees.leaves(args[at])]
            found = level.gradients([output], inputs)
            trees = [args[at] for at in numbers]
            grads = tuple(_trees.filled(trees, found))
            grads = grads if isinstance(argnums, tuple) else grads[0]
            grads, output, aux = (level.left(it) for it in (grads, output, aux))
        return (grads, (output, aux)) if has_aux else (grads, output)

    return wrapper


def grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        grads, output = both(*args, **kwargs)
        return (grads, output[1]) if has_aux else grads

    return wrapper


def vjp(func, *primals, has_aux=False):
    """The results, and a function from their gradients to those of the inputs."""
    with _Level(_tensors(primals)) as level:
        own = [_trees.mapped(level.own, it) for it in primals]
        output = func(*own)
        aux = None
        if has_aux:
            if not (isinstance(output, tuple) and len(output) == 2):
                raise RuntimeError(
                    "vjp(f, *primals): output of function f should be a tuple: (output, aux) if has_aux is True"
                )
            output, aux = output
        _check_outputs(output, "vjp(f, *primals)")
        outputs, inputs = _trees.leaves(output), _trees.leaves(own)
        shown, aux = level.left(output), level.left(aux)

    def backward(*cotangents, retain_graph=True, create_graph=None):
        given = cotangents[0] if len(cotangents) == 1 else cotangents
        if _trees.shown(given) != _trees.shown(output):
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. "
                f"cotangents: {_trees.shown(given)}, primal output: {_trees.shown(output)}"
            )
        seeds = _trees.leaves(given)
        with _Level([*seeds, *inputs] if level.is_inner else seeds) as inner:
            found = _trees.filled(own, inner.gradients(outputs, inputs, seeds, retain_graph=True))
            return inner.left(tuple(found))

    return (shown, backward, aux) if has_aux else (shown, backward)


def _check_outputs(output, api):
    if not isinstance(output, Tensor):
        if not isinstance(output, (tuple, list, dict)):
            raise RuntimeError(
                f"{api}: expected f(*primals) to return only tensors, got unsupported type {type(output)}"
            )
        if not output:
            raise RuntimeError(f"{api}: Expected output of f to be a non-empty tuple of Tensors.")
        for it in _trees.leaves(output):
            if not isinstance(it, Tensor):
                raise RuntimeError(
                    f"{api}: Expected output of f to be a Tensor or Tensors, got {type(it)} as an output"
                )


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """The results, and their change with a change of the inputs; by going backward twice."""
    if not isinstance(primals, tuple):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    if _trees.shown(primals) != _trees.shown(tangents):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. For example, if "
            "primals is a tuple of 3 tensors, tangents also must be. Got primals with structure "
            f"{_trees.shown(primals)} and tangents with structure {_trees.shown(tangents)}"
        )
    with _Level(_tensors((primals, tangents))) as level:
        own = [_trees.mapped(level.own, it) for it in primals]
        output = func(*own)
        aux = None
        if has_aux:
            output, aux = output
        outputs, inputs = _trees.leaves(output), _trees.leaves(own)
        changes = level.left(_trees.filled(output, _pushed(outputs, inputs, _trees.leaves(tangents), level)))
        shown, aux = level.left(output), level.left(aux)
    return (shown, changes, aux) if has_aux else (shown, changes)


def _pushed(outputs, inputs, tangents, level):
    """The product of the Jacobian with a vector: the gradient of the vector-Jacobian product by its vector."""
    kept, _ = _needed(outputs, None)
    if not kept:
        return [warpup.zeros_like(it) for it in outputs]
    seeds = [warpup.zeros_like(it).requires_grad_() for it in kept]
    pulled = autograd.grad(kept, inputs, seeds, create_graph=True, allow_unused=True)
    pairs = [(it, own) for it, own in zip(pulled, tangents) if it is not None and it.requires_grad]
    if pairs:
        pushed = autograd.grad(
            [it for it, _ in pairs], seeds, [own for _, own in pairs], create_graph=level.is_inner, allow_unused=True,
            retain_graph=True,
        )
    else:
        pushed = [None] * len(kept)
    by_id = {id(it): own for it, own in zip(kept, pushed)}
    return [
        warpup.zeros_like(it) if by_id.get(id(it)) is None else by_id[id(it)] for it in outputs
    ]


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")
    return _jacobian(func, argnums, has_aux, "jacrev")


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error", chunk_size=None):
    return _jacobian(func, argnums, has_aux, "jacfwd")


def _jacobian(func, argnums, has_aux, name):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        numbers = _numbers(argnums, len(args))
        with _Level(_tensors(args)) as level:
            args = _at_level(level, args, numbers)
            output = func(*args, **kwargs)
            aux = None
            if has_aux:
                output, aux = output
            _check_outputs(output, f"{name}(f, *primals)")
            trees = [args[at] for at in numbers]
            inputs = _trees.leaves(trees)
            blocks = [_rows(it, inputs, level) for it in _trees.leaves(output)]

            def of_output(block):
                made = tuple(_trees.filled(trees, block))
                return made if isinstance(argnums, tuple) else made[0]

            found = level.left(_trees.filled(output, [of_output(it) for it in blocks]))
            aux = level.left(aux)
        return (found, aux) if has_aux else found

    return wrapper


def _rows(output, inputs, level):
    """The derivatives of one result by each input, one row after another."""
    rows = [level.gradients([it], inputs, None, True) for it in output.reshape(-1).unbind(0)] if output.numel() else []
    shapes = [(*output.shape, *it.shape) for it in inputs]
    return [
        warpup.stack([row[at] for row in rows]).reshape(shape) if rows else it.new_zeros(shape)
        for at, (it, shape) in enumerate(zip(inputs, shapes))
    ]


def hessian(func, argnums=0):
    return jacfwd(jacrev(func, argnums), argnums)
