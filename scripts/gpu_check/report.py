"""Findings, their limits, and the reports. Pure: no file, no clock, no process.

A finding has one of five states. `passed` and `failed` were compared with a limit, `measured` is a figure without
one, and `not run` says why there is no figure. `other version` is a difference from the PyTorch of this machine that
the outputs of the version that warpup follows explain.
"""

import dataclasses
import re
import statistics

PASSED, FAILED, MEASURED, NOT_RUN, OTHER_VERSION = "passed", "failed", "measured", "not run", "other version"
STATES = (PASSED, FAILED, MEASURED, NOT_RUN, OTHER_VERSION)


@dataclasses.dataclass
class Finding:
    """One line of the report."""

    area: str
    what: str
    state: str
    said: str
    figures: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Sample:
    """A median with its quartiles and the number of values."""

    median: float
    low: float
    high: float
    count: int
    unit: str

    @classmethod
    def of(cls, values, unit):
        """
        >>> Sample.of([3.0, 1.0, 2.0, 4.0, 5.0], "GB/s")
        Sample(median=3.0, low=2.0, high=4.0, count=5, unit='GB/s')
        >>> Sample.of([2.0], "s").high
        2.0
        """
        values = sorted(values)
        if len(values) < 2:
            return cls(values[0], values[0], values[0], len(values), unit)
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(statistics.median(values), low, high, len(values), unit)

    def __str__(self):
        """
        >>> print(Sample(712.345, 710.0, 715.0, 24, "TFLOP/s"))
        712 TFLOP/s (710 to 715, 24 samples)
        """
        return f"{digits(self.median)} {self.unit} ({digits(self.low)} to {digits(self.high)}, {self.count} samples)".replace("  ", " ")


def digits(value):
    """A number with three significant digits, without an exponent.

    >>> digits(0.123456), digits(12.3456), digits(1234567.0), digits(0.0)
    ('0.123', '12.3', '1,234,567', '0')
    """
    if value == 0 or value != value:
        return "0" if value == 0 else "nan"
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    places = 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{value:.{places}f}" if size >= 0.001 else f"{value:.3g}"


def gathered(metrics):
    """The values of `NAME #i` by NAME, each with its unit, in the order of the names.

    >>> gathered([("add #0", 1.0, "GB/s"), ("add #1", 3.0, "GB/s"), ("once", 7.0, "")])
    {'add': ([1.0, 3.0], 'GB/s'), 'once': ([7.0], '')}
    """
    found = {}
    for name, value, unit in metrics:
        values, _ = found.setdefault(name.partition(" #")[0], ([], unit))
        values.append(value)
    return found


def within(share):
    """A limit: the ratio differs from 1 by at most this share.

    >>> hold = within(0.03)
    >>> hold(1.029), hold(0.96)
    ((True, 'within 3 %'), (False, 'within 3 %'))
    """
    return lambda ratio: (abs(ratio - 1) <= share, f"within {share * 100:.0f} %")


def at_least(least):
    """A limit: the ratio is at least this.

    >>> at_least(1.0)(0.99)
    (False, 'at least 1.00 of it')
    """
    return lambda ratio: (ratio >= least, f"at least {least:.2f} of it")


def at_most(most):
    """A limit: the ratio is at most this.

    >>> at_most(1.5)(1.51)
    (False, 'at most 1.50 of it')
    """
    return lambda ratio: (ratio <= most, f"at most {most:.2f} of it")


def compared(area, what, ours, theirs, hold, other="PyTorch"):
    """A finding from two samples of the same figure.

    >>> one = Sample(98.0, 96.0, 99.0, 12, "GB/s")
    >>> two = Sample(100.0, 99.0, 101.0, 12, "GB/s")
    >>> it = compared("rates", "add", one, two, within(0.03))
    >>> it.state, it.said
    ('passed', '98.0 GB/s (96.0 to 99.0, 12 samples), PyTorch 100 GB/s (99.0 to 101, 12 samples): 0.980, to be within 3 %')
    >>> compared("rates", "add", one, None, within(0.03)).state
    'measured'
    >>> none = Sample(0.0, 0.0, 0.0, 1, "GB/s")
    >>> compared("rates", "add", one, none, within(0.03)).state, compared("rates", "add", none, none, within(0.03)).state
    ('failed', 'passed')
    """
    figures = {"ours": dataclasses.asdict(ours)}
    if theirs is None:
        return Finding(area, what, MEASURED, f"{ours}; no figure of {other} to compare with", figures)
    figures[other.lower()] = dataclasses.asdict(theirs)
    if theirs.median == 0:
        if ours.median == 0:
            return Finding(area, what, PASSED, f"{ours}, {other} the same", figures)
        return Finding(area, what, FAILED, f"{ours}, {other} {theirs}", figures)
    ratio = ours.median / theirs.median
    is_held, rule = hold(ratio)
    figures.update(ratio=ratio, rule=rule, beside=f"of {other}")
    said = f"{ours}, {other} {theirs}: {ratio:.3f}, to be {rule}"
    return Finding(area, what, PASSED if is_held else FAILED, said, figures)


def first_difference(expected, found):
    """The first line that differs, from both, or None.

    >>> first_difference("a\\nb\\n", "a\\nc\\n")
    "line 2: 'b' against 'c'"
    >>> first_difference("a\\n", "a\\n")
    >>> first_difference("a\\n", "a\\nb\\n")
    "line 2: nothing against 'b'"
    """
    if expected == found:
        return None
    theirs, ours = expected.splitlines(), found.splitlines()
    for at in range(max(len(theirs), len(ours))):
        one = repr(theirs[at]) if at < len(theirs) else "nothing"
        two = repr(ours[at]) if at < len(ours) else "nothing"
        if one != two:
            return f"line {at + 1}: {one} against {two}"
    return "the ends of lines differ"


def counts(findings):
    """The number of findings in each state.

    >>> counts([Finding("a", "b", PASSED, "")])
    {'passed': 1, 'failed': 0, 'measured': 0, 'not run': 0, 'other version': 0}
    """
    return {state: sum(it.state == state for it in findings) for state in STATES}


def missed(findings):
    """The figures that miss their goals, one line each.

    >>> missed([Finding("rates", "add", FAILED, "", {"ratio": 0.5, "rule": "at least 0.90 of it"}), Finding("labs", "one", FAILED, "")])
    ['rates, add: 0.50 of PyTorch, to be at least 0.90 of it']
    """
    ruled = [it for it in findings if it.state == FAILED and "rule" in it.figures]
    return [f"{it.area}, {it.what}: {it.figures['ratio']:.2f} {it.figures.get('beside', 'of PyTorch')}, to be {it.figures['rule']}" for it in ruled]


def as_json(machine, findings, took_s):
    """The report for programs."""
    return {
        "machine": machine,
        "took_s": round(took_s, 1),
        "counts": counts(findings),
        "findings": [dataclasses.asdict(it) for it in findings],
    }


def as_markdown(machine, findings, took_s, tables):
    """The report for docs/measured; `tables` has lines that come before the findings of an area.

    >>> print(as_markdown({"card": "H200", "date": "2026-11-20"}, [Finding("rates", "a|b", FAILED, "slow")], 61.0, {}))
    ## 2026-11-20: H200
    <BLANKLINE>
    - card: H200
    - date: 2026-11-20
    - took: 61 s
    - findings: 0 passed, 1 failed, 0 measured, 0 not run, 0 other version
    <BLANKLINE>
    No figure misses its goal; 0 were compared with one.
    <BLANKLINE>
    ### rates
    <BLANKLINE>
    | what | state | found |
    | --- | --- | --- |
    | a\\|b | **failed** | slow |
    <BLANKLINE>
    """
    cell = lambda text: " ".join(text.replace("|", "\\|").split())  # noqa: E731
    lines = [f"## {machine.get('date', '')}: {machine.get('card', 'no card')}", ""]
    lines += [f"- {key}: {cell(str(value))}" for key, value in machine.items()]
    lines += [f"- took: {took_s:.0f} s"]
    lines += ["- findings: " + ", ".join(f"{count} {state}" for state, count in counts(findings).items()), ""]
    goals, ruled = missed(findings), sum("rule" in it.figures for it in findings)
    said = f"{len(goals)} of {ruled} figures miss their goals:" if goals else f"No figure misses its goal; {ruled} were compared with one."
    lines += [said, "", *(f"- {cell(it)}" for it in goals), *([""] if goals else [])]
    for area in dict.fromkeys(it.area for it in findings):
        lines += [f"### {area}", ""]
        if area in tables:
            lines += [*tables[area], ""]
        lines += ["| what | state | found |", "| --- | --- | --- |"]
        for it in findings:
            if it.area == area:
                state = f"**{it.state}**" if it.state == FAILED else it.state
                lines.append(f"| {cell(it.what)} | {state} | {cell(it.said)} |")
        lines.append("")
    return "\n".join(lines)


PAGE = """# A real card

What `scripts/gpu-check --report docs/measured/card.md` found, newest first: the card, the host and the versions of each run, and
which figure misses its goal.
"""


def into_page(page, report):
    """The page of measurements with one more report, before the older ones.

    >>> page = into_page("", "## 2026-11-20: H200\\n")
    >>> into_page(page, "## 2026-12-01: H100\\n").splitlines()[-3:]
    ['## 2026-12-01: H100', '', '## 2026-11-20: H200']
    """
    begin, mark, older = (page or PAGE).partition("\n## ")
    return f"{begin.rstrip()}\n\n{report.rstrip()}\n" + (f"{mark}{older}" if mark else "")
