//! The quiz line by line: asked on the output, answered on the input.
//!
//! Each answer is stored as it is given, so a quiz that is left goes on where it was.

use super::{Round, Sitting, own_words, tell, typed};
use crate::commands::{CommandContext, Exit, Failure, find};
use crate::course::Quiz;
use crate::grade::{Attempt, Unreadable};
use std::collections::BTreeMap;

/// How asking ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Every question was answered.
    Complete,
    /// The input ended first.
    Left,
}

/// Asks all questions, then those that were missed for as long as the learner wants.
pub(in crate::commands) fn ask(
    seat: &mut CommandContext<'_, '_>,
    lesson: &str,
) -> Result<Exit, Failure> {
    let lesson = find::lesson(seat.course, lesson)?;
    let quiz = find::quiz(lesson)?;
    let mut sitting = Sitting::start(seat, lesson, Round::Whole)?;
    resume(seat, &mut sitting)?;
    head(seat, quiz, &sitting)?;
    loop {
        if ask_open(seat, &mut sitting)? == End::Left {
            seat.console.line("\nLeft open. Your answers are kept.")?;
            return Ok(Exit::Wrong);
        }
        sitting.hand_in(seat);
        tell::result(seat.console, &sitting)?;
        if sitting.attempt.passed() {
            own_words::invite(seat, &sitting)?;
            return Ok(Exit::Fine);
        }
        let again = seat.console.ask("Ask the missed ones again? [y/N] ")?;
        if !matches!(again.as_deref(), Some("y" | "Y" | "yes")) {
            seat.console.line("")?;
            // At the end of the input nobody is there to be invited.
            if again.is_some() {
                own_words::invite(seat, &sitting)?;
            }
            return Ok(Exit::Wrong);
        }
        let now = (seat.clock)();
        sitting = Sitting {
            lesson,
            round: Round::Whole,
            id: seat.learner.new_id(now),
            attempt: sitting.attempt.retry(quiz, now),
            began_ms: now,
        };
    }
}

/// Asks once what stands alone. Nothing of it is stored.
pub(in crate::commands) fn ask_short(
    seat: &mut CommandContext<'_, '_>,
    lesson: &str,
) -> Result<Exit, Failure> {
    let lesson = find::lesson(seat.course, lesson)?;
    let mut sitting = Sitting::start(seat, lesson, Round::Short)?;
    head(seat, find::quiz(lesson)?, &sitting)?;
    if ask_open(seat, &mut sitting)? == End::Left {
        seat.console
            .line("\nLeft. Of a short form nothing is kept.")?;
        return Ok(Exit::Wrong);
    }
    tell::result(seat.console, &sitting)?;
    Ok(Exit::of(Some(sitting.attempt.passed())))
}

/// Says what there is to earn, and how much of it is needed.
fn head(
    seat: &mut CommandContext<'_, '_>,
    quiz: &Quiz,
    sitting: &Sitting<'_>,
) -> Result<(), Failure> {
    let (needed, max) = sitting.attempt.needed();
    let form = match sitting.round {
        Round::Whole => "",
        Round::Short => ", short form",
    };
    let title = &quiz.title;
    seat.console
        .line(&format!("{title}{form}: {max} points, you need {needed}"))
}

/// Takes up the attempt that was left, if there is one.
fn resume(seat: &mut CommandContext<'_, '_>, sitting: &mut Sitting<'_>) -> Result<(), Failure> {
    let progress = seat.learner.progress.lesson(&sitting.lesson.id);
    let Some(open) = progress.open.clone() else {
        return Ok(());
    };
    let stored = open.answers.iter();
    let stored = stored.map(|(id, (hash, answer, _))| (id, hash.as_str(), answer));
    sitting.attempt.resume(stored, &BTreeMap::new());
    sitting.id = open.attempt;
    seat.console.line(&format!(
        "Going on where you left: {} of {} answered.",
        answered(&sitting.attempt),
        sitting.attempt.asked().len()
    ))
}

fn answered(attempt: &Attempt) -> usize {
    attempt
        .asked()
        .iter()
        .filter(|it| it.given.is_some())
        .count()
}

fn ask_open(seat: &mut CommandContext<'_, '_>, sitting: &mut Sitting<'_>) -> Result<End, Failure> {
    for index in 0..sitting.attempt.asked().len() {
        if ask_one(seat, sitting, index)? == End::Left {
            return Ok(End::Left);
        }
    }
    Ok(End::Complete)
}

/// Asks one question until its answer can be read. One that is answered already is passed over.
fn ask_one(
    seat: &mut CommandContext<'_, '_>,
    sitting: &mut Sitting<'_>,
    index: usize,
) -> Result<End, Failure> {
    let of = sitting.attempt.asked().len();
    let Some(asked) = sitting.attempt.asked().get(index).cloned() else {
        return Ok(End::Complete);
    };
    if asked.given.is_some() {
        return Ok(End::Complete);
    }
    tell::question(seat.console, &asked, (index + 1, of))?;
    let mut hints = asked.question.hints.iter();
    loop {
        let Some(text) = seat.console.ask("> ")? else {
            return Ok(End::Left);
        };
        if text == "?" {
            tell::hint(seat.console, &mut hints)?;
            continue;
        }
        let answer = match typed::answer(&asked, &text) {
            Ok(answer) => answer,
            Err(why) => {
                seat.console.line(&format!("{why}."))?;
                continue;
            }
        };
        match sitting.attempt.submit(index, answer, None) {
            Ok(_) => break,
            // No other answer helps here, so it stays open and the quiz goes on.
            Err(why @ Unreadable::NotMeasured(_)) => {
                seat.console.line(&format!("{why}."))?;
                return Ok(End::Complete);
            }
            Err(why) => seat.console.line(&format!("{why}."))?,
        }
    }
    sitting.note_answer(seat, index);
    if let Some(asked) = sitting.attempt.asked().get(index) {
        tell::verdict(seat.console, sitting.lesson, asked, None)?;
    }
    Ok(End::Complete)
}
