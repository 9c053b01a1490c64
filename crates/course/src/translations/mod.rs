//! What is wrong with a translation: it has the ids, labs and keys of its original, so that progress and answers are valid in all
//! languages.

mod difference;
mod lesson;
mod programs;
mod quiz;

use super::diagnostics::{Diagnostic, Report, Rule, Severity};
use super::language::Language;
use super::lesson::Course;
use super::manifest::MANIFEST;
use super::sources::Sources;
use lesson::LessonPair;
use std::collections::BTreeSet;

/// What is wrong with a translation: what was `found` in its files, files that translate nothing, and differences from the
/// original. What the original's files have is left out.
pub(super) fn problems(
    sources: &Sources,
    language: &Language,
    (original, of_original): (&Course, &[Diagnostic]),
    (translated, found): (&Course, Vec<Diagnostic>),
) -> Vec<Diagnostic> {
    let is_of_language = |file: &str| Language::of_path(file).as_ref() == Some(language);
    let mut found = found;
    // A quiz that counts in the original does so in its translation, if no question is missing: that is compared.
    let follows = |it: &Diagnostic| [Rule::NothingCounts, Rule::AskRange].contains(&it.rule);
    found.retain(|it| is_of_language(&it.file) && !follows(it));
    let errors = found.iter().chain(of_original);
    let errors = errors.filter(|it| it.severity == Severity::Error);
    // What is missing there may be there again once they can be read.
    let broken: BTreeSet<String> = errors.map(|it| it.file.clone()).collect();
    let mut problems = Vec::new();
    for file in sources.files.keys().filter(|it| is_of_language(it)) {
        problems.extend(stray(file, sources, original, &broken));
    }
    let is_compared = |file: &str| is_of_language(file) && !broken.contains(file);
    for lesson in &translated.lessons {
        let same = original
            .lessons
            .iter()
            .find(|it| it.name() == lesson.name());
        let Some(same) = same else {
            continue;
        };
        if is_of_language(&lesson.file) && !broken.contains(&same.file) {
            let text = sources.files.get(&lesson.file);
            let mut report = Report::new(&lesson.file);
            let mut beside = LessonPair {
                text: text.map_or("", |it| it),
                original: &same.file,
                broken: &broken,
                report: &mut report,
            };
            beside.heads(same, lesson);
            if is_compared(&lesson.file) {
                // A prediction that one of the two cannot ask is no difference.
                let quizzes = [&same.quiz, &lesson.quiz].into_iter().flatten();
                let mut names = quizzes.filter_map(|it| it.file.rsplit('/').next());
                let is_broken = names.any(|name| {
                    broken.contains(&format!("quizzes/{name}"))
                        || broken.contains(&format!("quizzes/{language}/{name}"))
                });
                beside.bodies(same, lesson, !is_broken);
                beside.front_ends(sources.files.get(&same.file).map_or("", |it| it));
            }
            problems.extend(report.into_diagnostics());
        }
        if let (Some(was), Some(quiz)) = (&same.quiz, &lesson.quiz)
            && is_compared(&quiz.file)
            && !broken.contains(&was.file)
        {
            let mut report = Report::new(&quiz.file);
            quiz::compare(was, quiz, &mut report);
            problems.extend(report.into_diagnostics());
        }
    }
    // What a file says wrongly by itself often follows from what it lacks.
    problems.extend(found);
    problems
}

/// What is wrong with the course as its translations need it.
pub(super) fn of_original(
    original: &Course,
    found: &[Diagnostic],
    languages: &BTreeSet<Language>,
) -> Vec<Diagnostic> {
    let is_broken = |it: &Diagnostic| it.severity == Severity::Error && it.file == MANIFEST;
    if found.iter().any(is_broken) {
        return Vec::new();
    }
    let mut report = Report::new(MANIFEST);
    match &original.language {
        Some(own) if languages.contains(own) => report
            .warning(
                Rule::TranslationOfNothing,
                0..0,
                format!("the course is written in `{own}`, so its folders `{own}` are not read"),
            )
            .hint("remove the folders, or correct `language`"),
        None if !languages.is_empty() => report
            .warning(
                Rule::MissingKey,
                0..0,
                "the course has translations, and does not say in which language it is written",
            )
            .hint("write `language = \"en\"`, or the code of another language: readers of it get the original"),
        Some(_) | None => {}
    }
    report.into_diagnostics()
}

/// A file that is not the translation of any other. What names its original may be `broken`.
fn stray(
    file: &str,
    sources: &Sources,
    original: &Course,
    broken: &BTreeSet<String>,
) -> Vec<Diagnostic> {
    let mut report = Report::new(file);
    let (part, rest) = file.split_once('/').unwrap_or_default();
    let name = rest.rsplit('/').next().unwrap_or_default();
    let same = format!("{part}/{name}");
    let is_used = name == "course.toml"
        || original
            .lessons
            .iter()
            .any(|it| it.file == same || it.quiz.as_ref().is_some_and(|quiz| quiz.file == same));
    // What a lesson names is not known while it has a mistake.
    let may_name = |it: &String| it.starts_with("lessons/") && Language::of_path(it).is_none();
    let may_be_used = broken.iter().any(may_name);
    if broken.contains(&same) {
        return Vec::new();
    }
    if !sources.files.contains_key(&same) {
        let folder = format!("{part}/");
        let known = sources.files.keys();
        let known = known
            .filter_map(|it| it.strip_prefix(&folder))
            .filter(|it| !it.contains('/'));
        report
            .warning(
                Rule::TranslationOfNothing,
                0..0,
                format!("there is no `{same}` that this file could translate"),
            )
            .did_you_mean_or(
                name,
                known,
                "a translation has the same name of file as its original".to_owned(),
            );
    } else if !is_used && !may_be_used {
        report
            .warning(
                Rule::TranslationOfNothing,
                0..0,
                format!("`{same}`, which this file translates, is not part of the course"),
            )
            .hint("add the original to the course, or remove this file");
    }
    report.into_diagnostics()
}
