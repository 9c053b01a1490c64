//! Labs that prove less than they seem to: a starter that fails by a slip, checks that hold for an empty program or are never made.

use super::labs::{devices, request_of};
use super::program_position::{Program, line_of};
use crate::commands::failure::Result;
use crate::commands::side_by_side::RunAll;
use std::collections::{BTreeMap, BTreeSet};
use warpup_course::{Diagnostic, Lab, Lesson, Rule, Severity, Sources};
use warpup_grade::LabProof;
use warpup_lab::check_names::{PLACEHOLDER, check_names};
use warpup_lab::run::Run;
use warpup_lab::unread_metrics::unread_metrics;
use warpup_protocol::{DeviceName, UncaughtException};

/// Errors that are slips of an author more often than the subject of a lab.
const SLIPS: [&str; 5] = [
    "FileNotFoundError",
    "ImportError",
    "ModuleNotFoundError",
    "NameError",
    "UnboundLocalError",
];

/// What the programs of labs have shown so far, by lesson and lab.
#[derive(Default)]
pub(super) struct Loopholes<'a> {
    labs: BTreeMap<(&'a str, &'a str), LabRuns<'a>>,
}

/// What the programs of a lab have shown.
struct LabRuns<'a> {
    lesson: &'a Lesson,
    lab: &'a Lab,
    /// The names of the checks that were made.
    made: BTreeSet<String>,
    /// The slips that end its starter, each with the devices where it does.
    slips: Vec<(UncaughtException, Vec<String>)>,
    /// Whether its checks hold after an empty program.
    holds_empty: bool,
}

impl<'a> Loopholes<'a> {
    /// Takes the run of a starter or a solution.
    pub(super) fn take(&mut self, proof: &LabProof<'a>, run: &Run, device: &DeviceName) {
        self.take_checks(proof.lesson, proof.lab, run);
        let is_to_repair = proof.lab.solution.is_some() && *proof.source == proof.lab.starter;
        let is_original = !proof.lesson.is_translated();
        let raised = run.raised().filter(|it| !it.in_check);
        let raised = raised.filter(|_| is_to_repair && is_original);
        let Some(slip) = raised.filter(|it| SLIPS.contains(&&*it.kind)) else {
            return;
        };
        let is_it = |it: &&mut (UncaughtException, Vec<String>)| {
            (it.0.line, &it.0.message) == (slip.line, &slip.message)
        };
        let runs = self.of_lab(proof.lesson, proof.lab);
        match runs.slips.iter_mut().find(is_it) {
            Some((_, devices)) => devices.push(device.to_string()),
            None => runs.slips.push((slip.clone(), vec![device.to_string()])),
        }
    }

    /// Takes the checks that a run made. A translation has those of its original.
    pub(super) fn take_checks(&mut self, lesson: &'a Lesson, lab: &'a Lab, run: &Run) {
        if lesson.is_translated() {
            return;
        }
        let runs = self.of_lab(lesson, lab);
        runs.made
            .extend(run.checks.iter().map(|it| it.name.clone()));
    }

    fn of_lab(&mut self, lesson: &'a Lesson, lab: &'a Lab) -> &mut LabRuns<'a> {
        let key = (lesson.id.as_str(), lab.id.as_str());
        self.labs.entry(key).or_insert_with(|| LabRuns {
            lesson,
            lab,
            made: BTreeSet::new(),
            slips: Vec::new(),
            holds_empty: false,
        })
    }

    /// Runs the checks of each lab after an empty program.
    pub(super) fn try_nothing(&mut self, run_all: &mut RunAll<'_>) -> Result<()> {
        let all: Vec<_> = self.labs.values_mut().collect();
        let mut all: Vec<_> = all.into_iter().filter(|it| !it.made.is_empty()).collect();
        let requests = all.iter().filter_map(|it| {
            let device = devices(&it.lab.device).into_iter().next()?;
            Some(request_of(it.lab, "", &device))
        });
        run_all(requests.collect(), &mut |number, run| {
            if let Some(runs) = all.get_mut(number) {
                runs.holds_empty = run.passed() == Some(true);
            }
            Ok(())
        })
    }

    /// What there is to say. A lab that `failed`, by its lesson and id, has another fault first.
    pub(super) fn told(
        self,
        failed: &BTreeSet<(String, String)>,
        sources: &Sources,
    ) -> Vec<Diagnostic> {
        let labs = self.labs.into_values();
        let labs = labs.filter(|it| {
            let key = (it.lesson.id.to_string(), it.lab.id.to_string());
            !failed.contains(&key)
        });
        labs.flat_map(|it| it.told(sources)).collect()
    }
}

impl LabRuns<'_> {
    fn told(&self, sources: &Sources) -> Vec<Diagnostic> {
        let mut told = self.slips(sources);
        told.extend(self.holds_empty.then(|| {
            self.warning(
                (Rule::EmptyProgramPasses, Program::Check, 0),
                "its checks hold after an empty program, too",
                "check what the program has made or done: its values, its functions, `lab.output`, `lab.run`",
                sources,
            )
        }));
        told.extend(self.makes_none(sources));
        told.extend(self.never_made(sources));
        told.extend(self.unread(sources));
        told
    }

    fn slips(&self, sources: &Sources) -> Vec<Diagnostic> {
        let text = sources.files.get(&self.lesson.file);
        let text = text.map_or("", |it| it.as_ref());
        let of_no_lesson = self.slips.iter().filter(|it| !text.contains(&it.0.kind));
        let told = of_no_lesson.map(|(slip, devices)| {
            let (kind, message, on) = (&slip.kind, &slip.message, devices.join(", "));
            let line = usize::try_from(slip.line).unwrap_or_default();
            self.warning(
                (Rule::StarterError, Program::Starter, line),
                &format!("its starter stops on {on} with {kind}: {message}"),
                "correct this line; if that is what learners are to repair, name the error in the lesson",
                sources,
            )
        });
        told.collect()
    }

    /// A check that asserts: a learner gets an error without a hint.
    fn makes_none(&self, sources: &Sources) -> Option<Diagnostic> {
        let check = self.lab.check.as_deref()?;
        let asserts = check.lines().any(|it| it.starts_with("assert "));
        (asserts && self.made.is_empty()).then(|| {
            self.warning(
                (Rule::CheckNeverMade, Program::Check, 0),
                "its check makes no check",
                "write `lab.check(\"what holds\", condition, \"hint\")` in place of `assert`",
                sources,
            )
        })
    }

    fn never_made(&self, sources: &Sources) -> Vec<Diagnostic> {
        let check = self.lab.check.as_deref().unwrap_or_default();
        let mut never = check_names(check);
        // Of a name that is computed, only a part is known.
        never.retain(|it| !it.contains(PLACEHOLDER) && !self.made.contains(it));
        let told = never.iter().map(|name| {
            let line = check.lines().position(|it| it.contains(name));
            self.warning(
                (Rule::CheckNeverMade, Program::Check, line.map_or(0, |it| it + 1)),
                &format!("no program comes to the check \"{name}\""),
                "correct the condition in front of it, remove it, or add a program to `repairs/` that comes to it",
                sources,
            )
        });
        told.collect()
    }

    fn unread(&self, sources: &Sources) -> Vec<Diagnostic> {
        let check = self.lab.check.as_deref().unwrap_or_default();
        let quiz = self.lesson.quiz.as_ref().map(|it| &it.file);
        let programs = self.lab.blocks.files.iter().flatten();
        let files = [&self.lesson.file].into_iter().chain(quiz).chain(programs);
        let texts: Vec<_> = files.filter_map(|it| sources.files.get(it)).collect();
        let mut unread = unread_metrics(&format!("{}\n{check}", self.lab.starter));
        unread.retain(|it| !warpup_handoff::reads_metric(it));
        // Once is where it is given.
        unread.retain(|name| texts.iter().map(|it| times(name, it)).sum::<usize>() == 1);
        let told = unread.iter().map(|name| {
            let of_check = check.lines().position(|it| times(name, it) > 0);
            let (program, line) =
                of_check.map_or((Program::Starter, 0), |it| (Program::Check, it + 1));
            self.warning(
                (Rule::MetricNotRead, program, line),
                &format!("nothing reads the metric \"{name}\""),
                "remove it, name it in the lesson, or ask for it in a prediction",
                sources,
            )
        });
        told.collect()
    }

    fn warning(
        &self,
        (rule, program, line): (Rule, Program, usize),
        what: &str,
        hint: &str,
        sources: &Sources,
    ) -> Diagnostic {
        let (file, span) = line_of(sources, self.lesson, self.lab, program, line);
        Diagnostic {
            severity: Severity::Warning,
            rule,
            file,
            span,
            message: format!("lab `{}`: {what}", self.lab.id),
            hint: Some(hint.to_owned()),
            fix: None,
        }
    }
}

/// How often a text has a name, which is not part of a longer one.
fn times(name: &str, text: &str) -> usize {
    let is_edge = |it: Option<char>| it.is_none_or(|it| !it.is_alphanumeric() && it != '_');
    let found = text.match_indices(name).filter(|(at, _)| {
        let before = text.get(..*at).unwrap_or_default();
        let behind = text.get(at + name.len()..).unwrap_or_default();
        is_edge(before.chars().next_back()) && is_edge(behind.chars().next())
    });
    found.count()
}
