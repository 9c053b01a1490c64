//! What a plan says: does it fit, how long does it take, and what takes the time.
//!
//! Pure: read off the run of a program on a modelled card. Every number is modelled.

use super::run::Run;
use warpup_protocol::{Busy, Memory, Outcome, Overflow, UncaughtException, WorkspaceBound};

/// Whether a program gets through on a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// To its end, with so many bytes of the card to spare.
    Fits {
        /// Bytes.
        spare: u64,
    },
    /// To its end, if cuDNN takes algorithms that need less memory than the largest.
    FitsWithoutWorkspaces {
        /// The first allocation of a workspace that had no room.
        bound: WorkspaceBound,
        /// Bytes of the card to spare without it.
        spare: u64,
    },
    /// To its end, had the card more memory.
    TooLarge {
        /// The first allocation that the card could not give.
        first: Overflow,
        /// Bytes that the card would need, the context included.
        needed: u64,
    },
    /// By an exception, before its end: what follows is not planned.
    Stopped(UncaughtException),
    /// By something else, in words.
    NotPlanned(String),
}

/// What takes most of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The card's arithmetic.
    Compute,
    /// The bandwidth of the card's memory.
    Bandwidth,
    /// The shortest time that a kernel takes.
    Smallest,
    /// Copies between host and card.
    Copies,
    /// The host: the card waits for it.
    Host,
}

impl Limit {
    /// Its name in a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Compute => "arithmetic",
            Self::Bandwidth => "memory bandwidth",
            Self::Smallest => "tiny kernels",
            Self::Copies => "copies",
            Self::Host => "waiting for the host",
        }
    }

    /// What it means, and what helps.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Compute => {
                "the arithmetic units are busy; a lower precision, or fewer operations, would help"
            }
            Self::Bandwidth => {
                "kernels wait for the card's own memory; fewer passes over large tensors, or a smaller type, would help"
            }
            Self::Smallest => {
                "kernels are too small for the card; larger batches would cost little more"
            }
            Self::Copies => {
                "data crosses the link; fewer, larger copies from pinned memory would help"
            }
            Self::Host => {
                "the card has nothing to do while the host runs Python or waits; larger batches and fewer synchronizing calls would help"
            }
        }
    }
}

/// The time for each limit, in nanoseconds.
pub fn times(busy: &Busy) -> [(Limit, u64); 5] {
    [
        (Limit::Compute, busy.compute_ns),
        (Limit::Bandwidth, busy.bandwidth_ns),
        (Limit::Smallest, busy.smallest_ns),
        (Limit::Copies, busy.copy_ns),
        (Limit::Host, busy.idle_ns),
    ]
}

/// What takes most of the time since the card's first work, and its share in percent; nothing if the
/// card was not used.
pub fn dominant(busy: &Busy) -> Option<(Limit, u64)> {
    let times = times(busy);
    let all: u64 = times.iter().map(|(_, ns)| ns).sum();
    let (most, ns) = times.into_iter().max_by_key(|(_, ns)| *ns)?;
    Some((most, (ns * 100).checked_div(all)?))
}

/// From the program's start until host and card are done, in nanoseconds.
pub fn total_ns(run: &Run) -> u64 {
    let Some(report) = &run.report else { return 0 };
    report
        .host_ns
        .max(report.busy.as_ref().map_or(0, |it| it.done_ns))
}

/// Whether the first allocation that failed would have fitted, had the free memory been in one piece: PyTorch's
/// fragmentation.
pub fn is_fragmentation(first: &Overflow, memory: &Memory) -> bool {
    let needed = first.live.saturating_add(first.asked);
    needed.saturating_add(memory.workspace) <= memory.capacity
}

/// Whether the program gets through.
pub fn verdict(run: &Run) -> Verdict {
    let Some(report) = &run.report else {
        return Verdict::NotPlanned("it did not end".to_owned());
    };
    let why = match &report.outcome {
        Outcome::Done => match &report.memory {
            Some(memory) => return of_memory(memory),
            None => "the worker did not say what it held",
        },
        Outcome::Raised(raised) => return Verdict::Stopped(raised.clone()),
        Outcome::Broken { what } => what,
        Outcome::Unavailable(it) | Outcome::Busy(it) => &it.why,
        Outcome::TimedOut => "the plan itself took too long: does a loop end? Plan fewer steps",
        Outcome::TooMuchOutput => "it printed too much",
        Outcome::Cancelled => "it was stopped",
    };
    Verdict::NotPlanned(why.to_owned())
}

fn of_memory(memory: &Memory) -> Verdict {
    let needed = memory.peak_reserved + memory.workspace;
    let spare = memory.capacity.saturating_sub(needed);
    match (memory.overflow, memory.convolution_workspace) {
        (Some(first), _) => Verdict::TooLarge { first, needed },
        (None, Some(bound)) if !bound.fits => Verdict::FitsWithoutWorkspaces { bound, spare },
        (None, _) => Verdict::Fits { spare },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{Report, RunId};

    fn planned(outcome: Outcome, memory: Memory) -> Run {
        let mut run = Run::new(RunId(1));
        run.report = Some(Report {
            outcome,
            memory: Some(Box::new(memory)),
            ..Report::broken("")
        });
        run
    }

    #[test]
    fn what_the_card_has_left_counts_the_context() {
        let memory = Memory {
            peak_reserved: 700,
            workspace: 100,
            capacity: 1000,
            ..Memory::default()
        };
        let verdict = verdict(&planned(Outcome::Done, memory));
        assert_eq!(verdict, Verdict::Fits { spare: 200 });
    }

    #[test]
    fn a_workspace_without_room_is_told_and_is_no_reason_to_fail() {
        let bound = WorkspaceBound {
            line: 7,
            bytes: 500,
            held: 600,
            fits: false,
        };
        let memory = Memory {
            peak_reserved: 700,
            workspace: 100,
            capacity: 1000,
            convolution_workspace: Some(bound),
            ..Memory::default()
        };
        let fits = |fits| Memory {
            convolution_workspace: Some(WorkspaceBound { fits, ..bound }),
            ..memory.clone()
        };
        let told = |memory| verdict(&planned(Outcome::Done, memory));
        let without = Verdict::FitsWithoutWorkspaces { bound, spare: 200 };
        assert_eq!(told(fits(false)), without);
        assert_eq!(told(fits(true)), Verdict::Fits { spare: 200 });
    }

    #[test]
    fn what_is_too_large_names_the_first_line_that_asked_for_too_much() {
        let first = Overflow {
            line: 9,
            asked: 600,
            live: 700,
            in_pieces: 0,
        };
        let memory = Memory {
            peak_reserved: 2000,
            capacity: 1000,
            overflow: Some(first),
            ..Memory::default()
        };
        let needed = 2000;
        assert_eq!(
            verdict(&planned(Outcome::Done, memory)),
            Verdict::TooLarge { first, needed }
        );
    }

    #[test]
    fn memory_that_would_be_enough_in_one_piece_is_fragmentation() {
        let first = Overflow {
            line: 17,
            asked: 400,
            live: 500,
            in_pieces: 300,
        };
        let card = |capacity| Memory {
            capacity,
            workspace: 100,
            ..Memory::default()
        };
        assert!(is_fragmentation(&first, &card(1000)));
        assert!(!is_fragmentation(&first, &card(999)));
    }

    #[test]
    fn the_largest_share_of_the_time_dominates() {
        let busy = Busy {
            compute_ns: 60,
            bandwidth_ns: 20,
            idle_ns: 20,
            ..Busy::default()
        };
        assert_eq!(dominant(&busy), Some((Limit::Compute, 60)));
        assert_eq!(dominant(&Busy::default()), None);
    }
}
