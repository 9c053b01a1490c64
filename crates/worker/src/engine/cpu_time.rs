//! The CPU time of this process.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The CPU time of all threads of this process so far. A clock, since a worker cannot read `/proc`.
pub(super) fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_with_the_work_of_the_process() {
        let before = cpu_time();
        let mut sum = 0_u64;
        while cpu_time().saturating_sub(before) < Duration::from_millis(1) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }
}
