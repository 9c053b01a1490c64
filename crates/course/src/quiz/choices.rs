//! Lists of named things inside a question: options, items, pairs, bins.

use super::reading::Reading;
use crate::diagnostics::Rule;
use crate::model::{ChoiceId, Text};
use crate::toml_walk::{Fields, name};
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeValue};

/// More choices than letters cannot be chosen with one key, nor read.
const MAX_CHOICES: usize = 26;

/// One option or item.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Stable name inside the question.
    pub id: ChoiceId,
    /// What it says; inline markdown.
    pub text: Text,
    /// Whether it is right (options only; items of an order have false).
    pub correct: bool,
    /// What is said to somebody who chose it.
    pub feedback: Option<Text>,
    /// Whether it stays last when options are shuffled.
    pub pin_last: bool,
}

/// How many options have to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// Exactly one.
    One,
    /// One or more.
    AtLeastOne,
}

/// One entry of such a list, of which the name has been read.
pub(crate) struct Named<'a> {
    /// Its name.
    pub(crate) id: ChoiceId,
    /// Its other keys.
    pub(crate) fields: Fields<'a>,
}

impl<'a> Named<'a> {
    /// The entries of a list that has to be there; each has a name of its own.
    pub(crate) fn list(
        fields: &Fields<'a>,
        key: &str,
        what: &'a str,
        known: &[&str],
        reading: &mut Reading<'_, '_>,
    ) -> Vec<Self> {
        let Some(list) = fields.required::<&DeArray<'_>>(key, reading.report) else {
            return Vec::new();
        };
        if !(2..=MAX_CHOICES).contains(&list.value.len()) {
            let message = format!("`{key}` has between 2 and {MAX_CHOICES} entries");
            reading
                .error(Rule::ChoiceCount, list.span, message)
                .hint("write at least two, and at most as many as there are letters");
        }
        let mut ids = BTreeSet::new();
        let mut entries = Vec::new();
        for value in list.value.iter().take(MAX_CHOICES) {
            let Some(fields) = Fields::of(what, value, reading.report) else {
                continue;
            };
            fields.check_keys(known, reading.report);
            let Some(id) = fields.text("id", reading.report) else {
                continue;
            };
            if !ids.insert(id.value) {
                let message = format!("{what} `{}` is there already", id.value);
                reading
                    .error(Rule::DuplicateId, id.span, message)
                    .hint("give this one another id");
            } else if name::check(id.value, what, id.span, reading.report) {
                entries.push(Self {
                    id: ChoiceId::new(id.value),
                    fields,
                });
            }
        }
        entries
    }

    /// One of its texts, and where it is.
    pub(crate) fn line(
        &self,
        key: &str,
        reading: &mut Reading<'_, '_>,
    ) -> Option<(Text, Range<usize>)> {
        let text = self.fields.text(key, reading.report)?;
        Some((reading.line(&text), text.span))
    }

    /// What is said to somebody who chose it.
    pub(crate) fn feedback(&self, reading: &mut Reading<'_, '_>) -> Option<Text> {
        let feedback = self.fields.optional::<&str>("feedback", reading.report)?;
        Some(reading.line(&feedback))
    }
}

/// The texts of a list so far; no two may be equal.
#[derive(Default)]
pub(crate) struct Texts(BTreeSet<String>);

impl Texts {
    /// Reports a text that a learner could not tell from an earlier one.
    pub(crate) fn check(&mut self, text: &Text, span: Range<usize>, reading: &mut Reading<'_, '_>) {
        let plain = text.plain();
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        if !self.0.insert(plain) {
            reading
                .error(Rule::SameText, span, "two choices have the same text")
                .hint("change one of them, so that learners can tell them apart");
        }
    }
}

/// The options of a single or multiple choice.
pub(crate) fn options(
    fields: &Fields<'_>,
    right: Right,
    reading: &mut Reading<'_, '_>,
) -> Vec<Choice> {
    let errors = reading.report.errors();
    let options = choices(fields, "options", "option", reading);
    if reading.report.errors() > errors {
        // The right one may be left out.
        return options;
    }
    let correct = options.iter().filter(|it| it.correct).count();
    let Some(span) = fields.key_span("options") else {
        return options;
    };
    if correct > 0 {
        check_feedback(fields, &options, reading);
    }
    match (right, correct) {
        (Right::One, 1) | (Right::AtLeastOne, 1..) => {}
        (Right::One | Right::AtLeastOne, 0) => reading
            .error(Rule::NoRightOption, span, "no option is right")
            .hint("mark it with `correct = true`"),
        (Right::One, _) => reading
            .error(
                Rule::SeveralRightOptions,
                span,
                format!("{correct} options are right, but one can be chosen"),
            )
            .hint("make it `type = \"multi\"`, or leave one `correct = true`"),
    }
    options
}

/// Options, whether any is right or not.
pub(crate) fn any_options(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Vec<Choice> {
    choices(fields, "options", "option", reading)
}

/// Warns about wrong options without feedback.
fn check_feedback(fields: &Fields<'_>, options: &[Choice], reading: &mut Reading<'_, '_>) {
    let entries = fields.get("options").and_then(|it| it.get_ref().as_array());
    for option in options
        .iter()
        .filter(|it| !it.correct && it.feedback.is_none())
    {
        let is_it = |it: &&Spanned<DeValue<'_>>| {
            let id = it.get_ref().as_table().and_then(|it| it.get("id"));
            id.and_then(|it| it.get_ref().as_str()) == Some(option.id.as_str())
        };
        let entry = entries.into_iter().flatten().find(is_it);
        let place = entry.map_or_else(|| fields.head(), Spanned::span);
        let message = format!("wrong option `{}` has no feedback", option.id);
        reading
            .report
            .warning(Rule::NoFeedback, place, message)
            .hint("write `feedback = \"…\"`: what it would take for it to be true");
    }
}

/// The items of an order.
pub(crate) fn items(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Vec<Choice> {
    choices(fields, "items", "item", reading)
}

fn choices<'a>(
    fields: &Fields<'a>,
    key: &str,
    what: &'a str,
    reading: &mut Reading<'_, '_>,
) -> Vec<Choice> {
    let known: &[&str] = match what {
        "option" => &["id", "text", "correct", "feedback", "pin"],
        _ => &["id", "text"],
    };
    let mut choices = Vec::new();
    let mut texts = Texts::default();
    for named in Named::list(fields, key, what, known, reading) {
        let correct = named.fields.optional::<bool>("correct", reading.report);
        let pin_last = pin(&named.fields, reading);
        let feedback = named.feedback(reading);
        if let Some((text, span)) = named.line("text", reading) {
            texts.check(&text, span, reading);
            let is_right = correct.as_ref().is_some_and(|it| it.value);
            choices.push(Choice {
                id: named.id,
                text,
                correct: is_right,
                feedback,
                pin_last,
            });
        }
    }
    choices
}

fn pin(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> bool {
    let Some(pin) = fields.optional::<&str>("pin", reading.report) else {
        return false;
    };
    if pin.value != "last" {
        reading
            .error(
                Rule::PinValue,
                pin.span,
                format!("an option cannot be pinned to `{}`", pin.value),
            )
            .hint("write `pin = \"last\"`");
    }
    true
}
