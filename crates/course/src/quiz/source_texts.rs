//! The texts of a quiz as its file has them, to be written into another file.
//!
//! The model has texts that are read; only here are they still Markdown. Each version of a question has its own, with its
//! numbers filled in.

use super::computed::draws;
use super::versions::versions;
use crate::diagnostics::Report;
use crate::model::{ChoiceId, QuestionId};
use crate::toml_walk::{Fields, document};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The texts of one question, or of one version of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenQuestion {
    /// What is asked.
    pub prompt: String,
    /// Hints, mildest first.
    pub hints: Vec<String>,
    /// What there is to choose from; of pairs the right sides.
    pub choices: BTreeMap<ChoiceId, String>,
    /// The left sides of pairs.
    pub lefts: BTreeMap<ChoiceId, String>,
}

/// The texts of the questions in a quiz file without mistakes.
pub fn written(text: &str) -> BTreeMap<QuestionId, WrittenQuestion> {
    let mut report = Report::new("");
    let (table, _) = document(text, &mut report);
    let fields = Fields::new("quiz", table.get_ref(), 0..0);
    let mut all = BTreeMap::new();
    for value in fields.list("question", &mut report) {
        let draws = draws(value, text, &mut report);
        let versions = versions(value, draws.as_deref(), text, &mut report);
        let tables = versions.tables.iter();
        for table in tables.filter_map(|it| it.get_ref().as_table()) {
            if let Some(id) = word(table, "id") {
                all.insert(QuestionId::new(id), of(table));
            }
        }
    }
    all
}

fn of(table: &DeTable<'_>) -> WrittenQuestion {
    let mut written = WrittenQuestion {
        prompt: word(table, "prompt").unwrap_or_default().to_owned(),
        ..WrittenQuestion::default()
    };
    let hints = list(table, "hints").filter_map(DeValue::as_str);
    written.hints = hints.map(str::to_owned).collect();
    for key in ["options", "items", "bins"] {
        written.choices.extend(texts(table, key, "text"));
    }
    written.choices.extend(texts(table, "pairs", "right"));
    written.lefts.extend(texts(table, "pairs", "left"));
    written
}

/// For each entry of a list its name, and the text under this key.
fn texts<'t>(
    table: &'t DeTable<'_>,
    key: &'static str,
    text: &'static str,
) -> impl Iterator<Item = (ChoiceId, String)> + 't {
    let entries = list(table, key).filter_map(DeValue::as_table);
    entries.filter_map(move |it| Some((ChoiceId::new(word(it, "id")?), word(it, text)?.to_owned())))
}

fn list<'t, 'a>(
    table: &'t DeTable<'a>,
    key: &'static str,
) -> impl Iterator<Item = &'t DeValue<'a>> {
    let list = table.get(key).and_then(|it| it.get_ref().as_array());
    list.into_iter().flatten().map(Spanned::get_ref)
}

fn word<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t str> {
    table.get(key)?.get_ref().as_str()
}
