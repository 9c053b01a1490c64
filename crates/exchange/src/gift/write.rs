//! Writes GIFT.

use super::escape::escaped;
use super::reading::{PARTS, UNIT};
use crate::markup::joined;
use crate::markup::{markdown_of_blocks, markdown_of_text};
use crate::remark::Remarks;
use std::fmt::Write as _;
use warpup_course::kinds::{MatchKey, Matching, MultipleKey, NumericKey, TextKey, Tolerance};
use warpup_course::{Choice, OptionsKey, Question, QuestionKind, Quiz, Text};

/// The quizzes as one GIFT file, each in a category of its own. What GIFT has no place for is said.
pub fn write(quizzes: &[&Quiz], remarks: &mut Remarks) -> String {
    let mut out = String::new();
    for quiz in quizzes {
        let title = quiz.title.replace('/', "//").replace(['\n', '\r'], " ");
        let _ = writeln!(out, "$CATEGORY: $course$/top/{title}\n");
        for question in &quiz.questions {
            let place = format!("{}/{}", quiz.id, question.id);
            let mut writer = GiftWriter { place, remarks };
            if let Some(text) = writer.question(question) {
                let _ = writeln!(out, "{text}\n");
            }
        }
    }
    out
}

struct GiftWriter<'a> {
    place: String,
    remarks: &'a mut Remarks,
}

impl GiftWriter<'_> {
    fn say(&mut self, what: &str) {
        self.remarks.say(self.place.clone(), what);
    }

    /// A question; nothing where GIFT has none of its kind.
    fn question(&mut self, question: &Question) -> Option<String> {
        if question.is_keyless() {
            self.say("the question has no key here: left out");
            return None;
        }
        let mut prompt = markdown_of_blocks(&question.prompt);
        let mut explain = markdown_of_blocks(&question.explain);
        let answers = match &question.kind {
            QuestionKind::Single(it) => options(&it.options, it.key.as_ref()?, ["=", "~"]),
            QuestionKind::Multi(it) => self.multi(&it.options, it.key.as_ref()?),
            QuestionKind::Numeric(it) => {
                if let Some(unit) = &it.unit {
                    let _ = write!(prompt, "\n\n{UNIT}{unit}.");
                    self.say("GIFT has no units: the question ends with the unit to answer in");
                }
                numeric(it.key.as_ref()?)
            }
            QuestionKind::Text(it) => self.text(it.key.as_ref()?)?,
            QuestionKind::Match(it) => self.pairs(it, it.key.as_ref()?),
            QuestionKind::Words(it) => {
                let parts = joined(
                    it.parts
                        .iter()
                        .map(|it| format!("\n- {}", markdown_of_text(it))),
                );
                let _ = write!(explain, "\n\n{PARTS}\n{parts}");
                String::new()
            }
            QuestionKind::Order(_) => {
                self.say("GIFT has no questions about an order: left out");
                return None;
            }
            QuestionKind::Predict(_) => {
                self.say("a prediction is compared with a run of its lab: left out");
                return None;
            }
        };
        if question.version_of.is_some() {
            self.say("GIFT has no versions of a question: this one is a question of its own");
        }
        if !question.hints.is_empty() {
            self.say("GIFT has no hints: left out");
        }
        if question.points != 1 {
            self.say("GIFT has no points: each question is worth the same");
        }
        let id = escaped(question.id.as_str());
        let prompt = escaped(&prompt);
        let explain = escaped(&explain);
        Some(format!(
            "::{id}::[markdown]{prompt}{{\n{answers}\t####{explain}\n}}"
        ))
    }

    fn multi(&mut self, all: &[Choice], key: &MultipleKey) -> String {
        let right = key.options.right().len();
        let even = share(right);
        let off = if key.partial { even.as_str() } else { "100" };
        if !key.partial && right > 1 {
            self.say("GIFT gives points for a part of the right options, warpup gives all or none");
        }
        let signs = [format!("~%{even}%"), format!("~%-{off}%")];
        options(all, &key.options, signs.each_ref().map(String::as_str))
    }

    fn text(&mut self, text: &TextKey) -> Option<String> {
        if text.accept.iter().any(|it| it.contains("->")) {
            self.say("GIFT takes `->` in a short answer for a pair: left out");
            return None;
        }
        if text.case {
            self.say("GIFT does not say whether case matters: it does not after an import");
        }
        let typed = |it: &str| escaped(&it.replace('*', "\\*"));
        let mut out = String::new();
        for accept in &text.accept {
            let _ = writeln!(out, "\t={}", typed(accept));
        }
        for (near, feedback) in &text.near {
            let _ = writeln!(out, "\t=%0%{}{}", typed(near), feedback_of(Some(feedback)));
        }
        Some(out)
    }

    fn pairs(&mut self, matching: &Matching, key: &MatchKey) -> String {
        let mut out = String::new();
        for (left, right) in matching.rows() {
            // Only the first arrow is one.
            let text = markdown_of_text(&left.text).replace("->", "-\\>");
            let _ = writeln!(
                out,
                "\t={} -> {}",
                escaped(&text),
                escaped(&right.text.plain())
            );
            if key.feedback(&left.id).is_some() {
                self.say("GIFT has no feedback on a pair: left out");
            }
            if right
                .text
                .pieces
                .iter()
                .any(|it| it.code || it.strong || it.emphasis || it.link.is_some())
            {
                self.say("the right sides of pairs are plain text in GIFT");
            }
        }
        out
    }
}

/// A share of 100 as Moodle writes it.
fn share(of: usize) -> String {
    let share = format!("{:.5}", 100.0 / of.max(1) as f64);
    share.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Options, those that are right behind the first sign.
fn options(options: &[Choice], key: &OptionsKey, [right, wrong]: [&str; 2]) -> String {
    let mut out = String::new();
    for option in options {
        let text = markdown_of_text(&option.text);
        // What is between two signs at the start is a weight.
        let text = if text.starts_with('%') {
            format!("\\{text}")
        } else {
            text
        };
        let feedback = feedback_of(key.feedback(&option.id));
        let sign = if key.is_right(&option.id) {
            right
        } else {
            wrong
        };
        let _ = writeln!(out, "\t{sign}{}{feedback}", escaped(&text));
    }
    out
}

fn feedback_of(feedback: Option<&Text>) -> String {
    feedback.map_or(String::new(), |it| {
        format!("#{}", escaped(&markdown_of_text(it)))
    })
}

fn numeric(numeric: &NumericKey) -> String {
    let mut out = format!("\t#\n\t={}\n", range(numeric.answer, numeric.tolerance));
    for near in &numeric.near {
        let feedback = feedback_of(Some(&near.feedback));
        let _ = writeln!(out, "\t=%0%{}{feedback}", range(near.value, near.tolerance));
    }
    out
}

fn range(value: f64, tolerance: Tolerance) -> String {
    match tolerance {
        Tolerance::Exact => format!("{value}"),
        Tolerance::Abs(off) => format!("{value}:{off}"),
        Tolerance::Rel(off) => format!("{value}:{}", shortened(value.abs() * off)),
        Tolerance::Range(low, high) => format!("{low}..{high}"),
    }
}

/// A product of decimal fractions without the digits that binary ones add.
fn shortened(value: f64) -> f64 {
    format!("{value:.12e}").parse().unwrap_or(value)
}
