//! One question of Moodle.

use super::fields::{Fields, fraction, plain};
use super::tree::Element;
use crate::draft::{AnswerForm, Draft, DraftNearMiss, DraftOption, DraftQuestion};
use crate::markup::markdown_of_plain;
use warpup_course::kinds::Tolerance;

/// What is said of an answer that earns some of the points.
const IN_PART: &str = "an answer that is worth a part of the points is wrong here";
/// What is said of feedback for everything else.
const ANY_OTHER: &str = "feedback for any other answer is left out";

/// Reads a question into the draft; `category` is that of the questions from here on.
pub(super) fn read(question: &Element, category: &mut Option<String>, draft: &mut Draft) {
    // Many tools write a whole file on one line.
    let name = question.child("name").map(plain).unwrap_or_default();
    let place = match name.chars().take(40).collect::<String>() {
        none if none.is_empty() => format!("line {}", question.line),
        name => format!("line {} ({name})", question.line),
    };
    let kind = question.attribute("type").unwrap_or_default();
    if kind == "category" {
        let name = question.child("category").map(plain).unwrap_or_default();
        *category = Some(name.to_owned()).filter(|it| !it.is_empty());
        return;
    }
    let mut fields = Fields {
        of: question,
        place: place.clone(),
        changed: &mut draft.changed,
    };
    match whole(kind, &mut fields, category.as_ref()) {
        Ok(read) => draft.questions.push(read),
        Err(why) => draft.left_out.say(place, why),
    }
}

fn whole(
    kind: &str,
    fields: &mut Fields<'_>,
    category: Option<&String>,
) -> Result<DraftQuestion, String> {
    let (form, said) = match kind {
        "multichoice" => (choice(fields), None),
        "truefalse" => (true_or_false(fields), None),
        "shortanswer" => short(fields),
        "numerical" => numeric(fields)?,
        "matching" | "ddmatching" => (matching(fields), None),
        "ordering" => (order(fields), None),
        "essay" => (words(), None),
        "description" => {
            return Err("it is a description and asks nothing: put it into the lesson".to_owned());
        }
        "cloze" => {
            return Err(
                "it has its questions inside of its text (cloze): make each one a question"
                    .to_owned(),
            );
        }
        other => {
            return Err(format!(
                "warpup has no questions of Moodle's type `{other}`"
            ));
        }
    };
    let prompt = fields.markdown("questiontext");
    let prompt = prompt.ok_or("it has no question text")?;
    let general = fields.markdown("generalfeedback");
    let mut hints = Vec::new();
    for hint in fields.of.children("hint") {
        hints.push(fields.markdown_in(hint));
    }
    let points = points(fields);
    Ok(DraftQuestion {
        place: fields.place.clone(),
        name: fields.plain("name").unwrap_or_default().to_owned(),
        category: category.cloned(),
        prompt,
        explain: general.or(said),
        hints,
        points,
        form,
    })
}

fn points(fields: &mut Fields<'_>) -> u32 {
    let grade = fields
        .plain("defaultgrade")
        .and_then(|it| it.parse::<f64>().ok());
    let grade = grade.unwrap_or(1.0);
    let whole = grade.round().clamp(1.0, 1000.0);
    if (whole - grade).abs() > 1e-9 {
        fields.say("points are whole numbers: they are rounded");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and 1000"
    )]
    let points = whole as u32;
    points
}

fn shuffle(fields: &Fields<'_>) -> bool {
    fields.is_on("shuffleanswers").unwrap_or(true)
}

fn choice(fields: &mut Fields<'_>) -> AnswerForm {
    let answers: Vec<&Element> = fields.of.children("answer").collect();
    let one = fields.is_on("single").unwrap_or(true);
    let rights: Vec<f64> = answers
        .iter()
        .map(|it| fraction(it))
        .filter(|it| *it > 0.0)
        .collect();
    let mut options = Vec::new();
    for answer in &answers {
        let worth = fraction(answer);
        if one && worth > 0.0 && worth < 100.0 {
            fields.say(IN_PART);
        }
        options.push(DraftOption {
            text: fields.markdown_in(answer),
            correct: if one { worth >= 100.0 } else { worth > 0.0 },
            feedback: fields.feedback(answer),
            ..DraftOption::default()
        });
    }
    for name in [
        "correctfeedback",
        "incorrectfeedback",
        "partiallycorrectfeedback",
    ] {
        if fields
            .markdown(name)
            .is_some_and(|it| !it.starts_with("Your answer is"))
        {
            fields.say("feedback for a whole answer is left out: each option has its own");
        }
    }
    let shuffle = shuffle(fields);
    if one {
        return AnswerForm::Single { options, shuffle };
    }
    let even = 100.0 / rights.len().max(1) as f64;
    if rights.iter().any(|it| (it - even).abs() > 0.01) {
        fields.say("its right answers are worth different points: here each is worth the same");
    }
    let is_off = |it: &&Element| (fraction(it) + even).abs() < 0.01;
    let partial = rights.len() > 1 && answers.iter().any(is_off);
    AnswerForm::Multi {
        options,
        shuffle,
        partial,
    }
}

fn true_or_false(fields: &mut Fields<'_>) -> AnswerForm {
    let mut options = Vec::new();
    for answer in fields.of.children("answer") {
        let word = plain(answer);
        options.push(DraftOption {
            id: if word.eq_ignore_ascii_case("true") {
                "true"
            } else {
                "false"
            }
            .to_owned(),
            text: if word.eq_ignore_ascii_case("true") {
                "True"
            } else {
                "False"
            }
            .to_owned(),
            correct: fraction(answer) >= 100.0,
            feedback: fields.feedback(answer),
        });
    }
    AnswerForm::Single {
        options,
        shuffle: false,
    }
}

fn short(fields: &mut Fields<'_>) -> (AnswerForm, Option<String>) {
    let (mut accept, mut near, mut said) = (Vec::new(), Vec::new(), None);
    for answer in fields.of.children("answer") {
        // An escaped star is one.
        let typed = plain(answer).replace("\\*", "\u{e008}");
        let feedback = fields.feedback(answer);
        if typed.contains('*') {
            fields.say(if typed == "*" {
                ANY_OTHER
            } else {
                "an answer with `*` for any text is left out"
            });
            continue;
        }
        let typed = typed
            .replace('\u{e008}', "*")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let worth = fraction(answer);
        if worth >= 100.0 {
            accept.push(typed);
            said = said.or(feedback);
            continue;
        }
        if worth > 0.0 {
            fields.say(IN_PART);
        }
        near.extend(feedback.map(|it| (typed, it)));
    }
    let case = fields.is_on("usecase").unwrap_or(false);
    (AnswerForm::Text { accept, case, near }, said)
}

fn numeric(fields: &mut Fields<'_>) -> Result<(AnswerForm, Option<String>), String> {
    let (mut key, mut said) = (None, None);
    let mut near: Vec<DraftNearMiss> = Vec::new();
    for answer in fields.of.children("answer") {
        let written = plain(answer);
        let feedback = fields.feedback(answer);
        if written == "*" {
            fields.say(ANY_OTHER);
            continue;
        }
        let number = |text: &str| text.parse::<f64>().ok().filter(|it| it.is_finite());
        let value =
            number(written).ok_or_else(|| format!("its answer `{written}` is not a number"))?;
        let off = answer
            .child("tolerance")
            .and_then(|it| number(plain(it)))
            .unwrap_or(0.0)
            .abs();
        let tolerance = if off == 0.0 {
            Tolerance::Exact
        } else {
            Tolerance::Abs(off)
        };
        let worth = fraction(answer);
        if worth >= 100.0 && key.is_none() {
            key = Some((value, tolerance, off));
            said = feedback;
            continue;
        }
        if worth >= 100.0 {
            fields.say("a second right number is left out: one number is right, with a tolerance");
            continue;
        }
        if worth > 0.0 {
            fields.say(IN_PART);
        }
        near.extend(feedback.map(|feedback| DraftNearMiss {
            value,
            tolerance,
            feedback,
        }));
    }
    let (answer, tolerance, off) = key.ok_or("no number of it is right")?;
    near.retain(|it| (it.value - answer).abs() > off);
    let unit = unit(fields);
    let form = AnswerForm::Numeric {
        answer,
        tolerance,
        unit,
        near,
    };
    Ok((form, said))
}

/// The unit that answers are in: that with the multiplier 1.
fn unit(fields: &mut Fields<'_>) -> Option<String> {
    let units = fields.of.child("units")?;
    let units: Vec<&Element> = units.children("unit").collect();
    let name = |it: &Element| it.child("unit_name").map(|it| plain(it).to_owned());
    let is_one = |it: &&Element| {
        let multiplier = it
            .child("multiplier")
            .and_then(|it| plain(it).parse::<f64>().ok());
        multiplier.is_none_or(|it| (it - 1.0).abs() < 1e-12)
    };
    let count = units.len();
    let unit = units
        .into_iter()
        .find(is_one)
        .and_then(name)
        .filter(|it| !it.is_empty());
    if count > 1 {
        fields.say("warpup converts between the units that it knows; other units of the question are left out");
    }
    unit
}

fn matching(fields: &mut Fields<'_>) -> AnswerForm {
    let mut pairs = Vec::new();
    for pair in fields.of.children("subquestion") {
        let left = fields.markdown_in(pair);
        let right = pair.child("answer").map(plain).unwrap_or_default();
        if left.is_empty() {
            fields.say("a right side that belongs to no left one is left out");
        } else {
            pairs.push((left, markdown_of_plain(right)));
        }
    }
    AnswerForm::Match { pairs }
}

fn order(fields: &mut Fields<'_>) -> AnswerForm {
    let mut items: Vec<(f64, String)> = Vec::new();
    for answer in fields.of.children("answer") {
        items.push((fraction(answer), fields.markdown_in(answer)));
    }
    // The fraction is the place. Sorting is stable, so a file that gives none keeps its order.
    items.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    AnswerForm::Order {
        items: items.into_iter().map(|(_, it)| it).collect(),
    }
}

fn words() -> AnswerForm {
    AnswerForm::Words { parts: Vec::new() }
}
