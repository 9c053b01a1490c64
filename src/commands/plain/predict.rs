//! The prediction that a lab asks for before its first run.

use crate::commands::context::CommandContext;
use crate::commands::failure::Result;
use crate::commands::quiz::{tell, typed};
use crate::course::{Lesson, Question};
use crate::grade::{Asked, grade, order_of};
use crate::progress::Event;

/// Asks until the answer can be read, and keeps it. False if the input ended first.
pub(super) fn ask(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    question: &Question,
) -> Result<bool> {
    context.console.line("\nPredict before you run.\n")?;
    let asked = Asked {
        order: order_of(question, 0),
        question: question.clone(),
        given: None,
    };
    tell::to_answer(context.console, &asked)?;
    let mut hints = question.hints.iter();
    loop {
        let Some(text) = context.console.ask("prediction> ")? else {
            return Ok(false);
        };
        if text == "?" {
            tell::hint(context.console, &mut hints)?;
            continue;
        }
        // Graded only to learn whether it can be read: what is right is not known yet.
        let answer = typed::answer(&asked, &text).and_then(|it| {
            let readable = grade(question, &it, Some(1.0));
            readable.map(|_| it).map_err(|why| why.to_string())
        });
        match answer {
            Ok(answer) => {
                let event = Event::Predicted {
                    lesson: lesson.id.clone(),
                    question: question.id.clone(),
                    hash: question.hash.clone(),
                    answer,
                };
                context.note(event);
                return Ok(true);
            }
            Err(why) => context.console.line(&format!("{why}."))?,
        }
    }
}
