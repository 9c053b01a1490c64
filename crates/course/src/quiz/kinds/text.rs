//! `type = "text"`: a short text.

use super::pattern::pattern;
use crate::diagnostics::Rule;
use crate::model::{QuestionId, Text};
use crate::quiz::choice_names::ChoiceNames;
use crate::quiz::kind::{HashInput, Kind};
use crate::quiz::reading::{Keys, Reading};
use crate::quiz::sheet::Sheet;
use crate::toml_walk::{Fields, WithSpan};
use std::collections::BTreeSet;

/// Its type in a quiz file.
pub(super) const WORD: &str = "text";
/// The keys besides the common ones; all are for grading.
pub(super) const KEYS: [&str; 5] = ["accept", "case", "samples_ok", "samples_bad", "near"];

/// A short text.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortText {
    /// What is right.
    pub key: Option<TextKey>,
}

/// Which texts are right.
#[derive(Clone, Debug, PartialEq)]
pub struct TextKey {
    /// Accepted answers.
    pub accept: Vec<String>,
    /// Whether upper and lower case differ.
    pub case: bool,
    /// Texts that must be accepted; `check` runs them through the grader.
    pub samples_ok: Vec<String>,
    /// Texts that must be refused.
    pub samples_bad: Vec<String>,
    /// Feedback for answers that are wrong in a known way.
    pub near: Vec<(String, Text)>,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> ShortText {
    let key = (reading.keys == Keys::Here).then(|| key(fields, reading));
    ShortText { key }
}

fn key(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> TextKey {
    let errors = reading.report.errors();
    let accept = fields.required_texts("accept", reading.report);
    if let Some(accept) = &accept
        && reading.report.errors() == errors
        && (accept.value.is_empty() || accept.value.iter().any(|it| it.value.trim().is_empty()))
    {
        reading
            .error(
                Rule::EmptyText,
                accept.span.clone(),
                "`accept` has no text, or an empty one",
            )
            .hint("write a right answer: `accept = [\"stream\"]`");
    }
    let owned = |texts: Vec<WithSpan<&str>>| texts.iter().map(|it| it.value.to_owned()).collect();
    let samples_ok = fields.texts("samples_ok", reading.report);
    let samples_bad = fields.texts("samples_bad", reading.report);
    // Who says so twice means the signs themselves.
    let meant: BTreeSet<&str> = samples_ok.iter().map(|it| it.value).collect();
    let answers = accept.iter().flat_map(|it| &it.value);
    for text in answers.filter(|it| !meant.contains(it.value)) {
        check_pattern(text, reading);
    }
    let mut near = Vec::new();
    for value in fields.list("near", reading.report) {
        let Some(fields) = Fields::of("near miss", value, reading.report) else {
            continue;
        };
        fields.check_keys(&["text", "feedback"], reading.report);
        let text = fields.text("text", reading.report);
        let feedback = fields.text("feedback", reading.report);
        if let (Some(text), Some(feedback)) = (text, feedback) {
            near.push((text.value.to_owned(), reading.line(&feedback)));
        }
    }
    TextKey {
        accept: owned(accept.map(|it| it.value).unwrap_or_default()),
        case: reading.flag(fields, "case").unwrap_or(false),
        samples_ok: owned(samples_ok),
        samples_bad: owned(samples_bad),
        near,
    }
}

/// Warns of an answer that is a regular expression.
fn check_pattern(text: &WithSpan<&str>, reading: &mut Reading<'_, '_>) {
    let Some(word) = pattern(text.value) else {
        return;
    };
    let word = if word.is_empty() { "stream" } else { word };
    let message = "`accept` has texts, and this is a pattern: only who types its signs is right";
    reading
        .report
        .warning(Rule::AcceptPattern, text.span.clone(), message)
        .hint(format!(
            "write each right answer as a text: `accept = [\"{word}\", \"…\"]`; case counts only with `case = true`"
        ));
}

impl Kind for ShortText {
    fn word(&self) -> &'static str {
        WORD
    }

    fn hash(&self, hashed: &mut HashInput) {
        let accept = self.key.iter().flat_map(|it| &it.accept);
        accept.for_each(|it| hashed.words(it));
    }

    fn is_keyless(&self) -> bool {
        self.key.is_none()
    }

    fn take_key(&mut self) -> Option<ChoiceNames> {
        self.key.take()?;
        Some(ChoiceNames::default())
    }

    fn sheet(&self, _question: &QuestionId) -> Sheet {
        let mut sheet = Sheet::new("Answer in a word or two.");
        if let Some(key) = &self.key {
            sheet.key = key.accept.iter().map(Text::of).collect();
            let near = key.near.iter();
            sheet.feedback = near
                .map(|(text, said)| (Text::of(text), said.clone()))
                .collect();
        }
        sheet
    }
}
