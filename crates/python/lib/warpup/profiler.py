"""torch.profiler: what a program does, by operation. Times come from warpup's own trace.

On a modelled card host and card times are modelled, and the table says so.
"""

import sys

import _cuda
import _host
from warpup import _names
from warpup._warn import warn

# What its classes print as their module.
__name__ = "torch.profiler.profiler"


class _Kind:
    """A member of an enumeration, as it prints."""

    def __init__(self, of, name):
        self._of, self.name = of, name

    def __repr__(self):
        return f"{self._of}.{self.name}"


class ProfilerActivity:
    CPU = _Kind("ProfilerActivity", "CPU")
    CUDA = _Kind("ProfilerActivity", "CUDA")
    XPU = _Kind("ProfilerActivity", "XPU")


class ProfilerAction:
    NONE = _Kind("ProfilerAction", "NONE")
    WARMUP = _Kind("ProfilerAction", "WARMUP")
    RECORD = _Kind("ProfilerAction", "RECORD")
    RECORD_AND_SAVE = _Kind("ProfilerAction", "RECORD_AND_SAVE")


def supported_activities():
    return {ProfilerActivity.CPU, ProfilerActivity.CUDA} if _cuda.has_card() else {ProfilerActivity.CPU}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """What to do in each step: wait, warm up, record; and again, so many times, or for ever."""

    def action(step):
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait:
            step += wait
        cycle = wait + warmup + active
        if repeat > 0 and step // cycle >= repeat:
            return ProfilerAction.NONE
        step %= cycle
        if step < wait:
            return ProfilerAction.NONE
        if step < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if step < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    if wait < 0 or warmup < 0 or active <= 0 or repeat < 0 or skip_first < 0:
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got wait={wait} (need >= 0), warmup={warmup} (need >= 0), "
            f"active={active} (need > 0), repeat={repeat} (need >= 0), skip_first={skip_first} (need >= 0)."
        )
    if warmup == 0:
        warn("Profiler won't be using warmup, this can skew profiler results")
    return action


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """A handler that writes nothing."""
    _host.note(
        "tensorboard_trace_handler writes nothing here: a run has no disk. `warpup run FILE.py --trace FILE` writes the trace"
    )
    return lambda profiler: None


# The profile that records now, if one does.
_open = []


class record_function:
    """Names a part of the program in the profile."""

    __module__ = "torch.autograd.profiler"

    def __init__(self, name, args=None):
        self.name = name

    def __enter__(self):
        self._start = _host.now()
        return self

    def __exit__(self, kind, value, traceback):
        for it in _open:
            it._ranges.append((self.name, self._start, _host.now()))

    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with record_function(self.name):
                return function(*args, **kwargs)

        return wrapped


class profile:
    """Records what the program does in a block, or in the steps that a schedule names."""

    def __init__(
        self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False,
        with_stack=False, with_flops=False, with_modules=False, experimental_config=None,
        execution_trace_observer=None, acc_events=False, use_cuda=None, custom_trace_id_callback=None,
        post_processing_timeout_s=None
    ):
        self.activities = set(activities) if activities is not None else supported_activities()
        if not self.activities:
            raise AssertionError("No valid profiler activities found")
        for name, asked in (
            ("record_shapes", record_shapes), ("profile_memory", profile_memory), ("with_stack", with_stack),
            ("with_modules", with_modules),
        ):
            if asked:
                print(f"note: the profiler takes {name}=True and records nothing more for it", file=sys.stderr)
        self.with_flops = with_flops
        self.schedule = schedule
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self._spans, self._ranges, self._recording = [], [], False
        self._step_start = 0
        self.current_action = schedule(0) if schedule else ProfilerAction.RECORD

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, value, traceback):
        self.stop()

    def start(self):
        self._step_start = _host.now()
        if self.current_action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE):
            self._begin()

    def stop(self):
        if self._recording:
            self._end_step()
            self._end()
            if self.on_trace_ready:
                self.on_trace_ready(self)

    def step(self):
        before = self.current_action
        self._end_step()
        self.step_num += 1
        self.current_action = self.schedule(self.step_num) if self.schedule else ProfilerAction.RECORD
        if before is ProfilerAction.RECORD_AND_SAVE and self._recording:
            self._end()
            if self.on_trace_ready:
                self.on_trace_ready(self)
        recording = self.current_action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        if recording and not self._recording:
            self._begin()
        self._step_start = _host.now()

    def _end_step(self):
        if self._recording and self.step_num + (self.schedule is not None) > 0:
            self._steps += 1
            self._ranges.append((f"ProfilerStep#{self.step_num}", self._step_start, _host.now()))

    def _begin(self):
        if _open:
            raise RuntimeError("Can't start the profiler: another one is recording")
        self._spans, self._ranges, self._steps, self._recording = [], [], 0, True
        _open.append(self)
        self._told_times = _cuda.begin_profile()

    def _end(self):
        self._spans = _cuda.end_profile(self._told_times, self._steps)
        _open.remove(self)
        self._recording = False

    def add_metadata(self, key, value):
        """Kept nowhere: the trace of warpup has no metadata of the program's."""

    def events(self):
        from warpup._profile import events

        return events(self)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        from warpup._profile import averages

        return averages(self)

    def export_chrome_trace(self, path):
        from warpup._profile import chrome_trace

        if self._recording:
            raise RuntimeError("the profiler is still recording: export the trace after the block, or after stop()")
        return chrome_trace(self, path)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        raise NotImplementedError("export_stacks is not part of warpup; PyTorch has it. Print key_averages().table()")

    def toggle_collection_dynamic(self, enable, activities):
        raise NotImplementedError("toggle_collection_dynamic is not part of warpup; PyTorch has it. Use a schedule")


__getattr__ = _names.getter("torch.profiler", globals())
