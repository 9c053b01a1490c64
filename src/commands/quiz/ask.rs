//! The quiz line by line: asked on the output, answered on the input.
//!
//! Each answer is stored as it is given, so a quiz that is left goes on where it was.

use super::prompt_line::{self, Leave, PromptLine, ShortForms};
use super::{own_words, print, start};
use crate::commands::console::Prompt;
use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Failure};
use crate::commands::find;
use warpup_course::{Lesson, Quiz};
use warpup_grade::{Attempt, NoVerdict, sentence};
use warpup_lab::units::count;
use warpup_quiz::{Round, Session, SessionStart, missed_before};

/// How a quiz ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Taken {
    /// It was handed in, and passed.
    Passed,
    /// It was handed in, and the instructor grades it.
    HandedIn,
    /// It was handed in, and did not pass.
    NotPassed,
    /// It was left.
    Left(Leave),
}

impl From<Taken> for Exit {
    fn from(taken: Taken) -> Self {
        Self::of(Some(matches!(taken, Taken::Passed | Taken::HandedIn)))
    }
}

/// How asking ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Every question that can be answered was.
    Complete,
    /// The learner left first.
    Left(Leave),
}

/// Asks all questions, then those that were missed for as long as the learner wants.
pub(in crate::commands) fn ask(
    context: &mut CommandContext<'_, '_>,
    lesson: &str,
) -> Result<Taken, Failure> {
    let lesson = find::lesson(context.course, lesson)?;
    take(context, lesson, SessionStart::ResumeOrNew)
}

/// Asks the questions that were missed in the newest answers, on whatever day they were given.
pub(in crate::commands) fn ask_missed(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
) -> Result<Taken, Failure> {
    let progress = context.learner.progress.lesson(&lesson.id);
    if let Some(before) = missed_before(lesson, progress) {
        return take(context, lesson, SessionStart::Retry(&before));
    }
    context.console.line(match progress.latest() {
        Some(_) => "There is nothing that you missed in this quiz.",
        None => "You have not handed this quiz in yet: `quiz` takes it.",
    })?;
    Ok(Taken::NotPassed)
}

/// Asks what an attempt that begins like this has open, and again what was missed.
fn take(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    begin: SessionStart<'_>,
) -> Result<Taken, Failure> {
    let quiz = find::quiz(lesson)?;
    let mut session = start::session(context, lesson, begin)?;
    tell_resumed(context, session.attempt(), begin)?;
    head(context, quiz, &session)?;
    loop {
        if let End::Left(leave) = ask_open(context, lesson, &mut session)? {
            return paused(context, session.attempt(), leave);
        }
        if let End::Left(leave) = ask_to_hand_in(context, session.attempt())? {
            return paused(context, session.attempt(), leave);
        }
        let handed_in = session.hand_in((context.clock)());
        start::save(context, handed_in);
        print::result(context, lesson, &session, print::QuestionLabels::ByNumber)?;
        let well = if session.attempt().is_graded_elsewhere() {
            Some(Taken::HandedIn)
        } else {
            session.attempt().passed().then_some(Taken::Passed)
        };
        if let Some(well) = well {
            let left = own_words::invite(context, lesson, quiz)?;
            return Ok(left.map_or(well, Taken::Left));
        }
        match prompt_line::confirm(context.console, "Ask the missed ones again? [y/N] ")? {
            Ok(true) => {}
            Ok(false) => {
                context.console.line("")?;
                let left = own_words::invite(context, lesson, quiz)?;
                return Ok(left.map_or(Taken::NotPassed, Taken::Left));
            }
            Err(leave) => return Ok(Taken::Left(leave)),
        }
        session = start::session(context, lesson, SessionStart::Retry(session.attempt()))?;
    }
}

/// Says that the quiz goes on another time.
fn paused(
    context: &mut CommandContext<'_, '_>,
    attempt: &Attempt,
    leave: Leave,
) -> Result<Taken, Failure> {
    let is_begun = attempt.asked().iter().any(|it| it.given.is_some());
    // Where they are not kept, the end of the command says what has become of them.
    let said = match context.learner.not_saved() {
        _ if !is_begun => "You left the quiz before your first answer; it starts again next time.",
        None => "Quiz paused. Your answers are kept.",
        Some(_) => "Quiz paused.",
    };
    context.console.line(said)?;
    Ok(Taken::Left(leave))
}

/// Asks once the questions of the short quiz. Nothing is stored.
pub(in crate::commands) fn ask_short(
    context: &mut CommandContext<'_, '_>,
    lesson: &str,
) -> Result<Exit, Failure> {
    let lesson = find::lesson(context.course, lesson)?;
    let mut session = start::session(context, lesson, SessionStart::New(Round::Short))?;
    head(context, find::quiz(lesson)?, &session)?;
    if let End::Left(_) = ask_open(context, lesson, &mut session)? {
        let said = "Stopped. A short quiz is not saved.";
        context.console.line(said)?;
        return Ok(Exit::Wrong);
    }
    print::result(context, lesson, &session, print::QuestionLabels::ByNumber)?;
    let attempt = session.attempt();
    Ok(Exit::of(Some(
        attempt.passed() || attempt.is_graded_elsewhere(),
    )))
}

/// Says what there is to earn, and how much of it is needed.
fn head(
    context: &mut CommandContext<'_, '_>,
    quiz: &Quiz,
    session: &Session,
) -> Result<(), Failure> {
    let (_, max) = session.attempt().needed();
    let needs = session.attempt().needs();
    let form = match session.round() {
        Round::Whole => "",
        Round::Short => ", short form",
    };
    let title = &quiz.title;
    let points = if max == 1 { "point" } else { "points" };
    let of = if session.attempt().is_graded_elsewhere() {
        format!("{max} {points}; your instructor grades it")
    } else {
        format!("{max} {points}, you need {needs}")
    };
    context.console.line(&format!("{title}{form}: {of}"))
}

/// Says how far an attempt had come that is resumed, or what it asks again.
fn tell_resumed(
    context: &mut CommandContext<'_, '_>,
    attempt: &Attempt,
    begin: SessionStart<'_>,
) -> Result<(), Failure> {
    let all = attempt.asked().len();
    let answered = attempt.asked().iter().filter(|it| it.given.is_some());
    let answered = answered.count();
    if let SessionStart::Retry(_) = begin {
        let open = all - answered;
        let said = format!("Asking again what you missed: {open} of {all}.");
        return context.console.line(&said);
    }
    if answered == 0 {
        return Ok(());
    }
    let said = format!("Continuing where you stopped: {answered} of {all} answered.");
    context.console.line(&said)
}

fn ask_open(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    session: &mut Session,
) -> Result<End, Failure> {
    for index in 0..session.attempt().asked().len() {
        let end = ask_one(context, lesson, session, index)?;
        if end != End::Complete {
            return Ok(end);
        }
    }
    Ok(End::Complete)
}

/// Asks whether to hand in without the predictions whose labs have not run: once handed in, they earn nothing.
fn ask_to_hand_in(context: &mut CommandContext<'_, '_>, attempt: &Attempt) -> Result<End, Failure> {
    let open = attempt.asked().iter().filter(|it| it.given.is_none());
    let open = open.count();
    if open == 0 {
        return Ok(End::Complete);
    }
    let waits = count(open, "question waits", "questions wait");
    let prompt = format!("\n{waits} for a run, and would earn nothing now. Hand in? [y/N] ");
    Ok(match prompt_line::confirm(context.console, &prompt)? {
        Ok(true) => End::Complete,
        Ok(false) => End::Left(Leave::Back),
        Err(leave) => End::Left(leave),
    })
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
    print::question(context.console, &asked, (index + 1, of))?;
    let mut hints = asked.question.hints.iter();
    let input = asked.input();
    loop {
        let text = match prompt_line::read(context.console, "> ", ShortForms::beside(&input))? {
            PromptLine::Answer(text) => text,
            PromptLine::Hint => {
                print::hint(context.console, &mut hints)?;
                continue;
            }
            PromptLine::Help => {
                prompt_line::help(context.console, kept(session.round()))?;
                continue;
            }
            PromptLine::Leave(leave) => return Ok(End::Left(leave)),
        };
        let answer = match input.line(&text) {
            Ok(answer) => answer,
            Err(why) => {
                context.console.line(&sentence(&why))?;
                continue;
            }
        };
        match session.submit(index, answer) {
            Ok(event) => break start::save(context, event),
            // No other answer helps here, so it stays open and the quiz goes on.
            Err(NoVerdict::NotMeasured(lab)) => {
                let (lesson, warpup) = (&lesson.id, &context.console.warpup);
                let how = match context.console.prompt {
                    Prompt::Shell => {
                        format!("  {warpup} run {lesson}/{lab}\n  {warpup} quiz {lesson}")
                    }
                    Prompt::Course => format!("  back\n  run {lab}\n  quiz"),
                };
                let why = "Your answer is compared with a run of the lab, which did not run yet. Run it, then answer here:";
                context.console.wrapped("", "", why)?;
                context.console.line(&how)?;
                return Ok(End::Complete);
            }
            Err(why) => context.console.line(&why.sentence())?,
        }
    }
    if let Some(asked) = session.attempt().asked().get(index) {
        context.say_if_not_saved()?;
        print::verdict(context.console, lesson, asked)?;
    }
    Ok(End::Complete)
}

/// What leaving means for the answers.
fn kept(round: Round) -> &'static str {
    match round {
        Round::Whole => {
            "Your answers are kept as you give them; the quiz goes on where you left it."
        }
        Round::Short => "A short quiz is not saved.",
    }
}
