"""Runs the checks in order and writes the reports."""

import argparse
import json
import pathlib
import sys
import tempfile
import time

from . import budget, detect, machine, programs, rates, sanitizer, sharing, steps
from .pytorch import PyTorch
from .report import FAILED, NOT_RUN, Finding, as_json, as_markdown, counts, into_page
from .session import Session

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Replaces a card if there is none, to test this script; nothing is measured then.
STAND_IN = "model:h200"


def main(text):
    options = arguments(text)
    names, unknown = budget.chosen(options.only or ",".join(budget.SHARES))
    if unknown:
        print(f"gpu-check: no section {', '.join(unknown)}; there are {', '.join(budget.SHARES)}", file=sys.stderr)
        return 2
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gpu-check-") as folder:
        session = opened(options, pathlib.Path(folder), budget.deadlines(names, options.budget))
        if session is None:
            print("gpu-check: no warpup found: name it with --warpup", file=sys.stderr)
            return 2
        check(session, options)
        write(session, options, out)
    print(f"\n{', '.join(f'{count} {state}' for state, count in counts(session.findings).items())}; "
          f"{out / 'gpu-check.md'} and .json have the details")  # fmt: skip
    return 1 if any(it.state == FAILED for it in session.findings) else 0


def arguments(text):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpup", help="the app; default: target/release/warpup")
    parser.add_argument("--worker", help="warpup-worker-cuda; default: the one beside the app")
    parser.add_argument("--library-path", metavar="DIRS", help="folders with CUDA libraries, separated by :")
    parser.add_argument("--out", default=".", help="folder for gpu-check.json and gpu-check.md")
    parser.add_argument("--report", metavar="PAGE", help="the page of measurements that gets the report, if a real card was measured")
    parser.add_argument("--budget", type=float, default=150, help="time limit in seconds (150)")
    parser.add_argument("--only", metavar="SECTIONS", help=f"some of {','.join(budget.SHARES)}")
    parser.add_argument("--rehearse", action="store_true", help="small sizes, no PyTorch, no times: for a stand-in for CUDA, or without a card")
    parser.add_argument("--sanitize", metavar="SECONDS", type=float, default=0, help="at the end, our kernels under compute-sanitizer for so long")
    return parser.parse_args()


def opened(options, folder, ends):
    """The session with the executables in its folder; None without an app."""
    warpup, place = machine.executable(options.warpup, "warpup", ROOT, folder)
    if warpup is None:
        return None
    worker, worker_place = machine.executable(options.worker, "warpup-worker-cuda", ROOT, folder)
    if worker is None and options.worker is None and place.with_name("warpup-worker-cuda").is_file():
        worker, worker_place = machine.executable(place.with_name("warpup-worker-cuda"), "warpup-worker-cuda", ROOT, folder)
    libraries = machine.library_folders(options.library_path, worker_place)
    if worker is not None:
        # The app reads the folders of the libraries from this file beside the worker.
        note = ", ".join(json.dumps(it) for it in libraries)
        pathlib.Path(f"{worker}.toml").write_text(f"library_path = [{note}]\n")
    print(f"libraries: {', '.join(libraries) or 'none found'}", flush=True)
    return Session(ROOT, folder, warpup, worker, libraries, ends)


def check(session, options):
    """Runs the sections, the most important first."""
    # It imports its libraries while the card is looked at.
    torch = None if options.rehearse else PyTorch(session.env)
    try:
        works = look(session, options)
        if torch is not None and works and torch.greet() and torch.has_card:
            session.torch, session.torch_version = torch, torch.version
        elif torch is not None:
            session.torch_version = torch.version
            torch.stop()
        if session.enter("card"):
            session.step("first use", "first_use.py", lambda: rates.first_use(session), seconds=1)
        for name, section in SECTIONS.items():
            if session.enter(name):
                section(session)
        if options.sanitize:
            session.until = time.monotonic() + options.sanitize
            sanitizer.everything(session)
    finally:
        if torch is not None:
            torch.stop()


def look(session, options):
    """What the worker and the doctor find; returns whether a card, or its stand-in, works."""
    works = False

    def probe():
        nonlocal works
        works = detect.probe(session)

    session.enter("card")
    session.step(detect.AREA, "probe", probe)
    if options.rehearse or session.card.startswith("Stand-in card"):
        session.has_card = False
    if not works:
        session.device, session.has_card, session.is_rehearsal = STAND_IN, False, True
        session.note(Finding(detect.AREA, "the card", NOT_RUN, f"no card works here: the rest is a rehearsal on {STAND_IN}"))
    session.step(detect.AREA, "doctor", lambda: detect.doctor(session))
    return works


def share(session):
    """Whether the card is shared well: at the end of each run, and after a failure."""
    for name in ("endless", "label", "full"):
        session.step(sharing.AREA, name, lambda it=name: getattr(sharing, it)(session), seconds=2)
    if session.has_card:
        session.step(sharing.AREA, "the app", lambda: sharing.app(session), seconds=4)
        session.step(sharing.AREA, "a killed run", lambda: sharing.killed_run(session), seconds=2)
    else:
        session.step(sharing.AREA, "the app", lambda: sharing.rehearsed(session), seconds=2)


SECTIONS = {
    "training": lambda it: it.step(steps.AREA, "all", lambda: steps.training(it), seconds=2),
    "verification": lambda it: it.step(steps.VERIFICATION, "all", lambda: steps.verification(it), seconds=2),
    "rates": rates.rates,
    "terms": lambda it: it.step("terms", "terms.py", lambda: rates.terms(it), seconds=2),
    "sharing": share,
    "programs": lambda it: it.step("programs", "labs and snippets", lambda: programs.everything(it), seconds=2),
}


def write(session, options, out):
    """Writes the reports; that of a rehearsal says so, and never goes to the page of measurements."""
    described = machine.described(session, session.torch_version)
    took = time.monotonic() - session.began
    if not session.has_card:
        described["beware"] = f"a rehearsal on {session.device} with small sizes: no figure here is one of a card"
    found = as_json(described, session.findings, took)
    text = as_markdown(described, session.findings, took, session.tables)
    (out / "gpu-check.json").write_text(json.dumps(found, indent=1) + "\n")
    (out / "gpu-check.md").write_text(text)
    if options.report and session.has_card:
        page = pathlib.Path(options.report)
        page.write_text(into_page(page.read_text() if page.is_file() else "", text))
    elif options.report:
        print(f"gpu-check: no real card was measured: {options.report} stays as it is", file=sys.stderr)
