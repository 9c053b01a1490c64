//! Programs that are run on more than one device: the fixtures, the labs of the course, and what a run printed.
//!
//! The tests of the worker for cards (`tests/cuda`) have this file, too.

use crate::labs;
use crate::source;
use std::collections::BTreeMap;
use std::path::Path;
use warpup::course::{DeviceWish, Lab, Lesson};
use warpup::lab::run::Run;
use warpup::protocol::Outcome;

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
pub(crate) fn programs() -> Vec<(String, Program)> {
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

pub(crate) struct Program {
    pub(crate) source: String,
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
    pub(crate) fn is_same_on_a_card(&self) -> bool {
        self.part == Part::Solution || self.device == DeviceWish::Any
    }
}

/// What a run printed, with the exception that ended it as a last line.
pub(crate) fn told(run: &Run) -> String {
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

/// A training script with every size cut down, and with warpup in the place of PyTorch.
pub(crate) fn tiny(script: &str) -> String {
    let line = |line: &str| match line.split_once(" = ") {
        Some((name, size)) if is_constant(name) => match size.parse::<u64>() {
            // Heads share a width.
            Ok(size) if name == "WIDTH" => format!("{name} = {}", size.min(24)),
            Ok(size) => format!("{name} = {}", size.min(12)),
            Err(_) => line.to_owned(),
        },
        _ if line == "import torch" => "import warpup as torch".to_owned(),
        _ => line.replace("import torch.", "import warpup."),
    };
    script.lines().map(|it| line(it) + "\n").collect()
}

fn is_constant(name: &str) -> bool {
    name.chars().all(|it| it.is_ascii_uppercase() || it == '_')
}

/// The losses that a training script printed.
pub(crate) fn losses(output: &str) -> Vec<f64> {
    let after = output.split("loss ").skip(1);
    let words = after.filter_map(|it| it.split_whitespace().next());
    words
        .filter_map(|it| it.trim_end_matches(',').parse().ok())
        .collect()
}
