//! What a finding is.

use super::page::Page;
use serde::Serialize;

/// Something in a program that costs time, or makes it wrong, and can be changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What it is, the same in every trace and run.
    pub id: &'static str,
    /// One sentence with its number.
    pub sentence: String,
    /// The line, the operator or the call; the most exact that is known.
    pub place: Option<String>,
    /// What to try first.
    pub try_first: &'static str,
    /// The page that explains it.
    pub page: Page,
    /// Time that a step could save at most; 0 where it costs none in a step.
    pub saved_ns: i64,
    /// The numbers behind it.
    pub evidence: Vec<Evidence>,
}

/// A number behind a finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// What it is, with its unit where it has one.
    pub name: &'static str,
    /// The number.
    pub value: f64,
}

impl Evidence {
    /// A number.
    pub fn new(name: &'static str, value: f64) -> Self {
        Self { name, value }
    }

    /// A time in nanoseconds.
    pub fn ns(name: &'static str, value: i64) -> Self {
        Self::new(name, value as f64)
    }
}
