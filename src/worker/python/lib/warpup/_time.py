"""The standard module `time`, on the host's clock of the run: measured, or virtual on a modelled card."""

import _warpup


def sleep(seconds):
    _warpup.sleep(float(seconds))


def perf_counter():
    return _warpup.now() / 1e9


def perf_counter_ns():
    return _warpup.now()


monotonic = perf_counter
monotonic_ns = perf_counter_ns
process_time = perf_counter
time = perf_counter
time_ns = perf_counter_ns
