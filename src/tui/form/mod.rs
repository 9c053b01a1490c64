//! Answering one question: what is chosen, typed or sorted so far.
//!
//! Knows every [`crate::grade::Input`] and no kind of question: quizzes and predictions both use it. It never judges; it
//! gives an [`crate::grade::Answer`] for the grader.

mod draw;
mod field;
mod state;

pub(crate) use draw::hanging;
pub(crate) use state::Form;
