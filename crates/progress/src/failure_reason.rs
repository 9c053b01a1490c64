//! Why a run did not pass.

use serde::{Deserialize, Serialize};

/// A longer text is cut, in characters: no record may outgrow its line.
const LONGEST: usize = 200;

/// What stood between a run and a pass, the first thing of several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureReason {
    /// A check that did not hold, by its sentence; empty where the sentence stayed with the learner.
    Check(String),
    /// An exception that ended the program, by its type, such as `RuntimeError`; empty where it stayed with the learner.
    Exception(String),
    /// Every check held, on a device that does not count for the lab.
    Device,
}

impl FailureReason {
    /// A check that did not hold.
    pub fn check(name: &str) -> Self {
        Self::Check(short(name))
    }

    /// An exception that ended the program.
    pub fn exception(kind: &str) -> Self {
        Self::Exception(short(kind))
    }

    /// As a phrase: `the check "the copy is pinned"`.
    pub fn words(&self) -> String {
        match self {
            Self::Check(name) if name.is_empty() => "a check".to_owned(),
            Self::Check(name) => format!("the check \"{name}\""),
            Self::Exception(kind) if kind.is_empty() => "an exception".to_owned(),
            Self::Exception(kind) => kind.clone(),
            Self::Device => "on a device that does not count".to_owned(),
        }
    }
}

fn short(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
