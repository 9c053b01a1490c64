//! `type = "single"`: one of several options.

use crate::diagnostics::{Report, Rule};
use crate::model::{ChoiceId, QuestionId};
use crate::quiz::choice_names::ChoiceNames;
use crate::quiz::choices::{self, Choice, CorrectOptions, OptionsKey};
use crate::quiz::file_value::FileValue;
use crate::quiz::kind::{HashInput, Kind};
use crate::quiz::reading::Reading;
use crate::quiz::sheet::Sheet;
use crate::toml_walk::Fields;
use std::ops::Range;

/// Its type in a quiz file.
pub(super) const WORD: &str = "single";
/// The keys besides the common ones.
pub(super) const KEYS: [&str; 2] = ["options", "shuffle"];
/// An option is long when it is this many characters longer than all others, and half as long again.
const LONGER: usize = 20;

/// One of several options.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleChoice {
    /// The options.
    pub options: Vec<Choice>,
    /// Whether the order changes with each attempt.
    pub shuffle: bool,
    /// Which one is right.
    pub key: Option<OptionsKey>,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> SingleChoice {
    let (options, key) = choices::options(fields, CorrectOptions::One, reading);
    SingleChoice {
        options,
        shuffle: reading.flag(fields, "shuffle").unwrap_or(true),
        key,
    }
}

impl Kind for SingleChoice {
    fn word(&self) -> &'static str {
        WORD
    }

    fn hash(&self, hashed: &mut HashInput) {
        hashed.options(&self.options, self.key.as_ref());
    }

    fn is_keyless(&self) -> bool {
        self.key.is_none()
    }

    fn take_key(&mut self) -> Option<ChoiceNames> {
        self.key.take()?;
        Some(ChoiceNames::of_options(&mut self.options, self.shuffle))
    }

    fn choices(&self) -> Vec<(ChoiceId, String)> {
        choices::named(&self.options)
    }

    fn offered(&self) -> Vec<(&'static str, FileValue)> {
        FileValue::of_options(&self.options, self.shuffle)
    }

    fn sheet(&self, _question: &QuestionId) -> Sheet {
        Sheet::options("Choose one.", &self.options, self.key.as_ref())
    }

    fn lint(&self, id: &QuestionId, place: Range<usize>, report: &mut Report) {
        let Some(key) = &self.key else { return };
        let length = |it: &Choice| it.text.plain().chars().count();
        let longest = |correct: bool| {
            let options = self.options.iter();
            let options = options.filter(|it| key.is_right(&it.id) == correct);
            options.map(length).max()
        };
        if let (Some(right), Some(wrong)) = (longest(true), longest(false))
            && right > wrong + LONGER
            && 2 * right > 3 * wrong
        {
            let message = format!("the right option of `{id}` is the only long one");
            report
                .warning(Rule::LongRightOption, place, message)
                .hint("make the options about equally long, so that length gives nothing away");
        }
    }
}
