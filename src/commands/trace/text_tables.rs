//! Tables of a trace for people: operators, kernels, lines, rates.

use super::cells::{ROWS, cut, duration, more, operator};
use crate::commands::console::Console;
use crate::commands::failure::Result;
use warpup_kineto::analysis::{Analysis, Rate};
use warpup_lab::units::{bytes, rate};

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
    console.line("\noperator                             count  host self host total    device")?;
    for it in analysis.operators.iter().take(ROWS) {
        let name = operator(&it.name, 33);
        let [own, total] = [it.self_ns, it.total_ns].map(duration);
        let device = match it.device_ns {
            0 => String::new(),
            ns => duration(ns),
        };
        let row = format!("{name:<34}{:>8}{own:>11}{total:>11}{device:>10}", it.count);
        console.line(row.trim_end())?;
    }
    more(analysis.operators.len(), console)
}

fn kernels(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.kernels.is_empty() {
        return Ok(());
    }
    console
        .line("\nkernel or copy                                      count      time   longest")?;
    for it in analysis.kernels.iter().take(ROWS) {
        let name = cut(&it.name, 49);
        let [total, longest] = [it.total_ns, it.longest_ns].map(duration);
        console.line(&format!(
            "{name:<50}{:>7}{total:>10}{longest:>10}",
            it.count
        ))?;
    }
    more(analysis.kernels.len(), console)
}

fn lines(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if analysis.lines.is_empty() {
        return Ok(());
    }
    console.line("\nline                                  calls      host    waited    device")?;
    for it in analysis.lines.iter().take(ROWS) {
        let name = cut(&it.line, 35);
        let [host, wait, device] = [it.own_ns, it.wait_ns, it.device_ns].map(|it| match it {
            0 => String::new(),
            ns => duration(ns),
        });
        let row = format!("{name:<36}{:>7}{host:>10}{wait:>10}{device:>10}", it.count);
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
    let head =
        format!("\noperator and shapes                         calls  {of:>8}  FLOP/s     bytes/s");
    console.line(&head)?;
    for it in analysis.rates.iter().take(ROWS) {
        let name = cut(&format!("{} {}", it.operator, it.dims), 41);
        let (time, flops) = (duration(it.ns), flops(it));
        let moved = rate(it.bytes_per_second);
        console.line(&format!(
            "{name:<42}{:>7}{time:>10}{flops:>8} {moved:>11}",
            it.count
        ))?;
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
        console.line(&format!(
            "memory on {}: {} hold {} at most, {} after the beginning{reserved}",
            it.device,
            it.tensors(),
            bytes(it.peak_bytes),
            duration(it.peak_at_ns)
        ))?;
    }
    Ok(())
}
