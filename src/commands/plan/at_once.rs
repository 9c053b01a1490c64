//! Plans at the same time: a program on each card is a run of its own, in a worker of its own.

use crate::commands::runner::Runner;
use crate::commands::workers;
use std::sync::{Mutex, PoisonError};
use std::thread;
use warpup_lab::run::Run;
use warpup_protocol::{Report, RunRequest};

/// Something that runs programs to their end, and returns the runs in the order of the requests.
pub(in crate::commands) type RunAll<'a> = dyn FnMut(Vec<RunRequest>) -> Vec<Run> + 'a;

/// Runs programs, as many at a time as this machine has cores.
pub(in crate::commands) fn run(requests: Vec<RunRequest>) -> Vec<Run> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(requests.len());
    let waiting = Mutex::new(requests.into_iter().enumerate());
    let done = Mutex::new(Vec::new());
    let work = || {
        let runner = Runner::start(workers::without_cards());
        loop {
            let next = waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next();
            let Some((at, request)) = next else {
                return;
            };
            let run = match &runner {
                Ok(runner) => runner.run(request),
                Err(error) => Run {
                    report: Some(Report::broken(error.to_string())),
                    ..Run::new(request.run)
                },
            };
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((at, run));
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, run)| run).collect()
}
