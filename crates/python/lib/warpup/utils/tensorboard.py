"""torch.utils.tensorboard, and tensorboardX: a writer that takes every record and keeps none."""

import _host
from warpup import _names


class SummaryWriter:
    """Takes every call: a run has no disk."""

    __module__ = "torch.utils.tensorboard.writer"

    def __init__(self, log_dir=None, comment="", *args, logdir=None, **options):
        self.log_dir = self.logdir = str(log_dir or logdir or f"runs/run{comment}")
        _host.note(
            "SummaryWriter is a stand-in here: it takes every call and writes nothing. lab.plot(x, series) draws a chart on "
            "the lab screen, and needs no import"
        )

    def get_logdir(self):
        return self.log_dir

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return False

    def __getattr__(self, name):
        if name.startswith("add_") or name in ("flush", "close", "export_scalars_to_json"):
            return lambda *args, **options: None
        raise AttributeError(f"'SummaryWriter' object has no attribute '{name}'")


__getattr__ = _names.getter("torch.utils.tensorboard", globals())
