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
    /// Other processes were on the card, or it was busy before the run began.
    Neighbours {
        /// How many processes; 0 where the driver shows none, as in a container.
        processes: u32,
        /// How busy the card was before, in percent, as far as the driver says it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        busy_percent: Option<u32>,
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
            Self::Neighbours {
                processes,
                busy_percent,
            } => neighbours(processes, busy_percent),
            Self::Unknown => "others used the card".to_owned(),
        }
    }
}

fn neighbours(processes: u32, busy_percent: Option<u32>) -> String {
    let busy = busy_percent.filter(|it| *it > 0);
    let busy = busy.map(|it| format!("the card was {it} % busy before it began"));
    let others = match processes {
        0 => None,
        1 => Some("another process was on its card".to_owned()),
        several => Some(format!("{several} other processes were on its card")),
    };
    let said: Vec<_> = others.into_iter().chain(busy).collect();
    if said.is_empty() {
        return "others used the card".to_owned();
    }
    said.join(", and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_named_as_far_as_the_driver_shows_them() {
        let said = [
            (1, None),
            (3, Some(40)),
            (0, Some(100)),
            (2, Some(0)),
            (0, None),
        ];
        let said = said.map(|(processes, busy_percent)| {
            Contention::Neighbours {
                processes,
                busy_percent,
            }
            .words()
        });
        insta::assert_snapshot!(said.join("\n"), @"
        another process was on its card
        3 other processes were on its card, and the card was 40 % busy before it began
        the card was 100 % busy before it began
        2 other processes were on its card
        others used the card
        ");
    }
}
