//! A trace for people: what was found first, then the figures.

use super::analysed::TraceFigures;
use super::cells::{ROWS, cut, duration, more, percent};
use super::{text_device, text_tables};
use crate::commands::console::Console;
use crate::commands::failure::Result;
use crate::commands::found;
use warpup_kineto::analysis::Analysis;
use warpup_kineto::findings::{FindingsReport, headline};
use warpup_kineto::{LaneKind, curves};
use warpup_lab::plot::{self, PlotRow, Size};
use warpup_lab::units::count;

/// Rows of a curve, its axis among them.
const CURVE_ROWS: usize = 10;

/// Prints it all.
pub(super) fn print(of: &TraceFigures, console: &mut Console<'_>) -> Result<()> {
    let (analysis, report) = of;
    title(analysis, console)?;
    findings(of, console)?;
    steps(analysis, console)?;
    device(analysis, console)?;
    text_device::print(analysis, console)?;
    text_tables::print(analysis, console)?;
    curves(analysis, console)?;
    cannot_show(report, console)
}

fn title(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    let events = usize::try_from(analysis.events).unwrap_or(0);
    let mut parts = vec![format!(
        "{}: {} in {}",
        analysis.file,
        count(events, "event", "events"),
        duration(analysis.span_ns)
    )];
    if analysis.has_steps {
        parts.push(count(analysis.steps.len(), "step", "steps"));
    }
    parts.extend(analysis.about.rank.map(|it| format!("rank {it}")));
    let device = analysis.about.devices.first();
    parts.extend(device.filter(|it| !it.is_empty()).cloned());
    console.wrapped("", "", &format!("{}.", parts.join(", ")))?;
    let headline = headline(analysis);
    if !headline.is_empty() {
        console.wrapped("", "", &format!("{headline}."))?;
    }
    if_synthetic(analysis, console)
}

/// Says of a trace that calls itself `synthetic` that its times must not be taken as measured.
pub(super) fn if_synthetic(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if !analysis.about.is_synthetic {
        return Ok(());
    }
    let said = "is synthetic: computed by a script, not measured.";
    console.wrapped("", "", &format!("{} {said}", analysis.file))
}

/// The findings, each with where it is, what to try, and the page.
pub(super) fn findings((_, report): &TraceFigures, console: &mut Console<'_>) -> Result<()> {
    if let Some(said) = &report.nothing_found {
        console.line("")?;
        return console.wrapped("", "", said);
    }
    found::print(
        "Found, the most expensive first:",
        &report.findings,
        console,
    )
}

fn steps(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    if !analysis.has_steps {
        return Ok(());
    }
    console.line("\nstep                        time  device busy  idle  kernels  copies")?;
    for it in analysis.steps.iter().take(ROWS) {
        let (busy, idle) = if analysis.device.is_some() {
            let idle = percent(it.device_idle_ns, it.duration_ns);
            (duration(it.device_ns), idle)
        } else {
            (String::new(), String::new())
        };
        let (name, time) = (cut(&it.name, 22), duration(it.duration_ns));
        let row = format!(
            "{name:<23}{time:>9}{busy:>13}{idle:>6}{:>9}{:>8}",
            it.kernels, it.copies
        );
        console.line(row.trim_end())?;
    }
    more(analysis.steps.len(), console)?;
    if analysis.device.is_some() {
        let said = "Busy is of what the step launched; idle is of the step's own time.";
        console.wrapped("", "", said)?;
    }
    Ok(())
}

/// The threads, and what the devices did together.
fn device(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    console.line("\nlane                                             events       busy")?;
    let lanes = analysis.lanes.iter();
    for it in lanes.clone().take(ROWS) {
        let what = match it.kind {
            LaneKind::Host => format!("host {}", it.name),
            LaneKind::Stream | LaneKind::Other => it.name.clone(),
        };
        let (what, busy) = (cut(&what, 44), duration(it.busy_ns));
        console.line(&format!("{what:<45}{:>10}{busy:>11}", it.events))?;
    }
    more(lanes.len(), console)?;
    let Some(device) = &analysis.device else {
        return Ok(());
    };
    let said = format!(
        "From its first work to its last the device is busy {} of {} ({}), and idle {}.",
        duration(device.busy_ns),
        duration(device.span_ns),
        percent(device.busy_ns, device.span_ns),
        duration(device.idle_ns)
    );
    console.line("")?;
    console.wrapped("", "", &said)?;
    if device.copy_ns > 0 {
        let said = format!(
            "Copies and fills take {}, of which {} are beside kernels that compute.",
            duration(device.copy_ns),
            percent(device.copy_beside_compute_ns, device.copy_ns)
        );
        console.wrapped("", "", &said)?;
    }
    if device.communication_ns > 0 {
        let said = format!(
            "Exchange between ranks takes {}, of which {} are beside other kernels.",
            duration(device.communication_ns),
            percent(
                device.communication_beside_compute_ns,
                device.communication_ns
            )
        );
        console.wrapped("", "", &said)?;
    }
    Ok(())
}

/// The launch queue and the memory over time.
fn curves(analysis: &Analysis, console: &mut Console<'_>) -> Result<()> {
    let size = Size {
        columns: console.width,
        rows: CURVE_ROWS,
    };
    for it in curves::of(analysis) {
        console.line(&format!("\n{}:", it.title))?;
        let rows = plot::draw(&it, size, console.letters);
        console.lines(rows.iter().map(PlotRow::text))?;
    }
    Ok(())
}

fn cannot_show(report: &FindingsReport, console: &mut Console<'_>) -> Result<()> {
    if report.cannot_show.is_empty() {
        return Ok(());
    }
    console.line("\nWhat this trace cannot show:")?;
    for it in &report.cannot_show {
        console.wrapped("  - ", "    ", it)?;
    }
    Ok(())
}
