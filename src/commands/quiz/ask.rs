//! The quiz line by line: asked on the output, answered on the input.
//!
//! Each answer is stored as it is given, so a quiz that is left goes on where it was.

use super::{own_words, start, tell};
use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Failure};
use crate::commands::find;
use crate::course::{Lesson, Quiz};
use crate::grade::{Attempt, NoVerdict, sentence};
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
    context: &mut CommandContext<'_, '_>,
    lesson: &str,
) -> Result<Exit, Failure> {
    let lesson = find::lesson(context.course, lesson)?;
    let quiz = find::quiz(lesson)?;
    let mut session = start::session(context, lesson, Begin::ResumeOrNew)?;
    tell_resumed(context, session.attempt())?;
    head(context, quiz, &session)?;
    loop {
        if ask_open(context, lesson, &mut session)? == End::Left {
            // Where they are not kept, the end of the command says what has become of them.
            let said = match context.learner.not_saved() {
                None => "\nQuiz paused. Your answers are kept.",
                Some(_) => "\nQuiz paused.",
            };
            context.console.line(said)?;
            return Ok(Exit::Wrong);
        }
        let handed_in = session.hand_in((context.clock)());
        start::save(context, handed_in);
        tell::result(context, lesson, &session)?;
        if session.attempt().passed() {
            own_words::invite(context, lesson, quiz)?;
            return Ok(Exit::Fine);
        }
        let again = context.console.ask("Ask the missed ones again? [y/N] ")?;
        if !matches!(again.as_deref(), Some("y" | "Y" | "yes")) {
            context.console.line("")?;
            // At the end of the input nobody is there to be invited.
            if again.is_some() {
                own_words::invite(context, lesson, quiz)?;
            }
            return Ok(Exit::Wrong);
        }
        session = start::session(context, lesson, Begin::Retry(session.attempt()))?;
    }
}

/// Asks once the questions of the short quiz. Nothing is stored.
pub(in crate::commands) fn ask_short(
    context: &mut CommandContext<'_, '_>,
    lesson: &str,
) -> Result<Exit, Failure> {
    let lesson = find::lesson(context.course, lesson)?;
    let mut session = start::session(context, lesson, Begin::New(Round::Short))?;
    head(context, find::quiz(lesson)?, &session)?;
    if ask_open(context, lesson, &mut session)? == End::Left {
        context
            .console
            .line("\nStopped. A short quiz is not saved.")?;
        return Ok(Exit::Wrong);
    }
    tell::result(context, lesson, &session)?;
    Ok(Exit::of(Some(session.attempt().passed())))
}

/// Says what there is to earn, and how much of it is needed.
fn head(
    context: &mut CommandContext<'_, '_>,
    quiz: &Quiz,
    session: &Session,
) -> Result<(), Failure> {
    let (needed, max) = session.attempt().needed();
    let form = match session.round() {
        Round::Whole => "",
        Round::Short => ", short form",
    };
    let title = &quiz.title;
    context
        .console
        .line(&format!("{title}{form}: {max} points, you need {needed}"))
}

/// Says how far an attempt had come that is resumed.
fn tell_resumed(context: &mut CommandContext<'_, '_>, attempt: &Attempt) -> Result<(), Failure> {
    let answered = attempt.asked().iter().filter(|it| it.given.is_some());
    match answered.count() {
        0 => Ok(()),
        answered => context.console.line(&format!(
            "Continuing where you stopped: {answered} of {} answered.",
            attempt.asked().len()
        )),
    }
}

fn ask_open(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    session: &mut Session,
) -> Result<End, Failure> {
    for index in 0..session.attempt().asked().len() {
        if ask_one(context, lesson, session, index)? == End::Left {
            return Ok(End::Left);
        }
    }
    Ok(End::Complete)
}

/// Asks one question until its answer can be read. One that is answered already is passed over.
fn ask_one(
    context: &mut CommandContext<'_, '_>,
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
    tell::question(context.console, &asked, (index + 1, of))?;
    let mut hints = asked.question.hints.iter();
    loop {
        let Some(text) = context.console.ask("> ")? else {
            return Ok(End::Left);
        };
        if text == "?" {
            tell::hint(context.console, &mut hints)?;
            continue;
        }
        let answer = match asked.input().line(&text) {
            Ok(answer) => answer,
            Err(why) => {
                context.console.line(&sentence(&why))?;
                continue;
            }
        };
        match session.submit(index, answer) {
            Ok(event) => break start::save(context, event),
            // No other answer helps here, so it stays open and the quiz goes on.
            Err(why @ NoVerdict::NotMeasured(_)) => {
                context.console.line(&why.sentence())?;
                return Ok(End::Complete);
            }
            Err(why) => context.console.line(&why.sentence())?,
        }
    }
    if let Some(asked) = session.attempt().asked().get(index) {
        context.say_if_not_saved()?;
        tell::verdict(context.console, lesson, asked, None)?;
    }
    Ok(End::Complete)
}
