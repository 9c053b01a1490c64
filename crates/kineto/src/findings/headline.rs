//! The first line about a trace: how long a step takes, and how busy the device is meanwhile.

use crate::analysis::{Analysis, Step};
use warpup_lab::units::{count, duration};

/// What is said of a trace before anything that was found: `8.56 ms a step, mean of 3 · the device is idle for 42 % of it`.
pub fn headline(analysis: &Analysis) -> String {
    let ns = |it: i64| u64::try_from(it).unwrap_or(0);
    let percent = |part: i64, of: i64| 100 * ns(part) / ns(of).max(1);
    let steps = analysis.steps.as_slice();
    let sum = |of: fn(&Step) -> i64| steps.iter().map(of).sum::<i64>();
    let mut said = Vec::new();
    if analysis.has_steps && !steps.is_empty() {
        let all_ns = sum(|it| it.duration_ns);
        let mean = duration(ns(all_ns) / steps.len() as u64);
        said.push(match steps.len() {
            1 => format!("{mean} a step"),
            many => format!("{mean} a step, mean of {many}"),
        });
        if analysis.device.is_some() {
            let idle = percent(sum(|it| it.device_idle_ns), all_ns);
            said.push(format!("the device is idle for {idle} % of it"));
            let kernels: u64 = steps.iter().map(|it| it.kernels).sum();
            let kernels = kernels / steps.len() as u64;
            let kernels = count(usize::try_from(kernels).unwrap_or(0), "kernel", "kernels");
            said.push(format!("{kernels} a step"));
        }
    } else if let Some(device) = &analysis.device {
        let (busy, span) = (duration(ns(device.busy_ns)), duration(ns(device.span_ns)));
        let share = percent(device.busy_ns, device.span_ns);
        said.push(format!(
            "the device is busy for {busy} of {span} ({share} %)"
        ));
    }
    said.join(" \u{b7} ")
}
