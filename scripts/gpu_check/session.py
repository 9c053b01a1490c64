"""What all checks share: the executables, the remaining time, and the findings.

Each section has its share of the time, and a step that fails does not stop the others.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
import traceback

from .report import FAILED, MEASURED, NOT_RUN, PASSED, Finding

# If times do not count, the sizes in the programs of benches/card (one per line) are reduced to this.
SMALL = 64
# How long the app's worker stays after a run, in seconds.
LINGER_S = 2
SIZE = re.compile(r"^(N|SAMPLES|WARMUPS|REPEATS|PIECES|WORK_MS) = (\d+)$", re.MULTILINE)


class Session:
    """One run of gpu-check."""

    def __init__(self, root, folder, warpup, worker, libraries, ends):
        self.root, self.folder = root, folder
        self.warpup, self.worker = warpup, worker
        self.began = time.monotonic()
        self.ends, self.until = ends, self.began + max(ends.values())
        self.findings, self.tables = [], {}
        # Without a card, a modelled one replaces it and only failures count. With a stand-in for CUDA, values
        # count and times do not; `has_card` is True only with a real card.
        self.device, self.has_card, self.is_rehearsal = "cuda", True, False
        self.torch, self.torch_version = None, ""
        self.card, self.uuid, self.nvml = "", "", None
        path = os.pathsep.join([*libraries, os.environ.get("LD_LIBRARY_PATH", "")]).strip(os.pathsep)
        # The user's own progress and settings have no influence.
        settings = folder / "config/warpup/settings.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(f"[cuda]\nlinger_seconds = {LINGER_S}\n")
        own = {"WARPUP_DATA": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config"), "NO_COLOR": "1"}
        self.env = {key: it for key, it in os.environ.items() if key != "WARPUP_WORKER_CUDA"} | own
        self.worker_env = {**self.env, "LD_LIBRARY_PATH": path}

    def left(self):
        """The seconds that the section has left."""
        return self.until - time.monotonic()

    def enter(self, section):
        """Begins a section; returns whether it was asked for."""
        if section not in self.ends:
            return False
        self.until = self.began + self.ends[section]
        return True

    def note(self, finding):
        finding.said = finding.said.replace(f"{self.folder}/", "")
        if self.is_rehearsal and finding.state in (PASSED, MEASURED):
            finding.state, finding.said = NOT_RUN, f"no card; on {self.device}: {finding.said}"
        self.findings.append(finding)
        said = " ".join(finding.said.split())
        seconds = time.monotonic() - self.began
        print(f"{seconds:6.1f} s  {finding.state:8}  {finding.area}: {finding.what}: {said[:160]}", flush=True)

    def step(self, area, what, function, seconds=0):
        """Calls a check, which records findings; an exception or a lack of time becomes a finding, too."""
        if self.left() < max(seconds, 1):
            self.note(Finding(area, what, NOT_RUN, "no time left in this section"))
            return
        try:
            function()
        except Exception as error:  # noqa: BLE001 - each check fails alone
            where = traceback.extract_tb(error.__traceback__)[-1]
            said = f"gpu-check itself failed: {type(error).__name__}: {error} ({where.name}, line {where.lineno})"
            self.note(Finding(area, what, FAILED, said))

    def lab(self, *words, seconds=60, program=None):
        """`warpup run` as JSON; without JSON output, `broken` describes the problem."""
        if program is not None:
            words = (str(self.program_file(program)), *words)
        command = [str(self.warpup), "run", *words, "--json"]
        done = run(command, min(seconds, max(self.left(), 1)), self.env)
        with contextlib.suppress(ValueError):
            return {**json.loads(done.out), "status": done.status}
        return {"broken": done.problem(), "status": done.status, "metrics": [], "output": "", "outcome": {"how": "broken"}}

    def program_file(self, text):
        """Writes a program to its own file, so that several can run at the same time."""
        self.files = getattr(self, "files", 0) + 1
        file = self.folder / f"program{self.files}.py"
        file.write_text(text)
        return file

    def card_program(self, name, **sizes):
        """A program of benches/card with other sizes, made small if there is no card."""
        text = (self.root / "benches/card" / name).read_text()
        small = SMALL if not self.has_card else None

        def size(found):
            number = sizes.get(found[1], int(found[2]))
            return f"{found[1]} = {number if small is None else min(number, small if found[1] == 'N' else 2)}"

        return SIZE.sub(size, text)


class Done:
    """The result of a process that ended or was killed."""

    def __init__(self, status, out, err, seconds, is_late):
        self.status, self.out, self.err, self.seconds, self.is_late = status, out, err, seconds, is_late

    def problem(self):
        """A description for a process without the expected output."""
        if self.is_late:
            return f"killed after {self.seconds:.0f} s"
        last = [line for line in (self.err or self.out).strip().splitlines() if line.strip()][-3:]
        return f"exit status {self.status}: {' / '.join(last) or 'no output'}"


def run(command, seconds, env, cwd=None):
    """Runs a command; kills its process group after the time limit."""
    start = time.monotonic()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, errors="replace", env=env, cwd=cwd, start_new_session=True,
    ) as child:  # fmt: skip
        is_late = False
        try:
            out, err = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            is_late = True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
    return Done(child.returncode, out, err, time.monotonic() - start, is_late)
