//! `warpup progress reset`.

use crate::cli::ResetArgs;
use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Failure, Result};
use crate::commands::find;
use warpup_progress::Event;

/// Forgets a lesson, or the whole course.
pub(super) fn reset(context: &mut CommandContext<'_, '_>, args: &ResetArgs) -> Result<Exit> {
    let lesson = args
        .lesson
        .as_deref()
        .map(|it| find::lesson(context.course, it))
        .transpose()?;
    let what = match lesson {
        Some(lesson) => format!("the lesson `{}`", lesson.id),
        None => format!("the whole course `{}`", context.course.id),
    };
    if !args.yes && !context.console.is_terminal {
        return Err(Failure::arguments_but(
            format!("nobody can be asked whether to forget {what}"),
            "say --yes",
        ));
    }
    if !args.yes {
        let question = format!("Forget what you did in {what}? [y/N] ");
        if !context.console.confirm(&question)? {
            context.console.line("Nothing is forgotten.")?;
            return Ok(Exit::Fine);
        }
    }
    let event = Event::Reset {
        lesson: lesson.map(|it| it.id.clone()),
    };
    context.note(event);
    context.console.line(&format!("Forgotten: {what}."))?;
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample::{self, attempted};
    use warpup_course::LessonId;

    fn args(lesson: Option<&str>, yes: bool) -> ResetArgs {
        let lesson = lesson.map(str::to_owned);
        ResetArgs { lesson, yes }
    }

    #[test]
    fn forgetting_asks_first_and_takes_only_yes() {
        let forget = |input: &str| {
            sample::with_context(input, |context| {
                context.console.is_terminal = true;
                context.learner.note(attempted(400), 1);
                reset(context, &args(Some("copies"), false))?;
                let done = context
                    .learner
                    .progress
                    .lesson(&LessonId::new("copies"))
                    .is_done();
                Ok(Exit::of(Some(done)))
            })
        };
        assert_eq!(forget("n\n").1, Exit::Fine);
        assert_eq!(forget("").1, Exit::Fine);
        let (text, exit) = forget("y\n");
        assert_eq!(exit, Exit::Wrong);
        assert_eq!(
            text,
            "Forget what you did in the lesson `copies`? [y/N] Forgotten: the lesson `copies`.\n"
        );
    }

    #[test]
    fn forgetting_needs_yes_where_nobody_can_be_asked() {
        let (text, exit) =
            sample::with_context("y\n", |context| reset(context, &args(None, false)));
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @r"
        error: nobody can be asked whether to forget the whole course `warpup`
        hint: say --yes
        ");
        let (_, exit) = sample::with_context("", |context| reset(context, &args(None, true)));
        assert_eq!(exit, Exit::Fine);
    }
}
