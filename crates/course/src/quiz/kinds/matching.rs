//! `type = "match"`: pairs to find.

use crate::diagnostics::Rule;
use crate::model::{ChoiceId, QuestionId, Text};
use crate::quiz::choice_names::ChoiceNames;
use crate::quiz::choices::{Choice, NamedEntry, Texts, named};
use crate::quiz::file_value::FileValue;
use crate::quiz::kind::{HashInput, Kind};
use crate::quiz::reading::{Keys, Reading};
use crate::quiz::sheet::{Sheet, paired, texts};
use crate::quiz::stable_shuffle::mixed;
use crate::toml_walk::Fields;
use std::collections::BTreeMap;

/// Its type in a quiz file.
pub(super) const WORD: &str = "match";
/// The keys besides the common ones.
pub(super) const KEYS: [&str; 2] = ["pairs", "partial"];
/// Those that say what is offered.
pub(super) const OFFERED: [&str; 1] = ["pairs"];

/// The largest weight of a pair.
const MAX_WEIGHT: u32 = 100;

/// Pairs to find: as many left sides as right ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// The left sides, shown in order.
    pub lefts: Vec<Choice>,
    /// The right sides, shuffled; each text occurs once only. With a key, the one that belongs to a left side has its
    /// name and its place; without, names and places say nothing.
    pub rights: Vec<Choice>,
    /// What pairs are worth, and what is said to wrong ones.
    pub key: Option<MatchKey>,
}

/// What pairs are worth, and what is said to wrong ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchKey {
    /// Whether right pairs earn their share of the points where others are wrong.
    pub partial: bool,
    weights: BTreeMap<ChoiceId, u32>,
    feedback: BTreeMap<ChoiceId, Text>,
}

impl MatchKey {
    /// The share of a left side in the points, relative to the others.
    pub fn weight(&self, left: &ChoiceId) -> u32 {
        self.weights.get(left).copied().unwrap_or(1)
    }

    /// What is said when this left side got another right side.
    pub fn feedback(&self, left: &ChoiceId) -> Option<&Text> {
        self.feedback.get(left)
    }

    /// Whether something is said to some pair.
    pub fn has_feedback(&self) -> bool {
        !self.feedback.is_empty()
    }
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Matching {
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    let (mut left_texts, mut right_texts) = (Texts::default(), Texts::default());
    let mut key = MatchKey {
        partial: reading.flag(fields, "partial").unwrap_or(false),
        ..MatchKey::default()
    };
    let known = ["id", "left", "right", "feedback", "weight"];
    for named in NamedEntry::list(fields, "pairs", "pair", &known, reading) {
        let left = named.line("left", reading);
        let right = named.line("right", reading);
        let feedback = named.feedback(reading);
        let weight = weight(&named.fields, key.partial, reading);
        if let (Some((left, left_span)), Some((right, right_span))) = (left, right) {
            left_texts.check(&left, left_span, reading);
            right_texts.check(&right, right_span, reading);
            key.weights.insert(named.id.clone(), weight);
            let feedback = feedback.map(|it| (named.id.clone(), it));
            key.feedback.extend(feedback);
            lefts.push(Choice::of(named.id.clone(), left));
            rights.push(Choice::of(named.id, right));
        }
    }
    if reading.keys == Keys::Withheld {
        reading.key_not_used("feedback", key.has_feedback().then(|| fields.head()));
    }
    Matching {
        lefts,
        rights,
        key: (reading.keys == Keys::Here).then_some(key),
    }
}

/// The weight of a pair.
fn weight(fields: &Fields<'_>, partial: bool, reading: &mut Reading<'_, '_>) -> u32 {
    let Some(weight) = fields.optional::<u32>("weight", reading.report) else {
        return 1;
    };
    let wrong = if !(1..=MAX_WEIGHT).contains(&weight.value) {
        Some((
            format!("a weight is between 1 and {MAX_WEIGHT}"),
            "write `weight = 2` for a pair that counts twice",
        ))
    } else if !partial {
        Some((
            "without `partial`, no pair has a weight of its own".to_owned(),
            "write `partial = true` into the question, or leave `weight` out",
        ))
    } else {
        None
    };
    if let Some((message, hint)) = wrong {
        reading
            .error(Rule::WeightForm, weight.span, message)
            .hint(hint);
    }
    weight.value
}

impl Matching {
    /// Left sides with the right sides at their places.
    pub fn rows(&self) -> impl Iterator<Item = (&Choice, &Choice)> {
        self.lefts.iter().zip(&self.rights)
    }
}

impl Kind for Matching {
    fn word(&self) -> &'static str {
        WORD
    }

    fn hash(&self, hashed: &mut HashInput) {
        if self.key.is_none() {
            hashed.choices(&self.lefts, |_| None);
            hashed.choices(&self.rights, |_| None);
            return;
        }
        for (left, right) in self.rows() {
            hashed.add(left.id.as_str());
            hashed.text(&left.text);
            hashed.text(&right.text);
        }
    }

    fn is_keyless(&self) -> bool {
        self.key.is_none()
    }

    fn take_key(&mut self) -> Option<ChoiceNames> {
        self.key.take()?;
        let lefts = ChoiceNames::counted(&mut self.lefts);
        Some(ChoiceNames::sorted(&mut self.rights).beside(lefts))
    }

    fn choices(&self) -> Vec<(ChoiceId, String)> {
        if self.key.is_none() {
            return named(&self.rights);
        }
        let rows = self.rows().map(|(left, right)| {
            let text = format!("{} = {}", left.text.plain(), right.text.plain());
            (left.id.clone(), text)
        });
        rows.collect()
    }

    fn offered(&self) -> Vec<(&'static str, FileValue)> {
        let rows = self.rows().map(|(left, right)| {
            vec![
                ("id", FileValue::Text(left.id.to_string())),
                ("left", FileValue::Left(left.id.clone())),
                ("right", FileValue::Choice(right.id.clone())),
            ]
        });
        vec![("pairs", FileValue::Tables(rows.collect()))]
    }

    fn sheet(&self, question: &QuestionId) -> Sheet {
        let mut sheet = Sheet::new("Find what belongs together.");
        sheet.choices = texts(&self.lefts);
        sheet.others = texts(&self.rights);
        let Some(key) = &self.key else { return sheet };
        sheet.others = texts(mixed(question, &self.rights));
        for (left, right) in self.rows() {
            sheet.key.push(paired(&left.text, &right.text));
            if let Some(said) = key.feedback(&left.id) {
                sheet.feedback.push((left.text.clone(), said.clone()));
            }
        }
        sheet
    }
}
