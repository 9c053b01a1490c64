//! What a learner does with each kind of question, and what the right response is.

use super::parts::{identifier, text_html};
use super::scoring::{self, match_correct, number_equal, or, string_equal};
use crate::markup::escaped;
use crate::markup::joined;
use warpup_course::kinds::{
    Matching, MultipleChoice, MultipleKey, Numeric, NumericKey, OrderKey, Ordering, SingleChoice,
    TextKey,
};
use warpup_course::{Choice, OptionsKey, Question, QuestionKind, Text};

/// The parts of an item that depend on its kind.
pub(super) struct Interaction<'a> {
    /// `single`, `multiple` or `ordered`.
    pub(super) cardinality: &'static str,
    /// The type of a response's values.
    pub(super) base: &'static str,
    /// The right response.
    pub(super) correct: Vec<String>,
    /// Points for parts of a response, where there are any.
    pub(super) mapping: String,
    /// What the learner does.
    pub(super) body: String,
    /// How the response is scored.
    pub(super) score: String,
    /// What is said, by the name that the scoring gives it.
    pub(super) feedback: Vec<(String, &'a Text)>,
}

/// The interaction of a question; nothing for a prediction, or where there is no key.
pub(super) fn interaction<'a>(
    question: &'a Question,
    say: &mut impl FnMut(&str),
) -> Option<Interaction<'a>> {
    let points = question.points;
    match &question.kind {
        QuestionKind::Single(it) => Some(single(it, it.key.as_ref()?, points)),
        QuestionKind::Multi(it) => Some(multi(it, it.key.as_ref()?, points)),
        QuestionKind::Numeric(it) => {
            let key = it.key.as_ref()?;
            if it.unit.is_some() {
                say(
                    "an answer is a number in the unit that the item shows: other units are not converted",
                );
            }
            Some(numeric(it, key, points))
        }
        QuestionKind::Text(it) => Some(text(it.key.as_ref()?, points)),
        QuestionKind::Order(it) => Some(order(it, it.key.as_ref()?, points)),
        QuestionKind::Match(it) => {
            if it.key.as_ref()?.has_feedback() {
                say("feedback on a pair is left out");
            }
            Some(pairs(it, points))
        }
        QuestionKind::Words(_) => Some(Interaction {
            cardinality: "single",
            base: "string",
            correct: Vec::new(),
            mapping: String::new(),
            body:
                "<extendedTextInteraction responseIdentifier=\"RESPONSE\" expectedLength=\"600\"/>"
                    .to_owned(),
            score: scoring::explained(""),
            feedback: Vec::new(),
        }),
        QuestionKind::Predict(_) => None,
    }
}

fn choices(options: &[Choice], shuffle: bool, most: usize) -> String {
    let options = joined(options.iter().map(|it| {
        let fixed = if it.pin_last { " fixed=\"true\"" } else { "" };
        let (id, text) = (identifier(it.id.as_str()), text_html(&it.text));
        format!("<simpleChoice identifier=\"{id}\"{fixed}>{text}</simpleChoice>\n")
    }));
    format!(
        "<choiceInteraction responseIdentifier=\"RESPONSE\" shuffle=\"{shuffle}\" maxChoices=\"{most}\">\n{options}</choiceInteraction>"
    )
}

fn right(options: &[Choice], key: &OptionsKey) -> Vec<String> {
    let right = options.iter().filter(|it| key.is_right(&it.id));
    right.map(|it| identifier(it.id.as_str())).collect()
}

fn said<'a>(options: &[Choice], key: &'a OptionsKey) -> Vec<(String, &'a Text)> {
    let said = options.iter().filter_map(|it| {
        let feedback = key.feedback(&it.id)?;
        Some((identifier(it.id.as_str()), feedback))
    });
    said.collect()
}

fn single<'a>(single: &SingleChoice, key: &'a OptionsKey, points: u32) -> Interaction<'a> {
    Interaction {
        cardinality: "single",
        base: "identifier",
        correct: right(&single.options, key),
        mapping: String::new(),
        body: choices(&single.options, single.shuffle, 1),
        score: scoring::chosen(&scoring::whole(&match_correct(), points)),
        feedback: said(&single.options, key),
    }
}

fn multi<'a>(multi: &MultipleChoice, key: &'a MultipleKey, points: u32) -> Interaction<'a> {
    let correct = right(&multi.options, &key.options);
    let share = f64::from(points) / correct.len().max(1) as f64;
    let (mapping, score) = if key.partial {
        let entries = joined(multi.options.iter().map(|it| {
            let worth = if key.options.is_right(&it.id) {
                share
            } else {
                -share
            };
            let id = identifier(it.id.as_str());
            format!("<mapEntry mapKey=\"{id}\" mappedValue=\"{worth}\"/>")
        }));
        (
            format!(
                "<mapping lowerBound=\"0\" upperBound=\"{points}\" defaultValue=\"0\">{entries}</mapping>"
            ),
            scoring::mapped(),
        )
    } else {
        (String::new(), scoring::whole(&match_correct(), points))
    };
    Interaction {
        cardinality: "multiple",
        base: "identifier",
        correct,
        mapping,
        body: choices(&multi.options, multi.shuffle, 0),
        score: scoring::chosen(&score),
        feedback: said(&multi.options, &key.options),
    }
}

/// A line to type in, and the unit behind it.
fn typed(length: usize, unit: Option<&String>) -> String {
    let unit = unit.map_or(String::new(), |it| format!(" {}", escaped(it)));
    format!(
        "<p><textEntryInteraction responseIdentifier=\"RESPONSE\" expectedLength=\"{length}\"/>{unit}</p>"
    )
}

fn numeric<'a>(numeric: &Numeric, key: &'a NumericKey, points: u32) -> Interaction<'a> {
    let near: Vec<(String, String)> = key
        .near
        .iter()
        .enumerate()
        .map(|(at, it)| (format!("NEAR{at}"), number_equal(it.value, it.tolerance)))
        .collect();
    let names = near.iter().map(|(name, _)| name.clone());
    let feedback = names.zip(key.near.iter().map(|it| &it.feedback)).collect();
    let right = number_equal(key.answer, key.tolerance);
    Interaction {
        cardinality: "single",
        base: "float",
        correct: vec![key.answer.to_string()],
        mapping: String::new(),
        body: typed(12, numeric.unit.as_ref()),
        score: scoring::near(&right, points, &near),
        feedback,
    }
}

fn text(text: &TextKey, points: u32) -> Interaction<'_> {
    let equal = |it: &String| string_equal(it, text.case);
    let near: Vec<(String, String)> = text
        .near
        .iter()
        .enumerate()
        .map(|(at, (it, _))| (format!("NEAR{at}"), equal(it)))
        .collect();
    let names = near.iter().map(|(name, _)| name.clone());
    let feedback = names.zip(text.near.iter().map(|(_, it)| it)).collect();
    let accepted: Vec<String> = text.accept.iter().map(equal).collect();
    let right = or(&accepted);
    let longest = text.accept.iter().map(|it| it.chars().count()).max();
    Interaction {
        cardinality: "single",
        base: "string",
        correct: text.accept.iter().take(1).cloned().collect(),
        mapping: String::new(),
        body: typed(longest.unwrap_or_default() + 5, None),
        score: scoring::near(&right, points, &near),
        feedback,
    }
}

fn order<'a>(order: &Ordering, key: &OrderKey, points: u32) -> Interaction<'a> {
    let ids: Vec<String> = order
        .items
        .iter()
        .map(|it| identifier(it.id.as_str()))
        .collect();
    let also = key.also.iter().map(|it| {
        let ids: Vec<String> = it.iter().map(|it| identifier(it.as_str())).collect();
        scoring::order_equal(&ids)
    });
    let orders: Vec<String> = [match_correct()].into_iter().chain(also).collect();
    let right = or(&orders);
    let items = joined(order.items.iter().zip(&ids).map(|(it, id)| {
        format!(
            "<simpleChoice identifier=\"{id}\">{}</simpleChoice>\n",
            text_html(&it.text)
        )
    }));
    Interaction {
        cardinality: "ordered",
        base: "identifier",
        correct: ids,
        mapping: String::new(),
        body: format!(
            "<orderInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\">\n{items}</orderInteraction>"
        ),
        score: scoring::explained(&scoring::whole(&right, points)),
        feedback: Vec::new(),
    }
}

fn pairs(matching: &Matching, points: u32) -> Interaction<'_> {
    let side = |name: &str, choices: &[Choice]| {
        let choices = joined(choices.iter().map(|it| {
            let text = text_html(&it.text);
            format!("<simpleAssociableChoice identifier=\"{name}.{}\" matchMax=\"1\">{text}</simpleAssociableChoice>\n", it.id)
        }));
        format!("<simpleMatchSet>\n{choices}</simpleMatchSet>\n")
    };
    let left = side("LEFT", &matching.lefts);
    let right = side("RIGHT", &matching.rights);
    let rows = matching.rows();
    let count = matching.lefts.len();
    Interaction {
        cardinality: "multiple",
        base: "directedPair",
        correct: rows
            .map(|(left, right)| format!("LEFT.{} RIGHT.{}", left.id, right.id))
            .collect(),
        mapping: String::new(),
        body: format!(
            "<matchInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\" maxAssociations=\"{count}\">\n{left}{right}</matchInteraction>"
        ),
        score: scoring::explained(&scoring::whole(&match_correct(), points)),
        feedback: Vec::new(),
    }
}
