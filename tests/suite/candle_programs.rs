//! The candle programs of labs: the lessons show the files of `tests/candle`, these compile, and they print the
//! numbers that their labs print.
//!
//! candle and warpup print devices, types and shapes differently (`Cpu` and `cpu`, `F32` and `torch.float32`,
//! `[2, 3]` and `(2, 3)`). So only numbers that are words of their own are compared, line by line. Lines are
//! sorted, since a `BTreeMap` prints in that order.
//!
//! A lab that prints the times of a card ends without one with an error. Its candle program only has to run here.

use crate::support::lab_runner::{outcome, shipped_course};
use crate::support::programs::solved_on_cpu;
use crate::support::source;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::{ExitCode, Termination};
use warpup_course::{DeviceWish, Lab, Lesson};
use warpup_lab::run::Run;
use warpup_protocol::Outcome;

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what a program prints. It precedes the programs, so that they use it instead of the real macro.
macro_rules! println {
    ($($part:tt)*) => {{
        let line = format!($($part)*);
        crate::candle_programs::PRINTED.with_borrow_mut(|printed| {
            printed.push_str(&line);
            printed.push('\n');
        });
    }};
}

/// The programs as modules, and what each prints, by the name of its file.
macro_rules! programs {
    ($($module:ident = $file:literal),* $(,)?) => {
        $(
            mod $module {
                include!(concat!("../candle/", $file, ".rs"));

                /// The program's own `main` is private to it.
                pub(super) fn run() -> impl std::process::Termination {
                    main()
                }
            }
        )*

        fn printed_by_programs() -> BTreeMap<&'static str, String> {
            BTreeMap::from([$(($file, {
                PRINTED.take();
                assert_eq!($module::run().report(), ExitCode::SUCCESS, $file);
                PRINTED.take()
            })),*])
        }
    };
}

programs! {
    crossover = "two-workers__crossover",
    first_run = "two-workers__first-run",
    one_product = "two-workers__one-product",
    renumbered = "is-the-gpu-there__renumbered",
    model_and_batch = "where-a-tensor-lives__model-and-batch",
    placement = "where-a-tensor-lives__placement",
    move_batch = "move-the-whole-batch__move-batch",
    pack_notes = "what-a-copy-costs__pack-notes",
    ridge = "bytes-or-arithmetic__ridge",
    nested_batch = "preflight__nested-batch",
    accumulate = "make-it-fit__accumulate",
    forgotten_zero = "one-training-step__forgotten-zero",
    places = "one-training-step__places",
    hidden_wait = "the-queue__hidden-wait",
    run_ahead = "the-queue__run-ahead",
    honest_timer = "honest-timing__honest-timer",
    report = "honest-timing__report",
    two_readings = "honest-timing__two-readings",
    gain = "streams-and-overlap__gain",
    leak = "what-nvidia-smi-cannot-tell-you__leak",
    driver_runs_toolkit = "the-stack-under-your-framework__driver-runs-toolkit",
    average = "several-gpus__average",
    fed_or_not = "first-line-debugging__fed-or-not",
    one_measurement = "the-handoff__one-measurement",
    when_held = "the-memory-floor__when-held",
    workers = "the-loader__workers",
    fusion = "fewer-kernels__fusion",
    mfu = "reading-a-trace__mfu",
}

/// The labs that have a candle program, by the name of its file.
fn labs_with_a_program() -> BTreeMap<String, (&'static Lesson, &'static Lab)> {
    let mut found = BTreeMap::new();
    for lesson in &shipped_course().lessons {
        for lab in &lesson.labs {
            if lab.rust.is_some() {
                found.insert(format!("{}__{}", lesson.id, lab.id), (lesson, lab));
            }
        }
    }
    found
}

/// Whether a run without a card has ended because its lab asks for one.
fn needs_a_card(lab: &Lab, run: &Run) -> bool {
    matches!(lab.device, DeviceWish::Cuda | DeviceWish::Model(_))
        && matches!(outcome(run), Outcome::Raised(_))
}

/// The numbers of each line that are words of their own; lines are sorted.
fn numbers(printed: &str) -> Vec<Vec<f64>> {
    let mut lines: Vec<&str> = printed.lines().collect();
    lines.sort_unstable();
    let is_part = |it: char| it.is_alphanumeric() || ".:_-".contains(it);
    lines
        .iter()
        .map(|line| {
            line.split(|it| !is_part(it))
                .filter_map(|word| word.parse().ok())
                .collect()
        })
        .collect()
}

#[test]
fn the_lessons_show_the_programs_word_for_word() {
    let shown: BTreeMap<String, String> = labs_with_a_program()
        .into_iter()
        .map(|(name, (_, lab))| {
            (
                format!("{name}.rs"),
                lab.rust.as_ref().unwrap().trim_end().to_owned(),
            )
        })
        .collect();
    let files: BTreeMap<String, String> = source::files_under("tests/candle")
        .into_iter()
        .map(|file| {
            let name = file.path.rsplit('/').next().unwrap().to_owned();
            (name, file.text.trim_end().to_owned())
        })
        .collect();
    assert_eq!(shown, files, "left: in lessons, right: in tests/candle");
}

#[test]
fn the_programs_print_the_numbers_that_their_labs_print() {
    let programs = printed_by_programs();
    for (name, (lesson, lab)) in labs_with_a_program() {
        let program = programs.get(name.as_str());
        let program = program.unwrap_or_else(|| panic!("add {name} to the programs of this file"));
        let run = solved_on_cpu(lesson, lab);
        if needs_a_card(lab, run) {
            continue;
        }
        assert_eq!(
            numbers(program),
            numbers(&run.output),
            "{name}: left: candle, right: the lab\n{program}\n{}",
            run.output
        );
    }
}

#[test]
fn only_numbers_that_are_words_of_their_own_are_compared() {
    assert_eq!(
        numbers("y is [6.0, 24.0]\nmask (4, 8) torch.float32 F32 cuda:0 2048"),
        [vec![4.0, 8.0, 2048.0], vec![6.0, 24.0]]
    );
}
