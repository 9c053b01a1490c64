//! The CPU time of this process.

use std::fs;
use std::time::Duration;

/// The unit of the times in `/proc/self/stat`, on every architecture that Rust has a standard library for.
const TICK: Duration = Duration::from_millis(10);

/// The CPU time of all threads of this process so far; `None` where the system has no `/proc`.
pub(super) fn cpu_time() -> Option<Duration> {
    parse(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// The sum of `utime` and `stime`, the fields 14 and 15 of `man proc_pid_stat`.
fn parse(stat: &str) -> Option<Duration> {
    // The name of the program, field 2, may hold spaces and parentheses.
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks = rest.split_whitespace().skip(11).take(2);
    let ticks: Vec<u32> = ticks.map(str::parse).collect::<Result<_, _>>().ok()?;
    match ticks[..] {
        [user, system] => Some(TICK.saturating_mul(user.saturating_add(system))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_programs_own_and_the_systems_for_it() {
        let stat = "42 (a) b) R 1 42 42 0 -1 4194560 2034 0 0 0 153 27 0 0 20 0 3 0 1 9 0";
        assert_eq!(parse(stat), Some(Duration::from_millis(1_800)));
        assert_eq!(parse("42 (a) R 1"), None);
        assert_eq!(parse(""), None);
    }
}
