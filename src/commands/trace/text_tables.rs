//! Tables of a trace for people: operators, kernels, lines, rates.

use super::cells::{ROWS, cut, cut_path, duration, more, operator, room};
use crate::commands::console::Console;
use crate::commands::failure::Result;
use warpup_kineto::analysis::{Analysis, Memory, Rate};
use warpup_lab::units::{bytes, rate};

/// From this share on, in percent, memory that the allocator holds and no tensor uses is worth a word.
const UNUSED_PERCENT: u64 = 20;

/// Places that are named of what is alive at the peak.
const HOLDERS: usize = 4;

/// Prints the tables that have rows.
pub(super) fn print(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    operators(analysis, console)?;
    kernels(analysis, console)?;
    lines(analysis, console)?;
    rates(analysis, console)?;
    if !analysis.memory.is_empty() {
        console.line("")?;
    }
    memory(analysis, console)
}

fn operators(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.operators.is_empty() {
        return Ok(());
    }
    let columns = room(34, console);
    console.line(&format!(
        "\n{:<columns$}{:>8}{:>11}{:>11}{:>10}",
        "operator", "count", "host self", "host total", "device"
    ))?;
    for it in analysis.operators.iter().take(ROWS) {
        let name = operator(&it.name, columns - 1);
        let [own, total] = [it.self_ns, it.total_ns].map(duration);
        let device = match it.device_ns {
            0 => String::new(),
            ns => duration(ns),
        };
        let row = format!(
            "{name:<columns$}{:>8}{own:>11}{total:>11}{device:>10}",
            it.count
        );
        console.line(row.trim_end())?;
    }
    more(analysis.operators.len(), console)
}

fn kernels(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.kernels.is_empty() {
        return Ok(());
    }
    let columns = room(50, console);
    console.line(&format!(
        "\n{:<columns$}{:>7}{:>10}{:>10}",
        "kernel or copy", "count", "time", "longest"
    ))?;
    for it in analysis.kernels.iter().take(ROWS) {
        let name = cut(&it.name, columns - 1);
        let [total, longest] = [it.total_ns, it.longest_ns].map(duration);
        console.line(&format!(
            "{name:<columns$}{:>7}{total:>10}{longest:>10}",
            it.count
        ))?;
    }
    more(analysis.kernels.len(), console)
}

fn lines(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.lines.is_empty() {
        return Ok(());
    }
    let columns = room(36, console);
    console.line(&format!(
        "\n{:<columns$}{:>7}{:>10}{:>10}{:>10}",
        "line", "calls", "host", "waited", "device"
    ))?;
    for it in analysis.lines.iter().take(ROWS) {
        let name = cut_path(&it.line, columns - 1);
        let [host, wait, device] = [it.own_ns, it.wait_ns, it.device_ns].map(|it| match it {
            0 => String::new(),
            ns => duration(ns),
        });
        let row = format!(
            "{name:<columns$}{:>7}{host:>10}{wait:>10}{device:>10}",
            it.count
        );
        console.line(row.trim_end())?;
    }
    more(analysis.lines.len(), console)
}

fn rates(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.rates.is_empty() {
        return Ok(());
    }
    let of = match analysis.device {
        Some(_) => "kernels",
        None => "host",
    };
    let columns = room(42, console);
    console.line(&format!(
        "\n{:<columns$}{:>7}{of:>10}{:>8} {:>11}",
        "operator and shapes", "calls", "FLOP/s", "bytes/s"
    ))?;
    for it in analysis.rates.iter().take(ROWS) {
        let name = cut(&format!("{} {}", it.operator, it.dims), columns - 1);
        let (time, flops) = (duration(it.ns), flops(it));
        let moved = it.bytes_per_second.map_or(String::new(), rate);
        let row = format!(
            "{name:<columns$}{:>7}{time:>10}{flops:>8} {moved:>11}",
            it.count
        );
        console.line(row.trim_end())?;
    }
    more(analysis.rates.len(), console)
}

fn flops(it: &Rate) -> String {
    match it.flops_per_second {
        None => String::new(),
        Some(rate) if rate >= 1e12 => format!("{:.1} T", rate / 1e12),
        Some(rate) => format!("{:.1} G", rate / 1e9),
    }
}

/// The memory's peaks.
fn memory(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    for it in &analysis.memory {
        let reserved = match it.reserved_bytes {
            0 => String::new(),
            held => format!("; the allocator holds {}", bytes(held)),
        };
        let said = format!(
            "memory on {}: {} hold {} at most, {} after the beginning{reserved}{}",
            it.device,
            it.tensors(),
            bytes(it.peak_bytes),
            duration(it.peak_at_ns),
            unused(it)
        );
        console.wrapped("", "  ", &said)?;
        alive(it, console)?;
    }
    Ok(())
}

/// How much of what the allocator holds at the peak no tensor uses, if it is much: pieces between tensors, or what a larger step took before.
fn unused(it: &Memory) -> String {
    let held = it.reserved_at_peak_bytes;
    let percent = held.saturating_sub(it.peak_bytes) * 100 / held.max(1);
    if percent < UNUSED_PERCENT {
        return String::new();
    }
    format!(", and no tensor uses {percent} % of that")
}

/// What is alive at the peak, by where it was made.
fn alive(it: &Memory, console: &mut Console<'_>) -> Result<()> {
    if it.alive_at_peak.is_empty() {
        return Ok(());
    }
    let rows = it.alive_at_peak.iter().take(HOLDERS);
    let rows = rows.map(|it| {
        let place = it.place.as_deref();
        format!(
            "{} {}",
            bytes(it.bytes),
            place.unwrap_or("from before, or of no line or operator")
        )
    });
    let said = format!("alive then: {}", rows.collect::<Vec<_>>().join(", "));
    console.wrapped("  ", "    ", &said)
}
