//! The programs of `tests/fixtures/findings`: each has one mistake, which its first line names, or none. Modelled cards find it.

use crate::support::lab_runner::LabRunner;
use crate::support::programs::{assert_none, fixtures};
use crate::support::request::python_on;
use warpup_lab::findings::{ProgramKind, of_run};
use warpup_protocol::{Aim, RunRequest};

/// Mistakes of which no other one is found first, at least: what a wait costs depends on the card.
const FOUND: usize = 42;

/// What a program says of itself: the first finding that is expected; nothing for a sound one.
fn expected(source: &str) -> Option<&str> {
    let first = source.lines().next().unwrap();
    first.strip_prefix("# first: ")
}

/// A large card has the sizes for which computing values takes long, so it is planned.
#[test]
fn mistakes_are_found_first_and_none_in_sound_programs() {
    let mut runner = LabRunner::start();
    for (device, aim) in [("model:h200", Aim::Plan), ("model:t4", Aim::Run)] {
        let mut wrong = Vec::new();
        let mut right = 0;
        for (name, source) in fixtures("findings") {
            let request = RunRequest {
                aim,
                ..python_on(device, &source)
            };
            let run = runner.run_to_done(request);
            let report = run.report.as_ref().unwrap();
            let found = of_run(report, &source, ProgramKind::Own);
            let first = found.first().map(|it| it.id);
            match expected(&source) {
                None if first.is_some() || !report.notes.is_empty() => {
                    let notes = &report.notes;
                    wrong.push(format!("{name} on {device}: {found:#?} {notes:#?}"));
                }
                Some(id) if first == Some(id) => right += 1,
                None | Some(_) => {}
            }
        }
        assert_none(&wrong);
        assert!(
            right >= FOUND,
            "{right} mistakes are found first on {device}"
        );
    }
}
