//! The metrics that every run has, which a prediction may ask for without a program that gives them.

/// A metric that is measured or modelled by warpup itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMetric {
    /// Time on the host, in milliseconds.
    HostMs,
    /// Time on the device, in milliseconds; a CPU has none.
    DeviceMs,
    /// The most that tensors held at once, in MiB.
    PeakMib,
}

impl RunMetric {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::HostMs, Self::DeviceMs, Self::PeakMib];

    /// The name that a question uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::HostMs => "host_ms",
            Self::DeviceMs => "device_ms",
            Self::PeakMib => "peak_mib",
        }
    }

    /// The unit of its value.
    pub fn unit(self) -> &'static str {
        match self {
            Self::HostMs | Self::DeviceMs => "ms",
            Self::PeakMib => "MiB",
        }
    }

    /// The metric of this name; nothing for a name that only a program can give.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}
