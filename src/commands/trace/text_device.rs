//! What a trace shows of a device, for people: streams, queues, why it was idle, waits, copies.

use super::cells::{ROWS, cut, duration, more, percent};
use crate::commands::console::Console;
use crate::commands::failure::Result;
use warpup_kineto::analysis::Analysis;
use warpup_lab::units::{bytes, rate};

/// Prints the tables that have rows.
pub(super) fn print(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    streams(analysis, console)?;
    gaps(analysis, console)?;
    waits(analysis, console)?;
    copies(analysis, console)
}

fn streams(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.streams.is_empty() {
        return Ok(());
    }
    console.line("\nstream        work     busy idle: host late    pause    other  queued")?;
    for it in analysis.streams.iter().take(ROWS) {
        let name = cut(&format!("{} on {}", it.stream, it.device), 10);
        let [late, pause, other] = [
            it.idle.host_wait_ns,
            it.idle.kernel_wait_ns,
            it.idle.other_ns,
        ]
        .map(|ns| match ns {
            0 => String::new(),
            ns => duration(ns),
        });
        let is_same = |queue: &&warpup_kineto::analysis::Queue| {
            queue.device == it.device && queue.stream == it.stream
        };
        let queue = analysis.queues.iter().find(is_same);
        let queued = queue.map_or(String::new(), |it| {
            format!("{:.1} (max {})", it.mean_over_time, it.longest)
        });
        let busy = duration(it.busy_ns);
        console.line(&format!(
            "{name:<11}{:>7}{busy:>9}{late:>16}{pause:>9}{other:>9}  {queued}",
            it.work
        ))?;
    }
    more(analysis.streams.len(), console)
}

fn gaps(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    let rows = &analysis.gaps.by_cause;
    if rows.is_empty() {
        return Ok(());
    }
    console.line(&format!("\nThe device was idle{}:", analysis.scope()))?;
    for it in rows.iter().take(ROWS) {
        let place = it.line.clone().or_else(|| it.operator.clone());
        let place = place.map_or(String::new(), |it| format!(" ({it})"));
        let said = cut(&format!("{}{place}", it.cause.words()), 51);
        let time = duration(it.ns);
        console.line(&format!("  {said:<52}{time:>9}{:>8}×", it.count))?;
    }
    more(rows.len(), console)
}

fn waits(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.waits.is_empty() {
        return Ok(());
    }
    console.line(&format!("\nThe host waited{}:", analysis.scope()))?;
    for it in analysis.waits.iter().take(ROWS) {
        let place = it.line.clone().or_else(|| it.operator.clone());
        let place = place.unwrap_or_else(|| it.call.clone());
        let said = cut(&format!("{} ({place})", it.reason.words()), 51);
        let time = duration(it.host_ns);
        console.line(&format!("  {said:<52}{time:>9}{:>8}×", it.count))?;
    }
    more(analysis.waits.len(), console)
}

fn copies(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.copies.is_empty() {
        return Ok(());
    }
    let head = format!("copies{}", analysis.scope());
    console.line(&format!(
        "\n{head:<32}{:>7}{:>10}{:>9}{:>7}{:>11}",
        "count", "bytes", "time", "alone", "rate"
    ))?;
    for it in analysis.copies.iter().take(ROWS) {
        let name = cut(&it.title(), 31);
        let rate = it.bytes_per_second.map_or(String::new(), rate);
        // Some traces have no sizes.
        let size = match it.bytes {
            0 => String::new(),
            size => bytes(size),
        };
        let time = duration(it.device_ns);
        let alone = percent(it.alone_ns, it.device_ns);
        let row = format!(
            "{name:<32}{:>7}{size:>10}{time:>9}{alone:>7}{rate:>11}",
            it.count
        );
        console.line(row.trim_end())?;
    }
    more(analysis.copies.len(), console)
}
