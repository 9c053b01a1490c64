//! What a worker has got of the machine: its CPU time, and whether it waits for more.
//!
//! Linux only; elsewhere nothing is known. A worker on another machine is seen as the launcher that waits for it.

use super::stat::Stat;
use rustix::process::Pid;
use std::fs;
use std::time::Duration;

/// The use of the CPU by a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Usage {
    /// The CPU time of all its threads, since its start.
    pub(super) cpu: Duration,
    /// What its threads do.
    pub(super) state: State,
}

/// What the threads of a process do right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// One computes, or would if it were its turn: it waits for the CPU, for a page from the disk, or was stopped.
    Busy,
    /// All wait for something else, such as the end of a sleep or the work of a card.
    Asleep,
}

impl Usage {
    /// The usage of a process so far.
    pub(super) fn of(process: Pid) -> Option<Self> {
        let folder = format!("/proc/{}", process.as_raw_nonzero());
        let all = Stat::of(process.as_raw_nonzero().get())?;
        let threads = fs::read_dir(format!("{folder}/task")).ok()?;
        let stats = threads.filter_map(|it| fs::read_to_string(it.ok()?.path().join("stat")).ok());
        let is_busy = stats
            .filter_map(|it| Stat::parse(&it))
            .any(|it| it.is_busy());
        Some(Self {
            cpu: all.cpu,
            state: if is_busy { State::Busy } else { State::Asleep },
        })
    }
}

/// The memory that a process holds, in bytes; `None` where the system does not say.
pub(super) fn resident_bytes(process: Pid) -> Option<u64> {
    let status = format!("/proc/{}/status", process.as_raw_nonzero());
    resident_in(&fs::read_to_string(status).ok()?)
}

/// The line `VmRSS:     51234 kB` of `/proc/PID/status`.
fn resident_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_process_is_read() {
        let status = "Name:\tVmRSS:\nVmHWM:\t  90 kB\nVmRSS:\t   51234 kB\nThreads:\t3\n";
        assert_eq!(resident_in(status), Some(51_234 << 10));
        assert_eq!(resident_in("Name:\twarpup\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_computes_is_busy() {
        let own = Usage::of(rustix::process::getpid()).unwrap();
        assert_eq!(own.state, State::Busy);
    }
}
