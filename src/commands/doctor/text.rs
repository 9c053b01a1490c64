//! The ladder as plain text: a line a rung that holds, all that is known of one that does not.

use crate::commands::console::Console;
use crate::commands::failure::Failure;
use crate::commands::find;
use crate::course::Course;
use crate::course::wrap::wrap_str;
use crate::doctor::{Report, Rung, State};
use crate::shown::{Letters, Shown};

/// Columns before what belongs to a rung.
const INDENT: usize = 4;

/// What stands before each line of what was found.
const QUOTE: &str = "| ";

pub(super) fn print(
    report: &Report,
    course: &Course,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    console.line("What is between a program and the card, from the card up:")?;
    console.line("")?;
    for rungs in report.rungs.chunk_by(Rung::shares_reason) {
        match rungs {
            [rung] if rung.state != State::NotLookedAt => self::rung(rung, course, console)?,
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
fn not_looked_at(rungs: &[Rung], console: &mut Console<'_>) -> Result<(), Failure> {
    let titles: Vec<&str> = rungs.iter().map(|it| it.title).collect();
    let why = rungs.first().map_or("", |it| it.says.as_str());
    let head = format!("{} ({why}): ", head(State::NotLookedAt, console.letters));
    paragraph_under(&titles.join("; "), &head, INDENT, console)
}

/// The sign and the word of a state.
fn head(state: State, letters: Letters) -> String {
    let sign = match letters {
        Letters::Unicode => state.sign(),
        Letters::Ascii => state.ascii_sign(),
    };
    format!("{sign} {}", state.word())
}

fn rung(rung: &Rung, course: &Course, console: &mut Console<'_>) -> Result<(), Failure> {
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
    if rung.state != State::Ok
        && let Some(lesson) = find::lesson_about(rung.id, course)
    {
        let read = format!("warpup read {}", lesson.as_str());
        paragraph(&read, "Read: ", INDENT, console)?;
    }
    Ok(())
}

/// Prints text behind a word that says what it is; further lines stand under its beginning.
fn paragraph(
    text: &str,
    head: &str,
    indent: usize,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let width = console.prose_width().saturating_sub(indent + head.len());
    // Made safe before it is measured: a letter may become longer by it.
    let text = Shown::new(text);
    let before = " ".repeat(indent);
    let under = " ".repeat(head.len());
    for (at, line) in wrap_str(text.as_str(), width.max(20)).iter().enumerate() {
        // Of what others said, each line is marked as theirs.
        let head = if at == 0 || head == QUOTE {
            head
        } else {
            &under
        };
        console.line(&format!("{before}{head}{line}"))?;
    }
    Ok(())
}

/// Prints text behind a head; further lines are indented.
fn paragraph_under(
    text: &str,
    head: &str,
    indent: usize,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let whole = format!("{head}{text}");
    let width = console.prose_width().saturating_sub(indent).max(20);
    let mut lines = wrap_str(Shown::new(&whole).as_str(), width).into_iter();
    if let Some(first) = lines.next() {
        console.line(&first)?;
    }
    for line in lines {
        console.line(&format!("{}{line}", " ".repeat(indent)))?;
    }
    Ok(())
}
