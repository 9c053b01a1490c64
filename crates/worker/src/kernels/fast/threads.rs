//! The threads that share large operations.

use rayon::{ThreadPoolBuilder, Yield};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a thread stays awake after its last work: longer than Python takes from one operation to the next.
const LINGER: Duration = Duration::from_micros(100);

/// The most threads that stay awake. On a machine with more, few operations of a lab are worth all of them.
const MOST_AWAKE: usize = 3;

/// How often a thread looks for work before it lets other programs have the processor.
const LOOKS: usize = 32;

/// Threads that stay awake, or are asked to.
static AWAKE: AtomicUsize = AtomicUsize::new(0);

/// Makes the calling thread one of those that share large operations, all of whose results it waits for.
///
/// As an outsider it would sleep during each of them, and waking two threads takes longer than most operations. The
/// first call counts; without any, `rayon` starts its threads when they are first needed.
pub(crate) fn take_part() {
    // An error says that there are threads already.
    drop(ThreadPoolBuilder::new().use_current_thread().build_global());
}

/// Keeps other threads awake for a moment, since the next large operation is near.
///
/// `rayon` lets them sleep as soon as they find nothing to do. To wake one takes longer than its half of most
/// operations, and a training step has many. PyTorch's threads wait in the same way.
pub(crate) fn stay_awake() {
    let others = rayon::current_num_threads().saturating_sub(1);
    while AWAKE.load(Ordering::Relaxed) < others.min(MOST_AWAKE) {
        AWAKE.fetch_add(1, Ordering::Relaxed);
        rayon::spawn(|| {
            wait_for_work();
            AWAKE.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Does what work there is until there has been none for a while.
fn wait_for_work() {
    if rayon::current_thread_index() == Some(0) {
        // The thread of the interpreter, which has its own work.
        return;
    }
    let mut last = Instant::now();
    let mut looks = 0;
    while let Some(found) = rayon::yield_now() {
        match found {
            Yield::Executed => last = Instant::now(),
            Yield::Idle if looks < LOOKS => std::hint::spin_loop(),
            Yield::Idle if last.elapsed() < LINGER => {
                std::thread::yield_now();
                looks = 0;
            }
            Yield::Idle => return,
        }
        looks += 1;
    }
}
