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

/// The evidence for a place: how much of the time of a step it has.
pub const PLACE_NS: &str = "place_ns_per_step";

/// A place has nearly all of a finding's time from this share on, in percent.
const NEARLY_ALL_PERCENT: f64 = 90.0;

impl Finding {
    /// The line of the program in its place, if it names one.
    pub fn line(&self) -> Option<u32> {
        let place = self.place.as_deref()?.strip_prefix("line ")?;
        place.split(':').next()?.parse().ok()
    }

    /// The place in words; where it has only a part of the time, with that part.
    pub fn place_in_words(&self) -> Option<String> {
        let place = self.place.as_ref()?;
        let mut evidence = self.evidence.iter();
        let of_place = evidence.find(|it| it.name == PLACE_NS).map(|it| it.value);
        let percent = of_place.map(|it| it * 100.0 / (self.saved_ns.max(1) as f64));
        Some(match percent {
            Some(part) if part > 0.0 && part < NEARLY_ALL_PERCENT => {
                format!("{place} ({part:.0} % of it)")
            }
            Some(_) | None => place.clone(),
        })
    }
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
