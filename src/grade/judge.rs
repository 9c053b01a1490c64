//! One judge for each type of question.

use super::number::{self, is_within, is_within_factor};
use super::{Answer, HUNDREDTHS, Unreadable};
use crate::course::{Bin, Choice, ChoiceId, LabId, Numeric, Pair, PredictForm, Text, units};
use std::collections::{BTreeMap, BTreeSet};

/// How much of the points was earned, and what to say.
#[derive(Debug, PartialEq)]
pub(super) struct Judged {
    /// Hundredths of a point.
    pub(super) earned: u64,
    /// What to say about this very answer.
    pub(super) feedback: Vec<Text>,
}

impl Judged {
    /// All or nothing.
    fn whole(is_right: bool, max: u64, feedback: Vec<Text>) -> Self {
        Self {
            earned: if is_right { max } else { 0 },
            feedback,
        }
    }
}

/// Judges a single choice.
pub(super) fn single(options: &[Choice], answer: &Answer, max: u64) -> Result<Judged, Unreadable> {
    let Answer::Single(id) = answer else {
        return Err(foreign("it asks for one option"));
    };
    let option = option(options, id)?;
    let feedback = option.feedback.iter().cloned().collect();
    Ok(Judged::whole(option.correct, max, feedback))
}

/// Judges a multiple choice, all or nothing.
pub(super) fn multi(options: &[Choice], answer: &Answer, max: u64) -> Result<Judged, Unreadable> {
    let tally = Tally::of(options, answer)?;
    let is_right = tally.right == tally.correct && tally.wrong == 0;
    Ok(Judged::whole(is_right, max, tally.feedback))
}

/// Judges a multiple choice: (right − wrong) ÷ correct of the points, not below nothing.
pub(super) fn multi_partial(
    options: &[Choice],
    answer: &Answer,
    max: u64,
) -> Result<Judged, Unreadable> {
    let tally = Tally::of(options, answer)?;
    let net = tally.right.saturating_sub(tally.wrong);
    Ok(Judged {
        earned: max * net / tally.correct.max(1),
        feedback: tally.feedback,
    })
}

/// What was ticked in a multiple choice.
struct Tally {
    right: u64,
    wrong: u64,
    correct: u64,
    feedback: Vec<Text>,
}

impl Tally {
    fn of(options: &[Choice], answer: &Answer) -> Result<Self, Unreadable> {
        let Answer::Multi(ids) = answer else {
            return Err(foreign("it asks for a list of options"));
        };
        if ids.is_empty() {
            return Err(Unreadable::Empty);
        }
        for id in ids {
            option(options, id)?;
        }
        let mut tally = Self {
            right: 0,
            wrong: 0,
            correct: 0,
            feedback: Vec::new(),
        };
        for option in options {
            tally.correct += u64::from(option.correct);
            if ids.contains(&option.id) {
                tally.right += u64::from(option.correct);
                tally.wrong += u64::from(!option.correct);
                tally.feedback.extend(option.feedback.clone());
            }
        }
        Ok(tally)
    }
}

/// Judges a number.
pub(super) fn numeric(key: &Numeric, answer: &Answer, max: u64) -> Result<Judged, Unreadable> {
    let accepted: Vec<&str> = key.accepted.iter().map(String::as_str).collect();
    let value = number::read(typed_number(answer)?, key.unit.as_deref(), &accepted)?;
    if is_within(value, key.answer, key.tolerance) {
        return Ok(Judged::whole(true, max, Vec::new()));
    }
    let near = key
        .near
        .iter()
        .find(|it| is_within(value, it.value, it.tolerance));
    let feedback = near.map(|it| it.feedback.clone()).into_iter().collect();
    Ok(Judged::whole(false, max, feedback))
}

/// The key of a text question, as the grader sees it.
pub(super) struct TextKey<'a> {
    /// Accepted answers.
    pub(super) accept: &'a [String],
    /// Whether upper and lower case differ.
    pub(super) case: bool,
    /// Feedback for answers that are wrong in a known way.
    pub(super) near: &'a [(String, Text)],
}

/// Judges a text.
pub(super) fn text(key: &TextKey<'_>, answer: &Answer, max: u64) -> Result<Judged, Unreadable> {
    let Answer::Text(typed) = answer else {
        return Err(foreign("it asks for a text"));
    };
    let normal = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if key.case { text } else { text.to_lowercase() }
    };
    let typed = normal(typed);
    if typed.is_empty() {
        return Err(Unreadable::Empty);
    }
    if key.accept.iter().any(|it| normal(it) == typed) {
        return Ok(Judged::whole(true, max, Vec::new()));
    }
    let near = key.near.iter().find(|(it, _)| normal(it) == typed);
    let feedback = near.map(|(_, it)| it.clone()).into_iter().collect();
    Ok(Judged::whole(false, max, feedback))
}

/// Judges an order.
pub(super) fn order(
    items: &[Choice],
    also: &[Vec<ChoiceId>],
    answer: &Answer,
    max: u64,
) -> Result<Judged, Unreadable> {
    let Answer::Order(ids) = answer else {
        return Err(foreign("it asks for items in order"));
    };
    if ids.is_empty() {
        return Err(Unreadable::Empty);
    }
    let mut seen = BTreeSet::new();
    for id in ids {
        option(items, id)?;
        if !seen.insert(id) {
            return Err(Unreadable::Foreign(format!("`{id}` is there twice")));
        }
    }
    if let Some(item) = items.iter().find(|it| !seen.contains(&it.id)) {
        return Err(Unreadable::Incomplete(format!(
            "`{}` has no place",
            item.id
        )));
    }
    let is_right = ids.iter().eq(items.iter().map(|it| &it.id)) || also.contains(ids);
    Ok(Judged::whole(is_right, max, Vec::new()))
}

/// Judges pairs.
pub(super) fn pairs(pairs: &[Pair], answer: &Answer, max: u64) -> Result<Judged, Unreadable> {
    let Answer::Match(chosen) = answer else {
        return Err(foreign("it asks for pairs"));
    };
    if chosen.is_empty() {
        return Err(Unreadable::Empty);
    }
    let known = |id: &ChoiceId| pairs.iter().any(|it| &it.id == id);
    let entries: &BTreeMap<ChoiceId, ChoiceId> = chosen;
    if let Some(id) = entries
        .iter()
        .flat_map(|(left, right)| [left, right])
        .find(|id| !known(id))
    {
        return Err(Unreadable::Foreign(format!("there is no pair `{id}`")));
    }
    let mut feedback = Vec::new();
    let mut is_right = true;
    for pair in pairs {
        let Some(right) = chosen.get(&pair.id) else {
            return Err(Unreadable::Incomplete(format!(
                "`{}` has no partner",
                pair.id
            )));
        };
        if right != &pair.id {
            is_right = false;
            feedback.extend(pair.feedback.as_ref().map(|it| beside(&pair.left, it)));
        }
    }
    Ok(Judged::whole(is_right, max, feedback))
}

/// Feedback with the left side in front, since several rows may be wrong at once.
fn beside(left: &Text, feedback: &Text) -> Text {
    let mut text = left.clone();
    text.pieces.extend(Text::of(": ").pieces);
    text.pieces.extend(feedback.pieces.iter().cloned());
    text
}

/// Judges a prediction. The answer is read before the truth is asked for, so that
/// [`Unreadable::NotMeasured`] says that nothing else is wrong.
pub(super) fn predict(
    lab: &LabId,
    form: &PredictForm,
    answer: &Answer,
    truth: Option<f64>,
    max: u64,
) -> Result<Judged, Unreadable> {
    let measured = |truth: Option<f64>| truth.ok_or_else(|| Unreadable::NotMeasured(lab.clone()));
    match form {
        PredictForm::Number {
            unit,
            within_factor,
        } => {
            let unit = unit.as_deref();
            let accepted: Vec<&str> = unit.into_iter().flat_map(units::like).collect();
            let value = number::read(typed_number(answer)?, unit, &accepted)?;
            let is_right = is_within_factor(value, measured(truth)?, *within_factor);
            Ok(Judged::whole(is_right, max, Vec::new()))
        }
        PredictForm::Bins(bins) => {
            let bin = bin(bins, answer)?;
            let truth = measured(truth)?;
            let is_right = bin.from <= truth && truth < bin.to;
            let feedback = bin.feedback.iter().filter(|_| !is_right).cloned().collect();
            Ok(Judged::whole(is_right, max, feedback))
        }
    }
}

fn bin<'a>(bins: &'a [Bin], answer: &Answer) -> Result<&'a Bin, Unreadable> {
    let Answer::Single(id) = answer else {
        return Err(foreign("it asks for one option"));
    };
    bins.iter()
        .find(|it| &it.id == id)
        .ok_or_else(|| Unreadable::Foreign(format!("there is no option `{id}`")))
}

fn option<'a>(options: &'a [Choice], id: &ChoiceId) -> Result<&'a Choice, Unreadable> {
    options
        .iter()
        .find(|it| &it.id == id)
        .ok_or_else(|| Unreadable::Foreign(format!("there is no option `{id}`")))
}

fn typed_number(answer: &Answer) -> Result<&str, Unreadable> {
    let Answer::Number(typed) = answer else {
        return Err(foreign("it asks for a number"));
    };
    Ok(typed)
}

fn foreign(why: &str) -> Unreadable {
    Unreadable::Foreign(why.to_owned())
}

/// Hundredths that a question is worth.
pub(super) fn worth(points: u32) -> u64 {
    u64::from(points) * HUNDREDTHS
}
