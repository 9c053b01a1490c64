//! Reads a typed line as an answer.
//!
//! Pure. Choices are named by the numbers they were shown with, in the order of the attempt.

use crate::course::ChoiceId;
use crate::grade::{Answer, Asked, Input};

/// How to answer, said below the question.
pub(super) fn how(input: &Input<'_>) -> &'static str {
    match input {
        Input::Single(_) => "its number",
        Input::Multi(_) => "all numbers that fit, such as 1 3",
        Input::Number(_) => "a number, with its unit where it has one",
        Input::Text => "a short text",
        Input::Order(_) => "all numbers in the right order, such as 2 1 3",
        Input::Match { .. } => "for each in turn the number that fits, such as 2 1 3",
    }
}

/// Reads an answer. The error says what to type instead.
pub(in crate::commands) fn answer(asked: &Asked, text: &str) -> Result<Answer, String> {
    let order = asked.order.as_slice();
    match asked.input() {
        Input::Single(_) => match chosen(order, text)?.as_slice() {
            [one] => Ok(Answer::Single(one.clone())),
            [] | [..] => Err(format!("type one number from 1 to {}", order.len())),
        },
        Input::Multi(_) => Ok(Answer::Multi(chosen(order, text)?.into_iter().collect())),
        Input::Number(_) => Ok(Answer::Number(text.to_owned())),
        Input::Text => Ok(Answer::Text(text.to_owned())),
        Input::Order(_) => Ok(Answer::Order(each_once(order, text)?)),
        Input::Match { lefts, .. } => {
            let lefts = lefts.iter().map(|it| it.id.clone());
            let pairs = lefts.zip(each_once(order, text)?);
            Ok(Answer::Match(pairs.collect()))
        }
    }
}

/// The choices of the numbers in a text.
fn chosen(order: &[ChoiceId], text: &str) -> Result<Vec<ChoiceId>, String> {
    let words = text.split(|it: char| it.is_whitespace() || it == ',');
    words
        .filter(|it| !it.is_empty())
        .map(|word| {
            let index = word.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
            let choice = index.and_then(|it| order.get(it));
            choice
                .cloned()
                .ok_or_else(|| format!("`{word}` is none of the numbers from 1 to {}", order.len()))
        })
        .collect()
}

/// As [`chosen`], with every choice exactly once.
fn each_once(order: &[ChoiceId], text: &str) -> Result<Vec<ChoiceId>, String> {
    let chosen = chosen(order, text)?;
    if chosen.len() == order.len() && order.iter().all(|it| chosen.contains(it)) {
        return Ok(chosen);
    }
    Err(format!("type each number from 1 to {} once", order.len()))
}
