//! Taking a quiz: the state of one attempt, which the terminal app and `warpup quiz` share.
//!
//! Pure. It returns [`warpup_progress::Event`]s as values and saves nothing itself; what is shown, and how an
//! answer is typed, is up to the front ends.

mod gate;
pub mod own_words;
mod session;

pub use gate::gate;
pub use session::{Round, Session, SessionStart, missed_before};

#[cfg(test)]
mod tests;
