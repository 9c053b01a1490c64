//! `warpup trace` as a process: what the lesson *First-line debugging* shows of its example, and a recorded run beside its plan.

use crate::support::lab_runner::shipped_course;
use crate::support::temp_home::TempHome;
use warpup_course::BlockKind;

/// The drawings on the page about the example.
fn figures() -> Vec<String> {
    let lessons = shipped_course().lessons.iter();
    let pages = lessons
        .filter(|it| it.id.as_str() == "first-line-debugging")
        .flat_map(|it| &it.pages)
        .filter(|it| it.id.as_str() == "slow-run");
    let blocks = pages.flat_map(|it| &it.blocks);
    let art = blocks.filter_map(|it| {
        let BlockKind::Figure { art, .. } = &it.kind else {
            return None;
        };
        Some(art.clone())
    });
    art.collect()
}

/// The first part of a figure that is not printed after the part before it. `…` is for lines that are left out.
fn not_printed(figure: &str, printed: &str) -> Option<String> {
    let mut rest = format!("\n{printed}");
    for part in format!("\n{}\n", figure.trim_end()).split("\n…") {
        let part = part.trim_end();
        let Some((_, after)) = rest.split_once(&format!("{part}\n")) else {
            return Some(part.to_owned());
        };
        rest = format!("\n{after}");
    }
    None
}

#[test]
fn the_lesson_shows_what_the_example_prints() {
    let output = TempHome::new().run(&["trace", "--example"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    let figures = figures();
    assert_eq!(figures.len(), 1);
    assert_eq!(not_printed(&figures[0], &printed), None, "{printed}");
    assert!(figures[0].contains("is synthetic"), "{}", figures[0]);
}

#[test]
fn a_line_that_is_not_printed_is_found() {
    let printed = "one\ntwo\nthree\nfour\n";
    assert_eq!(not_printed("one\n…\nthree\n…\n", printed), None);
    assert_eq!(not_printed("two\nthree\n", printed), None);
    let wrong = [
        "one\nthree\n",
        "two\n…\none\n",
        "one\n…\nfour and more\n",
        "ne\n",
    ];
    for figure in wrong {
        assert!(not_printed(figure, printed).is_some(), "{figure}");
    }
}

/// A recorded trace, such as `train`, beside the plan of its program on a modelled card.
fn beside(recorded: &str, card: &str) -> serde_json::Value {
    let of = |extension: &str| {
        format!(
            "{}/tests/fixtures/kineto/recorded/{recorded}.{extension}",
            env!("CARGO_MANIFEST_DIR")
        )
    };
    let (trace, program) = (of("json.gz"), of("py"));
    let arguments = [
        "trace", &trace, "--plan", &program, "--card", card, "--json",
    ];
    let output = TempHome::new().run(&arguments);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_run_on_an_h100_is_beside_its_plan_on_a_modelled_one() {
    let json = beside("h100/wide", "h100");
    assert_eq!(json["recorded_steps"], 3, "{json}");
    assert_eq!(json["modelled_steps"], 3, "{json}");
    let ratio = |key: &str| json[key]["ratio"].as_f64().unwrap();
    // The model of kernels and copies is near what this card did; the recorded host pays for the profiler, too.
    assert!((0.9..1.1).contains(&ratio("device")), "{json}");
    assert!((0.7..1.1).contains(&ratio("step")), "{json}");
}

#[test]
fn a_recorded_run_is_beside_the_plan_of_its_program() {
    let json = beside("train", "a100");
    // Of five steps the profiler records two, here and under PyTorch.
    assert_eq!(json["recorded_steps"], 2, "{json}");
    assert_eq!(json["modelled_steps"], 2, "{json}");
    let places = json["places"].as_array().unwrap();
    // Loss, backward, step of the optimizer, and the wait.
    for line in [13, 14, 15, 17] {
        let place = places.iter().find(|it| it["line"] == line).unwrap();
        assert!(place["host"]["ratio"].as_f64().unwrap() > 0.0, "{place}");
        // The recorded run had no card.
        assert!(
            place["device"]["modelled_ns"].as_f64().unwrap() > 0.0,
            "{place}"
        );
        assert!(place["device"]["recorded_ns"].is_null(), "{place}");
    }
    let of = |key: &str| json[key]["modelled_ns"].as_f64().unwrap();
    let kernels: f64 = places
        .iter()
        .filter_map(|it| it["device"]["modelled_ns"].as_f64())
        .sum();
    assert!((kernels - of("device")).abs() < 1.0, "{json}");
    assert!(of("step") > 0.0 && of("wait") > 0.0, "{json}");
}
