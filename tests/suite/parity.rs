//! Programs print under warpup what they print under PyTorch.
//!
//! What PyTorch prints was kept by `scripts/pytorch-fixtures`; the version is in
//! `tests/fixtures/pytorch/VERSION`. No program may print a random value: warpup's random numbers are
//! others, so a fixture that depended on them would differ here.

use crate::labs::{self, Labs, python};
use crate::source;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use warpup::course::{DeviceWish, Lab, Lesson};
use warpup::lab::run::Run;
use warpup::protocol::{DeviceName, Outcome, RunRequest};

/// Texts of a folder of fixtures by their path inside it.
pub(crate) fn fixtures(folder: &str) -> BTreeMap<String, String> {
    source::files_under(&format!("tests/fixtures/{folder}"))
        .into_iter()
        .map(|file| {
            let inside = file
                .path
                .replacen(&format!("tests/fixtures/{folder}/"), "", 1);
            (inside, file.text)
        })
        .collect()
}

/// Starters and solutions of the shipped course, by the beginning of their fixtures' names.
fn programs() -> Vec<(String, Program)> {
    let mut found = Vec::new();
    for lesson in labs::shipped_course().lessons {
        for lab in &lesson.labs {
            let name = name_of(&lesson, lab);
            let starter = Program::of(lab, &lab.starter, Part::Starter);
            found.push((name.clone(), starter));
            if let Some(solution) = &lab.solution {
                let solution = Program::of(lab, solution, Part::Solution);
                found.push((format!("{name}.solution"), solution));
            }
        }
    }
    found
}

/// The fixtures of a lesson lie in a folder that is called as its file.
fn name_of(lesson: &Lesson, lab: &Lab) -> String {
    let stem = Path::new(&lesson.file).file_stem().unwrap();
    format!("{}/{}", stem.to_str().unwrap(), lab.id)
}

struct Program {
    source: String,
    device: DeviceWish,
    part: Part,
}

#[derive(PartialEq, Eq)]
enum Part {
    Starter,
    Solution,
}

impl Program {
    fn of(lab: &Lab, source: &str, part: Part) -> Self {
        Self {
            source: source.to_owned(),
            device: lab.device.clone(),
            part,
        }
    }

    /// Whether it does on a card what it does without one, but for the places that it names. A starter
    /// that asks for a card is there to show the difference.
    fn is_same_on_a_card(&self) -> bool {
        self.part == Part::Solution || self.device == DeviceWish::Any
    }
}

/// What a run printed, with the exception that ended it as a last line.
fn told(run: &Run) -> String {
    let ending = match labs::outcome(run) {
        Outcome::Done => String::new(),
        Outcome::Raised(raised) => format!("raised {}\n", raised.kind),
        Outcome::Cancelled => "cancelled\n".to_owned(),
        Outcome::TimedOut => "timed out\n".to_owned(),
        Outcome::TooMuchOutput => "too much output\n".to_owned(),
        Outcome::Broken { what } => format!("broken: {what}\n"),
        Outcome::Unavailable(it) | Outcome::Busy(it) => format!("no device: {}\n", it.why),
    };
    format!("{}{ending}", run.output)
}

/// Newer versions of PyTorch begin this message with the operation, which says nothing that helps.
pub(crate) fn without_operation(text: &str) -> String {
    text.replace("addmm: mat1", "mat1")
        .replace("mm: mat1", "mat1")
}

/// Both texts, if they differ.
pub(crate) fn difference(name: &str, expected: &str, found: &str) -> Option<String> {
    (expected != found).then(|| format!("== {name}\n-- PyTorch:\n{expected}-- warpup:\n{found}"))
}

pub(crate) fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
}

#[test]
fn labs_print_on_the_cpu_what_pytorch_prints_there() {
    let fixtures = fixtures("pytorch");
    let mut labs = Labs::start();
    let mut differences = Vec::new();
    for (name, program) in programs() {
        let mut expected = fixtures[&format!("{name}.txt")].clone();
        if let Some(kind) = fixtures.get(&format!("{name}.raises.txt")) {
            expected.extend(["raised ", kind]);
        }
        let run = labs.run(python(program.source));
        differences.extend(difference(&name, &expected, &told(&run)));
    }
    assert_none(&differences);
}

/// A card changes the places that are printed, and nothing else.
#[test]
fn labs_print_the_same_on_a_modelled_card() {
    let without_places = |text: &str| text.replace("cuda:0", "cpu").replace("cuda", "cpu");
    let fixtures = fixtures("pytorch");
    let mut labs = Labs::start();
    let mut differences = Vec::new();
    for (name, program) in programs() {
        // What PyTorch raised on the CPU, it raised for want of a card or whatever the device.
        if !program.is_same_on_a_card() || fixtures.contains_key(&format!("{name}.raises.txt")) {
            continue;
        }
        let expected = without_places(&fixtures[&format!("{name}.txt")]);
        let run = labs.run(RunRequest {
            device: DeviceName::Model("t4".to_owned()),
            ..python(program.source)
        });
        let found = without_places(&told(&run));
        differences.extend(difference(&name, &expected, &found));
    }
    assert_none(&differences);
}

#[test]
fn every_fixture_belongs_to_a_lab() {
    let known: BTreeSet<String> = programs()
        .into_iter()
        .flat_map(|(name, _)| [format!("{name}.txt"), format!("{name}.raises.txt")])
        .chain(["VERSION".to_owned()])
        .collect();
    let stray: Vec<String> = fixtures("pytorch")
        .into_keys()
        .filter(|name| !known.contains(name))
        .collect();
    assert!(stray.is_empty(), "no lab has these fixtures: {stray:?}");
}

/// How snippets differ from PyTorch on a device.
fn differences_on(device: &DeviceName) -> Vec<String> {
    let fixtures = fixtures("snippets");
    let mut labs = Labs::start();
    let mut differences = Vec::new();
    for (name, source) in &fixtures {
        let Some(name) = name.strip_suffix(".py") else {
            continue;
        };
        let expected = without_operation(&fixtures[&format!("{name}.txt")]);
        let run = labs.run(RunRequest {
            device: device.clone(),
            ..python(source)
        });
        differences.extend(difference(name, &expected, &told(&run)));
    }
    differences
}

#[test]
fn snippets_print_what_pytorch_prints() {
    assert_none(&differences_on(&DeviceName::Cpu));
}

/// No snippet asks for a card, so one that is there changes nothing.
#[test]
fn snippets_print_the_same_beside_a_modelled_card() {
    assert_none(&differences_on(&DeviceName::Model("t4".to_owned())));
}
