//! The outcome of a run whose worker has exited.
//!
//! A program that asks for more memory than a program may use aborts its worker, in the allocator. That is the
//! program's mistake and becomes a `MemoryError`; any other exit is an internal error.

use super::process::WorkerExit;
use crate::units;
use warpup_protocol::{Outcome, UncaughtException};

/// The message of the Rust runtime when an allocation fails, before and after the number of bytes.
const REFUSED: (&str, &str) = ("memory allocation of ", " bytes failed");

/// The message of the Rust runtime when a thread's stack is full: a program as text that is nested very deeply, for Python's
/// own recursion has a limit.
const TOO_DEEP: &str = "has overflowed its stack";

/// How a worker ends that has computed for longer than its run may: the system saw it, since the app was stopped.
const OUT_OF_TIME: &str = "signal 24 (SIGXCPU)";

impl WorkerExit {
    /// The outcome of the run that the worker was on, which could use this much memory.
    pub(super) fn outcome(&self, host_bytes: u64) -> Outcome {
        match self.refused_bytes() {
            Some(bytes) => Outcome::Raised(out_of_memory(bytes, host_bytes)),
            None if self.stderr.contains(TOO_DEEP) => Outcome::Raised(too_deep()),
            None if self.how.contains(OUT_OF_TIME) => Outcome::TimedOut,
            None => Outcome::Broken {
                what: self.message(),
            },
        }
    }

    fn refused_bytes(&self) -> Option<u64> {
        let (before, after) = REFUSED;
        self.stderr.lines().find_map(|line| {
            let number = line.strip_prefix(before)?.split_once(after)?.0;
            number.parse().ok()
        })
    }

    fn message(&self) -> String {
        // Rust's advice to its own developers does not help here.
        let lines = self.stderr.trim().lines();
        let last: Vec<&str> = lines
            .filter(|it| !it.starts_with("note: run with `RUST_BACKTRACE"))
            .collect();
        let quoted = if last.is_empty() {
            String::new()
        } else {
            format!("; it said: {}", last.join("\n"))
        };
        format!("the lab worker {}{quoted}", self.how)
    }
}

fn too_deep() -> UncaughtException {
    let message = "the program is nested too deeply for the interpreter";
    raised("RecursionError", message.to_owned())
}

fn out_of_memory(bytes: u64, host_bytes: u64) -> UncaughtException {
    let message = format!(
        "the program asked for {} more of host memory; a program may use {} in all",
        units::bytes(bytes),
        units::bytes(host_bytes)
    );
    raised("MemoryError", message)
}

/// An exception of a program whose line is not known.
fn raised(kind: &str, message: String) -> UncaughtException {
    UncaughtException {
        kind: kind.to_owned(),
        traceback: format!("{kind}: {message}\n"),
        message,
        line: 0,
        in_check: false,
        status: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome_of(stderr: &str) -> Outcome {
        let how = "was stopped by signal 6 (SIGABRT)".to_owned();
        let stderr = stderr.to_owned();
        WorkerExit { how, stderr }.outcome(12 << 30)
    }

    #[test]
    fn a_refused_allocation_is_the_mistake_of_the_program() {
        let Outcome::Raised(raised) = outcome_of("memory allocation of 8589934592 bytes failed\n")
        else {
            unreachable!("an exception was expected");
        };
        assert_eq!((raised.kind.as_str(), raised.line), ("MemoryError", 0));
        assert_eq!(
            raised.message,
            "the program asked for 8.00 GiB more of host memory; a program may use 12.0 GiB in all"
        );
    }

    #[test]
    fn a_full_stack_is_the_mistake_of_the_program() {
        let stderr = "\nthread 'interpreter' (7) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
        let Outcome::Raised(raised) = outcome_of(stderr) else {
            unreachable!("an exception was expected");
        };
        assert_eq!(
            raised.traceback,
            "RecursionError: the program is nested too deeply for the interpreter\n"
        );
    }

    #[test]
    fn any_other_exit_is_an_internal_error() {
        assert_eq!(
            outcome_of("something odd"),
            Outcome::Broken {
                what: "the lab worker was stopped by signal 6 (SIGABRT); it said: something odd"
                    .to_owned()
            }
        );
    }
}
