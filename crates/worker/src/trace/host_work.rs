//! What the host did for a card within operations, without being asked: values that it computed because there is no
//! kernel, and copies that the operation made on its own. By line and operation, since a loop makes more than a message
//! can hold.

use super::span_name::SpanName;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use warpup_protocol::{HostWork, HostWorkKind};

/// The most entries of the report.
const REPORTED: usize = 100;

/// The most entries that are told apart.
const KEPT: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct HostWorkTotals(BTreeMap<(u32, HostWorkKind, SpanName), HostWorkTotal>);

#[derive(Debug, Default)]
struct HostWorkTotal {
    times: u64,
    bytes: u64,
}

impl HostWorkTotals {
    pub(super) fn add(
        &mut self,
        (line, kind): (u32, HostWorkKind),
        operation: &SpanName,
        (times, bytes): (u64, u64),
    ) {
        let key = (line, kind, operation.clone());
        if self.0.len() >= KEPT && !self.0.contains_key(&key) {
            return;
        }
        let total = self.0.entry(key).or_default();
        total.times += times;
        total.bytes += bytes;
    }

    /// The entries with most bytes, the largest first.
    pub(super) fn report(&self) -> Vec<HostWork> {
        let all = self.0.iter().map(|((line, kind, operation), it)| HostWork {
            line: *line,
            operation: operation.to_string(),
            what: *kind,
            times: it.times,
            bytes: it.bytes,
        });
        let mut all: Vec<HostWork> = all.collect();
        all.sort_by_key(|it| (Reverse(it.bytes), Reverse(it.times), it.line));
        all.truncate(REPORTED);
        all
    }
}
