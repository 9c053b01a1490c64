//! Grading: a question and an answer give a verdict; verdicts give a score; the gate is strict.
//!
//! Pure. What depends on the kind of a question is in `kinds`; front ends ask an answer through its [`Input`] and the
//! way in which that is answered. Of the kinds they know only two: a prediction, which belongs to a lab, and a question
//! that is answered in the learner's own words.

mod answer_text;
pub mod answers_file;
mod attempt;
mod attempt_question;
mod input;
mod kinds;
mod number;
mod prove;
mod question;
mod question_pool;
mod review;
mod score;
mod shuffle;
pub mod strategies;

pub use attempt::Attempt;
pub use attempt_question::{AttemptQuestion, Confidence, JudgedAnswer, Origin, StoredAnswer};
pub use input::{AnswerOption, Input};
pub use prove::{Expect, LabProof, lab_proofs, prove};
pub use question::{grade, input, key, order_of, review, words};
pub use question_pool::Draw;
pub use review::{Mark, ReviewRow};
pub use score::{
    Correctness, HUNDREDTHS, NoVerdict, PassRequirement, Score, Verdict, needed, points,
};
pub use score::{capitalized, sentence};
pub use warpup_course::Answer;

#[cfg(test)]
mod tests;
