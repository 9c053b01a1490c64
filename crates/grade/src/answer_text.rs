//! A value in a file of answers, which is read in the way that its question is answered.

use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};
use warpup_course::toml_walk::{WithSpan, read};
use warpup_course::{ChoiceId, Report};

/// A value in a file of answers. What cannot be read is reported.
pub struct AnswerText<'r, 'a> {
    /// The question's name.
    pub(super) name: &'a str,
    /// The value.
    pub(super) value: &'a Spanned<DeValue<'a>>,
    /// The text of the file.
    pub(super) file: &'a str,
    /// What is wrong with the file.
    pub(super) report: &'r mut Report,
}

impl AnswerText<'_, '_> {
    /// A text in quotes.
    pub(super) fn text(&mut self) -> Option<String> {
        let text = read::<&str>(self.name, self.value, self.report)?;
        Some(text.value.to_owned())
    }

    /// A number as it is written, so that the one reader of numbers reads it; or a text in quotes.
    pub(super) fn number(&mut self) -> Option<String> {
        let value = self.value.get_ref();
        if value.is_integer() || value.is_float() {
            let written = self.file.get(self.value.span());
            return written.map(str::to_owned);
        }
        self.text()
    }

    /// A list of names.
    pub(super) fn ids(&mut self) -> Option<Vec<ChoiceId>> {
        let list: WithSpan<&DeArray<'_>> = read(self.name, self.value, self.report)?;
        let ids = list.value.iter();
        ids.map(|it| read::<&str>(self.name, it, self.report))
            .map(|it| Some(ChoiceId::new(it?.value)))
            .collect()
    }

    /// A table from names to names.
    pub(super) fn pairs(&mut self) -> Option<BTreeMap<ChoiceId, ChoiceId>> {
        let table: WithSpan<&DeTable<'_>> = read(self.name, self.value, self.report)?;
        let pairs = table.value.iter().map(|(left, right)| {
            let right = read::<&str>(self.name, right, self.report)?;
            let left = ChoiceId::new(left.get_ref().as_ref());
            Some((left, ChoiceId::new(right.value)))
        });
        pairs.collect()
    }
}
