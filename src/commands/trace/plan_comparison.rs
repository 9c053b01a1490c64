//! `warpup trace FILE --plan FILE.py`: a recorded run beside its plan on a modelled card.

use super::analysed;
use super::cells::{cut, duration};
use crate::cli::TraceArgs;
use crate::commands::console::{Console, Format};
use crate::commands::failure::{Exit, Failure, Result};
use crate::commands::plan::{self, CardPlan, RunAll};
use crate::commands::program_file;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use warpup_kineto::analysis::FileFigures;
use warpup_kineto::plan_comparison::{ComparedTime, LocationTimes, PlanComparison};
use warpup_kineto::{Precision, Trace};
use warpup_lab::own_program::OwnProgram;
use warpup_lab::plan::{Verdict, verdict};
use warpup_protocol::{Clock, ProfilerReport};

/// Lines that are shown, those that take most time.
const ROWS: usize = 15;

/// Plans the program and compares.
pub(super) fn execute(
    args: &TraceArgs,
    program: &Path,
    run_all: &mut RunAll<'_>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    // What is wrong with the program is said before a large trace is read.
    let program = program_file::read(program)?;
    let trace = analysed::only(
        args,
        "`--plan` compares a program with one trace: name the one that it recorded",
    )?;
    let plan = plan::on_card(&program, &args.arguments, &args.card, run_all)?;
    let format = Format::from(args.json);
    let verdict = verdict(&plan.run);
    let report = plan.run.report.as_ref();
    let profiled = report.and_then(|it| it.profiled.as_deref());
    let profiled = profiled.filter(|it| it.ns > 0 && !it.lines.is_empty());
    let has_ended = matches!(
        verdict,
        Verdict::Fits { .. } | Verdict::FitsWithoutWorkspaces { .. } | Verdict::TooLarge { .. }
    );
    // What follows the recorded steps is not compared, so it may fail.
    if !has_ended && profiled.is_none() {
        let said = format!("{}: {}", program.name, plan::in_words(&verdict, &plan));
        match format {
            Format::Json => console.remark(&said)?,
            Format::Text => console.message(&said)?,
        }
        return Ok(Exit::Wrong);
    }
    let Some(profiled) = profiled else {
        return Err(nothing_profiled(&program));
    };
    let recorded = FileFigures::of(&trace, &program.name);
    let beside = PlanComparison::of(&recorded, profiled, &program.source);
    let shown = ComparisonText {
        program: &program,
        trace: &trace,
        recorded: &recorded,
        plan: &plan,
        profiled,
        beside: &beside,
        arguments: &args.arguments,
    };
    match format {
        Format::Json => console.json(&PlanComparisonJson::of(&shown))?,
        Format::Text => shown.print(&verdict, console)?,
    }
    Ok(Exit::Fine)
}

fn nothing_profiled(program: &OwnProgram) -> Failure {
    Failure::arguments_but(
        format!(
            "the plan of {} records no step with torch.profiler, so it cannot be compared with the trace",
            program.name
        ),
        "plan the program that recorded the trace, with the lines that `warpup trace --how` prints",
    )
}

/// What is shown.
struct ComparisonText<'a> {
    program: &'a OwnProgram,
    trace: &'a Trace,
    recorded: &'a FileFigures,
    plan: &'a CardPlan,
    profiled: &'a ProfilerReport,
    beside: &'a PlanComparison,
    arguments: &'a [String],
}

/// The comparison as one object.
#[derive(Serialize)]
struct PlanComparisonJson<'a> {
    trace: &'a str,
    program: &'a str,
    card: &'a str,
    title: &'a str,
    /// The devices of the trace.
    devices: &'a [String],
    #[serde(flatten)]
    beside: &'a PlanComparison,
    profiled: &'a ProfilerReport,
    notes: &'a [String],
}

impl<'a> PlanComparisonJson<'a> {
    fn of(shown: &ComparisonText<'a>) -> Self {
        let report = shown.plan.run.report.as_ref();
        Self {
            trace: &shown.trace.file,
            program: &shown.program.name,
            card: &shown.plan.name,
            title: &shown.plan.card.title,
            devices: &shown.trace.about.devices,
            beside: shown.beside,
            profiled: shown.profiled,
            notes: report.map_or(&[], |it| &it.notes),
        }
    }
}

impl ComparisonText<'_> {
    fn print(&self, verdict: &Verdict, console: &mut Console<'_>) -> Result<()> {
        self.title(console)?;
        self.warn(verdict, console)?;
        self.whole(console)?;
        self.places(console)?;
        let (program, card) = (&self.program.name, &self.plan.name);
        let arguments = match self.arguments.join(" ") {
            none if none.is_empty() => none,
            some => format!(" -- {some}"),
        };
        let said = format!(
            "`{} plan {program} --card {card}{arguments}` shows the whole plan.",
            console.warpup
        );
        console.wrapped("", "", &said)
    }

    /// What keeps the two from belonging together.
    fn warn(&self, verdict: &Verdict, console: &mut Console<'_>) -> Result<()> {
        let mut said = Vec::new();
        match verdict {
            Verdict::Fits { .. } => {}
            Verdict::FitsWithoutWorkspaces { .. }
            | Verdict::TooLarge { .. }
            | Verdict::NotPlanned(_) => {
                said.push(plan::in_words(verdict, self.plan));
            }
            Verdict::Stopped(raised) => said.push(format!(
                "After the steps that it records, the plan stops at line {}: {}: {}.",
                raised.line, raised.kind, raised.message
            )),
        }
        if self.recorded.lines.is_empty() && self.beside.precision != Precision::Nothing {
            said.push(self.other_file());
        }
        let (marked, planned) = (self.recorded.steps, self.profiled.steps);
        if marked == 0 && planned > 0 {
            said.push(format!(
                "The trace marks no step, and the plan marks {planned}: they may not be of the same part of the program."
            ));
        } else if marked > 0 && planned == 0 {
            said.push(format!(
                "The plan marks no step (`prof.step()` with a schedule), and the trace marks {marked}: all that the plan records is taken for one."
            ));
        }
        if let Some(it) = &self.beside.moved {
            said.push(format!(
                "{} begins on line {} in the trace and on line {} of {}: this is another version of the program, and lines do not belong together.",
                it.function, it.recorded_line, it.line, self.program.name
            ));
        }
        for it in said {
            console.line("")?;
            console.message(&it)?;
        }
        Ok(())
    }

    /// Which numbers come from where.
    fn title(&self, console: &mut Console<'_>) -> Result<()> {
        let title = &self.plan.card.title;
        let of = match self.trace.about.devices.first() {
            Some(device) => format!("a run on {device}"),
            None => "a run without a card: the CPU computed".to_owned(),
        };
        let is_synthetic = self.trace.about.is_synthetic;
        let recorded = if is_synthetic {
            "computed by a script, not measured"
        } else {
            "what PyTorch's profiler wrote down, its own cost included"
        };
        let said = format!(
            "{}, {of}, beside a plan of {} on a modelled {title}. Recorded times are {recorded}; the plan's are MODELLED, and no card was used for them. The ratio is MODELLED / recorded.",
            self.trace.file, self.program.name
        );
        console.wrapped("", "", &said)
    }

    fn whole(&self, console: &mut Console<'_>) -> Result<()> {
        let beside = self.beside;
        let (recorded, modelled) = (beside.recorded_steps, beside.modelled_steps);
        let said = match self.recorded.steps {
            0 => "as a whole".to_owned(),
            _ if recorded == modelled => format!("in a step (mean of {recorded})"),
            _ => format!("in a step (mean of {recorded}, {modelled})"),
        };
        console.line(&format!(
            "\n{said:<33}{:>11}{:>11}{:>10}",
            "recorded",
            Clock::Modelled.label(),
            "ratio"
        ))?;
        let rows = [
            ("until host and device are done", beside.step),
            ("host waits for the device", beside.wait),
            ("kernels and copies", beside.device),
        ];
        for (name, pair) in rows {
            let [recorded, modelled, ratio] = cells(pair);
            let row = format!("{name:<33}{recorded:>11}{modelled:>11}{ratio:>10}");
            console.line(row.trim_end())?;
        }
        Ok(())
    }

    /// The lines or functions.
    fn places(&self, console: &mut Console<'_>) -> Result<()> {
        let (head, remark) = match self.beside.precision {
            Precision::Nothing => {
                let said = "The trace knows no lines of Python: record it with `with_stack=True`.";
                console.line("")?;
                return console.wrapped("", "", said);
            }
            Precision::Lines => (
                "line",
                "Arithmetic such as `a * b` calls no function of Python: the trace counts it at the line that called its function, and outside of functions at none.",
            ),
            Precision::Functions => (
                "function",
                "The trace knows functions, not lines, as before PyTorch 2.15: the plan's lines are added up by function.",
            ),
        };
        if self.recorded.lines.is_empty() {
            return Ok(());
        }
        console.line(&format!("\n{:>50}{:>25}", "host", "device"))?;
        console.line(&format!(
            "{head:<26}{0:>9}{1:>9}{2:>7}{0:>9}{1:>9}{2:>7}",
            "recorded",
            Clock::Modelled.label(),
            "ratio"
        ))?;
        let places = self.beside.places.iter().filter(|it| it.takes_time());
        for it in places.clone().take(ROWS) {
            console.line(&self.row(it))?;
        }
        let left_out = places.count().saturating_sub(ROWS);
        if left_out > 0 {
            console.line(&format!("… and {left_out} more take less"))?;
        }
        console.line("")?;
        console.wrapped("", "", remark)
    }

    /// The trace has lines, and none of them is the program's.
    fn other_file(&self) -> String {
        let mut said = format!("No line of the trace is in {}", self.program.name);
        let files: Vec<&str> = self
            .recorded
            .files
            .iter()
            .take(5)
            .map(String::as_str)
            .collect();
        if !files.is_empty() {
            let _ = write!(said, "; it has lines of {}", files.join(", "));
        }
        said.push_str(". Plan the program that recorded it.");
        said
    }

    fn row(&self, it: &LocationTimes) -> String {
        let what = match &it.function {
            Some(function) => function,
            None => {
                let at = usize::try_from(it.line).unwrap_or(0).saturating_sub(1);
                self.program
                    .source
                    .lines()
                    .nth(at)
                    .unwrap_or_default()
                    .trim()
            }
        };
        let mut row = format!("{:<26}", cut(&format!("{:>4} {what}", it.line), 25));
        for pair in [it.host, it.device] {
            let [recorded, modelled, ratio] = cells(pair);
            let _ = write!(row, "{recorded:>9}{modelled:>9}{ratio:>7}");
        }
        row.trim_end().to_owned()
    }
}

/// Recorded, modelled and the ratio; a time of nothing is left empty.
fn cells(pair: ComparedTime) -> [String; 3] {
    let time = |ns: Option<f64>| match ns {
        #[expect(clippy::cast_possible_truncation, reason = "a time of a step")]
        Some(ns) if ns >= 1.0 => duration(ns as i64),
        Some(_) | None => String::new(),
    };
    let ratio = pair.ratio.map_or(String::new(), |it| match it {
        0.0..0.001 => "<0.001".to_owned(),
        0.001..0.1 => format!("{it:.3}"),
        0.1..100.0 => format!("{it:.2}"),
        _ => format!("{it:.0}"),
    });
    [time(pair.recorded_ns), time(pair.modelled_ns), ratio]
}
