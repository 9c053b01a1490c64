//! The threads that share large operations.

use rayon::ThreadPoolBuilder;

/// Makes the calling thread one of those that share large operations, all of whose results it waits for.
///
/// As an outsider it would sleep during each of them, and waking two threads takes longer than most operations. The
/// first call counts; without any, `rayon` starts its threads when they are first needed.
pub(crate) fn take_part() {
    // An error says that there are threads already.
    drop(ThreadPoolBuilder::new().use_current_thread().build_global());
}
