//! `type = "words"`: an explanation in the learner's own words, which nobody grades.

use crate::diagnostics::Rule;
use crate::model::{QuestionId, Text};
use crate::quiz::kind::{HashInput, Kind};
use crate::quiz::reading::Reading;
use crate::quiz::sheet::Sheet;
use crate::toml_walk::Fields;
use std::ops::RangeInclusive;

/// Its type in a quiz file.
pub(super) const WORD: &str = "words";
/// The keys besides the common ones.
pub(super) const KEYS: [&str; 1] = ["parts"];
/// How many parts a good explanation may have: one alone explains nothing, and learners tick them one by one.
const PARTS: RangeInclusive<usize> = 2..=5;

/// An explanation in the learner's own words, which nobody grades.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnWords {
    /// What a good explanation says; learners tick what theirs says.
    pub parts: Vec<Text>,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> OwnWords {
    let errors = reading.report.errors();
    let parts: Vec<Text> = match fields.required_texts("parts", reading.report) {
        None => Vec::new(),
        Some(parts) => {
            let are_texts = reading.report.errors() == errors;
            if are_texts && !PARTS.contains(&parts.value.len()) {
                let (least, most) = (PARTS.start(), PARTS.end());
                let message = format!("`parts` has between {least} and {most} texts");
                reading.error(Rule::PartsCount, parts.span, message).hint("divide the explanation into short statements, one for each thing that a good answer says");
            }
            parts.value.iter().map(|it| reading.line(it)).collect()
        }
    };
    OwnWords { parts }
}

impl Kind for OwnWords {
    fn word(&self) -> &'static str {
        WORD
    }

    fn hash(&self, hashed: &mut HashInput) {
        self.parts.iter().for_each(|it| hashed.text(it));
    }

    fn sheet(&self, _question: &QuestionId) -> Sheet {
        Sheet {
            key: self.parts.clone(),
            ..Sheet::new("Explain it in your own words, in some sentences.")
        }
    }
}
