"""Streams (queues of work for a card) and events (marks in them).

On a modelled card kernels share one engine and copies have one for each direction, so copies on a stream of
their own overlap with kernels. Work that fails to wait for another stream reads what was there before.
"""

import _cuda

# What its classes print as their module.
__name__ = "torch.cuda.streams"


class Event:
    """A mark in a stream. Two of them measure the device time between them, in milliseconds."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        self._timing = enable_timing
        self._mark = None

    def record(self, stream=None):
        self._mark = (current_stream() if stream is None else stream)._event()

    def wait(self, stream=None):
        if self._mark is not None:
            (current_stream() if stream is None else stream)._wait(self._mark)

    def synchronize(self):
        if self._mark is not None:
            _cuda.wait_until(self._mark)

    def query(self):
        return self._mark is None or _cuda.reached(self._mark)

    def elapsed_time(self, end_event):
        if not (self._timing and end_event._timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._mark is None or end_event._mark is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        if not (self.query() and end_event.query()):
            error = RuntimeError("Both events must be completed before calculating elapsed time.")
            error.add_note("hint: call torch.cuda.synchronize() or end.synchronize() before elapsed_time()")
            raise error
        return _cuda.between(self._mark, end_event._mark) / 1e6

    def __repr__(self):
        return "<torch.cuda.Event uninitialized>" if self._mark is None else "<torch.cuda.Event>"


class Stream:
    """A queue of work for the card."""

    def __init__(self, device=None, priority=0):
        self._number = _cuda.open_stream()
        self.priority = priority

    @property
    def device(self):
        from warpup import device

        return device("cuda", 0)

    @property
    def cuda_stream(self):
        return self._number

    def _event(self):
        with StreamContext(self):
            return _cuda.event()

    def _wait(self, mark):
        with StreamContext(self):
            _cuda.stream_waits(mark)

    def record_event(self, event=None):
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event):
        event.wait(self)

    def wait_stream(self, stream):
        self._wait(stream._event())

    def synchronize(self):
        _cuda.wait_for_stream(self._event())

    def query(self):
        return _cuda.reached(self._event())

    def __enter__(self):
        self._block = StreamContext(self)
        self._block.__enter__()
        return self

    def __exit__(self, kind, value, traceback):
        return self._block.__exit__(kind, value, traceback)

    def __eq__(self, other):
        return isinstance(other, Stream) and other._number == self._number

    def __hash__(self):
        return hash(self._number)

    def __repr__(self):
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self._number:#x}>"


def _numbered(number):
    stream = Stream.__new__(Stream)
    stream._number = number
    stream.priority = 0
    return stream


def current_stream(device=None):
    _cuda.needs_card()
    number = _cuda.choose_stream(0)
    _cuda.choose_stream(number)
    return _numbered(number)


def default_stream(device=None):
    _cuda.needs_card()
    return _numbered(0)


def set_stream(stream):
    if stream is not None:
        _cuda.choose_stream(stream._number)


class StreamContext:
    """Makes a stream the current one for a block; does nothing if it is None."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is not None:
            self._before = _cuda.choose_stream(self.stream._number)

    def __exit__(self, kind, value, traceback):
        if self.stream is not None:
            _cuda.choose_stream(self._before)
        return False


def stream(stream):
    return StreamContext(stream)
