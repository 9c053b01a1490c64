//! Times and counts of all steps as those of one.

use crate::units;

/// The steps of a run or a trace, or all of it where no step is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// How many steps; 1 where none is known.
    pub steps: i64,
    /// The mean time of a step.
    pub step_ns: i64,
    /// What is meant where no step is known, such as "this trace"; none where steps are known.
    pub whole: Option<&'static str>,
}

impl Scale {
    /// Where something happens so often: in each step, or in all that is known.
    pub fn scope(&self) -> String {
        match self.whole {
            None => "in each step".to_owned(),
            Some(whole) => format!("in {whole}"),
        }
    }

    /// As [`Self::scope`], for something that may happen in only some of the steps: how often in a step, on average.
    pub fn scope_of(&self, count: f64) -> String {
        if self.whole.is_none() && count < 0.95 {
            "in a step, on average,".to_owned()
        } else {
            self.scope()
        }
    }

    /// A time of all steps, for one.
    pub fn ns(&self, of_all: i64) -> i64 {
        of_all / self.steps.max(1)
    }

    /// A count of all steps, for one.
    pub fn count(&self, of_all: u64) -> f64 {
        of_all as f64 / self.steps.max(1) as f64
    }

    /// Whether a time is at least so many percent of a step.
    pub fn is_much(&self, ns: i64, percent: i64) -> bool {
        ns > 0 && ns.saturating_mul(100) >= self.step_ns.saturating_mul(percent)
    }

    /// A time of one step in words, with its share: `2.10 ms of 8.30 ms`.
    pub fn of_step(&self, ns: i64) -> String {
        format!("{} of {}", duration(ns), duration(self.step_ns))
    }
}

/// A time in words.
pub fn duration(ns: i64) -> String {
    units::duration(u64::try_from(ns).unwrap_or(0))
}

/// A count with its noun, whole where it is nearly: `1 gap`, `2.5 gaps`.
pub fn counted(count: f64, one: &str, many: &str) -> String {
    let number = times(count);
    let noun = if number == "1" { one } else { many };
    format!("{number} {noun}")
}

/// How often something happens: `once`, `2 times`, `2.5 times`.
pub(super) fn often(count: f64) -> String {
    match times(count).as_str() {
        "1" => "once".to_owned(),
        number => format!("{number} times"),
    }
}

/// A count in words: whole where it is nearly.
pub fn times(count: f64) -> String {
    if count >= 9.95 || (count - count.round()).abs() < 0.05 {
        format!("{count:.0}")
    } else {
        format!("{count:.1}")
    }
}
