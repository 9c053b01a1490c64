//! The files of a course folder to a [`Course`] and its [`Diagnostic`]s.

use super::check::{self, Draft, Order, QuizFile};
use super::diagnostics::{Diagnostic, Report, Rule, Severity, few};
use super::index::Index;
use super::language::Language;
use super::lesson::{self, Body, Course, Lesson, Programs, ReadWith, repairs};
use super::manifest::{self, MANIFEST, Manifest};
use super::merge_marks;
use super::model::{LessonId, PassRule};
use super::quiz::{self, ReadQuiz};
use super::sources::{MAX_FILE, Sources};
use super::toml_walk::WithSpan;
use super::translations;
use super::unread::{misplaced, not_a_lesson, right_name, unread};
use super::unused::{lesson_files, names, unused};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The text of a lesson that is too long.
static NO_TEXT: Cow<'static, str> = Cow::Borrowed("");

/// Opens a course: reads the heads of its lessons, and the rest of each when it is asked for. The course is that of
/// [`parse`], which also says what is wrong with its files.
///
/// A translation is read whole: which of its files are sound shows only then.
pub fn open(sources: &Sources) -> Course {
    if sources.language.is_some() {
        return parse(sources).0;
    }
    let language = None;
    let mut reports = Vec::new();
    let manifest = manifest(sources, language, &mut reports);
    let mut of_list = Report::new(MANIFEST);
    let drafts = drafts(sources, language, &manifest, &mut of_list);
    finish(manifest, language, drafts).0
}

/// Opens a course of which there is an index: no lesson is read before it is asked for, not even its head. The course is that of
/// [`open`] as long as its files are those of the index.
///
/// A translation is opened as by [`open`]: the index is that of the original.
pub fn open_indexed(sources: &Sources, index: Index) -> Course {
    if sources.language.is_some() {
        return open(sources);
    }
    let manifest = manifest(sources, None, &mut Vec::new());
    let lessons = index.lessons(sources, &manifest);
    course(manifest, None, lessons)
}

/// Reads a whole course. What cannot be read is missing from it and has a diagnostic. All translations are checked, and the one
/// that the sources ask for is given. Of a file with an error in it, the original is shown.
pub fn parse(sources: &Sources) -> (Course, Vec<Diagnostic>) {
    let (original, translations, diagnostics) = all(sources);
    let wanted = translations
        .into_iter()
        .find(|it| sources.language.is_some() && it.language == sources.language);
    (wanted.unwrap_or(original), diagnostics)
}

/// The course in each language that it is translated into.
pub fn in_translations(sources: &Sources) -> Vec<Course> {
    all(sources).1
}

/// The course as it was written, its translations, and what is wrong with them.
fn all(sources: &Sources) -> (Course, Vec<Course>, Vec<Diagnostic>) {
    let (original, mut diagnostics) = read(sources, None);
    let mut translated = Vec::new();
    let languages = sources.languages();
    let of_original = translations::of_original(&original, &diagnostics, &languages);
    diagnostics.extend(of_original);
    for language in languages {
        let (course, found) = read(sources, Some(&language));
        let of_original = (&original, diagnostics.as_slice());
        let of_language = translations::problems(sources, &language, of_original, (&course, found));
        let errors = of_language.iter();
        let errors = errors.filter(|it| it.severity == Severity::Error);
        let broken: BTreeSet<&str> = errors.map(|it| it.file.as_str()).collect();
        translated.push(if broken.is_empty() {
            course
        } else {
            let mut sound = sources.clone();
            sound
                .files
                .retain(|file, _| !broken.contains(file.as_str()));
            read(&sound, Some(&language)).0
        });
        diagnostics.extend(of_language);
    }
    (original, translated, diagnostics)
}

/// Reads the course in a language.
fn read(sources: &Sources, language: Option<&Language>) -> (Course, Vec<Diagnostic>) {
    let mut reports = Vec::new();
    let manifest = manifest(sources, language, &mut reports);
    let mut of_list = Report::new(MANIFEST);
    let mut drafts = drafts(sources, language, &manifest, &mut of_list);
    let known = drafts.iter().map(|it| it.head.as_ref());
    let known = known.map(|it| Some(it?.id.value.as_str()));
    // While the head of a lesson cannot be read, an unknown name in the deadlines may be its name, and is no mistake.
    if let Some(known) = known.collect::<Option<Vec<_>>>() {
        manifest.due.of_lessons(&known, &mut of_list);
    }
    reports.push(of_list);
    bodies(&mut drafts);
    reports.extend(merge_marks::in_programs(&sources.files));
    let mut others = unused(sources, &manifest, &drafts);
    others.extend(unread(sources, &manifest));
    quizzes(manifest.pass, &mut drafts);
    check::check(&mut drafts, &sources.files);
    let (course, of_files) = finish(manifest, language, drafts);
    reports.extend(of_files);
    // They often follow from a wrong name above.
    reports.extend(others);
    let diagnostics = reports.into_iter().flat_map(Report::into_diagnostics);
    (course, diagnostics.collect())
}

/// The course, and what is wrong with the files of its lessons.
fn finish(
    manifest: Manifest,
    language: Option<&Language>,
    drafts: Vec<Draft<'_>>,
) -> (Course, Vec<Report>) {
    let mut lessons = Vec::new();
    let mut reports = Vec::new();
    for mut draft in drafts {
        lessons.extend(draft.lesson(manifest.pass, language));
        reports.push(draft.report);
        reports.push(draft.repairs.1);
        reports.extend(draft.quiz_report);
    }
    (course(manifest, language, lessons), reports)
}

/// The course of these lessons.
fn course(manifest: Manifest, language: Option<&Language>, lessons: Vec<Lesson>) -> Course {
    let known: Vec<_> = lessons.iter().map(|it| it.id.as_str()).collect();
    Course {
        due_ms: manifest.due.of_lessons(&known, &mut Report::new(MANIFEST)),
        id: manifest.id,
        title: manifest.title,
        summary: manifest.summary,
        language: language.cloned().or(manifest.language),
        pass: manifest.pass,
        policy: manifest.policy,
        lessons,
    }
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
        merge_marks::check(text, report);
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

/// What `course.toml` says, with the words of the translation. There is a report for each file.
fn manifest(sources: &Sources, language: Option<&Language>, reports: &mut Vec<Report>) -> Manifest {
    let mut report = Report::new(MANIFEST);
    if !sources.files.contains_key(MANIFEST) {
        report
            .error(
                Rule::NoCourseFile,
                0..0,
                "the course has no `lessons/course.toml`",
            )
            .hint(misplaced(MANIFEST, sources).unwrap_or_else(|| {
                "without it, the lessons are shown in the order of their files' names".to_owned()
            }));
    }
    let read = text(MANIFEST, sources, &mut report).map(|it| manifest::read(it, &mut report));
    let mut manifest = read.unwrap_or_default();
    reports.push(report);
    let translated = sources.path("lessons", "course.toml", language);
    if translated != MANIFEST {
        let mut report = Report::new(&translated);
        if let Some(text) = text(&translated, sources, &mut report) {
            manifest.translate(text, &mut report);
        }
        reports.push(report);
    }
    manifest
}

/// Every lesson of the course: its head, and which file has its quiz.
fn drafts<'a>(
    sources: &'a Sources,
    language: Option<&Language>,
    manifest: &Manifest,
    report: &mut Report,
) -> Vec<Draft<'a>> {
    let all = || {
        lesson_files(sources).map(|file| WithSpan {
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
            let other = sources.unread.get(&file);
            let other = other.and_then(|_| not_a_lesson(&name.value));
            let message = if other.is_some() {
                format!("the file `{file}` is not read")
            } else {
                format!("there is no file `{file}`")
            };
            let said = report.error(Rule::MissingFile, name.span, message);
            if let Some(help) = other.or_else(|| misplaced(&file, sources)) {
                said.hint(help);
                continue;
            }
            if name.value.contains('*') {
                let all: Vec<_> = lesson_files(sources)
                    .map(|it| format!("\"{it}\""))
                    .collect();
                let all = few(all.iter().map(String::as_str));
                said.hint(format!(
                    "write the name of each file, in the order of the course: `lessons = [{all}]`"
                ));
                continue;
            }
            let otherwise = match right_name(&file) {
                Some((right, ending)) => format!(
                    "the name of a lesson ends with `.{ending}`: rename the file to `{right}`, and write that here"
                ),
                None => "correct the name, or create the file: `warpup new lesson NAME`".to_owned(),
            };
            said.file_or(&name.value, lesson_files(sources), otherwise);
            continue;
        }
        let file = sources.path("lessons", &name.value, language);
        drafts.push(draft(name.value, file, (sources, &programs), &mut ids));
    }
    quiz_files(sources, language, &mut drafts);
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
    file: String,
    (sources, programs): (&'a Sources, &Programs),
    ids: &mut BTreeSet<LessonId>,
) -> Draft<'a> {
    let mut report = Report::new(&file);
    let text = text(&file, sources, &mut report);
    let start = text.and_then(|it| lesson::start(it, &mut report));
    let body = start.as_ref().map(|it| it.body);
    let file_of_repairs = format!("repairs/{name}");
    let mut of_repairs = Report::new(&file_of_repairs);
    let repairs = self::text(&file_of_repairs, sources, &mut of_repairs);
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
        file,
        text: text.unwrap_or(&NO_TEXT),
        head,
        start: body,
        quiz_file: None,
        programs: programs.clone(),
        front_end: sources.front_end,
        repairs: (repairs, of_repairs),
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
        let mut body = draft.start.map(|start| {
            let with = ReadWith {
                title,
                programs: &draft.programs,
                front_end: draft.front_end,
            };
            lesson::read(draft.text, start, with, &mut draft.report)
        });
        // Under a block without an end, labs are missing that the lesson has.
        if let (Some(body), (Some(text), report)) = (&mut body, &mut draft.repairs)
            && !draft.report.has_lost_track()
        {
            repairs::give_other_ways(text, &mut body.labs, report);
        }
        draft.body = body;
    }
}

/// Finds the quiz of each lesson.
fn quiz_files<'a>(sources: &'a Sources, language: Option<&Language>, drafts: &mut [Draft<'a>]) {
    let mut used = BTreeSet::new();
    for draft in drafts {
        let Some(name) = draft.head.as_ref().and_then(|it| it.quiz.clone()) else {
            continue;
        };
        let file = format!("quizzes/{}", name.value);
        if !sources.files.contains_key(&file) {
            let message = format!("there is no file `{file}`");
            let said = draft.report.error(Rule::MissingFile, name.span, message);
            let other = right_name(&file).map(|(right, _)| {
                format!("a quiz is written in TOML: write it into `quizzes/{right}`, and `quiz = \"{right}\"` here")
            });
            match other.or_else(|| misplaced(&file, sources)) {
                Some(help) => said.hint(help),
                None => said.file_or(
                    &name.value,
                    names(sources, "quizzes/", ".toml"),
                    "correct the name, or create the file: `warpup new quiz LESSON`",
                ),
            }
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
        let original = sources.files.get(&file);
        let file = sources.path("quizzes", &name.value, language);
        let mut report = Report::new(&file);
        let text = text(&file, sources, &mut report);
        draft.quiz_file = text.map(|text| QuizFile {
            original: original.filter(|it| !std::ptr::eq(*it, text)),
            file,
            text,
        });
        draft.quiz_report = Some(report);
    }
}

/// Reads the quizzes.
fn quizzes(pass: PassRule, drafts: &mut [Draft<'_>]) {
    let mut ids = BTreeSet::new();
    for draft in drafts {
        let (Some(file), Some(report)) = (&draft.quiz_file, &mut draft.quiz_report) else {
            continue;
        };
        let original = file.original.map(AsRef::as_ref);
        let pages = draft
            .body
            .as_ref()
            .map(Body::page_names)
            .unwrap_or_default();
        draft.quiz = quiz::read_translated(file.text, original, pass, &pages, report);
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
