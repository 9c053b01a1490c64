//! The picture of the first screen is that of a run: the program and the worker's replies that are drawn there are those of the
//! lesson's lab.

use crate::support::lab_runner::{LabRunner, shipped_course};
use warpup_lab::request;
use warpup_lab::run::Run;
use warpup_protocol::{DeviceName, RunId, frame};

/// The replies that the app draws.
const RECORDED: &str = include_str!("../../crates/tui/src/screen/map/first_run.jsonl");

#[test]
fn the_first_screen_shows_a_run_of_the_first_program() {
    let lab = shipped_course().lessons[0].labs.first().unwrap();
    let t4: DeviceName = "model:t4".parse().unwrap();
    let request = request::of_lab(lab, RunId(1), lab.starter.clone(), t4);
    let ran = LabRunner::start().run_to_done(request);
    let mut recorded = Run::new(RunId(1));
    let mut replies = RECORDED.as_bytes();
    while let Some(reply) = frame::read(&mut replies).unwrap() {
        recorded.apply(reply);
    }
    assert_eq!(
        lab.starter,
        include_str!("../../crates/tui/src/screen/map/first_run.py"),
        "crates/tui/src/screen/map/first_run.py is the program of the lab"
    );
    let new = serde_json::json!([ran.device, ran.spans]);
    assert_eq!(
        (&ran.device, &ran.spans),
        (&recorded.device, &recorded.spans),
        "the device and the spans of crates/tui/src/screen/map/first_run.jsonl are {new} now"
    );
}
