"""The standard module `time`, on the host clock of the run: measured, or virtual on a modelled card."""

import time as _native

import _host


def sleep(seconds):
    _host.sleep(float(seconds))


def perf_counter():
    return _host.clock() / 1e9


def perf_counter_ns():
    return _host.clock()


monotonic = perf_counter
monotonic_ns = perf_counter_ns
process_time = perf_counter
time = perf_counter
time_ns = perf_counter_ns
timezone = altzone = daylight = 0
tzname = ("UTC", "UTC")
thread_time = perf_counter


# Dates begin where the clock of the run begins, in 1970, so that a lab repeats.
def gmtime(seconds=None):
    return _native.gmtime(time() if seconds is None else seconds)


localtime = gmtime


def strftime(format, t=None):
    return _native.strftime(format, gmtime() if t is None else t)


def asctime(t=None):
    return strftime("%a %b %d %H:%M:%S %Y", t)


def ctime(seconds=None):
    return asctime(gmtime(seconds))


def mktime(t):
    return float(_native.mktime(t))


struct_time = _native.struct_time
