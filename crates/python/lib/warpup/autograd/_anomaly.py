"""torch.autograd.detect_anomaly: taken, and without effect but a notice. Loaded on first use."""

import sys


class _Detection:
    def __init__(self, mode=True, check_nan=True):
        if mode:
            print("note: anomaly detection has no effect here: it shows no traceback of the forward pass", file=sys.stderr)

    def __enter__(self):
        pass

    def __exit__(self, *args):
        pass


class set_detect_anomaly(_Detection):
    """Switches it on or off."""


class detect_anomaly(_Detection):
    """Switches it on in a block."""

    def __init__(self, check_nan=True):
        super().__init__(True, check_nan)
