//! The quiz line by line: asked on the output, answered on the input.
//!
//! Each answer is stored as it is given, so a quiz that is left goes on where it was.

use super::{own_words, start, tell};
use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Failure};
use crate::commands::find;
use crate::course::{Lesson, Quiz};
use crate::grade::{Attempt, Unreadable};
use crate::quiz::{Begin, Round, Session};

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
    let mut session = start::session(seat, lesson, Begin::ResumeOrNew)?;
    tell_resumed(seat, session.attempt())?;
    head(seat, quiz, &session)?;
    loop {
        if ask_open(seat, lesson, &mut session)? == End::Left {
            seat.console.line("\nLeft open. Your answers are kept.")?;
            return Ok(Exit::Wrong);
        }
        let handed_in = session.hand_in((seat.clock)());
        start::save(seat, handed_in);
        tell::result(seat.console, lesson, &session)?;
        if session.attempt().passed() {
            own_words::invite(seat, lesson, quiz)?;
            return Ok(Exit::Fine);
        }
        let again = seat.console.ask("Ask the missed ones again? [y/N] ")?;
        if !matches!(again.as_deref(), Some("y" | "Y" | "yes")) {
            seat.console.line("")?;
            // At the end of the input nobody is there to be invited.
            if again.is_some() {
                own_words::invite(seat, lesson, quiz)?;
            }
            return Ok(Exit::Wrong);
        }
        session = start::session(seat, lesson, Begin::Retry(session.attempt()))?;
    }
}

/// Asks once what stands alone. Nothing of it is stored.
pub(in crate::commands) fn ask_short(
    seat: &mut CommandContext<'_, '_>,
    lesson: &str,
) -> Result<Exit, Failure> {
    let lesson = find::lesson(seat.course, lesson)?;
    let mut session = start::session(seat, lesson, Begin::New(Round::Short))?;
    head(seat, find::quiz(lesson)?, &session)?;
    if ask_open(seat, lesson, &mut session)? == End::Left {
        seat.console
            .line("\nLeft. Of a short form nothing is kept.")?;
        return Ok(Exit::Wrong);
    }
    tell::result(seat.console, lesson, &session)?;
    Ok(Exit::of(Some(session.attempt().passed())))
}

/// Says what there is to earn, and how much of it is needed.
fn head(seat: &mut CommandContext<'_, '_>, quiz: &Quiz, session: &Session) -> Result<(), Failure> {
    let (needed, max) = session.attempt().needed();
    let form = match session.round() {
        Round::Whole => "",
        Round::Short => ", short form",
    };
    let title = &quiz.title;
    seat.console
        .line(&format!("{title}{form}: {max} points, you need {needed}"))
}

/// Says how far an attempt had come that is resumed.
fn tell_resumed(seat: &mut CommandContext<'_, '_>, attempt: &Attempt) -> Result<(), Failure> {
    let answered = attempt.asked().iter().filter(|it| it.given.is_some());
    match answered.count() {
        0 => Ok(()),
        answered => seat.console.line(&format!(
            "Going on where you left: {answered} of {} answered.",
            attempt.asked().len()
        )),
    }
}

fn ask_open(
    seat: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    session: &mut Session,
) -> Result<End, Failure> {
    for index in 0..session.attempt().asked().len() {
        if ask_one(seat, lesson, session, index)? == End::Left {
            return Ok(End::Left);
        }
    }
    Ok(End::Complete)
}

/// Asks one question until its answer can be read. One that is answered already is passed over.
fn ask_one(
    seat: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    session: &mut Session,
    index: usize,
) -> Result<End, Failure> {
    let of = session.attempt().asked().len();
    let Some(asked) = session.attempt().asked().get(index).cloned() else {
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
        let answer = match asked.input().line(&text) {
            Ok(answer) => answer,
            Err(why) => {
                seat.console.line(&format!("{why}."))?;
                continue;
            }
        };
        match session.submit(index, answer) {
            Ok(event) => break start::save(seat, event),
            // No other answer helps here, so it stays open and the quiz goes on.
            Err(why @ Unreadable::NotMeasured(_)) => {
                seat.console.line(&format!("{why}."))?;
                return Ok(End::Complete);
            }
            Err(why) => seat.console.line(&format!("{why}."))?,
        }
    }
    if let Some(asked) = session.attempt().asked().get(index) {
        tell::verdict(seat.console, lesson, asked, None)?;
    }
    Ok(End::Complete)
}
