//! What the end of a worker says about the program that it ran.
//!
//! A program that asks for more memory than a lab may use takes its worker along: the allocator aborts.
//! That is a mistake of the program, and told as one; whatever else ends a worker is a fault of ours.

use super::process::Gone;
use crate::lab::units;
use crate::protocol::{HOST_MEMORY, Outcome, Raised};

/// What the Rust runtime says when an allocation fails, before and after the number of bytes.
const REFUSED: (&str, &str) = ("memory allocation of ", " bytes failed");

impl Gone {
    /// How a run ends whose worker has ended.
    pub(super) fn outcome(&self) -> Outcome {
        match self.refused_bytes() {
            Some(bytes) => Outcome::Raised(out_of_memory(bytes)),
            None => Outcome::Broken { what: self.told() },
        }
    }

    fn refused_bytes(&self) -> Option<u64> {
        let (before, after) = REFUSED;
        self.last_words.lines().find_map(|line| {
            let number = line.strip_prefix(before)?.split_once(after)?.0;
            number.parse().ok()
        })
    }

    fn told(&self) -> String {
        // Advice of Rust's for its own people.
        let lines = self.last_words.trim().lines();
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
        "the program asked for {} more of host memory; a lab may use {} in all",
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gone(last_words: &str) -> Outcome {
        let how = "was stopped by signal 6 (SIGABRT)".to_owned();
        let last_words = last_words.to_owned();
        Gone { how, last_words }.outcome()
    }

    #[test]
    fn a_refused_allocation_is_the_mistake_of_the_program() {
        let Outcome::Raised(raised) = gone("memory allocation of 8589934592 bytes failed\n") else {
            unreachable!("an exception was expected");
        };
        assert_eq!((raised.kind.as_str(), raised.line), ("MemoryError", 0));
        assert_eq!(
            raised.message,
            "the program asked for 8.00 GiB more of host memory; a lab may use 12.0 GiB in all"
        );
    }

    #[test]
    fn any_other_end_is_a_fault_of_ours() {
        assert_eq!(
            gone("something odd"),
            Outcome::Broken {
                what: "the lab worker was stopped by signal 6 (SIGABRT); it said: something odd"
                    .to_owned()
            }
        );
    }
}
