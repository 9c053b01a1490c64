"""How a function that is made of others becomes a function of torch and a method of tensors."""

import _warpup


def torch_function(made=None, *, node=None, also="", function=True, method=True, in_place=False):
    """Registers the function below it, in a file that is loaded on first use.

    `node` is what PyTorch calls the node of its result, if that is not the node of its last operation. `also` has other
    names of it. It is a function of torch unless `function` is False, and a method of tensors unless `method` is; `in_place`
    adds the method that writes its result into the tensor.

    The build reads the names from the files (`build.rs`), so that none has to be loaded at the start. What is left for
    a run is the name of the node.
    """
    if made is None:
        return lambda made: made if node is None else _with_node(made, node)
    return made


def _with_node(function, node):
    def named(*args, **kwargs):
        return _warpup.named(function(*args, **kwargs), node, args[0] if args else None)

    named.__name__, named.__qualname__, named.__module__ = function.__name__, function.__qualname__, function.__module__
    named.__doc__ = function.__doc__
    return named
