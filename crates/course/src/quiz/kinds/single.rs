//! `type = "single"`: one of several options.

use crate::diagnostics::{Report, Rule};
use crate::model::QuestionId;
use crate::quiz::choices::{self, Choice, Right};
use crate::quiz::kind::{Hashed, Kind};
use crate::quiz::reading::Reading;
use crate::toml_walk::Fields;
use std::ops::Range;

/// The keys besides the common ones.
pub(super) const KEYS: [&str; 2] = ["options", "shuffle"];
/// An option is long when it is this many characters longer than all others, and half as long again.
const LONGER: usize = 20;

/// One of several options.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleChoice {
    /// The options; exactly one is right.
    pub options: Vec<Choice>,
    /// Whether the order changes with each attempt.
    pub shuffle: bool,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> SingleChoice {
    SingleChoice {
        options: choices::options(fields, Right::One, reading),
        shuffle: reading.flag(fields, "shuffle").unwrap_or(true),
    }
}

impl Kind for SingleChoice {
    fn hash(&self, hashed: &mut Hashed) {
        hashed.add("single");
        hashed.choices(&self.options);
    }

    fn lint(&self, id: &QuestionId, place: Range<usize>, report: &mut Report) {
        let length = |it: &Choice| it.text.plain().chars().count();
        let longest = |correct: bool| {
            let options = self.options.iter().filter(|it| it.correct == correct);
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
