//! Lists of named things inside a question: options, items, pairs, bins.

use super::reading::{Keys, Reading};
use crate::diagnostics::Rule;
use crate::model::{ChoiceId, Text};
use crate::toml_walk::{Fields, name};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeValue};

/// More choices than letters cannot be chosen with one key, nor read.
const MAX_CHOICES: usize = 26;

/// Keys that say which option is right in other formats.
const ELSEWHERE: [&str; 5] = ["answer", "answers", "correct", "right", "solution"];

/// One option or item, or one side of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Stable name inside the question.
    pub id: ChoiceId,
    /// What it says; inline markdown.
    pub text: Text,
    /// Whether it stays last when options are shuffled.
    pub pin_last: bool,
}

impl Choice {
    /// One that has its place in the order of the others.
    pub(crate) fn of(id: ChoiceId, text: Text) -> Self {
        Self {
            id,
            text,
            pin_last: false,
        }
    }
}

/// The names of choices, with the texts.
pub(crate) fn named(choices: &[Choice]) -> Vec<(ChoiceId, String)> {
    let named = choices.iter().map(|it| (it.id.clone(), it.text.plain()));
    named.collect()
}

/// Which options are right, and what is said to somebody who chose one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptionsKey {
    right: BTreeSet<ChoiceId>,
    feedback: BTreeMap<ChoiceId, Text>,
}

impl OptionsKey {
    /// Only which options are right.
    pub fn of(right: impl IntoIterator<Item = ChoiceId>) -> Self {
        Self {
            right: right.into_iter().collect(),
            feedback: BTreeMap::new(),
        }
    }

    /// The names of the right options.
    pub fn right(&self) -> &BTreeSet<ChoiceId> {
        &self.right
    }

    /// Whether an option is right.
    pub fn is_right(&self, id: &ChoiceId) -> bool {
        self.right.contains(id)
    }

    /// What is said to somebody who chose it.
    pub fn feedback(&self, id: &ChoiceId) -> Option<&Text> {
        self.feedback.get(id)
    }
}

/// How many options have to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CorrectOptions {
    /// Exactly one.
    One,
    /// One or more.
    AtLeastOne,
}

/// One entry of such a list, of which the name has been read.
pub(crate) struct NamedEntry<'a> {
    /// Its name.
    pub(crate) id: ChoiceId,
    /// Its other keys.
    pub(crate) fields: Fields<'a>,
}

impl<'a> NamedEntry<'a> {
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
                // The others are mostly written like this one.
                break;
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

/// The options of a single or multiple choice, and which are right.
pub(crate) fn options(
    fields: &Fields<'_>,
    right: CorrectOptions,
    reading: &mut Reading<'_, '_>,
) -> (Vec<Choice>, Option<OptionsKey>) {
    let errors = reading.report.errors();
    let (options, key) = choices(fields, "options", "option", reading);
    if reading.keys == Keys::Withheld {
        let told = [
            ("correct", !key.right.is_empty()),
            ("feedback", !key.feedback.is_empty()),
        ];
        for (key, is_there) in told {
            reading.key_not_used(key, is_there.then(|| fields.head()));
        }
        return (options, None);
    }
    // Where something is wrong with the options, the right one may be left out; an unknown key may name it.
    let is_named = ELSEWHERE.iter().any(|it| fields.get(it).is_some());
    if reading.report.errors() == errors
        && !is_named
        && let Some(span) = fields.key_span("options")
    {
        check_feedback(fields, &options, &key, reading);
        check_right(right, key.right.len(), span, reading);
    }
    (options, Some(key))
}

/// Reports a number of right options with which nobody could answer.
fn check_right(
    right: CorrectOptions,
    correct: usize,
    span: Range<usize>,
    reading: &mut Reading<'_, '_>,
) {
    match (right, correct) {
        (CorrectOptions::One, 1) | (CorrectOptions::AtLeastOne, 1..) => {}
        (CorrectOptions::One | CorrectOptions::AtLeastOne, 0) => reading
            .error(Rule::NoRightOption, span, "no option is right")
            .hint("mark it with `correct = true`"),
        (CorrectOptions::One, _) => reading
            .error(
                Rule::SeveralRightOptions,
                span,
                format!("{correct} options are right, but one can be chosen"),
            )
            .hint("make it `type = \"multi\"`, or leave one `correct = true`"),
    }
}

/// Warns about wrong options without feedback, where there is a right one.
fn check_feedback(
    fields: &Fields<'_>,
    options: &[Choice],
    key: &OptionsKey,
    reading: &mut Reading<'_, '_>,
) {
    let entries = fields.get("options").and_then(|it| it.get_ref().as_array());
    let is_bare = |it: &&Choice| !key.is_right(&it.id) && key.feedback(&it.id).is_none();
    for option in options
        .iter()
        .filter(|it| !key.right.is_empty() && is_bare(it))
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
    choices(fields, "items", "item", reading).0
}

fn choices<'a>(
    fields: &Fields<'a>,
    key: &str,
    what: &'a str,
    reading: &mut Reading<'_, '_>,
) -> (Vec<Choice>, OptionsKey) {
    let known: &[&str] = match what {
        "option" => &["id", "text", "correct", "feedback", "pin"],
        _ => &["id", "text"],
    };
    let mut choices = Vec::new();
    let mut judged = OptionsKey::default();
    let mut texts = Texts::default();
    for named in NamedEntry::list(fields, key, what, known, reading) {
        let correct = named.fields.optional::<bool>("correct", reading.report);
        let pin_last = pin(&named.fields, reading);
        let feedback = named.feedback(reading);
        if let Some((text, span)) = named.line("text", reading) {
            texts.check(&text, span, reading);
            if correct.is_some_and(|it| it.value) {
                judged.right.insert(named.id.clone());
            }
            judged
                .feedback
                .extend(feedback.map(|it| (named.id.clone(), it)));
            choices.push(Choice {
                id: named.id,
                text,
                pin_last,
            });
        }
    }
    (choices, judged)
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
