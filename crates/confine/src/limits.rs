//! Limits on what the process may use, which every Unix has.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use warpup_protocol::{HOST_MEMORY, Limits};

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

/// The memory of a worker besides its program's, in bytes: the interpreter's stack of 256 MiB, which is seldom touched,
/// the interpreter itself, and what earlier runs have left with the allocator.
const OWN_MEMORY: u64 = 640 << 20;

/// CPU seconds after its limit in which the app stops a run. Later it cannot, because it was stopped itself (Ctrl-Z).
const GRACE: u64 = 10;

/// Sets the limits of a run, which a program cannot raise. The system refuses memory beyond, and ends the process when
/// it has computed for too long.
pub(super) fn set_for_run(limits: &Limits) {
    let asked = Some(limits.host_bytes).filter(|it| *it > 0);
    let memory = asked.map(|it| it.saturating_add(OWN_MEMORY));
    set_soft(Resource::Data, memory);
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let used = u64::try_from(used.tv_sec).unwrap_or(0);
    set_soft(
        Resource::Cpu,
        Some(used + limits.time_ms.div_ceil(1_000) + GRACE),
    );
}

/// Sets what holds now, up to what holds for good.
fn set_soft(resource: Resource, wanted: Option<u64>) {
    let maximum = getrlimit(resource).maximum;
    let current = match (wanted, maximum) {
        (Some(wanted), Some(most)) => Some(wanted.min(most)),
        (one, other) => one.or(other),
    };
    let _ = setrlimit(resource, Rlimit { current, maximum });
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
