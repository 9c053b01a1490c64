//! A warning about pages on which there is nothing to do.

use crate::course::diagnostics::Report;
use crate::course::lesson::ReadLesson;
use crate::course::quiz::Quiz;
use std::collections::BTreeSet;

/// As many pages in a row may only be read.
const READ_ONLY_PAGES: usize = 2;

/// Warns about a stretch of pages on which there is nothing to do.
pub(crate) fn check(lesson: &ReadLesson, quiz: Option<&Quiz>, report: &mut Report) {
    let with_lab: BTreeSet<_> = lesson.labs.iter().map(|it| &it.page).collect();
    let asked: BTreeSet<_> = quiz
        .iter()
        .flat_map(|it| &it.questions)
        .filter_map(|it| it.see.as_ref())
        .collect();
    let mut idle = 0;
    for (page, span) in lesson.pages.iter().zip(&lesson.page_spans) {
        if with_lab.contains(&page.id) || asked.contains(&page.id) {
            idle = 0;
            continue;
        }
        idle += 1;
        if idle == READ_ONLY_PAGES + 1 {
            report
                .warning(
                    span.clone(),
                    format!("{idle} pages in a row without a lab or a question"),
                )
                .hint("put a lab on one of them, or point a question's `see` at it");
        }
    }
}
