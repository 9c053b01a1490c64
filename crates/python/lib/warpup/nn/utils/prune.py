"""torch.nn.utils.prune: masks over parameters. Loaded on first use."""

from abc import ABC, abstractmethod

import warpup
from warpup import _names


class BasePruningMethod(ABC):
    """Computes a mask, and multiplies the parameter by it before each forward."""

    _tensor_name = None

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t, default_mask):
        """The mask on top of another one."""

    def apply_mask(self, module):
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask = getattr(module, self._tensor_name + "_mask")
        original = getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def _joined(cls, module, name, *args, **kwargs):
        """A new method, or the container of it and the one that the parameter has."""
        found = [
            (number, hook) for number, hook in module._forward_pre_hooks.items()
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
        ]
        if len(found) > 1:
            raise AssertionError(
                f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a PruningContainer."
            )
        made = cls(*args, **kwargs)
        made._tensor_name = name
        for number, before in found:
            del module._forward_pre_hooks[number]
            container = before if isinstance(before, PruningContainer) else PruningContainer(before)
            container.add_pruning_method(made)
            return container
        return made

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        method = cls._joined(module, name, *args, **kwargs)
        original = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, got "
                f"{importance_scores.shape} vs {original.shape}"
            )
        is_first = not isinstance(method, PruningContainer)
        if is_first:
            module.register_parameter(name + "_orig", original)
            delattr(module, name)
            before = warpup.ones_like(original)
        else:
            before = getattr(module, name + "_mask").detach().clone()
        try:
            module.register_buffer(name + "_mask", method.compute_mask(importance_scores, default_mask=before))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if is_first:
                delattr(module, name + "_orig")
                module.register_parameter(name, original)
            raise
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        if importance_scores is None:
            importance_scores = t
        elif importance_scores.shape != t.shape:
            raise AssertionError(
                "importance_scores should have the same shape as tensor t, got "
                f"{importance_scores.shape} vs {t.shape}"
            )
        before = warpup.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(importance_scores, default_mask=before)

    def remove(self, module):
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        name = self._tensor_name
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters[name + "_orig"]
        original.data = weight.data
        delattr(module, name + "_orig")
        delattr(module, name + "_mask")
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several methods on one parameter, one on top of the other."""

    def __init__(self, *args):
        self._pruning_methods = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer "
                f"{self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        """The last method decides about what the others have left."""
        method = self._pruning_methods[-1]
        if method.PRUNING_TYPE == "unstructured":
            left = default_mask == 1
        elif method.PRUNING_TYPE == "structured":
            if not hasattr(method, "dim"):
                raise AttributeError(
                    'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.'
                )
            rank = t.dim()
            dim = method.dim + rank if method.dim < 0 else method.dim
            if dim < 0:
                raise IndexError(f"Index is out of bounds for tensor with dimensions {rank}")
            kept = default_mask.sum(dim=[it for it in range(rank) if it != dim]) != 0
            left = tuple(kept if it == dim else slice(None) for it in range(rank))
        elif method.PRUNING_TYPE == "global":
            left = (slice(None),) * t.dim()
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        mask = default_mask.clone().to(dtype=t.dtype)
        mask[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(dtype=mask.dtype)
        return mask


class Identity(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask

    @classmethod
    def apply(cls, module, name):
        return super().apply(module, name)


class _Amount(BasePruningMethod):
    """Methods that are told how much to prune: a number of elements, or a share."""

    def __init__(self, amount):
        if isinstance(amount, str) or not hasattr(amount, "__float__"):
            raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
        is_count = isinstance(amount, int)
        if is_count and amount < 0 or not is_count and not 0.0 <= float(amount) <= 1.0:
            raise ValueError(
                f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
            )
        self.amount = amount

    def _count(self, size):
        count = self.amount if isinstance(self.amount, int) else round(self.amount * size)
        if count > size:
            raise ValueError(f"amount={count} should be smaller than the number of parameters to prune={size}")
        return count

    def _check(self, t):
        """What structured methods need."""
        if t.dim() <= 1:
            raise ValueError(
                "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                f"{t.shape} with {t.dim()} dims"
            )
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")


def _without(mask, places):
    mask = mask.clone()
    mask.view(-1)[places] = 0
    return mask


class RandomUnstructured(_Amount):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        count = self._count(t.numel())
        if count == 0:
            return default_mask.clone()
        return _without(default_mask, warpup.topk(warpup.rand_like(t).view(-1), k=count).indices)

    @classmethod
    def apply(cls, module, name, amount):
        return super().apply(module, name, amount=amount)


class L1Unstructured(_Amount):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        count = self._count(t.numel())
        if count == 0:
            return default_mask.clone()
        return _without(default_mask, warpup.topk(t.abs().reshape(-1), k=count, largest=False).indices)

    @classmethod
    def apply(cls, module, name, amount, importance_scores=None):
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class _Structured(_Amount):
    PRUNING_TYPE = "structured"

    def _mask(self, t, kept, default_mask):
        """1 where the position along the dimension is one of those kept."""
        mask = warpup.zeros_like(t)
        mask[tuple(kept if at == self.dim % t.dim() else slice(None) for at in range(t.dim()))] = 1
        return mask * default_mask.to(dtype=mask.dtype)


class RandomStructured(_Structured):
    def __init__(self, amount, dim=-1):
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t, default_mask):
        self._check(t)
        size = t.shape[self.dim]
        count = self._count(size)
        if count == 0:
            return default_mask
        chances = warpup.rand(size)
        kept = chances > warpup.kthvalue(chances, k=count).values
        return self._mask(t, kept.to(t.device), default_mask)

    @classmethod
    def apply(cls, module, name, amount, dim=-1):
        return super().apply(module, name, amount=amount, dim=dim)


def _norms(t, n, dim):
    others = [it for it in range(t.dim()) if it != dim % t.dim()]
    if n == "nuc" or n == "fro" and len(others) == 2:
        return warpup.linalg.matrix_norm(t, ord=n, dim=others if len(others) == 2 else (-2, -1))
    return warpup.linalg.vector_norm(t, ord=2 if n == "fro" else n, dim=others)


class LnStructured(_Structured):
    def __init__(self, amount, n, dim=-1):
        super().__init__(amount)
        self.n, self.dim = n, dim

    def compute_mask(self, t, default_mask):
        self._check(t)
        size = t.shape[self.dim]
        count = self._count(size)
        if count == 0:
            return default_mask
        kept = warpup.topk(_norms(t, self.n, self.dim), k=size - count, largest=True).indices
        return self._mask(t, kept, default_mask)

    @classmethod
    def apply(cls, module, name, amount, n, dim, importance_scores=None):
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module, name, mask):
        return super().apply(module, name, mask=mask)


def identity(module, name):
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prunes several parameters as if they were one."""
    if not hasattr(parameters, "__iter__"):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    parameters = list(parameters)
    own = [getattr(module, name) for module, name in parameters]
    masks = [
        getattr(module, name + "_mask", warpup.ones_like(it)) for (module, name), it in zip(parameters, own)
    ]
    whole = warpup.nn.utils.parameters_to_vector([scores.get(it, value) for it, value in zip(parameters, own)])
    container = PruningContainer()
    method = pruning_method(**kwargs)
    container._tensor_name = method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of type '
            f"{method.PRUNING_TYPE}"
        )
    container.add_pruning_method(method)
    mask = container.compute_mask(whole, warpup.nn.utils.parameters_to_vector(masks))
    start = 0
    for (module, name), value in zip(parameters, own):
        custom_from_mask(module, name, mask=mask[start:start + value.numel()].view_as(value))
        start += value.numel()


def remove(module, name):
    """Makes the pruning permanent: the parameter has the zeros, and the mask is gone."""
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[number]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module):
    return any(
        isinstance(hook, BasePruningMethod) for it in module.modules() for hook in it._forward_pre_hooks.values()
    )


__getattr__ = _names.getter("torch.nn.utils.prune", globals())
