//! How often each line of a program is reached: the counts at the left of `tests/fixtures/line_hits`, most of which the
//! interpreter's own trace of lines gave before marks in the bytecode took its place.

use crate::support::lab_runner::LabRunner;
use crate::support::request::{python, python_on};
use crate::support::source;
use std::collections::BTreeMap;
use std::fmt::Write;
use warpup_lab::run::Run;
use warpup_protocol::LineTime;

fn lines(run: &Run) -> &[LineTime] {
    &run.report.as_ref().unwrap().lines
}

fn hits(run: &Run) -> BTreeMap<usize, u64> {
    let lines = lines(run).iter();
    lines.map(|it| (it.line as usize, it.hits)).collect()
}

/// The program with the counts at the left.
fn with_hits(program: &str, hits: &BTreeMap<usize, u64>) -> String {
    let mut text = String::new();
    for (line, source) in (1..).zip(program.lines()) {
        let hits = hits.get(&line).filter(|it| **it > 0);
        let hits = hits.map(u64::to_string).unwrap_or_default();
        writeln!(text, "{}", format!("{hits:>4} {source}").trim_end()).unwrap();
    }
    text
}

#[test]
fn each_line_is_counted_when_it_is_reached() {
    let mut runner = LabRunner::start();
    for fixture in source::files_under("tests/fixtures/line_hits") {
        let lines = fixture.text.lines();
        let program: String = lines
            .map(|it| it.get(5..).unwrap_or_default().to_owned() + "\n")
            .collect();
        let run = runner.run_to_done(python(program.as_str()));
        let found = with_hits(&program, &hits(&run));
        assert_eq!(found, fixture.text, "{}", fixture.path);
    }
}

/// More than 255 constants, and jumps over more than 255 instructions.
#[test]
fn lines_of_long_loops_are_counted() {
    let body: String = (0..300)
        .map(|it| format!("    total += i * {it}.5\n"))
        .collect::<Vec<_>>()
        .concat();
    let program = format!(
        "total = 0
for i in range(3):
    if i == 1:
        continue
{body}
def far(x):
    try:
        while x:
            {indented}
            raise ValueError(total)
    except ValueError:
        return 5
    finally:
        total = 1
print(total, far(2), far(0))
",
        indented = body
            .replace("    total += i", "            total = x")
            .trim_start()
    );
    let run = LabRunner::start().run_to_done(python(program.as_str()));
    assert_eq!(run.output, "90000.0 5 None\n");
    let hits = hits(&run);
    assert_eq!((hits[&2], hits[&3], hits[&4]), (4, 3, 1));
    assert!((5..305).all(|it| hits[&it] == 2), "{hits:?}");
    // The second `far` comes to no line of the loop.
    assert_eq!((hits[&308], hits[&309], hits[&608]), (2, 1, 1));
}

#[test]
fn a_line_goes_on_after_a_function_that_an_exception_has_left() {
    let program = "import torch
class Lazy:
    def __getattr__(self, name):
        raise AttributeError(name)
lazy = Lazy()
found = [hasattr(lazy, 'x'), torch.ones(3, device='cuda')]
";
    let run = LabRunner::start().run_to_done(python_on("model:t4", program));
    let busy = lines(&run).iter();
    let busy: Vec<u32> = busy
        .filter(|it| it.device_ns > Some(0))
        .map(|it| it.line)
        .collect();
    assert_eq!(busy, [6]);
}
