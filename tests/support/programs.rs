//! Programs that run on more than one device: the fixtures, the labs of the course, and what a run printed.

use super::lab_runner::{LabRunner, outcome, shipped_course};
use super::request::python;
use super::source;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use warpup_course::{DeviceWish, Lab, Lesson};
use warpup_lab::run::Run;
use warpup_protocol::Outcome;

/// The files of a fixture folder: their texts by their paths inside it.
pub(crate) fn fixtures(folder: &str) -> BTreeMap<String, String> {
    let folder = format!("tests/fixtures/{folder}");
    let inside = |path: &str| path.replacen(&format!("{folder}/"), "", 1);
    let files = source::files_under(&folder).into_iter();
    files.map(|it| (inside(&it.path), it.text)).collect()
}

/// The snippets, each with its name and its source.
pub(crate) fn snippets() -> Vec<(String, String)> {
    let named =
        |(file, source): (String, String)| Some((file.strip_suffix(".py")?.to_owned(), source));
    fixtures("snippets").into_iter().filter_map(named).collect()
}

/// Starters and solutions of the shipped course, each with the beginning of its fixtures' names.
pub(crate) fn programs() -> Vec<(String, Program)> {
    let mut found = Vec::new();
    for lesson in &shipped_course().lessons {
        for lab in &lesson.labs {
            let starter = Program::of(lab, &lab.starter, Part::Starter);
            found.push((name_of(lesson, lab, Part::Starter), starter));
            if let Some(solution) = lab.solution_program() {
                let solution = Program::of(lab, solution, Part::Solution);
                found.push((name_of(lesson, lab, Part::Solution), solution));
            }
        }
    }
    found
}

/// The runs of [`programs`] on the CPU, by the same names. They are done once for all tests of a process.
pub(crate) fn runs_on_cpu() -> &'static BTreeMap<String, Run> {
    static RUNS: LazyLock<BTreeMap<String, Run>> = LazyLock::new(|| {
        let mut runner = LabRunner::start();
        let programs = programs().into_iter();
        programs
            .map(|(name, program)| (name, runner.run(python(program.source))))
            .collect()
    });
    &RUNS
}

/// The run on the CPU of a lab's solution, or of its starter where it has none.
pub(crate) fn solved_on_cpu(lesson: &Lesson, lab: &Lab) -> &'static Run {
    let part = match &lab.solution {
        Some(_) => Part::Solution,
        None => Part::Starter,
    };
    &runs_on_cpu()[&name_of(lesson, lab, part)]
}

/// The fixtures of a lesson are in a folder with the name of the lesson's file.
fn name_of(lesson: &Lesson, lab: &Lab, part: Part) -> String {
    let stem = Path::new(&lesson.file).file_stem().unwrap();
    let suffix = match part {
        Part::Starter => "",
        Part::Solution => ".solution",
    };
    format!("{}/{}{suffix}", stem.to_str().unwrap(), lab.id)
}

/// A starter or a solution.
pub(crate) struct Program {
    pub(crate) source: String,
    device: DeviceWish,
    part: Part,
}

#[derive(Clone, Copy, PartialEq, Eq)]
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

    /// Whether it prints the same on a card as without one, except for the names of devices. A starter
    /// that asks for a card is there to show the difference, and a card drops out other elements than the CPU.
    pub(crate) fn is_same_on_a_card(&self) -> bool {
        let is_meant = self.part == Part::Solution || self.device == DeviceWish::Any;
        is_meant && !self.source.contains("Dropout(")
    }
}

/// What a run printed, and as its last line the exception that ended it.
pub(crate) fn printed(run: &Run) -> String {
    let ending = match outcome(run) {
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

/// Labs whose programs print a time that they measure. These lines are not compared.
const TIMED: [&str; 3] = [
    "case-the-step-time-is-wrong/step-time",
    "fewer-kernels/one-graph",
    "the-loader/slow-loader",
];

/// What a lab printed, without the times.
pub(crate) fn without_times(name: &str, text: &str) -> String {
    if !TIMED.iter().any(|it| name.starts_with(it)) {
        return text.to_owned();
    }
    let lines = text.lines();
    let lines = lines.filter(|it| !it.contains(" ms") && !it.contains(" s for "));
    lines.flat_map(|it| [it, "\n"]).collect()
}

/// Both texts, if they differ.
pub(crate) fn difference(name: &str, expected: &str, found: &str) -> Option<String> {
    (expected != found).then(|| format!("== {name}\n-- PyTorch:\n{expected}-- warpup:\n{found}"))
}

pub(crate) fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
}

/// A training script with small sizes.
pub(crate) fn tiny(script: &str) -> String {
    let line = |line: &str| match line.split_once(" = ") {
        Some((name, size)) if is_constant(name) => match size.parse::<u64>() {
            // The width has to be a multiple of the number of heads.
            Ok(size) if name == "WIDTH" => format!("{name} = {}", size.min(24)),
            Ok(size) => format!("{name} = {}", size.min(12)),
            Err(_) => line.to_owned(),
        },
        _ => line.to_owned(),
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
