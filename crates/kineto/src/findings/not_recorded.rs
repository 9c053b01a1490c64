//! What a trace cannot show, because it was not recorded.

use super::device_starvation::LATE_LAUNCHES;
use crate::analysis::{Analysis, Cause};
use crate::other_category::OtherCategory;
use crate::source_lines::Precision;
use warpup_lab::findings::{Finding, LAUNCH_BOUND, counted};

/// A sentence for each thing that is missing, with what would record it.
pub(super) fn sentences(analysis: &Analysis, findings: &[Finding]) -> Vec<String> {
    let mut said = Vec::new();
    let has_device = analysis.device.is_some();
    if !has_device && analysis.other_devices.is_empty() {
        said.push("no work of a card was recorded: nothing about launches, streams, copies and idle time (`ProfilerActivity.CUDA`)");
    }
    if analysis.about.is_of_warpup {
        said.push("launches, operators and lines: `warpup run --trace` wrote this, and the report of that run has its findings");
    }
    if !analysis.has_steps {
        said.push(
            "no steps are marked, so the whole trace counts as one: call `prof.step()` after each",
        );
    }
    match analysis.precision {
        Precision::Lines => {}
        Precision::Functions => said.push(
            "a line is the one on which a function begins: PyTorch writes the line of a call from 2.15 on",
        ),
        Precision::Nothing => {
            said.push("no Python functions were recorded, so no line has a name (`with_stack=True`)");
        }
    }
    if !analysis.has_shapes {
        said.push("no shapes were recorded, so no arithmetic and no bytes a second of operators (`record_shapes=True`)");
    }
    if analysis.memory.is_empty() {
        said.push("no memory was recorded (`profile_memory=True`)");
    }
    if analysis.loading.is_none() {
        said.push(if has_device {
            "no `DataLoader` was recorded: time that another loader takes looks like late launches"
        } else {
            "no `DataLoader` was recorded: time that another loader takes has no name"
        });
    }
    let causes = &analysis.gaps.by_cause;
    if !causes.is_empty() && causes.iter().all(|it| it.cause == Cause::Unknown) {
        said.push("no launch was recorded of the work after each gap, so idle time has no cause");
    }
    // Measured: docs/measured/trace.md.
    let is_slow_host = |it: &Finding| [LAUNCH_BOUND, LATE_LAUNCHES].contains(&it.id);
    if findings.iter().any(is_slow_host) {
        said.push("how much the profiler itself slows the host, and makes launches late: time some steps without it (with short kernels, a step of one program took three times as long)");
    }
    if analysis.streams.len() > 1 {
        said.push("which stream waits for which: a gap that was queued in time may be such a wait");
    }
    let other = analysis.other_devices.iter().map(unread);
    let said = said.into_iter().map(ToOwned::to_owned);
    other.chain(said).collect()
}

/// What was recorded of another device, and is not read.
fn unread(it: &OtherCategory) -> String {
    format!(
        "what {} of `{}` did: {}",
        counted(it.events as f64, "event", "events"),
        it.category,
        it.device().unwrap_or_default()
    )
}
