//! Runs that do not end as their lesson says, each mistake once: it mostly shows on every device.

use super::program_position::{Program, line_of};
use warpup_course::{Diagnostic, Lab, Lesson, Rule, Severity, Sources};
use warpup_grade::{Expect, LabProof};
use warpup_lab::ending::{Bounds, Ending, EndingKind};
use warpup_lab::run::Run;
use warpup_protocol::{DeviceName, UncaughtException};

/// How a run does not end as its lesson says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The program that is to blame; the one that was run if `None`.
    at: Option<Program>,
    /// Its line, from 1; 0 where no line is to blame.
    line: usize,
    what: String,
    hint: &'static str,
}

impl Fault {
    fn new(what: impl Into<String>, hint: &'static str) -> Self {
        Self {
            at: None,
            line: 0,
            what: what.into(),
            hint,
        }
    }
}

/// What is wrong with how a program ended on that device, if anything is.
pub(super) fn fault(proof: &LabProof<'_>, run: &Run, device: &DeviceName) -> Option<Fault> {
    let Some(ending) = Ending::of(run, &Bounds::of_lab(proof.lab, device)) else {
        return Some(Fault::new("it never ended", AGAIN));
    };
    match (ending.kind, proof.expect) {
        (EndingKind::Passed, Expect::Pass) | (EndingKind::Failed, Expect::Fail) => None,
        (EndingKind::Failed, Expect::Pass) => {
            let failed = run.checks.iter().find(|it| !it.ok)?;
            let what = format!("the check \"{}\" fails", failed.name);
            Some(match exact_line(proof, &failed.name) {
                Some(line) => Fault {
                    at: Some(Program::Check),
                    line,
                    ..Fault::new(what, OUTPUT_ENDS)
                },
                None => Fault::new(what, has_to_pass(proof)),
            })
        }
        (EndingKind::Passed, Expect::Fail) => Some(Fault::new(
            "it passes, so there is nothing to repair",
            "a lab with a solution begins with a program that fails: break it, or remove the solution",
        )),
        (EndingKind::Raised, Expect::Pass) => {
            let raised = run.raised()?;
            let hint = if raised.kind == "NameError" && raised.message.contains("'input'") {
                NO_INPUT
            } else if raised.kind == "NameError" {
                OWN_PROGRAM
            } else if raised.kind == "FileNotFoundError" {
                NO_FILES
            } else if raised.message.contains("Found no NVIDIA driver") {
                WANTS_A_CARD
            } else if proof
                .source
                .lines()
                .any(|it| it.starts_with("lab.expect_error("))
            {
                WITH_EXPECTED
            } else {
                has_to_pass(proof)
            };
            Some(raised_at(raised, hint))
        }
        (EndingKind::Raised, Expect::Fail) => {
            let in_check = run.raised().filter(|it| it.in_check)?;
            Some(raised_at(in_check, TO_ITS_END))
        }
        (EndingKind::Limit, _) => Some(Fault::new(
            ending.what,
            "let it compute and print less, or give the lab more time: `timeout=60s`",
        )),
        (
            EndingKind::Cancelled | EndingKind::Broken | EndingKind::Unavailable | EndingKind::Busy,
            _,
        ) => Some(Fault::new(ending.with_reason(), AGAIN)),
    }
}

/// What a check has to do.
const TO_ITS_END: &str = "a check has to run to its end with every program that learners may write";

/// Helpers of `lab`, as a message names them.
const HELPERS: [&str; 4] = ["'check'", "'metric'", "'plot'", "'expect_error'"];

/// What is in front of a helper.
const OF_LAB: &str = "helpers are in `lab`: write `lab.check(…)`, `lab.metric(…)`";

/// What an author of tests may not expect.
const NO_ASSERT: &str = "write `lab.check(\"what holds\", condition, \"hint\")` in place of `assert`, which ends the check without a hint";

/// What an author of notebooks may not expect.
const OWN_PROGRAM: &str =
    "each lab is a program of its own: import and define in it what it uses, as the labs above do";

/// What a lab has in place of questions to its learner.
const NO_INPUT: &str = "nobody types while a lab runs: write the value into the program, and ask learners to change it";

/// What a lab has in place of files.
const NO_FILES: &str =
    "a lab has no files but those that it has written itself: make the data in the program";

/// What makes a lab run on cards only.
const WANTS_A_CARD: &str = "write `device=cuda` behind the fence of the lab, or let the program choose: `\"cuda\" if torch.cuda.is_available() else \"cpu\"`";

/// What gives an expected error its lines.
const WITH_EXPECTED: &str =
    "write `with lab.expect_error(…):`, and the line that fails under it, indented";

/// What makes an exact comparison with the output fail.
const OUTPUT_ENDS: &str =
    "`lab.output` ends with the new line of the last `print`: compare `lab.output.strip()`";

/// What to try where no program is to blame.
const AGAIN: &str = "run `warpup check` again";

/// The line of a check, from 1, that compares the whole output with a text.
fn exact_line(proof: &LabProof<'_>, name: &str) -> Option<usize> {
    let mut lines = proof.lab.check.as_deref()?.lines();
    let at = lines.position(|it| it.contains(name) && it.contains("lab.output == "))?;
    Some(at + 1)
}

fn has_to_pass(proof: &LabProof<'_>) -> &'static str {
    if proof.lab.solution.is_some() {
        "a solution has to pass every check: correct it, or the check"
    } else {
        "a lab without a solution has to pass as it is: correct it, or give it a solution"
    }
}

fn raised_at(raised: &UncaughtException, hint: &'static str) -> Fault {
    let (kind, message) = (&raised.kind, &raised.message);
    Fault {
        at: raised.in_check.then_some(Program::Check),
        line: usize::try_from(raised.line).unwrap_or_default(),
        what: if raised.in_check {
            format!("its check stops with {kind}: {message}")
        } else {
            format!("it stops with {kind}: {message}")
        },
        hint: match (raised.in_check, &**kind) {
            (true, "AssertionError") => NO_ASSERT,
            (true, "NameError") if HELPERS.iter().any(|it| message.contains(it)) => OF_LAB,
            (true, _) => TO_ITS_END,
            (false, _) => hint,
        },
    }
}

/// The faults so far, each with the runs that show it.
#[derive(Default)]
pub(super) struct Faults<'a> {
    all: Vec<FaultText<'a>>,
}

struct FaultText<'a> {
    lesson: &'a Lesson,
    lab: &'a Lab,
    /// The program that is to blame.
    at: Program,
    fault: Fault,
    /// Programs and the devices they were run on.
    runs: Vec<(&'static str, Vec<String>)>,
}

impl<'a> Faults<'a> {
    /// Adds a run that shows a fault.
    pub(super) fn add(&mut self, proof: &LabProof<'a>, device: &DeviceName, fault: Fault) {
        let LabProof {
            lesson,
            lab,
            program,
            ..
        } = *proof;
        let run = if program == Program::Solution.word() {
            Program::Solution
        } else {
            Program::Starter
        };
        let at = fault.at.unwrap_or(run);
        let is_it = |it: &&mut FaultText<'_>| {
            it.at == at
                && it.lesson.id == lesson.id
                && it.lab.id == lab.id
                && (it.fault.line, &it.fault.what) == (fault.line, &fault.what)
        };
        let device = device.to_string();
        let Some(known) = self.all.iter_mut().find(is_it) else {
            self.all.push(FaultText {
                lesson,
                lab,
                at,
                fault,
                runs: vec![(program, vec![device])],
            });
            return;
        };
        match known.runs.iter_mut().find(|it| it.0 == program) {
            Some((_, devices)) => devices.push(device),
            None => known.runs.push((program, vec![device])),
        }
    }

    /// What there is to say about them.
    pub(super) fn told(self, sources: &Sources) -> impl Iterator<Item = Diagnostic> {
        self.all.into_iter().map(|it| {
            let on = |(program, devices): &(&str, Vec<String>)| {
                format!("{program} on {}", devices.join(", "))
            };
            let runs: Vec<String> = it.runs.iter().map(on).collect();
            let (runs, what) = (runs.join(", "), &it.fault.what);
            let (file, span) = line_of(sources, it.lesson, it.lab, it.at, it.fault.line);
            Diagnostic {
                severity: Severity::Error,
                rule: Rule::LabFails,
                file,
                span,
                message: format!("lab `{}`: {runs}: {what}", it.lab.id),
                hint: Some(it.fault.hint.to_owned()),
                fix: None,
            }
        })
    }
}
