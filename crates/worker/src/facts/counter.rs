//! All facts of a run, by line.

use super::clock_readings::{ClockReading, ClockReadings};
use super::graph_growth::GrowthCounts;
use crate::device::{Direction, HostMemory, Interval, Transfer};
use crate::tensor::graph_use;
use std::collections::BTreeMap;
use warpup_protocol::{CopyTotal, GraphGrowth, Lane, LineFacts, OptimizerSteps, ProgramFacts};

/// Lines beyond this share one entry, as in line times.
const MAX_LINES: usize = 10_000;

/// The most kinds of copies in a report.
const MAX_COPIES: usize = 200;

#[derive(Debug, Default)]
pub(crate) struct FactCounter {
    lines: Vec<LineFacts>,
    copies: BTreeMap<CopyKey, CopyTotal>,
    clocks: ClockReadings,
    /// The number of the optimizer that stepped first.
    optimizer: Option<usize>,
    steps: OptimizerSteps,
    /// How long code was compiled since the last step.
    compiling_ns: u64,
    /// The last call for which code was compiled: its line, and how often that had been reached.
    compiled_for: (u32, u64),
    by_step: GrowthCounts,
    by_module: GrowthCounts,
    /// The line of the first call of a module, and how often that had been reached at the last one.
    module: Option<(u32, u64)>,
    backward: BackwardPass,
    /// The last step in which each line computed in `float64`.
    double_at: BTreeMap<u32, u64>,
}

/// What tells copies apart: line, way, whether the memory is pinned, whether the host goes on.
type CopyKey = (u32, Lane, bool, bool);

/// The last call of `backward()`.
#[derive(Clone, Copy, Debug, Default)]
struct BackwardPass {
    line: u32,
    /// Whether it added to gradients that no step had used.
    adds: bool,
    /// Whether a step has shown that it added to used ones.
    is_uncleared: bool,
}

impl FactCounter {
    /// Changes the entry of a line.
    pub(crate) fn at(&mut self, line: u32, change: impl FnOnce(&mut LineFacts)) {
        let at = (line as usize).min(MAX_LINES);
        if self.lines.len() <= at {
            self.lines.resize(at + 1, LineFacts::default());
        }
        if let Some(it) = self.lines.get_mut(at) {
            change(it);
        }
    }

    /// Something was queued for the device.
    pub(crate) fn queued(&mut self) {
        self.clocks.queued += 1;
    }

    /// The card was made ready, or a library of it.
    pub(crate) fn started(&mut self, when: Interval) {
        self.clocks.starting_ns += when.ns();
    }

    pub(crate) fn read_clock(&mut self, reading: ClockReading) {
        self.clocks.read(reading);
    }

    pub(crate) fn copied(&mut self, line: u32, transfer: Transfer, ns: u64) {
        let direction = match transfer.direction {
            Direction::In => Lane::CopyToDevice,
            Direction::Out => Lane::CopyToHost,
        };
        let is_pinned = transfer.memory == HostMemory::Pinned;
        let is_non_blocking = transfer.blocking == crate::device::Blocking::No;
        let key = (line, direction, is_pinned, is_non_blocking);
        if self.copies.len() >= MAX_COPIES && !self.copies.contains_key(&key) {
            return;
        }
        let total = self.copies.entry(key).or_insert(CopyTotal {
            line,
            lane: direction,
            is_pinned,
            is_non_blocking,
            times: 0,
            bytes: 0,
            ns: 0,
        });
        total.times += 1;
        total.bytes += transfer.bytes;
        total.ns += ns;
    }

    /// An optimizer takes a step.
    pub(crate) fn step(&mut self, optimizer: usize, now: u64) {
        if *self.optimizer.get_or_insert(optimizer) != optimizer {
            return;
        }
        if self.steps.count == 0 {
            self.steps.first_ns = now;
            // Those of the model and of data that stays on the card are not in the loop.
            self.copies.clear();
            self.compiling_ns = 0;
        }
        self.steps.count += 1;
        self.steps.compiling_ns += std::mem::take(&mut self.compiling_ns);
        self.steps.last_ns = now;
        self.by_step.count();
    }

    /// Code was compiled, in the call of a line that is reached so often.
    pub(crate) fn compiled(&mut self, (line, hits): (u32, u64), when: Interval) {
        self.compiling_ns += when.ns();
        // One call has several pieces of code where its graph breaks.
        let before = std::mem::replace(&mut self.compiled_for, (line, hits));
        let is_new_call = before != (line, hits);
        self.at(line, |it| {
            it.compile_ns += when.ns();
            if hits > 1 {
                it.recompiles += u64::from(is_new_call);
                it.recompile_ns += when.ns();
            }
        });
    }

    /// Whether the program trains already.
    pub(crate) fn has_stepped(&self) -> bool {
        self.steps.count > 0
    }

    /// The program calls a module on a line that was reached so often.
    pub(crate) fn call_module(&mut self, line: u32, hits: u64) {
        let (first, seen) = *self.module.get_or_insert((line, 0));
        if line == first && hits > seen {
            self.module = Some((line, hits));
            self.by_module.count();
        }
    }

    /// A line has a kernel in `float64`.
    pub(crate) fn compute_in_double(&mut self, line: u32) {
        let step = self.steps.count;
        if self.double_at.insert(line, step) != Some(step) {
            self.at(line, |it| it.double_steps += 1);
        }
    }

    /// `backward()` begins.
    pub(crate) fn begin_backward(&mut self, line: u32) {
        self.at(line, |it| it.backward += 1);
        self.backward = BackwardPass {
            line,
            ..BackwardPass::default()
        };
    }

    /// It adds to a gradient that no step has used.
    pub(crate) fn add_to_unused_gradient(&mut self) {
        self.backward.adds = true;
    }

    /// It ends; whether it began at the whole mean of a batch.
    pub(crate) fn end_backward(&mut self, is_whole_mean: bool) {
        if is_whole_mean && self.backward.adds {
            self.at(self.backward.line, |it| it.undivided += 1);
        }
    }

    /// A step uses a gradient that was added to one which the step before had used.
    pub(crate) fn use_uncleared(&mut self) {
        if !std::mem::replace(&mut self.backward.is_uncleared, true) {
            self.at(self.backward.line, |it| it.uncleared += 1);
        }
    }

    /// All of it.
    pub(crate) fn report(&self) -> ProgramFacts {
        let mut lines = self.lines.clone();
        for (line, passes) in graph_use::unused_passes() {
            if lines.len() <= line {
                lines.resize(line + 1, LineFacts::default());
            }
            if let Some(it) = lines.get_mut(line) {
                it.unused_passes = passes;
            }
        }
        let nothing = LineFacts::default();
        let graphs = if self.steps.count > 0 {
            self.by_step.report()
        } else {
            // Modules that a loop calls may be the layers of one pass, which a backward ends.
            let backward: u64 = lines.iter().map(|it| it.backward).sum();
            let is_of_passes = |it: &GraphGrowth| backward == 0 || 2 * backward >= it.counts;
            self.by_module.report().filter(is_of_passes)
        };
        let lines = (0..).zip(lines).filter(|(_, it)| *it != nothing);
        ProgramFacts {
            steps: self.steps,
            lines: lines.map(|(line, it)| LineFacts { line, ..it }).collect(),
            copies: self.copies.values().copied().collect(),
            clocks: self.clocks.report(),
            graphs,
        }
    }
}
