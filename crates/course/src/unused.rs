//! Files of a course that nothing names.

use super::check::Draft;
use super::diagnostics::{Report, Rule, nearest};
use super::manifest::Manifest;
use super::sources::Sources;
use std::collections::BTreeSet;

/// So many wrong names are compared with the files that nothing names: a list may have 100,000 of them.
const COMPARED: usize = 20;

/// A warning for each file that nothing names.
pub(super) fn unused(sources: &Sources, manifest: &Manifest, drafts: &[Draft<'_>]) -> Vec<Report> {
    let lessons = unlisted(sources, manifest);
    let listed = manifest.lessons.as_ref();
    let are_all_there = listed.is_none_or(|it| it.len() == drafts.len());
    if lessons.is_empty() && are_all_there {
        let mut all = unnamed(sources, drafts);
        all.extend(repairs_of_no_lesson(sources));
        all
    } else {
        // A lesson that is missing may name the quiz.
        lessons
    }
}

/// A warning for each lesson file that the manifest does not list. A wrong name in the list may be meant to be one.
fn unlisted(sources: &Sources, manifest: &Manifest) -> Vec<Report> {
    let Some(listed) = &manifest.lessons else {
        return Vec::new();
    };
    let listed: BTreeSet<&str> = listed.iter().map(|it| it.value.as_str()).collect();
    let has_file = |it: &&str| sources.files.contains_key(&format!("lessons/{it}"));
    let wrong: Vec<&str> = listed
        .iter()
        .copied()
        .filter(|it| !has_file(it))
        .take(COMPARED)
        .collect();
    lesson_files(sources)
        .filter(|name| !listed.contains(name))
        .filter(|name| wrong.iter().all(|it| nearest(it, [*name]).is_none()))
        .map(|name| {
            let mut report = Report::new(&format!("lessons/{name}"));
            report
                .warning(
                    Rule::LessonNotListed,
                    0..0,
                    "this lesson is not listed in `lessons/course.toml`",
                )
                .hint(format!("add \"{name}\" to its `lessons`"));
            report
        })
        .collect()
}

/// A warning for each quiz file that no lesson names.
fn unnamed(sources: &Sources, drafts: &[Draft<'_>]) -> Vec<Report> {
    if drafts.iter().any(|it| it.head.is_none()) {
        // One of the lessons that cannot be read may name it.
        return Vec::new();
    }
    let named = drafts.iter().filter_map(|it| it.quiz_report.as_ref());
    let named: BTreeSet<&str> = named.map(Report::file).collect();
    let wrong: Vec<String> = drafts
        .iter()
        .filter(|it| it.quiz_report.is_none())
        .filter_map(|it| Some(it.head.as_ref()?.quiz.as_ref()?.value.clone()))
        .take(COMPARED)
        .collect();
    names(sources, "quizzes/", ".toml")
        .filter(|name| wrong.iter().all(|it| nearest(it, [*name]).is_none()))
        .map(|name| format!("quizzes/{name}"))
        .filter(|file| !named.contains(file.as_str()))
        .map(|file| {
            let mut report = Report::new(&file);
            let name = file.trim_start_matches("quizzes/");
            report
                .warning(Rule::QuizNotNamed, 0..0, "no lesson names this quiz")
                .hint(format!(
                    "write `quiz = \"{name}\"` into the head of its lesson"
                ));
            report
        })
        .collect()
}

/// A warning for each file of repairs that has the name of no lesson.
fn repairs_of_no_lesson(sources: &Sources) -> Vec<Report> {
    let lessons: BTreeSet<&str> = lesson_files(sources).collect();
    let none = names(sources, "repairs/", ".md").filter(|it| !lessons.contains(it));
    let told = none.map(|name| {
        let mut report = Report::new(&format!("repairs/{name}"));
        let near = nearest(name, lessons.iter().copied());
        let to = near.map_or_else(String::new, |it| format!(", such as `{it}`"));
        report
            .warning(
                Rule::RepairForm,
                0..0,
                "no lesson has the name of this file",
            )
            .hint(format!("name the file as that of its lesson{to}"));
        report
    });
    told.collect()
}

/// The names of the files that look like lessons.
pub(super) fn lesson_files(sources: &Sources) -> impl Iterator<Item = &str> {
    names(sources, "lessons/", ".md")
}

/// The names of the files in a folder, without the folder.
pub(super) fn names<'a>(
    sources: &'a Sources,
    folder: &str,
    ending: &str,
) -> impl Iterator<Item = &'a str> {
    sources
        .files
        .keys()
        .filter_map(move |it| it.strip_prefix(folder))
        .filter(move |it| it.ends_with(ending) && !it.contains('/'))
}
