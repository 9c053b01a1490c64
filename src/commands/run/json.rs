//! A run for programs. Scripts depend on the keys.

use super::program::Program;
use serde::Serialize;
use std::borrow::Cow;
use warpup_lab::findings::{self, Finding};
use warpup_lab::missing_values;
use warpup_lab::run::Run;
use warpup_protocol::{
    Check, Contention, CudnnUse, DeviceInfo, DeviceTimes, Gaps, HostRange, HostWork, LineTime,
    Memory, Metric, NotComputed, Outcome, Plot, ProgramFacts, Report, RunCounts, Span,
};

/// A run as one object.
#[derive(Serialize)]
pub(super) struct RunJson<'a> {
    program: &'a str,
    lesson: Option<&'a str>,
    lab: Option<&'a str>,
    device: String,
    device_info: Option<&'a DeviceInfo>,
    clock: Option<&'static str>,
    passed: bool,
    /// Whether all that had to be kept is on the disk where it belongs.
    saved: bool,
    outcome: Option<&'a Outcome>,
    output: Cow<'a, str>,
    checks: &'a [Check],
    metrics: &'a [Metric],
    plots: &'a [Plot],
    host_ns: Option<u64>,
    /// How much of it the host waited for the device, and how much it did not.
    host_wait_ns: Option<u64>,
    host_busy_ns: Option<u64>,
    device_ns: Option<u64>,
    /// How long it takes with a faster and a slower host.
    host_range: Option<&'a HostRange>,
    lines: &'a [LineTime],
    gaps: Option<&'a Gaps>,
    /// What was counted of the program, and what was found in it.
    facts: Option<&'a ProgramFacts>,
    /// What it did, by line, as checks read it.
    counts: Option<&'a RunCounts>,
    findings: Vec<Finding>,
    memory: Option<&'a Memory>,
    spans: &'a [Span],
    spans_dropped: u64,
    notes: &'a [String],
    /// What measured the device times of a real card.
    device_times: Option<&'a DeviceTimes>,
    /// What computed convolutions and recurrent layers on a real card.
    cudnn: Option<&'a CudnnUse>,
    /// What the host did for operations on a real card without being asked.
    host_work: &'a [HostWork],
    /// Host time that recording took: of no line.
    recording_ns: u64,
    /// Host time in which other work had the core; 0 where the system does not count it.
    interrupted_ns: u64,
    contended: &'a [Contention],
    not_computed: Option<NotComputed>,
    unknown_read: &'a [u32],
}

impl<'a> RunJson<'a> {
    /// What is known of a run.
    pub(super) fn of(program: &'a Program, run: &'a Run, saved: bool) -> Self {
        let report = run.report.as_ref();
        Self {
            program: &program.request.name,
            lesson: program.lab.as_ref().map(|(lesson, _)| lesson.as_str()),
            lab: program.lab.as_ref().map(|(_, lab)| lab.as_str()),
            device: program.request.device.to_string(),
            device_info: run.device.as_ref(),
            clock: report.map(|it| it.clock.word()),
            passed: program.is_passed_by(run),
            saved,
            outcome: report.map(|it| &it.outcome),
            output: missing_values::output(run),
            checks: &run.checks,
            metrics: &run.metrics,
            plots: &run.plots,
            host_ns: report.map(|it| it.host_ns),
            host_wait_ns: report.map(Report::waited_ns),
            host_busy_ns: report.map(|it| it.host_ns.saturating_sub(it.waited_ns())),
            device_ns: report.and_then(|it| it.device_ns),
            host_range: report.and_then(|it| it.host_range.as_deref()),
            lines: report
                .filter(|_| program.by_line)
                .map_or(&[], |it| &it.lines),
            gaps: report.and_then(|it| it.gaps.as_deref()),
            facts: report.and_then(|it| it.facts.as_deref()),
            counts: report.and_then(|it| it.counts.as_deref()),
            findings: report.map_or_else(Vec::new, |it| {
                findings::of_run(it, &program.request.source, program.kind())
            }),
            memory: report.and_then(|it| it.memory.as_deref()),
            spans: &run.spans,
            spans_dropped: report.map_or(0, |it| it.spans_dropped),
            notes: report.map_or(&[], |it| &it.notes),
            device_times: report.and_then(|it| it.device_times.as_deref()),
            cudnn: report.and_then(|it| it.cudnn.as_deref()),
            host_work: report.map_or(&[], |it| &it.host_work),
            recording_ns: report.map_or(0, |it| it.recording_ns),
            interrupted_ns: report.map_or(0, |it| it.interrupted_ns),
            contended: report.map_or(&[], |it| &it.contended),
            not_computed: report.and_then(|it| it.not_computed),
            unknown_read: report.map_or(&[], |it| &it.unknown_read),
        }
    }
}
