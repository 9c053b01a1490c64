//! The ladder as plain text: a line a rung that holds, all that is known of one that does not.

use crate::commands::console::Console;
use crate::commands::failure::Result;
use crate::commands::find;
use crate::course::Course;
use crate::doctor::{Report, Rung, RungState};
use crate::shown::Letters;

/// Columns before what belongs to a rung.
const INDENT: usize = 4;

/// The mark before each line of evidence.
const QUOTE: &str = "| ";

pub(super) fn print(report: &Report, course: &Course, console: &mut Console<'_>) -> Result<()> {
    console.line("What is between a program and the card, from the card up:")?;
    console.line("")?;
    for rungs in report.rungs.chunk_by(Rung::shares_reason) {
        match rungs {
            [rung] if rung.state != RungState::NotLookedAt => self::rung(rung, course, console)?,
            _ => not_looked_at(rungs, console)?,
        }
    }
    console.line("")?;
    paragraph(&report.summary(), "", 0, console)?;
    if let Some(step) = report.next_step() {
        paragraph(step, "Next: ", 0, console)?;
    }
    Ok(())
}

/// Rungs that one reason keeps from being looked at, together.
fn not_looked_at(rungs: &[Rung], console: &mut Console<'_>) -> Result<()> {
    let titles: Vec<&str> = rungs.iter().map(|it| it.title).collect();
    let why = rungs.first().map_or("", |it| it.says.as_str());
    let head = head(RungState::NotLookedAt, console.letters);
    let text = format!("{head} ({why}): {}", titles.join("; "));
    console.wrapped("", &" ".repeat(INDENT), &text)
}

/// The sign and the word of a state.
fn head(state: RungState, letters: Letters) -> String {
    let sign = match letters {
        Letters::Unicode => state.sign(),
        Letters::Ascii => state.ascii_sign(),
    };
    format!("{sign} {}", state.label())
}

fn rung(rung: &Rung, course: &Course, console: &mut Console<'_>) -> Result<()> {
    console.line(&format!(
        "{}: {}",
        head(rung.state, console.letters),
        rung.title
    ))?;
    paragraph(&rung.says, "", INDENT, console)?;
    paragraph(&rung.looked_at.join("; "), "Looked at: ", INDENT, console)?;
    for line in &rung.evidence {
        paragraph(line, QUOTE, INDENT, console)?;
    }
    for step in &rung.try_next {
        paragraph(step, "Try: ", INDENT, console)?;
    }
    if rung.state != RungState::Ok
        && let Some(lesson) = find::lesson_about(rung, course)
    {
        let read = format!("warpup read {}", lesson.as_str());
        paragraph(&read, "Read: ", INDENT, console)?;
    }
    Ok(())
}

/// Prints text behind a word that says what it is; further lines start below its beginning.
fn paragraph(text: &str, head: &str, indent: usize, console: &mut Console<'_>) -> Result<()> {
    let first = format!("{}{head}", " ".repeat(indent));
    let under = " ".repeat(first.len());
    // Each line of what others said is marked as theirs.
    let under = if head == QUOTE { &first } else { &under };
    console.wrapped(&first, under, text)
}
