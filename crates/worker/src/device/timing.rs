//! When an operation ran, on the host and on the device. All times are nanoseconds since the run began.

use super::work::Work;

/// From one time to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
}

impl Interval {
    pub(crate) fn ns(self) -> u64 {
        self.end_ns.saturating_sub(self.start_ns)
    }
}

/// When the host and the device worked on an operation or a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// The library that it started before, on a modelled card.
    pub(crate) library: Option<LibraryStart>,
    /// The host queueing or computing.
    pub(crate) host: Interval,
    /// The host waiting afterwards, until a copy that blocks was done.
    pub(crate) waited: Option<Interval>,
    pub(crate) device: DeviceTime,
}

impl Timing {
    /// Work that the host did itself, from `start` until now.
    pub(super) fn on_host(start: OpStart, now: u64) -> Self {
        Self {
            library: None,
            host: start.until(now),
            waited: None,
            device: DeviceTime::OnHost,
        }
    }
}

/// When the device worked on an operation or a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceTime {
    /// The host did the work itself.
    OnHost,
    /// The interval is known already.
    Known(Interval),
    /// The work is queued; [`RealCard::completion`](super::interface::RealCard::completion) returns its interval later.
    Pending(WorkId),
    /// Nothing is queued now: it belongs to a CUDA graph, which launches it.
    InGraph(Work),
}

/// The number of queued work whose interval is not known yet; later work has larger numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WorkId(pub(crate) u64);

/// What is known of queued work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    /// It is not done, or nothing has said so yet.
    NotYet,
    /// It is done.
    Done(DeviceWork),
    /// It is done, and when it ran is lost.
    Lost,
}

/// What the device did for an operation or a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeviceWork {
    /// When; `None` if it had nothing to do.
    pub(crate) when: Option<Interval>,
    /// Copies between host and card, where they are known.
    pub(crate) copies: CopyCounts,
}

/// Copies between host and card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CopyCounts {
    pub(crate) to_device: CopyCount,
    pub(crate) to_host: CopyCount,
}

/// Copies in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CopyCount {
    pub(crate) times: u64,
    pub(crate) bytes: u64,
}

/// The start of an operation on the host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpStart {
    pub(crate) at_ns: u64,
    /// What it took just before to record the start, which is no time of the program.
    pub(crate) recording_ns: u64,
    /// The cost of creating the CUDA context, if this operation was the first on the card.
    pub(crate) context_creation: Option<ContextCreation>,
}

impl OpStart {
    /// The host's time from the start until now.
    pub(crate) fn until(self, now: u64) -> Interval {
        Interval {
            start_ns: self.at_ns,
            end_ns: now,
        }
    }
}

/// A library of NVIDIA's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    Cublas,
    Cudnn,
}

/// When the host started a library, before its first kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LibraryStart {
    pub(crate) library: Library,
    pub(crate) when: Interval,
}

/// When the CUDA context was created (PyTorch's lazy initialisation of CUDA).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContextCreation {
    /// Just now, while the host waited.
    Now(Interval),
    /// Before the program's clock started.
    BeforeStart(Preparation),
}

/// What it took to make a card ready, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preparation {
    /// The context, with the handle of cuBLAS.
    pub(crate) context: u64,
    /// To load the kernels.
    pub(crate) kernels: u64,
    /// The first product, with which cuBLAS loads its own.
    pub(crate) cublas: u64,
}

impl Preparation {
    /// All of it.
    pub(crate) fn ns(self) -> u64 {
        let parts = [self.context, self.kernels, self.cublas];
        parts.into_iter().fold(0, u64::saturating_add)
    }
}
