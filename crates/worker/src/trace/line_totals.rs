//! The time of each line of the program, on the host and on the device.

use warpup_protocol::LineTime;

/// Lines beyond this share one total; no lab is that long.
const MAX_LINES: usize = 10_000;

/// Whether the run has a device with a clock of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clocks {
    /// A card runs beside the host.
    HostAndDevice,
    /// The CPU computes, and its time is the host's.
    HostOnly,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineTotal {
    pub(super) hits: u64,
    /// Host time, waits included.
    pub(super) host_ns: u64,
    /// Host time in which it waited for the device, or for a loader.
    pub(super) wait_ns: u64,
    /// Host time in which another program had the core.
    pub(super) interrupted_ns: u64,
    /// Time on the lanes of loaders.
    pub(super) worker_ns: u64,
    /// Device time of the work that it queued.
    pub(super) device_ns: u64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LineTotals(Vec<LineTotal>);

impl LineTotals {
    pub(super) fn of(&mut self, line: u32) -> Option<&mut LineTotal> {
        let at = (line as usize).min(MAX_LINES);
        if self.0.len() <= at {
            self.0.resize(at + 1, LineTotal::default());
        }
        self.0.get_mut(at)
    }

    /// How often a line was reached.
    pub(super) fn hits(&self, line: u32) -> u64 {
        let at = (line as usize).min(MAX_LINES);
        self.0.get(at).map_or(0, |it| it.hits)
    }

    /// Adds what `now` has more than `before`.
    pub(super) fn add(&mut self, now: &Self, before: &Self) {
        for (line, now) in (0..).zip(&now.0) {
            let before = before.0.get(line as usize).copied().unwrap_or_default();
            let Some(sum) = self.of(line) else {
                continue;
            };
            sum.hits += now.hits - before.hits;
            sum.host_ns += now.host_ns - before.host_ns;
            sum.wait_ns += now.wait_ns - before.wait_ns;
            sum.interrupted_ns += now.interrupted_ns - before.interrupted_ns;
            sum.worker_ns += now.worker_ns - before.worker_ns;
            sum.device_ns += now.device_ns - before.device_ns;
        }
    }

    /// The line, but for this one, that took the workers of loaders longest; 0 if there is none.
    pub(super) fn slowest_in_workers(&self, but_for: u32) -> u32 {
        let lines = (0..).zip(&self.0);
        let lines = lines.filter(|(line, it)| *line != but_for && it.worker_ns > 0);
        lines
            .max_by_key(|(_, it)| it.worker_ns)
            .map_or(0, |it| it.0)
    }

    /// The lines that were reached, for the report. A profile can begin in the middle of a line.
    pub(super) fn reached(&self, clocks: Clocks) -> Vec<LineTime> {
        let lines = self.0.iter().enumerate().skip(1);
        let is_reached =
            |it: &LineTotal| it.hits > 0 || it.host_ns > 0 || it.worker_ns > 0 || it.device_ns > 0;
        let reached = lines.filter(|(_, it)| is_reached(it));
        reached
            .map(|(line, it)| LineTime {
                line: u32::try_from(line).unwrap_or(u32::MAX),
                hits: it.hits,
                host_ns: it.host_ns,
                wait_ns: it.wait_ns,
                interrupted_ns: it.interrupted_ns,
                worker_ns: it.worker_ns,
                device_ns: match clocks {
                    Clocks::HostAndDevice => Some(it.device_ns),
                    Clocks::HostOnly => None,
                },
            })
            .collect()
    }
}
