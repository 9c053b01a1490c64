//! A question as it is on paper: what is asked, what there is to choose from, and the key apart.

use warpup_course::kinds::keyless::{Keyless, Offer};
use warpup_course::kinds::{PredictForm, Tolerance};
use warpup_course::{Choice, Question, QuestionKind, Text};
use warpup_lab::units::number;

/// How to answer.
const ONE: &str = "Choose one.";
const SEVERAL: &str = "Choose all that are right.";
const NUMBER: &str = "Give a number";
const WORD: &str = "Answer in a word or two.";
const ORDER: &str = "Bring these into the right order.";
const PAIRS: &str = "Find what belongs together.";

/// What there is to choose from, and what is right.
pub(super) struct Sheet<'a> {
    /// How to answer, such as `Choose one.`
    pub(super) how: String,
    /// What there is to choose from, in an order that says nothing.
    pub(super) choices: Vec<&'a Text>,
    /// The other side of pairs, in an order that says nothing.
    pub(super) others: Vec<&'a Text>,
    /// What is right: texts, each with another one beside it for pairs.
    pub(super) key: Vec<(Text, Option<&'a Text>)>,
    /// What is said to wrong answers.
    pub(super) feedback: Vec<(Text, &'a Text)>,
}

/// The sheet of a question.
pub(super) fn sheet(question: &Question) -> Sheet<'_> {
    let mut sheet = Sheet {
        how: String::new(),
        choices: Vec::new(),
        others: Vec::new(),
        key: Vec::new(),
        feedback: Vec::new(),
    };
    match &question.kind {
        QuestionKind::Single(it) => sheet.options(ONE, &it.options),
        QuestionKind::Multi(it) => sheet.options(SEVERAL, &it.options),
        QuestionKind::Numeric(it) => {
            sheet.how = in_unit(NUMBER, it.unit.as_deref());
            let unit = it
                .unit
                .as_ref()
                .map_or(String::new(), |it| format!(" {it}"));
            let also = match it.tolerance {
                Tolerance::Exact => String::new(),
                Tolerance::Abs(off) => format!(", give or take {}", number(off)),
                Tolerance::Rel(off) => format!(", give or take {} %", number(off * 100.0)),
                Tolerance::Range(low, high) => {
                    format!(
                        " (anything from {} to {} is right)",
                        number(low),
                        number(high)
                    )
                }
            };
            let key = format!("{}{unit}{also}", number(it.answer));
            sheet.key.push((Text::of(key), None));
            for near in &it.near {
                let value = format!("{}{unit}", number(near.value));
                sheet.feedback.push((Text::of(value), &near.feedback));
            }
        }
        QuestionKind::Text(it) => {
            WORD.clone_into(&mut sheet.how);
            sheet.key = it.accept.iter().map(|it| (Text::of(it), None)).collect();
            let near = it.near.iter();
            sheet.feedback = near.map(|(text, said)| (Text::of(text), said)).collect();
        }
        QuestionKind::Order(it) => {
            ORDER.clone_into(&mut sheet.how);
            let mixed = mixed(question, &it.items, |it| it.id.as_str());
            sheet.choices = mixed.into_iter().map(|it| &it.text).collect();
            sheet.key = it.items.iter().map(|it| (it.text.clone(), None)).collect();
        }
        QuestionKind::Match(it) => {
            PAIRS.clone_into(&mut sheet.how);
            sheet.choices = it.pairs.iter().map(|it| &it.left).collect();
            let mixed = mixed(question, &it.pairs, |it| it.id.as_str());
            sheet.others = mixed.into_iter().map(|it| &it.right).collect();
            let pairs = it.pairs.iter();
            sheet.key = pairs.map(|it| (it.left.clone(), Some(&it.right))).collect();
            for pair in &it.pairs {
                let said = pair.feedback.iter().map(|it| (pair.left.clone(), it));
                sheet.feedback.extend(said);
            }
        }
        QuestionKind::Predict(it) => match &it.form {
            PredictForm::Number { unit, .. } => {
                sheet.how = in_unit("Predict a number", unit.as_deref());
            }
            PredictForm::Bins(bins) => {
                "Predict before you run the lab.".clone_into(&mut sheet.how);
                sheet.choices = bins.iter().map(|it| &it.text).collect();
            }
        },
        QuestionKind::Keyless(it) => sheet.without_key(it),
        QuestionKind::Words(it) => {
            "Explain it in your own words, in some sentences.".clone_into(&mut sheet.how);
            sheet.key = it.parts.iter().map(|it| (it.clone(), None)).collect();
        }
    }
    sheet
}

impl<'a> Sheet<'a> {
    /// The same texts as with a key, and nothing of what is right.
    fn without_key(&mut self, of: &'a Keyless) {
        let texts = |offers: &'a [Offer]| offers.iter().map(|it| &it.text).collect();
        match of {
            Keyless::Single(it) => {
                ONE.clone_into(&mut self.how);
                self.choices = texts(&it.options);
            }
            Keyless::Multi(it) => {
                SEVERAL.clone_into(&mut self.how);
                self.choices = texts(&it.options);
            }
            Keyless::Numeric { unit, .. } => self.how = in_unit(NUMBER, unit.as_deref()),
            Keyless::Text => WORD.clone_into(&mut self.how),
            Keyless::Order(items) => {
                ORDER.clone_into(&mut self.how);
                self.choices = texts(items);
            }
            Keyless::Match { lefts, rights } => {
                PAIRS.clone_into(&mut self.how);
                (self.choices, self.others) = (texts(lefts), texts(rights));
            }
        }
    }

    fn options(&mut self, how: &str, options: &'a [Choice]) {
        how.clone_into(&mut self.how);
        for option in options {
            self.choices.push(&option.text);
            if option.correct {
                self.key.push((option.text.clone(), None));
            }
            let said = option.feedback.iter().map(|it| (option.text.clone(), it));
            self.feedback.extend(said);
        }
    }
}

fn in_unit(what: &str, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => format!("{what} in {unit}."),
        None => format!("{what}."),
    }
}

/// The same in another order, which is the same each time.
fn mixed<'a, T>(question: &Question, all: &'a [T], id: impl Fn(&T) -> &str) -> Vec<&'a T> {
    let mut mixed: Vec<&T> = all.iter().collect();
    mixed.sort_by_key(|it| {
        let name = format!("{}/{}", question.id, id(it));
        // FNV-1a: any function that mixes well would do.
        name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    });
    let is_same = mixed.iter().zip(all).all(|(a, b)| std::ptr::eq(*a, b));
    if is_same {
        mixed.reverse();
    }
    mixed
}
