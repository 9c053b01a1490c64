//! Runs programs side by side, each in a worker of its own, and gives their runs in the order in which they were asked for.

use super::failure::Result;
use super::runner::Runner;
use super::workers;
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use warpup_lab::run::Run;
use warpup_protocol::{Report, RunRequest};

/// Programs that run at a time at most: each may use the memory of a lab.
const MOST: usize = 8;

/// Takes a run, with the number of its request from 0.
pub(super) type RunTaker<'a> = dyn FnMut(usize, Run) -> Result<()> + 'a;

/// Something that runs programs to their ends, and gives their runs in the order of the requests.
pub(super) type RunAll<'a> = dyn FnMut(Vec<RunRequest>, &mut RunTaker<'_>) -> Result<()> + 'a;

/// As many runners as this machine has cores, for programs that need no real card.
pub(super) struct Runners(Vec<Runner>);

impl Runners {
    /// Starts the engines; a worker starts with its first program.
    pub(super) fn start() -> io::Result<Self> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Runner::start_several(cores.min(MOST), &workers::without_cards()).map(Self)
    }

    /// Runs all programs. After a failure of `take`, no other one begins.
    pub(super) fn run(&mut self, requests: Vec<RunRequest>, take: &mut RunTaker<'_>) -> Result<()> {
        let waiting = Mutex::new(requests.into_iter().enumerate());
        let next = || {
            waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next()
        };
        thread::scope(|scope| {
            let (sender, ended) = sync_channel(self.0.len());
            for runner in &mut self.0 {
                let (sender, next) = (sender.clone(), &next);
                let work = move || {
                    while let Some((number, request)) = next() {
                        // Sending fails only after a failure of `take`.
                        if sender.send((number, runner.run(request))).is_err() {
                            break;
                        }
                    }
                };
                let thread = thread::Builder::new().name("runs".to_owned());
                thread.spawn_scoped(scope, work)?;
            }
            drop(sender);
            in_order(ended, take)
        })
    }
}

/// Runs one program.
pub(super) fn one(request: RunRequest, run_all: &mut RunAll<'_>) -> Run {
    let mut run = Run::new(request.run);
    let mut take = |_, ended| {
        run = ended;
        Ok(())
    };
    if run_all(vec![request], &mut take).is_err() {
        run.report = Some(Report::broken("no program can be run"));
    }
    run
}

/// Passes numbered runs on in the order of their numbers.
fn in_order(ended: impl IntoIterator<Item = (usize, Run)>, take: &mut RunTaker<'_>) -> Result<()> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, run) in ended {
        early.insert(number, run);
        while let Some(run) = early.remove(&next) {
            take(next, run)?;
            next += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::failure::Failure;
    use warpup_protocol::RunId;

    fn ended(numbers: [usize; 4]) -> impl Iterator<Item = (usize, Run)> {
        let run = |it| (it, Run::new(RunId(it as u64)));
        numbers.into_iter().map(run)
    }

    #[test]
    fn runs_come_in_the_order_of_their_requests() {
        let mut taken = Vec::new();
        let mut take = |number, run: Run| {
            taken.push((number, run.id.0));
            Ok(())
        };
        in_order(ended([2, 0, 3, 1]), &mut take).unwrap();
        assert_eq!(taken, [(0, 0), (1, 1), (2, 2), (3, 3)]);
    }

    #[test]
    fn a_failure_of_the_taker_ends_it() {
        let mut taken = 0;
        let mut take = |_, _| {
            taken += 1;
            Err(Failure::arguments("nobody listens"))
        };
        assert!(in_order(ended([0, 1, 2, 3]), &mut take).is_err());
        assert_eq!(taken, 1);
    }
}
