"""Training steps beside PyTorch's: losses, time of a step and peak memory of the programs in `training`."""

import dataclasses
import re

from .report import FAILED, MEASURED, NOT_RUN, PASSED, Finding, Sample, at_most, digits, within
from .session import run

AREA = "training steps"
VERIFICATION = "training steps, for verification"
# Peak memory: up to this share more or less than PyTorch's.
PEAK = 0.15
# Two rounds of both sides in turns, the second as far as there is time.
ROUNDS = 2
# A program that needs longer than this has failed.
LONGEST_S = 25
# A rehearsal has these sizes.
SMALL = {
    "STEPS": 1, "EARLY": 2, "ROUNDS": 1, "ROWS": 2, "WIDTH": 8, "HEADS": 2, "GROUPS": 2, "LAYERS": 1, "TOKENS": 8,
    "VOCABULARY": 32, "SIDE": 8, "NOISE": 8,
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """How far losses may be apart: of the first step and of the other early ones relative to PyTorch's, of the last step
    relative to what PyTorch's loss fell since the first; None where training is too sensitive to compare the last."""

    first: float
    early: float
    last: float


# Products in float32; with convolutions and recurrent layers, which PyTorch computes in TF32; in bfloat16. A network and its
# critic follow each other's smallest differences.
FLOAT32 = Tolerance(2e-4, 2e-3, 0.02)
TF32 = Tolerance(2e-3, 2e-2, 0.05)
BFLOAT16 = Tolerance(5e-3, 2e-2, 0.05)
RIVALS = Tolerance(2e-3, 2e-2, None)


@dataclasses.dataclass(frozen=True)
class Program:
    """A program, the goal for the time of its step as a multiple of PyTorch's, and sizes that differ from those in the file."""

    name: str
    goal: float
    tolerance: Tolerance
    file: str = ""
    sizes: tuple = ()


GPT2 = {"LAYERS": 12, "HEADS": 12, "WIDTH": 768, "TOKENS": 1024, "ROWS": 4, "VOCABULARY": 50257, "BFLOAT16": 1, "STEPS": 4}
TRAINING = (
    Program("tiny", 1.0, FLOAT32),
    Program("mlp", 1.15, FLOAT32),
    Program("cnn", 1.5, TF32),
    Program("lstm", 1.5, TF32),
    Program("gpt", 1.5, FLOAT32),
    Program("gpt_bf16", 1.5, BFLOAT16, "gpt", (("BFLOAT16", 1),)),
    Program("gpt2_124m_bf16", 1.5, BFLOAT16, "gpt", tuple(GPT2.items())),
)
OTHERS = (
    Program("vit", 1.5, TF32),
    Program("gan", 1.5, RIVALS),
    Program("translate", 1.5, TF32),
    Program("unet", 1.5, TF32),
    Program("llama", 1.5, BFLOAT16),
)


@dataclasses.dataclass
class Result:
    """What a program printed."""

    early: list
    rounds: list
    last: float
    peak: float

    @classmethod
    def of(cls, output):
        """None if the program did not reach its end.

        >>> Result.of("LOSSES 2.3 2.2\\nROUNDS 1.5 1.4\\nRESULT step_ms 1.5 gpu_ms 1.4 first 2.3 last 0.1 peak_mib 64.5\\n")
        Result(early=[2.3, 2.2], rounds=[1.5, 1.4], last=0.1, peak=64.5)
        >>> Result.of("LOSSES 2.3 2.2\\n")
        """
        lines = {line.split()[0]: line.split()[1:] for line in output.splitlines() if line.strip()}
        if not {"LOSSES", "ROUNDS", "RESULT"} <= lines.keys():
            return None
        named = dict(zip(lines["RESULT"][::2], map(float, lines["RESULT"][1::2])))
        return cls([float(it) for it in lines["LOSSES"]], [float(it) for it in lines["ROUNDS"]], named["last"], named["peak_mib"])


def with_sizes(text, sizes):
    """The program with other sizes.

    >>> print(with_sizes("ROWS = 128\\nx = ROWS\\n", {"ROWS": 2, "SIDE": 8}), end="")
    ROWS = 2
    x = ROWS
    """
    return re.sub(r"^([A-Z0-9]+) = \d+$", lambda it: f"{it[1]} = {sizes.get(it[1], it[0].split()[-1])}", text, flags=re.MULTILINE)


def losses(ours, theirs, tolerance):
    """Whether the losses agree, and in which words.

    >>> one = Result([2.30, 2.20], [1.0] * 5, 0.10, 1.0)
    >>> losses(one, Result([2.3001, 2.201], [1.0] * 5, 0.12, 1.0), FLOAT32)
    (True, 'first 2.30000 against 2.30010 (to differ by 0.02 %), step 2 by 0.0 % (0.2 %), last by 0.9 % of the fall (2 %)')
    >>> losses(one, Result([2.3001, 2.201], [1.0] * 5, 0.22, 1.0), FLOAT32)[0]
    False
    >>> losses(one, Result([2.3001, 2.201], [1.0] * 4, 0.22, 1.0), FLOAT32)
    (True, 'first 2.30000 against 2.30010 (to differ by 0.02 %), step 2 by 0.0 % (0.2 %), last not compared')
    >>> losses(Result([float("nan")], [1.0], 0.1, 1.0), Result([2.3], [1.0], 0.1, 1.0), FLOAT32)[0]
    False
    """
    apart = [abs(one - two) / max(abs(two), 1e-9) for one, two in zip(ours.early, theirs.early)]
    worst = max(range(len(apart)), key=lambda it: apart[it])
    is_good = apart[0] <= tolerance.first and all(it <= tolerance.early for it in apart)
    said = f"first {ours.early[0]:.5f} against {theirs.early[0]:.5f} (to differ by {percent(tolerance.first)})"
    said += f", step {worst + 1} by {apart[worst] * 100:.1f} % ({percent(tolerance.early)})"
    if tolerance.last is None or len(ours.rounds) != len(theirs.rounds):
        return is_good, said + ", last not compared"
    last = abs(ours.last - theirs.last) / max(theirs.early[0] - theirs.last, 1e-9)
    return is_good and last <= tolerance.last, said + f", last by {last * 100:.1f} % of the fall ({percent(tolerance.last)})"


def percent(share):
    """
    >>> percent(2e-4), percent(0.05)
    ('0.02 %', '5 %')
    """
    return f"{share * 100:g} %"


def findings(area, program, ours, theirs, other="PyTorch"):
    """The findings for one program from the results of all rounds; times count only beside PyTorch."""
    name, sample = program.name, times(ours)
    if not theirs:
        return [Finding(area, f"{name}, step", MEASURED, f"{sample}; no PyTorch to compare with")]
    is_good, said = losses(ours[0], theirs[0], program.tolerance)
    found = [Finding(area, f"{name}, losses", PASSED if is_good else FAILED, said if other == "PyTorch" else f"beside {other}: {said}")]
    if other != "PyTorch":
        return found
    beside = times(theirs)
    ratio = sample.median / beside.median
    is_held, rule = at_most(program.goal)(ratio)
    figures = {"ours": dataclasses.asdict(sample), "pytorch": dataclasses.asdict(beside), "ratio": ratio, "rule": rule}
    said = f"{sample}, PyTorch {beside}: {ratio:.2f}, to be {rule}"
    found.insert(0, Finding(area, f"{name}, step", PASSED if is_held else FAILED, said, figures))
    peak, beside = ours[0].peak, theirs[0].peak
    ratio = peak / max(beside, 1e-9)
    is_near, rule = within(PEAK)(ratio)
    said = f"{peak:,.1f} MiB, PyTorch {beside:,.1f} MiB: {ratio:.2f}, to be {rule}"
    figures = {"ours": peak, "pytorch": beside, "ratio": ratio, "rule": rule}
    found.append(Finding(area, f"{name}, peak memory", PASSED if is_near else FAILED, said, figures))
    return found


def times(results):
    """The times of a step of all rounds."""
    return Sample.of([it for one in results for it in one.rounds], "ms")


def table(programs, ours, theirs):
    """The table of the report.

    >>> one, two = [Result([2.3], [3.0], 0.1, 60.0)], [Result([2.3], [2.0], 0.1, 65.0)]
    >>> print("\\n".join(table(TRAINING[:2], {"tiny": one}, {"tiny": two})))
    | program | PyTorch, ms a step | warpup | ratio | goal | peak MiB, PyTorch / warpup | first loss | last loss |
    | --- | --- | --- | --- | --- | --- | --- | --- |
    | tiny | 2.00 | 3.00 | **1.50** | 1 | 65 / 60 | 2.300 / 2.300 | 0.1000 / 0.1000 |
    | mlp | – | – | – | 1.15 | – | – | – |
    """
    lines = ["| program | PyTorch, ms a step | warpup | ratio | goal | peak MiB, PyTorch / warpup | first loss | last loss |"]
    lines.append("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for program in programs:
        both = [theirs.get(program.name), ours.get(program.name)]
        steps = [times(it).median if it else None for it in both]
        ratio = steps[1] / steps[0] if all(steps) else None
        mark = "**" if ratio and not at_most(program.goal)(ratio)[0] else ""
        pair = lambda get, both=both: " / ".join(get(it[0]) if it else "–" for it in both) if any(both) else "–"  # noqa: E731
        cells = [program.name, *(digits(it) if it else "–" for it in steps), f"{mark}{ratio:.2f}{mark}" if ratio else "–", f"{program.goal:g}"]
        cells += [pair(lambda it: f"{it.peak:.0f}"), pair(lambda it: f"{it.early[0]:.3f}"), pair(lambda it: f"{it.last:.4f}")]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def training(session):
    section(session, AREA, TRAINING)


def verification(session):
    section(session, VERIFICATION, OTHERS)


def section(session, area, programs):
    """Runs all programs once on both sides, then once more, and judges what there is when the time of the section is over."""
    other = "PyTorch" if session.torch or session.has_card else "the model"
    ours, theirs, wrong = collected(session, programs, on_pytorch if other == "PyTorch" else on_model)
    for program in programs:
        name = program.name
        if name in wrong:
            found = [Finding(area, name, FAILED, wrong[name])]
        elif name not in ours:
            found = [Finding(area, name, NOT_RUN, "no time left in this section")]
        elif session.is_rehearsal or (not session.has_card and name not in theirs):
            found = [Finding(area, name, NOT_RUN, f"not measured; the program, made small, runs on {session.device}")]
        else:
            found = findings(area, program, ours[name], theirs.get(name), other)
        for finding in found:
            session.note(finding)
    if session.has_card:
        session.tables[area] = table(programs, ours, theirs)


def collected(session, programs, reference):
    """The results on the card and of the reference by name, one for each round, and what went wrong."""
    ours, theirs, wrong = {}, {}, {}
    for turn in range(ROUNDS if session.has_card else 1):
        for program in programs:
            if session.left() < 2 or program.name in wrong:
                continue
            file = prepared(session, program)
            sides = [(reference, theirs), (on_card, ours)]
            # The first of both finds a colder card.
            for side, results in sides if turn % 2 == 0 else reversed(sides):
                result, problem = side(session, file)
                if result:
                    results.setdefault(program.name, []).append(result)
                elif problem and turn == 0:
                    wrong[program.name] = problem
    return ours, theirs, wrong


def prepared(session, program):
    """A folder of its own with the program in its sizes and what it imports; the path of the program."""
    source = session.root / "scripts/gpu_check/training"
    folder = session.folder / "training" / program.name
    folder.mkdir(parents=True, exist_ok=True)
    sizes = dict(program.sizes) if session.has_card else dict(program.sizes) | SMALL
    for name, target in (("common.py", "common.py"), (f"{program.file or program.name}.py", f"{program.name}.py")):
        (folder / target).write_text(with_sizes((source / name).read_text(), sizes))
    return folder / f"{program.name}.py"


def on_card(session, file):
    """Runs a program as a learner does. Its result, or what went wrong."""
    return of_run(session, file, session.device)


def on_model(session, file):
    """The same with values of the CPU; nothing where the card is a model anyway."""
    return of_run(session, file, "model:h200") if not session.is_rehearsal else (None, None)


def of_run(session, file, device):
    seconds = min(LONGEST_S, max(session.left(), 1))
    done = run([str(session.warpup), "run", "--quiet", "--device", device, str(file)], seconds, session.env)
    result = Result.of(done.out)
    if result is None and done.is_late and seconds < LONGEST_S:
        return None, None
    return result, None if result else f"on {device}: {done.problem()}"


def on_pytorch(session, file):
    """Runs a program under PyTorch; nothing without PyTorch or time. Its own mistakes are failures, too."""
    seconds = min(LONGEST_S, max(session.left(), 1))
    done = session.torch.run(file.read_text(), seconds, file.parent) if session.torch else None
    if done is None:
        return None, None
    raised = done["raised"]
    return Result.of(done["output"]), f"under PyTorch: {raised['kind']}: {raised['message'][:200]}" if raised else None
