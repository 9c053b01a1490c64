//! Programs that a check has to judge right: repairs in other forms pass, and wrong programs are stopped by the check that is
//! named.

use super::labs::{devices, ending, request_of};
use super::loopholes::Loopholes;
use super::program_position::{Program, line_of};
use crate::commands::console::Console;
use crate::commands::courses::OpenCourse;
use crate::commands::failure::Result;
use crate::commands::side_by_side::RunAll;
use warpup_course::repairs::{self, Judgement, Repair};
use warpup_course::{Diagnostic, Lab, Lesson, Point, Rule, Severity, Sources};
use warpup_lab::ending::{Bounds, Ending, EndingKind};
use warpup_lab::run::Run;
use warpup_protocol::DeviceName;

/// Runs them all, and reports each that is judged wrong.
pub(super) fn run<'a>(
    opened: &'a OpenCourse,
    loopholes: &mut Loopholes<'a>,
    run_all: &mut RunAll<'_>,
    console: &mut Console<'_>,
) -> Result<Vec<Diagnostic>> {
    let all = repairs::all(&opened.sources, &opened.course);
    let mut plan = Vec::new();
    for (lesson, repairs) in &all {
        for repair in repairs {
            let Some(lab) = lesson.labs.iter().find(|it| it.id == repair.lab) else {
                continue;
            };
            plan.extend(judging_devices(lab, repair).map(|it| (*lesson, lab, repair, it)));
        }
    }
    let requests = plan
        .iter()
        .map(|(_, lab, repair, device)| request_of(lab, &repair.program, device));
    let mut wrong: Vec<Misjudged<'_>> = Vec::new();
    run_all(requests.collect(), &mut |number, run| {
        let Some((lesson, lab, repair, device)) = plan.get(number) else {
            return Ok(());
        };
        let (at, count, title) = (number + 1, plan.len(), &repair.title);
        console.remark(&format!(
            "judged {at} of {count}: {}/{} \"{title}\" on {device}: {}",
            lesson.id,
            lab.id,
            ending(&run)
        ))?;
        loopholes.take_checks(lesson, lab, &run);
        let Some(what) = misjudged(repair, lab, &run, device) else {
            return Ok(());
        };
        let is_it = |it: &&mut Misjudged<'_>| std::ptr::eq(it.repair, *repair) && it.what == what;
        match wrong.iter_mut().find(is_it) {
            Some(known) => known.on.push(device.to_string()),
            None => wrong.push(Misjudged {
                lesson,
                lab,
                repair,
                what,
                on: vec![device.to_string()],
            }),
        }
        Ok(())
    })?;
    Ok(wrong.iter().map(|it| it.told(&opened.sources)).collect())
}

/// Where a program is judged: one card shows what a check judges; the other one is for programs whose times and types matter.
fn judging_devices(lab: &Lab, repair: &Repair) -> impl Iterator<Item = DeviceName> {
    let mut devices = devices(&lab.device);
    devices.dedup_by_key(|it| matches!(it, DeviceName::Model(_)));
    devices.retain(|it| *it != DeviceName::Cpu || !repair.needs_card);
    devices.into_iter()
}

/// A program that was judged wrong.
struct Misjudged<'a> {
    lesson: &'a Lesson,
    lab: &'a Lab,
    repair: &'a Repair,
    what: String,
    /// Where it was judged so.
    on: Vec<String>,
}

impl Misjudged<'_> {
    fn told(&self, sources: &Sources) -> Diagnostic {
        let Self {
            lesson,
            lab,
            repair,
            what,
            on,
        } = self;
        let (lab_id, title, on) = (&lab.id, &repair.title, on.join(", "));
        Diagnostic {
            severity: Severity::Error,
            rule: Rule::LabMisjudges,
            file: repairs::file_of(lesson),
            span: repair.span.start..repair.span.start,
            message: format!("lab `{lab_id}`: \"{title}\" on {on}: {what}"),
            hint: Some(hint(sources, lesson, lab, (repair, what))),
            fix: None,
        }
    }
}

/// How it begins where the check ended with an error.
const CHECK_STOPS: &str = "the check stops with";

/// How it begins where `stops` names none of the checks.
const NO_CHECK: &str = "no check that ran has the name";

/// How a program was judged wrong, if it was.
fn misjudged(repair: &Repair, lab: &Lab, run: &Run, device: &DeviceName) -> Option<String> {
    let Some(ending) = Ending::of(run, &Bounds::of_lab(lab, device)) else {
        return Some("it never ended".to_owned());
    };
    let failed: Vec<&str> = run
        .checks
        .iter()
        .filter(|it| !it.ok)
        .map(|it| it.name.as_str())
        .collect();
    let in_check = run.raised().filter(|it| it.in_check);
    if let Some(raised) = in_check {
        return Some(format!("{CHECK_STOPS} {}: {}", raised.kind, raised.message));
    }
    let is_as_said = match &repair.verdict {
        Judgement::Right => ending.kind == EndingKind::Passed,
        Judgement::Wrong { check } => failed.contains(&check.as_str()),
        Judgement::Error => ending.kind == EndingKind::Raised,
    };
    if is_as_said {
        return None;
    }
    let failed = failed.join("\", \"");
    Some(match (&repair.verdict, ending.kind) {
        (Judgement::Wrong { check }, EndingKind::Failed)
            if !run.checks.iter().any(|it| it.name == *check) =>
        {
            format!("{NO_CHECK} \"{check}\"; what fails is \"{failed}\"")
        }
        (Judgement::Wrong { check }, EndingKind::Failed) => {
            format!("the check \"{check}\" does not stop it, but \"{failed}\"")
        }
        (Judgement::Right | Judgement::Error, EndingKind::Failed) => {
            format!("the check \"{failed}\" fails")
        }
        (Judgement::Wrong { .. } | Judgement::Error, EndingKind::Passed) => {
            "it is wrong, and passes".to_owned()
        }
        (
            _,
            EndingKind::Passed
            | EndingKind::Raised
            | EndingKind::Limit
            | EndingKind::Cancelled
            | EndingKind::Broken
            | EndingKind::Unavailable
            | EndingKind::Busy,
        ) => ending.with_reason(),
    })
}

fn hint(sources: &Sources, lesson: &Lesson, lab: &Lab, (repair, what): (&Repair, &str)) -> String {
    let (file, span) = line_of(sources, lesson, lab, Program::Check, 0);
    let text = sources.files.get(&file).map_or("", |it| it.as_ref());
    let line = Point::at(span.start, text).line;
    if what.starts_with(CHECK_STOPS) {
        return format!(
            "the check in {file}, line {line}, has to run to its end with every program that learners may write"
        );
    }
    if what.starts_with(NO_CHECK) {
        return format!(
            "write behind `stops=` the name of a check as it is in {file}, from line {line}"
        );
    }
    match repair.verdict {
        Judgement::Right => format!(
            "the check in {file}, line {line}, is too strict: judge what ran (`lab.run`), not words; or this program is wrong"
        ),
        Judgement::Wrong { .. } | Judgement::Error => format!(
            "the check in {file}, line {line}, has to find this fault: judge what ran (`lab.run`), and run functions on other inputs (`lab.ran_again`)"
        ),
    }
}
