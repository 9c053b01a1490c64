"""Labs and snippets print on the card what PyTorch prints."""

import os
import re
import types
from concurrent.futures import ThreadPoolExecutor

from .outputs import judged, release, same_as_stored
from .report import FAILED, NOT_RUN, OTHER_VERSION, PASSED, Finding, first_difference

FENCE = re.compile(r"^```python (lab|check|solution)\b=?(\S*)(.*)\n((?:.*\n)*?)^```$", re.MULTILINE)
LESSON = re.compile(r'^id = "([^"]+)"$', re.MULTILINE)
IMPORT = re.compile(r"^import torch$", re.MULTILINE)
# Runs in parallel. Each starts a worker with its own CUDA context.
AT_A_TIME = min(12, max(4, len(os.sched_getaffinity(0))))
# Where a host computes what a card would, a lab may need longer.
PATIENCE_S = {True: 60, False: 150}
# Arrays are in host memory, and so are the lengths of packed sequences, what is pinned, and the tensors of the old typed
# constructors: PyTorch refuses tensors on a card there.
NEEDS_HOST = re.compile(r"\bnumpy\b|pack_padded_sequence|pin_memory|torch\.FloatTensor")

# With tensors on a card by default, PyTorch also refuses the generators of the CPU that a program or a sampler makes.
OTHER_GENERATOR = "Expected a 'cuda' device type for generator but found 'cpu'"


def everything(session):
    """Runs labs and snippets in parallel, the labs first, and compares what they print."""
    followed = (session.root / "tests/fixtures/pytorch/VERSION").read_text()
    labs, files = lab_jobs(session), snippet_files(session)
    seconds = PATIENCE_S[session.has_card]
    jobs = [lambda it=it: session.lab(it[0], f"--{it[1]}", "--device", session.device, seconds=seconds) for it in labs]
    jobs += [lambda it=it: session.lab("--device", session.device, "--no-trace", program=on_the_card(it.read_text()), seconds=seconds) for it in files]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        done = pool.map(lambda job: job() if session.left() > 1 else None, jobs)
        for job in labs:
            session.note(lab_finding(session, job, next(done), followed))
        snippets(session, files, done, followed)


def lab_jobs(session):
    """Lesson and lab, part, program, whether it has to pass, and what PyTorch printed on the CPU.

    The starter of a repair lab must fail and its solution pass; other labs must pass. Labs for one modelled card are left out.
    """
    jobs = []
    for file in sorted((session.root / "lessons").glob("*.md")):
        text = file.read_text()
        lesson = LESSON.search(text)
        for lab in labs_of(text):
            if lab.device.startswith("model:"):
                continue
            where = f"{lesson[1]}/{lab.id}"
            jobs.append((where, "starter", lab.starter, lab.solution is None, stored_lab(session, where, "")))
            if lab.solution is not None:
                jobs.append((where, "solution", lab.solution, True, stored_lab(session, where, ".solution")))
    return jobs


def stored_lab(session, where, part):
    """The stored output of a lab; None if it needs a card to reach its end."""
    file = session.root / f"tests/fixtures/pytorch/{where}{part}.txt"
    ends = file.with_name(f"{file.stem}.raises.txt")
    return file.read_text() if file.is_file() and not ends.is_file() else None


def snippet_files(session):
    """The snippets that can have their tensors on a card, in an order in which the first ones are of all kinds."""
    files = sorted((session.root / "tests/fixtures/snippets").glob("*.py"))
    files = [it for it in files if not NEEDS_HOST.search(it.read_text())]
    return [it for start in range(7) for it in files[start::7]]


def lab_finding(session, job, done, followed):
    """The finding of one lab."""
    where, part, source, has_to_pass, stored = job
    what = f"{where}, {part}"
    if done is None or ("broken" in done and session.left() < 1):
        return Finding("labs", what, NOT_RUN, "no time left in this section")
    if "broken" in done:
        return Finding("labs", what, FAILED, done["broken"])
    if done["passed"] != has_to_pass:
        said = "passes, but must fail" if done["passed"] else f"does not pass: {ending(done)} {failed_checks(done)}"
        return Finding("labs", what, FAILED, said)
    so = "passes" if has_to_pass else "fails as it should"
    if same_as_stored(stored, output_of(done)):
        return Finding("labs", what, PASSED, f"{so}, and prints what PyTorch {release(followed)} prints")
    theirs = session.torch.run(source, session.left()) if session.torch and session.left() > 1 else None
    if theirs is None:
        return Finding("labs", what, PASSED, f"{so} on {session.device}; no PyTorch to compare with")
    state, said = judged(output_of(done), theirs, stored, session.torch_version, followed)
    return Finding("labs", what, state, f"{so}, and {said}" if state == PASSED else said)


def snippets(session, files, runs, followed):
    """Compares every snippet with the stored output of the CPU, and where it differs with PyTorch on the card."""
    states = {PASSED: [], OTHER_VERSION: [], FAILED: [], NOT_RUN: []}
    refused, unknown = [], {}
    for file, done in zip(files, runs):
        name = file.stem
        if done is None or ("broken" in done and session.left() < 1):
            states[NOT_RUN].append(name)
            continue
        stored = file.with_suffix(".txt").read_text()
        if "broken" in done:
            state, said = FAILED, done["broken"]
        elif same_as_stored(stored, output_of(done)):
            state, said = PASSED, ""
        else:
            theirs = session.torch.run(on_the_card(file.read_text()), session.left()) if session.torch and session.left() > 1 else None
            difference = first_difference(stored, output_of(done))
            if theirs is None and OTHER_GENERATOR in done["outcome"].get("message", ""):
                refused.append(name)
                continue
            if theirs is None:
                # Under PyTorch it ends without an error on every device.
                state, said = (FAILED, f"{ending(done)}; {difference}") if done["outcome"]["how"] != "done" and not is_assertion(done) else (NOT_RUN, "")
                if state == NOT_RUN:
                    unknown[name] = difference
                    continue
            elif theirs["raised"] and done["outcome"]["how"] == "done":
                # For the CPU only: PyTorch refuses it with its tensors on a card.
                refused.append(name)
                continue
            else:
                state, said = judged(output_of(done), theirs, stored, session.torch_version, followed)
        states[state].append(name)
        if said and state != PASSED:
            session.note(Finding("snippets", name, state, said))
    session.note(summary(files, states, refused, unknown))


def summary(files, states, refused, unknown):
    """The finding for all snippets together."""
    said = f"{len(states[PASSED])} of {len(files)} print what PyTorch prints"
    for names, of in (
        (states[OTHER_VERSION], "differ from this version of PyTorch"), (states[FAILED], "differ"), (states[NOT_RUN], "were not run: no time left"),
    ):  # fmt: skip
        said += f"; {len(names)} {of}" if names else ""
    said += f"; PyTorch refuses {len(refused)} with tensors on a card ({', '.join(refused)})" if refused else ""
    said += f"; the output of PyTorch on a card is unknown for {len(unknown)} ({', '.join(unknown)})" if unknown else ""
    return Finding("snippets", "all", FAILED if states[FAILED] else PASSED, said, {"unknown": unknown})


def is_assertion(done):
    """Whether a device-side assert ended the run; under PyTorch, a program with an index out of range ends the same way."""
    return "device-side assert" in done["outcome"].get("message", "")


def on_the_card(text):
    """The program with the card as its default device.

    >>> on_the_card("import torch\\nprint(1)\\n").splitlines()[1]
    'torch.set_default_device("cuda")'
    """
    return IMPORT.sub('import torch\ntorch.set_default_device("cuda")', text, count=1)


def labs_of(text):
    """The labs of a lesson in order.

    >>> text = "```python lab id=one device=cuda\\nx\\n```\\n```python solution=one\\ny\\n```\\n"
    >>> [(it.id, it.device, it.starter, it.solution) for it in labs_of(text)]
    [('one', 'cuda', 'x\\n', 'y\\n')]
    """
    found = {}
    for kind, name, attributes, code in FENCE.findall(text):
        if kind == "lab":
            said = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', attributes))
            name, device = said["id"], said.get("device", "any")
            found[name] = types.SimpleNamespace(id=name, device=device, starter=code, solution=None)
        elif kind == "solution":
            found[name].solution = code
    return list(found.values())


def output_of(done):
    """What a run of warpup printed, and the exception that ended it."""
    raised = done["outcome"].get("kind")
    kind = f"raised {raised}\n" if raised else "" if done["outcome"]["how"] == "done" else f"{done['outcome']['how']}\n"
    return done["output"] + kind


def ending(done):
    """How a run ended, in a few words."""
    outcome = done["outcome"]
    return f"{outcome['kind']}: {outcome['message'][:200]}" if outcome["how"] == "raised" else outcome["how"]


def failed_checks(done):
    """The names of the failed checks."""
    return ", ".join(it["name"] for it in done.get("checks", []) if not it.get("ok", it.get("passed", True)))
