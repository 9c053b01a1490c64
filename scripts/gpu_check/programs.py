"""Labs and snippets print and do on the card what they do under PyTorch there."""

import re
import types
from concurrent.futures import ThreadPoolExecutor

from .report import FAILED, NOT_RUN, PASSED, Finding, first_difference, without_operation, without_places

FENCE = re.compile(r"^```python (lab|check|solution)\b=?(\S*)(.*)\n((?:.*\n)*?)^```$", re.MULTILINE)
LESSON = re.compile(r'^id = "([^"]+)"$', re.MULTILINE)
IMPORT = re.compile(r"^import warpup as torch$", re.MULTILINE)
# Each run starts a worker, which makes a context of its own.
AT_A_TIME = 8


def labs(session):
    """Every lab: a repair fails as it starts and passes as it is solved, all others pass.

    Labs that ask for a certain modelled card are about that card, and say nothing about this one.
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
            session.note(judged_lab(session, job, done))


def judged_lab(session, job, done):
    """What came of one lab."""
    where, part, source, has_to_pass = job
    what = f"{where}, {part}"
    if "broken" in done:
        return Finding("labs", what, FAILED, done["broken"])
    if done["passed"] != has_to_pass:
        said = "passes, and has to fail" if done["passed"] else f"does not pass: {ending(done)} {failed_checks(done)}"
        return Finding("labs", what, FAILED, said)
    theirs = session.torch.run(source) if session.torch else None
    if theirs is None:
        return Finding("labs", what, PASSED, f"{'passes' if has_to_pass else 'fails as it should'} on {session.device}; no PyTorch to print beside it")
    difference = first_difference(told_by_pytorch(theirs), told(done))
    if difference:
        return Finding("labs", what, FAILED, f"PyTorch prints something else: {difference}")
    return Finding("labs", what, PASSED, f"{'passes' if has_to_pass else 'fails as it should'}, and prints what PyTorch prints")


def snippets(session):
    """Every snippet with its tensors on the card, against PyTorch there or else against what its CPU printed."""
    files = sorted((session.root / "tests/fixtures/snippets").glob("*.py"))

    def ours(file):
        return session.lab("--device", session.device, "--no-trace", program=on_the_card(file.read_text()))

    same, refused, unknown, other = 0, [], {}, 0
    beside = f"PyTorch {session.torch.version} on this card" if session.torch else "PyTorch's CPU, the card's name left out"
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for file, done in zip(files, pool.map(ours, files)):
            if session.left() < 1:
                session.note(Finding("snippets", "the rest", NOT_RUN, "the time for this check was spent"))
                break
            if "broken" in done:
                session.note(Finding("snippets", file.stem, FAILED, done["broken"]))
                other += 1
                continue
            theirs = session.torch.run(on_the_card(file.read_text())) if session.torch else None
            if theirs is None:
                printed = file.with_suffix(".txt").read_text()
                difference = first_difference(without_operation(without_places(printed)), without_operation(without_places(told(done))))
                if difference and done["outcome"]["how"] != "done" and not is_assertion(done):
                    # It ends well under PyTorch, wherever its tensors are.
                    other += 1
                    session.note(Finding("snippets", file.stem, FAILED, f"{ending(done)}; {difference}"))
                elif difference:
                    unknown[file.stem] = difference
                else:
                    same += 1
                continue
            if theirs["raised"] and done["outcome"]["how"] == "done":
                # Written for the CPU: PyTorch itself refuses it with its tensors on a card.
                refused.append(file.stem)
                continue
            difference = first_difference(without_operation(told_by_pytorch(theirs)), without_operation(told(done)))
            if difference:
                other += 1
                session.note(Finding("snippets", file.stem, FAILED, difference))
            else:
                same += 1
    said = f"{same} of {len(files)} print the same as {beside}; {other} differ"
    if refused:
        said += f"; PyTorch refuses {len(refused)} with tensors on a card ({', '.join(refused)})"
    if unknown:
        said += f"; what PyTorch prints on a card is not known here for {len(unknown)} ({', '.join(unknown)})"
    session.note(Finding("snippets", "all", FAILED if other else PASSED, said, {"unknown": unknown}))


def is_assertion(done):
    """Whether a kernel's assertion ended a run; a program about indices out of range ends so under PyTorch, too."""
    return "device-side assert" in done["outcome"].get("message", "")


def on_the_card(text):
    """The program with its tensors on the card unless it says otherwise.

    >>> on_the_card("import warpup as torch\\nprint(1)\\n").splitlines()[1]
    'torch.set_default_device("cuda")'
    """
    return IMPORT.sub('import warpup as torch\ntorch.set_default_device("cuda")', text, count=1)


def labs_of(text):
    """The labs of a lesson, in their order.

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


def told(done):
    """What a run of ours printed, with what ended it."""
    raised = done["outcome"].get("kind")
    kind = f"raised {raised}\n" if raised else "" if done["outcome"]["how"] == "done" else f"{done['outcome']['how']}\n"
    return done["output"] + kind


def told_by_pytorch(done):
    """The same of a run of PyTorch's."""
    return done["output"] + (f"raised {done['raised']['kind']}\n" if done["raised"] else "")


def ending(done):
    """How a run ended, in a few words."""
    outcome = done["outcome"]
    return f"{outcome['kind']}: {outcome['message'][:200]}" if outcome["how"] == "raised" else outcome["how"]


def failed_checks(done):
    """The checks that did not hold."""
    return ", ".join(it["name"] for it in done.get("checks", []) if not it.get("ok", it.get("passed", True)))
