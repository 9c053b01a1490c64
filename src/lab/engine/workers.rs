//! Which workers an engine may start.

use super::cards::CardWorker;
use super::launch::Launch;
use crate::protocol::Reason;

/// The workers that an engine may start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workers {
    /// For the CPU and modelled cards.
    pub own: Launch,
    /// For real cards, or why there is none.
    pub cards: Result<CardWorker, Reason>,
}

impl Workers {
    /// Workers for runs that need no real card.
    pub fn without_cards(own: Launch) -> Self {
        let reason = Reason {
            why: "nothing here runs on a real card".to_owned(),
            hint: "choose cpu or a modelled card such as model:t4".to_owned(),
            evidence: String::new(),
        };
        Self {
            own,
            cards: Err(reason),
        }
    }
}
