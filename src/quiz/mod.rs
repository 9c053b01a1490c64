//! Taking a quiz: the state of one attempt, which the terminal app and `warpup quiz` share.
//!
//! Pure. It returns [`crate::progress::Event`]s as values and saves nothing itself; what is shown, and how an
//! answer is typed, is up to the front ends.

mod gate;
pub(crate) mod own_words;
mod session;

pub(crate) use gate::gate;
pub(crate) use session::{Begin, Round, Session, missed_before};

#[cfg(test)]
mod tests;
