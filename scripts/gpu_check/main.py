"""The order of the checks, and the reports at their end."""

import argparse
import json
import pathlib
import sys
import tempfile
import time

from . import look, machine, neighbour, programs, rates
from .pytorch import PyTorch
from .report import FAILED, NOT_RUN, Finding, as_json, as_markdown, counts
from .session import Session

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Stands in for a card where there is none, to see that all of this works; nothing is measured then.
STAND_IN = "model:h200"


def main(text):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpup", help="the app; target/release/warpup when left out")
    parser.add_argument("--worker", help="warpup-worker-cuda; the one beside the app when left out")
    parser.add_argument("--library-path", metavar="DIRS", help="folders with CUDA's libraries, with : between them")
    parser.add_argument("--out", default=".", help="where to write gpu-check.json and gpu-check.md")
    parser.add_argument("--budget", type=float, default=480, help="seconds for all of it (480)")
    parser.add_argument("--values", action="store_true", help="judge values only: for a stand-in of CUDA, whose times say nothing")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gpu-check-") as folder:
        folder = pathlib.Path(folder)
        warpup, place = machine.executable(options.warpup, "warpup", ROOT, folder)
        if warpup is None:
            print("gpu-check: there is no warpup: name it with --warpup", file=sys.stderr)
            return 2
        worker, worker_place = machine.executable(options.worker, "warpup-worker-cuda", ROOT, folder)
        if worker is None and options.worker is None and place.with_name("warpup-worker-cuda").is_file():
            worker, worker_place = machine.executable(place.with_name("warpup-worker-cuda"), "warpup-worker-cuda", ROOT, folder)
        libraries = machine.library_folders(options.library_path, worker_place)
        if worker is not None:
            # The app looks here for the libraries of the worker beside it.
            note = ", ".join(json.dumps(it) for it in libraries)
            pathlib.Path(f"{worker}.toml").write_text(f"library_path = [{note}]\n")
        print(f"libraries: {', '.join(libraries) or 'none found'}", flush=True)
        session = Session(ROOT, folder, warpup, worker, libraries, options.budget)
        check(session, options.values)
        described = machine.described(session, session.torch_version)
        took = time.monotonic() - session.began
        if session.is_rehearsal:
            described["beware"] = f"no card: a rehearsal on {STAND_IN}, in which nothing is measured"
        elif options.values:
            described["beware"] = "values only: the times of this CUDA say nothing"
        found = as_json(described, session.findings, took)
        (out / "gpu-check.json").write_text(json.dumps(found, indent=1) + "\n")
        (out / "gpu-check.md").write_text(as_markdown(described, session.findings, took))
    print(f"\n{', '.join(f'{count} {state}' for state, count in counts(session.findings).items())}; "
          f"{out / 'gpu-check.md'} and .json have all of it")  # fmt: skip
    return 1 if any(it.state == FAILED for it in session.findings) else 0


def check(session, values_only):
    """Everything, the cheap and telling first."""
    works = False

    def probe():
        nonlocal works
        works = look.probe(session)

    session.step(look.AREA, "probe", probe)
    if not works:
        session.device, session.has_card, session.is_rehearsal = STAND_IN, False, True
        session.note(Finding(look.AREA, "the card", NOT_RUN, f"no card works here: the rest is a rehearsal on {STAND_IN}"))
    session.step(look.AREA, "doctor", lambda: look.doctor(session))
    if values_only:
        session.has_card = False
    if session.has_card:
        # While nobody else is on the card.
        session.step(neighbour.AREA, "the app", lambda: neighbour.app(session), seconds=40)
        session.step(neighbour.AREA, "a killed run", lambda: neighbour.killed_run(session), seconds=20)
    else:
        session.step(neighbour.AREA, "the app", lambda: neighbour.rehearsed(session), seconds=10)
    for name in ("endless", "label", "full"):
        session.step(neighbour.AREA, name, lambda it=name: getattr(neighbour, it)(session), seconds=15)
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
        session.step("rates", "tracing", lambda: rates.tracing(session), seconds=10)
        session.step("snippets", "all", lambda: programs.snippets(session), seconds=10)
    finally:
        torch.stop()
