//! What the program did, by line and kind, whatever it runs on.

use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::Hash;
use warpup_protocol::{
    BatchKind, Call, CallKind, CopyKind, Count, EarlyUse, MemoryKind, OperationKind, Purposes,
    RunCounts, Seed, Side, StreamOrder,
};

/// The most rows of one kind; what is new beyond them counts for line 0.
const MAX_ROWS: usize = 2_000;

/// Counts of one kind.
#[derive(Debug)]
pub(crate) struct CountRows<K>(FxHashMap<(u32, K), (u64, u64)>);

impl<K> Default for CountRows<K> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<K: Hash + Ord> CountRows<K> {
    /// A line does this once more.
    pub(crate) fn add(&mut self, line: u32, kind: K, bytes: u64) {
        let is_full = self.0.len() >= MAX_ROWS;
        let mut key = (line, kind);
        if is_full && !self.0.contains_key(&key) {
            key.0 = 0;
        }
        let (times, all) = self.0.entry(key).or_default();
        *times += 1;
        *all = all.saturating_add(bytes);
    }

    fn report(&self) -> Vec<Count<K>>
    where
        K: Clone,
    {
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_unstable();
        let rows = rows
            .into_iter()
            .map(|((line, kind), (times, bytes))| Count {
                line: *line,
                kind: kind.clone(),
                times: *times,
                bytes: *bytes,
            });
        rows.collect()
    }
}

/// All counts.
#[derive(Debug, Default)]
pub(crate) struct RunCounter {
    operations: CountRows<OperationKind>,
    calls: CountRows<CallKind>,
    pub(crate) copies: CountRows<CopyKind>,
    allocations: CountRows<MemoryKind>,
    pinned: CountRows<MemoryKind>,
    pub(crate) batches: CountRows<BatchKind>,
    seeds: CountRows<Seed>,
    stream_waits: CountRows<StreamOrder>,
    /// The events that were recorded last: their line and stream.
    events: BTreeMap<u64, (u32, u32)>,
}

impl RunCounter {
    pub(crate) fn operate(
        &mut self,
        line: u32,
        (name, device): (&'static str, Side),
        in_backward: bool,
        bytes: u64,
    ) {
        let name = Cow::Borrowed(name);
        let kind = OperationKind {
            name,
            device,
            in_backward,
        };
        self.operations.add(line, kind, bytes);
    }

    pub(crate) fn call(&mut self, line: u32, call: Call) {
        self.calls.add(line, CallKind { call }, 0);
    }

    pub(crate) fn allocate(&mut self, line: u32, device: Side, bytes: u64) {
        if bytes > 0 {
            self.allocations.add(line, MemoryKind { device }, bytes);
        }
    }

    pub(crate) fn pin(&mut self, line: u32, bytes: u64) {
        self.pinned
            .add(line, MemoryKind { device: Side::Cpu }, bytes);
    }

    pub(crate) fn seed(&mut self, line: u32, seed: i64) {
        self.seeds.add(line, Seed { seed }, 0);
    }

    /// An event is recorded in a stream.
    pub(crate) fn record(&mut self, event: u64, line: u32, stream: u32) {
        self.events.insert(event, (line, stream));
        if self.events.len() > MAX_ROWS {
            self.events.pop_first();
        }
        self.call(line, Call::RecordEvent);
    }

    /// A stream waits for an event.
    pub(crate) fn wait_in_stream(&mut self, line: u32, stream: u32, event: u64) {
        let Some((behind_line, behind)) = self.events.get(&event).copied() else {
            return;
        };
        let kind = StreamOrder {
            stream,
            behind,
            behind_line,
        };
        self.stream_waits.add(line, kind, 0);
    }

    /// All of it, with what others know.
    pub(crate) fn report(&self, hazards: Vec<Count<EarlyUse>>, held: Purposes) -> RunCounts {
        RunCounts {
            operations: self.operations.report(),
            calls: self.calls.report(),
            copies: self.copies.report(),
            allocations: self.allocations.report(),
            pinned: self.pinned.report(),
            batches: self.batches.report(),
            seeds: self.seeds.report(),
            stream_waits: self.stream_waits.report(),
            hazards,
            held,
        }
    }
}
