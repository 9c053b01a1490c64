//! The outcome of a run whose worker has exited.
//!
//! A program that asks for more memory than a program may use aborts its worker, in the allocator. That is the
//! program's mistake and becomes a `MemoryError`; any other exit is an internal error.

use super::process::WorkerExit;
use crate::lab::units;
use crate::protocol::{HOST_MEMORY, Outcome, Raised};

/// The message of the Rust runtime when an allocation fails, before and after the number of bytes.
const REFUSED: (&str, &str) = ("memory allocation of ", " bytes failed");

impl WorkerExit {
    /// The outcome of the run that the worker was on.
    pub(super) fn outcome(&self) -> Outcome {
        match self.refused_bytes() {
            Some(bytes) => Outcome::Raised(out_of_memory(bytes)),
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

fn out_of_memory(bytes: u64) -> Raised {
    let kind = "MemoryError".to_owned();
    let message = format!(
        "the program asked for {} more of host memory; a program may use {} in all",
        units::bytes(bytes),
        units::bytes(HOST_MEMORY)
    );
    let traceback = format!("{kind}: {message}\n");
    Raised {
        kind,
        message,
        line: 0,
        traceback,
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
        WorkerExit { how, stderr }.outcome()
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
