//! What the learner has explained in their own words.

use super::model::{ChecklistItem, ExplainedPart, ExplainedQuestion, MissingItem};
use warpup_course::{Course, Lesson, Quiz, plain};
use warpup_progress::Progress;

/// The explanations, in the order of the course.
pub(super) fn explanations<'a>(
    course: &'a Course,
    progress: &'a Progress,
) -> Vec<ExplainedQuestion<'a>> {
    let mut explanations = Vec::new();
    for lesson in &course.lessons {
        let known = progress.lesson(&lesson.id);
        for (question, parts) in lesson.quiz.iter().flat_map(Quiz::in_own_words) {
            let Some(words) = known.explanation(question) else {
                continue;
            };
            let parts = parts.iter().enumerate().map(|(at, part)| ExplainedPart {
                part: part.plain(),
                said: words.said.contains(&at),
            });
            let prompt = plain::blocks(&question.prompt, 1000);
            explanations.push(ExplainedQuestion {
                lesson: &lesson.id,
                question: question.id.as_str(),
                prompt: prompt
                    .as_str()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                text: &words.text,
                parts: parts.collect(),
                at_ms: words.at_ms,
            });
        }
    }
    explanations
}

/// What a lesson asks for and the learner has not explained.
pub(super) fn unexplained(lesson: &Lesson, progress: &Progress) -> Option<MissingItem> {
    let quiz = lesson.quiz.as_ref()?;
    let (done, all) = progress.lesson(&lesson.id).explained(quiz);
    (done < all).then(|| MissingItem {
        item: ChecklistItem::Explanations,
        what: format!(
            "{done} of {all} explained in your own words in \"{}\"",
            lesson.title
        ),
        todo: format!("warpup quiz {} --words", lesson.id),
    })
}
