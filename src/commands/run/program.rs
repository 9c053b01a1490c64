//! The program that the arguments of `warpup run` name.

use crate::cli::RunArgs;
use crate::commands::console::Format;
use crate::commands::context::CommandContext;
use crate::commands::failure::{Failure, Result};
use crate::commands::find::{self, LessonLab};
use crate::commands::program_file;
use std::path::Path;
use std::time::Duration;
use warpup_course::{CoursePolicy, DeviceWish, LabId, LessonId, LimitedBy, Solution};
use warpup_lab::device_choice::{DeviceChoice, counts};
use warpup_lab::ending::Bounds;
use warpup_lab::findings::ProgramKind;
use warpup_lab::run::Run;
use warpup_lab::{request, timed};
use warpup_progress::Progress;
use warpup_protocol::{RunId, RunRequest};
use warpup_store::settings::RunPolicy;

/// A program and how it is run.
pub(super) struct Program {
    /// The heading above the output.
    pub(super) title: String,
    /// What the worker is asked for.
    pub(super) request: RunRequest,
    /// What sets its time limit.
    pub(super) limit_of: LimitedBy,
    /// The lab it belongs to.
    pub(super) lab: Option<(LessonId, LabId)>,
    /// What that lab asks to run on.
    pub(super) wish: DeviceWish,
    /// Whether it is the learner's own solution of that lab, so that a run counts.
    pub(super) is_own: bool,
    /// Whether it waits for the learner's prediction.
    pub(super) asks: bool,
    /// Whether times by line are asked for: a modelled card has them in any case.
    pub(super) by_line: bool,
}

/// The most bytes that a program of the learner's own may print, where nobody keeps them.
const FILE_OUTPUT: u64 = 64 << 20;

impl Program {
    /// What is looked for in its runs.
    pub(super) fn kind(&self) -> ProgramKind {
        if self.is_file() {
            ProgramKind::Own
        } else {
            ProgramKind::Lab
        }
    }

    /// Whether it is a file of the learner's own.
    pub(super) fn is_file(&self) -> bool {
        self.lab.is_none()
    }

    /// Whether a run passes: it ends well, and on a device that counts.
    pub(super) fn is_passed_by(&self, run: &Run) -> bool {
        run.passed() == Some(true) && counts(&self.wish, &self.request.device)
    }

    /// Has no more time than the policies of this machine and of the course give.
    pub(super) fn limit_to(&mut self, machine: RunPolicy, course: &CoursePolicy) {
        let of_machine = (machine.seconds, LimitedBy::Machine);
        let of_course = (course.seconds.map(u64::from), LimitedBy::Course);
        for (seconds, by) in [of_machine, of_course] {
            let most = seconds.map(|it| it.saturating_mul(1000));
            if let Some(most) = most.filter(|it| *it < self.request.limits.time_ms) {
                self.request.limits.time_ms = most;
                self.limit_of = by;
            }
        }
    }

    /// Keeps no more of its run than is printed, and prints all that it says.
    pub(super) fn limit_to_format(&mut self, format: Format, is_traced: bool) {
        if format == Format::Text {
            if !is_traced {
                self.request.limits.spans = 0;
            }
            if self.is_file() {
                self.request.limits.output_bytes = FILE_OUTPUT;
            }
        }
    }

    /// The device and the limits of its run, in words.
    pub(super) fn bounds(&self) -> Bounds<'_> {
        Bounds {
            device: &self.request.device,
            seconds: Duration::from_millis(self.request.limits.time_ms).as_secs_f64(),
            by: if self.limit_of == LimitedBy::Lab && self.is_file() {
                "`--limit`"
            } else {
                self.limit_of.words()
            },
            output_bytes: self.request.limits.output_bytes,
        }
    }

    /// The program of a lab, or of a file that ends in `.py`.
    pub(super) fn find(context: &CommandContext<'_, '_>, args: &RunArgs) -> Result<Self> {
        let path = Path::new(&args.program);
        if path.extension().is_some_and(|it| it == "py") {
            of_file(path, args)
        } else {
            of_lab(context, args)
        }
    }
}

fn of_file(path: &Path, args: &RunArgs) -> Result<Program> {
    if args.solution || args.starter {
        return Err(Failure::arguments(
            "a file has neither a solution nor a starter",
        ));
    }
    let program = program_file::read(path)?;
    let device = args.device.clone();
    let device = device.unwrap_or_else(|| DeviceChoice::default().device(&program.wish()));
    let mut request = program.request(RunId(1), program.source.clone(), device);
    request.arguments.clone_from(&args.arguments);
    request.trace = !args.no_trace;
    if let Some(seconds) = args.limit {
        request.limits.time_ms = seconds.saturating_mul(1_000);
    }
    Ok(Program {
        title: program.name,
        request,
        limit_of: LimitedBy::Lab,
        lab: None,
        wish: DeviceWish::Any,
        is_own: false,
        asks: false,
        by_line: !args.no_trace,
    })
}

fn of_lab(context: &CommandContext<'_, '_>, args: &RunArgs) -> Result<Program> {
    let found = find::lab(context.course, &args.program)?;
    if !args.arguments.is_empty() {
        return Err(Failure::arguments_but(
            "a lab takes no arguments; a file does",
            "leave out `--` and what follows it",
        ));
    }
    if args.limit.is_some() {
        return Err(Failure::arguments(
            "a lab has the time limit that its lesson says; --limit is for a file",
        ));
    }
    let LessonLab { lesson, lab } = found;
    let (source, is_own) = if args.solution {
        let missing = || {
            let what = match lab.solution {
                Some(Solution::Withheld) => "has a solution that only your instructor has",
                Some(Solution::Program(_)) | None => "has no solution",
            };
            Failure::arguments(format!("the lab `{}` {what}", lab.id))
        };
        (
            lab.solution_program().ok_or_else(missing)?.to_owned(),
            false,
        )
    } else {
        let source = if args.starter {
            lab.starter.clone()
        } else {
            saved_source(&context.learner.progress, found)
        };
        (source, true)
    };
    let device = args.device.clone();
    let device = device.unwrap_or_else(|| DeviceChoice::default().device(&lab.device));
    Ok(Program {
        title: format!("{} ({}/{})", lab.title, lesson.id, lab.id),
        request: RunRequest {
            timed: timed::is_timed(lesson, lab, &source),
            trace: !args.no_trace,
            ..request::of_lab(lab, RunId(1), source, device)
        },
        limit_of: lab.limited_by,
        lab: Some((lesson.id.clone(), lab.id.clone())),
        wish: lab.device.clone(),
        is_own,
        asks: !args.solution && !args.starter,
        by_line: !args.no_trace,
    })
}

/// The learner's saved program, or the starter.
pub(in crate::commands) fn saved_source(progress: &Progress, of: LessonLab<'_>) -> String {
    let LessonLab { lesson, lab } = of;
    let saved = progress.lesson(&lesson.id).lab(&lab.id).source.clone();
    saved.unwrap_or_else(|| lab.starter.clone())
}
