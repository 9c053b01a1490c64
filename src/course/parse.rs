//! The files of a course folder to a [`Course`] and its [`Diagnostic`]s.

use super::check::{self, Draft};
use super::diagnostics::{Diagnostic, Report};
use super::lesson::{self, Course, ReadLesson};
use super::manifest::{self, Manifest};
use super::model::PassRule;
use super::quiz::{self, ReadQuiz};
use super::toml_walk::At;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The texts of a course folder, by path relative to it (`lessons/course.toml`, `quizzes/….toml`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Path to text.
    pub files: BTreeMap<String, Cow<'static, str>>,
}

/// A file of the course may have this many bytes.
pub const MAX_FILE: usize = 1 << 20;

/// The file that names the course.
const MANIFEST: &str = "lessons/course.toml";

/// Reads a whole course. What cannot be read is missing from it and has a diagnostic.
pub fn parse(sources: &Sources) -> (Course, Vec<Diagnostic>) {
    let mut report = Report::new(MANIFEST);
    let manifest = manifest(sources, &mut report);
    let mut drafts = drafts(sources, &manifest, &mut report);
    let mut reports = vec![report];
    reports.extend(unlisted(sources, &manifest));
    reports.extend(quizzes(sources, manifest.pass, &mut drafts));
    check::check(&mut drafts, &sources.files);
    let mut lessons = Vec::new();
    for draft in drafts {
        let (lesson, of_lesson, of_quiz) = draft.finish();
        lessons.extend(lesson);
        reports.push(of_lesson);
        reports.extend(of_quiz);
    }
    let course = Course {
        id: manifest.id,
        title: manifest.title,
        summary: manifest.summary,
        pass: manifest.pass,
        lessons,
    };
    let diagnostics = reports
        .into_iter()
        .flat_map(Report::into_diagnostics)
        .collect();
    (course, diagnostics)
}

/// The text of a file that is not too long.
fn text<'a>(file: &str, sources: &'a Sources, report: &mut Report) -> Option<&'a str> {
    let text = sources.files.get(file)?;
    if text.len() <= MAX_FILE {
        return Some(text);
    }
    report
        .error(
            0..0,
            format!("this file has {} bytes; {MAX_FILE} are read", text.len()),
        )
        .hint("split it");
    None
}

fn manifest(sources: &Sources, report: &mut Report) -> Manifest {
    if !sources.files.contains_key(MANIFEST) {
        report
            .error(0..0, "the course has no `lessons/course.toml`")
            .hint("without it, the lessons are shown in the order of their files' names");
    }
    text(MANIFEST, sources, report).map_or_else(Manifest::default, |it| manifest::read(it, report))
}

/// Every lesson of the course, read, as far as it can be.
fn drafts(sources: &Sources, manifest: &Manifest, report: &mut Report) -> Vec<Draft> {
    let all = || {
        lesson_files(sources).map(|file| At {
            value: file.to_owned(),
            span: 0..0,
        })
    };
    let listed = manifest.lessons.clone().unwrap_or_else(|| all().collect());
    let mut drafts = Vec::new();
    let mut ids = BTreeSet::new();
    for name in listed {
        let file = format!("lessons/{}", name.value);
        if !sources.files.contains_key(&file) {
            report
                .error(name.span, format!("there is no file `{file}`"))
                .did_you_mean(&name.value, lesson_files(sources));
            continue;
        }
        let mut report = Report::new(&file);
        let mut lesson =
            text(&file, sources, &mut report).and_then(|text| lesson::read(text, &mut report));
        if let Some(ReadLesson { head, .. }) = &lesson
            && !ids.insert(head.id.value.clone())
        {
            report
                .error(
                    head.id.span.clone(),
                    format!("there is a lesson `{}` already", head.id.value),
                )
                .hint("progress is kept under it, so each lesson needs its own");
            lesson = None;
        }
        drafts.push(Draft {
            name: name.value,
            lesson,
            quiz: None,
            report,
            quiz_report: None,
        });
    }
    drafts
}

/// The names of the files that look like lessons.
fn lesson_files(sources: &Sources) -> impl Iterator<Item = &str> {
    names(sources, "lessons/", ".md")
}

/// The names of the files in a folder, without the folder.
fn names<'a>(sources: &'a Sources, folder: &str, ending: &str) -> impl Iterator<Item = &'a str> {
    sources
        .files
        .keys()
        .filter_map(move |it| it.strip_prefix(folder))
        .filter(move |it| it.ends_with(ending) && !it.contains('/'))
}

/// A warning for each lesson file that the manifest does not list.
fn unlisted(sources: &Sources, manifest: &Manifest) -> Vec<Report> {
    let Some(listed) = &manifest.lessons else {
        return Vec::new();
    };
    let listed: BTreeSet<&str> = listed.iter().map(|it| it.value.as_str()).collect();
    lesson_files(sources)
        .filter(|name| !listed.contains(name))
        .map(|name| {
            let mut report = Report::new(&format!("lessons/{name}"));
            report
                .warning(0..0, "this lesson is not listed in `lessons/course.toml`")
                .hint(format!("add \"{name}\" to its `lessons`"));
            report
        })
        .collect()
}

/// Reads the quiz of each lesson; gives a warning for each quiz file that no lesson names.
fn quizzes(sources: &Sources, pass: PassRule, drafts: &mut [Draft]) -> Vec<Report> {
    let mut used = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for draft in drafts.iter_mut() {
        let Some(name) = draft.lesson.as_ref().and_then(|it| it.head.quiz.clone()) else {
            continue;
        };
        let file = format!("quizzes/{}", name.value);
        if !sources.files.contains_key(&file) {
            draft
                .report
                .error(name.span, format!("there is no file `{file}`"))
                .did_you_mean(&name.value, names(sources, "quizzes/", ".toml"));
            continue;
        }
        if !used.insert(file.clone()) {
            draft.report.error(
                name.span,
                format!("`{file}` is the quiz of another lesson already"),
            );
            continue;
        }
        let mut report = Report::new(&file);
        draft.quiz =
            text(&file, sources, &mut report).and_then(|text| quiz::read(text, pass, &mut report));
        if let Some(ReadQuiz { quiz, id_span, .. }) = &draft.quiz
            && !ids.insert(quiz.id.clone())
        {
            report.error(
                id_span.clone(),
                format!("there is a quiz `{}` already", quiz.id),
            );
        }
        draft.quiz_report = Some(report);
    }
    if drafts.iter().any(|it| it.lesson.is_none()) {
        // One of the lessons that cannot be read may name it.
        return Vec::new();
    }
    names(sources, "quizzes/", ".toml")
        .map(|name| format!("quizzes/{name}"))
        .filter(|file| !used.contains(file))
        .map(|file| {
            let mut report = Report::new(&file);
            report.warning(0..0, "no lesson names this quiz");
            report
        })
        .collect()
}
