//! `type = "multi"`: any number of several options.

use crate::quiz::choices::{self, Choice, Right};
use crate::quiz::kind::{Hashed, Kind};
use crate::quiz::reading::Reading;
use crate::toml_walk::Fields;

/// The keys besides the common ones.
pub(super) const KEYS: [&str; 3] = ["options", "shuffle", "partial"];

/// Any number of several options.
#[derive(Clone, Debug, PartialEq)]
pub struct MultipleChoice {
    /// The options; at least one is right.
    pub options: Vec<Choice>,
    /// Whether the order changes with each attempt.
    pub shuffle: bool,
    /// Whether (right − wrong) / correct of the points are given instead of all or nothing.
    pub partial: bool,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> MultipleChoice {
    MultipleChoice {
        options: choices::options(fields, Right::AtLeastOne, reading),
        shuffle: reading.flag(fields, "shuffle").unwrap_or(true),
        partial: reading.flag(fields, "partial").unwrap_or(false),
    }
}

impl Kind for MultipleChoice {
    fn hash(&self, hashed: &mut Hashed) {
        hashed.add("multi");
        hashed.choices(&self.options);
    }
}
