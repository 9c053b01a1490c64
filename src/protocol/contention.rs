//! Why the times of a run on a real card may not be its own.

use serde::{Deserialize, Serialize};

/// One reason why others may have slowed down a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Contention {
    /// It went on without its turn after a long wait.
    NoTurn {
        /// How long it waited, in milliseconds.
        waited_ms: u64,
    },
    /// It had the card for longer than a turn lasts, while other runs waited for theirs.
    LongTurn {
        /// How long it had the card, in milliseconds.
        held_ms: u64,
    },
    /// A reason of a newer worker.
    #[serde(other)]
    Unknown,
}

impl Contention {
    /// The reason, as a sentence without a full stop.
    pub fn words(self) -> String {
        match self {
            Self::NoTurn { waited_ms } => format!(
                "it went on without its turn after {} s of waiting",
                waited_ms / 1000
            ),
            Self::LongTurn { held_ms } => format!(
                "it had the card for {} s, and after 30 s the next in line may begin",
                held_ms / 1000
            ),
            Self::Unknown => "others used the card".to_owned(),
        }
    }
}
