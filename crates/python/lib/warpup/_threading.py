"""The module `threading` of programs: a run has one thread, so a new one does all its work in `start()`."""

import sys

_count = 0


class ThreadError(RuntimeError):
    """An error of a lock."""


class _Stuck(RuntimeError):
    """Threads that run one after the other cannot go on; it ends the run, not only the thread."""


_Stuck.__name__ = _Stuck.__qualname__ = "RuntimeError"


def _stuck(what):
    raise _Stuck(
        f"{what} would wait forever: a run has one thread, and a Thread does all of its work in start(). Start what is waited "
        "for first"
    )


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        global _count
        _count += 1
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        of = "" if target is None else f" ({getattr(target, '__name__', target)})"
        self.name = name or f"Thread-{_count}{of}"
        self.daemon = bool(daemon)
        self.ident = None

    native_id = property(lambda self: self.ident)

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        if self.ident is not None:
            raise RuntimeError("threads can only be started once")
        self.ident = _count + 1
        global _current
        before, _current = _current, self
        try:
            self.run()
        except SystemExit:
            pass
        except _Stuck:
            raise
        except Exception as error:
            # As in Python, an exception of a thread is printed and ends only the thread.
            print(f"Exception in thread {self.name}:\n{type(error).__name__}: {error}", file=sys.stderr)
        finally:
            _current = before

    def join(self, timeout=None):
        if self.ident is None:
            raise RuntimeError("cannot join thread before it is started")
        if self is _current:
            raise RuntimeError("cannot join current thread")

    def is_alive(self):
        return self is _current or self is _main

    def __repr__(self):
        state = "initial" if self.ident is None else "started" if self.is_alive() else "stopped"
        return f"<{type(self).__name__}({self.name}, {state}{'' if self.ident is None else f' {self.ident}'})>"


class Timer(Thread):
    """Its function runs at once in `start()`."""

    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(target=function, args=args or (), kwargs=kwargs)
        self._cancelled = False

    def cancel(self):
        self._cancelled = True

    def run(self):
        if not self._cancelled:
            super().run()


class Lock:
    """A lock that only its own thread can have."""

    _again = False

    def __init__(self):
        self._held = 0

    def acquire(self, blocking=True, timeout=-1):
        if self._held and not self._again:
            if not blocking or timeout >= 0:
                return False
            _stuck("acquire() of a lock that is held")
        self._held += 1
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock" if not self._again else "cannot release un-acquired lock")
        self._held -= 1

    def locked(self):
        return self._held > 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *args):
        self.release()


class RLock(Lock):
    _again = True


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if self._value == 0:
            if not blocking or timeout is not None:
                return False
            _stuck("acquire() of a semaphore at 0")
        self._value -= 1
        return True

    def release(self, n=1):
        self._value += n

    __enter__ = acquire

    def __exit__(self, *args):
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._limit = value

    def release(self, n=1):
        if self._value + n > self._limit:
            raise ValueError("Semaphore released too many times")
        super().release(n)


class Event:
    def __init__(self):
        self._set = False

    def is_set(self):
        return self._set

    def set(self):
        self._set = True

    def clear(self):
        self._set = False

    def wait(self, timeout=None):
        if not self._set and timeout is None:
            _stuck("wait() for an Event that is not set")
        return self._set


class Condition(RLock):
    def __init__(self, lock=None):
        super().__init__()

    def wait(self, timeout=None):
        if timeout is None:
            _stuck("wait() of a Condition")
        return False

    def wait_for(self, predicate, timeout=None):
        found = predicate()
        if not found and timeout is None:
            _stuck("wait_for() of a Condition")
        return found

    def notify(self, n=1):
        pass

    notify_all = notify


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self.parties = parties

    def wait(self, timeout=None):
        if self.parties > 1:
            _stuck("wait() at a Barrier")
        return 0


class local:
    """Attributes of the one thread."""


class _MainThread(Thread):
    def __init__(self):
        self.name, self.daemon, self.ident = "MainThread", False, 1


_main = _current = _MainThread()


def current_thread():
    return _current


def main_thread():
    return _main


def active_count():
    return 1 if _current is _main else 2


def enumerate():
    return [_main] if _current is _main else [_main, _current]


def get_ident():
    return _current.ident


get_native_id = get_ident
currentThread, activeCount = current_thread, active_count
