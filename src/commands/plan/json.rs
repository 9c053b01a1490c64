//! A plan for programs. Scripts depend on the keys.

use super::card_plan::CardPlan;
use serde::Serialize;
use warpup_lab::findings::{self, Finding, ProgramKind};
use warpup_lab::own_program::OwnProgram;
use warpup_lab::plan::{Verdict, dominant, total_ns, verdict};
use warpup_protocol::{Busy, HostRange, LineTime, Memory, Outcome, Overflow};

/// A plan as one object.
#[derive(Serialize)]
pub(super) struct PlanJson<'a> {
    program: &'a str,
    clock: &'static str,
    plans: Vec<CardPlanJson<'a>>,
}

#[derive(Serialize)]
struct CardPlanJson<'a> {
    card: &'a str,
    title: &'a str,
    fits: Option<bool>,
    overflow: Option<Overflow>,
    outcome: Option<&'a Outcome>,
    total_ns: u64,
    host_ns: Option<u64>,
    device_ns: Option<u64>,
    host_range: Option<&'a HostRange>,
    busy: Option<&'a Busy>,
    dominated_by: Option<&'static str>,
    /// What was found in the program.
    findings: Vec<Finding>,
    memory: Option<&'a Memory>,
    lines: &'a [LineTime],
    unknown_read: &'a [u32],
    notes: &'a [String],
    output: &'a str,
}

impl<'a> PlanJson<'a> {
    /// What is known of the plans.
    pub(super) fn of(program: &'a OwnProgram, plans: &'a [CardPlan]) -> Self {
        Self {
            program: &program.name,
            clock: "modelled",
            plans: plans
                .iter()
                .map(|it| CardPlanJson::of(program, it))
                .collect(),
        }
    }
}

impl<'a> CardPlanJson<'a> {
    fn of(program: &OwnProgram, plan: &'a CardPlan) -> Self {
        let report = plan.run.report.as_ref();
        let memory = report.and_then(|it| it.memory.as_deref());
        let busy = report.and_then(|it| it.busy.as_deref());
        Self {
            card: &plan.name,
            title: &plan.card.title,
            fits: match verdict(&plan.run) {
                Verdict::Fits { .. } | Verdict::FitsWithoutWorkspaces { .. } => Some(true),
                Verdict::TooLarge { .. } => Some(false),
                Verdict::Stopped(_) | Verdict::NotPlanned(_) => None,
            },
            overflow: memory.and_then(|it| it.overflow),
            outcome: report.map(|it| &it.outcome),
            total_ns: total_ns(&plan.run),
            host_ns: report.map(|it| it.host_ns),
            device_ns: report.and_then(|it| it.device_ns),
            host_range: report.and_then(|it| it.host_range.as_deref()),
            busy,
            dominated_by: busy.and_then(dominant).map(|(it, _)| it.word()),
            findings: report.map_or_else(Vec::new, |it| {
                findings::of_run(it, &program.source, ProgramKind::Own)
            }),
            memory,
            lines: report.map_or(&[], |it| &it.lines),
            unknown_read: report.map_or(&[], |it| &it.unknown_read),
            notes: report.map_or(&[], |it| &it.notes),
            output: &plan.run.output,
        }
    }
}
