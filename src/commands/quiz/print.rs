//! Prints a quiz: questions, verdicts, the result.

use super::prompt_line::WORDS;
use crate::commands::console::{Console, Prompt};
use crate::commands::context::CommandContext;
use crate::commands::failure::Failure;
use warpup_course::{Lesson, Question, Text, plain};
use warpup_grade::{Attempt, AttemptQuestion, HUNDREDTHS, Mark, Verdict, points};
use warpup_lab::units::count;
use warpup_quiz::{Round, Session, gate};

/// What is said of an answer that the instructor grades.
const KEPT: &str = "● answered";

/// How messages name a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuestionLabels {
    /// As a file of answers does.
    ById,
    /// By its place, for somebody who was asked.
    ByNumber,
}

/// Asks a question: its place, prompt, choices, and how to answer.
pub(super) fn question(
    console: &mut Console<'_>,
    asked: &AttemptQuestion,
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
    asked: &AttemptQuestion,
) -> Result<(), Failure> {
    let question = &asked.question;
    let prompt = plain::blocks(&question.prompt, console.prose_width());
    console.text(&prompt)?;
    let input = asked.input();
    if !input.lefts.is_empty() {
        console.line("")?;
    }
    for (letter, left) in ('a'..='z').zip(&input.lefts) {
        let first = format!("  {letter}  ");
        console.wrapped(&first, "     ", plain::inline(left.text).as_str())?;
    }
    if !input.rows.is_empty() {
        console.line("")?;
    }
    for (n, row) in input.rows.iter().enumerate() {
        let first = format!("  {}  ", n + 1);
        let under = " ".repeat(first.len());
        console.wrapped(&first, &under, plain::inline(row.text).as_str())?;
    }
    console.line("")?;
    let how = input.way.how();
    let unit = input.unit.map_or(String::new(), |it| {
        format!(" in {it}, or with another unit")
    });
    console.wrapped("", "", &format!("Type {how}{unit} (or {WORDS})."))
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
    console.line("")?;
    let how = "Type a few sentences, then an empty line. To skip, leave it empty";
    console.wrapped("", "", &format!("{how} (or {WORDS})."))
}

/// Gives the next hint, or says that there is none.
pub(in crate::commands) fn hint<'a>(
    console: &mut Console<'_>,
    hints: &mut impl Iterator<Item = &'a Text>,
) -> Result<(), Failure> {
    match hints.next() {
        Some(hint) => console.wrapped("Hint: ", "  ", plain::inline(hint).as_str()),
        None => console.line("There is no other hint."),
    }
}

/// Says how a question of a file was answered; `unread` is why its answer could not be read.
pub(super) fn verdict_by_id(
    console: &mut Console<'_>,
    lesson: &Lesson,
    asked: &AttemptQuestion,
    unread: Option<&str>,
) -> Result<(), Failure> {
    let id = &asked.question.id;
    let Some(given) = &asked.given else {
        let why = unread.unwrap_or("not answered");
        return console.line(&format!("- open         {id}: {why}"));
    };
    let Some(verdict) = &given.verdict else {
        return console.line(&format!("{KEPT:<14} {id}"));
    };
    let (judged, earned) = (verdict.correctness(), earned(asked, verdict));
    console.line(&format!("{judged:<14} {id}: {earned}"))?;
    feedback(console, verdict)?;
    // The explanation gives the answer away: who sends a file again gets it only once the answer is right.
    if verdict.is_right() {
        explanation(console, asked)
    } else {
        look_again(console, lesson, asked)
    }
}

/// Says how the question that was just asked was answered.
pub(super) fn verdict(
    console: &mut Console<'_>,
    lesson: &Lesson,
    asked: &AttemptQuestion,
) -> Result<(), Failure> {
    let Some(given) = &asked.given else {
        return Ok(());
    };
    let Some(verdict) = &given.verdict else {
        return console.line(KEPT);
    };
    let (judged, earned) = (verdict.correctness(), earned(asked, verdict));
    console.line(&format!("{judged}: {earned}"))?;
    if verdict.is_right() {
        feedback(console, verdict)?;
        return explanation(console, asked);
    }
    review(console, asked)?;
    explanation(console, asked)?;
    look_again(console, lesson, asked)
}

/// The learner's rows and the right ones, with what is said of the learner's.
fn review(console: &mut Console<'_>, asked: &AttemptQuestion) -> Result<(), Failure> {
    for (row, number) in asked.review().iter().zip(1_usize..) {
        if let Some(head) = &row.head {
            console.wrapped("  ", "  ", plain::inline(head).as_str())?;
        }
        let number = match &row.id {
            Some(_) => format!("{number}  "),
            None => String::new(),
        };
        let first = format!("  {}  {number}", row.mark.words());
        let under = " ".repeat(first.chars().count());
        match row.mark {
            Mark::YoursRight
            | Mark::YoursWrong
            | Mark::ChosenWrong
            | Mark::Right
            | Mark::LeftOut => {
                console.wrapped(&first, &under, plain::inline(&row.text).as_str())?;
            }
            Mark::Other => continue,
        }
        if row.mark.is_yours_and_wrong()
            && let Some(feedback) = &row.feedback
        {
            console.wrapped(&under, &under, plain::inline(feedback).as_str())?;
        }
    }
    Ok(())
}

/// The points of an answer, and what they are for where they are not all or nothing.
fn earned(asked: &AttemptQuestion, verdict: &Verdict) -> String {
    let noun = if verdict.max == HUNDREDTHS {
        "point"
    } else {
        "points"
    };
    let parts = asked.parts_right();
    let parts = parts.map_or_else(String::new, |it| format!(" ({it})"));
    format!(
        "{} of {} {noun}{parts}",
        points(verdict.earned),
        points(verdict.max)
    )
}

/// What the author says about this very answer.
fn feedback(console: &mut Console<'_>, verdict: &Verdict) -> Result<(), Failure> {
    for feedback in &verdict.feedback {
        console.wrapped("  ", "  ", plain::inline(feedback).as_str())?;
    }
    Ok(())
}

fn explanation(console: &mut Console<'_>, asked: &AttemptQuestion) -> Result<(), Failure> {
    let width = console.prose_width().saturating_sub(2);
    let explain = plain::blocks(&asked.question.explain, width);
    for line in explain.as_str().lines() {
        console.line(format!("  {line}").trim_end())?;
    }
    Ok(())
}

/// The page to read again, if the question names one.
fn look_again(
    console: &mut Console<'_>,
    lesson: &Lesson,
    asked: &AttemptQuestion,
) -> Result<(), Failure> {
    let Some(page) = &asked.question.see else {
        return Ok(());
    };
    let said = match console.prompt {
        Prompt::Shell => {
            let (warpup, lesson) = (&console.warpup, &lesson.id);
            format!("  Look again: {warpup} read {lesson} --page {page}")
        }
        Prompt::Course => {
            let Some(at) = lesson.pages.iter().position(|it| it.id == *page) else {
                return Ok(());
            };
            let number = at + 1;
            format!("  Look again: page {number} of the lesson (`back`, then `page {number}`)")
        }
    };
    console.line(&said)
}

/// Says how many points there are, how many are needed, and what that means.
pub(super) fn result(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    session: &Session,
    named: QuestionLabels,
) -> Result<(), Failure> {
    let not_saved = context.learner.not_saved();
    let console = &mut *context.console;
    let attempt = session.attempt();
    if attempt.is_graded_elsewhere() {
        return handed_in(console, session, not_saved.as_deref());
    }
    console.line(&format!("\nScore: {}", gate(attempt)))?;
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
    let missed = missed(attempt, named).join(", ");
    console.line(&format!("Not passed yet. Missed: {missed}."))
}

/// Says what has become of answers that nobody grades here.
fn handed_in(
    console: &mut Console<'_>,
    session: &Session,
    not_saved: Option<&str>,
) -> Result<(), Failure> {
    let gate = gate(session.attempt());
    if session.round() == Round::Short {
        return console.line(&format!(
            "\n{gate} This was the short form: nothing is stored, so nobody will."
        ));
    }
    if let Some(not_saved) = not_saved {
        console.line(&format!("\n{gate}"))?;
        return console.line(not_saved);
    }
    console.line(&format!("\nHanded in. {gate}"))?;
    let warpup = &console.warpup;
    let said = format!(
        "`{warpup} class submit` hands it in. Without a drop folder, send your instructor the file that `{warpup} progress export FILE` writes."
    );
    console.wrapped("", "", &said)
}

/// The names of the questions that are not wholly right.
fn missed(attempt: &Attempt, named: QuestionLabels) -> Vec<String> {
    let places = attempt.asked().iter().zip(1..);
    let missed = places.filter(|(it, _)| it.is_missed());
    let missed = missed.map(|(asked, number)| match named {
        QuestionLabels::ById => asked.question.id.to_string(),
        QuestionLabels::ByNumber => format!("question {number}"),
    });
    missed.collect()
}
