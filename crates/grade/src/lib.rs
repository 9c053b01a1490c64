//! Grading: a question and an answer give a verdict; verdicts give a score; the gate is strict.
//!
//! Pure. What depends on the kind of a question is in `kinds`; front ends ask an answer through its [`Input`] and the
//! way in which that is answered. Of the kinds they know only two: a prediction, which belongs to a lab, and a question
//! that is answered in the learner's own words.

pub mod answers_file;
mod asked;
mod attempt;
mod draw;
mod input;
mod kinds;
mod number;
mod prove;
mod question;
mod review;
mod score;
mod shuffle;
pub mod strategies;
mod written;

pub use asked::{Asked, Confidence, Given, Origin, Stored};
pub use attempt::Attempt;
pub use draw::Draw;
pub use input::{Input, Row};
pub use prove::{Expect, LabProof, lab_proofs, prove};
pub use question::{grade, input, key, order_of, review, words};
pub use review::{Mark, Reviewed};
pub use score::{Correctness, HUNDREDTHS, Needed, NoVerdict, Score, Verdict, needed, points};
pub use score::{capitalized, sentence};
pub use warpup_course::Answer;

#[cfg(test)]
mod tests;
