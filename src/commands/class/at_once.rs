//! Work on several files at once. The results are in the order of the files, so that a report is the same each time.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// More threads than this wait for the disk, and each holds a file with all that is made of it.
const MOST_THREADS: usize = 4;

/// Does the work for each item, on as many threads as there are cores. Gives the results in the order of the items.
pub(super) fn at_once<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = threads.min(MOST_THREADS).min(items.len());
    let queue = Mutex::new(items.into_iter().enumerate());
    let results = Mutex::new(BTreeMap::new());
    let work_off = &|| {
        loop {
            let next = open(&queue).next();
            let Some((at, item)) = next else {
                break;
            };
            let result = work(item);
            open(&results).insert(at, result);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let thread = thread::Builder::new().name("reads files".to_owned());
            // Without another thread, this one does all of it.
            drop(thread.spawn_scoped(scope, work_off));
        }
        work_off();
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_values().collect()
}

/// A thread that panics ends the whole scope, so nothing half done is seen here.
fn open<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let squares = at_once((0..1000_u64).collect(), |it| it * it);
        assert_eq!(squares, (0..1000).map(|it| it * it).collect::<Vec<_>>());
        assert_eq!(at_once(Vec::<u8>::new(), |it| it), Vec::<u8>::new());
    }
}
