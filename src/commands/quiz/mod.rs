//! `warpup quiz LESSON`: a quiz line by line, or graded from a file.

mod answers;
mod ask;
mod json;
mod own_words;
pub(super) mod print;
pub(super) mod prompt_line;
mod start;

pub(super) use answers::{from_file, words_from_file};
pub(super) use ask::{Taken, ask, ask_missed, ask_short};
pub(super) use own_words::ask as ask_for_words;

use super::console::Console;
use super::context::with_learner;
use super::course_argument::CourseArgument;
use super::failure::{Exit, Failure};
use super::map;
use crate::cli::QuizArgs;

/// Takes a lesson's quiz, in the way that the arguments ask for.
pub(super) fn execute(
    args: QuizArgs,
    asked: CourseArgument<'_>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let QuizArgs {
        lesson,
        answers,
        words,
        short,
        json,
    } = args;
    with_learner(asked, console, |context| {
        let Some(lesson) = lesson else {
            return map::which_lesson("quiz", context);
        };
        match (answers, words) {
            (None, false) if short => ask_short(context, &lesson),
            (None, false) => ask(context, &lesson).map(Exit::from),
            (None, true) => ask_for_words(context, &lesson).map(|_| Exit::Fine),
            (Some(path), false) => from_file(context, &lesson, &path, (short.into(), json.into())),
            (Some(path), true) => words_from_file(context, &lesson, &path),
        }
    })
}

#[cfg(test)]
mod tests;
