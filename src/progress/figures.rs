//! What a run is remembered for: what it ran on, and the numbers that it gave names.
//!
//! Types of their own, although they look like those of the protocol: what is on disk has to be read for ever, and
//! the protocol may change with the app.

use crate::protocol;
use serde::{Deserialize, Serialize};

/// So many metrics of a run are kept.
const MOST: usize = 32;
/// A metric with a longer name or unit, in bytes, is not kept: no record may outgrow its line.
const LONGEST: usize = 100;

/// What a run ran on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RanOn {
    /// What the device is called, such as `Tesla T4 (modelled)`.
    pub title: String,
    /// The memory it has; nothing for a CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Where the run's times come from.
    pub clock: Clock,
}

/// Where times come from. No number is shown without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// From a machine's clocks.
    Measured,
    /// From the cost model of a card.
    Modelled,
}

/// A number that a run gave a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Its value; finite, since JSON knows no other numbers.
    pub value: f64,
    /// Its unit, empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// A run that is remembered.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// When it ended, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// The device's name.
    pub device: String,
    /// More of the device, if it was noted.
    pub on: Option<RanOn>,
    /// The numbers that it gave names.
    pub metrics: Vec<Metric>,
}

impl RanOn {
    /// What a run says of its device.
    pub fn of(device: &protocol::DeviceInfo, clock: protocol::Clock) -> Self {
        Self {
            title: device.title.chars().take(LONGEST).collect(),
            memory_bytes: device.memory_bytes,
            clock: match clock {
                protocol::Clock::Measured => Clock::Measured,
                protocol::Clock::Modelled => Clock::Modelled,
            },
        }
    }
}

impl Metric {
    /// Those of a run's metrics that are kept.
    pub fn kept(given: &[protocol::Metric]) -> Vec<Self> {
        let fits = |it: &&protocol::Metric| {
            it.value.is_finite() && it.name.len() <= LONGEST && it.unit.len() <= LONGEST
        };
        let kept = given.iter().filter(fits).take(MOST);
        kept.map(|it| Self {
            name: it.name.clone(),
            value: it.value,
            unit: it.unit.clone(),
        })
        .collect()
    }
}

impl RunRecord {
    /// The value of a metric, if the run gave it.
    pub fn metric(&self, name: &str) -> Option<f64> {
        let found = self.metrics.iter().find(|it| it.name == name);
        found.map(|it| it.value)
    }

    /// The names of its metrics, in order.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.metrics.iter().map(|it| it.name.clone()).collect();
        names.sort_unstable();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, value: f64) -> protocol::Metric {
        protocol::Metric {
            name: name.to_owned(),
            value,
            unit: "ms".to_owned(),
        }
    }

    #[test]
    fn numbers_that_json_does_not_know_and_names_without_end_are_not_kept() {
        let long = "x".repeat(LONGEST + 1);
        let metrics = [
            given("nan", f64::NAN),
            given("inf", f64::NEG_INFINITY),
            given(&long, 1.0),
            given("kept", 1.5),
        ];
        let kept = serde_json::to_string(&Metric::kept(&metrics)).unwrap();
        assert_eq!(kept, r#"[{"name":"kept","value":1.5,"unit":"ms"}]"#);
    }

    #[test]
    fn of_many_metrics_the_first_are_kept() {
        let many: Vec<_> = (0..100).map(|it| given(&it.to_string(), 1.0)).collect();
        let kept = Metric::kept(&many);
        assert_eq!(kept.len(), MOST);
        assert_eq!(kept.last().unwrap().name, "31");
    }
}
