//! The integration tests, as one executable.
//!
//! One executable links candle and the interpreter once instead of once a file, and lets the modules
//! share their tools. What a module can say about itself is tested beside it in `src/`; here is what
//! takes the whole house: its rules, the real executable, the shipped course.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tools of tests stand outside of #[test] functions, and a tool that fails is a test that fails"
)]

#[cfg(target_os = "linux")]
mod build_script;
mod candle;
mod card_programs;
mod card_troubles;
mod cards;
mod commands;
#[cfg(target_os = "linux")]
mod elf;
mod endings;
mod glossary;
mod hostile_labs;
mod house;
mod lab_helpers;
mod labs;
mod labs_python;
mod layering;
mod layers;
mod memory;
mod model;
mod nvml;
mod parity;
mod plain_way;
mod plan;
mod programs;
mod pty;
mod pty_itself;
mod source;
mod training_scripts;
mod way;
mod whole_way;
mod worker_protocol;
mod wrong_programs;

use std::collections::BTreeSet;
use std::fs;

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
        .map(str::to_owned)
        .collect();
    assert_eq!(
        files, modules,
        "left: files in tests/suite, right: modules that main.rs declares"
    );
}
