//! `type = "multi"`: any number of several options.

use crate::model::{ChoiceId, QuestionId};
use crate::quiz::choice_names::ChoiceNames;
use crate::quiz::choices::{self, Choice, CorrectOptions, OptionsKey};
use crate::quiz::file_value::FileValue;
use crate::quiz::kind::{HashInput, Kind};
use crate::quiz::reading::Reading;
use crate::quiz::sheet::Sheet;
use crate::toml_walk::Fields;

/// Its type in a quiz file.
pub(super) const WORD: &str = "multi";
/// The keys besides the common ones.
pub(super) const KEYS: [&str; 3] = ["options", "shuffle", "partial"];
/// Those that say what is offered.
pub(super) const OFFERED: [&str; 2] = ["options", "shuffle"];

/// Any number of several options.
#[derive(Clone, Debug, PartialEq)]
pub struct MultipleChoice {
    /// The options.
    pub options: Vec<Choice>,
    /// Whether the order changes with each attempt.
    pub shuffle: bool,
    /// What is right.
    pub key: Option<MultipleKey>,
}

/// What is right of several options.
#[derive(Clone, Debug, PartialEq)]
pub struct MultipleKey {
    /// The right options; at least one.
    pub options: OptionsKey,
    /// Whether (right − wrong) / correct of the points are given instead of all or nothing.
    pub partial: bool,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> MultipleChoice {
    let (options, key) = choices::options(fields, CorrectOptions::AtLeastOne, reading);
    MultipleChoice {
        options,
        shuffle: reading.flag(fields, "shuffle").unwrap_or(true),
        key: key.map(|options| MultipleKey {
            options,
            partial: reading.flag(fields, "partial").unwrap_or(false),
        }),
    }
}

impl MultipleChoice {
    /// Which options are right.
    fn options_key(&self) -> Option<&OptionsKey> {
        self.key.as_ref().map(|it| &it.options)
    }
}

impl Kind for MultipleChoice {
    fn word(&self) -> &'static str {
        WORD
    }

    fn hash(&self, hashed: &mut HashInput) {
        hashed.options(&self.options, self.options_key());
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
        Sheet::options(
            "Choose all that are right.",
            &self.options,
            self.options_key(),
        )
    }
}
