//! `type = "numeric"`: a number, its unit and tolerance, near misses.

use crate::diagnostics::{Report, Rule};
use crate::model::{QuestionId, Text};
use crate::quiz::choice_names::ChoiceNames;
use crate::quiz::file_value::FileValue;
use crate::quiz::kind::{HashInput, Kind};
use crate::quiz::reading::{Keys, Reading};
use crate::quiz::sheet::Sheet;
use crate::toml_walk::{self, Fields, WithSpan};
use crate::units;
use std::ops::Range;
use toml::de::{DeArray, DeValue};
use warpup_text::number;

/// Its type in a quiz file.
pub(super) const WORD: &str = "numeric";
/// The keys besides the common ones.
pub(super) const KEYS: [&str; 5] = ["answer", "tolerance", "unit", "accepted", "near"];

/// Those that say what is offered.
pub(super) const OFFERED: [&str; 2] = ["unit", "accepted"];

/// A number, with a unit where it has one.
#[derive(Clone, Debug, PartialEq)]
pub struct Numeric {
    /// The unit that it is asked in, such as `MiB`.
    pub unit: Option<String>,
    /// Units a learner may answer in; converted before comparing. Empty: only `unit`.
    pub accepted: Vec<String>,
    /// What is right.
    pub key: Option<NumericKey>,
}

/// Which numbers are right.
#[derive(Clone, Debug, PartialEq)]
pub struct NumericKey {
    /// The right value, in `unit`.
    pub answer: f64,
    /// How far off is still right.
    pub tolerance: Tolerance,
    /// Values that are wrong in a known way, in `unit`.
    pub near: Vec<NearMiss>,
}

/// How far off is still right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// The value itself.
    Exact,
    /// At most this far off, in the answer's unit.
    Abs(f64),
    /// At most this share off, 0.02 for 2 %.
    Rel(f64),
    /// Between these, both included.
    Range(f64, f64),
}

/// A value that is wrong in a known way.
#[derive(Clone, Debug, PartialEq)]
pub struct NearMiss {
    /// The value, in the question's unit.
    pub value: f64,
    /// How far around it the feedback is given.
    pub tolerance: Tolerance,
    /// What is said.
    pub feedback: Text,
    /// Where it is in the quiz file.
    pub span: Range<usize>,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Option<Numeric> {
    let has_key = reading.keys == Keys::Here;
    let answer = has_key.then(|| fields.required::<f64>("answer", reading.report));
    let unit = unit(fields, reading);
    let accepted = accepted(fields, unit.as_deref(), reading);
    let key = match answer {
        Some(answer) => Some(key(fields, answer, reading)?),
        None => None,
    };
    Some(Numeric {
        unit,
        accepted,
        key,
    })
}

/// What is right, by the answer that the file gives; nothing where it gives none.
fn key(
    fields: &Fields<'_>,
    answer: Option<WithSpan<f64>>,
    reading: &mut Reading<'_, '_>,
) -> Option<NumericKey> {
    let tolerance = tolerance(fields, reading);
    let mut near = Vec::new();
    for value in fields.list("near", reading.report) {
        let Some(fields) = Fields::of("near miss", value, reading.report) else {
            continue;
        };
        fields.check_keys(&["value", "tolerance", "feedback"], reading.report);
        let value = fields.required::<f64>("value", reading.report);
        let tolerance = self::tolerance(&fields, reading);
        let feedback = fields.text("feedback", reading.report);
        if let (Some(value), Some(feedback)) = (value, feedback) {
            near.push(NearMiss {
                value: value.value,
                tolerance,
                feedback: reading.line(&feedback),
                span: fields.head(),
            });
        }
    }
    let answer = answer?;
    if let Tolerance::Range(low, high) = tolerance
        && !(low..=high).contains(&answer.value)
    {
        reading
            .error(
                Rule::AnswerOutsideRange,
                answer.span,
                "the answer is outside its own range",
            )
            .hint("change the answer or the range, so that the answer is in it");
    }
    Some(NumericKey {
        answer: answer.value,
        tolerance,
        near,
    })
}

/// The unit of a number, if it has one.
pub(crate) fn unit(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Option<String> {
    let unit = fields.optional::<&str>("unit", reading.report)?;
    if unit.value.trim().is_empty() {
        reading
            .error(Rule::EmptyText, unit.span, "`unit` is empty")
            .hint("leave it out for a bare number");
        return None;
    }
    let written = unit.value.trim();
    if let Some(known) = units::meant(written) {
        reading
            .report
            .warning(
                Rule::UnknownUnit,
                unit.span,
                format!("`{written}` is not a unit that warpup converts, so learners have to type it like this"),
            )
            .fixed_by(written, known)
            .hint(format!("write `unit = \"{known}\"`"));
    }
    Some(written.to_owned())
}

/// Other units that learners may answer in.
fn accepted(fields: &Fields<'_>, unit: Option<&str>, reading: &mut Reading<'_, '_>) -> Vec<String> {
    let mut accepted = Vec::new();
    for other in fields.texts("accepted", reading.report) {
        let written = other.value.trim();
        match unit {
            None => {
                reading
                    .error(
                        Rule::AcceptedWithoutUnit,
                        other.span,
                        "a question without `unit` accepts no units",
                    )
                    .hint("write the unit of the answer, `unit = \"…\"`, or leave `accepted` out");
            }
            Some(unit) if units::convert(1.0, written, unit).is_none() => {
                reading
                    .error(
                        Rule::UnitNotConvertible,
                        other.span,
                        format!("`{written}` cannot be converted to `{unit}`"),
                    )
                    .did_you_mean_or(
                        written,
                        units::like(unit),
                        match units::like(unit).collect::<Vec<_>>() {
                            all if all.is_empty() => format!(
                                "warpup converts no units into `{unit}`: leave `accepted` out"
                            ),
                            all => format!("into `{unit}` warpup converts {}", all.join(", ")),
                        },
                    );
            }
            Some(_) => accepted.push(written.to_owned()),
        }
    }
    accepted
}

/// Warns of a share of 1 or more, which takes 0 for right, too: it was meant as a percentage.
fn warn_of_percent(rel: &WithSpan<f64>, report: &mut Report) {
    if rel.value < 1.0 {
        return;
    }
    let (percent, meant) = ((100.0 * rel.value).round(), rel.value / 100.0);
    report
        .warning(
            Rule::ToleranceForm,
            rel.span.clone(),
            format!("this tolerance is {percent} % of the answer"),
        )
        .hint(format!(
            "`rel` is a share: write `rel = {meant}` for {} %, or `abs` for an amount in the unit",
            rel.value
        ));
}

fn tolerance(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Tolerance {
    let Some(value) = fields.get("tolerance") else {
        return Tolerance::Exact;
    };
    let report = &mut *reading.report;
    if let DeValue::Integer(_) | DeValue::Float(_) = value.get_ref() {
        let number = reading.file.get(value.span()).unwrap_or("1");
        report
            .error(
                Rule::ToleranceForm,
                value.span(),
                "a tolerance says whether it is a share or an amount",
            )
            .hint(format!(
                "write `{{ rel = {number} }}` for a share of the answer, or `{{ abs = {number} }}` in its unit"
            ));
        return Tolerance::Exact;
    }
    let Some(fields) = Fields::of("tolerance", value, report) else {
        return Tolerance::Exact;
    };
    fields.check_keys(&["rel", "abs", "range"], report);
    if fields.entries().count() != 1 {
        report
            .error(
                Rule::ToleranceForm,
                value.span(),
                "a tolerance is exactly one of `rel`, `abs` and `range`",
            )
            .hint(
                "keep one of them, such as `{ rel = 0.02 }`, or leave `tolerance` out for exactly",
            );
    }
    let rel = fields.optional::<f64>("rel", report);
    let abs = fields.optional::<f64>("abs", report);
    let range = fields.optional::<&DeArray<'_>>("range", report);
    for off in [&rel, &abs].into_iter().flatten() {
        if off.value < 0.0 {
            report
                .error(
                    Rule::ToleranceForm,
                    off.span.clone(),
                    "a tolerance is not below 0",
                )
                .hint("write how far off an answer may be, as a number of at least 0");
        }
    }
    if let Some(rel) = rel {
        warn_of_percent(&rel, report);
        return Tolerance::Rel(rel.value);
    }
    if let Some(abs) = abs {
        return Tolerance::Abs(abs.value);
    }
    let Some(range) = range else {
        return Tolerance::Exact;
    };
    let ends: Vec<f64> = range
        .value
        .iter()
        .filter_map(|it| toml_walk::read::<f64>("range", it, report))
        .map(|it| it.value)
        .collect();
    match ends.as_slice() {
        [low, high] if low <= high => Tolerance::Range(*low, *high),
        [..] => {
            report
                .error(
                    Rule::ToleranceForm,
                    range.span,
                    "a range is two numbers, the lower one first",
                )
                .hint("write `tolerance = { range = [10, 20] }`");
            Tolerance::Exact
        }
    }
}

impl Kind for Numeric {
    fn word(&self) -> &'static str {
        WORD
    }

    fn hash(&self, hashed: &mut HashInput) {
        if let Some(key) = &self.key {
            hashed.number(key.answer);
            let (word, numbers) = match key.tolerance {
                Tolerance::Exact => ("exact", vec![]),
                Tolerance::Abs(off) => ("abs", vec![off]),
                Tolerance::Rel(off) => ("rel", vec![off]),
                Tolerance::Range(low, high) => ("range", vec![low, high]),
            };
            hashed.add(word);
            for number in numbers {
                hashed.number(number);
            }
        }
        hashed.add(self.unit.as_deref().unwrap_or_default());
    }

    fn is_keyless(&self) -> bool {
        self.key.is_none()
    }

    fn take_key(&mut self) -> Option<ChoiceNames> {
        self.key.take()?;
        Some(ChoiceNames::default())
    }

    fn offered(&self) -> Vec<(&'static str, FileValue)> {
        let unit = self.unit.iter();
        let unit = unit.map(|it| ("unit", FileValue::Text(it.clone())));
        let accepted = (!self.accepted.is_empty())
            .then(|| ("accepted", FileValue::Texts(self.accepted.clone())));
        unit.chain(accepted).collect()
    }

    fn sheet(&self, _question: &QuestionId) -> Sheet {
        let mut sheet = Sheet::number("Give a number", self.unit.as_deref());
        let Some(key) = &self.key else { return sheet };
        let unit = self.unit.as_ref();
        let unit = unit.map_or(String::new(), |it| format!(" {it}"));
        let with_unit = |value| format!("{}{unit}", number(value));
        let also = match key.tolerance {
            Tolerance::Exact => String::new(),
            Tolerance::Abs(off) => format!(", give or take {}", number(off)),
            Tolerance::Rel(off) => format!(", give or take {} %", number(off * 100.0)),
            Tolerance::Range(low, high) => {
                let (low, high) = (number(low), number(high));
                format!(" (anything from {low} to {high} is right)")
            }
        };
        sheet.key = vec![Text::of(format!("{}{also}", with_unit(key.answer)))];
        let near = key.near.iter();
        sheet.feedback = near
            .map(|it| (Text::of(with_unit(it.value)), it.feedback.clone()))
            .collect();
        sheet
    }
}
