//! The ladder as plain text: a line a rung that holds, all that is known of one that does not.

use super::values::{EffectiveValue, Origin};
use crate::commands::console::Console;
use crate::commands::failure::Result;
use crate::commands::find;
use warpup_course::Course;
use warpup_course::wrap;
use warpup_doctor::{Report, Rung, RungState};
use warpup_store::settings;
use warpup_text::shown::{Letters, Shown};

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
        advice(step, "Next: ", 0, console)?;
    }
    Ok(())
}

/// Prints every value in force and who has set it; those that nobody has set are together.
pub(super) fn values(values: &[EffectiveValue], console: &mut Console<'_>) -> Result<()> {
    let file = settings::file().map_or("your settings".to_owned(), |it| it.display().to_string());
    let (usual, set): (Vec<_>, Vec<_>) = values.iter().partition(|it| it.from == Origin::Default);
    console.line("Settings in force:")?;
    for it in set {
        let from = it.from.words(&file);
        console.wrapped(
            "  ",
            "    ",
            &format!("{} = {} (from {from})", it.key, it.value),
        )?;
    }
    let usual = usual.iter().map(|it| format!("{} = {}", it.key, it.value));
    let usual = usual.collect::<Vec<_>>().join("; ");
    console.wrapped("  ", "    ", &format!("not set: {usual}"))
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
        advice(step, "Try: ", INDENT, console)?;
    }
    if rung.state != RungState::Ok
        && let Some(lesson) = find::lesson_about(rung, course)
    {
        let read = format!("warpup read {}", lesson.as_str());
        paragraph(&read, "Read: ", INDENT, console)?;
    }
    Ok(())
}

/// Prints what to try. A command stays on one line, however long it is, so that it can be copied.
fn advice(step: &str, head: &str, indent: usize, console: &mut Console<'_>) -> Result<()> {
    let under = " ".repeat(indent + head.len());
    let room = console.prose_width().saturating_sub(under.len()).max(20);
    let shown = Shown::one_line(step);
    let mut line = format!("{}{head}", " ".repeat(indent));
    let mut used = 0;
    for word in words(shown.as_str()) {
        let wide = wrap::width(word);
        if used > 0 && used + 1 + wide > room {
            console.line(&line)?;
            line.clone_from(&under);
            used = 0;
        }
        if used > 0 {
            line.push(' ');
        }
        line.push_str(word);
        used += wide + usize::from(used > 0);
    }
    console.line(&line)
}

/// The words of a text, with what is between backticks as part of one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut is_command = false;
    text.split(move |it| {
        is_command ^= it == '`';
        it == ' ' && !is_command
    })
}

/// Prints text behind a word that says what it is; further lines start below its beginning.
fn paragraph(text: &str, head: &str, indent: usize, console: &mut Console<'_>) -> Result<()> {
    let first = format!("{}{head}", " ".repeat(indent));
    let under = " ".repeat(first.len());
    // Each line of what others said is marked as theirs.
    let under = if head == QUOTE { &first } else { &under };
    console.wrapped(&first, under, text)
}
