"""The module `concurrent.futures` of programs: what is submitted runs at once, in the one thread."""

import sys

FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED = "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"

# `import concurrent.futures` gives this module under both names.
futures = sys.modules[__name__]


class CancelledError(Exception):
    """The future was cancelled."""


TimeoutError = TimeoutError


class Future:
    def __init__(self):
        self._result = self._exception = None
        self._is_done = False

    def result(self, timeout=None):
        if self._exception is not None:
            raise self._exception
        return self._result

    def exception(self, timeout=None):
        return self._exception

    def set_result(self, result):
        self._result, self._is_done = result, True

    def set_exception(self, exception):
        self._exception, self._is_done = exception, True

    def done(self):
        return self._is_done

    def running(self):
        return False

    def cancel(self):
        return False

    def cancelled(self):
        return False

    def add_done_callback(self, fn):
        fn(self)


class Executor:
    def submit(self, fn, /, *args, **kwargs):
        if self._is_down:
            raise RuntimeError("cannot schedule new futures after shutdown")
        made = Future()
        try:
            made.set_result(fn(*args, **kwargs))
        except Exception as error:
            made.set_exception(error)
        return made

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        made = [self.submit(fn, *args) for args in zip(*iterables)]
        return (it.result() for it in made)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._is_down = True

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.shutdown()
        return False


class ThreadPoolExecutor(Executor):
    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        self._is_down = False
        self._max_workers = max_workers or 1
        if initializer is not None:
            initializer(*initargs)


class ProcessPoolExecutor(Executor):
    def __init__(self, *args, **kwargs):
        raise NotImplementedError(
            "ProcessPoolExecutor is not part of warpup: a lab is one process. ThreadPoolExecutor does its work in the one thread"
        )


def as_completed(fs, timeout=None):
    return iter(list(fs))


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    from collections import namedtuple

    return namedtuple("DoneAndNotDoneFutures", "done not_done")(set(fs), set())
