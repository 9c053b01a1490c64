"""What all checks share: the executables, the time that is left, and the findings.

Each step has its own limit and fails alone; no step can end the whole.
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

# Sizes in the programs of benches/card, each on a line of its own, are cut down to these where times do not count.
SMALL = 64
# How long the app's worker stays after a run; shorter than usual, since it is waited for.
LINGER_S = 10
SIZE = re.compile(r"^(N|SAMPLES|ADDITIONS|PIECES|WORK_MS) = (\d+)$", re.MULTILINE)


class Session:
    """One run of gpu-check."""

    def __init__(self, root, folder, warpup, worker, libraries, seconds):
        self.root, self.folder = root, folder
        self.warpup, self.worker = warpup, worker
        self.began = time.monotonic()
        self.until = self.began + seconds
        self.findings = []
        # Without a card a modelled one stands in, and nothing counts but failures. With a stand-in of CUDA values
        # count and times do not; `has_card` is for what needs a real one.
        self.device, self.has_card, self.is_rehearsal = "cuda", True, False
        self.torch, self.torch_version = None, ""
        self.card, self.uuid, self.nvml = "", "", None
        path = os.pathsep.join([*libraries, os.environ.get("LD_LIBRARY_PATH", "")]).strip(os.pathsep)
        # Neither progress nor settings of the person who runs this have a part in it.
        settings = folder / "config/warpup/settings.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(f"[cuda]\nlinger_seconds = {LINGER_S}\n")
        own = {"WARPUP_DATA": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config"), "NO_COLOR": "1"}
        self.env = {key: it for key, it in os.environ.items() if key != "WARPUP_WORKER_CUDA"} | own
        self.worker_env = {**self.env, "LD_LIBRARY_PATH": path}

    def left(self):
        return self.until - time.monotonic()

    def note(self, finding):
        finding.said = finding.said.replace(f"{self.folder}/", "")
        if self.is_rehearsal and finding.state in (PASSED, MEASURED):
            finding.state, finding.said = NOT_RUN, f"no card; on {self.device}: {finding.said}"
        self.findings.append(finding)
        said = " ".join(finding.said.split())
        seconds = time.monotonic() - self.began
        print(f"{seconds:6.1f} s  {finding.state:8}  {finding.area}: {finding.what}: {said[:160]}", flush=True)

    def step(self, area, what, function, seconds=0):
        """Calls something that notes findings; an exception or a lack of time becomes a finding, too."""
        if self.left() < max(seconds, 1):
            self.note(Finding(area, what, NOT_RUN, "the time for this check was spent before"))
            return
        try:
            function()
        except Exception as error:  # noqa: BLE001 - each check fails alone
            where = traceback.extract_tb(error.__traceback__)[-1]
            said = f"gpu-check itself failed: {type(error).__name__}: {error} ({where.name}, line {where.lineno})"
            self.note(Finding(area, what, FAILED, said))

    def lab(self, *words, seconds=60, program=None):
        """`warpup run` as JSON; a run that gave none has `broken` with what was said instead."""
        if program is not None:
            words = (str(self.program_file(program)), *words)
        command = [str(self.warpup), "run", *words, "--json"]
        done = run(command, min(seconds, max(self.left(), 1)), self.env)
        with contextlib.suppress(ValueError):
            return {**json.loads(done.out), "status": done.status}
        return {"broken": done.told(), "status": done.status, "metrics": [], "output": "", "outcome": {"how": "broken"}}

    def program_file(self, text):
        """A file of its own for each program, so that several can run at a time."""
        self.files = getattr(self, "files", 0) + 1
        file = self.folder / f"program{self.files}.py"
        file.write_text(text)
        return file

    def card_program(self, name):
        """A program of benches/card, whole on a card and cut down without one."""
        text = (self.root / "benches/card" / name).read_text()
        if self.has_card:
            return text
        return SIZE.sub(lambda it: f"{it[1]} = {min(int(it[2]), SMALL if it[1] == 'N' else 2)}", text)


class Done:
    """A process that has ended, or was ended."""

    def __init__(self, status, out, err, seconds, is_late):
        self.status, self.out, self.err, self.seconds, self.is_late = status, out, err, seconds, is_late

    def told(self):
        """What to say of it where it gave nothing that was asked for."""
        if self.is_late:
            return f"it was ended after {self.seconds:.0f} s"
        last = [line for line in (self.err or self.out).strip().splitlines() if line.strip()][-3:]
        return f"exit status {self.status}: {' / '.join(last) or 'it said nothing'}"


def run(command, seconds, env, cwd=None):
    """Runs a command to its end, or ends it and all that it started when the time is up."""
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
