//! Answering one question: what is chosen, typed or sorted so far. One file for each way of answering.
//!
//! Knows every [`Answer`] and no kind of question: quizzes and predictions both use it. It never judges; it gives an
//! answer for the grader.

mod answer_field;
mod choice;
mod draw;
mod list;
mod matching;
mod order;

pub(crate) use draw::{Form, hanging};

use answer_field::AnswerField;

use crate::keymap::Keys;
use warpup_course::{ChoiceId, Question};
use warpup_grade::{self as grade, Answer};

/// An empty answer to a question, its choices in this order. Letters that are keys name no choice.
pub(crate) fn form(question: &Question, order: &[ChoiceId], keys: &Keys) -> Box<dyn Form> {
    let input = grade::input(question).in_order(order);
    match input.way.empty() {
        Answer::Single(_) => Box::new(choice::Choice::one(&input)),
        Answer::Multi(_) => Box::new(choice::Choice::many(&input)),
        Answer::Number(_) => Box::new(AnswerField::new(&input, keys, Answer::Number)),
        Answer::Text(_) => Box::new(AnswerField::new(&input, keys, Answer::Text)),
        Answer::Order(_) => Box::new(order::Order::new(&input)),
        Answer::Match(_) => Box::new(matching::Pairs::new(&input, keys)),
    }
}
