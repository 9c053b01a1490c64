//! The table of hostile programs in `tests/fixtures/hostile`: each ends as the program's own doing, in time, and the engine
//! works afterwards.
//!
//! Programs that are stopped at their limit take that long, so a few of them are run here; `scripts/hostile` runs all.

use super::*;
use crate::support::source;
use std::time::{Duration, Instant};

/// The CPU time of a program that has to reach its limit.
const SHORT_TIME: u64 = 100;

/// The CPU time of one that ends by itself, which no program takes on an idle machine.
const LONG_TIME: u64 = 30_000;

/// Of the programs that reach their limit, every this many are run.
const SAMPLE: usize = 6;

/// How long after its limit a run may end.
const LATE: Duration = Duration::from_secs(2);

/// A program, and how it may end.
struct Hostile {
    name: String,
    ends: Vec<String>,
    program: String,
}

fn table() -> Vec<Hostile> {
    let text = &source::files_under("tests/fixtures/hostile/programs.txt")[0].text;
    let cases = text.split("\n== ").skip(1);
    let hostile = cases.map(|case| {
        let (head, program) = case.split_once('\n').unwrap();
        let (name, ends) = head.rsplit_once(": ").unwrap();
        Hostile {
            name: name.to_owned(),
            ends: ends.split(' ').map(str::to_owned).collect(),
            program: program.to_owned(),
        }
    });
    hostile.collect()
}

/// How a run has ended, in a word of the table.
fn ending(run: &Run) -> String {
    match outcome(run) {
        Outcome::Done => "done".to_owned(),
        Outcome::Raised(raised) if raised.kind.starts_with("AAAA") => "A".to_owned(),
        Outcome::Raised(raised) => raised.kind.clone(),
        Outcome::TimedOut => "time".to_owned(),
        Outcome::TooMuchOutput => "output".to_owned(),
        other @ (Outcome::Cancelled
        | Outcome::Broken { .. }
        | Outcome::Unavailable(_)
        | Outcome::Busy(_)) => {
            format!("{other:?}")
        }
    }
}

fn assert_ends(runner: &mut LabRunner, hostile: &Hostile, time_ms: u64) {
    let before = Instant::now();
    let limits = Limits { time_ms, ..SHORT };
    let run = runner.run(RunRequest {
        limits,
        ..python(hostile.program.clone())
    });
    let (ended, took) = (ending(&run), before.elapsed());
    assert!(
        hostile.ends.contains(&ended),
        "{}: {ended:.2000}",
        hostile.name
    );
    // Where it has the CPU for itself; a busy machine may take ten times as long.
    if std::env::var_os("HOSTILE_ALL").is_some() {
        let most = Duration::from_millis(time_ms) + LATE;
        assert!(took < most, "{}: {took:?}", hostile.name);
    }
}

#[test]
fn hostile_programs_end_as_their_own_doing() {
    let is_all = std::env::var_os("HOSTILE_ALL").is_some();
    let (endless, others): (Vec<Hostile>, Vec<Hostile>) = table()
        .into_iter()
        .partition(|it| it.ends.contains(&"time".to_owned()));
    assert!(endless.len() + others.len() >= 80);
    let mut runner = LabRunner::start();
    for hostile in &others {
        assert_ends(&mut runner, hostile, LONG_TIME);
    }
    for hostile in endless.iter().step_by(if is_all { 1 } else { SAMPLE }) {
        assert_ends(&mut runner, hostile, SHORT_TIME);
    }
    assert_works(&mut runner);
}

#[test]
fn text_before_an_endless_loop_is_shown() {
    let run = end_of(RunRequest {
        limits: SHORT,
        ..python("print('before', end='')\nwhile True: pass")
    });
    assert_eq!(
        (outcome(&run), run.output.as_str()),
        (&Outcome::TimedOut, "before")
    );
}

#[test]
fn long_texts_of_a_program_are_cut_in_its_report() {
    let raised = raised("raise ValueError('x' * 10**6)");
    assert_eq!(raised.kind, "ValueError");
    assert!(
        raised.message.ends_with("x… (983616 bytes more)"),
        "{:.100}",
        raised.message
    );
    assert!(raised.traceback.len() < 300_000);
    let run = end_of(python(
        "lab.check('c' * 10**5, True, 'h')\nlab.metric('m' * 10**5, 1)",
    ));
    assert_eq!(outcome(&run), &Outcome::Done);
    assert!(run.checks[0].name.len() < 2_000 && run.metrics[0].name.len() < 2_000);
}
