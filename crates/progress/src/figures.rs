//! What a run is remembered for: what it ran on, and the numbers that it gave names.

use serde::{Deserialize, Serialize};
use warpup_protocol::{Clock, DeviceInfo, Metric};

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
    pub fn of(device: &DeviceInfo, clock: Clock) -> Self {
        Self {
            title: device.title.chars().take(LONGEST).collect(),
            memory_bytes: device.memory_bytes,
            clock,
        }
    }
}

/// Those of a run's metrics that are kept; only finite ones, since JSON knows no other numbers.
pub fn kept(given: &[Metric]) -> Vec<Metric> {
    let fits =
        |it: &&Metric| it.value.is_finite() && it.name.len() <= LONGEST && it.unit.len() <= LONGEST;
    given.iter().filter(fits).take(MOST).cloned().collect()
}

impl RunRecord {
    /// The value of a metric, if the run gave it.
    pub fn metric(&self, name: &str) -> Option<f64> {
        let found = self.metrics.iter().find(|it| it.name == name);
        found.map(|it| it.value)
    }
}
