//! The first use of a card and of its libraries within the times of a run. It is once in a run, however long the program goes
//! on, so that it says nothing about the lines on which it is. Pure.

use super::units::duration;
use warpup_protocol::{Clock, FirstUse, LineTime, Report};

/// The first use of the card, if the run was the one that made its context: within the program's time on a
/// modelled card, as under PyTorch, and before it on a real one, whose kernels may have to be compiled.
pub fn sentence(report: &Report) -> Option<String> {
    let first = report.gaps.as_ref()?.first_use?;
    let FirstUse { line, ns, .. } = first;
    Some(match report.clock {
        Clock::Modelled => {
            let context_ns = ns.saturating_sub(first.cublas_ns + first.cudnn_ns);
            let libraries = [
                ("cuBLAS", first.cublas_line, first.cublas_ns),
                ("cuDNN", first.cudnn_line, first.cudnn_ns),
            ];
            let started = libraries.iter().filter(|(.., ns)| *ns > 0);
            let starts: Vec<String> = started
                .map(|(library, line, ns)| {
                    format!(
                        "; the start of {library}{}, {}",
                        on_line(*line),
                        duration(*ns)
                    )
                })
                .collect();
            let each = if starts.is_empty() { "" } else { "each " };
            format!(
                "first use of the card{}: the CUDA context, {}{}, {each}once in a run",
                on_line(line),
                duration(context_ns),
                starts.concat()
            )
        }
        Clock::Measured => {
            let parts = [
                ("context", first.context_ns),
                ("kernels", first.kernels_ns),
                ("cuBLAS", first.cublas_ns),
            ];
            let known = parts.iter().filter(|(_, ns)| *ns > 0);
            let known: Vec<String> = known
                .map(|(part, ns)| format!("{part} {}", duration(*ns)))
                .collect();
            let of_what = match &*known {
                [] => "context and kernels".to_owned(),
                known => known.join(", "),
            };
            let took = duration(ns);
            format!("the card was made ready before the program began, in {took}: {of_what}")
        }
    })
}

/// Its part of a run's time on the host.
pub fn of_run(report: &Report) -> u64 {
    within(report).map_or(0, |it| it.ns)
}

/// A run's time on the host without it.
pub fn rest_of(report: &Report) -> u64 {
    report.host_ns.saturating_sub(of_run(report))
}

/// Its part of a line's time on the host.
pub fn of_line(report: &Report, line: u32) -> u64 {
    parts(report, line).map(|(_, ns)| ns).sum()
}

/// What was used first on a line, if that is most of its time on the host.
pub fn most_of(report: &Report, time: &LineTime) -> Option<String> {
    let used: Vec<&str> = parts(report, time.line).map(|(what, _)| what).collect();
    let is_most = of_line(report, time.line).saturating_mul(2) > time.host_ns;
    (is_most && !used.is_empty()).then(|| used.join(" and "))
}

/// The first use, where it is within the program's time: on a modelled card, as under PyTorch. On a real one it was over when
/// the program's clock began.
fn within(report: &Report) -> Option<FirstUse> {
    let first = report.gaps.as_ref()?.first_use;
    first.filter(|_| report.clock == Clock::Modelled)
}

/// What was used first on a line, and how long that took: the card, or a library.
fn parts(report: &Report, line: u32) -> impl Iterator<Item = (&'static str, u64)> {
    let first = within(report).unwrap_or_default();
    let context_ns = first.ns.saturating_sub(first.cublas_ns + first.cudnn_ns);
    let all = [
        ("the card", first.line, context_ns),
        ("cuBLAS", first.cublas_line, first.cublas_ns),
        ("cuDNN", first.cudnn_line, first.cudnn_ns),
    ];
    let on_line = all
        .into_iter()
        .filter(move |(_, at, ns)| *at == line && *ns > 0);
    on_line.map(|(what, _, ns)| (what, ns))
}

fn on_line(line: u32) -> String {
    match line {
        0 => String::new(),
        line => format!(" on line {line}"),
    }
}
