//! `warpup progress reset`.

use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Failure};
use crate::commands::find;
use crate::progress::Event;

/// Whether the learner has agreed to forgetting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// `--yes` was given.
    Given,
    /// The learner is asked.
    Asked,
}

impl From<bool> for Consent {
    /// The value of a `--yes` flag.
    fn from(yes: bool) -> Self {
        if yes { Self::Given } else { Self::Asked }
    }
}

/// Forgets a lesson, or the whole course.
pub(super) fn reset(
    context: &mut CommandContext<'_, '_>,
    lesson: Option<&str>,
    consent: Consent,
) -> Result<Exit, Failure> {
    let lesson = lesson
        .map(|it| find::lesson(context.course, it))
        .transpose()?;
    let what = match lesson {
        Some(lesson) => format!("the lesson `{}`", lesson.id),
        None => format!("the whole course `{}`", context.course.id),
    };
    match consent {
        Consent::Given => {}
        Consent::Asked if !context.console.is_terminal => {
            return Err(Failure::arguments_but(
                format!("nobody can be asked whether to forget {what}"),
                "say --yes",
            ));
        }
        Consent::Asked => {
            let question = format!("Forget what you did in {what}? [y/N] ");
            let answer = context.console.ask(&question)?.unwrap_or_default();
            if !matches!(answer.as_str(), "y" | "Y" | "yes") {
                context.console.line("Nothing is forgotten.")?;
                return Ok(Exit::Fine);
            }
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
    use super::super::tests::attempted;
    use super::*;
    use crate::commands::sample;
    use crate::course::LessonId;

    #[test]
    fn forgetting_asks_first_and_takes_only_yes() {
        let forget = |input: &str| {
            sample::seat(input, |context| {
                context.console.is_terminal = true;
                context.learner.note(attempted(400), 1);
                reset(context, Some("copies"), Consent::Asked)?;
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
        let (text, exit) = sample::seat("y\n", |context| reset(context, None, Consent::Asked));
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @r"
        error: nobody can be asked whether to forget the whole course `warpup`
        hint: say --yes
        ");
        let (_, exit) = sample::seat("", |context| reset(context, None, Consent::Given));
        assert_eq!(exit, Exit::Fine);
    }
}
