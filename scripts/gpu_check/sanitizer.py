"""NVIDIA's compute-sanitizer watches the kernels of our own: access to memory outside of a block, races, and reads before a write."""

import glob
import shutil

from .report import FAILED, NOT_RUN, PASSED, Finding
from .session import run

AREA = "compute-sanitizer"
TOOLS = ("memcheck", "racecheck", "initcheck")
# The status with which the tool ends if it found something.
FOUND = 86


def everything(session):
    """Runs each program of tests/fixtures/kernels under each tool, as far as there is time."""
    program = path()
    if not program or not session.has_card:
        session.note(Finding(AREA, "compute-sanitizer", NOT_RUN, "no compute-sanitizer here" if not program else "no card"))
        return
    for tool in TOOLS:
        for file in sorted((session.root / "tests/fixtures/kernels").glob("*.py")):
            session.step(AREA, f"{tool}, {file.stem}", lambda it=(tool, file): watched(session, program, *it), seconds=5)


def path():
    """The path of compute-sanitizer, or None."""
    places = [shutil.which("compute-sanitizer"), *sorted(glob.glob("/usr/local/cuda*/bin/compute-sanitizer"), reverse=True)]
    return next((it for it in places if it), None)


def watched(session, program, tool, file):
    """One program under one tool. The worker is a child of the app."""
    watch = [program, "--tool", tool, "--target-processes", "all", "--error-exitcode", str(FOUND), "--print-limit", "20"]
    command = [str(session.warpup), "run", "--quiet", "--no-trace", "--limit", "600", "--device", session.device, str(file)]
    seconds = session.left()
    done = run([*watch, *command], seconds, session.env)
    what = f"{tool}, {file.stem}"
    if done.is_late:
        session.note(Finding(AREA, what, NOT_RUN, f"not done after {seconds:.0f} s"))
        return
    found = reported(done.out + done.err)
    is_good = not found and done.status == 0
    session.note(Finding(AREA, what, PASSED if is_good else FAILED, "nothing found" if is_good else found or done.problem()))


def reported(text):
    """What the tool reported first of each kind, without the marks before its lines.

    >>> reported("========= COMPUTE-SANITIZER\\ndifferent: 0\\n========= ERROR SUMMARY: 0 errors\\n")
    ''
    >>> reported("========= Invalid __global__ read of size 4 bytes\\n=========     at copy+0x90\\n========= ERROR SUMMARY: 1 error\\n")
    'Invalid __global__ read of size 4 bytes; at copy+0x90; ERROR SUMMARY: 1 error'
    """
    lines = [line.lstrip("= ").strip() for line in text.splitlines() if line.startswith("=========")]
    lines = [it for it in lines if it and it != "COMPUTE-SANITIZER"]
    is_clean = all("SUMMARY: 0 " in it for it in lines)
    return "" if is_clean else "; ".join(lines[:2] + lines[-1:] if len(lines) > 3 else lines)
