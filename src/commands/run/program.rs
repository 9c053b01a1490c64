//! The program that the arguments of `warpup run` name.

use crate::cli::RunArgs;
use crate::commands::console::Format;
use crate::commands::context::CommandContext;
use crate::commands::failure::{Failure, Result};
use crate::commands::find::{self, LessonLab};
use crate::commands::program_file::ProgramFile;
use std::path::Path;
use warpup_course::{CoursePolicy, DeviceWish, LabId, LessonId, LimitedBy, Solution};
use warpup_lab::device_choice::{DeviceChoice, counts};
use warpup_lab::run::Run;
use warpup_lab::units::milliseconds;
use warpup_lab::{memory_limit, timed};
use warpup_progress::Progress;
use warpup_protocol::{DeviceName, Limits, ModuleFile, Place};
use warpup_store::settings::RunPolicy;

/// A program and how it is run.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something else, and none excludes another"
)]
pub(super) struct Program {
    /// The heading above the output.
    pub(super) title: String,
    /// The file name in tracebacks.
    pub(super) name: String,
    pub(super) source: String,
    /// The files beside it that it can import.
    pub(super) modules: Vec<ModuleFile>,
    /// Where it is.
    pub(super) place: Option<Box<Place>>,
    pub(super) check: Option<String>,
    pub(super) device: DeviceName,
    pub(super) time_ms: u64,
    /// What sets that limit.
    pub(super) limit_of: LimitedBy,
    /// The host memory that it may use, in bytes; 0 for all that its process may.
    pub(super) host_bytes: u64,
    /// The lab it belongs to.
    pub(super) lab: Option<(LessonId, LabId)>,
    /// What that lab asks to run on.
    pub(super) wish: DeviceWish,
    /// Whether it is the learner's own solution of that lab, so that a run counts.
    pub(super) is_own: bool,
    /// Whether it waits for the learner's prediction.
    pub(super) asks: bool,
    /// Whether what it shows depends on measured time.
    pub(super) timed: bool,
    /// Whether times by line are asked for: a modelled card has them in any case.
    pub(super) by_line: bool,
}

/// The most bytes that a program of the learner's own may print, where nobody keeps them.
const FILE_OUTPUT: u64 = 64 << 20;

/// How long a file of the learner's own may compute, in seconds, if the command does not say: a training script of many
/// small steps takes minutes.
const FILE_LIMIT: u64 = 300;

impl Program {
    /// Whether it is a file of the learner's own.
    pub(super) fn is_file(&self) -> bool {
        self.lab.is_none()
    }

    /// Whether a run passes: it ends well, and on a device that counts.
    pub(super) fn is_passed_by(&self, run: &Run) -> bool {
        run.passed() == Some(true) && counts(&self.wish, &self.device)
    }

    /// Has no more time than the policies of this machine and of the course give.
    pub(super) fn limit_to(&mut self, machine: RunPolicy, course: &CoursePolicy) {
        let of_machine = (machine.seconds, LimitedBy::Machine);
        let of_course = (course.seconds.map(u64::from), LimitedBy::Course);
        for (seconds, by) in [of_machine, of_course] {
            let most = seconds.map(|it| it.saturating_mul(1000));
            if let Some(most) = most.filter(|it| *it < self.time_ms) {
                self.time_ms = most;
                self.limit_of = by;
            }
        }
    }

    /// The limits of its run.
    pub(super) fn limits(&self, format: Format, is_traced: bool) -> Limits {
        let usual = Limits::default();
        Limits {
            time_ms: self.time_ms,
            spans: match format {
                Format::Text if !is_traced => 0,
                Format::Text | Format::Json => usual.spans,
            },
            output_bytes: match format {
                Format::Text if self.is_file() => FILE_OUTPUT,
                Format::Text | Format::Json => usual.output_bytes,
            },
            host_bytes: self.host_bytes,
            ..usual
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
    let ProgramFile {
        name,
        source,
        modules,
        place,
    } = ProgramFile::read(path)?;
    Ok(Program {
        title: name.clone(),
        name,
        timed: timed::names_a_clock(&source, None),
        source,
        modules,
        place,
        check: None,
        device: args.device.clone().unwrap_or(DeviceName::Cpu),
        time_ms: args.limit.unwrap_or(FILE_LIMIT).saturating_mul(1_000),
        limit_of: LimitedBy::Lab,
        // A file of somebody's own is no lab.
        host_bytes: 0,
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
        return Err(Failure::arguments("a lab takes no arguments; a file does"));
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
    Ok(Program {
        title: format!("{} ({}/{})", lab.title, lesson.id, lab.id),
        name: format!("{}.py", lab.id),
        timed: timed::is_timed(lesson, lab, &source),
        source,
        modules: Vec::new(),
        place: None,
        check: lab.check.clone(),
        device: args
            .device
            .clone()
            .unwrap_or_else(|| DeviceChoice::default().device(&lab.device)),
        time_ms: milliseconds(lab.time_limit),
        limit_of: lab.limited_by,
        host_bytes: memory_limit::of_lab(lab),
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
