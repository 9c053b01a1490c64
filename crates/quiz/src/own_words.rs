//! Questions that learners answer in their own words: what is worth a record.
//!
//! Nobody grades them: learners compare their text with a good explanation and tick the parts that it says.

use std::collections::BTreeSet;
use warpup_course::{LessonId, Question};
use warpup_progress::{Event, Explanation};

/// The most characters of a text that are kept.
pub const MAX_CHARS: usize = 4000;

/// Records a text that was written, with no part ticked yet; nothing if the same text is stored already.
pub fn written(
    lesson: &LessonId,
    question: &Question,
    stored: Option<&Explanation>,
    text: &str,
) -> Option<Event> {
    let is_new = stored.map_or("", |it| it.text.as_str()) != text;
    is_new.then(|| explained(lesson, question, text, BTreeSet::new()))
}

/// Records which parts the stored text says; nothing if the same parts are stored already.
pub fn ticked(
    lesson: &LessonId,
    question: &Question,
    stored: Option<&Explanation>,
    said: &BTreeSet<usize>,
) -> Option<Event> {
    let stored = stored.filter(|it| it.said != *said)?;
    Some(explained(lesson, question, &stored.text, said.clone()))
}

fn explained(lesson: &LessonId, question: &Question, text: &str, said: BTreeSet<usize>) -> Event {
    Event::Explained {
        lesson: lesson.clone(),
        question: question.id.clone(),
        hash: question.hash.clone(),
        text: text.to_owned(),
        said,
    }
}
