"""An app in a pseudo-terminal, and a terminal emulator that is just enough to read its screen."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

ROWS, COLUMNS = 30, 110
ESCAPE = re.compile(r"\x1b\[([?>=]?)([0-9;:]*)([ -/]*[@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[^\[\]()]")


class Screen:
    """The cells of a screen. Handles the escape sequences that the app uses and ignores others."""

    def __init__(self):
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.rest = ""

    def feed(self, text):
        """
        >>> screen = Screen()
        >>> screen.feed("\\x1b[2J\\x1b[2;3Hab\\x1b[31mc\\x1b[2;4H\\x1b[Kx")
        >>> screen.text().splitlines()[1]
        '  ax'
        """
        text = self.rest + text
        self.rest, at = "", 0
        while at < len(text):
            if text[at] == "\x1b":
                found = ESCAPE.match(text, at)
                if found is None:
                    # The escape sequence is incomplete; the rest comes later.
                    self.rest = text[at:]
                    return
                self.control(found)
                at = found.end()
                continue
            self.put(text[at])
            at += 1

    def put(self, letter):
        if letter == "\r":
            self.column = 0
        elif letter == "\n":
            self.row = min(self.row + 1, ROWS - 1)
        elif letter >= " " and self.row < ROWS and self.column < COLUMNS:
            self.cells[self.row][self.column] = letter
            self.column += 1

    def control(self, found):
        mark, numbers, end = found[1], found[2], found[3]
        if end is None or mark:
            return
        values = [int(it) if it.isdigit() else 0 for it in re.split("[;:]", numbers)]
        first = values[0]
        if end in "Hf":
            self.row = max(first, 1) - 1
            self.column = max(values[1] if len(values) > 1 else 1, 1) - 1
        elif end == "G":
            self.column = max(first, 1) - 1
        elif end == "C":
            self.column += max(first, 1)
        elif end == "J" and first == 2:
            self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        elif end == "K" and self.row < ROWS:
            self.cells[self.row][self.column :] = [" "] * (COLUMNS - self.column)

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)


class App:
    """A process in its own pseudo-terminal."""

    def __init__(self, command, env):
        self.screen = Screen()
        self.pid, self.pipe = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, {**env, "TERM": "xterm-256color"})
        fcntl.ioctl(self.pipe, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def press(self, keys):
        os.write(self.pipe, keys.encode())

    def wait_for(self, is_there, seconds):
        """The text of the screen once the condition holds; None after the time limit."""
        until = time.monotonic() + seconds
        while not is_there(self.screen.text()):
            ready, _, _ = select.select([self.pipe], [], [], max(until - time.monotonic(), 0))
            if not ready:
                return None
            try:
                self.screen.feed(os.read(self.pipe, 1 << 16).decode(errors="replace"))
            except OSError:
                return None
        return self.screen.text()

    def settle(self, seconds=0.3):
        """Reads output until there is none for this many seconds."""
        while select.select([self.pipe], [], [], seconds)[0]:
            try:
                self.screen.feed(os.read(self.pipe, 1 << 16).decode(errors="replace"))
            except OSError:
                break
        return self.screen.text()

    def kill(self):
        """Kills the app at once, as the kernel does when memory is short."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    def close(self):
        self.kill()
        with contextlib.suppress(OSError):
            os.close(self.pipe)
