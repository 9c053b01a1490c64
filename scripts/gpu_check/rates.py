"""Rates, events, launches and memory as labs report them, compared with PyTorch, in turns, and with the model."""

import re

from .report import FAILED, MEASURED, NOT_RUN, PASSED, Finding, Sample, at_least, compared, gathered, within

# Program, number of turns, and the limit for the ratio of each of its figures to PyTorch's.
PROGRAMS = (
    ("matmul.py", 2, {"matmul bfloat16": within(0.03), "matmul float32": within(0.03), "matmul TF32": within(0.03)}),
    ("bandwidth.py", 2, {"add": within(0.03)}),
    ("launches.py", 3, {"launches": at_least(1.0)}),
    ("copies_pageable.py", 2, dict.fromkeys(
        (f"to the {side}, pageable{how}" for side in ("card", "host") for how in ("", ", in pieces")), within(0.03))),
    ("copies_pinned.py", 2, dict.fromkeys(
        (f"to the {side}, pinned{how}" for side in ("card", "host") for how in ("", ", in pieces")), within(0.03))),
)  # fmt: skip
# The limit for the model, for the large operations of the lessons. Launches depend on the host, not on the card.
MODEL = within(0.25)
NOT_MODELLED = ("launches", "time of the host")
# The limit for each single term of the model.
TERM = within(0.35)
# The driver's memory pool allocates in blocks of this many bytes.
BLOCK = 512


def rates(session):
    """Runs all programs of the table above."""
    for program, turns, rules in PROGRAMS:
        session.step("rates", program, lambda it=(program, turns, rules): one_program(session, *it), seconds=20)


def one_program(session, program, turns, rules):
    """Runs one program under PyTorch and warpup, in turns, and on the model."""
    source = session.card_program(program)
    ours, theirs = [], []
    for _ in range(turns if session.has_card else 1):
        if session.torch:
            done = session.torch.run(source)
            theirs += (done or {"metrics": []})["metrics"]
        done = session.lab("--device", session.device, "--no-trace", program=source)
        if done["outcome"]["how"] != "done":
            session.note(Finding("rates", program, FAILED, done.get("broken") or str(done["outcome"])))
            return
        ours += [(it["name"], it["value"], it.get("unit", "")) for it in done["metrics"]]
    if not session.has_card:
        session.note(Finding("rates", program, NOT_RUN, f"no card: not measured (the program, made small, runs on {session.device})"))
        return
    ours, theirs = gathered(ours), gathered(theirs)
    model = modelled(session, source)
    for name, (values, unit) in ours.items():
        sample = Sample.of(values, unit)
        other = Sample.of(*theirs[name]) if name in theirs else None
        if name in rules:
            session.note(compared("rates", name, sample, other, rules[name]))
        else:
            session.note(Finding("rates", name, MEASURED, f"{sample}; PyTorch {other}" if other else str(sample)))
        if name in model and name not in NOT_MODELLED:
            session.note(compared("the model against the card", name, Sample.of(*model[name]), sample, MODEL, other="measured"))


def terms(session):
    """The terms of the model, each by itself, against PyTorch: a card that runs candle has other kernels."""
    source = session.card_program("terms.py")
    done = session.lab("--device", f"model:{model_of(session.card or '', cards(session)) or 'h100'}", "--no-trace", program=source)
    if done["outcome"]["how"] != "done":
        session.note(Finding("terms", "terms.py", FAILED, done.get("broken") or str(done["outcome"])))
        return
    model = gathered([(it["name"], it["value"], it.get("unit", "")) for it in done["metrics"]])
    if not session.has_card or session.torch is None:
        said = f"no card, or no PyTorch for it: {len(model)} figures of the model are compared with nothing"
        session.note(Finding("terms", "terms.py", NOT_RUN, said))
        return
    if model_of(session.card, cards(session)) is None:
        session.note(Finding("terms", "terms.py", NOT_RUN, f"there is no model of {session.card}"))
        return
    theirs = gathered((session.torch.run(source) or {"metrics": []})["metrics"])
    for name, figure in model.items():
        other = Sample.of(*theirs[name]) if name in theirs else None
        session.note(compared("terms of the model against PyTorch", name, Sample.of(*figure), other, TERM))


def cards(session):
    return (session.root / "assets/cards.toml").read_text()


def modelled(session, source):
    """The figures of the program on the modelled card of the same kind; empty if there is none."""
    card = model_of(session.card, cards(session))
    if card is None:
        return {}
    done = session.lab("--device", f"model:{card}", "--no-trace", program=source)
    return gathered([(it["name"], it["value"], it.get("unit", "")) for it in done["metrics"]])


def model_of(name, cards):
    """The id of the modelled card with this name, or None.

    >>> cards = "[cards.l4]\\n[cards.l4.flops]\\n[cards.h200]\\n[cards.rtx4090]\\n"
    >>> model_of("NVIDIA H200", cards), model_of("NVIDIA L40S", cards), model_of("NVIDIA GeForce RTX 4090", cards)
    ('h200', None, 'rtx4090')
    """
    plain = name.upper().replace("RTX ", "RTX")
    for card in re.findall(r"^\[cards\.([\w-]+)\]$", cards, re.MULTILINE):
        if re.search(rf"(?<![A-Z0-9]){card.upper()}(?![A-Z0-9])", plain):
            return card
    return None


def events(session):
    """Events and the host's clock agree within 1 % on 40 ms of work."""
    source = session.card_program("events.py")
    done = session.lab("--device", session.device, "--no-trace", program=source)
    if done["outcome"]["how"] != "done":
        session.note(Finding("events", "events against the host's clock", FAILED, done.get("broken") or str(done["outcome"])))
        return
    if not session.has_card:
        session.note(Finding("events", "events against the host's clock", NOT_RUN, "no card: not measured"))
        return
    ours = {name: Sample.of(*it) for name, it in gathered([(it["name"], it["value"], it.get("unit", "")) for it in done["metrics"]]).items()}
    session.note(compared("events", "40 ms of work by events", ours["events"], ours["host"], within(0.01), other="host"))
    theirs = session.torch.run(source) if session.torch else None
    if theirs and theirs["metrics"]:
        ratio = Sample.of(*gathered(theirs["metrics"])["events over host"])
        session.note(Finding("events", "the same ratio under PyTorch", MEASURED, str(ratio)))


def tracing(session):
    """The overhead of tracing for one operation."""
    source = session.card_program("launches.py")
    seconds = []
    for words in (["--no-trace"], []):
        done = session.lab("--device", session.device, *words, program=source)
        if done["outcome"]["how"] != "done":
            session.note(Finding("rates", "tracing", FAILED, done.get("broken") or str(done["outcome"])))
            return
        metrics = gathered([(it["name"], it["value"], it.get("unit", "")) for it in done["metrics"]])
        seconds.append(Sample.of(metrics["time of the host"][0], "us"))
    if not session.has_card:
        session.note(Finding("rates", "tracing", NOT_RUN, "no card: not measured"))
        return
    off, on = seconds
    said = f"{on.median - off.median:.2f} us per operation: {on} with it, {off} without"
    session.note(Finding("rates", "tracing", MEASURED, said))


def memory(session):
    """The live bytes are those of the model and of PyTorch, up to the rounding of each block."""
    source = session.card_program("memory.py")
    done = session.lab("--device", session.device, program=source)
    if done["outcome"]["how"] != "done":
        session.note(Finding("memory", "live bytes", FAILED, done.get("broken") or str(done["outcome"])))
        return
    ours = {it["name"]: int(it["value"]) for it in done["metrics"]}
    model = session.lab("--device", "model:h200", program=source)
    sides = {"the model": {it["name"]: int(it["value"]) for it in model["metrics"]}}
    theirs = session.torch.run(source) if session.torch else None
    if theirs and theirs["metrics"]:
        sides["PyTorch"] = {name: int(value) for name, value, _ in theirs["metrics"]}
    for other, figures in sides.items():
        # The step with most blocks has some hundred.
        far = [f"{step}: {ours[step]:,} against {it:,}" for step, it in figures.items() if abs(ours[step] - it) > BLOCK * blocks(step)]
        said = "; ".join(far) if far else f"{len(figures)} steps agree up to {BLOCK} B per block"
        session.note(Finding("memory", f"live bytes against {other}", FAILED if far else PASSED, said, {"ours": ours, "other": figures}))


def blocks(step):
    """The largest number of live blocks at a step of benches/card/memory.py.

    >>> blocks("after 100 times 12 bytes"), blocks("after a view")
    (103, 3)
    """
    return 103 if "100 times" in step else 3

