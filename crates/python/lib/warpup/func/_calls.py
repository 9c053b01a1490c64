"""Calls of a module with other parameters, and the parameters of several modules as one. Loaded on first use."""

import warpup
from warpup import Tensor


def _joined(given):
    if isinstance(given, dict):
        return given
    if not isinstance(given, (list, tuple)):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got " + str(type(given))
        )
    if not all(isinstance(it, dict) for it in given):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    names = [name for it in given for name in it]
    repeated = [name for at, name in enumerate(names) if names.count(name) > 1 and name not in names[:at]]
    if repeated:
        raise ValueError(
            f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
        )
    return {name: value for it in given for name, value in it.items()}


def _set(module, kind, name, value):
    getattr(module, kind)[name] = value
    module.__dict__[name] = value


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Calls a module with these tensors in place of its parameters and buffers."""
    given = _joined(parameter_and_buffer_dicts)
    known = {}
    for path, part in module.named_modules(remove_duplicate=False):
        for kind in ("_parameters", "_buffers"):
            for name, value in getattr(part, kind).items():
                if value is not None:
                    known[f"{path}.{name}" if path else name] = (part, kind, name, value)
    _check_names(type(module).__name__, given, known, strict)
    places = dict(given)
    if tie_weights:
        # What two names share has the new value under both.
        by_tensor = {id(known[name][3]): value for name, value in given.items() if name in known}
        for name, (_, _, _, value) in known.items():
            if id(value) in by_tensor:
                places.setdefault(name, by_tensor[id(value)])
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    try:
        for name, value in places.items():
            if name in known:
                _set(*known[name][:3], value)
        return module(*args, **(kwargs or {}))
    finally:
        for name in places:
            if name in known:
                part, kind, own, value = known[name]
                _set(part, kind, own, value)


def _check_names(module, given, known, strict):
    for name, value in given.items():
        if not isinstance(value, Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
    unexpected = [name for name in given if name not in known]
    missing = [name for name in known if name not in given]
    if strict and (unexpected or missing):
        text = f"Error(s) in reparametrizing for {module}:"
        for word, names in (("Unexpected", unexpected), ("Missing", missing)):
            if names:
                text += f"\n\t{word} key(s): " + ", ".join(repr(it) for it in sorted(names)) + "."
        raise RuntimeError(text)


def stack_module_state(models):
    """The parameters and the buffers of modules of one kind, each with a first dimension for the module."""
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({it.training for it in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if any(type(it) is not type(models[0]) for it in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = [dict(it.named_parameters()) for it in models]
    buffers = [dict(it.named_buffers()) for it in models]
    return tuple(
        {name: _stacked([it[name] for it in all_of], name) for name in all_of[0]} for all_of in (parameters, buffers)
    )


def _stacked(tensors, name):
    wants = {it.requires_grad for it in tensors}
    if len(wants) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    with warpup.no_grad():
        made = warpup.stack([it.detach() for it in tensors])
    return made.requires_grad_(wants.pop())
