//! Prints a quiz: questions, verdicts, the result.

use crate::commands::console::Console;
use crate::commands::context::CommandContext;
use crate::commands::failure::Failure;
use crate::commands::progress::points;
use crate::course::{Lesson, Question, Text, plain};
use crate::grade::Asked;
use crate::lab::units::count;
use crate::quiz::{Round, Session};

/// Asks a question: its place, prompt, choices, and how to answer.
pub(super) fn question(
    console: &mut Console<'_>,
    asked: &Asked,
    place: (usize, usize),
) -> Result<(), Failure> {
    let question = &asked.question;
    console.line(&format!(
        "\nQuestion {} of {} ({})\n",
        place.0,
        place.1,
        count(question.points as usize, "point", "points")
    ))?;
    to_answer(console, asked)
}

/// The prompt of a question, its choices, and how to answer.
pub(in crate::commands) fn to_answer(
    console: &mut Console<'_>,
    asked: &Asked,
) -> Result<(), Failure> {
    let question = &asked.question;
    let prompt = plain::blocks(&question.prompt, console.prose_width());
    console.text(&prompt)?;
    let input = asked.input();
    if !input.lefts.is_empty() {
        console.line("")?;
    }
    for (letter, left) in ('a'..='z').zip(&input.lefts) {
        console.line(&format!("  {letter}  {}", plain::inline(left.text)))?;
    }
    if !input.rows.is_empty() {
        console.line("")?;
    }
    for (n, row) in input.rows.iter().enumerate() {
        console.line(&format!("  {}  {}", n + 1, plain::inline(row.text)))?;
    }
    let hint = hint_key(question);
    console.line(&format!("\nType {}{hint}.", input.way.how()))
}

/// How to get a hint, if there is one.
fn hint_key(question: &Question) -> &'static str {
    if question.hints.is_empty() {
        ""
    } else {
        "; ? for a hint"
    }
}

/// Asks for the learner's own words: the place, the prompt, and how to answer.
pub(super) fn own_words(
    console: &mut Console<'_>,
    question: &Question,
    place: (usize, usize),
) -> Result<(), Failure> {
    let (at, all) = place;
    console.line(&format!(
        "\nIn your own words, {at} of {all} (not graded)\n"
    ))?;
    let prompt = plain::blocks(&question.prompt, console.prose_width());
    console.text(&prompt)?;
    let hint = hint_key(question);
    console.line(&format!(
        "\nType a few sentences, then an empty line. Nothing skips it{hint}."
    ))
}

/// Gives the next hint, or says that there is none.
pub(in crate::commands) fn hint<'a>(
    console: &mut Console<'_>,
    hints: &mut impl Iterator<Item = &'a Text>,
) -> Result<(), Failure> {
    let hint = hints.next().map(plain::inline);
    let none = || "There is no other hint.".to_owned();
    console.line(&hint.map_or_else(none, |it| format!("Hint: {it}")))
}

/// Says how a question was answered; `unread` is why an answer could not be read.
///
/// The explanation gives the answer away, so it comes only once the answer is right.
pub(super) fn verdict(
    console: &mut Console<'_>,
    lesson: &Lesson,
    asked: &Asked,
    unread: Option<&str>,
) -> Result<(), Failure> {
    let question = &asked.question;
    let Some(given) = &asked.given else {
        let why = unread.unwrap_or("not answered");
        return console.line(&format!("- open       {}: {why}", question.id));
    };
    let verdict = &given.verdict;
    let mark = match (verdict.is_right(), verdict.earned) {
        (true, _) => "✓ right    ",
        (false, 0) => "✗ not right",
        (false, _) => "~ in part  ",
    };
    console.line(&format!(
        "{mark} {}: {} of {} points",
        question.id,
        points(verdict.earned),
        points(verdict.max)
    ))?;
    for feedback in &verdict.feedback {
        console.line(&format!("  {}", plain::inline(feedback)))?;
    }
    if verdict.is_right() {
        let explain = plain::blocks(&question.explain, console.prose_width().saturating_sub(2));
        for line in explain.as_str().lines() {
            console.line(format!("  {line}").trim_end())?;
        }
    } else if let Some(page) = &question.see {
        console.line(&format!(
            "  Look again: warpup read {} --page {page}",
            lesson.id
        ))?;
    }
    Ok(())
}

/// Says how many points there are, how many are needed, and what that means.
pub(super) fn result(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    session: &Session,
) -> Result<(), Failure> {
    let not_saved = context.learner.not_saved();
    let console = &mut *context.console;
    let attempt = session.attempt();
    let (needed, max) = attempt.needed();
    let earned = points(attempt.score().earned);
    let percent = attempt.rule().above_percent;
    console.line(&format!(
        "\nScore: {earned} of {max} points. To pass, you need {needed}: more than {percent} %."
    ))?;
    if session.round() == Round::Short {
        let word = if attempt.passed() {
            "Enough"
        } else {
            "Not enough yet"
        };
        return console.line(&format!(
            "{word}. This was the short form: nothing is stored, and it does not finish the lesson.\n\
             The whole quiz: warpup quiz {}",
            lesson.id
        ));
    }
    if let Some(not_saved) = &not_saved {
        console.line(not_saved)?;
    }
    if attempt.passed() {
        return console.line(&match not_saved {
            None => format!("Passed. The lesson `{}` is done.", lesson.id),
            Some(_) => format!(
                "Passed, but the lesson `{}` is not saved as done.",
                lesson.id
            ),
        });
    }
    let missed: Vec<_> = attempt.missed().iter().map(ToString::to_string).collect();
    console.line(&format!("Not passed yet. Missed: {}.", missed.join(", ")))
}
