"""Optimizers that do nothing, with PyTorch's hook after each step."""

HOOKS = {}


class Handle:
    def __init__(self, key):
        self.key = key

    def remove(self):
        HOOKS.pop(self.key, None)


def register_optimizer_step_post_hook(hook):
    HOOKS[id(hook)] = hook
    return Handle(id(hook))


class Optimizer:
    def __init__(self):
        cls = type(self)
        if not getattr(cls.step, "hooked", False):
            step = cls.step

            def hooked(self):
                result = step(self)
                for hook in list(HOOKS.values()):
                    hook(self, (), {})
                return result

            hooked.hooked = True
            cls.step = hooked


class SGD(Optimizer):
    def step(self):
        return "stepped"
