//! Events that nothing here reads, counted by category: a trace of another accelerator must not look like an empty one.

use super::names::one_line;
use serde::Serialize;

/// Categories that are kept; PyTorch has fewer than that.
const MOST: usize = 64;

/// The longest name of a category that is kept.
const NAME_BYTES: usize = 64;

/// What the names of categories of other accelerators begin with, and what they are.
const ACCELERATORS: [(&str, &str); 8] = [
    ("mtia", "MTIA, Meta's accelerator"),
    ("xpu", "XPU, Intel's GPUs"),
    ("hpu", "HPU, Intel's Gaudi"),
    ("npu", "an NPU"),
    ("async_npu", "an NPU"),
    ("tpu", "a TPU"),
    ("glow", "Glow"),
    (
        "privateuse1",
        "an accelerator that PyTorch calls PrivateUse1",
    ),
];

/// Counters of CUPTI are recorded in place of kernels.
const COUNTERS: &str = "cuda_profiler_range";

/// Events of a category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherCategory {
    /// As the trace writes it.
    pub category: String,
    /// How many.
    pub events: u64,
    /// How long all of them are.
    pub ns: i64,
}

impl OtherCategory {
    /// What it is about, if it is work of a device.
    pub fn device(&self) -> Option<&'static str> {
        if self.category == COUNTERS {
            return Some("counters of CUPTI in place of kernels");
        }
        let mut known = ACCELERATORS.iter();
        let found = known.find(|(begin, _)| self.category.starts_with(begin));
        found.map(|it| it.1)
    }

    /// Counts an event.
    pub(super) fn count(all: &mut Vec<Self>, category: &[u8], ns: i64) {
        if let Some(it) = all.iter_mut().find(|it| it.category.as_bytes() == category) {
            it.events += 1;
            it.ns = it.ns.saturating_add(ns);
        } else if all.len() < MOST && category.len() <= NAME_BYTES {
            let category = one_line(&String::from_utf8_lossy(category));
            let events = 1;
            all.push(Self {
                category,
                events,
                ns,
            });
        }
    }

    /// Adds what another piece of the trace has.
    pub(super) fn add(all: &mut Vec<Self>, of: Self) {
        if let Some(it) = all.iter_mut().find(|it| it.category == of.category) {
            it.events += of.events;
            it.ns = it.ns.saturating_add(of.ns);
        } else if all.len() < MOST {
            all.push(of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_other_accelerators_has_a_name() {
        let mut all = Vec::new();
        for category in ["mtia_ccp_events", "mtia_ccp_events", "ac2g", "hpu_op"] {
            OtherCategory::count(&mut all, category.as_bytes(), 5);
        }
        let said: Vec<_> = all
            .iter()
            .map(|it| (it.category.as_str(), it.events, it.ns, it.device()))
            .collect();
        assert_eq!(
            said,
            [
                ("mtia_ccp_events", 2, 10, Some("MTIA, Meta's accelerator")),
                ("ac2g", 1, 5, None),
                ("hpu_op", 1, 5, Some("HPU, Intel's Gaudi")),
            ]
        );
    }
}
