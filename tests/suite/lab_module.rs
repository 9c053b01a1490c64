//! The `lab` module inside a program: plots, expected errors, the release threshold, and the device of a run.
//!
//! The snippet `expected-errors.py` compares the text of expected errors with PyTorch's.

use crate::support::lab_runner::{LabRunner, outcome, run_once};
use crate::support::request::{python, python_on};
use warpup_lab::engine::worker_threads;
use warpup_lab::run::Run;
use warpup_protocol::{Clock, DeviceInfo, LogAxes, Outcome, PlotSource, UncaughtException};

fn ran(source: &str) -> Run {
    run_once(python(source))
}

/// The exception that ended a run.
fn raised(run: &Run) -> &UncaughtException {
    let Outcome::Raised(raised) = outcome(run) else {
        panic!("{run:?}");
    };
    raised
}

/// The exception of each statement, a line for each.
fn exceptions_of(statements: &[&str]) -> String {
    let tried = statements.iter().map(|it| {
        format!("try:\n    {it}\nexcept Exception as error:\n    print(type(error).__name__ + ': ' + str(error))\n")
    });
    let head = "import torch\nimport itertools\n".to_owned();
    let source: String = std::iter::once(head).chain(tried).collect();
    LabRunner::start().run_to_done(python(source)).output
}

fn checks(run: &Run) -> String {
    let lines = run.checks.iter().map(|it| {
        let mark = if it.ok { "ok" } else { "not" };
        format!("{mark}: {}; {}", it.name, it.hint.as_deref().unwrap_or("-"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_pool_keeps_memory_up_to_the_release_threshold_when_the_host_waits() {
    let run = LabRunner::start().run_to_done(python_on(
        "model:t4",
        r"import torch
def held():
    torch.cuda.synchronize()
    return torch.cuda.memory_reserved() >> 20
for threshold in (None, 0, 64 << 20):
    lab.release_threshold(threshold)
    x = torch.ones(8 << 20, device='cuda')
    before = held()
    del x
    print(before, held())
",
    ));
    assert_eq!(run.output, "32 32\n32 0\n32 32\n");
}

#[test]
fn a_plot_arrives_with_its_numbers_and_names() {
    let run = ran(r#"import torch
x = torch.arange(1, 4)
lab.plot(x, {"a": x * 2, "b": [torch.tensor(1.5), 2, True]}, log="y", labels=("n", "ms"), title="Time")
lab.plot([1, 2, 3], (float("nan"), 10 ** 400, -3), source="counted")
"#);
    assert_eq!(outcome(&run), &Outcome::Done);
    let [time, plain] = run.plots.as_slice() else {
        panic!("{:?}", run.plots);
    };
    assert_eq!(
        (&*time.title, &*time.x_label, &*time.y_label, time.log),
        ("Time", "n", "ms", LogAxes::Y)
    );
    let series: Vec<_> = time
        .series
        .iter()
        .map(|it| (&*it.name, it.points.clone()))
        .collect();
    assert_eq!(
        series,
        [
            ("a", vec![(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]),
            ("b", vec![(1.0, 1.5), (2.0, 2.0), (3.0, 1.0)]),
        ]
    );
    assert_eq!(plain.series[0].points, [(3.0, -3.0)]);
    assert_eq!(plain.series[0].skipped, 2);
    assert_eq!(
        (time.source, plain.source),
        (PlotSource::Run, PlotSource::Counted)
    );
}

#[test]
fn what_cannot_be_plotted_is_explained_in_the_words_of_the_course() {
    insta::assert_snapshot!(exceptions_of(&[
        "lab.plot([1, 2], [1])",
        "lab.plot([1, 2], {'loss': [1, 2, 3]})",
        "lab.plot([1, 2], {'loss': [1, 0]}, log='y')",
        "lab.plot([-2.5, 2], [1, 2], log=True)",
        "lab.plot([1], [1], log='z')",
        "lab.plot([1], [1], source='guessed')",
        "lab.plot(range(20000), range(20000))",
        "lab.plot(itertools.count(), [1])",
        "lab.bars('ab', [1, 2])",
        "lab.bars(['a', 'b'], [1])",
        "lab.bars(['a'], [-1])",
        "lab.bars(['a'], ['1'])",
        "lab.bars(itertools.count(), [1])",
        "lab.bars(['a'], {})",
        "lab.plot(range(6000), {'a': range(6000), 'b': range(6000)})",
        "lab.plot([1], {str(it): [1] for it in range(7)})",
        "lab.plot([1], {})",
        "lab.plot('ab', [1])",
        "lab.plot([1], 3)",
        "lab.plot(['a'], [1])",
        "lab.plot(torch.ones(2, 3), [1, 2])",
        "lab.plot([1], [1], labels='x')",
    ]), @"
    ValueError: lab.plot: x has 2 points and series has 1 point: give each x one y
    ValueError: lab.plot: x has 2 points and series 'loss' has 3 points: give each x one y
    ValueError: lab.plot: the y axis is logarithmic and series 'loss' has 0, which has no logarithm: leave that point out, or leave log out
    ValueError: lab.plot: the x axis is logarithmic and x has -2.5, which has no logarithm: leave that point out, or leave log out
    ValueError: lab.plot: log is 'z': it can be False, True (both axes), 'x', 'y' or 'xy'
    ValueError: lab.plot: source is 'guessed': it can be 'run' (measured or modelled), 'counted' or 'given'
    ValueError: lab.plot: x has more than 10000 points, and a plot takes no more: plot every tenth, x[::10] and y[::10]
    ValueError: lab.plot: x has more than 10000 points, and a plot takes no more: plot every tenth, x[::10] and y[::10]
    TypeError: lab.bars: names is of type str: give a list of texts, one for each bar
    ValueError: lab.bars: there are 2 names and 1 values: give each name one number
    ValueError: lab.bars: values has -1: a bar is as long as its number, so at least 0
    TypeError: lab.bars: values[0] is of type str: each point has to be a number
    ValueError: lab.bars: there are more than 40 names: draw fewer bars, or use lab.plot
    ValueError: lab.bars: there is nothing to draw: values is an empty dictionary
    ValueError: lab.plot: the series have together more than 10000 points, and a plot takes no more: plot every tenth, x[::10] and y[::10]
    ValueError: lab.plot: 7 series cannot be told apart: give at most 6, or make two plots
    ValueError: lab.plot: there is nothing to draw: series is an empty dictionary
    TypeError: lab.plot: x is of type str: give a list or a tensor of numbers
    TypeError: lab.plot: series is of type int: give a list or a tensor of numbers
    TypeError: lab.plot: x[0] is of type str: each point has to be a number
    ValueError: lab.plot: x is a tensor of shape (2, 3): give it one dimension, for example with .flatten()
    ValueError: lab.plot: labels is a pair, what runs along and what runs up: labels=('step', 'loss')
    ");
}

#[test]
fn a_run_shows_at_most_eight_plots() {
    let run = ran("import torch\nfor i in range(9):\n    lab.plot([i], [i])\n");
    assert_eq!(run.plots.len(), 8);
    let raised = raised(&run);
    assert!(raised.message.contains("no more plots"), "{raised:?}");
}

#[test]
fn a_block_that_raises_something_else_or_nothing_fails_like_a_check() {
    let run = ran(r#"import torch
with lab.expect_error(RuntimeError):
    torch.ones(2, 3) @ torch.ones(2, 3)
with lab.expect_error(ValueError):
    x = torch.ones(2)
with lab.expect_error("IndexError", match="dimension 7"):
    x[5]
print("never")
"#);
    let index_error = raised(&run);
    assert_eq!(
        (index_error.kind.as_str(), index_error.line),
        ("IndexError", 7)
    );
    insta::assert_snapshot!(checks(&run), @r"
    ok: RuntimeError is raised on line 3; -
    not: ValueError is raised on line 4; nothing was raised: each line of the block did its work
    not: IndexError is raised on line 7; its message does not contain 'dimension 7': IndexError: index 5 is out of bounds for dimension 0 with size 2
    ");
    let run = ran("import torch\nwith lab.expect_error(3):\n    pass\n");
    insta::assert_snapshot!(raised(&run).message, @"lab.expect_error: 3 is not an exception class: give a class such as RuntimeError, or its name");
}

/// The frames of a traceback hold their variables, so a caught error could keep a card full.
#[test]
fn an_expected_error_holds_no_memory() {
    let run = LabRunner::start().run_to_done(python_on(
        "model:t4",
        r#"import torch

def step():
    x = torch.empty(1 << 28, device="cuda")
    y = torch.empty(1 << 28, device="cuda")
    return torch.empty(1 << 40, device="cuda")

for _ in range(3):
    with lab.expect_error("OutOfMemoryError"):
        try:
            step()
        except torch.cuda.OutOfMemoryError:
            step()
    print(torch.cuda.memory_allocated())
"#,
    ));
    let left: Vec<&str> = run
        .output
        .lines()
        .filter(|it| !it.starts_with("torch.OutOfMemoryError: "))
        .collect();
    assert_eq!(left, ["0", "0", "0"]);
}

#[test]
fn a_run_can_be_stopped_inside_of_an_expected_error() {
    let mut runner = LabRunner::start();
    let run = runner.begin(python(
        "import torch\nprint('begun')\nwhile True:\n    with lab.expect_error(Exception):\n        while True:\n            pass\n",
    ));
    runner.cancel(run);
    assert_eq!(outcome(&runner.end_of(run)), &Outcome::Cancelled);
}

#[test]
fn the_cpu_says_how_many_threads_it_has_and_that_it_was_measured() {
    let run = ran("import torch\nprint(torch.cuda.is_available(), (torch.ones(2) + 1).device)\n");
    assert_eq!(run.output, "False cpu\n");
    let device = run.device.unwrap();
    assert_eq!(device, DeviceInfo::cpu(worker_threads()));
    assert_eq!(device.clock, Clock::Measured);
    assert!((1..=4).contains(&worker_threads()));
    let report = run.report.unwrap();
    assert_eq!(report.clock, Clock::Measured);
    assert!(report.lines.iter().all(|it| it.device_ns.is_none()));
    assert_eq!((report.device_ns, report.gaps), (None, None));
}

#[test]
fn notes_say_once_what_a_run_does_otherwise_and_are_not_printed() {
    let run = ran("import torch
from torch.utils.data import DataLoader
for _ in range(2):
    DataLoader(range(4), num_workers=2)
    torch.save(torch.ones(2), 'a.pt')
print(torch.load('a.pt').tolist())
");
    assert_eq!(run.output, "[1.0, 1.0]\n");
    let notes = &run.report.as_ref().unwrap().notes;
    let begins: Vec<_> = notes
        .iter()
        .map(|it| it.split(&[':', ',']).next().unwrap())
        .collect();
    assert_eq!(begins, ["a run is one process", "a run has no disk"]);
}

#[test]
fn a_card_and_the_host_share_what_was_saved() {
    let run = run_once(python_on(
        "model:t4",
        "import io
import os
import torch
x = torch.arange(3.0, device='cuda')
before = torch.cuda.memory_allocated()
torch.save({'x': x}, 'out/x.pt')
print(torch.cuda.memory_allocated() == before, os.listdir('out'), os.path.getsize('out/x.pt'))
print(torch.load('out/x.pt'), torch.load('out/x.pt', map_location='cpu'))
print(torch.load('out/x.pt', map_location=lambda values, place: values)['x'].device)
print(torch.cuda.FloatTensor([1, 2]), isinstance(x, torch.cuda.FloatTensor), x.type())
state = torch.cuda.get_rng_state()
first = torch.rand(2, device='cuda')
torch.cuda.set_rng_state(state)
print(torch.equal(first, torch.rand(2, device='cuda')), torch.accelerator.current_accelerator())
",
    ));
    insta::assert_snapshot!(run.output, @r"
    True ['x.pt'] 12
    {'x': tensor([0., 1., 2.], device='cuda:0')} {'x': tensor([0., 1., 2.])}
    cpu
    tensor([1., 2.], device='cuda:0') True torch.cuda.FloatTensor
    True cuda
    ");
}

#[test]
fn the_lines_of_a_run_make_up_its_time() {
    // Much to read, and little to run.
    let unread = "    print('never')\n".repeat(3000);
    let source = format!("if False:\n{unread}x = 1\nprint(x)\n");
    // A busy machine may stop the worker anywhere.
    let rests = (0..5).map(|_| {
        let run = ran(&source);
        let report = run.report.unwrap();
        let lines: u64 = report.lines.iter().map(|it| it.host_ns).sum();
        report.host_ns - lines
    });
    let least = rests.min().unwrap();
    assert!(least < 1_000_000, "{least} ns of the run are in no line");
}

#[test]
fn a_check_whose_name_and_condition_are_exchanged_is_an_error() {
    let said = exceptions_of(&[
        "lab.check(len([1, 2]) == 2, 'There are two', 'Make two.')",
        "lab.check('There are two', 'Make two.', len([1, 2]) == 2)",
        "lab.check('There are two', [1, 2], 'Make two.')",
        "lab.check('There are two', (len([1]) == 2,), 'Make two.')",
    ]);
    insta::assert_snapshot!(said, @"
    TypeError: lab.check takes a text, then a condition that is no text: lab.check(name, ok, hint)
    TypeError: lab.check takes a text, then a condition that is no text: lab.check(name, ok, hint)
    TypeError: lab.check takes a condition, and this is a tuple: leave out the comma behind the condition
    ");
}

#[test]
fn a_file_of_warpups_own_is_loaded_without_a_search_for_what_was_meant() {
    // The search took `torch.manual_seed`, the first line of many programs, 13 ms, and the line had them as its own.
    LabRunner::start().run_to_done(python(
        r#"import sys
import torch

def search(*names):
    raise ValueError(f"searched for {names}")

sys.modules["warpup._names"].advice = search
torch.manual_seed(0)
"#,
    ));
}
