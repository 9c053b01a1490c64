//! `lessons/course.toml`: what the course is called and which lessons it has.

use crate::diagnostics::{Report, Rule};
use crate::due::DueTable;
use crate::language::Language;
use crate::model::{CourseId, CoursePolicy, PassRule};
use crate::policy;
use crate::toml_walk::{Fields, WithSpan, document, is_format_known, name, pass};
use std::collections::BTreeSet;

/// The file that names the course.
pub(crate) const MANIFEST: &str = "lessons/course.toml";

/// What the manifest says.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// The course's name.
    pub(crate) id: CourseId,
    /// Its title.
    pub(crate) title: String,
    /// The text above the map.
    pub(crate) summary: String,
    /// The language that it is written in.
    pub(crate) language: Option<Language>,
    /// What passing a quiz takes.
    pub(crate) pass: PassRule,
    /// What it asks of machines.
    pub(crate) policy: CoursePolicy,
    /// Until when its lessons are to be passed.
    pub(crate) due: DueTable,
    /// Lesson files, relative to `lessons/`, in teaching order; `None` when the list cannot be read.
    pub(crate) lessons: Option<Vec<WithSpan<String>>>,
}

/// The keys of a manifest.
const KEYS: [&str; 9] = [
    "format", "id", "title", "summary", "language", "pass", "policy", "due", "lessons",
];

/// The keys of its translation.
const TRANSLATED: [&str; 3] = ["format", "title", "summary"];

impl Default for Manifest {
    /// What a course is when its manifest cannot be read: all lessons, by name of file.
    fn default() -> Self {
        Self {
            id: CourseId::new("course"),
            title: "Course".to_owned(),
            summary: String::new(),
            language: None,
            pass: PassRule::default(),
            policy: CoursePolicy::default(),
            due: DueTable::default(),
            lessons: None,
        }
    }
}

/// Reads the manifest; what cannot be read is as in [`Manifest::default`].
pub(crate) fn read(text: &str, report: &mut Report) -> Manifest {
    let mut manifest = Manifest::default();
    let (table, broken) = document(text, report);
    if !broken.is_empty() {
        report.close();
    }
    let fields = Fields::new("course", table.get_ref(), 0..0);
    if !is_format_known(&fields, report) {
        return manifest;
    }
    fields.check_keys(&KEYS, report);
    if let Some(id) = fields.text("id", report)
        && name::check(id.value, "course", id.span, report)
    {
        manifest.id = CourseId::new(id.value);
    }
    if let Some(title) = fields.text("title", report) {
        title.value.clone_into(&mut manifest.title);
    }
    if let Some(summary) = fields.text("summary", report) {
        summary.value.clone_into(&mut manifest.summary);
    }
    manifest.language = language(&fields, report);
    manifest.pass = pass(&fields, report).unwrap_or_default();
    manifest.policy = policy::read(&fields, report);
    manifest.due = DueTable::read(&fields, report);
    manifest.lessons = lessons(&fields, report).filter(|_| broken.is_empty());
    manifest
}

impl Manifest {
    /// Takes title and summary from a translation.
    pub(crate) fn translate(&mut self, text: &str, report: &mut Report) {
        let (table, broken) = document(text, report);
        if !broken.is_empty() {
            report.close();
        }
        let fields = Fields::new("translation", table.get_ref(), 0..0);
        if !is_format_known(&fields, report) {
            return;
        }
        for key in KEYS.iter().filter(|it| !TRANSLATED.contains(it)) {
            if let Some(span) = fields.key_span(key) {
                report
                    .error(
                        Rule::TranslationDiffers,
                        span,
                        format!("a translation does not have `{key}`: it is that of `lessons/course.toml`"),
                    )
                    .hint("remove it; a translation has `format`, `title` and `summary`");
            }
        }
        fields.check_keys(&KEYS, report);
        if let Some(title) = fields.text("title", report) {
            title.value.clone_into(&mut self.title);
        }
        if let Some(summary) = fields.text("summary", report) {
            summary.value.clone_into(&mut self.summary);
        }
    }
}

/// The language that the course is written in.
fn language(fields: &Fields<'_>, report: &mut Report) -> Option<Language> {
    let code = fields.optional::<&str>("language", report)?;
    let language = Language::new(code.value);
    if language.is_none() {
        report
            .error(
                Rule::LanguageCode,
                code.span,
                format!("`{}` is not the code of a language", code.value),
            )
            .hint(match Language::meant(code.value) {
                Some(meant) => format!("write `language = \"{meant}\"`"),
                None => "write two small letters, such as `en`, and a region or a script where it takes one: `pt-BR`, `zh-Hans`".to_owned(),
            });
    }
    language
}

/// The list of lesson files, without those that are named twice.
fn lessons(fields: &Fields<'_>, report: &mut Report) -> Option<Vec<WithSpan<String>>> {
    let mut lessons: Vec<WithSpan<String>> = Vec::new();
    let tables = ["pass", "policy", "due"]
        .into_iter()
        .filter_map(|it| fields.get(it));
    if tables
        .filter_map(|it| it.get_ref().as_table())
        .any(|it| it.contains_key("lessons"))
    {
        // The table that has swallowed it says so.
        return None;
    }
    // A list may have 100,000 names: comparing each with all before takes half a minute.
    let mut listed = BTreeSet::new();
    for file in fields.required_texts("lessons", report)?.value {
        if listed.insert(file.value) {
            lessons.push(WithSpan {
                value: file.value.to_owned(),
                span: file.span,
            });
        } else {
            report
                .error(
                    Rule::ListedTwice,
                    file.span,
                    format!("`{}` is listed twice", file.value),
                )
                .hint("remove one of the two");
        }
    }
    Some(lessons)
}
