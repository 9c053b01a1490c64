//! Text for people: the only way for untrusted text to reach a terminal, and dates in UTC. Pure.

pub mod shown;
pub mod utc;
