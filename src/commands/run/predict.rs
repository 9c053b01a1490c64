//! The prediction that a lab asks for before its first run: from the terminal, a pipe or an argument.

use super::program::Program;
use crate::cli::RunArgs;
use crate::commands::context::CommandContext;
use crate::commands::failure::{Failure, Result};
use crate::commands::quiz::print;
use crate::commands::quiz::prompt_line::{self, Leave, PromptLine, ShortForms};
use warpup_course::{Course, Lesson, Question};
use warpup_grade::{Answer, AttemptQuestion, grade, order_of, sentence};
use warpup_lab::prediction;
use warpup_progress::Event;

/// Makes sure that a lab which asks for a prediction has one: the app, too, runs it only then.
///
/// A lesson's own program (`--starter`, `--solution`) is not asked about: scripts prove it.
pub(super) fn before_run(
    context: &mut CommandContext<'_, '_>,
    program: &Program,
    args: &RunArgs,
) -> Result<()> {
    let asked = asked(context.course, program);
    let Some((lesson, question)) = asked.filter(|_| program.asks) else {
        return match &args.predict {
            None => Ok(()),
            Some(_) if asked.is_some() => Err(own_program_only(args)),
            Some(_) => Err(Failure::arguments(format!(
                "`{}` asks for no prediction",
                args.program
            ))),
        };
    };
    let known = context.learner.progress.lesson(&lesson.id);
    let is_made = known.predicted(question).is_some();
    match &args.predict {
        Some(_) if is_made => context
            .console
            .remark("warning: --predict changes nothing: your first prediction stays"),
        None if is_made => Ok(()),
        Some(text) => {
            let answer = read(&to_ask(question), text).map_err(|why| {
                Failure::arguments_but(
                    format!("the prediction `{text}` cannot be read: {why}"),
                    format!("`warpup run {}` shows what is asked", args.program),
                )
            })?;
            note(context, lesson, question, answer);
            Ok(())
        }
        None if args.json => Err(Failure::arguments_but(
            "this lab asks for your prediction before it runs",
            "add --predict ANSWER; without --json you are asked",
        )),
        None if ask(context, lesson, question)?.is_none() => Ok(()),
        None => Err(Failure::arguments_but(
            "the lab did not run: it asks for your prediction first, and you gave none",
            "type the answer, pipe it in, or add --predict ANSWER",
        )),
    }
}

/// A prediction beside a lesson's own program.
fn own_program_only(args: &RunArgs) -> Failure {
    let option = if args.solution {
        "--solution"
    } else {
        "--starter"
    };
    Failure::arguments_but(
        format!("with {option}, `{}` asks for no prediction", args.program),
        format!("leave {option} out to predict and run your own program, or leave --predict out"),
    )
}

/// The question that the program's lab asks before it runs.
pub(super) fn asked<'a>(
    course: &'a Course,
    program: &Program,
) -> Option<(&'a Lesson, &'a Question)> {
    let (lesson, lab) = program.lab.as_ref()?;
    let lesson = course.lessons.iter().find(|it| it.id == *lesson)?;
    let lab = lesson.labs.iter().find(|it| it.id == *lab)?;
    Some((lesson, prediction::question(lesson, lab)?))
}

/// Asks for the prediction until the answer can be read, and keeps it. Says how the learner left without one, if so.
pub(in crate::commands) fn ask(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    question: &Question,
) -> Result<Option<Leave>> {
    context.console.line("\nPredict before you run.\n")?;
    let asked = to_ask(question);
    print::to_answer(context.console, &asked)?;
    let mut hints = question.hints.iter();
    loop {
        let short = ShortForms::beside(&asked.input());
        let text = match prompt_line::read(context.console, "prediction> ", short)? {
            PromptLine::Answer(text) => text,
            PromptLine::Hint => {
                print::hint(context.console, &mut hints)?;
                continue;
            }
            PromptLine::Help => {
                prompt_line::help(
                    context.console,
                    "Without a prediction the lab does not run.",
                )?;
                continue;
            }
            PromptLine::Leave(leave) => return Ok(Some(leave)),
        };
        match read(&asked, &text) {
            Ok(answer) => {
                note(context, lesson, question, answer);
                return Ok(None);
            }
            Err(why) => context.console.line(&sentence(&why))?,
        }
    }
}

fn to_ask(question: &Question) -> AttemptQuestion {
    AttemptQuestion {
        order: order_of(question, 0),
        question: question.clone(),
        given: None,
    }
}

/// Reads an answer. It is graded only to learn whether it can be: what is right is not known yet.
fn read(asked: &AttemptQuestion, text: &str) -> Result<Answer, String> {
    let answer = asked.input().line(text)?;
    match grade(&asked.question, &answer, Some(1.0)) {
        Ok(_) => Ok(answer),
        Err(why) => Err(why.to_string()),
    }
}

fn note(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    question: &Question,
    answer: Answer,
) {
    context.note(Event::Predicted {
        lesson: lesson.id.clone(),
        question: question.id.clone(),
        hash: question.hash.clone(),
        answer,
    });
}
