"""Whether warpup frees a shared card in time, and what it reports when a program fails there."""

import time

from .machine import Nvml, descendants, holds_card
from .report import FAILED, NOT_RUN, PASSED, Finding
from .screen import App
from .session import LINGER_S

AREA = "sharing the card"
# Changes of the memory in use below this are those of other processes.
NOISE = 64 << 20
GONE_S = 5
# The longest that the end of a worker is waited for.
ENDS_S = 15

LESSON = """+++
format = 1
id = "card"
title = "Card"
summary = "Programs for the check of a card."
minutes = 1
objectives = ["See that it works."]
+++

Programs for the check of a card.

```python lab id=fine device=cuda
import torch
x = torch.ones(1024, 1024, device="cuda")
print("sum", (x @ x).sum().item())
```

```python lab id=endless device=cuda timeout=1s
import torch
x = torch.ones(8192, 8192, device="cuda")
while True:
    y = x @ x
```

```python lab id=label device=cuda
import torch
logits = torch.zeros(4, 10, device="cuda")
labels = torch.tensor([0, 1, 2, 99], device="cuda")
loss = torch.nn.functional.cross_entropy(logits, labels)
print("loss", loss.item())
```

```python lab id=full device=cuda
import torch
held = []
for _ in range(1000):
    held.append(torch.empty(268435456, device="cuda"))
```
"""
COURSE = """format = 1
id = "card"
title = "Card"
summary = "Programs for the check of a card."
lessons = ["card.md"]
"""


def course(session):
    """Writes a course of one lesson with a lab for each kind of failure."""
    folder = session.folder / "course"
    (folder / "lessons").mkdir(parents=True, exist_ok=True)
    (folder / "quizzes").mkdir(exist_ok=True)
    (folder / "lessons/course.toml").write_text(COURSE)
    (folder / "lessons/card.md").write_text(LESSON)
    return folder


def failing_program(session, lab, is_expected):
    """Checks that a failing program gives a clear error and that the next run works."""
    folder = course(session)
    words = ("--course", str(folder), "--trust", "--device", session.device)
    before = used(session)
    done = session.lab(f"card/{lab}", *words, seconds=60)
    what = {"endless": "an endless program", "label": "a label that is out of range", "full": "a full memory"}[lab]
    said = done.get("broken") or done["outcome"].get("message") or done["outcome"]["how"]
    session.note(Finding(AREA, what, PASSED if is_expected(done) else FAILED, said, {"outcome": done["outcome"]}))
    again = session.lab("card/fine", *words)
    is_fine = again["output"].startswith("sum 1073741824")
    session.note(Finding(AREA, f"the next run after {what}", PASSED if is_fine else FAILED, again["output"].strip() or str(again["outcome"])))
    if before is not None:
        # The worker of the run may need a moment to end.
        patience = min(ENDS_S, session.left())
        seconds = seconds_until(lambda: used(session) - before < NOISE, patience)
        after = f"{seconds:.1f} s after the run" if seconds is not None else f"still, {patience:.0f} s after the run"
        said = f"{(used(session) - before) / 2**20:+.0f} MiB {after}"
        session.note(Finding(AREA, f"memory of the card after {what}", PASSED if seconds is not None else FAILED, said))


def endless(session):
    failing_program(session, "endless", lambda done: done["outcome"]["how"] == "timed_out")


def label(session):
    words = ("99", "label", "index", "out of", "assert")
    failing_program(session, "label", lambda done: any(it in done["outcome"].get("message", "").lower() for it in words))


def full(session):
    failing_program(session, "full", lambda done: done["outcome"].get("kind", "").endswith("OutOfMemoryError"))


def used(session):
    """Bytes in use on the card; None without a card."""
    if not session.has_card:
        return None
    if session.nvml is None:
        session.nvml = Nvml(session.uuid)
    return session.nvml.used()


def app(session):
    """The app has no CUDA context before its first run, after the linger time, and 5 s after it is killed."""
    if not session.has_card:
        session.note(Finding(AREA, "memory held by the app", NOT_RUN, "no card"))
        return
    before = used(session)
    app = App([str(session.warpup), "--course", str(course(session))], session.env)
    try:
        if not open_lab(session, app):
            return
        # A worker that lists the cards may have their device files open, but holds no memory of theirs.
        held = used(session) - before
        state = PASSED if held < NOISE else FAILED
        session.note(Finding(AREA, "memory held by the app before its first run", state, f"{held / 2**20:+.0f} MiB"))
        if not runs(app):
            session.note(Finding(AREA, "a lab in the app on the card", FAILED, lines_of(app)))
            return
        held = used(session) - before
        session.note(Finding(AREA, "a lab in the app on the card", PASSED, f"it runs; the lingering worker holds {held / 2**20:.0f} MiB", {"bytes": held}))
        patience = min(LINGER_S + 30, session.left())
        seconds = seconds_until(lambda: not holders(app) and used(session) - before < NOISE, patience)
        said = f"{seconds:.1f} s after the run, with a linger time of {LINGER_S} s" if seconds is not None else f"still held after {patience:.0f} s"
        session.note(Finding(AREA, "the card is free after the linger time", PASSED if seconds is not None else FAILED, said))
        app.press("r")
        if seconds_until(lambda: bool(holders(app)), 30) is None:
            session.note(Finding(AREA, "kill -9 of the app", NOT_RUN, "no process of the app had the card open"))
            return
        workers = holders(app)
        app.kill()
        seconds = seconds_until(lambda: not any(holds_card(it) for it in workers) and used(session) - before < NOISE, 30)
        is_good = seconds is not None and seconds < GONE_S
        said = f"the card was free {seconds:.2f} s later" if seconds is not None else "the card was still held after 30 s"
        session.note(Finding(AREA, "kill -9 of the app", PASSED if is_good else FAILED, said))
    finally:
        app.close()


def killed_run(session):
    """kill -9 of `warpup run` during an endless program frees the card within 5 s."""
    if not session.has_card:
        session.note(Finding(AREA, "kill -9 of an endless run", NOT_RUN, "no card"))
        return
    before = used(session)
    app = App([str(session.warpup), "--course", str(course(session)), "run", "card/endless", "--trust", "--device", session.device], session.env)
    try:
        if seconds_until(lambda: bool(holders(app)), 30) is None:
            session.note(Finding(AREA, "kill -9 of an endless run", FAILED, "no process had the card open"))
            return
        workers = holders(app)
        # Wait until the program is in its loop: ending the creation of a context is a different case.
        seconds_until(lambda: used(session) - before > NOISE + (256 << 20), 2)
        app.kill()
        seconds = seconds_until(lambda: not any(holds_card(it) for it in workers) and used(session) - before < NOISE, 30)
        is_good = seconds is not None and seconds < GONE_S
        said = f"the card was free {seconds:.2f} s later" if seconds is not None else "the card was still held after 30 s"
        session.note(Finding(AREA, "kill -9 of an endless run", PASSED if is_good else FAILED, said))
    finally:
        app.close()


def rehearsed(session):
    """The app's screens appear as `app` expects them, on the modelled card that replaces a card."""
    app = App([str(session.warpup), "--course", str(course(session))], session.env)
    try:
        if open_lab(session, app):
            is_there = runs(app)
            session.note(Finding(AREA, "the app in a terminal", PASSED if is_there else FAILED, "a lab runs" if is_there else lines_of(app)))
    finally:
        app.close()


def open_lab(session, app):
    """Goes from the course map to the first lab and chooses the card; records a finding if a screen does not appear."""
    # The app learns the name of the card in its first run, and may cut a long one.
    titles = ("modelled",) if session.device != "cuda" else ("a real card", session.card[:20])
    steps = (("", "Card"), ("\r", "page 1"), ("\r", "r run"))
    for keys, wanted in steps:
        app.press(keys)
        if app.wait_for(lambda it, wanted=wanted: wanted in it, 20) is None:
            session.note(Finding(AREA, "the app in a terminal", FAILED, f"no `{wanted}` on it: {lines_of(app)}"))
            return False
    for _ in range(30):
        if any(it in app.settle(0.5).splitlines()[0] for it in titles):
            return True
        # The list begins at the device in use; Enter takes the next one, if it can be taken.
        app.press("dj\r")
    session.note(Finding(AREA, "the app in a terminal", FAILED, f"no `{titles[0]}` among its devices: {lines_of(app)}"))
    return False


def runs(app):
    """Runs the lab, agrees to that if it is asked, and says whether the lab ran to its end."""
    has_run = lambda it: "sum 1073741824" in it or "✓" in it
    asks = lambda it: "Run this program?" in it
    app.press("r")
    if app.wait_for(lambda it: asks(it) or has_run(it), 60) is None:
        return False
    if asks(app.screen.text()):
        app.press("y")
    return app.wait_for(has_run, 60) is not None


def holders(app):
    """The processes of the app that have the card open."""
    return [it for it in descendants(app.pid) if holds_card(it)]


def lines_of(app):
    """The text of the screen on one line."""
    return " / ".join(line.strip() for line in app.screen.text().splitlines() if line.strip())[:600]


def seconds_until(is_so, seconds):
    """The seconds until the condition holds; None after the time limit."""
    start = time.monotonic()
    while not is_so():
        if time.monotonic() - start > seconds:
            return None
        time.sleep(0.05)
    return time.monotonic() - start
