//! The programs of `tests/fixtures/findings`: each has one mistake, which its first line names, or none. Modelled cards find it.

use crate::support::lab_runner::LabRunner;
use crate::support::programs::{assert_none, fixtures};
use crate::support::request::python_on;
use warpup_lab::findings::of_run;

/// What a program says of itself: the first finding that is expected; nothing for a sound one.
fn expected(source: &str) -> Option<&str> {
    let first = source.lines().next().unwrap();
    first.strip_prefix("# first: ")
}

#[test]
fn each_mistake_is_found_first_and_none_in_sound_programs() {
    let mut runner = LabRunner::start();
    let mut wrong = Vec::new();
    for device in ["model:h200", "model:t4"] {
        for (name, source) in fixtures("findings") {
            let run = runner.run_to_done(python_on(device, &source));
            let found = of_run(run.report.as_ref().unwrap(), &source);
            let first = found.first().map(|it| it.id);
            if first != expected(&source) {
                wrong.push(format!("{name} on {device}: {found:#?}"));
            }
        }
    }
    assert_none(&wrong);
}
