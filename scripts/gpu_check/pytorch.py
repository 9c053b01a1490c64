"""Starts PyTorch in a process, sends it programs, and restarts it after an error that corrupted its CUDA context."""

import json
import os
import pathlib
import select
import subprocess
import sys
import time

# The longest that a new process is waited for: it reads some GB of libraries.
START_S = 60
# A process that ended is replaced if there is this much time.
RESTART_S = 15


class PyTorch:
    """A process that runs programs under PyTorch. `version` is empty if it cannot import torch."""

    def __init__(self, env):
        self.env, self.child, self.version, self.has_card, self.is_missing = env, None, "", False, False
        self.start()

    def start(self):
        """Starts a process; it imports torch while other checks run."""
        self.stop()
        side = pathlib.Path(__file__).with_name("pytorch_side.py")
        self.child = subprocess.Popen(
            [sys.executable, str(side)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=self.env,
        )  # fmt: skip
        self.rest, self.is_greeted = b"", False

    def greet(self):
        """Waits for the process to have its torch; returns whether it does."""
        if self.is_missing:
            return False
        if self.child is None:
            self.start()
        if not self.is_greeted:
            hello = self.reply(START_S)
            if hello is None:
                self.stop()
                self.is_missing = not self.version
                return False
            self.is_greeted, self.version, self.has_card = True, hello["version"], hello["has_card"]
        return True

    def stop(self):
        """Ends the process, which frees the card."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            self.child.stdin.close()
            self.child.stdout.close()
            self.child = None

    def reply(self, seconds):
        """The next line as an object; None after the time limit."""
        until = time.monotonic() + seconds
        pipe = self.child.stdout.fileno()
        while b"\n" not in self.rest:
            ready, _, _ = select.select([pipe], [], [], max(until - time.monotonic(), 0))
            piece = os.read(pipe, 1 << 20) if ready else b""
            if not piece:
                return None
            self.rest += piece
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def run(self, source, seconds=60, folder=None):
        """The output, metrics and exception of a program, which may import files of a folder; None after the time limit."""
        if (self.child is None and self.version and seconds < RESTART_S) or not self.greet():
            return None
        try:
            asked = {"source": source, "folder": str(folder) if folder else None}
            self.child.stdin.write(json.dumps(asked).encode() + b"\n")
            self.child.stdin.flush()
            done = self.reply(seconds)
        except OSError:
            done = None
        if done is None or done["is_broken"]:
            self.stop()
        return done
