//! Grading: a question and an answer give a verdict; verdicts give a score; the gate is strict.
//!
//! Pure. What depends on the kind of a question is in `kinds`; of a kind, front ends see only
//! its [`Input`], and of an input the way in which it is answered.

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
mod written;

pub use crate::course::Answer;
pub use attempt::{Asked, Attempt, Given, Origin};
pub use input::{Input, Row};
pub use prove::{Expect, LabProof, lab_proofs, prove};
pub use question::{grade, input, key, order_of, words};
pub use score::{HUNDREDTHS, Score, Unreadable, Verdict, needed};

#[cfg(test)]
mod tests;
