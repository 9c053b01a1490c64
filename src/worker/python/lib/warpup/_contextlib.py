"""The part of the standard module `contextlib` that training scripts use; the whole needs the file system."""

import functools


class _Manager:
    """A generator with one `yield`, as a context manager; as a decorator, a new one for each call."""

    def __init__(self, make, args, kwargs):
        self._again = lambda: _Manager(make, args, kwargs)
        self._generator = make(*args, **kwargs)

    def __enter__(self):
        try:
            return next(self._generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, value, traceback):
        if kind is None:
            for _ in self._generator:
                raise RuntimeError("generator didn't stop")
            return False
        try:
            self._generator.throw(value)
        except StopIteration as end:
            return end is not value
        except RuntimeError as error:
            # What a generator raises as StopIteration comes out as this.
            if error is value or (isinstance(value, StopIteration) and error.__cause__ is value):
                return False
            raise
        except BaseException as error:
            if error is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")

    def __call__(self, function):
        @functools.wraps(function)
        def within(*args, **kwargs):
            with self._again():
                return function(*args, **kwargs)

        return within


def contextmanager(make):
    @functools.wraps(make)
    def manager(*args, **kwargs):
        return _Manager(make, args, kwargs)

    return manager


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, kind, value, traceback):
        return None


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, value, traceback):
        return kind is not None and issubclass(kind, self._exceptions)


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, kind, value, traceback):
        self.thing.close()


def __getattr__(name):
    raise AttributeError(
        f"module 'contextlib' has no attribute '{name}' in warpup: it has contextmanager, nullcontext, suppress and closing"
    )
