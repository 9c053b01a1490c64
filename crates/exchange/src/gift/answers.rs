//! What is between the braces of a GIFT question.

use super::escape::restored;
use super::reading::Reading;
use crate::draft::{AnswerForm, DraftNearMiss, DraftOption};
use crate::markup::markdown_of_plain;
use warpup_course::kinds::Tolerance;

/// More answers of one question are refused before they are read.
const MAX_ANSWERS: usize = 200;

/// Answers, and what is said to a right one.
pub(super) struct Answers {
    pub(super) form: AnswerForm,
    /// Feedback for the right answer, where the question has no general one.
    pub(super) said: Option<String>,
}

impl From<AnswerForm> for Answers {
    fn from(form: AnswerForm) -> Self {
        Self { form, said: None }
    }
}

/// Reads the answers; `text` is without general feedback.
pub(super) fn answers(text: &str, reading: &mut Reading<'_>) -> Result<Answers, String> {
    let text = text.trim();
    if text.matches(['=', '~']).count() > MAX_ANSWERS {
        return Err(format!("it has more than {MAX_ANSWERS} answers"));
    }
    if text.is_empty() {
        return Ok(AnswerForm::Words { parts: Vec::new() }.into());
    }
    if let Some(numbers) = text.strip_prefix('#') {
        return numeric(numbers, reading);
    }
    if text.contains('~') {
        return choice(text, reading);
    }
    if text.contains('=') && text.contains("->") {
        return matching(text, reading);
    }
    if let Some(form) = true_or_false(text, reading) {
        return Ok(form.into());
    }
    if text.starts_with('=') {
        return short(text, reading);
    }
    Err("an answer begins with `=` if it is right and with `~` if it is wrong; write `{TRUE}` or `{FALSE}`, `{#12:0.5}` for a number, and `{}` for an explanation".to_owned())
}

/// One answer: `%50%text#feedback`.
struct Entry<'a> {
    is_right: bool,
    /// Percent of the points, if it says so.
    weight: Option<f64>,
    text: &'a str,
    feedback: &'a str,
}

/// The answers of a list. Each begins with one of the two signs.
fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    let mut rest = text.trim();
    while let Some(sign) = rest.chars().next() {
        let behind = rest.get(1..).unwrap_or_default();
        let end = behind.find(['=', '~']).unwrap_or(behind.len());
        let (entry, after) = behind.split_at(end);
        rest = after;
        let (entry, feedback) = entry.split_once('#').unwrap_or((entry, ""));
        let entry = entry.trim();
        let weighted = entry.strip_prefix('%').and_then(|it| {
            let (weight, text) = it.split_once('%')?;
            Some((
                weight
                    .trim()
                    .parse::<f64>()
                    .ok()
                    .filter(|it| it.is_finite())?,
                text,
            ))
        });
        entries.push(Entry {
            is_right: sign == '=',
            weight: weighted.map(|it| it.0),
            text: weighted.map_or(entry, |it| it.1).trim(),
            feedback: feedback.trim(),
        });
    }
    entries
}

fn choice(text: &str, reading: &mut Reading<'_>) -> Result<Answers, String> {
    if !text.starts_with(['=', '~']) {
        return Err(
            "the first answer begins with `=` if it is right and with `~` if it is wrong"
                .to_owned(),
        );
    }
    let entries = entries(text);
    let one = entries.iter().any(|it| it.is_right);
    let weights: Vec<f64> = entries.iter().filter_map(|it| it.weight).collect();
    let right = weights.iter().filter(|it| **it > 0.0).count();
    let mut options = Vec::new();
    for entry in &entries {
        let correct = if one {
            entry.is_right && entry.weight.is_none_or(|it| it >= 100.0)
        } else {
            entry.weight.is_some_and(|it| it > 0.0)
        };
        let is_part = one && !correct && entry.weight.is_some_and(|it| it > 0.0);
        if is_part {
            reading.say("an answer that is worth a part of the points is wrong here");
        }
        let text = reading.markdown(entry.text);
        if text.is_empty() {
            return Err("one of its answers has no text".to_owned());
        }
        options.push(DraftOption {
            text,
            correct,
            feedback: reading.some_markdown(entry.feedback),
            ..DraftOption::default()
        });
    }
    if one {
        return Ok(AnswerForm::Single {
            options,
            shuffle: true,
        }
        .into());
    }
    let even = 100.0 / right.max(1) as f64;
    let is_near = |a: f64, b: f64| (a - b).abs() < 0.01;
    if weights.iter().any(|it| *it > 0.0 && !is_near(*it, even)) {
        reading.say("its right answers are worth different points: here each is worth the same");
    }
    let partial = right > 1 && weights.iter().any(|it| *it < 0.0 && is_near(*it, -even));
    Ok(AnswerForm::Multi {
        options,
        shuffle: true,
        partial,
    }
    .into())
}

/// `TRUE#feedback if wrong#feedback if right`
fn true_or_false(text: &str, reading: &mut Reading<'_>) -> Option<AnswerForm> {
    let mut parts = text.splitn(3, '#');
    let word = parts.next()?.trim().to_ascii_uppercase();
    let is_true = match word.as_str() {
        "T" | "TRUE" => true,
        "F" | "FALSE" => false,
        _ => return None,
    };
    let mut said = parts.map(|it| reading.some_markdown(it));
    let (wrong, right) = (said.next().flatten(), said.next().flatten());
    let option = |id: &str, text: &str, correct: bool| DraftOption {
        id: id.to_owned(),
        text: text.to_owned(),
        correct,
        feedback: if correct {
            right.clone()
        } else {
            wrong.clone()
        },
    };
    Some(AnswerForm::Single {
        options: vec![
            option("true", "True", is_true),
            option("false", "False", !is_true),
        ],
        shuffle: false,
    })
}

fn short(text: &str, reading: &mut Reading<'_>) -> Result<Answers, String> {
    let (mut accept, mut near, mut said) = (Vec::new(), Vec::new(), None);
    for entry in entries(text) {
        // An escaped star is one.
        let typed = restored(entry.text).replace("\\*", "\u{e008}");
        let feedback = reading.some_markdown(entry.feedback);
        if typed.contains('*') {
            reading.say("an answer with `*` for any text is left out");
            continue;
        }
        let typed = typed
            .replace('\u{e008}', "*")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if entry.weight.is_none_or(|it| it >= 100.0) {
            accept.push(typed);
            said = said.or(feedback);
            continue;
        }
        if entry.weight.is_some_and(|it| it > 0.0) {
            reading.say("an answer that is worth a part of the points is wrong here");
        }
        near.extend(feedback.map(|it| (typed, it)));
    }
    if accept.is_empty() {
        return Err("no text of it is right".to_owned());
    }
    let case = false;
    let form = AnswerForm::Text { accept, case, near };
    Ok(Answers { form, said })
}

fn matching(text: &str, reading: &mut Reading<'_>) -> Result<Answers, String> {
    let mut pairs = Vec::new();
    for entry in text.split('=').map(str::trim).filter(|it| !it.is_empty()) {
        let (left, right) = entry
            .split_once("->")
            .ok_or("each pair is `=left -> right`")?;
        let left = reading.markdown(left);
        let right = markdown_of_plain(restored(right).trim());
        if left.is_empty() {
            reading.say("a right side that belongs to no left one is left out");
        } else {
            pairs.push((left, right));
        }
    }
    Ok(AnswerForm::Match { pairs }.into())
}

fn numeric(text: &str, reading: &mut Reading<'_>) -> Result<Answers, String> {
    let text = text.trim();
    let one;
    let numbers = if text.starts_with(['=', '~']) {
        entries(text)
    } else {
        one = format!("={text}");
        entries(&one)
    };
    let mut key: Option<(f64, Tolerance)> = None;
    let mut near: Vec<DraftNearMiss> = Vec::new();
    let mut said = None;
    for entry in numbers {
        let feedback = reading.some_markdown(entry.feedback);
        if entry.text.is_empty() || entry.text == "*" {
            reading.say("feedback for any other number is left out");
            continue;
        }
        let (value, tolerance) = range(entry.text)?;
        if entry.weight.is_none_or(|it| it >= 100.0) && entry.is_right {
            if key.is_none() {
                key = Some((value, tolerance));
                said = feedback;
            } else {
                reading.say(
                    "a second right number is left out: one number is right, with a tolerance",
                );
            }
            continue;
        }
        if entry.weight.is_some_and(|it| it > 0.0) {
            reading.say("an answer that is worth a part of the points is wrong here");
        }
        near.extend(feedback.map(|feedback| DraftNearMiss {
            value,
            tolerance,
            feedback,
        }));
    }
    let (answer, tolerance) = key.ok_or("no number of it is right")?;
    let all = near.len();
    near.retain(|it| !holds(answer, tolerance, it.value));
    if near.len() < all {
        reading.say("feedback for a number that is right within the tolerance is left out");
    }
    let form = AnswerForm::Numeric {
        answer,
        tolerance,
        unit: None,
        near,
    };
    Ok(Answers { form, said })
}

fn holds(answer: f64, tolerance: Tolerance, value: f64) -> bool {
    match tolerance {
        Tolerance::Exact => (value - answer).abs() <= 0.0,
        Tolerance::Abs(off) => (value - answer).abs() <= off,
        Tolerance::Rel(off) => (value - answer).abs() <= off * answer.abs(),
        Tolerance::Range(low, high) => (low..=high).contains(&value),
    }
}

/// `value`, `value:off` or `low..high`.
fn range(text: &str) -> Result<(f64, Tolerance), String> {
    let number = |text: &str| {
        let text = restored(text);
        let number = text.trim().parse::<f64>().ok().filter(|it| it.is_finite());
        number.ok_or_else(|| {
            format!(
                "`{}` is not a number: write `{{#12}}`, `{{#12:0.5}}` or `{{#11.5..12.5}}`",
                text.trim()
            )
        })
    };
    if let Some((low, high)) = text.split_once("..") {
        let (low, high) = (number(low)?, number(high)?);
        let answer = f64::midpoint(low, high);
        // Halves of numbers such as 0.1 have many digits.
        let answer = if answer.is_finite() {
            (answer * 1e9).round() / 1e9
        } else {
            low
        };
        return Ok((
            answer.clamp(low.min(high), high.max(low)),
            Tolerance::Range(low, high),
        ));
    }
    match text.split_once(':') {
        None => Ok((number(text)?, Tolerance::Exact)),
        Some((value, off)) => {
            let (value, off) = (number(value)?, number(off)?);
            let tolerance = if off == 0.0 {
                Tolerance::Exact
            } else {
                Tolerance::Abs(off.abs())
            };
            Ok((value, tolerance))
        }
    }
}
