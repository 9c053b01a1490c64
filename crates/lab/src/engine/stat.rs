//! A line of `/proc/PID/stat`: see `man proc_pid_stat`. Linux only.

use std::time::Duration;

/// The unit of the times; the kernel shows programs 100 a second on every architecture that Rust has a standard library
/// for.
const TICK: Duration = Duration::from_millis(10);

/// What the line says about a process, or about one of its threads.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stat {
    /// Its state, such as `R`, `S` or `Z`.
    pub(super) state: char,
    /// Its parent; 0 where that is outside of the container.
    pub(super) parent: i32,
    /// The CPU time since its start.
    pub(super) cpu: Duration,
}

impl Stat {
    /// The line of a process.
    pub(super) fn of(pid: i32) -> Option<Self> {
        Self::parse(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    pub(super) fn parse(line: &str) -> Option<Self> {
        // The name of the program, in brackets, may have spaces and brackets of its own.
        let (_, line) = line.rsplit_once(')')?;
        let mut fields = line.split_ascii_whitespace();
        let state = fields.next()?.chars().next()?;
        let parent = fields.next()?.parse().ok()?;
        // utime and stime are fields 14 and 15; the parent was the fourth.
        let mut times = fields.skip(9).map_while(|it| it.parse::<u32>().ok());
        let ticks = times.next()?.saturating_add(times.next()?);
        let cpu = TICK.saturating_mul(ticks);
        Some(Self { state, parent, cpu })
    }

    /// Whether it computes, or would if it were its turn: it waits for the CPU, for a page from the disk, or was stopped.
    pub(super) fn is_busy(&self) -> bool {
        !matches!(self.state, 'S' | 'I' | 'Z' | 'X')
    }

    /// Whether it has ended and waits for somebody to see that.
    pub(super) fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_kernel_is_read_whatever_the_program_is_called() {
        let line = |name: &str, state: &str| {
            format!(
                "7 ({name}) {state} 12 7 7 0 -1 4194304 97 0 0 0 250 41 3 4 20 0 1 0 1701566 31\n"
            )
        };
        let read = |name, state| Stat::parse(&line(name, state)).unwrap();
        for name in ["warpup", "a b", "x) R ( 4"] {
            let expected = Stat {
                state: 'S',
                parent: 12,
                cpu: Duration::from_millis(2910),
            };
            assert_eq!(read(name, "S"), expected);
        }
        let busy = ["R", "D", "T", "t", "S", "I", "Z"].map(|it| read("w", it).is_busy());
        assert_eq!(busy, [true, true, true, true, false, false, false]);
        assert_eq!(
            ["S", "Z"].map(|it| read("w", it).has_ended()),
            [false, true]
        );
        for line in ["7 (warpup) S 1 7", "7 (x)", ""] {
            assert_eq!(Stat::parse(line), None, "{line}");
        }
    }
}
