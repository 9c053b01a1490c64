//! What one file says about another: links, and pages on which there is nothing to do.

use super::Draft;
use super::links::{Pages, Targets};
use crate::diagnostics::{Report, Rule};
use crate::lesson::{self, Body};
use crate::quiz::{self, Quiz};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// As many pages in a row may only be read.
const READ_ONLY_PAGES: usize = 2;

/// Checks every draft against the others, and takes out what refers to nothing.
pub(crate) fn check(drafts: &mut [Draft<'_>], files: &BTreeMap<String, Cow<'static, str>>) {
    let pages: Pages = drafts
        .iter()
        .filter(|it| it.head.is_some())
        .filter_map(|it| Some((it.name.clone(), it.body.as_ref()?.page_names())))
        .collect();
    let unclear: BTreeSet<String> = drafts
        .iter()
        .filter(|it| {
            let pages = it.body.as_ref().is_some_and(|it| it.left_out.has_page);
            pages || it.report.has_lost_track()
        })
        .map(|it| it.name.clone())
        .collect();
    for draft in drafts {
        let (Some(_), Some(body)) = (&draft.head, &mut draft.body) else {
            continue;
        };
        let known = Targets::from(&draft.name, &pages, &unclear, files);
        for link in &body.links {
            known.check(link, &mut draft.report);
        }
        if let (Some(quiz), Some(report)) = (&draft.quiz, &mut draft.quiz_report) {
            for link in &quiz.links {
                known.check(link, report);
            }
        }
        let mut unused = Report::new("");
        if draft.report.has_lost_track() {
            // Which labs and pages the lesson has is not known.
            lesson::join(body, draft.quiz.as_mut(), &mut draft.report, &mut unused);
            continue;
        }
        let report = draft.quiz_report.as_mut().unwrap_or(&mut unused);
        lesson::join(body, draft.quiz.as_mut(), &mut draft.report, report);
        if let Some(quiz) = &draft.quiz
            && report.errors() == 0
        {
            quiz::lint(quiz, report);
        }
        if draft.report.errors() + report.errors() > 0 {
            // A lab or a question may be missing only because of them.
            continue;
        }
        idle_pages(
            body,
            draft.quiz.as_ref().map(|it| &it.quiz),
            &mut draft.report,
        );
    }
}

/// Warns about a stretch of pages on which there is nothing to do.
fn idle_pages(lesson: &Body, quiz: Option<&Quiz>, report: &mut Report) {
    let with_lab: BTreeSet<_> = lesson.labs.iter().map(|it| &it.page).collect();
    let asked: BTreeSet<_> = quiz
        .iter()
        .flat_map(|it| &it.questions)
        .filter_map(|it| it.see.as_ref())
        .collect();
    let mut idle = 0;
    for (page, span) in lesson.pages.iter().zip(&lesson.page_spans) {
        // A glossary is looked up, and not read.
        if page.is_glossary() || with_lab.contains(&page.id) || asked.contains(&page.id) {
            idle = 0;
            continue;
        }
        idle += 1;
        if idle == READ_ONLY_PAGES + 1 {
            report
                .warning(
                    Rule::IdlePages,
                    span.clone(),
                    format!("{idle} pages in a row without a lab or a question"),
                )
                .hint("put a lab on one of them, or point a question's `see` at it");
        }
    }
}
