class Handle:
    def __init__(self, hooks, hook):
        self.hooks, self.hook = hooks, hook

    def remove(self):
        self.hooks.remove(self.hook)


class Module:
    def __init__(self):
        self.hooks = []

    def _call_impl(self, x):
        result = self.forward(x)
        for hook in list(self.hooks):
            hook(self, (x,), result)
        return result

    __call__ = _call_impl

    def register_forward_hook(self, hook):
        self.hooks.append(hook)
        return Handle(self.hooks, hook)

    def eval(self):
        return self
