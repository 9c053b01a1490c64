//! What a trace of PyTorch's profiler shows of the learner's own training run, as far as a handoff needs it.
//!
//! The figures are those of `warpup trace`; nothing is computed again here.

use super::model::{FirstFinding, PeakMemory, TopOperator, TracedRun};
use warpup_kineto::analysis::{Analysis, Operator};
use warpup_kineto::findings::FindingsReport;
use warpup_lab::findings::Finding;
use warpup_lab::units::mib;

/// The figures of a trace that go on.
pub fn of(analysis: &Analysis, report: &FindingsReport) -> TracedRun {
    let has_device = analysis.device.is_some();
    let busy_ns = analysis.stepped_ns - analysis.stepped_idle_ns;
    let share = busy_ns as f64 * 100.0 / analysis.stepped_ns.max(1) as f64;
    TracedRun {
        trace: analysis.file.clone(),
        synthetic: analysis.about.is_synthetic,
        title: analysis.about.devices.first().cloned(),
        steps: analysis.has_steps.then_some(analysis.steps.len()),
        step_ms: ms(analysis.stepped_ns / analysis.step_count()),
        device_busy_percent: has_device.then_some(share),
        finding: report.findings.first().map(first_finding),
        top_operator: top_operator(&analysis.operators, has_device),
        peaks: analysis
            .memory
            .iter()
            .map(|it| PeakMemory {
                device: it.device.clone(),
                mib: mib(it.peak_bytes),
            })
            .collect(),
    }
}

fn first_finding(it: &Finding) -> FirstFinding {
    FirstFinding {
        id: it.id,
        sentence: it.sentence.clone(),
        place: it.place.clone(),
    }
}

/// The operator whose own work takes longest: on the device, or on the host where the trace has no device.
fn top_operator(operators: &[Operator], has_device: bool) -> Option<TopOperator> {
    let own = |it: &Operator| {
        if has_device {
            it.self_device_ns
        } else {
            it.self_ns
        }
    };
    let top = operators.iter().max_by_key(|it| own(it))?;
    Some(TopOperator {
        name: top.name.clone(),
        side: if has_device { "device" } else { "host" },
        own_ms: ms(own(top)),
    })
}

fn ms(ns: i64) -> f64 {
    ns as f64 / 1e6
}
