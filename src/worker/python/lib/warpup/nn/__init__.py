"""torch.nn: layers with parameters."""

import _warpup
from warpup import Tensor, empty, ones, rand, randn, zeros
from warpup.nn import functional


class Parameter(Tensor):
    """A tensor that belongs to a module and wants gradients."""

    def __init__(self, data, requires_grad=True):
        self.requires_grad = requires_grad

    def __repr__(self):
        return "Parameter containing:\n" + Tensor.__repr__(self)


def _problems(own, state):
    """Says why a state does not fit a module, in PyTorch's words."""
    groups = (
        ("Missing", [name for name in own if name not in state]),
        ("Unexpected", [name for name in state if name not in own]),
    )
    problems = [
        f"{word} key(s) in state_dict: " + ", ".join(f'"{name}"' for name in names) + ". "
        for word, names in groups
        if names
    ]
    for name, tensor in own.items():
        if name in state and state[name].shape != tensor.shape:
            problems.append(
                f"size mismatch for {name}: copying a param with shape {state[name].shape} from checkpoint, "
                f"the shape in current model is {tensor.shape}."
            )
    return problems


class Module:
    """A layer or a network of layers."""

    def __init__(self):
        self.__dict__["_parameters"] = {}
        self.__dict__["_modules"] = {}
        self.__dict__["_buffers"] = {}
        self.__dict__["training"] = True

    def __setattr__(self, name, value):
        if isinstance(value, (Parameter, Module)) and "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign module before Module.__init__() call")
        if isinstance(value, Parameter):
            self._parameters[name] = value
        elif isinstance(value, Module):
            self._modules[name] = value
        elif name in self.__dict__.get("_buffers", ()):
            self._buffers[name] = value
        self.__dict__[name] = value

    def register_buffer(self, name, tensor):
        self._buffers[name] = tensor
        self.__dict__[name] = tensor

    def register_parameter(self, name, parameter):
        self.__setattr__(name, parameter)

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, *args):
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def named_parameters(self, prefix=""):
        for name, parameter in self._parameters.items():
            yield prefix + name, parameter
        for name, module in self._modules.items():
            yield from module.named_parameters(prefix + name + ".")

    def parameters(self):
        for _, parameter in self.named_parameters():
            yield parameter

    def named_modules(self, prefix=""):
        yield prefix, self
        for name, module in self._modules.items():
            yield from module.named_modules(prefix + ("." if prefix else "") + name)

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def children(self):
        return iter(self._modules.values())

    def state_dict(self, prefix=""):
        state = {}
        for name, parameter in self._parameters.items():
            state[prefix + name] = parameter.detach()
        for name, buffer in self._buffers.items():
            state[prefix + name] = buffer
        for name, module in self._modules.items():
            state.update(module.state_dict(prefix + name + "."))
        return state

    def load_state_dict(self, state):
        own = dict(self.named_parameters())
        buffers = {
            prefix + ("." if prefix else "") + name: (module, name)
            for prefix, module in self.named_modules()
            for name in module._buffers
        }
        problems = _problems(self.state_dict(), state)
        if problems:
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(problems)
            )
        for name, parameter in own.items():
            parameter.data = state[name].to(parameter.device)
        for name, (module, short) in buffers.items():
            module.register_buffer(short, state[name].to(module._buffers[short].device))

    def to(self, *args, **kwargs):
        for parameter in self._parameters.values():
            parameter.data = parameter.data.to(*args, **kwargs)
            if parameter.grad is not None:
                parameter.grad = parameter.grad.to(*args, **kwargs)
        for name, buffer in self._buffers.items():
            self.register_buffer(name, buffer.to(*args, **kwargs))
        for module in self._modules.values():
            module.to(*args, **kwargs)
        return self

    def cuda(self):
        return self.to("cuda")

    def cpu(self):
        return self.to("cpu")

    def float(self):
        import warpup
        return self.to(warpup.float32)

    def half(self):
        import warpup
        return self.to(warpup.float16)

    def bfloat16(self):
        import warpup
        return self.to(warpup.bfloat16)

    def train(self, mode=True):
        self.__dict__["training"] = mode
        for module in self._modules.values():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, wanted=True):
        for parameter in self.parameters():
            parameter.requires_grad = wanted
        return self

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters():
            parameter.grad = None

    def extra_repr(self):
        return ""

    def __repr__(self):
        if not self._modules:
            return f"{type(self).__name__}({self.extra_repr()})"
        lines = []
        for name, module in self._modules.items():
            text = repr(module).replace("\n", "\n  ")
            lines.append(f"  ({name}): {text}")
        return type(self).__name__ + "(\n" + "\n".join(lines) + "\n)"


def _uniform(shape, bound, device, dtype):
    return (rand(*shape, device=device, dtype=dtype) * 2 - 1) * bound


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        bound = in_features ** -0.5 if in_features > 0 else 0.0
        self.weight = Parameter(_uniform((out_features, in_features), bound, device, dtype))
        self.bias = Parameter(_uniform((out_features,), bound, device, dtype)) if bias else None

    def forward(self, input):
        return _warpup.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.weight = Parameter(randn(num_embeddings, embedding_dim, device=device, dtype=dtype))

    def forward(self, input):
        return functional.embedding(input, self.weight)

    def extra_repr(self):
        return f"{self.num_embeddings}, {self.embedding_dim}"


class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-05, device=None, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.weight = Parameter(ones(*self.normalized_shape, device=device, dtype=dtype))
        self.bias = Parameter(zeros(*self.normalized_shape, device=device, dtype=dtype))

    def forward(self, input):
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine=True, bias=True"


class Dropout(Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, input):
        return functional.dropout(input, self.p, self.training)

    def extra_repr(self):
        return f"p={self.p}, inplace=False"


class Sequential(Module):
    def __init__(self, *modules):
        super().__init__()
        for at, module in enumerate(modules):
            setattr(self, str(at), module)

    def __getitem__(self, at):
        return list(self._modules.values())[at]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(Module):
    def __init__(self, modules=()):
        super().__init__()
        for module in modules:
            self.append(module)

    def append(self, module):
        setattr(self, str(len(self._modules)), module)
        return self

    def __getitem__(self, at):
        return list(self._modules.values())[at]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class ReLU(Module):
    def forward(self, input):
        return input.relu()


class GELU(Module):
    def forward(self, input):
        return functional.gelu(input)

    def extra_repr(self):
        return "approximate='none'"


class Tanh(Module):
    def forward(self, input):
        return input.tanh()


class Sigmoid(Module):
    def forward(self, input):
        return input.sigmoid()


class SiLU(Module):
    def forward(self, input):
        return functional.silu(input)


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Softmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return functional.softmax(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class CrossEntropyLoss(Module):
    def forward(self, input, target):
        return functional.cross_entropy(input, target)


class MSELoss(Module):
    def forward(self, input, target):
        return functional.mse_loss(input, target)


class utils:
    @staticmethod
    def clip_grad_norm_(parameters, max_norm):
        grads = [it.grad for it in parameters if it.grad is not None]
        total = sum((grad * grad).sum() for grad in grads) ** 0.5
        scale = min(1.0, max_norm / (total.item() + 1e-6))
        for grad in grads:
            grad.data = grad * scale
        return total


def __getattr__(name):
    raise AttributeError(
        f"module 'torch.nn' has no attribute '{name}' in warpup. If PyTorch has it, it is torch.nn.{name} there"
    )
