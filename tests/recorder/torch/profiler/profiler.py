"""A profiler that records its steps only. FAKE_BROKEN breaks one of its methods."""

import json
import os
import sys
from warnings import warn

from torch import _C
from torch.autograd import profiler as autograd_profiler


class ProfilerActivity:
    CPU = "cpu"
    CUDA = "cuda"


def schedule(**kinds):
    return kinds


class profile:
    def __init__(self, schedule=None, **options):
        self.options = options
        self.schedule = schedule
        self.steps = []
        self.step_rec_fn = None
        self.metadata = {}

    def begin(self, number):
        self.step_rec_fn = type("record_function", (), {"name": "ProfilerStep#%d" % number})
        self.steps.append(self.step_rec_fn.name)

    def start(self):
        self.break_in("start")
        autograd_profiler._prepare_profiler()
        if self.schedule is None:
            autograd_profiler._run_on_profiler_start()

    def step(self):
        self.break_in("step")
        if not self.steps:
            autograd_profiler._run_on_profiler_start()
            self.options["imports"] = "_inductor" not in vars(sys.modules["torch"])
        self.begin(len(self.steps) + 1)

    def stop(self):
        self.break_in("stop")
        warn("Incorrect schedule: RECORD followed by NONE")
        if os.environ.get("KINETO_LOG_LEVEL") is None:
            print("STAGE: Collection", file=sys.stderr)
        _C._autograd.running = False

    __enter__ = start

    def __exit__(self, *_):
        self.stop()

    def add_metadata_json(self, key, value):
        self.metadata[key] = json.loads(value)

    def export_chrome_trace(self, path):
        self.break_in("export_chrome_trace")
        with open(path, "w") as file:
            json.dump({"steps": self.steps, "options": self.options, **self.metadata}, file)

    def break_in(self, method):
        if os.environ.get("FAKE_BROKEN") == method:
            raise RuntimeError("broken " + method)
