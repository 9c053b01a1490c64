"""Labs and snippets print on the card what they print under PyTorch there."""

import re
import types
from concurrent.futures import ThreadPoolExecutor

from .report import FAILED, NOT_RUN, PASSED, Finding, first_difference, without_operation, without_places

FENCE = re.compile(r"^```python (lab|check|solution)\b=?(\S*)(.*)\n((?:.*\n)*?)^```$", re.MULTILINE)
LESSON = re.compile(r'^id = "([^"]+)"$', re.MULTILINE)
IMPORT = re.compile(r"^import torch$", re.MULTILINE)
# Runs in parallel. Each starts a worker with its own CUDA context.
AT_A_TIME = 8


def labs(session):
    """Runs every lab: the starter of a repair lab must fail and its solution pass; other labs must pass.

    Labs for one modelled card are left out.
    """
    jobs = []
    for file in sorted((session.root / "lessons").glob("*.md")):
        text = file.read_text()
        lesson = LESSON.search(text)
        for lab in labs_of(text):
            if lab.device.startswith("model:"):
                continue
            where = f"{lesson[1]}/{lab.id}"
            jobs.append((where, "starter", lab.starter, lab.solution is None))
            if lab.solution is not None:
                jobs.append((where, "solution", lab.solution, True))

    def ours(job):
        where, part, _, _ = job
        return session.lab(where, f"--{part}", "--device", session.device)

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for job, done in zip(jobs, pool.map(ours, jobs)):
            session.note(lab_finding(session, job, done))


def lab_finding(session, job, done):
    """The finding of one lab."""
    where, part, source, has_to_pass = job
    what = f"{where}, {part}"
    if "broken" in done:
        return Finding("labs", what, FAILED, done["broken"])
    if done["passed"] != has_to_pass:
        said = "passes, but must fail" if done["passed"] else f"does not pass: {ending(done)} {failed_checks(done)}"
        return Finding("labs", what, FAILED, said)
    theirs = session.torch.run(source) if session.torch else None
    if theirs is None:
        return Finding("labs", what, PASSED, f"{'passes' if has_to_pass else 'fails as it should'} on {session.device}; no PyTorch to compare with")
    difference = first_difference(pytorch_output_of(theirs), output_of(done))
    if difference:
        return Finding("labs", what, FAILED, f"PyTorch prints something else: {difference}")
    return Finding("labs", what, PASSED, f"{'passes' if has_to_pass else 'fails as it should'}, and prints what PyTorch prints")


# Arrays are in host memory, and so are the lengths of packed sequences, what is pinned, and the tensors of the old typed
# constructors: PyTorch refuses tensors on a card there.
NEEDS_HOST = re.compile(r"\bnumpy\b|pack_padded_sequence|pin_memory|torch\.FloatTensor")


def snippets(session):
    """Compares every snippet, with its tensors on the card, with PyTorch on the card or with the stored CPU output."""
    files = sorted((session.root / "tests/fixtures/snippets").glob("*.py"))
    refused = [it.stem for it in files if NEEDS_HOST.search(it.read_text())]
    files = [it for it in files if it.stem not in refused]

    def ours(file):
        return session.lab("--device", session.device, "--no-trace", program=on_the_card(file.read_text()))

    same, unknown, other = 0, {}, 0
    beside = f"PyTorch {session.torch.version} on this card" if session.torch else "PyTorch on the CPU, without the device names"
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for file, done in zip(files, pool.map(ours, files)):
            if session.left() < 1:
                session.note(Finding("snippets", "the rest", NOT_RUN, "no time left"))
                break
            if "broken" in done:
                session.note(Finding("snippets", file.stem, FAILED, done["broken"]))
                other += 1
                continue
            theirs = session.torch.run(on_the_card(file.read_text())) if session.torch else None
            if theirs is None:
                printed = file.with_suffix(".txt").read_text()
                difference = first_difference(without_operation(without_places(printed)), without_operation(without_places(output_of(done))))
                if difference and done["outcome"]["how"] != "done" and not is_assertion(done):
                    # Under PyTorch it ends without an error on every device.
                    other += 1
                    session.note(Finding("snippets", file.stem, FAILED, f"{ending(done)}; {difference}"))
                elif difference:
                    unknown[file.stem] = difference
                else:
                    same += 1
                continue
            if theirs["raised"] and done["outcome"]["how"] == "done":
                # For the CPU only: PyTorch also refuses it with its tensors on a card.
                refused.append(file.stem)
                continue
            difference = first_difference(without_operation(pytorch_output_of(theirs)), without_operation(output_of(done)))
            if difference:
                other += 1
                session.note(Finding("snippets", file.stem, FAILED, difference))
            else:
                same += 1
    said = f"{same} of {len(files)} print the same as {beside}; {other} differ"
    if refused:
        said += f"; PyTorch refuses {len(refused)} with tensors on a card ({', '.join(refused)})"
    if unknown:
        said += f"; the output of PyTorch on a card is unknown for {len(unknown)} ({', '.join(unknown)})"
    session.note(Finding("snippets", "all", FAILED if other else PASSED, said, {"unknown": unknown}))


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


def pytorch_output_of(done):
    """The same of a run of PyTorch."""
    return done["output"] + (f"raised {done['raised']['kind']}\n" if done["raised"] else "")


def ending(done):
    """How a run ended, in a few words."""
    outcome = done["outcome"]
    return f"{outcome['kind']}: {outcome['message'][:200]}" if outcome["how"] == "raised" else outcome["how"]


def failed_checks(done):
    """The names of the failed checks."""
    return ", ".join(it["name"] for it in done.get("checks", []) if not it.get("ok", it.get("passed", True)))
