//! Two traces for people: what changed in a step.

use super::analysed::Analysed;
use super::cells::{cut, duration};
use super::text::if_synthetic;
use crate::commands::console::Console;
use crate::commands::failure::Result;
use crate::kineto::{Change, Comparison, FindingChange};
use crate::lab::units;

/// Operators that are shown.
const ROWS: usize = 12;

/// Prints what changed.
pub(super) fn print(
    before: &Analysed,
    after: &Analysed,
    changed: &Comparison,
    console: &mut Console<'_>,
) -> Result<()> {
    let said = format!("Before: {}. After: {}.", before.0.file, after.0.file);
    console.wrapped("", "", &said)?;
    if_synthetic(&before.0, console)?;
    if_synthetic(&after.0, console)?;
    console.line("\nin a step                               before      after     ratio")?;
    let has_device = before.0.device.is_some() || after.0.device.is_some();
    row("time", changed.step_ns, time, console)?;
    if has_device {
        row("device busy", changed.device_busy_ns, time, console)?;
        row("device idle", changed.device_idle_ns, time, console)?;
        row("host waits for the device", changed.wait_ns, time, console)?;
        row("kernels", changed.kernels, units::number, console)?;
    }
    findings(&changed.findings, console)?;
    let differs = |it: Change| it.difference().abs() * 100.0 > it.before.max(it.after);
    let mut operators = changed.operators.iter().peekable();
    if operators
        .peek()
        .is_some_and(|it| differs(it.self_ns) || differs(it.self_device_ns))
    {
        console.line("\nwhat changed most: operator             before      after     ratio")?;
    }
    for it in operators.take(ROWS) {
        let is_device = it.self_device_ns.difference().abs() > it.self_ns.difference().abs();
        let (of, side) = if is_device {
            (it.self_device_ns, "device")
        } else {
            (it.self_ns, "host")
        };
        if !differs(of) {
            continue;
        }
        row(&format!("{}, {side}", cut(&it.name, 25)), of, time, console)?;
    }
    Ok(())
}

fn time(ns: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a time of a step")]
    duration(ns as i64)
}

fn row(
    name: &str,
    change: Change,
    written: fn(f64) -> String,
    console: &mut Console<'_>,
) -> Result<()> {
    let ratio = change
        .ratio()
        .map_or(String::new(), |it| format!("{it:.2}"));
    let (before, after) = (written(change.before), written(change.after));
    let line = format!("{name:<35}{before:>11}{after:>11}{ratio:>10}");
    console.line(line.trim_end())
}

fn findings(changes: &[FindingChange], console: &mut Console<'_>) -> Result<()> {
    if changes.is_empty() {
        return console.line("\nNothing was found in either that costs a step much time.");
    }
    console.line("\nfinding, and what a step could save     before      after")?;
    for it in changes {
        let [before, after] = [it.before_ns, it.after_ns].map(|it| match it {
            None => "no".to_owned(),
            Some(0) => "yes".to_owned(),
            Some(ns) => duration(ns),
        });
        console.line(&format!("{:<35}{before:>11}{after:>11}", it.id))?;
    }
    Ok(())
}
