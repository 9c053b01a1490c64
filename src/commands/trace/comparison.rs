//! Two traces for people: what changed in a step.

use super::analysed::TraceFigures;
use super::cells::{cut_path, operator, room};
use super::text::if_synthetic;
use crate::commands::console::Console;
use crate::commands::failure::Result;
use warpup_kineto::{Comparison, Difference, FindingChange, Unit};

/// Operators that are shown.
const ROWS: usize = 12;

/// Prints what changed.
pub(super) fn print(
    before: &TraceFigures,
    after: &TraceFigures,
    changed: &Comparison,
    console: &mut Console<'_>,
) -> Result<()> {
    let said = format!("Before: {}. After: {}.", before.0.file, after.0.file);
    console.wrapped("", "", &said)?;
    if_synthetic(&before.0, console)?;
    if_synthetic(&after.0, console)?;
    let columns = room(35, console);
    console.line(&format!(
        "\n{:<columns$}{:>11}{:>11}{:>10}",
        "in a step", "before", "after", "ratio"
    ))?;
    for (name, change, unit) in changed.of_step() {
        row(name, change, unit, console)?;
    }
    findings(&changed.findings, console)?;
    most("line", changed.changed_lines(), console)?;
    most("operator", changed.changed_operators(), console)
}

/// The operators or lines that changed most.
fn most<'a>(
    what: &str,
    rows: impl Iterator<Item = (&'a str, &'static str, Difference)>,
    console: &mut Console<'_>,
) -> Result<()> {
    let mut rows = rows.take(ROWS).peekable();
    let columns = room(35, console);
    if rows.peek().is_some() {
        let head = format!("what changed most: {what}");
        console.line(&format!(
            "\n{head:<columns$}{:>11}{:>11}{:>10}",
            "before", "after", "ratio"
        ))?;
    }
    for (name, side, of) in rows {
        let name = cut_path(&operator(name, usize::MAX), columns - 10);
        row(&format!("{name}, {side}"), of, Unit::Time, console)?;
    }
    Ok(())
}

fn row(name: &str, change: Difference, unit: Unit, console: &mut Console<'_>) -> Result<()> {
    let columns = room(35, console);
    let ratio = change
        .ratio()
        .map_or(String::new(), |it| format!("{it:.2}"));
    let [before, after] = [change.before, change.after].map(|it| unit.written(it));
    let line = format!("{name:<columns$}{before:>11}{after:>11}{ratio:>10}");
    console.line(line.trim_end())
}

fn findings(changes: &[FindingChange], console: &mut Console<'_>) -> Result<()> {
    if changes.is_empty() {
        return console.line("\nNothing was found in either that costs a step much time.");
    }
    let columns = room(35, console);
    console.line(&format!(
        "\n{:<columns$}{:>11}{:>11}",
        "finding, and what a step could save", "before", "after"
    ))?;
    for it in changes {
        let [before, after] = it.written();
        console.line(&format!("{:<columns$}{before:>11}{after:>11}", it.id))?;
    }
    Ok(())
}
