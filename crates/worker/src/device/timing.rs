//! When an operation ran, on the host and on the device. All times are nanoseconds since the run began.

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
}

/// The number of queued work whose interval is not known yet; later work has larger numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WorkId(pub(crate) u64);

/// The start of an operation on the host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpStart {
    pub(crate) at_ns: u64,
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

/// When the CUDA context was created (PyTorch's lazy initialisation of CUDA).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContextCreation {
    /// Just now, while the host waited.
    Now(Interval),
    /// Before the program's clock started; it took this many nanoseconds.
    BeforeStart(u64),
}
