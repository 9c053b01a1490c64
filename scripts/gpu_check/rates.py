"""Rates, launches, events and memory as labs report them, compared with PyTorch in turns, and with the model."""

import re

from .report import FAILED, MEASURED, NOT_RUN, PASSED, Finding, Sample, at_least, compared, gathered, within

# Program, number of turns, and the limit for the ratio of each of its figures to PyTorch's. A layer norm may need 1.2 times
# PyTorch's time, other passes over memory reach 90 % of its rate.
PROGRAMS = (
    ("passes.py", 1, {**dict.fromkeys((
        "add", "gelu", "copy", "copy of a transposed tensor", "softmax", "norm", "sum", "sum over rows", "sum over columns",
        "largest of each row"), at_least(0.9)), "layer norm": at_least(1 / 1.2)}),
    ("launches.py", 2, {"launches": at_least(1.0)}),
    ("matmul.py", 1, dict.fromkeys(("matmul bfloat16", "matmul float32", "matmul TF32"), within(0.03))),
    ("copies_pinned.py", 1, dict.fromkeys(
        (f"to the {side}, pinned{how}" for side in ("card", "host") for how in ("", ", in pieces")), within(0.05))),
    ("copies_pageable.py", 1, dict.fromkeys(
        (f"to the {side}, pageable{how}" for side in ("card", "host") for how in ("", ", in pieces")), at_least(0.9))),
)  # fmt: skip
# The limit for the model, for the large operations of the lessons.
MODEL = within(0.25)
MODELLED = ("add", "matmul", "to the card, pinned", "to the host, pinned")
# The limit for each single term of the model.
TERM = within(0.35)
# What following an operation may add to the host's time, in microseconds.
TRACED_US = 3.0
# The driver's memory pool allocates in blocks of this many bytes.
BLOCK = 512


def rates(session):
    """Runs all programs of the table above, and what belongs to them."""
    session.step("rates", "passes.py", lambda: one_program(session, *PROGRAMS[0]), seconds=2)
    session.step("rates", "launches.py", lambda: one_program(session, *PROGRAMS[1]), seconds=2)
    session.step("rates", "tracing", lambda: tracing(session), seconds=1)
    session.step("memory", "live bytes", lambda: memory(session), seconds=1)
    session.step("events", "events", lambda: events(session), seconds=1)
    for program, turns, rules in PROGRAMS[2:]:
        session.step("rates", program, lambda it=(program, turns, rules): one_program(session, *it), seconds=2)


def metrics_of(session, program, *words, device=None):
    """The figures of a program under warpup by name; None, and a finding, if it failed."""
    done = session.lab("--device", device or session.device, *words, program=session.card_program(program))
    if done["outcome"]["how"] != "done":
        session.note(Finding("rates", program, FAILED, done.get("broken") or str(done["outcome"])))
        return None
    return [(it["name"], it["value"], it.get("unit", "")) for it in done["metrics"]]


def on_pytorch(session, program):
    """The same under PyTorch; nothing without PyTorch or time for it."""
    if not session.torch or session.left() < 1:
        return []
    return (session.torch.run(session.card_program(program), session.left()) or {"metrics": []})["metrics"]


def one_program(session, program, turns, rules):
    """Runs one program under PyTorch and warpup, in turns, and on the model."""
    ours, theirs = [], []
    for turn in range(turns if session.has_card else 1):
        if turn > 0 and session.left() < 4:
            break
        theirs += on_pytorch(session, program)
        found = metrics_of(session, program, "--no-trace")
        if found is None:
            return
        ours += found
    if not session.has_card:
        session.note(Finding("rates", program, NOT_RUN, f"no card: not measured (the program, made small, runs on {session.device})"))
        return
    ours, theirs = gathered(ours), gathered(theirs)
    model = modelled(session, program) if any(name.startswith(MODELLED) for name in ours) else {}
    for name, (values, unit) in ours.items():
        sample = Sample.of(values, unit)
        other = Sample.of(*theirs[name]) if name in theirs else None
        if name in rules:
            session.note(compared("rates", name, sample, other, rules[name]))
        else:
            session.note(Finding("rates", name, MEASURED, f"{sample}; PyTorch {other}" if other else str(sample)))
        if name in model and name.startswith(MODELLED):
            session.note(compared("the model against the card", name, Sample.of(*model[name]), sample, MODEL, other="measured"))


def first_use(session):
    """The first use of a card by a process: the context, the first kernel, the first product."""
    # The PyTorch process has not used the card yet.
    theirs = gathered(on_pytorch(session, "first_use.py"))
    ours = metrics_of(session, "first_use.py")
    if ours is None:
        return
    if not session.has_card:
        session.note(Finding("first use", "first_use.py", NOT_RUN, f"no card: not measured (the program runs on {session.device})"))
        return
    for name, (values, unit) in gathered(ours).items():
        beside = f"; PyTorch {Sample.of(*theirs[name])}" if name in theirs else ""
        session.note(Finding("first use", name, MEASURED, f"{Sample.of(values, unit)}{beside}"))


def terms(session):
    """The terms of the model, each by itself, against PyTorch: a card that runs candle has other kernels."""
    card = model_of(session.card or "", cards(session))
    if session.has_card and card is None:
        session.note(Finding("terms", "terms.py", NOT_RUN, f"there is no model of {session.card}"))
        return
    # On a model each sample is the same, and its values are computed by the host.
    once = session.card_program("terms.py", SAMPLES=1, WARMUPS=0, REPEATS=4)
    done = session.lab("--device", f"model:{card or 'h100'}", "--no-trace", program=once)
    if done["outcome"]["how"] != "done":
        state = FAILED if session.left() > 1 else NOT_RUN
        session.note(Finding("terms", "terms.py", state, done.get("broken") or str(done["outcome"])))
        return
    model = gathered([(it["name"], it["value"], it.get("unit", "")) for it in done["metrics"]])
    if not session.has_card or session.torch is None:
        said = f"no card, or no PyTorch for it: {len(model)} figures of the model are compared with nothing"
        session.note(Finding("terms", "terms.py", NOT_RUN, said))
        return
    theirs = gathered(on_pytorch(session, "terms.py"))
    for name, figure in model.items():
        other = Sample.of(*theirs[name]) if name in theirs else None
        session.note(compared("terms of the model against PyTorch", name, Sample.of(*figure), other, TERM))


def cards(session):
    return (session.root / "assets/cards.toml").read_text()


def modelled(session, program):
    """The figures of the program on the modelled card of the same kind; empty if there is none."""
    card = model_of(session.card, cards(session))
    if card is None or session.left() < 1:
        return {}
    # A model computes no values of products that large only to forget them: once is enough.
    done = session.lab("--device", f"model:{card}", "--no-trace", program=session.card_program(program, SAMPLES=1, WARMUPS=0, REPEATS=4))
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
    found = metrics_of(session, "events.py", "--no-trace")
    if found is None:
        return
    if not session.has_card:
        session.note(Finding("events", "events against the host's clock", NOT_RUN, "no card: not measured"))
        return
    ours = {name: Sample.of(*it) for name, it in gathered(found).items()}
    session.note(compared("events", "40 ms of work by events", ours["events"], ours["host"], within(0.01), other="host"))


def tracing(session):
    """What following an operation adds to the host's time for it."""
    both = [metrics_of(session, "launches.py", *words) for words in (["--no-trace"], [])]
    if None in both:
        return
    if not session.has_card:
        session.note(Finding("rates", "tracing", NOT_RUN, "no card: not measured"))
        return
    session.note(traced(*(Sample.of(gathered(it)["time of the host"][0], "us") for it in both)))


def traced(off, on):
    """The finding for the times of one operation without and with tracing.

    >>> it = traced(Sample(7.0, 7.0, 7.1, 6, "us"), Sample(9.5, 9.4, 9.6, 6, "us"))
    >>> it.state, it.said
    ('passed', '2.50 us per operation, to be at most 3 us: 9.50 us (9.40 to 9.60, 6 samples) with it, 7.00 us (7.00 to 7.10, 6 samples) without')
    >>> traced(Sample(7.0, 7.0, 7.1, 6, "us"), Sample(24.2, 24.1, 24.8, 6, "us")).state
    'failed'
    """
    more = on.median - off.median
    said = f"{more:.2f} us per operation, to be at most {TRACED_US:.0f} us: {on} with it, {off} without"
    figures = {"ratio": more, "rule": f"at most {TRACED_US:.0f} us", "beside": "us more an operation"}
    return Finding("rates", "tracing", PASSED if more <= TRACED_US else FAILED, said, figures)


def memory(session):
    """The live bytes are those of the model and of PyTorch, up to the rounding of each block."""
    found = metrics_of(session, "memory.py")
    if found is None:
        return
    ours = {name: int(value) for name, value, _ in found}
    sides = {"the model": metrics_of(session, "memory.py", device="model:h200") or [], "PyTorch": on_pytorch(session, "memory.py")}
    for other, figures in sides.items():
        figures = {name: int(value) for name, value, _ in figures}
        if not figures:
            continue
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
