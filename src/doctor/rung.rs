//! A rung of the ladder: what it is called, what it stands on, and what can be said of it.

use super::state::State;
use serde::Serialize;

/// The rungs, from the card up; then what is around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RungId {
    /// A card of NVIDIA's.
    Card,
    /// The driver: its kernel module and NVML.
    Driver,
    /// The newest CUDA that the driver supports.
    DriverCuda,
    /// `libcuda.so.1`.
    Libcuda,
    /// warpup's worker for real cards.
    Worker,
    /// Cards in slices.
    Mig,
    /// The cards that CUDA shows, and `CUDA_VISIBLE_DEVICES`.
    Visible,
    /// Compute capability.
    Capability,
    /// A context.
    Context,
    /// One kernel.
    Kernel,
    /// One copy each way.
    Copies,
    /// The memory counters.
    Memory,
    /// Toolkits, cuDNN, NCCL.
    Toolkits,
    /// `CUDA_HOME`, `LD_LIBRARY_PATH`, `PATH`.
    Paths,
    /// Containers.
    Container,
    /// Linux inside Windows.
    Wsl,
    /// Whether the driver stays initialised.
    Persistence,
    /// Other programs on the card.
    Load,
}

impl RungId {
    /// All rungs in order.
    pub const ALL: [Self; 18] = [
        Self::Card,
        Self::Driver,
        Self::DriverCuda,
        Self::Libcuda,
        Self::Worker,
        Self::Mig,
        Self::Visible,
        Self::Capability,
        Self::Context,
        Self::Kernel,
        Self::Copies,
        Self::Memory,
        Self::Toolkits,
        Self::Paths,
        Self::Container,
        Self::Wsl,
        Self::Persistence,
        Self::Load,
    ];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Card => "an NVIDIA card",
            Self::Driver => "the driver",
            Self::DriverCuda => "the CUDA that the driver supports",
            Self::Libcuda => "libcuda, the driver's library",
            Self::Worker => "warpup's CUDA worker",
            Self::Visible => "the cards that CUDA shows",
            Self::Capability => "compute capability",
            Self::Context => "a context on the card",
            Self::Kernel => "one kernel",
            Self::Copies => "one copy each way",
            Self::Memory => "memory counters",
            Self::Toolkits => "toolkit, cuDNN, NCCL",
            Self::Paths => "CUDA_HOME, LD_LIBRARY_PATH, PATH",
            Self::Container => "container",
            Self::Wsl => "WSL",
            Self::Mig => "MIG",
            Self::Persistence => "persistence",
            Self::Load => "who else is on the card",
        }
    }

    /// The rungs that it stands on.
    pub(super) fn needs(self) -> &'static [Self] {
        match self {
            Self::Card | Self::Toolkits | Self::Paths | Self::Container | Self::Wsl => &[],
            Self::Driver => &[Self::Card],
            Self::DriverCuda | Self::Libcuda | Self::Mig | Self::Persistence | Self::Load => {
                &[Self::Driver]
            }
            Self::Worker => &[Self::DriverCuda, Self::Libcuda],
            Self::Visible => &[Self::Libcuda, Self::Mig],
            Self::Capability | Self::Context => &[Self::Worker, Self::Visible],
            Self::Kernel => &[Self::Context, Self::Capability],
            Self::Copies => &[Self::Kernel],
            Self::Memory => &[Self::Copies],
        }
    }

    /// Whether it is about the cards of this machine, and not about those that the worker sees.
    pub(super) fn is_of_this_machine(self) -> bool {
        match self {
            Self::Card
            | Self::Driver
            | Self::DriverCuda
            | Self::Libcuda
            | Self::Mig
            | Self::Persistence
            | Self::Load => true,
            Self::Worker
            | Self::Visible
            | Self::Capability
            | Self::Context
            | Self::Kernel
            | Self::Copies
            | Self::Memory
            | Self::Toolkits
            | Self::Paths
            | Self::Container
            | Self::Wsl => false,
        }
    }

    /// The lesson that teaches it, by its id. A course need not have it: whoever shows it looks.
    pub fn lesson(self) -> &'static str {
        match self {
            Self::Card
            | Self::Visible
            | Self::Mig
            | Self::Persistence
            | Self::Load
            | Self::Memory => "is-the-gpu-there",
            Self::Driver
            | Self::DriverCuda
            | Self::Libcuda
            | Self::Worker
            | Self::Capability
            | Self::Context
            | Self::Kernel
            | Self::Toolkits
            | Self::Paths
            | Self::Container
            | Self::Wsl => "the-stack-under-your-framework",
            Self::Copies => "where-a-tensor-lives",
        }
    }
}

/// A rung that was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rung {
    /// Which.
    pub id: RungId,
    /// What it is called.
    pub title: &'static str,
    /// How it stands.
    pub state: State,
    /// That in a sentence.
    pub says: String,
    /// What was looked at.
    pub looked_at: Vec<String>,
    /// What was found, word for word where somebody else said it.
    pub evidence: Vec<String>,
    /// What to try, the first thing first.
    pub try_next: Vec<String>,
}

impl Rung {
    /// Whether other rungs can stand on it. A card without slices is none the worse for it.
    pub(super) fn bears(&self) -> bool {
        self.state.bears() || (self.id == RungId::Mig && self.state != State::Broken)
    }

    /// Whether two rungs are not looked at for one reason, and can be told of together.
    pub fn shares_reason(&self, other: &Self) -> bool {
        self.state == State::NotLookedAt && other.state == self.state && self.says == other.says
    }

    /// A rung that is not looked at because of another one.
    pub(super) fn not_looked_at(id: RungId, why: String) -> Self {
        Draft::new(id).end(State::NotLookedAt, why)
    }
}

/// A rung that is being judged: what was looked at and found comes first, then the judgement.
#[derive(Debug)]
pub(super) struct Draft(Rung);

impl Draft {
    pub(super) fn new(id: RungId) -> Self {
        Self(Rung {
            id,
            title: id.title(),
            state: State::NotLookedAt,
            says: String::new(),
            looked_at: Vec::new(),
            evidence: Vec::new(),
            try_next: Vec::new(),
        })
    }

    /// Notes that something was looked at.
    pub(super) fn looked(mut self, at: impl Into<String>) -> Self {
        self.0.looked_at.push(at.into());
        self
    }

    /// Notes something that was found.
    pub(super) fn saw(mut self, line: impl Into<String>) -> Self {
        self.0.evidence.push(line.into());
        self
    }

    /// Notes several things that were found.
    pub(super) fn saw_all(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.0.evidence.extend(lines);
        self
    }

    /// Adds something to try.
    pub(super) fn advise(mut self, step: impl Into<String>) -> Self {
        self.0.try_next.push(step.into());
        self
    }

    pub(super) fn ok(self, says: impl Into<String>) -> Rung {
        self.end(State::Ok, says)
    }

    pub(super) fn warning(self, says: impl Into<String>) -> Rung {
        self.end(State::Warning, says)
    }

    pub(super) fn broken(self, says: impl Into<String>) -> Rung {
        self.end(State::Broken, says)
    }

    pub(super) fn not_here(self, says: impl Into<String>) -> Rung {
        self.end(State::NotHere, says)
    }

    fn end(mut self, state: State, says: impl Into<String>) -> Rung {
        self.0.state = state;
        self.0.says = says.into();
        self.0
    }
}
