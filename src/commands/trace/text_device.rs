//! What a trace shows of a device, for people: streams, queues, why it was idle, waits, copies.

use super::cells::{ROWS, cut, cut_path, duration, more, percent, room};
use crate::commands::console::Console;
use crate::commands::failure::Result;
use warpup_kineto::analysis::Analysis;
use warpup_lab::units::{bytes, rate};

/// Prints the tables that have rows.
pub(super) fn print(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    streams(analysis, console)?;
    gaps(analysis, console)?;
    waits(analysis, console)?;
    copies(analysis, console)?;
    exchange(analysis, console)
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
        let place = it.line.as_deref().or(it.operator.as_deref());
        let said = at(&it.cause.words(), place, room(52, console));
        let time = duration(it.ns);
        console.line(&format!("  {said}{time:>9}{:>8}×", it.count))?;
        if let Some(function) = it.late_function.as_ref().filter(|of| of.ns * 4 >= it.ns) {
            let name = cut_path(&function.name, room(52, console));
            console.line(&format!("    {} of it in {name}", duration(function.ns)))?;
        }
    }
    more(rows.len(), console)
}

/// What happened with its place, in so many columns; a long path is cut in front.
fn at(what: &str, place: Option<&str>, columns: usize) -> String {
    let Some(place) = place else {
        return format!("{:<columns$}", cut(what, columns - 1));
    };
    let left = columns.saturating_sub(what.chars().count() + 4);
    let said = format!("{what} ({})", cut_path(place, left.max(8)));
    format!("{:<columns$}", cut(&said, columns - 1))
}

fn waits(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.waits.is_empty() {
        return Ok(());
    }
    console.line(&format!("\nThe host waited{}:", analysis.scope()))?;
    for it in analysis.waits.iter().take(ROWS) {
        let place = it.line.as_deref().or(it.operator.as_deref());
        let place = Some(place.unwrap_or(&it.call));
        let said = at(it.reason.words(), place, room(52, console));
        let time = duration(it.host_ns);
        console.line(&format!("  {said}{time:>9}{:>8}×", it.count))?;
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

fn exchange(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    let Some(exchange) = &analysis.exchange else {
        return Ok(());
    };
    let columns = room(27, console);
    let head = format!("exchange{}", analysis.scope());
    console.line(&format!(
        "\n{head:<columns$}{:>6}{:>6}{:>10}{:>9}{:>7}{:>13}",
        "ranks", "count", "bytes", "time", "alone", "sent"
    ))?;
    for it in exchange.collectives.iter().take(ROWS) {
        let name = cut(it.short_name(), columns - 1);
        let sent = it.bus_bytes_per_second.map_or(String::new(), rate);
        // Not every version says how much is exchanged.
        let (ranks, size) = match it.ranks {
            0 => (String::new(), String::new()),
            ranks => (ranks.to_string(), bytes(it.bytes)),
        };
        let time = duration(it.ns);
        let alone = percent(it.alone_ns, it.ns);
        let row = format!(
            "{name:<columns$}{ranks:>6}{:>6}{size:>10}{time:>9}{alone:>7}{sent:>13}",
            it.count
        );
        console.line(row.trim_end())?;
    }
    if let Some(most) = exchange.link_bytes_per_second {
        let said = format!(
            "This card's links can send {} by its data sheet, within one machine.",
            rate(most)
        );
        console.wrapped("", "", &said)?;
    }
    more(exchange.collectives.len(), console)
}
