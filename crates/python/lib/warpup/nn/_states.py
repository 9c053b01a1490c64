"""Loading the state of a module. Loaded on first use."""

import warpup
from warpup import Tensor
from warpup.nn._parameter import Parameter


class _IncompatibleKeys(tuple):
    """The result of `load_state_dict`."""

    def __new__(cls, missing_keys, unexpected_keys):
        return tuple.__new__(cls, (missing_keys, unexpected_keys))

    missing_keys = property(lambda self: self[0])
    unexpected_keys = property(lambda self: self[1])

    def __repr__(self):
        if not self[0] and not self[1]:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"


def _hooks(module, kind):
    return () if module._hooks_of_module is None else list(module._hooks_of_module.of[kind].values())


def load(module, state_dict, strict, assign):
    if not hasattr(state_dict, "items"):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    missing, unexpected, errors = [], [], []
    result = _IncompatibleKeys(missing, unexpected)
    metadata = {"assign_to_params_buffers": True} if assign else {}

    def visit(part, state, prefix):
        # Each module is strict; whether that is an error is decided at the end.
        part._load_from_state_dict(state, prefix, metadata, True, missing, unexpected, errors)
        for name, child in part._modules.items():
            if child is not None:
                begin = prefix + name + "."
                visit(child, {key: value for key, value in state.items() if key.startswith(begin)}, begin)
        for hook in _hooks(part, "load_post"):
            if hook(part, result) is not None:
                raise AssertionError(
                    "Hooks registered with ``register_load_state_dict_post_hook`` are notexpected to return new values, "
                    "if incompatible_keys need to be modified,it should be done inplace."
                )

    visit(module, dict(state_dict), "")
    if strict:
        for word, names in (("Unexpected", unexpected), ("Missing", missing)):
            if names:
                errors.insert(0, f"{word} key(s) in state_dict: " + ", ".join(f'"{it}"' for it in names) + ". ")
    if errors:
        raise RuntimeError(f"Error(s) in loading state_dict for {type(module).__name__}:\n\t" + "\n\t".join(errors))
    return result


def load_own(module, state_dict, prefix, local_metadata, strict, problems):
    """Loads the parameters and buffers of a module itself."""
    missing, unexpected, errors = problems
    for hook in _hooks(module, "load_pre"):
        hook(state_dict, prefix, local_metadata, strict, missing, unexpected, errors)
    own = {name: it for name, it in module._parameters.items() if it is not None}
    for name, it in module._buffers.items():
        if it is not None and name not in module._non_persistent_buffers_set:
            own[name] = it
    assign = local_metadata.get("assign_to_params_buffers", False)
    for name, it in own.items():
        if prefix + name in state_dict:
            _copy(module, name, it, (prefix + name, state_dict[prefix + name], assign, errors))
        elif strict:
            missing.append(prefix + name)
    _load_extra(module, state_dict, prefix, strict, problems)
    if strict:
        for key in state_dict:
            if key.startswith(prefix) and key != prefix + "_extra_state":
                name, dot, _ = key[len(prefix):].partition(".")
                if name not in (module._modules if dot else own):
                    unexpected.append(key)


def _load_extra(module, state_dict, prefix, strict, problems):
    key = prefix + "_extra_state"
    if module._has_extra_state():
        if key in state_dict:
            module.set_extra_state(state_dict[key])
        elif strict:
            problems[0].append(key)
    elif strict and key in state_dict:
        problems[1].append(key)


def _copy(module, name, own, given):
    key, value, assign, errors = given
    if not isinstance(value, Tensor):
        errors.append(
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but '
            f"received {type(value)}"
        )
        return
    is_lazy = hasattr(own, "materialize")
    if not is_lazy and own.dim() == 0 and value.dim() == 1:
        value = value[0]
    if not is_lazy and value.shape != own.shape:
        errors.append(
            f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, the shape in current model "
            f"is {own.shape}."
        )
        return
    with warpup.no_grad():
        if assign:
            if isinstance(own, Parameter) and not isinstance(value, Parameter):
                value = Parameter(value, requires_grad=own.requires_grad)
            elif isinstance(own, Parameter):
                value.requires_grad_(own.requires_grad)
            setattr(module, name, value)
        elif not hasattr(value, "materialize"):
            if is_lazy:
                own.materialize(value.shape)
            own.copy_(value)


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    """Takes a prefix such as `module.` off the names, in place."""
    kept = [state_dict]
    if hasattr(state_dict, "_metadata"):
        kept.append(state_dict._metadata)
    for names in kept:
        for name in list(names):
            # `_metadata` names the module itself, without the point.
            is_module = names is not state_dict and name and name == prefix.replace(".", "")
            if name.startswith(prefix) or is_module:
                names[name[len(prefix):]] = names.pop(name)
