//! What can be answered and what is right, for each type of question.

use super::choices::{self, Named};
use super::question::Reading;
use super::quiz::Places;
use super::toml_walk::{At, Fields, read as read_value};
use super::{Bin, ChoiceId, LabId, Pair, PredictForm, QuestionKind, Text, question_number};
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeArray, DeValue};

/// How far a predicted number may be off when the author does not say.
const WITHIN_FACTOR: f64 = 2.0;
/// So many parts may a good explanation have: one alone is no explanation, and learners tick them one by one.
const PARTS: RangeInclusive<usize> = 2..=5;

/// Reads what belongs to a type. What it gives is whole only if nothing was reported meanwhile.
pub(super) fn read(
    kind: &str,
    fields: &Fields<'_>,
    places: &mut Places,
    reading: &mut Reading<'_, '_>,
) -> Option<QuestionKind> {
    match kind {
        "single" => Some(QuestionKind::Single {
            options: choices::options(fields, choices::Right::One, reading),
            shuffle: flag(fields, "shuffle", reading).unwrap_or(true),
        }),
        "multi" => Some(QuestionKind::Multi {
            options: choices::options(fields, choices::Right::AtLeastOne, reading),
            shuffle: flag(fields, "shuffle", reading).unwrap_or(true),
            partial: flag(fields, "partial", reading).unwrap_or(false),
        }),
        "numeric" => question_number::numeric(fields, reading).map(QuestionKind::Numeric),
        "text" => Some(text(fields, reading)),
        "order" => Some(order(fields, reading)),
        "match" => Some(pairs(fields, reading)),
        "words" => Some(words(fields, reading)),
        _ => predict(fields, places, reading),
    }
}

fn flag(fields: &Fields<'_>, key: &str, reading: &mut Reading<'_, '_>) -> Option<bool> {
    fields
        .optional::<bool>(key, reading.report)
        .map(|it| it.value)
}

fn text(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> QuestionKind {
    let accept = fields.required_texts("accept", reading.report);
    if let Some(accept) = &accept
        && (accept.value.is_empty() || accept.value.iter().any(|it| it.value.trim().is_empty()))
    {
        reading
            .report
            .error(accept.span.clone(), "`accept` has no text, or an empty one");
    }
    let owned = |texts: Vec<At<&str>>| texts.iter().map(|it| it.value.to_owned()).collect();
    let samples_ok = fields.texts("samples_ok", reading.report);
    let samples_bad = fields.texts("samples_bad", reading.report);
    let mut near = Vec::new();
    for value in fields.list("near", reading.report) {
        let Some(fields) = Fields::of("near miss", value, reading.report) else {
            continue;
        };
        fields.check_keys(&["text", "feedback"], reading.report);
        let text = fields.text("text", reading.report);
        let feedback = fields.text("feedback", reading.report);
        if let (Some(text), Some(feedback)) = (text, feedback) {
            near.push((text.value.to_owned(), reading.line(&feedback)));
        }
    }
    QuestionKind::Text {
        accept: owned(accept.map(|it| it.value).unwrap_or_default()),
        case: flag(fields, "case", reading).unwrap_or(false),
        samples_ok: owned(samples_ok),
        samples_bad: owned(samples_bad),
        near,
    }
}

fn order(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> QuestionKind {
    let items = choices::items(fields, reading);
    let mut right: Vec<&str> = items.iter().map(|it| it.id.as_str()).collect();
    right.sort_unstable();
    let mut also = Vec::new();
    for value in fields.list("also", reading.report) {
        let Some(ids) = read_value::<&DeArray<'_>>("also", value, reading.report) else {
            continue;
        };
        let order = other_order(ids.value, &right, reading);
        let mut sorted: Vec<&str> = order.iter().map(ChoiceId::as_str).collect();
        sorted.sort_unstable();
        if sorted != right {
            reading
                .report
                .error(ids.span, "another order has to name each item once");
        }
        also.push(order);
    }
    QuestionKind::Order { items, also }
}

fn other_order(
    ids: &[Spanned<DeValue<'_>>],
    known: &[&str],
    reading: &mut Reading<'_, '_>,
) -> Vec<ChoiceId> {
    let mut order = Vec::new();
    for id in ids {
        let Some(id) = read_value::<&str>("also", id, reading.report) else {
            continue;
        };
        if !known.contains(&id.value) {
            reading
                .report
                .error(id.span, format!("there is no item `{}`", id.value))
                .did_you_mean(id.value, known.iter().copied());
        }
        order.push(ChoiceId::new(id.value));
    }
    order
}

fn pairs(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> QuestionKind {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut lefts = choices::Texts::default();
    let mut rights = choices::Texts::default();
    for named in Named::list(fields, "pairs", "pair", reading) {
        named
            .fields
            .check_keys(&["id", "left", "right", "feedback"], reading.report);
        let left = named.line("left", reading);
        let right = named.line("right", reading);
        let feedback = named.feedback(reading);
        if let (Some((left, left_span)), Some((right, right_span))) = (left, right) {
            lefts.check(&left, left_span, reading);
            rights.check(&right, right_span, reading);
            pairs.push(Pair {
                id: named.id,
                left,
                right,
                feedback,
            });
        }
    }
    QuestionKind::Match { pairs }
}

fn words(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> QuestionKind {
    let parts: Vec<Text> = match fields.required_texts("parts", reading.report) {
        None => Vec::new(),
        Some(parts) => {
            if !PARTS.contains(&parts.value.len()) {
                let (least, most) = (PARTS.start(), PARTS.end());
                let message = format!("`parts` has between {least} and {most} texts");
                reading.report.error(parts.span, message);
            }
            parts.value.iter().map(|it| reading.line(it)).collect()
        }
    };
    QuestionKind::Words { parts }
}

fn predict(
    fields: &Fields<'_>,
    places: &mut Places,
    reading: &mut Reading<'_, '_>,
) -> Option<QuestionKind> {
    let lab = fields.text("lab", reading.report);
    let metric = fields.text("metric", reading.report);
    let form = if fields.get("bins").is_some() {
        for key in ["unit", "within_factor"] {
            if let Some(span) = fields.key_span(key) {
                reading.report.error(
                    span,
                    format!("`{key}` goes with a predicted number, not with `bins`"),
                );
            }
        }
        PredictForm::Bins(bins(fields, reading))
    } else {
        let within_factor = fields.optional::<f64>("within_factor", reading.report);
        if let Some(factor) = within_factor.as_ref().filter(|it| it.value < 1.0) {
            reading
                .report
                .error(factor.span.clone(), "`within_factor` is at least 1");
        }
        PredictForm::Number {
            unit: question_number::unit(fields, reading),
            within_factor: within_factor.map_or(WITHIN_FACTOR, |it| it.value),
        }
    };
    let (lab, metric) = (lab?, metric?);
    places.lab = lab.span;
    places.metric = metric.span;
    Some(QuestionKind::Predict {
        lab: LabId::new(lab.value),
        metric: metric.value.to_owned(),
        form,
    })
}

fn bins(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Vec<Bin> {
    let mut bins: Vec<Bin> = Vec::new();
    let mut texts = choices::Texts::default();
    for named in Named::list(fields, "bins", "bin", reading) {
        named
            .fields
            .check_keys(&["id", "text", "from", "to", "feedback"], reading.report);
        let from = named.fields.optional::<f64>("from", reading.report);
        let to = named.fields.optional::<f64>("to", reading.report);
        let from = from.map_or(f64::NEG_INFINITY, |it| it.value);
        let to = to.map_or(f64::INFINITY, |it| it.value);
        if from >= to {
            reading
                .report
                .error(named.fields.head(), "`from` has to be below `to`");
        }
        if bins.iter().any(|it| from < it.to && it.from < to) {
            reading.report.error(
                named.fields.head(),
                "this bin overlaps another, so two would be right",
            );
        }
        let feedback = named.feedback(reading);
        if let Some((text, span)) = named.line("text", reading) {
            texts.check(&text, span, reading);
            bins.push(Bin {
                id: named.id,
                text,
                from,
                to,
                feedback,
            });
        }
    }
    bins
}
