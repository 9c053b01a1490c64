//! What a worker has got of the machine: its CPU time, and whether it waits for more.
//!
//! Linux only; elsewhere nothing is known. A worker on another machine is seen as the launcher that waits for it.

use rustix::process::Pid;
use std::fs;
use std::time::Duration;

/// The unit of the times in `/proc/PID/stat`; the kernel shows programs 100 a second on every architecture that Rust
/// has a standard library for.
const TICK: Duration = Duration::from_millis(10);

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
        let all = Stat::parse(&fs::read_to_string(format!("{folder}/stat")).ok()?)?;
        let threads = fs::read_dir(format!("{folder}/task")).ok()?;
        let stats = threads.filter_map(|it| fs::read_to_string(it.ok()?.path().join("stat")).ok());
        let is_busy = stats.filter_map(|it| Stat::parse(&it)).any(|it| it.is_busy);
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

/// A line of `/proc/PID/stat`: see `man proc_pid_stat`.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    is_busy: bool,
    cpu: Duration,
}

impl Stat {
    fn parse(line: &str) -> Option<Self> {
        // The name of the program, in brackets, may have spaces and brackets of its own.
        let (_, line) = line.rsplit_once(')')?;
        let mut fields = line.split_ascii_whitespace();
        let is_busy = !matches!(fields.next()?, "S" | "I" | "Z" | "X");
        // utime and stime are fields 14 and 15; the state was the third.
        let mut times = fields.skip(10).map_while(|it| it.parse::<u32>().ok());
        let ticks = times.next()?.saturating_add(times.next()?);
        Some(Self {
            is_busy,
            cpu: TICK.saturating_mul(ticks),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_kernel_is_read_whatever_the_program_is_called() {
        let line = |name: &str, state: &str| {
            format!(
                "7 ({name}) {state} 1 7 7 0 -1 4194304 97 0 0 0 250 41 3 4 20 0 1 0 1701566 31\n"
            )
        };
        let read = |name, state| Stat::parse(&line(name, state)).unwrap();
        for name in ["warpup", "a b", "x) R ("] {
            let cpu = Duration::from_millis(2910);
            let is_busy = false;
            assert_eq!(read(name, "S"), Stat { is_busy, cpu });
        }
        let busy = ["R", "D", "T", "t"].map(|it| read("w", it).is_busy);
        assert_eq!(busy, [true; 4]);
        assert_eq!(Stat::parse("7 (warpup) S 1 7"), None);
    }

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
