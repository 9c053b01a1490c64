//! The integration tests, as one executable.
//!
//! One executable links candle and the interpreter once instead of once per file. Unit tests are beside the code in
//! `src/` and `crates/`; here are the tests that need the source files, the real executable or the shipped course. Helpers that
//! several test targets share are in `tests/support`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are not #[test] functions, and a helper that fails is a test that fails"
)]

#[cfg(target_os = "linux")]
mod build_script;
mod candle_programs;
mod class_disk;
mod clean_exit;
mod commands;
mod confinement;
mod course_walk;
mod coverage;
mod crate_diagram;
mod cuda_worker;
mod deadlines;
mod documented_names;
mod editions;
#[cfg(target_os = "linux")]
mod elf;
mod exported_page;
#[cfg(target_os = "linux")]
mod faults;
mod findings;
mod first_picture;
mod front_ends;
mod git_courses;
mod glossary;
mod gpu_check_programs;
#[cfg(target_os = "linux")]
mod hostile_courses;
mod hostile_labs;
mod house;
mod in_tmux;
mod keys_and_sizes;
mod lab_module;
mod lab_run_counts;
mod line_hits;
mod mistakes;
mod modelled_card;
mod new_course;
mod notebooks;
mod nvml;
#[cfg(target_os = "linux")]
mod odd_surroundings;
mod one_lesson_in_app;
mod own_programs;
mod packages;
mod pictures;
mod plain_english;
mod pty_tests;
mod pytorch_parity;
mod questions;
mod recordings;
mod reload;
mod screenshots;
mod shipped_course;
mod stand_ins;
mod traces;
mod training_scripts;
mod turns;
mod whole_course_in_app;
mod whole_course_in_plain_mode;
mod without_keys;
mod worker_protocol;
mod world;
mod wrong_programs;

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::fs;
use support::source;

#[test]
fn every_file_of_this_folder_is_a_module_of_the_suite() {
    let folder = source::root().join("tests/suite");
    let files: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir() || path.extension().is_some_and(|it| it == "rs"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| name != "main")
        .collect();
    let main = source::code_of(&fs::read_to_string(folder.join("main.rs")).unwrap());
    let modules: BTreeSet<String> = main
        .lines()
        .filter_map(|line| line.trim().strip_prefix("mod ")?.strip_suffix(';'))
        .filter(|name| *name != "support")
        .map(str::to_owned)
        .collect();
    assert_eq!(
        files, modules,
        "left: files in tests/suite, right: modules that main.rs declares"
    );
}
