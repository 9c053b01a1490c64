//! Limits on what the process may use, which every Unix has.

use crate::protocol::HOST_MEMORY;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The most open files; a worker has its three pipes and the protocol's.
const OPEN_FILES: u64 = 16;

/// Lowers the limits of the worker for the CPU and modelled cards for good: not even the process itself can raise them
/// again, unless it is root's.
///
/// A limit that cannot be set is no reason not to run: the app enforces its limits, too.
pub(super) fn lower() {
    no_core_dump();
    lower_one(Resource::As, HOST_MEMORY);
    lower_one(Resource::Fsize, 0);
    lower_one(Resource::Nofile, OPEN_FILES);
}

/// Keeps a crash from writing the process's memory to a file.
pub(super) fn no_core_dump() {
    lower_one(Resource::Core, 0);
}

fn lower_one(resource: Resource, wanted: u64) {
    let most = getrlimit(resource).maximum;
    let limit = Some(most.map_or(wanted, |most| most.min(wanted)));
    let lowered = Rlimit {
        current: limit,
        maximum: limit,
    };
    let _ = setrlimit(resource, lowered);
}
