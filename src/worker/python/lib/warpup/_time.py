"""The standard module `time`, on the host clock of the run: measured, or virtual on a modelled card."""

import _host


def sleep(seconds):
    _host.sleep(float(seconds))


def perf_counter():
    return _host.now() / 1e9


def perf_counter_ns():
    return _host.now()


monotonic = perf_counter
monotonic_ns = perf_counter_ns
process_time = perf_counter
time = perf_counter
time_ns = perf_counter_ns
