//! `type = "predict"`: a prediction about a lab, asked before it runs.

use super::numeric;
use crate::diagnostics::Rule;
use crate::model::{ChoiceId, LabId, QuestionId, Text};
use crate::quiz::choices::{NamedEntry, Texts};
use crate::quiz::kind::{HashInput, Kind};
use crate::quiz::reading::Reading;
use crate::quiz::sheet::Sheet;
use crate::toml_walk::Fields;
use std::ops::Range;

/// Its type in a quiz file.
pub(super) const WORD: &str = "predict";
/// The keys besides the common ones.
pub(super) const KEYS: [&str; 6] = ["lab", "metric", "counts", "unit", "within_factor", "bins"];
/// How far a predicted number may be off when the author does not say.
const WITHIN_FACTOR: f64 = 2.0;

/// A prediction about a lab of this lesson, asked before the lab can run.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The lab it is about.
    pub lab: LabId,
    /// The metric of that run the truth is read from: one of the lab's, or `host_ms`, `device_ms`, `peak_mib`.
    pub metric: String,
    /// How it is asked and compared.
    pub form: PredictForm,
}

/// How a prediction is asked and compared with the run.
#[derive(Clone, Debug, PartialEq)]
pub enum PredictForm {
    /// A number, compared with the metric.
    Number {
        /// The metric's unit.
        unit: Option<String>,
        /// Right when the larger is at most this many times the smaller; 1.0 asks for equality.
        within_factor: f64,
    },
    /// Options, each with the range of the metric in which it is right.
    Bins(Vec<Bin>),
}

/// One option of a binned prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Bin {
    /// Stable name inside the question.
    pub id: ChoiceId,
    /// What it says.
    pub text: Text,
    /// Lower end, included.
    pub from: f64,
    /// Upper end, not included.
    pub to: f64,
    /// What is said to somebody who chose it and was wrong.
    pub feedback: Option<Text>,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Option<Prediction> {
    let lab = fields.text("lab", reading.report);
    let metric = fields.text("metric", reading.report);
    let form = if fields.get("bins").is_some() {
        for key in ["unit", "within_factor"] {
            if let Some(span) = fields.key_span(key) {
                reading
                    .error(
                        Rule::BinsAndNumber,
                        span,
                        format!("`{key}` goes with a predicted number, not with `bins`"),
                    )
                    .hint("leave it out");
            }
        }
        PredictForm::Bins(bins(fields, reading))
    } else {
        let within_factor = fields.optional::<f64>("within_factor", reading.report);
        if let Some(factor) = within_factor.as_ref().filter(|it| it.value < 1.0) {
            reading
                .error(
                    Rule::WithinFactor,
                    factor.span.clone(),
                    "`within_factor` is at least 1",
                )
                .hint("write 1 or more: 2 accepts half and double");
        }
        PredictForm::Number {
            unit: numeric::unit(fields, reading),
            within_factor: within_factor.map_or(WITHIN_FACTOR, |it| it.value),
        }
    };
    Some(Prediction {
        lab: LabId::new(lab?.value),
        metric: metric?.value.to_owned(),
        form,
    })
}

fn bins(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Vec<Bin> {
    let mut bins: Vec<Bin> = Vec::new();
    let mut heads = Vec::new();
    let mut texts = Texts::default();
    let known = ["id", "text", "from", "to", "feedback"];
    let errors = reading.report.errors();
    let entries = NamedEntry::list(fields, "bins", "bin", &known, reading);
    // An unknown key may be meant to say where a bin begins or ends: nothing can be said about its neighbours then.
    let mut are_known = reading.report.errors() == errors;
    for named in entries {
        let errors = reading.report.errors();
        let from = named.fields.optional::<f64>("from", reading.report);
        let to = named.fields.optional::<f64>("to", reading.report);
        if reading.report.errors() > errors {
            are_known = false;
            continue;
        }
        let from = from.map_or(f64::NEG_INFINITY, |it| it.value);
        let to = to.map_or(f64::INFINITY, |it| it.value);
        if from >= to {
            reading
                .error(
                    Rule::EmptyBin,
                    named.fields.head(),
                    "`from` has to be below `to`",
                )
                .hint("write the lower end as `from` and the upper end as `to`");
        }
        if are_known && bins.iter().any(|it| from < it.to && it.from < to) {
            reading
                .error(
                    Rule::BinsOverlap,
                    named.fields.head(),
                    "this bin overlaps another, so two would be right",
                )
                .hint("let it begin where the one below it ends; `to` itself is not in a bin");
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
            heads.push(named.fields.head());
        }
    }
    if are_known {
        check_gaps(&bins, &heads, reading);
    }
    bins
}

/// Warns about values between two bins: a learner who predicts one of them is marked wrong.
fn check_gaps(bins: &[Bin], heads: &[Range<usize>], reading: &mut Reading<'_, '_>) {
    let mut sorted: Vec<_> = bins.iter().zip(heads).collect();
    sorted.sort_by(|(one, _), (other, _)| one.from.total_cmp(&other.from));
    for pair in sorted.windows(2) {
        let [(below, _), (above, head)] = pair else {
            continue;
        };
        if below.to < above.from {
            let (from, to) = (below.to, above.from);
            reading
                .report
                .warning(
                    Rule::BinsGap,
                    (*head).clone(),
                    format!("a value from {from} to below {to} lies in no bin, so every answer would be wrong"),
                )
                .hint(format!("let this bin begin where `{}` ends: `from = {from}`", below.id));
        }
    }
}

impl Kind for Prediction {
    fn word(&self) -> &'static str {
        WORD
    }

    fn hash(&self, hashed: &mut HashInput) {
        hashed.add(self.lab.as_str());
        hashed.add(&self.metric);
        match &self.form {
            PredictForm::Number { unit, .. } => hashed.add(unit.as_deref().unwrap_or_default()),
            PredictForm::Bins(bins) => {
                for bin in bins {
                    hashed.add(bin.id.as_str());
                    hashed.text(&bin.text);
                    hashed.number(bin.from);
                    hashed.number(bin.to);
                }
            }
        }
    }

    fn choices(&self) -> Vec<(ChoiceId, String)> {
        let PredictForm::Bins(bins) = &self.form else {
            return Vec::new();
        };
        let named = bins.iter().map(|it| (it.id.clone(), it.text.plain()));
        named.collect()
    }

    /// What is right is for the run to say.
    fn sheet(&self, _question: &QuestionId) -> Sheet {
        match &self.form {
            PredictForm::Number { unit, .. } => Sheet::number("Predict a number", unit.as_deref()),
            PredictForm::Bins(bins) => Sheet {
                choices: bins.iter().map(|it| it.text.clone()).collect(),
                ..Sheet::new("Predict before you run the lab.")
            },
        }
    }
}
