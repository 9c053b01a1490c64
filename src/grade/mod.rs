//! Grading: a question and an answer give a verdict; verdicts give a score; the gate is strict.
//!
//! Pure. What depends on the kind of a question is in `kinds`; of a kind, front ends see only
//! its [`Input`].

mod answer;
pub mod answers_file;
mod attempt;
mod input;
mod kinds;
mod number;
mod prove;
mod question;
mod score;
mod shuffle;
pub mod strategies;
mod words;

pub use answer::{Answer, Unreadable};
pub use attempt::{Asked, Attempt, Given, Origin};
pub use input::{Input, Row};
pub use prove::{Expect, LabProof, plan, prove};
pub use question::{grade, input, key, order_of};
pub use score::{HUNDREDTHS, Score, Verdict, needed};
pub use words::words;

#[cfg(test)]
mod tests;
