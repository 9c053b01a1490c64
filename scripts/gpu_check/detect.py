"""What the worker's probe and `warpup doctor` find on this machine."""

import json

from .report import FAILED, NOT_RUN, PASSED, Finding
from .session import run

AREA = "detection"


def probe(session):
    """Runs `warpup-worker-cuda probe`; returns whether a card works."""
    if session.worker is None:
        session.note(Finding(AREA, "probe", NOT_RUN, "no warpup-worker-cuda: build it with scripts/build-cuda-worker"))
        return False
    done = run([str(session.worker), "probe"], 60, session.worker_env)
    try:
        found = json.loads(done.out)
    except ValueError:
        # Without a driver the loader ends the worker. That is not a failure.
        is_loader = done.status == 127 and "libcuda.so.1" in done.err
        session.note(Finding(AREA, "probe", NOT_RUN if is_loader else FAILED, done.problem()))
        return False
    built = found["built"]
    session.note(Finding(AREA, "built for", PASSED, f"CUDA {built['cuda']}, capability {built['capability']}, driver's CUDA {found.get('driver_cuda', 'unknown')}", found))
    for card in found["cards"][:1]:
        session.card, session.uuid = card["name"], card["uuid"]
    is_fine = bool(found["cards"]) and bool(found["steps"])
    for step in found["steps"]:
        came = step["found"]
        is_good = came["came"] == "fine"
        said = came["said"] if is_good else f"{came.get('code', '')} {came['why']}"
        is_fine = is_fine and is_good
        session.note(Finding(AREA, f"probe, {step['what']}", PASSED if is_good else FAILED, f"{said} ({step['took_ns'] / 1e6:.1f} ms)"))
    return is_fine


def doctor(session):
    """`warpup doctor` must exit with 0 if a card works."""
    done = run([str(session.warpup), "doctor", "--json"], 60, session.env)
    if done.status == 2 and "subcommand" in done.err:
        session.note(Finding(AREA, "doctor", NOT_RUN, "this warpup has no `doctor`"))
        return
    try:
        found = json.loads(done.out)
    except ValueError:
        session.note(Finding(AREA, "doctor", FAILED, done.problem()))
        return
    is_good = done.status == 0 or not session.has_card
    session.note(Finding(AREA, "doctor", PASSED if is_good else FAILED, f"exit status {done.status}", {"doctor": found}))
