"""Runs the checks in order and writes the reports."""

import argparse
import json
import pathlib
import sys
import tempfile
import time

from . import detect, machine, programs, rates, sharing
from .pytorch import PyTorch
from .report import FAILED, NOT_RUN, Finding, as_json, as_markdown, counts
from .session import Session

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Replaces a card if there is none, to test this script; nothing is measured then.
STAND_IN = "model:h200"


def main(text):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpup", help="the app; default: target/release/warpup")
    parser.add_argument("--worker", help="warpup-worker-cuda; default: the one beside the app")
    parser.add_argument("--library-path", metavar="DIRS", help="folders with CUDA libraries, separated by :")
    parser.add_argument("--out", default=".", help="folder for gpu-check.json and gpu-check.md")
    parser.add_argument("--budget", type=float, default=480, help="time limit in seconds (480)")
    parser.add_argument("--values", action="store_true", help="check values and ignore times: for a stand-in for CUDA")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gpu-check-") as folder:
        folder = pathlib.Path(folder)
        warpup, place = machine.executable(options.warpup, "warpup", ROOT, folder)
        if warpup is None:
            print("gpu-check: no warpup found: name it with --warpup", file=sys.stderr)
            return 2
        worker, worker_place = machine.executable(options.worker, "warpup-worker-cuda", ROOT, folder)
        if worker is None and options.worker is None and place.with_name("warpup-worker-cuda").is_file():
            worker, worker_place = machine.executable(place.with_name("warpup-worker-cuda"), "warpup-worker-cuda", ROOT, folder)
        libraries = machine.library_folders(options.library_path, worker_place)
        if worker is not None:
            # The app reads the folders of the libraries from this file beside the worker.
            note = ", ".join(json.dumps(it) for it in libraries)
            pathlib.Path(f"{worker}.toml").write_text(f"library_path = [{note}]\n")
        print(f"libraries: {', '.join(libraries) or 'none found'}", flush=True)
        session = Session(ROOT, folder, warpup, worker, libraries, options.budget)
        check(session, options.values)
        described = machine.described(session, session.torch_version)
        took = time.monotonic() - session.began
        if session.is_rehearsal:
            described["beware"] = f"no card: a rehearsal on {STAND_IN} without measurements"
        elif options.values:
            described["beware"] = "values only: the times of this CUDA mean nothing"
        found = as_json(described, session.findings, took)
        (out / "gpu-check.json").write_text(json.dumps(found, indent=1) + "\n")
        (out / "gpu-check.md").write_text(as_markdown(described, session.findings, took))
    print(f"\n{', '.join(f'{count} {state}' for state, count in counts(session.findings).items())}; "
          f"{out / 'gpu-check.md'} and .json have the details")  # fmt: skip
    return 1 if any(it.state == FAILED for it in session.findings) else 0


def check(session, values_only):
    """Runs all checks, the cheapest and most informative first."""
    works = False

    def probe():
        nonlocal works
        works = detect.probe(session)

    session.step(detect.AREA, "probe", probe)
    if not works:
        session.device, session.has_card, session.is_rehearsal = STAND_IN, False, True
        session.note(Finding(detect.AREA, "the card", NOT_RUN, f"no card works here: the rest is a rehearsal on {STAND_IN}"))
    session.step(detect.AREA, "doctor", lambda: detect.doctor(session))
    if values_only:
        session.has_card = False
    if session.has_card:
        # Before the processes of other checks use the card.
        session.step(sharing.AREA, "the app", lambda: sharing.app(session), seconds=40)
        session.step(sharing.AREA, "a killed run", lambda: sharing.killed_run(session), seconds=20)
    else:
        session.step(sharing.AREA, "the app", lambda: sharing.rehearsed(session), seconds=10)
    for name in ("endless", "label", "full"):
        session.step(sharing.AREA, name, lambda it=name: getattr(sharing, it)(session), seconds=15)
    torch = PyTorch(session.env)
    session.torch_version = torch.version
    if torch.card and works:
        session.torch = torch
    else:
        torch.stop()
    try:
        session.step("labs", "all", lambda: programs.labs(session), seconds=10)
        session.step("memory", "live bytes", lambda: rates.memory(session), seconds=5)
        session.step("events", "events", lambda: rates.events(session), seconds=5)
        rates.rates(session)
        session.step("terms", "terms.py", lambda: rates.terms(session), seconds=30)
        session.step("rates", "tracing", lambda: rates.tracing(session), seconds=10)
        session.step("snippets", "all", lambda: programs.snippets(session), seconds=10)
    finally:
        torch.stop()
