//! How long a thread was ready to run and had no core: others had them.
//!
//! Linux counts it for each thread, in a file that a confined process can no longer open. Elsewhere nothing is counted, and a
//! thread that sleeps or waits for a device is not ready to run.

use std::fs::File;
use std::os::fd::{AsRawFd, RawFd};

/// Where a thread of Linux finds its own counts: time on a core, time ready to run without one, and turns. Other systems have no such
/// file.
const COUNTS: &str = "/proc/thread-self/schedstat";

/// What the system counts of the thread that opened it.
#[derive(Debug)]
pub(crate) struct RunDelay {
    file: File,
}

impl RunDelay {
    /// That of the thread that calls; `None` where the system counts nothing.
    pub(crate) fn of_this_thread() -> Option<Self> {
        let counts = Self {
            file: File::open(COUNTS).ok()?,
        };
        counts.ns().map(|_| counts)
    }

    /// Counts that a test has written.
    #[cfg(test)]
    pub(crate) fn in_file(file: File) -> Self {
        Self { file }
    }

    /// What stays open when the process is confined.
    pub(crate) fn descriptor(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// The thread's time without a core so far, in nanoseconds. Takes about a microsecond.
    pub(crate) fn ns(&self) -> Option<u64> {
        let mut counts = [0; 80];
        let length = rustix::io::pread(&self.file, &mut counts, 0).ok()?;
        let counts = str::from_utf8(counts.get(..length)?).ok()?;
        counts.split_ascii_whitespace().nth(1)?.parse().ok()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    #[test]
    fn it_grows_while_more_threads_want_to_run_than_there_are_cores() {
        let counts = RunDelay::of_this_thread().unwrap();
        let before = counts.ns().unwrap();
        let is_over = AtomicBool::new(false);
        let spin = || {
            while !is_over.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        };
        let cores = thread::available_parallelism().unwrap().get();
        thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(spin);
            }
            while counts.ns().unwrap() == before {
                std::hint::spin_loop();
            }
            is_over.store(true, Ordering::Relaxed);
        });
    }
}
