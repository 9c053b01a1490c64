//! The files of a course folder to a [`Course`] and its [`Diagnostic`]s.

use super::check::{self, Draft, Order};
use super::diagnostics::{Diagnostic, Report, Rule, nearest};
use super::lesson::{self, Course, Programs};
use super::manifest::{self, Manifest};
use super::model::{LessonId, PassRule};
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

/// So many wrong names are compared with the files that nothing names: a list may have 100,000 of them.
const COMPARED: usize = 20;

/// The file that names the course.
const MANIFEST: &str = "lessons/course.toml";

/// The text of a lesson that is too long.
static NO_TEXT: Cow<'static, str> = Cow::Borrowed("");

/// Opens a course: reads the heads of its lessons, and the rest of each when it is asked for. The course is that of
/// [`parse`], which also says what is wrong with its files.
pub fn open(sources: &Sources) -> Course {
    let mut report = Report::new(MANIFEST);
    let manifest = manifest(sources, &mut report);
    let drafts = drafts(sources, &manifest, &mut report);
    finish(manifest, drafts).0
}

/// Reads a whole course. What cannot be read is missing from it and has a diagnostic.
pub fn parse(sources: &Sources) -> (Course, Vec<Diagnostic>) {
    let mut report = Report::new(MANIFEST);
    let manifest = manifest(sources, &mut report);
    let mut drafts = drafts(sources, &manifest, &mut report);
    bodies(&mut drafts);
    let others = unused(sources, &manifest, &drafts);
    quizzes(manifest.pass, &mut drafts);
    check::check(&mut drafts, &sources.files);
    let (course, of_files) = finish(manifest, drafts);
    let mut reports = vec![report];
    reports.extend(of_files);
    // They often follow from a wrong name above.
    reports.extend(others);
    let diagnostics = reports
        .into_iter()
        .flat_map(Report::into_diagnostics)
        .collect();
    (course, diagnostics)
}

/// The course, and what is wrong with the files of its lessons.
fn finish(manifest: Manifest, drafts: Vec<Draft<'_>>) -> (Course, Vec<Report>) {
    let mut lessons = Vec::new();
    let mut reports = Vec::new();
    for mut draft in drafts {
        lessons.extend(draft.lesson(manifest.pass));
        reports.push(draft.report);
        reports.extend(draft.quiz_report);
    }
    let course = Course {
        id: manifest.id,
        title: manifest.title,
        summary: manifest.summary,
        pass: manifest.pass,
        lessons,
        is_for_instructors: false,
    };
    (course, reports)
}

/// The text of a file that is not too long.
fn text<'a>(
    file: &str,
    sources: &'a Sources,
    report: &mut Report,
) -> Option<&'a Cow<'static, str>> {
    let text = sources.files.get(file)?;
    if text.len() <= MAX_FILE {
        for (at, mark) in text.match_indices('\u{feff}').filter(|it| it.0 > 0) {
            report
                .warning(
                    Rule::ByteOrderMark,
                    at..at + mark.len(),
                    "an invisible byte order mark is inside of the file",
                )
                .fixed_by(mark, "")
                .hint("remove it; `warpup check --fix` does");
        }
        if let Some(at) = text.find('\u{fffd}') {
            report
                .warning(
                    Rule::NotUtf8,
                    at..at + '\u{fffd}'.len_utf8(),
                    "this is not text in UTF-8, so a letter is missing here",
                )
                .hint("save the file in the encoding UTF-8");
        }
        return Some(text);
    }
    report
        .error(
            Rule::FileTooLong,
            0..0,
            format!("this file has {} bytes; {MAX_FILE} are read", text.len()),
        )
        .hint("split it");
    None
}

fn manifest(sources: &Sources, report: &mut Report) -> Manifest {
    if !sources.files.contains_key(MANIFEST) {
        report
            .error(
                Rule::NoCourseFile,
                0..0,
                "the course has no `lessons/course.toml`",
            )
            .hint("without it, the lessons are shown in the order of their files' names");
    }
    text(MANIFEST, sources, report).map_or_else(Manifest::default, |it| manifest::read(it, report))
}

/// Every lesson of the course: its head, and which file has its quiz.
fn drafts<'a>(sources: &'a Sources, manifest: &Manifest, report: &mut Report) -> Vec<Draft<'a>> {
    let all = || {
        lesson_files(sources).map(|file| At {
            value: file.to_owned(),
            span: 0..0,
        })
    };
    let listed = manifest.lessons.clone().unwrap_or_else(|| all().collect());
    let programs = Programs::of(&sources.files);
    let mut drafts = Vec::new();
    let mut ids = BTreeSet::new();
    for name in listed {
        let file = format!("lessons/{}", name.value);
        if !sources.files.contains_key(&file) {
            report
                .error(
                    Rule::MissingFile,
                    name.span,
                    format!("there is no file `{file}`"),
                )
                .did_you_mean_or(
                    &name.value,
                    lesson_files(sources),
                    "correct the name, or create the file: `warpup new lesson NAME`",
                );
            continue;
        }
        drafts.push(draft(name.value, &file, (sources, &programs), &mut ids));
    }
    quiz_files(sources, &mut drafts);
    let order = match manifest.lessons {
        Some(_) => Order::Given,
        None => Order::Unknown,
    };
    check::require(&mut drafts, order);
    drafts
}

/// A lesson as far as its head. `ids` are those of the lessons before it.
fn draft<'a>(
    name: String,
    file: &str,
    (sources, programs): (&'a Sources, &Programs),
    ids: &mut BTreeSet<LessonId>,
) -> Draft<'a> {
    let mut report = Report::new(file);
    let text = text(file, sources, &mut report);
    let start = text.and_then(|it| lesson::start(it, &mut report));
    let body = start.as_ref().map(|it| it.body);
    let mut head = start.and_then(|it| it.head);
    if let Some(found) = &head
        && !ids.insert(found.id.value.clone())
    {
        report
            .error(
                Rule::DuplicateId,
                found.id.span.clone(),
                format!("there is a lesson `{}` already", found.id.value),
            )
            .hint("progress is kept under it, so each lesson needs its own");
        head = None;
    }
    Draft {
        name,
        text: text.unwrap_or(&NO_TEXT),
        head,
        start: body,
        quiz_file: None,
        programs: programs.clone(),
        body: None,
        quiz: None,
        report,
        quiz_report: None,
    }
}

/// Reads the body of each lesson, also under a broken head, so that its author sees all mistakes at once.
fn bodies(drafts: &mut [Draft<'_>]) {
    for draft in drafts {
        let title = draft.head.as_ref().map(|it| it.title.as_str());
        let body = draft.start.map(|start| {
            lesson::read(draft.text, start, title, &draft.programs, &mut draft.report)
        });
        draft.body = body;
    }
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

/// A warning for each file that nothing names.
fn unused(sources: &Sources, manifest: &Manifest, drafts: &[Draft<'_>]) -> Vec<Report> {
    let lessons = unlisted(sources, manifest);
    let listed = manifest.lessons.as_ref();
    let are_all_there = listed.is_none_or(|it| it.len() == drafts.len());
    if lessons.is_empty() && are_all_there {
        unnamed(sources, drafts)
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

/// Finds the quiz of each lesson.
fn quiz_files<'a>(sources: &'a Sources, drafts: &mut [Draft<'a>]) {
    let mut used = BTreeSet::new();
    for draft in drafts {
        let Some(name) = draft.head.as_ref().and_then(|it| it.quiz.clone()) else {
            continue;
        };
        let file = format!("quizzes/{}", name.value);
        if !sources.files.contains_key(&file) {
            draft
                .report
                .error(
                    Rule::MissingFile,
                    name.span,
                    format!("there is no file `{file}`"),
                )
                .did_you_mean_or(
                    &name.value,
                    names(sources, "quizzes/", ".toml"),
                    "correct the name, or create the file: `warpup new quiz LESSON`",
                );
            continue;
        }
        if !used.insert(file.clone()) {
            draft
                .report
                .error(
                    Rule::QuizUsedTwice,
                    name.span,
                    format!("`{file}` is the quiz of another lesson already"),
                )
                .hint("give each lesson a quiz of its own; `warpup new quiz LESSON` creates one");
            continue;
        }
        let mut report = Report::new(&file);
        let text = text(&file, sources, &mut report);
        draft.quiz_file = text.map(|it| (file, it));
        draft.quiz_report = Some(report);
    }
}

/// Reads the quizzes.
fn quizzes(pass: PassRule, drafts: &mut [Draft<'_>]) {
    let mut ids = BTreeSet::new();
    for draft in drafts {
        let (Some((_, text)), Some(report)) = (&draft.quiz_file, &mut draft.quiz_report) else {
            continue;
        };
        draft.quiz = quiz::read(text, pass, report);
        if let Some(ReadQuiz { quiz, id_span, .. }) = &draft.quiz
            && !ids.insert(quiz.id.clone())
        {
            report
                .error(
                    Rule::DuplicateId,
                    id_span.clone(),
                    format!("there is a quiz `{}` already", quiz.id),
                )
                .hint("give this one another id");
        }
    }
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
